//! The words in which a scheme tells its facts.

use std::ops::Range;

use crate::core::Matrix;

/// What a lesson on encodings would call a scheme.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Topic {
    /// Doing without.
    Nothing,
    /// A vector for each position.
    Absolute,
    /// Something for each offset, in the scores.
    Relative,
    /// A rotation of queries and keys.
    Rotary,
}

/// What a scheme may depend on; each is a field of [`super::Setting`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(
    missing_docs,
    reason = "each is the field of `Setting` or `LongContext` with its name"
)]
pub enum Parameter {
    DModel,
    Heads,
    Base,
    MaxRelDist,
    Layout,
    Pairing,
    Causal,
    Seed,
    Bias,
    BiasEdits,
    Scaling,
    Factor,
    OrigLen,
    TargetLen,
    BetaFast,
    BetaSlow,
    LowFreqFactor,
    HighFreqFactor,
    Truncate,
    AttentionFactor,
}

/// A list of what names parameters: some of its own, then all that the scaling of RoPE depends on
/// beside the width of a head and the base.
macro_rules! and_scaling {
    ($of:ident: $($own:ident),*) => {
        &[
            $($of::$own,)*
            $of::Scaling,
            $of::Factor,
            $of::OrigLen,
            $of::TargetLen,
            $of::BetaFast,
            $of::BetaSlow,
            $of::LowFreqFactor,
            $of::HighFreqFactor,
            $of::Truncate,
            $of::AttentionFactor,
        ]
    };
}
pub(crate) use and_scaling;

/// What one learned number, or one step of work, serves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Scope {
    /// The whole model: it is there once, before the first layer.
    Model,
    /// All layers of a stack (encoder or decoder), which share it.
    Stack,
    /// One layer; the next has its own.
    Layer,
}

impl Scope {
    /// The part of a key that stands for it.
    pub fn id(self) -> &'static str {
        match self {
            Self::Model => "model",
            Self::Stack => "stack",
            Self::Layer => "layer",
        }
    }
}

/// Numbers that training learns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Learned {
    /// How many, all heads together.
    pub numbers: usize,
    /// What they serve.
    pub scope: Scope,
}

impl Learned {
    /// So many numbers, all heads together.
    pub const fn new(numbers: usize, scope: Scope) -> Self {
        Self { numbers, scope }
    }
}

/// Multiplications and additions that a scheme adds to a forward pass.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cost {
    /// How many, all heads together.
    pub operations: usize,
    /// How often.
    pub scope: Scope,
}

impl Cost {
    /// So many operations, all heads together.
    pub const fn new(operations: usize, scope: Scope) -> Self {
        Self { operations, scope }
    }

    /// An addition to each score of each head, in every layer.
    pub const fn of_biases(heads: usize, n: usize) -> Self {
        Self::new(heads * n * n, Scope::Layer)
    }
}

/// What a number means that a scheme makes of two positions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Unit {
    /// A cosine between vectors that differ in position alone (for a rotation that scales, times
    /// what the scale makes of it).
    Cosine,
    /// Added to the scaled score.
    Added,
    /// Added to the scaled score, for one query of all.
    AddedForQuery,
}

/// What a scheme makes of a query at i and a key at j.
#[derive(Debug, Clone, PartialEq)]
pub enum Effect {
    /// Nothing.
    Nothing,
    /// A function of the offset i − j alone, `[2n − 1]` from −(n − 1) to n − 1.
    ByOffset(Unit, Vec<f64>),
    /// Every pair has its own, `[n, n]` (query, key).
    ByPair(Unit, Matrix),
}

/// What holds where training has not been.
#[derive(Debug, Clone, PartialEq)]
pub enum Beyond {
    /// Nothing is said of position, there as here.
    Nothing,
    /// There is no vector.
    Missing,
    /// All distances from `from` on share what the last one has.
    Shared {
        /// The first distance that shares.
        from: usize,
    },
    /// A formula of angles goes on; these are its frequencies in radians a position.
    Angles(Vec<f64>),
    /// A formula of the distance goes on.
    Formula,
}

/// The vectors that an additive scheme gives to positions.
pub trait Vectors: Send + Sync {
    /// One number.
    fn value(&self, pos: usize, dim: usize) -> f64;
    /// A round number that hardly any value exceeds in size, for a scale of colours.
    fn limit(&self) -> f64;
    /// For vectors of sines and cosines: their frequencies. The cosine of two positions is then a
    /// function of their distance alone.
    fn frequencies(&self) -> Option<&[f64]> {
        None
    }
    /// Of a dimension that is a sine or cosine: its angular frequency in radians a position.
    fn frequency(&self, _dim: usize) -> Option<f64> {
        None
    }
    /// The mean of a dimension over `count` positions from `from` on.
    fn mean(&self, from: usize, count: usize, dim: usize) -> f64 {
        let sum: f64 = (from..from + count).map(|pos| self.value(pos, dim)).sum();
        sum / count.max(1) as f64
    }
    /// The means of `dims` over one block of positions after another, written into `out`: the first
    /// begins at position 0. What turns faster than `fastest` radians a position counts as 0.
    fn block_means(&self, dims: Range<usize>, block: usize, fastest: f64, out: &mut [f64]) {
        let count = dims.len() as f64;
        let slow = |dim: &usize| self.frequency(*dim).is_none_or(|w| w <= fastest);
        for (k, out) in out.iter_mut().enumerate() {
            let all = dims.clone().filter(slow);
            let sum: f64 = all.map(|dim| self.mean(k * block, block, dim)).sum();
            *out = sum / count;
        }
    }
}

/// Rows drawn from N(0, 1) or learned: three deviations.
impl Vectors for Matrix {
    fn value(&self, pos: usize, dim: usize) -> f64 {
        self[(pos, dim)]
    }
    fn limit(&self) -> f64 {
        3.0
    }
}
