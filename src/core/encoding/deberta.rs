//! DeBERTa's signed buckets (He et al., arXiv 2006.03654; `make_log_bucket_position` in
//! transformers): near distances have a bucket each, far ones share logarithmic buckets.

use super::t5::same_power;
use crate::core::CoreError;

/// How distances are dealt out to buckets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DebertaBuckets {
    /// Distances up to this have a bucket each: half of `bucket_size`.
    exact: u64,
    /// The distance at which the buckets reach `bucket_size − 1`: `max_position − 1`.
    far: u64,
}

impl DebertaBuckets {
    /// # Errors
    /// If `bucket_size` is below 2, or `max_position − 1` does not reach beyond the distances that
    /// have a bucket each (the logarithm's base would be 1 or less).
    pub fn new(bucket_size: usize, max_position: usize) -> Result<Self, CoreError> {
        let exact = bucket_size / 2;
        for (name, given, least, allowed) in [
            ("bucket_size", bucket_size, 2, "at least 2"),
            (
                "max_position",
                max_position,
                exact + 2,
                "more than half of bucket_size and one",
            ),
        ] {
            if given < least {
                return Err(CoreError::OutOfRange {
                    name,
                    given: given as f64,
                    allowed,
                });
            }
        }
        Ok(Self {
            exact: exact as u64,
            far: max_position as u64 - 1,
        })
    }

    /// Bucket of `query − key` (T5 counts key − query), with the distance's sign. With e exact
    /// buckets a farther distance d has `e + ⌈(e − 1) · ln(d/e) / ln((max_position − 1)/e)⌉`,
    /// which does not stop at `max_position`.
    pub fn bucket(&self, query_minus_key: i64) -> i64 {
        let distance = query_minus_key.unsigned_abs();
        let e = self.exact;
        if distance <= e {
            return query_minus_key;
        }
        let part = |d: u64| (d as f64 / e as f64).ln();
        let x = (e - 1) as f64 * part(distance) / part(self.far);
        let near = x.round();
        // On the boundary of a bucket the mathematics count, not the last bit of a logarithm.
        let on_it =
            (x - near).abs() < 1e-9 && same_power((distance, e), e - 1, (self.far, e), near as u64);
        let step = if on_it { near } else { x.ceil() };
        query_minus_key.signum() * (e as i64 + step as i64)
    }
}
