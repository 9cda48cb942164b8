//! [`Params`]: everything the page needs, legal in combination.

use std::sync::Arc;

use super::blocks::{DEFAULT_BLOCKS, blocks_text, mod_bias_text, read_blocks};
use super::notice::Notice;
use super::page::Page;
use super::photo::Photo;
use super::query::{Requested, Value, number};
use super::spec::{Key, Preset};
use crate::core::encoding::relative::{BiasEdit, BiasStart};
use crate::core::encoding::rope::{Pairing, Rope};
use crate::core::encoding::rope_scaling::{LongContext, Remedy};
use crate::core::encoding::sinusoidal::Layout;
use crate::core::encoding::{Scheme, Setting};
use crate::core::grid::Grid;
use crate::core::grid::scheme::Scheme2d;
use crate::core::mrope::{
    Block, MRope, Modality, ModalityBias, PositionIds, Sections, Version, position_ids,
    total_tokens,
};
use crate::core::tokens::{MAX_TOKENS, TokenKind, tokenize};
use crate::core::toy::Pool;
use crate::core::{CoreError, sound::Envelope};

/// Base of the frequencies where none is given: that of both papers.
const DEFAULT_BASE: f64 = 10000.0;
/// The same for M-RoPE: that of the Qwen models.
const MROPE_BASE: f64 = 1e6;

/// Base of the frequencies on a grid where none is given: that of MAE and of vision encoders.
const GRID_BASE: f64 = 10000.0;

/// The traced position where none is given.
const POS: usize = 3;

/// A language of the page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Lang {
    /// Chinese.
    #[default]
    Zh,
    /// English.
    En,
}

impl Lang {
    /// The id in the address.
    pub fn id(self) -> &'static str {
        match self {
            Self::Zh => "zh",
            Self::En => "en",
        }
    }

    /// The `lang` attribute of the html element.
    pub fn tag(self) -> &'static str {
        match self {
            Self::Zh => "zh-CN",
            Self::En => "en",
        }
    }
}

/// Light, dark, or as the visitor's system.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Theme {
    /// As the system.
    #[default]
    Auto,
    /// Light.
    Light,
    /// Dark.
    Dark,
}

/// A sequence of several modalities, and how its tokens are numbered.
#[derive(Debug, Clone, PartialEq)]
pub struct Sequence {
    /// Its blocks; at least one.
    pub blocks: Vec<Block>,
    /// Whose rule numbers the tokens.
    pub version: Version,
    /// Frames of a video a second.
    pub fps: f64,
    /// Base of the frequencies of M-RoPE.
    pub base: f64,
    /// What is added to scores by the kinds of query and key.
    pub bias: ModalityBias,
}

impl Sequence {
    /// Seconds between two temporal patches, of two frames each.
    pub fn seconds_per_grid(&self) -> f64 {
        2.0 / self.fps
    }

    /// What each token is a piece of.
    pub fn kinds(&self) -> Vec<Modality> {
        let of = |b: &Block| std::iter::repeat_n(b.modality(), b.tokens());
        self.blocks.iter().flat_map(of).collect()
    }

    /// What is added to the score of a query and a key, by their places in the sequence.
    pub fn bias_of(&self, query: usize, key: usize) -> f64 {
        let kinds = self.kinds();
        match (kinds.get(query), kinds.get(key)) {
            (Some(query), Some(key)) => self.bias.get(*query, *key),
            _ => 0.0,
        }
    }

    /// (t, h, w) of each token.
    ///
    /// # Errors
    /// As [`position_ids`]; a valid sequence has none.
    pub fn ids(&self) -> Result<PositionIds, CoreError> {
        position_ids(&self.blocks, self.version, self.seconds_per_grid())
    }

    /// The rotation of a head, with the sections of the version for its width.
    ///
    /// # Errors
    /// As [`MRope::new`].
    pub fn rope(&self, head_dim: usize) -> Result<MRope, CoreError> {
        MRope::new(
            head_dim,
            self.base,
            Sections::of(self.version, head_dim / 2),
        )
    }
}

