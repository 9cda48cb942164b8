//! What stretches RoPE beyond the length it was trained for.
//!
//! Every remedy multiplies the frequency of each pair by a ratio of its own, and some multiply
//! cos and sin by an attention factor. The reference is transformers' `modeling_rope_utils.py`
//! (`ROPE_INIT_FUNCTIONS`); where a paper says something else, the difference is noted.

mod cache;
mod config;
mod context;
mod longrope;
mod ramp;
mod yarn;

pub use cache::{RopeCache, StaleScores, stale_angles, stale_scores};
pub use config::RopeParameters;
pub use context::{LongContext, Remedy, toy_long_factor};
pub use longrope::LongRope;
pub use ramp::Ramp;
pub use yarn::{YARN_BETAS, Yarn, YarnAttention, YarnRamp, deepseek_softmax_factor};

use crate::core::CoreError;
use crate::core::analysis::{rotations, wavelength};
use crate::core::error::{at_least, even, in_order, positive, valid_base};

/// How the frequencies of RoPE are changed. Lengths are in positions.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum RopeScaling {
    /// Not at all (`_compute_default_rope_parameters`).
    #[default]
    None,
    /// Position interpolation (Chen et al. 2023, arXiv 2306.15595): every frequency ÷ `factor`
    /// (`_compute_linear_scaling_rope_parameters`).
    Linear {
        /// s, at least 1.
        factor: f64,
    },
    /// NTK-aware: base · s^(d/(d−2)), so pair i is divided by s^(2i/(d−2)): the first by 1, the
    /// last by s exactly. First posted by its author in a forum; in arXiv 2309.00071, section 3.1.
    Ntk {
        /// s, at least 1.
        factor: f64,
    },
    /// NTK-aware with an s that grows with the present length L′:
    /// `factor · L′/L − (factor − 1)` beyond L = `orig_len`, else 1
    /// (`_compute_dynamic_ntk_parameters`). The YaRN paper's own rule, max(1, L′/L), is the case
    /// `factor = 1`.
    Dynamic {
        /// At least 1.
        factor: f64,
        /// L: transformers' `max_position_embeddings`.
        orig_len: usize,
    },
    /// YaRN (Peng et al. 2023, arXiv 2309.00071).
    Yarn(Yarn),
    /// Llama 3.1 (`_compute_llama3_parameters`): pairs that turn fewer than `low_freq_factor`
    /// times within `orig_len` are divided by `factor`, those that turn more than
    /// `high_freq_factor` times are kept, between them it is blended linearly in the turns.
    Llama3 {
        /// At least 1.
        factor: f64,
        /// Turns; at most `high_freq_factor`. Equal bounds make a step.
        low_freq_factor: f64,
        /// Turns.
        high_freq_factor: f64,
        /// The length of the first training.
        orig_len: usize,
    },
    /// LongRoPE (Ding et al. 2024, arXiv 2402.13753).
    LongRope(LongRope),
    /// Only the first `part` of the pairs turn, with the frequencies of the whole head; the others
    /// stand still (`_compute_proportional_rope_parameters`). All are divided by `factor`.
    Proportional {
        /// Share of the pairs that turn, above 0 and at most 1.
        part: f64,
        /// At least 1.
        factor: f64,
    },
}

/// Frequencies after scaling.
#[derive(Debug, Clone, PartialEq)]
pub struct Frequencies {
    /// Scaled θ_i, radians a position, `[rotary_dim / 2]`.
    pub inv_freq: Vec<f64>,
    /// Scaled θ_i over plain θ_i, `[rotary_dim / 2]`.
    pub ratios: Vec<f64>,
    /// What multiplies cos *and* sin; scores get its square.
    pub attention_factor: f64,
}

/// One pair of dimensions before and after scaling.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PairProfile {
    /// θ without scaling, radians a position.
    pub plain: f64,
    /// θ with scaling, radians a position.
    pub scaled: f64,
    /// scaled / plain.
    pub ratio: f64,
    /// Positions per turn with scaling; infinite for a pair that stands still.
    pub wavelength: f64,
    /// Turns *without* scaling within the original length: a pair with fewer than 1 was never
    /// seen whole in training.
    pub rotations: f64,
}

