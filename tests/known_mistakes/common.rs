//! What several of the tests need.

pub use crate::setting::setting;

use posenc_lab::core::Matrix;
use posenc_lab::core::encoding::rope::{Pairing, Rope};
use posenc_lab::core::encoding::rope_scaling::{Frequencies, RopeScaling};
use posenc_lab::core::encoding::sinusoidal::positions;

pub fn rope(head_dim: usize, pairing: Pairing) -> Rope {
    Rope::new(head_dim, 10000.0, pairing).expect("an even width")
}

pub fn rotated(rope: &Rope, x: &Matrix, at: &[f64]) -> Matrix {
    rope.apply(x, at).expect("shapes fit")
}

pub fn scores(rope: &Rope, q: &Matrix, k: &Matrix) -> Matrix {
    let at = positions(0..q.nrows());
    rotated(rope, q, &at) * rotated(rope, k, &at).transpose()
}

pub fn frequencies(
    scaling: &RopeScaling,
    d: usize,
    base: f64,
    seq_len: Option<usize>,
) -> Frequencies {
    scaling.at(d, base, seq_len).expect("valid parameters")
}
