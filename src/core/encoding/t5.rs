//! T5's relative buckets (Raffel et al. 2020, arXiv 1910.10683; `_relative_position_bucket` in
//! transformers): near distances have a bucket each, far ones share logarithmic buckets, and one
//! learnable number per head and bucket is added to the scores.

use std::ops::Range;

use super::offset::{Numbering, TableBias};
use super::relative::{BiasEdit, BiasTable};
use super::{
    Beyond, ByOffset, Cost, Effect, Entry, Learned, NamedArray, Parameter, PositionScheme,
    Prepared, Scope, Setting, Topic, bias_array, bias_effect, index_array,
};
use crate::core::CoreError;
use crate::core::error::some_heads;

/// T5's number of buckets (`relative_attention_num_buckets`).
const NUM_BUCKETS: usize = 32;
/// The distance at which T5 stops telling distances apart, at the latest
/// (`relative_attention_max_distance`).
const MAX_DISTANCE: usize = 128;

/// How distances are dealt out to buckets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct T5Buckets {
    num_buckets: usize,
    max_distance: usize,
    bidirectional: bool,
}

impl T5Buckets {
    /// T5's own choice: 32 buckets up to distance 128.
    pub fn standard(bidirectional: bool) -> Self {
        Self {
            num_buckets: NUM_BUCKETS,
            max_distance: MAX_DISTANCE,
            bidirectional,
        }
    }

    /// # Errors
    /// If a side would have fewer than two buckets, or `max_distance` does not reach beyond the
    /// distances that have a bucket each (the logarithm's base would be 1 or less).
    pub fn new(
        num_buckets: usize,
        max_distance: usize,
        bidirectional: bool,
    ) -> Result<Self, CoreError> {
        let buckets = Self {
            num_buckets,
            max_distance,
            bidirectional,
        };
        if buckets.per_side() < 2 {
            return Err(CoreError::OutOfRange {
                name: "num_buckets",
                given: num_buckets as f64,
                allowed: "at least 2 a side",
            });
        }
        if max_distance <= buckets.exact() {
            return Err(CoreError::OutOfRange {
                name: "max_distance",
                given: max_distance as f64,
                allowed: "more than the number of exact buckets",
            });
        }
        Ok(buckets)
    }

    /// Number of buckets.
    pub fn num_buckets(&self) -> usize {
        self.num_buckets
    }

    /// Distance from which on all share the last bucket of their side, at the latest.
    pub fn max_distance(&self) -> usize {
        self.max_distance
    }

    fn per_side(&self) -> usize {
        if self.bidirectional {
            self.num_buckets / 2
        } else {
            self.num_buckets
        }
    }

    /// Distances below this have a bucket each.
    fn exact(&self) -> usize {
        self.per_side() / 2
    }

    /// Bucket of `relative_position = key − query`.
    ///
    /// A distance on the boundary of a logarithmic bucket opens it, as the mathematics say; the
    /// bare formula in `f64` can land one bucket lower.
    pub fn bucket(&self, relative_position: i64) -> usize {
        let (offset, distance) = if self.bidirectional {
            let ahead = if relative_position > 0 {
                self.per_side()
            } else {
                0
            };
            (ahead, relative_position.unsigned_abs())
        } else {
            // Keys ahead of the query are masked; the reference gives them bucket 0.
            (0, relative_position.min(0).unsigned_abs())
        };
        let exact = self.exact() as u64;
        if distance < exact {
            return offset + distance as usize;
        }
        // Two buckets a side is the least, so `exact` is not zero and the logarithm is fine.
        let log_buckets = (self.per_side() - self.exact()) as u64;
        let step = self.log_step(distance, log_buckets);
        offset + (self.exact() + step).min(self.per_side() - 1)
    }

    /// `⌊ m · ln(distance / exact) / ln(max_distance / exact) ⌋` with m logarithmic buckets.
    fn log_step(&self, distance: u64, m: u64) -> usize {
        let exact = self.exact() as f64;
        let x = m as f64 * (distance as f64 / exact).ln() / (self.max_distance as f64 / exact).ln();
        let near = x.round();
        if (x - near).abs() < 1e-9 && near >= 0.0 && near <= m as f64 {
            let j = near as u64;
            let step = (self.max_distance as u64, self.exact() as u64);
            if same_power((distance, step.1), m, step, j) {
                return near as usize;
            }
        }
        x.floor().max(0.0) as usize
    }

    /// The smallest distance backwards that shares the last bucket with all beyond it.
    pub fn last_bucket_start(&self) -> usize {
        let of = |distance: usize| self.bucket(-(distance as i64));
        let last = of(self.max_distance);
        (0..self.max_distance)
            .find(|&d| of(d) == last)
            .unwrap_or(self.max_distance)
    }

    /// The smallest distance of each bucket, with the sign of key − query; a bucket that is never
    /// used (16 of 32, bidirectional) gets the first distance of its side.
    fn first_distances(&self) -> Vec<i64> {
        let side = self.per_side();
        let reach = self.max_distance as i64;
        (0..self.num_buckets)
            .map(|b| {
                let (sign, start) = if b >= side { (1, 1) } else { (-1, 0) };
                (start..=reach)
                    .map(|d| sign * d)
                    .find(|&d| self.bucket(d) >= b)
                    .unwrap_or(sign * reach)
            })
            .collect()
    }
}

