//! What a running model does when its frequencies change with the length, and what that does to
//! keys which were rotated before.

use super::RopeScaling;
use crate::core::encoding::rope::{Pairing, Rope};
use crate::core::{CoreError, Matrix};

/// The rotation that a model of transformers has in force from call to call
/// (`dynamic_rope_update`). Under `dynamic` the result depends on the calls before: frequencies
/// made for a long call stay for a shorter one, until a call is shorter than the original length.
/// `longrope` goes by each call's own length; the other remedies never change.
#[derive(Debug, Clone, PartialEq)]
pub struct RopeCache {
    base: f64,
    scaling: RopeScaling,
    at_first: Rope,
    current: Rope,
    /// The length that the present frequencies were made for.
    longest: usize,
}

impl RopeCache {
    /// A model before its first call.
    ///
    /// # Errors
    /// As [`Rope::scaled`].
    pub fn new(
        head_dim: usize,
        base: f64,
        pairing: Pairing,
        scaling: RopeScaling,
    ) -> Result<Self, CoreError> {
        let at_first = Rope::scaled(head_dim, base, pairing, &scaling, None)?;
        let longest = match &scaling {
            RopeScaling::Dynamic { orig_len, .. } => *orig_len,
            _ => 0,
        };
        Ok(Self {
            base,
            scaling,
            current: at_first.clone(),
            at_first,
            longest,
        })
    }

    /// A call whose last token stands at `len − 1`; gives the rotation that it uses.
    ///
    /// # Errors
    /// As [`Rope::scaled`].
    pub fn forward(&mut self, len: usize) -> Result<&Rope, CoreError> {
        match &self.scaling {
            RopeScaling::Dynamic { orig_len, .. } => {
                if len > self.longest {
                    self.current = self.of_length(len)?;
                    self.longest = len;
                } else if len < *orig_len && self.longest > *orig_len {
                    self.current = self.at_first.clone();
                    self.longest = *orig_len;
                }
            }
            RopeScaling::LongRope(_) => self.current = self.of_length(len)?,
            _ => {}
        }
        Ok(&self.current)
    }

    /// The rotation in force.
    pub fn rope(&self) -> &Rope {
        &self.current
    }

    fn of_length(&self, len: usize) -> Result<Rope, CoreError> {
        let (head_dim, pairing) = (self.at_first.head_dim(), self.at_first.pairing());
        Rope::scaled(head_dim, self.base, pairing, &self.scaling, Some(len))
    }
}

/// By how many radians each pair of a key is turned wrongly, if it was rotated to `position` with
/// `then` and is read with `now`: position · (θ_then − θ_now), `[rotary_dim / 2]`.
pub fn stale_angles(then: &Rope, now: &Rope, position: f64) -> Vec<f64> {
    let pairs = then.inv_freq().iter().zip(now.inv_freq());
    pairs.map(|(a, b)| position * (a - b)).collect()
}

/// Scores without a scale, `[queries, keys]`.
#[derive(Debug, Clone, PartialEq)]
pub struct StaleScores {
    /// Query and key both rotated with the present frequencies.
    pub fresh: Matrix,
    /// The key from the cache, rotated with the frequencies of its time.
    pub stale: Matrix,
}

/// Scores of queries `[m, head_dim]` rotated with `now` against keys `[n, head_dim]` that a cache
/// holds as `then` rotated them, and what they should be.
///
/// # Errors
/// If a matrix does not have one row a position, or not `head_dim` columns.
pub fn stale_scores(
    then: &Rope,
    now: &Rope,
    (q, query_positions): (&Matrix, &[f64]),
    (k, key_positions): (&Matrix, &[f64]),
) -> Result<StaleScores, CoreError> {
    let q = now.apply(q, query_positions)?;
    let scores = |rope: &Rope| Ok(&q * rope.apply(k, key_positions)?.transpose());
    Ok(StaleScores {
        fresh: scores(now)?,
        stale: scores(then)?,
    })
}
