//! YaRN (Peng et al. 2023, arXiv 2309.00071): `_compute_yarn_parameters` of transformers.

use super::ramp::{Ramp, pair_of_rotations};
use crate::core::CoreError;
use crate::core::error::{at_least, in_order, positive};

/// β_fast and β_slow of the paper (there β and α), in turns.
pub const YARN_BETAS: (f64, f64) = (32.0, 1.0);

/// Along what the ramp is linear.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum YarnRamp {
    /// The pair's index, between the pairs that turn β_fast and β_slow times: transformers and
    /// the authors' code. As there the bounds are kept within 0 and rotary_dim − 1, so bounds
    /// that both lie outside the pairs can turn the ramp round.
    Index {
        /// Whether the bounds are widened to whole pairs first.
        truncate: bool,
    },
    /// The number of turns within the original length: eq. 18 of the paper.
    Rotations,
}

/// Where the attention factor comes from.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum YarnAttention {
    /// 0.1 · ln s + 1, as in the paper.
    Default,
    /// This number.
    Explicit(f64),
    /// The ratio of 0.1 · m · ln s + 1 for m = `mscale` and for m = `mscale_all_dim`: the reading
    /// of transformers. DeepSeek's own code also multiplies the softmax scale, see
    /// [`Yarn::softmax_factor`].
    Mscale {
        /// m of the numerator.
        mscale: f64,
        /// m of the denominator.
        mscale_all_dim: f64,
    },
}

/// Parameters of YaRN.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Yarn {
    /// s, at least 1.
    pub factor: f64,
    /// L, positions.
    pub orig_len: usize,
    /// Pairs with more turns than this within L are kept.
    pub beta_fast: f64,
    /// Pairs with fewer turns than this are interpolated fully; at most `beta_fast`.
    pub beta_slow: f64,
    /// Along what the ramp is linear.
    pub ramp: YarnRamp,
    /// Where the attention factor comes from.
    pub attention: YarnAttention,
}

impl Yarn {
    /// The paper's β, the ramp of transformers over whole pairs, the paper's attention factor.
    pub fn new(factor: f64, orig_len: usize) -> Self {
        let (beta_fast, beta_slow) = YARN_BETAS;
        Self {
            factor,
            orig_len,
            beta_fast,
            beta_slow,
            ramp: YarnRamp::Index { truncate: true },
            attention: YarnAttention::Default,
        }
    }

    fn check(&self, base: f64) -> Result<(), CoreError> {
        at_least("factor", self.factor, 1.0)?;
        at_least("orig_len", self.orig_len as f64, 1.0)?;
        positive("beta_fast", self.beta_fast)?;
        positive("beta_slow", self.beta_slow)?;
        let strict = self.ramp == YarnRamp::Rotations;
        let (slow, fast) = (self.beta_slow, self.beta_fast);
        in_order(("beta_slow", slow), ("beta_fast", fast), strict)?;
        match self.attention {
            YarnAttention::Default => {}
            YarnAttention::Explicit(a) => positive("attention_factor", a)?,
            YarnAttention::Mscale {
                mscale,
                mscale_all_dim,
            } => {
                positive("mscale", mscale)?;
                positive("mscale_all_dim", mscale_all_dim)?;
            }
        }
        // The pair with a given number of turns is found with 1 / ln base.
        if base > 1.0 {
            return Ok(());
        }
        Err(CoreError::OutOfRange {
            name: "base",
            given: base,
            allowed: "above 1 for yarn",
        })
    }

    pub(super) fn ramp(
        &self,
        rotary_dim: usize,
        base: f64,
        plain: &[f64],
    ) -> Result<Ramp, CoreError> {
        self.check(base)?;
        let truncate = match self.ramp {
            YarnRamp::Index { truncate } => truncate,
            YarnRamp::Rotations => {
                let bounds = (self.beta_slow, self.beta_fast);
                let length = self.orig_len;
                return Ok(Ramp::over_rotations(
                    rotary_dim, base, plain, length, bounds,
                ));
            }
        };
        let at = |turns| pair_of_rotations(turns, rotary_dim, base, self.orig_len);
        let (mut low, mut high) = (at(self.beta_fast), at(self.beta_slow));
        if truncate {
            (low, high) = (low.floor(), high.ceil());
        }
        (low, high) = (low.max(0.0), high.min((rotary_dim - 1) as f64));
        // A step of no width is given this one.
        let width = if low == high { 0.001 } else { high - low };
        let share = |i| ((i as f64 - low) / width).clamp(0.0, 1.0);
        Ok(Ramp {
            low,
            high,
            interpolated: (0..plain.len()).map(share).collect(),
        })
    }

    /// 0.1 · m · ln s + 1.
    fn mscale(&self, m: f64) -> f64 {
        mscale(self.factor, m)
    }

    /// What multiplies cos and sin.
    pub fn attention_factor(&self) -> f64 {
        match self.attention {
            YarnAttention::Default => self.mscale(1.0),
            YarnAttention::Explicit(a) => a,
            YarnAttention::Mscale {
                mscale,
                mscale_all_dim,
            } => self.mscale(mscale) / self.mscale(mscale_all_dim),
        }
    }

    /// What DeepSeek's code multiplies the softmax scale by besides, `mscale(mscale_all_dim)²`: a
    /// core that takes only the attention factor, which is 1 when both are equal, loses it.
    /// 1 for models without `mscale_all_dim`.
    pub fn softmax_factor(&self) -> f64 {
        match self.attention {
            YarnAttention::Mscale { mscale_all_dim, .. } => {
                deepseek_softmax_factor(self.factor, mscale_all_dim)
            }
            _ => 1.0,
        }
    }
}

/// 0.1 · m · ln s + 1.
fn mscale(factor: f64, m: f64) -> f64 {
    0.1 * m * factor.ln() + 1.0
}

/// What DeepSeek's attention multiplies the softmax scale by: (0.1 · m · ln s + 1)² with
/// m = `mscale_all_dim` (deepseek-ai/DeepSeek-V3 `inference/model.py`, and `DeepseekV3Attention`
/// of transformers). It does not go by the attention factor, which may be given besides.
pub fn deepseek_softmax_factor(factor: f64, mscale_all_dim: f64) -> f64 {
    mscale(factor, mscale_all_dim).powi(2)
}