/// `base^(−2i / rotary_dim)` for each pair: θ without scaling.
pub fn plain_frequencies(rotary_dim: usize, base: f64) -> Vec<f64> {
    (0..rotary_dim / 2)
        .map(|i| base.powf(-2.0 * i as f64 / rotary_dim as f64))
        .collect()
}

/// The base that NTK-aware scaling by `s` amounts to, `base · s^(d/(d−2))`.
///
/// # Errors
/// If `rotary_dim` is odd or below 4, `s` is below 1, or `base` is below 1.
pub fn ntk_base(rotary_dim: usize, base: f64, s: f64) -> Result<f64, CoreError> {
    valid_base(base)?;
    at_least("factor", s, 1.0)?;
    ntk_defined(rotary_dim)?;
    let d = rotary_dim as f64;
    Ok(base * s.powf(d / (d - 2.0)))
}

/// The exponent d/(d − 2) does not exist for two dimensions.
fn ntk_defined(rotary_dim: usize) -> Result<(), CoreError> {
    even("rotary_dim", rotary_dim)?;
    if rotary_dim > 2 {
        return Ok(());
    }
    Err(CoreError::OutOfRange {
        name: "rotary_dim",
        given: rotary_dim as f64,
        allowed: "more than 2 for NTK-aware scaling",
    })
}

/// s of dynamic NTK at the length `seq_len`; without a length as at `orig_len`.
pub fn dynamic_factor(factor: f64, orig_len: usize, seq_len: Option<usize>) -> f64 {
    let now = seq_len.unwrap_or(orig_len).max(orig_len);
    // Exactly 1 up to the original length, whatever the factor.
    1.0 + factor * ((now - orig_len) as f64 / orig_len as f64)
}

