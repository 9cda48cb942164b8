//! Rotary position embedding (Su et al. 2021, arXiv 2104.09864).
//!
//! Pair i of a query or key at position m is rotated by `m · θ_i`, `θ_i = base^(−2i / head_dim)`,
//! so ⟨R_m q, R_n k⟩ depends on n − m alone. Values are never rotated.

use std::ops::Range;

use super::rope_scaling::RopeScaling;
use super::sinusoidal::positions;
use super::{
    Beyond, Cost, Effect, Entry, Learned, NamedArray, Parameter, PositionScheme, Prepared,
    Rotation, Scope, Setting, Topic, Unit, and_scaling, offsets_of, row_major,
};
use crate::core::angles::Angles;
use crate::core::error::{even, same_size};
use crate::core::{CoreError, Matrix};

/// Which two dimensions form a pair.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Pairing {
    /// (2i, 2i + 1): the paper, GPT-J, Cohere, Meta's LLaMA code.
    #[default]
    Interleaved,
    /// (i, i + rotary_dim/2): GPT-NeoX and the LLaMA of transformers (`rotate_half`).
    Half,
}

impl Pairing {
    /// The two dimensions of pair `i` out of `rotary_dim` rotated ones.
    pub fn columns(self, i: usize, rotary_dim: usize) -> (usize, usize) {
        match self {
            Self::Interleaved => (2 * i, 2 * i + 1),
            Self::Half => (i, i + rotary_dim / 2),
        }
    }

    /// The pair to which a dimension of the model belongs, within its head.
    pub fn pair_of(self, head_dim: usize, dim: usize) -> usize {
        let within = dim % head_dim;
        match self {
            Self::Interleaved => within / 2,
            Self::Half => within % (head_dim / 2),
        }
    }

    /// The dimension that shares a pair with `dim`, both within one head.
    pub fn partner_of(self, head_dim: usize, dim: usize) -> usize {
        let (a, b) = self.columns(self.pair_of(head_dim, dim), head_dim);
        if dim == a { b } else { a }
    }
}

/// The permutation `perm` with `half(q)[perm[j]] = interleaved(q[perm])[j]`: column j of the
/// interleaved order is column `j/2 + (j mod 2) · head_dim/2` of the half-split order.
pub fn half_from_interleaved(head_dim: usize) -> Vec<usize> {
    (0..head_dim)
        .map(|j| j / 2 + (j % 2) * (head_dim / 2))
        .collect()
}

/// Rotations for one head.
#[derive(Debug, Clone, PartialEq)]
pub struct Rope {
    head_dim: usize,
    pairing: Pairing,
    inv_freq: Vec<f64>,
    attention_factor: f64,
}

impl Rope {
    /// All of `head_dim` rotated.
    ///
    /// # Errors
    /// If `head_dim` is odd or zero, or `base` is below 1 or not finite.
    pub fn new(head_dim: usize, base: f64, pairing: Pairing) -> Result<Self, CoreError> {
        even("head_dim", head_dim)?;
        Self::partial(head_dim, head_dim, base, pairing)
    }

    /// Only the first `rotary_dim` dimensions rotated, with frequencies `base^(−2i / rotary_dim)`;
    /// the rest pass through (GPT-J, GPT-NeoX).
    ///
    /// # Errors
    /// As [`Self::new`], or if `rotary_dim` is odd, zero or more than `head_dim`.
    pub fn partial(
        head_dim: usize,
        rotary_dim: usize,
        base: f64,
        pairing: Pairing,
    ) -> Result<Self, CoreError> {
        Self::scaled_partial(
            (head_dim, rotary_dim),
            base,
            pairing,
            &RopeScaling::None,
            None,
        )
    }

    /// All of `head_dim` rotated with scaled frequencies, the attention factor included once, in
    /// cos and sin. `seq_len` is the present length, where the scaling goes by it.
    ///
    /// # Errors
    /// As [`Self::new`] and [`RopeScaling::at`].
    pub fn scaled(
        head_dim: usize,
        base: f64,
        pairing: Pairing,
        scaling: &RopeScaling,
        seq_len: Option<usize>,
    ) -> Result<Self, CoreError> {
        even("head_dim", head_dim)?;
        Self::scaled_partial((head_dim, head_dim), base, pairing, scaling, seq_len)
    }

