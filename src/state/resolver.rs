//! How one parameter is made legal in combination with those before it; see [`super::resolve()`] for the
//! order.

use super::blocks::{DEFAULT_BLOCKS, read_blocks};
use super::key::Key;
use super::notice::Notice;
use super::page::Page;
use super::query::Requested;
use super::sequence::Sequence;
use super::spec::Start;
use super::text::number;
use super::value::{Value, sections_text};
use crate::core::encoding::relative::BiasEdit;
use crate::core::encoding::rope::Rope;
use crate::core::encoding::rope_scaling::{LongContext, Remedy};
use crate::core::encoding::sinusoidal::Layout;
use crate::core::encoding::{Parameter, SCHEMES, Scheme, Setting};
use crate::core::grid::Grid;
use crate::core::grid::scheme::Scheme2d;
use crate::core::mrope::{ModalityBias, Sections, Version};
use crate::core::tokens::{MAX_TOKENS, TokenKind, tokenize};
/// Base of the frequencies of M-RoPE where none is given: that of the Qwen models.
const MROPE_BASE: f64 = 1e6;

/// Numbers of heads that divide `d_model` into heads of even width, 1 to 64, in order.
pub fn legal_heads(d_model: usize) -> Vec<usize> {
    (1..=64.min(d_model))
        .filter(|h| d_model.is_multiple_of(*h) && (d_model / h).is_multiple_of(2))
        .collect()
}

/// Reads what is asked for, value by value, and collects what could not be taken.
pub(super) struct Resolver<'a> {
    pub(super) requested: &'a Requested,
    pub(super) notices: Vec<Notice>,
}

