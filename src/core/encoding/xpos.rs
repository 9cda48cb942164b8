//! xPos (Sun et al. 2022, arXiv 2212.10554): RoPE whose pairs also shrink with the distance. Pair i of a
//! query at m is multiplied by `ζ_i^(m / 512)`, that of a key at n by `ζ_i^(−n / 512)`,
//! `ζ_i = (2i / head_dim + γ) / (1 + γ)` with γ = 0.4, so a product has `ζ_i^((m − n) / 512)`.
//!
//! ζ is below 1: products fall with the distance of keys *before* the query and grow for keys after it,
//! which is why it is meant for a causal mask. Slow pairs shrink least. The authors' code counts
//! positions from the middle of the sequence, which changes no product.

use std::ops::Range;

use super::rope::{NOTHING_LEARNED, Rope, rotary_cost, rotary_effect};
use super::sinusoidal::positions;
use super::{
    Beyond, Cost, Effect, Entry, Learned, NamedArray, Parameter, PositionScheme, Prepared,
    Rotation, Setting, Topic, row_major,
};
use crate::core::{CoreError, Matrix};

/// γ of the paper.
const GAMMA: f64 = 0.4;
/// Positions in which a pair shrinks by ζ: `scale_base` of the authors' code.
const SCALE_BASE: f64 = 512.0;

/// ζ_i of each pair, `[head_dim / 2]`.
pub fn zeta(head_dim: usize) -> Vec<f64> {
    (0..head_dim / 2)
        .map(|i| (2.0 * i as f64 / head_dim as f64 + GAMMA) / (1.0 + GAMMA))
        .collect()
}

/// The rotation of a setting. xPos has frequencies of its own choice only: no scaling for long
/// contexts applies.
///
/// # Errors
/// If the heads do not divide the width into even parts, or the base is not valid.
pub fn rotation(s: &Setting) -> Result<Rotation, CoreError> {
    let head_dim = s.whole_head_dim()?;
    let rope = Rope::new(head_dim, s.base, s.pairing)?;
    let log_growth = zeta(head_dim).into_iter().map(|z| z.ln() / SCALE_BASE);
    Ok(Rotation::scaled(rope, log_growth.collect()))
}

/// Its public id.
pub const ID: &str = "xpos";

/// The scheme of the list.
pub struct XposScheme;

impl PositionScheme for XposScheme {
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
        &[
            Parameter::DModel,
            Parameter::Heads,
            Parameter::Base,
            Parameter::Pairing,
        ]
    }
    fn prepare(&self, s: &Setting, _: usize) -> Result<Prepared, CoreError> {
        Ok(Prepared::Rotary(rotation(s)?))
    }
    fn arrays(
        &self,
        s: &Setting,
        _: usize,
        rows: Range<usize>,
    ) -> Result<Vec<NamedArray>, CoreError> {
        let rotation = rotation(s)?;
        let inv_freq = rotation.rope().inv_freq().to_vec();
        let pairs = inv_freq.len();
        let of = |name, array: fn(&Rotation, &[f64]) -> Matrix| {
            let (rotation, rows) = (rotation.clone(), rows.clone());
            NamedArray::lazy(name, vec![rows.len(), pairs], move || {
                row_major(&array(&rotation, &positions(rows)))
            })
        };
        Ok(vec![
            NamedArray::ready("inv_freq", vec![pairs], inv_freq),
            NamedArray::ready("zeta", vec![pairs], zeta(s.head_dim())),
            of("cos", |r, at| r.rope().cos_sin(at).0),
            of("sin", |r, at| r.rope().cos_sin(at).1),
            of("query_scale", |r, at| scales(r, at, 1.0)),
            of("key_scale", |r, at| scales(r, at, -1.0)),
        ])
    }
    fn effect(&self, s: &Setting, _: usize, n: usize) -> Result<Effect, CoreError> {
        rotary_effect(&rotation(s)?, n)
    }
    fn learned(&self, _: &Setting, _: usize) -> Learned {
        NOTHING_LEARNED
    }
    /// The scale goes into cos and sin, so it is that of a rotation.
    fn cost(&self, s: &Setting, n: usize) -> Cost {
        rotary_cost(s, n)
    }
    fn beyond(&self, s: &Setting) -> Result<Beyond, CoreError> {
        Ok(Beyond::Angles(rotation(s)?.rope().inv_freq().to_vec()))
    }
    fn rotation(&self, s: &Setting) -> Result<Option<Rotation>, CoreError> {
        Ok(Some(rotation(s)?))
    }
}

/// What pairs are multiplied by at each position, `[positions.len(), head_dim / 2]`.
fn scales(rotation: &Rotation, positions: &[f64], sign: f64) -> Matrix {
    let pairs = rotation.rope().inv_freq().len();
    Matrix::from_fn(positions.len(), pairs, |r, i| {
        rotation.scale(i, sign * positions[r])
    })
}
