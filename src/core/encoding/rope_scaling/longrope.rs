//! LongRoPE (Ding et al. 2024, arXiv 2402.13753) as Phi-3 has it: `_compute_longrope_parameters`
//! of transformers.

use crate::core::CoreError;
use crate::core::error::{at_least, positive, same_size};

/// Parameters of LongRoPE: a searched factor for each pair, in two lists.
#[derive(Debug, Clone, PartialEq)]
pub struct LongRope {
    /// What divides each frequency up to `orig_len`, `[rotary_dim / 2]`.
    pub short_factor: Vec<f64>,
    /// What divides each frequency in a sequence longer than `orig_len`, `[rotary_dim / 2]`.
    pub long_factor: Vec<f64>,
    /// s of the attention factor, at least 1.
    pub factor: f64,
    /// L, positions; at least 2.
    pub orig_len: usize,
    /// In place of √(1 + ln s / ln L).
    pub attention_factor: Option<f64>,
}

impl LongRope {
    /// Whether a sequence takes the long list; one of exactly `orig_len` does not. A sequence has
    /// one list for all its tokens.
    pub fn is_long(&self, seq_len: Option<usize>) -> bool {
        seq_len.is_some_and(|n| n > self.orig_len)
    }

    pub(super) fn ratios(
        &self,
        pairs: usize,
        seq_len: Option<usize>,
    ) -> Result<Vec<f64>, CoreError> {
        at_least("factor", self.factor, 1.0)?;
        // ln 1 would divide by zero.
        at_least("orig_len", self.orig_len as f64, 2.0)?;
        if let Some(a) = self.attention_factor {
            positive("attention_factor", a)?;
        }
        for (name, list) in [
            ("short_factor", &self.short_factor),
            ("long_factor", &self.long_factor),
        ] {
            same_size(name, pairs, list.len())?;
            list.iter().try_for_each(|&f| positive(name, f))?;
        }
        let list = if self.is_long(seq_len) {
            &self.long_factor
        } else {
            &self.short_factor
        };
        Ok(list.iter().map(|f| 1.0 / f).collect())
    }

    /// What multiplies cos and sin, the same for short and long sequences.
    pub fn attention_factor(&self) -> f64 {
        let default = || (1.0 + self.factor.ln() / (self.orig_len as f64).ln()).sqrt();
        self.attention_factor.unwrap_or_else(default)
    }
}