    /// [`Self::scaled`] for the first `rotary_dim` of `head_dim` dimensions.
    ///
    /// # Errors
    /// As [`Self::partial`] and [`RopeScaling::at`].
    pub fn scaled_partial(
        (head_dim, rotary_dim): (usize, usize),
        base: f64,
        pairing: Pairing,
        scaling: &RopeScaling,
        seq_len: Option<usize>,
    ) -> Result<Self, CoreError> {
        even("rotary_dim", rotary_dim)?;
        if rotary_dim > head_dim {
            return Err(CoreError::OutOfRange {
                name: "rotary_dim",
                given: rotary_dim as f64,
                allowed: "at most head_dim",
            });
        }
        let scaled = scaling.at(rotary_dim, base, seq_len)?;
        Ok(Self {
            head_dim,
            pairing,
            inv_freq: scaled.inv_freq,
            attention_factor: scaled.attention_factor,
        })
    }

    /// The rotation that a setting describes, scaled as it says; its present length is
    /// `target_len`.
    ///
    /// # Errors
    /// As [`Self::scaled`], or if the heads do not divide the width.
    pub fn of(s: &Setting) -> Result<Self, CoreError> {
        Self::of_with(s, s.pairing)
    }

    /// As [`Self::of`] under a named pairing.
    ///
    /// # Errors
    /// As [`Self::of`].
    pub fn of_with(s: &Setting, pairing: Pairing) -> Result<Self, CoreError> {
        let head_dim = s.whole_head_dim()?;
        let scaling = s.context.scaling(head_dim / 2);
        let now = Some(s.context.target_len);
        Self::scaled(head_dim, s.base, pairing, &scaling, now)
    }

    /// θ_i in radians a position, `[rotary_dim / 2]`, fastest first.
    pub fn inv_freq(&self) -> &[f64] {
        &self.inv_freq
    }

    /// What multiplies cos and sin; 1 without scaling.
    pub fn attention_factor(&self) -> f64 {
        self.attention_factor
    }

    /// Width of a head.
    pub fn head_dim(&self) -> usize {
        self.head_dim
    }

    /// Number of dimensions that are rotated.
    pub fn rotary_dim(&self) -> usize {
        2 * self.inv_freq.len()
    }

    /// Which dimensions form a pair.
    pub fn pairing(&self) -> Pairing {
        self.pairing
    }

    /// Angle of pair `i` at position `pos`, in radians; 0 for a pair that is not rotated.
    pub fn angle(&self, pos: f64, i: usize) -> f64 {
        self.inv_freq.get(i).map_or(0.0, |w| pos * w)
    }

    /// cos and sin of every angle, each `[positions.len(), rotary_dim / 2]`, attention factor
    /// included.
    pub fn cos_sin(&self, positions: &[f64]) -> (Matrix, Matrix) {
        let mut cos = Matrix::zeros(positions.len(), self.inv_freq.len());
        let mut sin = cos.clone();
        let mut angles = Angles::new(positions);
        for (i, &w) in self.inv_freq.iter().enumerate() {
            let (s, c) = angles.sin_cos(w);
            sin.column_mut(i).copy_from_slice(s);
            cos.column_mut(i).copy_from_slice(c);
        }
        (cos * self.attention_factor, sin * self.attention_factor)
    }

    /// Rotates each row of `x` `[n, head_dim]` to its position.
    ///
    /// # Errors
    /// If `x` is not `[positions.len(), head_dim]`.
    pub fn apply(&self, x: &Matrix, positions: &[f64]) -> Result<Matrix, CoreError> {
        self.turn(x, positions, 1.0)
    }

    /// Undoes [`Self::apply`], the attention factor too.
    ///
    /// # Errors
    /// If `x` is not `[positions.len(), head_dim]`.
    pub fn inverse(&self, x: &Matrix, positions: &[f64]) -> Result<Matrix, CoreError> {
        let back: Vec<f64> = positions.iter().map(|p| -p).collect();
        let a = self.attention_factor;
        self.turn(x, &back, 1.0 / (a * a))
    }