impl Resolver<'_> {
    pub(super) fn notice(&mut self, code: &'static str, key: Key, given: &str, used: &str) {
        self.notices
            .push(Notice::new(code, key.name(), given, used));
    }

    pub(super) fn signed(&self, key: Key) -> i64 {
        match self.requested.get(key) {
            Some(Value::Int(v)) => *v,
            _ => default_number(key) as i64,
        }
    }

    pub(super) fn int(&self, key: Key) -> usize {
        self.signed(key).max(0) as usize
    }

    pub(super) fn real(&self, key: Key) -> f64 {
        match self.requested.get(key) {
            Some(Value::Real(v)) => *v,
            _ => default_number(key),
        }
    }

    /// The base of frequencies, where it is not given `default`.
    pub(super) fn base(&self, default: f64) -> f64 {
        match self.requested.get(Key::Base) {
            Some(Value::Real(v)) => *v,
            _ => default,
        }
    }

    pub(super) fn sequence(&mut self, head_dim: usize, page: Page) -> Sequence {
        Sequence {
            blocks: match self.requested.get(Key::Blocks) {
                Some(Value::Blocks(b)) => b.clone(),
                _ => read_blocks(DEFAULT_BLOCKS).0,
            },
            version: Version::by_id(self.word(Key::Mrope)).unwrap_or_default(),
            fps: self.real(Key::Fps),
            base: self.base(MROPE_BASE),
            sections: self.sections(head_dim / 2, page),
            bias: match self.requested.get(Key::ModBias) {
                Some(Value::ModBias(b)) => *b,
                _ => ModalityBias::default(),
            },
        }
    }

    /// Sections that were asked for, if they fit the pairs of a head.
    pub(super) fn sections(&mut self, pairs: usize, page: Page) -> Option<[usize; 3]> {
        let Some(Value::Sections(sizes)) = self.requested.get(Key::Sections) else {
            return None;
        };
        let sizes = *sizes;
        if sizes.iter().sum::<usize>() == pairs {
            return Some(sizes);
        }
        if page == Page::Multimodal {
            let version = Version::by_id(self.word(Key::Mrope)).unwrap_or_default();
            let used = Sections::of(version, pairs).sizes;
            let (given, used) = (sections_text(sizes), sections_text(used));
            self.notice("sections-sum", Key::Sections, &given, &used);
        }
        None
    }

    pub(super) fn word(&self, key: Key) -> &'static str {
        match (self.requested.get(key), key.spec().default) {
            (Some(Value::Word(w)), _) => w,
            (_, Start::Word(w)) => w,
            _ => "",
        }
    }

    pub(super) fn names(&self, key: Key) -> Vec<String> {
        match self.requested.get(key) {
            Some(Value::Names(n)) => n.clone(),
            _ => Vec::new(),
        }
    }

    pub(super) fn embed(&mut self, figure_page: &impl Fn(&str) -> Option<Page>) -> Option<String> {
        let Some(Value::Text(id)) = self.requested.get(Key::Embed) else {
            return None;
        };
        if figure_page(id).is_none() {
            self.notice("unknown-figure", Key::Embed, id, "");
            return None;
        }
        Some(id.clone())
    }

    pub(super) fn page(&mut self, of_embed: Option<Page>) -> Page {
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

    pub(super) fn scheme(&mut self, page: Page) -> Scheme {
        let asked = self.word(Key::Scheme);
        if let Some(scheme) = page.schemes().find(|s| s.id() == asked) {
            return scheme;
        }
        let used = page.schemes().next().unwrap_or(SCHEMES[0]);
        if !asked.is_empty() {
            self.notice("not-on-page", Key::Scheme, asked, used.id());
        }
        used
    }

    pub(super) fn d_model(&mut self, page: Page) -> usize {
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

    pub(super) fn heads(&mut self, d_model: usize, scheme: Scheme, page: Page) -> usize {
        let legal = legal_heads(d_model);
        let Some(Value::Int(asked)) = self.requested.get(Key::Heads) else {
            // Two axes share a head's pairs, if that can be had.
            let of_grid = Scheme2d::by_id(self.word(Key::Scheme2d));
            let axial = page == Page::Multimodal && of_grid == Some(Scheme2d::Rope);
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
        let matters = scheme.parameters().contains(&Parameter::Heads) || page == Page::Multimodal;
        if used != asked && matters {
            let (given, used) = (asked.to_string(), used.to_string());
            self.notice("not-a-divisor", Key::Heads, &given, &used);
        }
        used
    }

    /// The encoding of a grid that was asked for; the plain one where two axes cannot share the
    /// width.
    pub(super) fn scheme2d(
        &mut self,
        d_model: usize,
        heads: usize,
        page: Page,
    ) -> Option<Scheme2d> {
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

    pub(super) fn grid(&self, key: Key) -> Grid {
        let sides = match (self.requested.get(key), key.spec().default) {
            (Some(Value::Grid(rows, columns)), _) => Some((*rows, *columns)),
            (_, Start::Word(w)) => w
                .split_once('x')
                .and_then(|(r, c)| Some((r.parse().ok()?, c.parse().ok()?))),
            _ => None,
        };
        let (rows, columns) = sides.unwrap_or((1, 1));
        Grid::of(rows, columns)
    }

    pub(super) fn layout(&mut self, d_model: usize, scheme: Scheme) -> Layout {
        match self.word(Key::Layout) {
            "concatenated" => Layout::Concatenated,
            "t2t" if d_model == 2 => {
                if scheme.parameters().contains(&Parameter::Layout) {
                    self.notice("undefined", Key::Layout, "t2t", "interleaved");
                }
                Layout::Interleaved
            }
            "t2t" => Layout::T2t,
            _ => Layout::Interleaved,
        }
    }

    pub(super) fn context(&self) -> LongContext {
        LongContext {
            remedy: Remedy::by_id(self.word(Key::Scaling)).unwrap_or_default(),
            factor: self.real(Key::Factor),
            orig_len: self.int(Key::OrigLen),
            target_len: self.int(Key::TargetLen),
            beta_fast: self.real(Key::BetaFast),
            beta_slow: self.real(Key::BetaSlow),
            low_freq_factor: self.real(Key::LowFreqFactor),
            high_freq_factor: self.real(Key::HighFreqFactor),
            truncate: self.signed(Key::Truncate) != 0,
            attention_factor: match self.requested.get(Key::AttentionFactor) {
                Some(Value::Real(v)) => Some(*v),
                _ => None,
            },
        }
    }

    /// Makes the remedy one that the mathematics can take, with a notice where it is shown.
    pub(super) fn scaled(&mut self, setting: Setting, scheme: Scheme, page: Page) -> Setting {
        // Figures of all schemes at once scale, whatever scheme is chosen.
        let told = page == Page::Compare || scheme.parameters().contains(&Parameter::Scaling);
        let mut context = setting.context;
        if context.remedy == Remedy::Yarn && context.beta_slow > context.beta_fast {
            // β_fast comes first in the address, so the other one gives way.
            let (given, used) = (number(context.beta_slow), number(context.beta_fast));
            if told {
                self.notice("out-of-order", Key::BetaSlow, &given, &used);
            }
            context.beta_slow = context.beta_fast;
        }
        if context.remedy == Remedy::Llama3 && context.low_freq_factor > context.high_freq_factor {
            let (given, used) = (
                number(context.low_freq_factor),
                number(context.high_freq_factor),
            );
            // Equal bounds are a step.
            if told {
                self.notice("out-of-order", Key::LowFreqFactor, &given, &used);
            }
            context.low_freq_factor = context.high_freq_factor;
        }
        let setting = Setting { context, ..setting };
        if Rope::of(&setting).is_err() {
            let (asked, plain) = (context.remedy, context.with(Remedy::None));
            if told {
                self.notice("undefined", Key::Scaling, asked.id(), plain.remedy.id());
            }
            return Setting {
                context: plain,
                ..setting
            };
        }
        if told && context.remedy == Remedy::LongRope {
            self.notice("toy-factors", Key::Scaling, context.remedy.id(), "");
        }
        setting
    }

    /// The tokens of a sentence: never none, never more than the limit.
    pub(super) fn sentence(&mut self, key: Key, kind: TokenKind) -> Vec<String> {
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

    pub(super) fn text(&self, key: Key) -> &str {
        match self.requested.get(key) {
            Some(Value::Text(t)) => t,
            _ => self.word(key),
        }
    }

    pub(super) fn edits(&mut self, setting: &Setting, scheme: Scheme) -> Vec<BiasEdit> {
        let Some(Value::Edits(edits)) = self.requested.get(Key::BiasEdits) else {
            return Vec::new();
        };
        if !scheme.parameters().contains(&Parameter::BiasEdits) {
            return edits.clone();
        }
        // Kept all the same: a larger table takes them in again.
        let outside = |e: &&BiasEdit| !scheme.takes(setting, e);
        if let Some(e) = edits.iter().find(outside) {
            let given = format!("{}:{}:{}", e.head, e.index, number(e.value));
            self.notice("edit-outside", Key::BiasEdits, &given, "");
        }
        edits.clone()
    }
}

fn default_number(key: Key) -> f64 {
    match key.spec().default {
        Start::Number(x) => x,
        _ => 0.0,
    }
}