/// A recording, cut into frames.
#[derive(Debug, Clone, PartialEq)]
pub struct Sound {
    /// Its length.
    pub seconds: usize,
    /// Frames a second.
    pub rate: usize,
    /// Beats a minute of the rhythm.
    pub bpm: usize,
    /// What the visitor recorded or opened; the rhythm is shown without. Not in the address.
    pub recording: Option<Arc<Envelope>>,
}

/// Valid parameters.
#[derive(Debug, Clone, PartialEq)]
pub struct Params {
    /// The page shown.
    pub page: Page,
    /// The only figure shown, if the page stands in a frame.
    pub embed: Option<String>,
    /// The scheme shown.
    pub scheme: Scheme,
    /// Length of the sequence.
    pub seq_len: usize,
    /// What the encodings depend on.
    pub setting: Setting,
    /// The traced cell.
    pub pos: usize,
    /// The traced dimension.
    pub dim: usize,
    /// The traced query position (m on `rope`).
    pub i: usize,
    /// The traced key position (n on `rope`).
    pub j: usize,
    /// k of PE(pos + k).
    pub shift: i64,
    /// The head shown.
    pub head: usize,
    /// The layer shown.
    pub layer: usize,
    /// Number of layers of the toy model.
    pub layers: usize,
    /// How the sentence vector is made.
    pub pool: Pool,
    /// The first sentence as it was written.
    pub text_a: String,
    /// The second sentence as it was written.
    pub text_b: String,
    /// The first sentence, as tokens (at most 64).
    pub tokens_a: Vec<String>,
    /// The second sentence.
    pub tokens_b: Vec<String>,
    /// What a token is.
    pub tokens: TokenKind,
    /// Rows and columns of patches.
    pub grid: Grid,
    /// Side of a patch in pixels; the image has `grid · patch`.
    pub patch: usize,
    /// The encoding of a grid whose arrays are asked for, if one is.
    pub scheme2d: Option<Scheme2d>,
    /// A window within which positions are relative.
    pub window: Grid,
    /// The grid that an encoding was trained on, brought to `grid` by interpolation.
    pub trained: Grid,
    /// Base of the frequencies on a grid: that which was given, else 10000, whatever the page.
    pub grid_base: f64,
    /// The image drawn.
    pub image: &'static str,
    /// The visitor's own image, shown instead; it is never part of the address.
    pub photo: Option<Photo>,
    /// The sequence of several modalities.
    pub sequence: Sequence,
    /// The token of it that asks.
    pub q: usize,
    /// The token of it that is looked at.
    pub k: usize,
    /// The recording.
    pub sound: Sound,
    /// The language asked for; `None` leaves it to the browser.
    pub lang: Option<Lang>,
    /// Light or dark.
    pub theme: Theme,
    /// Whether the presentation view is asked for.
    pub present: bool,
    /// Parameters that are shown but fixed.
    pub lock: Vec<String>,
    /// Parts that are not shown.
    pub hide: Vec<String>,
    /// The model whose parameters stand for what is not given.
    pub preset: Option<&'static str>,
    /// Rows that are wanted of long arrays, both ends included.
    pub rows: Option<(usize, usize)>,
}

impl Params {
    /// Whether something is hidden by `hide`.
    pub fn hides(&self, name: &str) -> bool {
        self.hide.iter().any(|h| h == name)
    }

    /// Whether a parameter is fixed by `lock`.
    pub fn locks(&self, key: Key) -> bool {
        self.lock.iter().any(|l| l == key.name())
    }

    /// Whether a parameter of the scaling changes anything under the remedy in force. `compares`
    /// is for a view of all remedies at once.
    pub fn scaling_uses(&self, key: Key, compares: bool) -> bool {
        let remedy = self.setting.context.remedy;
        match key {
            Key::BetaFast | Key::BetaSlow => remedy == Remedy::Yarn,
            Key::LowFreqFactor | Key::HighFreqFactor => remedy == Remedy::Llama3,
            Key::Factor => compares || remedy != Remedy::None,
            _ => true,
        }
    }

