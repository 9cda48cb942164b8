//! Which axis turns which frequency.

use super::block::Version;
use super::ids::PositionIds;
use crate::core::angles::Angles;
use crate::core::encoding::rope::{Pairing, Rope};
use crate::core::error::same_size;
use crate::core::{CoreError, Matrix};

/// Pairs of a head in the published models, whose width is 128.
const PAIRS: usize = 64;

/// How many frequencies t, h and w have, and in what order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sections {
    /// Frequencies of t, h and w.
    pub sizes: [usize; 3],
    /// Dealt out in turn, t h w t h w … (Qwen3-VL), rather than in three blocks (Qwen2-VL).
    pub interleaved: bool,
}

impl Sections {
    /// The sections of a version for a head of `pairs` frequencies: [16, 24, 24] in blocks, or
    /// [24, 20, 20] in turn, of 64. For other widths h and w get their part rounded down and t the
    /// rest: the models publish none, and their tests of small widths have just these.
    pub fn of(version: Version, pairs: usize) -> Self {
        let interleaved = version == Version::Qwen3Vl;
        let of_64 = if interleaved { 20 } else { 24 };
        let side = pairs * of_64 / PAIRS;
        Self {
            sizes: [pairs - 2 * side, side, side],
            interleaved,
        }
    }

    /// The axis of each of `pairs` frequencies: 0 for t, 1 for h, 2 for w. In turn, h has the
    /// frequencies 1, 4, 7, … below three times its size, w 2, 5, 8, … likewise, and t the rest
    /// (transformers, `apply_interleaved_mrope`).
    ///
    /// # Errors
    /// If the sizes do not add up to `pairs`.
    pub fn axis_of_frequency(&self, pairs: usize) -> Result<Vec<usize>, CoreError> {
        let [t, h, w] = self.sizes;
        let sum = t.saturating_add(h).saturating_add(w);
        same_size("the sum of mrope_section", pairs, sum)?;
        let axis = |i: usize| {
            if self.interleaved {
                let axis = i % 3;
                if i < 3 * self.sizes[axis] { axis } else { 0 }
            } else {
                usize::from(i >= t) + usize::from(i >= t + h)
            }
        };
        Ok((0..pairs).map(axis).collect())
    }
}

/// The rotation of one head. Dimensions i and i + head_dim/2 form a pair, as in the models.
#[derive(Debug, Clone, PartialEq)]
pub struct MRope {
    rope: Rope,
    axis: Vec<usize>,
}

impl MRope {
    /// A rotation with frequencies `base^(−2i / head_dim)`.
    ///
    /// # Errors
    /// If `head_dim` is odd or 0, `base` below 1 or not finite, or the sections do not add up.
    pub fn new(head_dim: usize, base: f64, sections: Sections) -> Result<Self, CoreError> {
        let rope = Rope::new(head_dim, base, Pairing::Half)?;
        let axis = sections.axis_of_frequency(head_dim / 2)?;
        Ok(Self { rope, axis })
    }

    /// The axis of each frequency, `[head_dim / 2]`: 0 for t, 1 for h, 2 for w.
    pub fn axis_of_frequency(&self) -> &[usize] {
        &self.axis
    }

    /// Radians an id, `[head_dim / 2]`, fastest first.
    pub fn inv_freq(&self) -> &[f64] {
        self.rope.inv_freq()
    }

    /// cos and sin of every angle, each `[n, head_dim / 2]`: frequency i times the id of its axis.
    pub fn cos_sin(&self, ids: &PositionIds) -> (Matrix, Matrix) {
        let axes = ids.axes().each_ref().map(|axis| {
            let positions = axis.iter().map(|&id| id as f64);
            positions.collect::<Vec<f64>>()
        });
        let mut angles = axes.each_ref().map(|axis| Angles::new(axis));
        let mut cos = Matrix::zeros(ids.len(), self.axis.len());
        let mut sin = cos.clone();
        for (i, (&axis, &w)) in self.axis.iter().zip(self.inv_freq()).enumerate() {
            let (s, c) = angles[axis].sin_cos(w);
            sin.column_mut(i).copy_from_slice(s);
            cos.column_mut(i).copy_from_slice(c);
        }
        (cos, sin)
    }

    /// Rotates each row of `x` `[n, head_dim]` to its ids.
    ///
    /// # Errors
    /// If `x` is not `[n, head_dim]`.
    pub fn apply(&self, x: &Matrix, ids: &PositionIds) -> Result<Matrix, CoreError> {
        same_size("rows of x", ids.len(), x.nrows())?;
        same_size("columns of x", self.rope.head_dim(), x.ncols())?;
        let (cos, sin) = self.cos_sin(ids);
        let half = self.axis.len();
        Ok(Matrix::from_fn(x.nrows(), x.ncols(), |r, column| {
            let i = column % half;
            let (a, b) = (x[(r, i)], x[(r, i + half)]);
            if column < half {
                a * cos[(r, i)] - b * sin[(r, i)]
            } else {
                b * cos[(r, i)] + a * sin[(r, i)]
            }
        }))
    }

    /// Mean over the pairs of cos(angle between the ids): the score of a query and a key whose
    /// numbers are all alike, 1 where both have the same ids.
    pub fn similarity(&self, query: [i64; 3], key: [i64; 3]) -> f64 {
        let parts = self.axis.iter().zip(self.inv_freq());
        let sum: f64 = parts
            .map(|(&axis, w)| ((query[axis] - key[axis]) as f64 * w).cos())
            .sum();
        sum / self.axis.len() as f64
    }
}