    fn turn(&self, x: &Matrix, positions: &[f64], scale: f64) -> Result<Matrix, CoreError> {
        same_size("rows of x", positions.len(), x.nrows())?;
        same_size("columns of x", self.head_dim, x.ncols())?;
        let scale = scale * self.attention_factor;
        let mut out = x.clone();
        let mut angles = Angles::new(positions);
        for (i, &w) in self.inv_freq.iter().enumerate() {
            let (a, b) = self.pairing.columns(i, self.rotary_dim());
            let (sin, cos) = angles.sin_cos(w);
            for (r, (s, c)) in sin.iter().zip(cos).enumerate() {
                let (s, c) = (scale * s, scale * c);
                out[(r, a)] = x[(r, a)] * c - x[(r, b)] * s;
                out[(r, b)] = x[(r, a)] * s + x[(r, b)] * c;
            }
        }
        Ok(out)
    }
}

/// Its public id.
pub const ID: &str = "rope";

/// The scheme of the list.
pub struct RopeScheme;

impl PositionScheme for RopeScheme {
    fn id(&self) -> &'static str {
        ID
    }
    fn topic(&self) -> Topic {
        Topic::Rotary
    }
    fn entry(&self) -> Entry {
        Entry::Rotary
    }
    fn parameters(&self) -> &'static [Parameter] {
        and_scaling!(Parameter: DModel, Heads, Base, Pairing)
    }
    fn prepare(&self, s: &Setting, _: usize) -> Result<Prepared, CoreError> {
        Ok(Prepared::Rotary(Rope::of(s)?.into()))
    }
    fn arrays(
        &self,
        s: &Setting,
        _: usize,
        rows: Range<usize>,
    ) -> Result<Vec<NamedArray>, CoreError> {
        let rope = Rope::of(s)?;
        let pairs = rope.inv_freq.len();
        let shape = vec![rows.len(), pairs];
        let (of_cos, of_sin) = (rope.clone(), rope.clone());
        let sin_rows = rows.clone();
        Ok(vec![
            NamedArray::ready("inv_freq", vec![pairs], rope.inv_freq),
            NamedArray::ready("attention_factor", vec![1], vec![rope.attention_factor]),
            NamedArray::lazy("cos", shape.clone(), move || {
                row_major(&of_cos.cos_sin(&positions(rows)).0)
            }),
            NamedArray::lazy("sin", shape, move || {
                row_major(&of_sin.cos_sin(&positions(sin_rows)).1)
            }),
        ])
    }
    fn effect(&self, s: &Setting, _: usize, n: usize) -> Result<Effect, CoreError> {
        rotary_effect(&Rope::of(s)?.into(), n)
    }
    fn learned(&self, _: &Setting, _: usize) -> Learned {
        NOTHING_LEARNED
    }
    fn cost(&self, s: &Setting, n: usize) -> Cost {
        rotary_cost(s, n)
    }
    fn beyond(&self, s: &Setting) -> Result<Beyond, CoreError> {
        Ok(Beyond::Angles(Rope::of(s)?.inv_freq))
    }
    fn rotation(&self, s: &Setting) -> Result<Option<Rotation>, CoreError> {
        Ok(Some(Rope::of(s)?.into()))
    }
}

/// What rotations learn.
pub(super) const NOTHING_LEARNED: Learned = Learned::new(0, Scope::Layer);

/// The likeness of q = k at every offset.
pub(super) fn rotary_effect(rotation: &Rotation, n: usize) -> Result<Effect, CoreError> {
    let likeness = rotation.similarity(&offsets_of(n));
    Ok(Effect::ByOffset(Unit::Cosine, likeness))
}

/// Each dimension of q and of k takes two multiplications and an addition.
pub(super) fn rotary_cost(s: &Setting, n: usize) -> Cost {
    Cost::new(2 * 3 * n * s.d_model, Scope::Layer)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_dimension_finds_its_pair_and_its_partner() {
        for pairing in [Pairing::Interleaved, Pairing::Half] {
            for head_dim in [2, 6, 16] {
                for pair in 0..head_dim / 2 {
                    let (a, b) = pairing.columns(pair, head_dim);
                    for dim in [a, b, a + head_dim, b + 3 * head_dim] {
                        assert_eq!(pairing.pair_of(head_dim, dim), pair);
                    }
                    assert_eq!(pairing.partner_of(head_dim, a), b);
                    assert_eq!(pairing.partner_of(head_dim, b), a);
                }
            }
        }
    }
}
