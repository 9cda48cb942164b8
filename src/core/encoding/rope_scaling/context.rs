//! The long-context parameters of the address.

use super::{LongRope, RopeScaling, YARN_BETAS, Yarn, YarnAttention, YarnRamp};

/// A remedy of the address.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Remedy {
    /// Plain RoPE.
    #[default]
    None,
    /// Position interpolation.
    Linear,
    /// NTK-aware.
    Ntk,
    /// NTK-aware, by the present length.
    Dynamic,
    /// YaRN.
    Yarn,
    /// Llama 3.1.
    Llama3,
    /// LongRoPE.
    LongRope,
}

impl Remedy {
    /// Every remedy, in the order of the address.
    pub const ALL: [Self; 7] = [
        Self::None,
        Self::Linear,
        Self::Ntk,
        Self::Dynamic,
        Self::Yarn,
        Self::Llama3,
        Self::LongRope,
    ];

    /// Public id.
    pub fn id(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Linear => "linear",
            Self::Ntk => "ntk",
            Self::Dynamic => "dynamic",
            Self::Yarn => "yarn",
            Self::Llama3 => "llama3",
            Self::LongRope => "longrope",
        }
    }

    /// The remedy with this id.
    pub fn by_id(id: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|r| r.id() == id)
    }
}

/// One set of parameters for every remedy, so that they can be compared. Lengths in positions.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LongContext {
    /// The remedy in force.
    pub remedy: Remedy,
    /// s.
    pub factor: f64,
    /// L: the length of the first training.
    pub orig_len: usize,
    /// L′: the length looked at; `dynamic` and `longrope` go by it.
    pub target_len: usize,
    /// Turns (yarn).
    pub beta_fast: f64,
    /// Turns (yarn).
    pub beta_slow: f64,
    /// Turns (llama3).
    pub low_freq_factor: f64,
    /// Turns (llama3).
    pub high_freq_factor: f64,
    /// Whether the ends of yarn's ramp are widened to whole pairs.
    pub truncate: bool,
    /// What multiplies cos and sin, in place of the factor of yarn or longrope.
    pub attention_factor: Option<f64>,
}

impl Default for LongContext {
    fn default() -> Self {
        Self {
            remedy: Remedy::None,
            factor: 4.0,
            orig_len: 2048,
            target_len: 8192,
            beta_fast: YARN_BETAS.0,
            beta_slow: YARN_BETAS.1,
            low_freq_factor: 1.0,
            high_freq_factor: 4.0,
            truncate: true,
            attention_factor: None,
        }
    }
}

impl LongContext {
    /// The same parameters under another remedy.
    pub fn with(self, remedy: Remedy) -> Self {
        Self { remedy, ..self }
    }

    /// What multiplies cos and sin: the factor given, else the remedy's own.
    pub fn attention(&self) -> f64 {
        match self.scaling(1) {
            RopeScaling::Yarn(y) => y.attention_factor(),
            RopeScaling::LongRope(l) => l.attention_factor(),
            _ => 1.0,
        }
    }

    /// The scaling of `pairs` pairs. `longrope` gets [`toy_long_factor`] and a short list of
    /// ones: an address holds no lists.
    pub fn scaling(&self, pairs: usize) -> RopeScaling {
        let (factor, orig_len) = (self.factor, self.orig_len);
        match self.remedy {
            Remedy::None => RopeScaling::None,
            Remedy::Linear => RopeScaling::Linear { factor },
            Remedy::Ntk => RopeScaling::Ntk { factor },
            Remedy::Dynamic => RopeScaling::Dynamic { factor, orig_len },
            Remedy::Yarn => RopeScaling::Yarn(Yarn {
                beta_fast: self.beta_fast,
                beta_slow: self.beta_slow,
                ramp: YarnRamp::Index {
                    truncate: self.truncate,
                },
                attention: self
                    .attention_factor
                    .map_or(YarnAttention::Default, YarnAttention::Explicit),
                ..Yarn::new(factor, orig_len)
            }),
            Remedy::Llama3 => RopeScaling::Llama3 {
                factor,
                low_freq_factor: self.low_freq_factor,
                high_freq_factor: self.high_freq_factor,
                orig_len,
            },
            Remedy::LongRope => RopeScaling::LongRope(LongRope {
                short_factor: vec![1.0; pairs],
                long_factor: toy_long_factor(pairs, factor),
                factor,
                orig_len,
                attention_factor: self.attention_factor,
            }),
        }
    }
}

/// A list made up for this lesson, *no published one*: 1 for the first pair, `factor` for the
/// last, smoothly between (1 + (s − 1)·t²(3 − 2t), t = i / (pairs − 1)). The lists of real models
/// were searched for on each model and follow from no formula; only the shape, little at the fast
/// pairs and more at the slow ones, is theirs too. A single pair gets `factor`.
pub fn toy_long_factor(pairs: usize, factor: f64) -> Vec<f64> {
    let last = pairs.saturating_sub(1);
    (0..pairs)
        .map(|i| {
            let t = if last == 0 {
                1.0
            } else {
                i as f64 / last as f64
            };
            1.0 + (factor - 1.0) * (t * t * (3.0 - 2.0 * t))
        })
        .collect()
}