    /// Whether the arrays asked for are those of an encoding of a grid.
    pub fn on_grid(&self) -> bool {
        self.page == Page::Multimodal && self.scheme2d.is_some()
    }

    /// A parameter as a number, if it is one that the page uses.
    pub fn number(&self, key: Key) -> Option<f64> {
        let s = &self.setting;
        Some(match key {
            Key::DModel => s.d_model as f64,
            Key::SeqLen => self.seq_len as f64,
            Key::Base if self.page == Page::Multimodal => self.sequence.base,
            Key::Base => s.base,
            Key::MaxRelDist => s.max_rel_dist as f64,
            Key::Heads => s.heads as f64,
            Key::Pos => self.pos as f64,
            Key::Dim => self.dim as f64,
            Key::I => self.i as f64,
            Key::J => self.j as f64,
            Key::Shift => self.shift as f64,
            Key::Factor => s.context.factor,
            Key::OrigLen => s.context.orig_len as f64,
            Key::TargetLen => s.context.target_len as f64,
            Key::BetaFast => s.context.beta_fast,
            Key::BetaSlow => s.context.beta_slow,
            Key::LowFreqFactor => s.context.low_freq_factor,
            Key::HighFreqFactor => s.context.high_freq_factor,
            Key::Head => self.head as f64,
            Key::Layer => self.layer as f64,
            Key::Causal => f64::from(u8::from(s.causal)),
            Key::Layers => self.layers as f64,
            Key::Q => self.q as f64,
            Key::K => self.k as f64,
            Key::Fps => self.sequence.fps,
            Key::Seconds => self.sound.seconds as f64,
            Key::Rate => self.sound.rate as f64,
            Key::Bpm => self.sound.bpm as f64,
            Key::Seed => f64::from(s.seed),
            Key::Patch => self.patch as f64,
            Key::Present => f64::from(u8::from(self.present)),
            _ => return None,
        })
    }

    /// A parameter as the word or the sentence that the address uses for it, if it is one.
    pub fn word(&self, key: Key) -> Option<String> {
        let s = &self.setting;
        let word = match key {
            Key::Page => self.page.id(),
            Key::Scheme => self.scheme.id(),
            Key::Bias => match s.bias {
                BiasStart::Random => "random",
                BiasStart::Decay => "decay",
                BiasStart::Zero => "zero",
            },
            Key::Layout => match s.layout {
                Layout::Interleaved => "interleaved",
                Layout::Concatenated => "concatenated",
                Layout::T2t => "t2t",
            },
            Key::Pairing => match s.pairing {
                Pairing::Interleaved => "interleaved",
                Pairing::Half => "half",
            },
            Key::Scaling => s.context.remedy.id(),
            Key::Preset => self.preset?,
            Key::Pool => match self.pool {
                Pool::Mean => "mean",
                Pool::Last => "last",
                Pool::None => "none",
            },
            Key::Tokens => match self.tokens {
                TokenKind::Word => "word",
                TokenKind::Char => "char",
            },
            Key::Theme => match self.theme {
                Theme::Auto => "auto",
                Theme::Light => "light",
                Theme::Dark => "dark",
            },
            Key::Scheme2d => self.scheme2d?.id(),
            Key::Image => self.image,
            Key::Grid => return Some(sides(self.grid)),
            Key::Window => return Some(sides(self.window)),
            Key::Trained => return Some(sides(self.trained)),
            Key::Lang => self.lang?.id(),
            Key::Mrope => self.sequence.version.id(),
            Key::Blocks => return Some(blocks_text(&self.sequence.blocks)),
            Key::ModBias => return Some(mod_bias_text(&self.sequence.bias)),
            Key::TextA => return Some(self.text_a.clone()),
            Key::TextB => return Some(self.text_b.clone()),
            _ => return None,
        };
        Some(word.to_owned())
    }
}

