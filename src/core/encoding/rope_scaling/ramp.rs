//! The ramp between pairs that are kept and pairs that are interpolated.

use crate::core::analysis::rotations;

/// How far each pair is interpolated: 0 keeps its frequency, 1 divides it by the whole factor.
#[derive(Debug, Clone, PartialEq)]
pub struct Ramp {
    /// Pair index at which the ramp leaves 0; may lie between pairs or outside them.
    pub low: f64,
    /// Pair index at which the ramp reaches 1.
    pub high: f64,
    /// The interpolated share of each pair, `[rotary_dim / 2]`, in 0..=1.
    pub interpolated: Vec<f64>,
}

impl Ramp {
    /// Linear in the turns that a pair makes within `orig_len`: all of it is interpolated below
    /// `bounds.0` turns, nothing above `bounds.1`. This is eq. 18 of the YaRN paper
    /// (arXiv 2309.00071) and, with other names, Llama 3.1. The bounds are positive, the first
    /// not above the second.
    pub(super) fn over_rotations(
        rotary_dim: usize,
        base: f64,
        plain: &[f64],
        orig_len: usize,
        bounds: (f64, f64),
    ) -> Self {
        let (few, many) = bounds;
        let length = orig_len as f64;
        let kept = |w: &f64| {
            let turns = rotations(*w, length);
            if many > few {
                return ((turns - few) / (many - few)).clamp(0.0, 1.0);
            }
            // A step: what turns fewer times is interpolated whole (`wavelen > low_freq_wavelen`).
            f64::from(u8::from(turns >= few))
        };
        Self {
            low: pair_of_rotations(many, rotary_dim, base, orig_len),
            high: pair_of_rotations(few, rotary_dim, base, orig_len),
            interpolated: plain.iter().map(|w| 1.0 - kept(w)).collect(),
        }
    }

    /// What the frequency of each pair is multiplied by: from 1 at 0 to 1/`factor` at 1.
    pub(super) fn ratios(&self, factor: f64) -> Vec<f64> {
        let ratio = |share: &f64| share / factor + (1.0 - share);
        self.interpolated.iter().map(ratio).collect()
    }
}

/// The pair, as a fraction, that turns `turns` times within `orig_len`:
/// d · ln(L/(2π · turns)) / (2 ln base). Infinite at base 1, where all pairs turn alike.
pub(super) fn pair_of_rotations(turns: f64, rotary_dim: usize, base: f64, orig_len: usize) -> f64 {
    let length = orig_len as f64;
    rotary_dim as f64 * (length / (turns * std::f64::consts::TAU)).ln() / (2.0 * base.ln())
}
