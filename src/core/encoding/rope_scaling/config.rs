//! Rope parameters as a model's `config.json` spells them.

use super::{LongRope, RopeScaling, YARN_BETAS, Yarn, YarnAttention, YarnRamp};
use crate::core::CoreError;

/// The fields of transformers' `rope_parameters` (formerly `rope_scaling`), each as it was given.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct RopeParameters {
    /// `rope_type`; `default` if absent.
    pub rope_type: Option<String>,
    /// `factor`.
    pub factor: Option<f64>,
    /// `original_max_position_embeddings`.
    pub orig_len: Option<usize>,
    /// `max_position_embeddings`, which stands beside the rope parameters.
    pub max_len: Option<usize>,
    /// `attention_factor`.
    pub attention_factor: Option<f64>,
    /// `beta_fast`.
    pub beta_fast: Option<f64>,
    /// `beta_slow`.
    pub beta_slow: Option<f64>,
    /// `mscale`.
    pub mscale: Option<f64>,
    /// `mscale_all_dim`.
    pub mscale_all_dim: Option<f64>,
    /// `truncate`.
    pub truncate: Option<bool>,
    /// `low_freq_factor`.
    pub low_freq_factor: Option<f64>,
    /// `high_freq_factor`.
    pub high_freq_factor: Option<f64>,
    /// `short_factor`.
    pub short_factor: Option<Vec<f64>>,
    /// `long_factor`.
    pub long_factor: Option<Vec<f64>>,
    /// `partial_rotary_factor`; only `proportional` scales by it.
    pub part: Option<f64>,
}

impl RopeParameters {
    /// The scaling that these fields describe, with the defaults of transformers. As there, 0 as
    /// a β or an mscale counts as absent.
    ///
    /// # Errors
    /// [`CoreError::UnknownWord`] for another rope type, [`CoreError::Missing`] for a field that
    /// the type needs. Values are checked when frequencies are computed.
    pub fn scaling(&self) -> Result<RopeScaling, CoreError> {
        let given = |x: Option<f64>| x.filter(|x| *x != 0.0);
        Ok(match self.rope_type.as_deref().unwrap_or("default") {
            "default" => RopeScaling::None,
            "linear" => RopeScaling::Linear {
                factor: needed("linear", "factor", self.factor)?,
            },
            "ntk" => RopeScaling::Ntk {
                factor: needed("ntk", "factor", self.factor)?,
            },
            "dynamic" => RopeScaling::Dynamic {
                factor: needed("dynamic", "factor", self.factor)?,
                orig_len: needed("dynamic", "max_position_embeddings", self.max_len)?,
            },
            "yarn" => RopeScaling::Yarn(Yarn {
                factor: self.stretch("yarn")?,
                orig_len: self.original("yarn")?,
                beta_fast: given(self.beta_fast).unwrap_or(YARN_BETAS.0),
                beta_slow: given(self.beta_slow).unwrap_or(YARN_BETAS.1),
                ramp: YarnRamp::Index {
                    truncate: self.truncate.unwrap_or(true),
                },
                attention: match (
                    self.attention_factor,
                    given(self.mscale),
                    given(self.mscale_all_dim),
                ) {
                    (Some(a), _, _) => YarnAttention::Explicit(a),
                    (_, Some(mscale), Some(mscale_all_dim)) => YarnAttention::Mscale {
                        mscale,
                        mscale_all_dim,
                    },
                    _ => YarnAttention::Default,
                },
            }),
            "llama3" => RopeScaling::Llama3 {
                factor: needed("llama3", "factor", self.factor)?,
                low_freq_factor: needed("llama3", "low_freq_factor", self.low_freq_factor)?,
                high_freq_factor: needed("llama3", "high_freq_factor", self.high_freq_factor)?,
                orig_len: self.original("llama3")?,
            },
            "longrope" => RopeScaling::LongRope(LongRope {
                short_factor: needed("longrope", "short_factor", self.short_factor.clone())?,
                long_factor: needed("longrope", "long_factor", self.long_factor.clone())?,
                factor: self.stretch("longrope")?,
                orig_len: self.original("longrope")?,
                attention_factor: self.attention_factor,
            }),
            "proportional" => RopeScaling::Proportional {
                part: self.part.unwrap_or(1.0),
                factor: self.factor.unwrap_or(1.0),
            },
            other => {
                return Err(CoreError::UnknownWord {
                    name: "rope_type",
                    given: other.to_owned(),
                });
            }
        })
    }

    fn original(&self, of: &'static str) -> Result<usize, CoreError> {
        needed(of, "original_max_position_embeddings", self.orig_len)
    }

    /// `factor`, or else how much longer the maximum is than the original length (not below 1).
    fn stretch(&self, of: &'static str) -> Result<f64, CoreError> {
        let ratio = || {
            let (max, orig) = (self.max_len? as f64, self.orig_len? as f64);
            Some((max / orig).max(1.0))
        };
        needed(of, "factor", self.factor.or_else(ratio))
    }
}

fn needed<T>(of: &'static str, name: &'static str, value: Option<T>) -> Result<T, CoreError> {
    value.ok_or(CoreError::Missing { of, name })
}
