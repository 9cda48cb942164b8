//! The setting that tests start from.

use posenc_lab::core::encoding::Setting;
use posenc_lab::core::encoding::relative::BiasStart;
use posenc_lab::core::encoding::rope::Pairing;
use posenc_lab::core::encoding::rope_scaling::LongContext;
use posenc_lab::core::encoding::sinusoidal::Layout;

/// Small, and otherwise as plain as can be.
pub fn setting() -> Setting {
    Setting {
        d_model: 8,
        heads: 2,
        base: 10000.0,
        max_rel_dist: 8,
        layout: Layout::Interleaved,
        pairing: Pairing::Interleaved,
        context: LongContext::default(),
        causal: false,
        seed: 7,
        bias: BiasStart::Random,
        bias_edits: Vec::new(),
    }
}
