//! The one table of parameters: address, sliders, clamping and property tests all read it.

use super::blocks::DEFAULT_BLOCKS;
use super::key::Key;
use super::page::Page;
use crate::core::encoding::SCHEME_IDS;
use crate::core::grid::scheme::Scheme2d;
use crate::core::mrope::Version;

/// What a parameter's value can be.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Kind {
    /// A whole number.
    Int {
        /// Smallest.
        min: i64,
        /// Largest.
        max: i64,
        /// 2 if only even numbers are legal, else 1.
        step: i64,
    },
    /// A whole number that is clamped without a word: a place in an array.
    Place,
    /// A real number.
    Real {
        /// Smallest.
        min: f64,
        /// Largest.
        max: f64,
    },
    /// One of these words.
    Words(&'static [&'static str]),
    /// 0 or 1.
    Flag,
    /// Rows x columns, each from 1.
    Grid {
        /// The largest of each.
        max: usize,
    },
    /// A sentence; not empty.
    Text,
    /// The id of a figure.
    Figure,
    /// Comma-separated names.
    Names,
    /// `head:index:value,…`.
    Edits,
    /// `text:n,image:hxw,video:txhxw,audio:n`.
    Blocks,
    /// `query:key:value,…`, query and key each a modality.
    ModBias,
    /// Three whole numbers, comma-separated.
    Sections,
    /// `a-b`, both included.
    Rows,
}

/// What is used where nothing is given.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Start {
    /// This number.
    Number(f64),
    /// This word or sentence.
    Word(&'static str),
    /// It depends on other values, or there is none: given values are always kept.
    Depends,
}

/// One row of the table.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Spec {
    /// The parameter.
    pub key: Key,
    /// Its public name.
    pub name: &'static str,
    /// Its legal values.
    pub kind: Kind,
    /// Its default.
    pub default: Start,
}

const fn row(key: Key, name: &'static str, kind: Kind, default: Start) -> Spec {
    Spec {
        key,
        name,
        kind,
        default,
    }
}

const fn int(key: Key, name: &'static str, min: i64, max: i64, default: i64) -> Spec {
    let kind = Kind::Int { min, max, step: 1 };
    row(key, name, kind, Start::Number(default as f64))
}

const fn real(key: Key, name: &'static str, min: f64, max: f64, default: f64) -> Spec {
    row(key, name, Kind::Real { min, max }, Start::Number(default))
}

const fn place(key: Key, name: &'static str, default: i64) -> Spec {
    row(key, name, Kind::Place, Start::Number(default as f64))
}