impl RopeScaling {
    /// The id of the address, or the reference's name for what the address does not offer.
    pub fn id(&self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Linear { .. } => "linear",
            Self::Ntk { .. } => "ntk",
            Self::Dynamic { .. } => "dynamic",
            Self::Yarn(_) => "yarn",
            Self::Llama3 { .. } => "llama3",
            Self::LongRope(_) => "longrope",
            Self::Proportional { .. } => "proportional",
        }
    }

    /// Frequencies of `rotary_dim` rotated dimensions when the sequence has `seq_len` tokens,
    /// which only `dynamic` and `longrope` ask for: without it as at the original length.
    ///
    /// # Errors
    /// If `rotary_dim` is odd or 0 (at 2 for `ntk` and `dynamic`), `base` is below 1 (at 1 for
    /// `yarn`), a factor is below 1, a list has not one factor a pair, a length is 0, bounds are
    /// in the wrong order, or something is not finite.
    pub fn at(
        &self,
        rotary_dim: usize,
        base: f64,
        seq_len: Option<usize>,
    ) -> Result<Frequencies, CoreError> {
        even("rotary_dim", rotary_dim)?;
        valid_base(base)?;
        let plain = plain_frequencies(rotary_dim, base);
        let ratios = self.ratios(rotary_dim, base, &plain, seq_len)?;
        let inv_freq: Vec<f64> = plain.iter().zip(&ratios).map(|(w, r)| w * r).collect();
        let attention_factor = match self {
            Self::Yarn(y) => y.attention_factor(),
            Self::LongRope(l) => l.attention_factor(),
            _ => 1.0,
        };
        if !inv_freq.iter().all(|w| w.is_finite()) {
            return Err(CoreError::OutOfRange {
                name: "base",
                given: base,
                allowed: "small enough for finite frequencies",
            });
        }
        Ok(Frequencies {
            inv_freq,
            ratios,
            attention_factor,
        })
    }

    fn ratios(
        &self,
        rotary_dim: usize,
        base: f64,
        plain: &[f64],
        seq_len: Option<usize>,
    ) -> Result<Vec<f64>, CoreError> {
        let pairs = plain.len();
        Ok(match self {
            Self::None => vec![1.0; pairs],
            Self::Linear { factor } => {
                at_least("factor", *factor, 1.0)?;
                vec![1.0 / factor; pairs]
            }
            Self::Ntk { factor } => {
                at_least("factor", *factor, 1.0)?;
                ntk_ratios(rotary_dim, *factor)?
            }
            Self::Dynamic { factor, orig_len } => {
                at_least("factor", *factor, 1.0)?;
                at_least("orig_len", *orig_len as f64, 1.0)?;
                ntk_ratios(rotary_dim, dynamic_factor(*factor, *orig_len, seq_len))?
            }
            Self::Yarn(y) => {
                let ramp = y.ramp(rotary_dim, base, plain)?;
                ramp.ratios(y.factor)
            }
            Self::Llama3 { factor, .. } => {
                at_least("factor", *factor, 1.0)?;
                let ramp = self.ramp(rotary_dim, base)?;
                ramp.map_or_else(Vec::new, |r| r.ratios(*factor))
            }
            Self::LongRope(l) => l.ratios(pairs, seq_len)?,
            Self::Proportional { part, factor } => {
                at_least("factor", *factor, 1.0)?;
                positive("partial_rotary_factor", *part)?;
                if *part > 1.0 {
                    return Err(CoreError::OutOfRange {
                        name: "partial_rotary_factor",
                        given: *part,
                        allowed: "at most 1",
                    });
                }
                let turning = (part * rotary_dim as f64 / 2.0) as usize;
                let ratio = |i| if i < turning { 1.0 / factor } else { 0.0 };
                (0..pairs).map(ratio).collect()
            }
        })
    }

    /// Which share of each pair is interpolated, for the remedies that go by a ramp.
    ///
    /// # Errors
    /// As [`Self::at`].
    pub fn ramp(&self, rotary_dim: usize, base: f64) -> Result<Option<Ramp>, CoreError> {
        even("rotary_dim", rotary_dim)?;
        valid_base(base)?;
        let plain = plain_frequencies(rotary_dim, base);
        match self {
            Self::Yarn(y) => y.ramp(rotary_dim, base, &plain).map(Some),
            Self::Llama3 {
                low_freq_factor: low,
                high_freq_factor: high,
                orig_len,
                ..
            } => {
                positive("low_freq_factor", *low)?;
                positive("high_freq_factor", *high)?;
                in_order(
                    ("low_freq_factor", *low),
                    ("high_freq_factor", *high),
                    false,
                )?;
                at_least("orig_len", *orig_len as f64, 1.0)?;
                let bounds = (*low, *high);
                Ok(Some(Ramp::over_rotations(
                    rotary_dim, base, &plain, *orig_len, bounds,
                )))
            }
            _ => Ok(None),
        }
    }

    /// Each pair before and after scaling, fastest first; `orig_len` is the length whose turns
    /// are counted.
    ///
    /// # Errors
    /// As [`Self::at`].
    pub fn profile(
        &self,
        rotary_dim: usize,
        base: f64,
        seq_len: Option<usize>,
        orig_len: usize,
    ) -> Result<Vec<PairProfile>, CoreError> {
        let scaled = self.at(rotary_dim, base, seq_len)?;
        let plain = plain_frequencies(rotary_dim, base);
        let pairs = plain.into_iter().zip(scaled.inv_freq).zip(scaled.ratios);
        Ok(pairs
            .map(|((plain, scaled), ratio)| PairProfile {
                plain,
                scaled,
                ratio,
                wavelength: wavelength(scaled),
                rotations: rotations(plain, orig_len as f64),
            })
            .collect())
    }
}

/// s^(−2i/(d−2)): the same as the larger base, but 1 and 1/s at the ends without rounding. A power
/// to −1 may differ from the division in the last bit, a power to 1 is s itself.
fn ntk_ratios(rotary_dim: usize, s: f64) -> Result<Vec<f64>, CoreError> {
    ntk_defined(rotary_dim)?;
    let last = (rotary_dim / 2 - 1) as f64;
    Ok((0..rotary_dim / 2)
        .map(|i| 1.0 / s.powf(i as f64 / last))
        .collect())
}