/// A grid as the address spells it.
fn sides(grid: Grid) -> String {
    format!("{}x{}", grid.rows(), grid.columns())
}

/// Numbers of heads that divide `d_model` into heads of even width, 1 to 64, in order.
pub fn legal_heads(d_model: usize) -> Vec<usize> {
    (1..=64.min(d_model))
        .filter(|h| d_model.is_multiple_of(*h) && (d_model / h).is_multiple_of(2))
        .collect()
}

/// Makes what was asked for legal in combination. `figure_page` tells the page of a figure's id.
pub fn resolve(
    requested: &Requested,
    figure_page: impl Fn(&str) -> Option<Page>,
) -> (Params, Vec<Notice>) {
    let requested = &requested.written_out();
    let mut r = Resolver {
        requested,
        notices: Vec::new(),
    };
    let embed = r.embed(&figure_page);
    let page = r.page(embed.as_deref().and_then(&figure_page));
    let scheme = r.scheme(page);
    let d_model = r.d_model(page);
    let heads = r.heads(d_model, scheme, page);
    let scheme2d = r.scheme2d(d_model, heads, page);
    let layout = r.layout(d_model, scheme);
    let tokens = match r.word(Key::Tokens) {
        "char" => TokenKind::Char,
        _ => TokenKind::Word,
    };
    let seq_len = r.int(Key::SeqLen);
    let layers = r.int(Key::Layers);
    let sequence = r.sequence();
    let last_token = total_tokens(&sequence.blocks) - 1;
    let setting = Setting {
        d_model,
        heads,
        base: r.base(DEFAULT_BASE),
        max_rel_dist: r.int(Key::MaxRelDist),
        layout,
        pairing: match r.word(Key::Pairing) {
            "half" => Pairing::Half,
            _ => Pairing::Interleaved,
        },
        context: r.context(),
        causal: r.int(Key::Causal) == 1,
        seed: r.int(Key::Seed) as u32,
        bias: match r.word(Key::Bias) {
            "decay" => BiasStart::Decay,
            "zero" => BiasStart::Zero,
            _ => BiasStart::Random,
        },
        bias_edits: Vec::new(),
    };
    let setting = r.scaled(setting, scheme);
    let (grid, window) = (r.grid(Key::Grid), r.grid(Key::Window));
    // The last place of a traced position and of a traced pair.
    let (last, last_of_pair) = match page {
        Page::Multimodal => (grid.cells() - 1, window.cells() - 1),
        _ => (seq_len - 1, seq_len - 1),
    };
    let params = Params {
        page,
        embed,
        scheme,
        seq_len,
        pos: match requested.get(Key::Pos) {
            Some(_) => r.int(Key::Pos).min(last),
            // The middle of a grid shows all its neighbourhood.
            None if page == Page::Multimodal => {
                grid.rows() / 2 * grid.columns() + grid.columns() / 2
            }
            None => POS.min(last),
        },
        dim: r.int(Key::Dim).min(d_model - 1),
        i: r.int(Key::I).min(last_of_pair),
        j: r.int(Key::J).min(last_of_pair),
        shift: r.signed(Key::Shift),
        head: r.int(Key::Head).min(heads - 1),
        layer: r.int(Key::Layer).min(layers - 1),
        layers,
        pool: match r.word(Key::Pool) {
            "last" => Pool::Last,
            "none" => Pool::None,
            _ => Pool::Mean,
        },
        text_a: r.text(Key::TextA).to_owned(),
        text_b: r.text(Key::TextB).to_owned(),
        tokens_a: r.sentence(Key::TextA, tokens),
        tokens_b: r.sentence(Key::TextB, tokens),
        tokens,
        grid,
        patch: r.int(Key::Patch),
        scheme2d,
        window,
        trained: r.grid(Key::Trained),
        grid_base: match requested.get(Key::Base) {
            Some(Value::Real(base)) => *base,
            _ => GRID_BASE,
        },
        image: r.word(Key::Image),
        photo: None,
        sequence,
        q: r.int(Key::Q).min(last_token),
        k: r.int(Key::K).min(last_token),
        sound: Sound {
            seconds: r.int(Key::Seconds),
            rate: r.int(Key::Rate),
            bpm: r.int(Key::Bpm),
            recording: None,
        },
        lang: match r.word(Key::Lang) {
            "zh" => Some(Lang::Zh),
            "en" => Some(Lang::En),
            _ => None,
        },
        theme: match r.word(Key::Theme) {
            "light" => Theme::Light,
            "dark" => Theme::Dark,
            _ => Theme::Auto,
        },
        present: r.int(Key::Present) == 1,
        lock: r.names(Key::Lock),
        hide: r.names(Key::Hide),
        preset: requested.model().map(|m| m.id),
        rows: match requested.get(Key::Rows) {
            Some(Value::Rows(a, b)) => Some((*a, *b)),
            _ => None,
        },
        setting: Setting {
            bias_edits: r.edits(&setting, scheme),
            ..setting
        },
    };
    (params, r.notices)
}

