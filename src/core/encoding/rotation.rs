//! A rotation of queries and keys that may scale them as well.

use super::rope::Rope;
use crate::core::analysis::similarity_by_distance;
use crate::core::angles::Angles;
use crate::core::{CoreError, Matrix};

/// What a rotary scheme does to the queries and keys of one head: pair i of a query at m is turned by
/// m·θ_i and multiplied by `growth_i^m`, that of a key at n by n·θ_i and `growth_i^(−n)`. A product of
/// both depends on m − n alone. Plain RoPE has `growth = 1`.
#[derive(Debug, Clone, PartialEq)]
pub struct Rotation {
    rope: Rope,
    /// Natural logarithm of the growth a position, `[rotary_dim / 2]`; empty for none.
    log_growth: Vec<f64>,
}

impl From<Rope> for Rotation {
    fn from(rope: Rope) -> Self {
        Self {
            rope,
            log_growth: Vec::new(),
        }
    }
}

impl Rotation {
    /// A rotation whose pair i grows by `exp(log_growth[i])` a position in queries and shrinks by it
    /// in keys; pairs past the end of the list do neither.
    pub fn scaled(rope: Rope, log_growth: Vec<f64>) -> Self {
        Self { rope, log_growth }
    }

    /// The turning.
    pub fn rope(&self) -> &Rope {
        &self.rope
    }

    /// What a query's pair `i` is multiplied by at a position; a key's is divided by it. 1 without a
    /// scale.
    pub fn scale(&self, i: usize, pos: f64) -> f64 {
        self.log_growth.get(i).map_or(1.0, |g| (g * pos).exp())
    }

    /// Whether lengths change with the position.
    pub fn is_scaled(&self) -> bool {
        self.log_growth.iter().any(|g| *g != 0.0)
    }

    /// Queries `[n, head_dim]` at their positions.
    ///
    /// # Errors
    /// If `x` is not `[positions.len(), head_dim]`.
    pub fn queries(&self, x: &Matrix, positions: &[f64]) -> Result<Matrix, CoreError> {
        let turned = self.rope.apply(x, positions)?;
        Ok(self.stretched(turned, positions, 1.0))
    }

    /// Keys `[n, head_dim]` at their positions.
    ///
    /// # Errors
    /// If `x` is not `[positions.len(), head_dim]`.
    pub fn keys(&self, x: &Matrix, positions: &[f64]) -> Result<Matrix, CoreError> {
        let turned = self.rope.apply(x, positions)?;
        Ok(self.stretched(turned, positions, -1.0))
    }

    fn stretched(&self, mut x: Matrix, positions: &[f64], sign: f64) -> Matrix {
        for i in 0..self.log_growth.len().min(self.rope.inv_freq().len()) {
            let (a, b) = self.rope.pairing().columns(i, self.rope.rotary_dim());
            for (r, pos) in positions.iter().enumerate() {
                let scale = self.scale(i, sign * pos);
                x[(r, a)] *= scale;
                x[(r, b)] *= scale;
            }
        }
        x
    }

    /// Mean over the pairs of `growth_i^δ · cos(δ θ_i)` at each offset δ = m − n: the score of q = k
    /// with equal energy in every pair, 1 at δ = 0 (without the attention factor).
    pub fn similarity(&self, offsets: &[f64]) -> Vec<f64> {
        if !self.is_scaled() {
            return similarity_by_distance(self.rope.inv_freq(), offsets.iter().copied());
        }
        let pairs = self.rope.inv_freq();
        let mean = |d: f64| {
            let of = |(i, w): (usize, &f64)| self.scale(i, d) * (d * w).cos();
            pairs.iter().enumerate().map(of).sum::<f64>() / pairs.len().max(1) as f64
        };
        offsets.iter().map(|&d| mean(d)).collect()
    }

    /// ⟨query at m, key at n⟩ without the 1/√head_dim, for each offset δ = m − n:
    /// `Σ_i growth_i^δ · ((q·k)_i cos(δ θ_i) + (q×k)_i sin(δ θ_i))` with (q×k) = `q_x k_y − q_y k_x` of
    /// the pair. q and k are `[head_dim]` (a shorter one counts as filled up with zeros); dimensions
    /// that are not rotated add their product.
    pub fn scores(&self, q: &[f64], k: &[f64], offsets: &[f64]) -> Vec<f64> {
        let at = |v: &[f64], i: usize| v.get(i).copied().unwrap_or(0.0);
        let rope = &self.rope;
        let factor = rope.attention_factor() * rope.attention_factor();
        let fixed: f64 = (rope.rotary_dim()..rope.head_dim())
            .map(|i| at(q, i) * at(k, i))
            .sum();
        let scaled = self.is_scaled();
        let mut angles = Angles::new(offsets);
        let mut scores = vec![fixed; offsets.len()];
        for (i, &w) in rope.inv_freq().iter().enumerate() {
            let (a, b) = rope.pairing().columns(i, rope.rotary_dim());
            let dot = factor * (at(q, a) * at(k, a) + at(q, b) * at(k, b));
            let cross = factor * (at(q, a) * at(k, b) - at(q, b) * at(k, a));
            let (sin, cos) = angles.sin_cos(w);
            for (r, (s, c)) in sin.iter().zip(cos).enumerate() {
                let scale = if scaled {
                    self.scale(i, offsets[r])
                } else {
                    1.0
                };
                scores[r] += scale * (dot * c + cross * s);
            }
        }
        scores
    }
}
