//! [`Params`]: everything the page needs, legal in combination.

use super::blocks::{blocks_text, mod_bias_text};
use super::key::Key;
use super::page::Page;
use super::photo::Photo;
use super::sequence::{Sequence, Sound};
use super::value::sections_text;
use crate::core::encoding::relative::BiasStart;
use crate::core::encoding::rope::Pairing;
use crate::core::encoding::rope_scaling::Remedy;
use crate::core::encoding::sinusoidal::Layout;
use crate::core::encoding::{Scheme, Setting};
use crate::core::grid::Grid;
use crate::core::grid::scheme::Scheme2d;
use crate::core::tokens::TokenKind;
use crate::core::toy::Pool;

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
    /// The stage of an attention head that is looked at, from 0.
    pub step: usize,
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
    /// How far a film is on its way from the traced place to the next, 0..1; nothing that is asked for.
    pub between: f64,
    /// The language asked for; `None` leaves it to the browser.
    pub lang: Option<Lang>,
    /// Light or dark.
    pub theme: Theme,
    /// Whether the presentation view is asked for.
    pub present: bool,
    /// Whether a figure in a frame keeps to the frame's height, and what does not fit scrolls beside the drawing.
    pub fits_window: bool,
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
            Key::BetaFast | Key::BetaSlow | Key::Truncate => remedy == Remedy::Yarn,
            Key::AttentionFactor => [Remedy::Yarn, Remedy::LongRope].contains(&remedy),
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
            Key::Truncate => f64::from(u8::from(s.context.truncate)),
            Key::AttentionFactor => s.context.attention(),
            Key::Head => self.head as f64,
            Key::Layer => self.layer as f64,
            Key::Step => self.step as f64,
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
            Key::Fit if self.fits_window => "window",
            Key::Fit => "content",
            Key::Scheme2d => self.scheme2d?.id(),
            Key::Image => self.image,
            Key::Grid => return Some(sides(self.grid)),
            Key::Window => return Some(sides(self.window)),
            Key::Trained => return Some(sides(self.trained)),
            Key::Lang => self.lang?.id(),
            Key::Mrope => self.sequence.version.id(),
            Key::Sections => {
                let sections = self.sequence.sections(s.head_dim() / 2);
                return Some(sections_text(sections.sizes));
            }
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
