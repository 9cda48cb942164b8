//! ALiBi (Press et al. 2022, arXiv 2108.12409): a fixed penalty of `slope · |i − j|` on each score,
//! one slope a head, nothing to learn.

use std::ops::Range;

use super::{
    Beyond, ByDistance, ByOffset, Cost, Effect, Entry, Falling, Learned, NamedArray, Parameter,
    PositionScheme, Prepared, Scope, Setting, Topic, bias_array, bias_effect, index_array,
};
use crate::core::error::some_heads;
use crate::core::{CoreError, Matrix};

/// Slopes `[heads]`; empty for no heads, which the scheme of the list refuses.
///
/// For a power of two the slope of head h = 1..n is `2^(−8h/n)`. For any other number they are
/// those of the next lower power of two, followed by every other slope of the next higher one
/// (the authors' released code).
pub fn slopes(heads: usize) -> Vec<f64> {
    let of_power = |n: usize| -> Vec<f64> {
        (1..=n)
            .map(|h| (-8.0 * h as f64 / n as f64).exp2())
            .collect()
    };
    if heads == 0 {
        return Vec::new();
    }
    let power = 1 << heads.ilog2();
    let mut all = of_power(power);
    all.extend(
        of_power(2 * power)
            .into_iter()
            .step_by(2)
            .take(heads - power),
    );
    all
}

/// The bias of a query at `i` and a key at `j`: `−slope · |i − j|`.
pub fn bias(slope: f64, i: usize, j: usize) -> f64 {
    -slope * i.abs_diff(j) as f64
}

/// BLOOM's bias, a function of the key alone: `slope · j`.
///
/// Along a row it differs from [`bias`] by a constant for keys up to the query, so under a causal
/// mask the softmax is the same. Without a mask it is not: far keys ahead would be favoured.
pub fn bias_from_first_key(slope: f64, j: usize) -> f64 {
    slope * j as f64
}

/// MPT's bias, a function of the key alone: `slope · (j − (keys − 1))`, 0 for the last key.
///
/// Equal to [`bias`] after softmax under a causal mask only, as [`bias_from_first_key`].
pub fn bias_from_last_key(slope: f64, j: usize, keys: usize) -> f64 {
    slope * (j as f64 - (keys as f64 - 1.0))
}

/// Positions `[n]` of real tokens under a padding mask, as BLOOM counts them: 0, 1, 2, … over the
/// tokens that are there; pads get 0.
pub fn masked_positions(attention_mask: &[bool]) -> Vec<usize> {
    let mut seen = 0;
    attention_mask
        .iter()
        .map(|&real| {
            seen += usize::from(real);
            if real { seen - 1 } else { 0 }
        })
        .collect()
}

/// Slopes by head: a bias that falls with the distance for ever, with no table.
struct Slopes(Vec<f64>);

impl Falling for Slopes {
    fn at(&self, head: usize, distance: usize) -> f64 {
        bias(self.0.get(head).copied().unwrap_or(0.0), distance, 0)
    }
    fn named(&self, head: usize) -> Vec<(&'static str, f64)> {
        self.0
            .get(head)
            .map(|m| ("slope", *m))
            .into_iter()
            .collect()
    }
}

/// Its public id.
pub const ID: &str = "alibi";

/// The scheme of the list.
pub struct AlibiScheme;

impl PositionScheme for AlibiScheme {
    fn id(&self) -> &'static str {
        ID
    }
    fn topic(&self) -> Topic {
        Topic::Relative
    }
    fn entry(&self) -> Entry {
        Entry::ScoreBias
    }
    fn parameters(&self) -> &'static [Parameter] {
        &[Parameter::Heads]
    }
    fn prepare(&self, s: &Setting, n: usize) -> Result<Prepared, CoreError> {
        some_heads(s.heads)?;
        Ok(Prepared::ScoreBias(
            slopes(s.heads)
                .into_iter()
                .map(|m| Matrix::from_fn(n, n, |i, j| bias(m, i, j)))
                .collect(),
        ))
    }
    fn arrays(
        &self,
        s: &Setting,
        n: usize,
        rows: Range<usize>,
    ) -> Result<Vec<NamedArray>, CoreError> {
        some_heads(s.heads)?;
        let m = slopes(s.heads);
        Ok(vec![
            index_array(n, rows.clone(), |i, j| i.abs_diff(j)),
            NamedArray::ready("slopes", vec![m.len()], m.clone()),
            bias_array(s.heads, n, rows, move |h, i, j| bias(m[h], i, j)),
        ])
    }
    fn effect(&self, s: &Setting, head: usize, n: usize) -> Result<Effect, CoreError> {
        bias_effect(self, s, head, n)
    }
    fn learned(&self, _: &Setting, _: usize) -> Learned {
        Learned::new(0, Scope::Layer)
    }
    fn cost(&self, s: &Setting, n: usize) -> Cost {
        Cost::of_biases(s.heads, n)
    }
    fn beyond(&self, _: &Setting) -> Result<Beyond, CoreError> {
        Ok(Beyond::Formula)
    }
    fn by_offset(&self, s: &Setting) -> Result<Option<Box<dyn ByOffset>>, CoreError> {
        some_heads(s.heads)?;
        Ok(Some(Box::new(ByDistance(Slopes(slopes(s.heads))))))
    }
}
