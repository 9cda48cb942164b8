//! The parameters of the address, as things to name.

use crate::core::encoding::{Parameter, and_scaling};

/// A parameter of the address.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(
    missing_docs,
    reason = "each is described by its row in SPECS and in the README"
)]
pub enum Key {
    V,
    Page,
    Embed,
    Scheme,
    DModel,
    SeqLen,
    Base,
    MaxRelDist,
    Heads,
    Pos,
    Dim,
    I,
    J,
    Shift,
    Head,
    Layer,
    Step,
    Bias,
    BiasEdits,
    Layout,
    Pairing,
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
    Preset,
    Causal,
    Layers,
    Pool,
    TextA,
    TextB,
    Tokens,
    Grid,
    Patch,
    Scheme2d,
    Window,
    Trained,
    Image,
    Blocks,
    Mrope,
    Sections,
    Fps,
    ModBias,
    Q,
    K,
    Seconds,
    Rate,
    Bpm,
    Seed,
    Lang,
    Theme,
    Present,
    Fit,
    Lock,
    Hide,
    Rows,
}

/// The core says what a scheme depends on; here is how the address calls it.
impl From<Parameter> for Key {
    fn from(parameter: Parameter) -> Self {
        match parameter {
            Parameter::DModel => Self::DModel,
            Parameter::Heads => Self::Heads,
            Parameter::Base => Self::Base,
            Parameter::MaxRelDist => Self::MaxRelDist,
            Parameter::Layout => Self::Layout,
            Parameter::Pairing => Self::Pairing,
            Parameter::Causal => Self::Causal,
            Parameter::Seed => Self::Seed,
            Parameter::Bias => Self::Bias,
            Parameter::BiasEdits => Self::BiasEdits,
            Parameter::Scaling => Self::Scaling,
            Parameter::Factor => Self::Factor,
            Parameter::OrigLen => Self::OrigLen,
            Parameter::TargetLen => Self::TargetLen,
            Parameter::BetaFast => Self::BetaFast,
            Parameter::BetaSlow => Self::BetaSlow,
            Parameter::LowFreqFactor => Self::LowFreqFactor,
            Parameter::HighFreqFactor => Self::HighFreqFactor,
            Parameter::Truncate => Self::Truncate,
            Parameter::AttentionFactor => Self::AttentionFactor,
        }
    }
}

impl Key {
    /// What the scaling of RoPE depends on, beside the width of a head and the base.
    pub const SCALING: &'static [Self] = and_scaling!(Self:);
}