/// [`resolve`], after reading an address: adds its notices to those of the reading, and says in
/// each of those what is used where the default depends on other values.
pub fn open(
    requested: &Requested,
    figure_page: impl Fn(&str) -> Option<Page>,
    notices: &mut Vec<Notice>,
) -> Params {
    let (params, more) = resolve(requested, figure_page);
    for n in notices.iter_mut().filter(|n| n.used.is_empty()) {
        if let Some(key) = Key::by_name(&n.name) {
            let used = params.number(key).map(number).or_else(|| params.word(key));
            n.used = used.unwrap_or_default();
        }
    }
    notices.extend(more);
    params
}

struct Resolver<'a> {
    requested: &'a Requested,
    notices: Vec<Notice>,
}

impl Resolver<'_> {
    fn notice(&mut self, code: &'static str, key: Key, given: &str, used: &str) {
        self.notices
            .push(Notice::new(code, key.name(), given, used));
    }

    fn signed(&self, key: Key) -> i64 {
        match self.requested.get(key) {
            Some(Value::Int(v)) => *v,
            _ => default_number(key) as i64,
        }
    }

    fn int(&self, key: Key) -> usize {
        self.signed(key).max(0) as usize
    }

    fn real(&self, key: Key) -> f64 {
        match self.requested.get(key) {
            Some(Value::Real(v)) => *v,
            _ => default_number(key),
        }
    }

    /// The base of frequencies, where it is not given `default`.
    fn base(&self, default: f64) -> f64 {
        match self.requested.get(Key::Base) {
            Some(Value::Real(v)) => *v,
            _ => default,
        }
    }

    fn sequence(&self) -> Sequence {
        Sequence {
            blocks: match self.requested.get(Key::Blocks) {
                Some(Value::Blocks(b)) => b.clone(),
                _ => read_blocks(DEFAULT_BLOCKS).0,
            },
            version: Version::by_id(self.word(Key::Mrope)).unwrap_or_default(),
            fps: self.real(Key::Fps),
            base: self.base(MROPE_BASE),
            bias: match self.requested.get(Key::ModBias) {
                Some(Value::ModBias(b)) => *b,
                _ => ModalityBias::default(),
            },
        }
    }

    fn word(&self, key: Key) -> &'static str {
        match (self.requested.get(key), key.spec().default) {
            (Some(Value::Word(w)), _) => w,
            (_, Preset::Word(w)) => w,
            _ => "",
        }
    }

    fn names(&self, key: Key) -> Vec<String> {
        match self.requested.get(key) {
            Some(Value::Names(n)) => n.clone(),
            _ => Vec::new(),
        }
    }

    fn embed(&mut self, figure_page: &impl Fn(&str) -> Option<Page>) -> Option<String> {
        let Some(Value::Text(id)) = self.requested.get(Key::Embed) else {
            return None;
        };
        if figure_page(id).is_none() {
            self.notice("unknown-figure", Key::Embed, id, "");
            return None;
        }
        Some(id.clone())
    }

    fn page(&mut self, of_embed: Option<Page>) -> Page {
        if let Some(page) = of_embed {
            return page;
        }
        let page = Page::by_id(self.word(Key::Page)).unwrap_or_default();
        if page.is_live() {
            return page;
        }
        self.notice("not-built", Key::Page, page.id(), Page::default().id());
        Page::default()
    }

    fn scheme(&mut self, page: Page) -> Scheme {
        let shown = page.schemes();
        let asked = self.word(Key::Scheme);
        let id = if asked.is_empty() || shown.contains(&asked) {
            Some(asked).filter(|a| !a.is_empty()).unwrap_or(shown[0])
        } else {
            self.notice("not-on-page", Key::Scheme, asked, shown[0]);
            shown[0]
        };
        Scheme::by_id(id).unwrap_or(crate::core::encoding::SCHEMES[0])
    }

    fn d_model(&mut self, page: Page) -> usize {
        let asked = match self.requested.get(Key::DModel) {
            Some(Value::Int(v)) => *v as u64,
            _ => page.default_d_model(),
        };
        let used = asked.min(page.max_d_model());
        if used != asked {
            let (given, used) = (asked.to_string(), used.to_string());
            self.notice("out-of-range", Key::DModel, &given, &used);
        }
        used as usize
    }

    fn heads(&mut self, d_model: usize, scheme: Scheme, page: Page) -> usize {
        let legal = legal_heads(d_model);
        let Some(Value::Int(asked)) = self.requested.get(Key::Heads) else {
            // Two axes share a head's pairs, if that can be had.
            let axial = page == Page::Multimodal && self.word(Key::Scheme2d) == "rope";
            let fits = |h: &usize| !axial || (d_model / h).is_multiple_of(4);
            return [4, 2, 1]
                .into_iter()
                .find(|h| legal.contains(h) && fits(h))
                .unwrap_or(1);
        };
        let asked = *asked as usize;
        // `min_by_key` keeps the first of equals: ties go down.
        let used = legal
            .into_iter()
            .min_by_key(|h| h.abs_diff(asked))
            .unwrap_or(1);
        let matters = scheme.parameters().contains(&"heads") || page == Page::Multimodal;
        if used != asked && matters {
            let (given, used) = (asked.to_string(), used.to_string());
            self.notice("not-a-divisor", Key::Heads, &given, &used);
        }
        used
    }

    /// The encoding of a grid that was asked for; the plain one where two axes cannot share the
    /// width.
    fn scheme2d(&mut self, d_model: usize, heads: usize, page: Page) -> Option<Scheme2d> {
        let asked = Scheme2d::by_id(self.word(Key::Scheme2d))?;
        let shared = match asked {
            Scheme2d::SinCos => d_model,
            Scheme2d::Rope => d_model / heads,
            _ => return Some(asked),
        };
        if shared.is_multiple_of(4) {
            return Some(asked);
        }
        if page == Page::Multimodal {
            let plain = Scheme2d::Flat.id();
            self.notice("undefined", Key::Scheme2d, asked.id(), plain);
        }
        Some(Scheme2d::Flat)
    }

    fn grid(&self, key: Key) -> Grid {
        let sides = match (self.requested.get(key), key.spec().default) {
            (Some(Value::Grid(rows, columns)), _) => Some((*rows, *columns)),
            (_, Preset::Word(w)) => w
                .split_once('x')
                .and_then(|(r, c)| Some((r.parse().ok()?, c.parse().ok()?))),
            _ => None,
        };
        let (rows, columns) = sides.unwrap_or((1, 1));
        Grid::of(rows, columns)
    }

    fn layout(&mut self, d_model: usize, scheme: Scheme) -> Layout {
        match self.word(Key::Layout) {
            "concatenated" => Layout::Concatenated,
            "t2t" if d_model == 2 => {
                if scheme.parameters().contains(&"layout") {
                    self.notice("undefined", Key::Layout, "t2t", "interleaved");
                }
                Layout::Interleaved
            }
            "t2t" => Layout::T2t,
            _ => Layout::Interleaved,
        }
    }

    fn context(&self) -> LongContext {
        LongContext {
            remedy: Remedy::by_id(self.word(Key::Scaling)).unwrap_or_default(),
            factor: self.real(Key::Factor),
            orig_len: self.int(Key::OrigLen),
            target_len: self.int(Key::TargetLen),
            beta_fast: self.real(Key::BetaFast),
            beta_slow: self.real(Key::BetaSlow),
            low_freq_factor: self.real(Key::LowFreqFactor),
            high_freq_factor: self.real(Key::HighFreqFactor),
        }
    }

    /// Makes the remedy one that the mathematics can take, with a notice where the scheme uses it.
    fn scaled(&mut self, setting: Setting, scheme: Scheme) -> Setting {
        if !scheme.parameters().contains(&"scaling") {
            return setting;
        }
        let mut context = setting.context;
        if context.remedy == Remedy::Yarn && context.beta_slow > context.beta_fast {
            // β_fast comes first in the address, so the other one gives way.
            let (given, used) = (number(context.beta_slow), number(context.beta_fast));
            self.notice("out-of-order", Key::BetaSlow, &given, &used);
            context.beta_slow = context.beta_fast;
        }
        let setting = Setting { context, ..setting };
        if Rope::of(&setting).is_err() {
            let (asked, plain) = (context.remedy, context.with(Remedy::None));
            self.notice("undefined", Key::Scaling, asked.id(), plain.remedy.id());
            return Setting {
                context: plain,
                ..setting
            };
        }
        if context.remedy == Remedy::LongRope {
            self.notice("toy-factors", Key::Scaling, context.remedy.id(), "");
        }
        setting
    }

    /// The tokens of a sentence: never none, never more than the limit.
    fn sentence(&mut self, key: Key, kind: TokenKind) -> Vec<String> {
        let default = self.word(key);
        let text = self.text(key).to_owned();
        let mut tokens = tokenize(&text, kind);
        if tokens.is_empty() {
            self.notice("empty", key, &text, default);
            tokens = tokenize(default, kind);
        }
        if tokens.len() > MAX_TOKENS {
            tokens.truncate(MAX_TOKENS);
            let joiner = if kind == TokenKind::Word { "/" } else { "" };
            self.notice("too-long", key, &text, &tokens.join(joiner));
        }
        tokens
    }

    fn text(&self, key: Key) -> &str {
        match self.requested.get(key) {
            Some(Value::Text(t)) => t,
            _ => self.word(key),
        }
    }

    fn edits(&mut self, setting: &Setting, scheme: Scheme) -> Vec<BiasEdit> {
        let Some(Value::Edits(edits)) = self.requested.get(Key::BiasEdits) else {
            return Vec::new();
        };
        let columns = match scheme.id() {
            "relative" => 2 * setting.max_rel_dist + 1,
            "t5" => 32,
            _ => return edits.clone(),
        };
        // Kept all the same: the table leaves them out, and a larger one takes them in again.
        let outside = |e: &&BiasEdit| e.head >= setting.heads || e.index >= columns;
        if let Some(e) = edits.iter().find(outside) {
            let given = format!("{}:{}:{}", e.head, e.index, number(e.value));
            self.notice("edit-outside", Key::BiasEdits, &given, "");
        }
        edits.clone()
    }
}

fn default_number(key: Key) -> f64 {
    match key.spec().default {
        Preset::Number(x) => x,
        _ => 0.0,
    }
}