/// 2^61 − 1, a Mersenne prime.
const PRIME: u128 = (1 << 61) - 1;

fn mul_mod(a: u64, b: u64) -> u64 {
    (u128::from(a) * u128::from(b) % PRIME) as u64
}

fn pow_mod(mut base: u64, mut exponent: u64) -> u64 {
    let mut power = 1;
    while exponent > 0 {
        if exponent % 2 == 1 {
            power = mul_mod(power, base);
        }
        base = mul_mod(base, base);
        exponent /= 2;
    }
    power
}

/// Whether `(a.0 / a.1)^m = (b.0 / b.1)^j`, for sides that agree to nine digits already: agreement
/// modulo a large prime then means that they are equal.
pub(super) fn same_power(a: (u64, u64), m: u64, b: (u64, u64), j: u64) -> bool {
    mul_mod(pow_mod(a.0, m), pow_mod(b.1, j)) == mul_mod(pow_mod(b.0, j), pow_mod(a.1, m))
}

/// The learnable table `[heads, 32]` of T5; column c is bucket c.
pub fn table(s: &Setting) -> BiasTable {
    let buckets = T5Buckets::standard(!s.causal);
    let first = buckets.first_distances();
    // BiasTable counts distance as query − key.
    BiasTable::new(s, buckets.num_buckets, |b| -first[b])
}

/// The bucket of (query, key), both below `n`. A bucket depends on the distance alone; computing
/// it once a distance keeps long sequences quick.
fn by_distance(buckets: T5Buckets, n: usize) -> impl Fn(usize, usize) -> usize + Clone + 'static {
    let all: Vec<usize> = (1 - n as i64..n as i64)
        .map(|d| buckets.bucket(d))
        .collect();
    move |i, j| all[j + n - 1 - i]
}

/// Offsets here are query − key, where T5 counts key − query.
impl Numbering for T5Buckets {
    fn index(&self, offset: i64) -> usize {
        self.bucket(-offset)
    }
    fn held(&self, column: usize) -> Option<(i64, Option<i64>)> {
        let ahead = self.bidirectional && column >= self.per_side();
        let side = if ahead { -1 } else { 1 };
        let reach = self.max_distance as i64;
        let mut all = (0..=reach)
            .map(|d| side * d)
            .filter(|&offset| self.index(offset) == column);
        let first = all.next()?;
        let last = all.next_back().unwrap_or(first);
        Some((first, (last.abs() < reach).then_some(last)))
    }
    fn saturates(&self) -> Option<usize> {
        Some(self.last_bucket_start())
    }
    fn both_sides(&self) -> bool {
        self.bidirectional
    }
}

/// Its public id.
pub const ID: &str = "t5";

/// The scheme of the list.
pub struct T5Scheme;

impl PositionScheme for T5Scheme {
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
        &[
            Parameter::Heads,
            Parameter::Bias,
            Parameter::BiasEdits,
            Parameter::Seed,
            Parameter::Causal,
        ]
    }
    fn prepare(&self, s: &Setting, n: usize) -> Result<Prepared, CoreError> {
        some_heads(s.heads)?;
        let index = by_distance(T5Buckets::standard(!s.causal), n);
        Ok(Prepared::ScoreBias(table(s).matrices(n, index)))
    }
    fn arrays(
        &self,
        s: &Setting,
        n: usize,
        rows: Range<usize>,
    ) -> Result<Vec<NamedArray>, CoreError> {
        some_heads(s.heads)?;
        let index = by_distance(T5Buckets::standard(!s.causal), n.max(rows.end));
        let table = table(s);
        Ok(vec![
            index_array(n, rows.clone(), index.clone()),
            bias_array(s.heads, n, rows, move |h, i, j| table.get(h, index(i, j))),
        ])
    }
    fn effect(&self, s: &Setting, head: usize, n: usize) -> Result<Effect, CoreError> {
        bias_effect(self, s, head, n)
    }
    fn learned(&self, s: &Setting, _: usize) -> Learned {
        Learned::new(s.heads * NUM_BUCKETS, Scope::Stack)
    }
    fn cost(&self, s: &Setting, n: usize) -> Cost {
        Cost::of_biases(s.heads, n)
    }
    fn beyond(&self, s: &Setting) -> Result<Beyond, CoreError> {
        Ok(Beyond::Shared {
            from: T5Buckets::standard(!s.causal).last_bucket_start(),
        })
    }
    fn takes(&self, s: &Setting, edit: &BiasEdit) -> bool {
        edit.head < s.heads && edit.index < NUM_BUCKETS
    }
    fn by_offset(&self, s: &Setting) -> Result<Option<Box<dyn ByOffset>>, CoreError> {
        some_heads(s.heads)?;
        Ok(Some(Box::new(TableBias {
            table: table(s),
            first: None,
            numbering: T5Buckets::standard(!s.causal),
        })))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_bucket_starts_where_all_beyond_share_it() {
        for both in [false, true] {
            let buckets = T5Buckets::standard(both);
            let start = buckets.last_bucket_start() as i64;
            assert_eq!(buckets.bucket(-start), buckets.bucket(-1_000_000));
            assert_ne!(buckets.bucket(1 - start), buckets.bucket(-start));
            assert!(start < 128);
        }
    }
}
