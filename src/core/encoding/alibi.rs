//! ALiBi (Press et al. 2022, arXiv 2108.12409): a fixed penalty of `slope · |i − j|` on each score,
//! one slope a head, nothing to learn.

use std::ops::Range;

use super::{Entry, NamedArray, PositionScheme, Prepared, Setting, bias_array, index_array};
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

/// The scheme of the list.
pub struct AlibiScheme;

impl PositionScheme for AlibiScheme {
    fn id(&self) -> &'static str {
        "alibi"
    }
    fn taught_on(&self) -> &'static str {
        "relative"
    }
    fn entry(&self) -> Entry {
        Entry::ScoreBias
    }
    fn parameters(&self) -> &'static [&'static str] {
        &["heads"]
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
}