/// Words; the first is the default.
const fn words(key: Key, name: &'static str, words: &'static [&'static str]) -> Spec {
    row(key, name, Kind::Words(words), Start::Word(words[0]))
}

const fn grid(key: Key, name: &'static str, max: usize, default: &'static str) -> Spec {
    row(key, name, Kind::Grid { max }, Start::Word(default))
}

const fn flag(key: Key, name: &'static str) -> Spec {
    row(key, name, Kind::Flag, Start::Number(0.0))
}

/// Every parameter, in the order in which the address is written.
pub const SPECS: &[Spec] = &[
    words(Key::V, "v", &["1"]),
    row(Key::Page, "page", Kind::Words(Page::IDS), Start::Depends),
    row(Key::Embed, "embed", Kind::Figure, Start::Depends),
    row(
        Key::Scheme,
        "scheme",
        Kind::Words(SCHEME_IDS),
        Start::Depends,
    ),
    row(
        Key::DModel,
        "d_model",
        Kind::Int {
            min: 2,
            max: 4096,
            step: 2,
        },
        Start::Depends,
    ),
    int(Key::SeqLen, "seq_len", 1, 8192, 64),
    row(
        Key::Base,
        "base",
        Kind::Real {
            min: 1.0001,
            max: 1e9,
        },
        Start::Depends,
    ),
    int(Key::MaxRelDist, "max_rel_dist", 1, 4096, 16),
    row(
        Key::Heads,
        "heads",
        Kind::Int {
            min: 1,
            max: 64,
            step: 1,
        },
        Start::Depends,
    ),
    row(Key::Pos, "pos", Kind::Place, Start::Depends),
    place(Key::Dim, "dim", 4),
    place(Key::I, "i", 3),
    place(Key::J, "j", 1),
    int(Key::Shift, "shift", -8191, 8191, 1),
    place(Key::Head, "head", 0),
    place(Key::Layer, "layer", 0),
    place(Key::Step, "step", 0),
    words(Key::Bias, "bias", &["random", "decay", "zero"]),
    row(Key::BiasEdits, "bias_edits", Kind::Edits, Start::Depends),
    words(
        Key::Layout,
        "layout",
        &["interleaved", "concatenated", "t2t"],
    ),
    words(Key::Pairing, "pairing", &["interleaved", "half"]),
    words(
        Key::Scaling,
        "scaling",
        &[
            "none", "linear", "ntk", "dynamic", "yarn", "llama3", "longrope",
        ],
    ),
    real(Key::Factor, "factor", 1.0, 128.0, 4.0),
    int(Key::OrigLen, "orig_len", 16, 1 << 20, 2048),
    int(Key::TargetLen, "target_len", 16, 1 << 24, 8192),
    real(Key::BetaFast, "beta_fast", 0.001, 1e6, 32.0),
    real(Key::BetaSlow, "beta_slow", 0.001, 1e6, 1.0),
    real(Key::LowFreqFactor, "low_freq_factor", 0.001, 1e6, 1.0),
    real(Key::HighFreqFactor, "high_freq_factor", 0.001, 1e6, 4.0),
    row(Key::Truncate, "truncate", Kind::Flag, Start::Number(1.0)),
    row(
        Key::AttentionFactor,
        "attention_factor",
        Kind::Real {
            min: 0.001,
            max: 1000.0,
        },
        Start::Depends,
    ),
    row(
        Key::Preset,
        "preset",
        Kind::Words(super::preset::IDS),
        Start::Depends,
    ),
    flag(Key::Causal, "causal"),
    int(Key::Layers, "layers", 1, 4, 1),
    words(Key::Pool, "pool", &["mean", "last", "none"]),
    row(Key::TextA, "text_a", Kind::Text, Start::Word("我爱中国")),
    row(Key::TextB, "text_b", Kind::Text, Start::Word("中国爱我")),
    words(Key::Tokens, "tokens", &["word", "char"]),
    grid(Key::Grid, "grid", 64, "14x14"),
    int(Key::Patch, "patch", 1, 64, 16),
    row(
        Key::Scheme2d,
        "scheme2d",
        Kind::Words(Scheme2d::IDS),
        Start::Depends,
    ),
    grid(Key::Window, "window", 16, "7x7"),
    grid(Key::Trained, "trained", 64, "7x7"),
    words(Key::Image, "image", &["hills", "cat", "rings"]),
    row(
        Key::Blocks,
        "blocks",
        Kind::Blocks,
        Start::Word(DEFAULT_BLOCKS),
    ),
    words(Key::Mrope, "mrope", Version::IDS),
    row(Key::Sections, "sections", Kind::Sections, Start::Depends),
    real(Key::Fps, "fps", 0.01, 240.0, 2.0),
    row(Key::ModBias, "mod_bias", Kind::ModBias, Start::Depends),
    place(Key::Q, "q", 20),
    place(Key::K, "k", 8),
    int(Key::Seconds, "seconds", 1, 7200, 60),
    int(Key::Rate, "rate", 1, 200, 50),
    int(Key::Bpm, "bpm", 30, 240, 120),
    int(Key::Seed, "seed", 0, u32::MAX as i64, 42),
    row(
        Key::Lang,
        "lang",
        Kind::Words(&["zh", "en"]),
        Start::Depends,
    ),
    words(Key::Theme, "theme", &["auto", "light", "dark"]),
    flag(Key::Present, "present"),
    words(Key::Fit, "fit", &["content", "window"]),
    row(Key::Lock, "lock", Kind::Names, Start::Depends),
    row(Key::Hide, "hide", Kind::Names, Start::Depends),
    row(Key::Rows, "rows", Kind::Rows, Start::Depends),
];

impl Key {
    /// The parameter's row.
    pub fn spec(self) -> &'static Spec {
        &SPECS[self as usize]
    }

    /// The parameter's public name.
    pub fn name(self) -> &'static str {
        self.spec().name
    }

    /// The parameter with this name.
    pub fn by_name(name: &str) -> Option<Self> {
        SPECS.iter().find(|s| s.name == name).map(|s| s.key)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_in_the_order_of_the_keys() {
        for (at, spec) in SPECS.iter().enumerate() {
            assert_eq!(spec.key as usize, at, "{}", spec.name);
            assert_eq!(Key::by_name(spec.name), Some(spec.key));
        }
    }
}
