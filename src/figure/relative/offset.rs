//! What the figures of the relative page share: how a scheme numbers offsets, and its biases.

use crate::core::encoding::relative::{BiasTable, relative_index};
use crate::core::encoding::{alibi, t5};
use crate::state::Params;

/// Which of the relative schemes is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Family {
    /// One learnable number for each clipped offset.
    Clipped,
    /// One learnable number for each of T5's buckets.
    Buckets,
    /// ALiBi's fixed slope.
    Slope,
}

/// Offsets δ = i − j of query i and key j: positive where the key lies before the query.
#[derive(Debug, Clone, Copy)]
pub struct Offsets {
    /// The scheme.
    pub family: Family,
    max_rel_dist: usize,
    buckets: t5::T5Buckets,
    /// Whether keys after the query are hidden.
    pub causal: bool,
}

impl Offsets {
    /// Those of the scheme shown.
    pub fn of(p: &Params) -> Self {
        let family = match p.scheme.id() {
            "t5" => Family::Buckets,
            "alibi" => Family::Slope,
            _ => Family::Clipped,
        };
        Self {
            family,
            max_rel_dist: p.setting.max_rel_dist,
            buckets: t5::T5Buckets::standard(!p.setting.causal),
            causal: p.setting.causal,
        }
    }

    /// Column of the table for an offset; for ALiBi the distance.
    pub fn index(&self, offset: i64) -> usize {
        let ahead = (-offset).max(0) as usize;
        let behind = offset.max(0) as usize;
        match self.family {
            Family::Clipped => relative_index(behind, ahead, self.max_rel_dist),
            Family::Buckets => self.buckets.bucket(-offset),
            Family::Slope => offset.unsigned_abs() as usize,
        }
    }

    /// [`Self::index`] of every offset of `n` positions: from −(n − 1) to n − 1.
    pub fn indices(&self, n: usize) -> Vec<usize> {
        let last = n as i64 - 1;
        (-last..=last).map(|offset| self.index(offset)).collect()
    }

    /// Columns of the learnable table; ALiBi has none.
    pub fn columns(&self) -> Option<usize> {
        match self.family {
            Family::Clipped => Some(2 * self.max_rel_dist + 1),
            Family::Buckets => Some(self.buckets.num_buckets()),
            Family::Slope => None,
        }
    }

    /// The nearest and farthest offset of a column, the latter `None` if it has no end; nothing
    /// for a bucket that is never used.
    pub fn held(&self, column: usize) -> Option<(i64, Option<i64>)> {
        match self.family {
            Family::Clipped => {
                let offset = column as i64 - self.max_rel_dist as i64;
                let last = offset.unsigned_abs() as usize == self.max_rel_dist;
                Some((offset, (!last).then_some(offset)))
            }
            Family::Slope => Some((column as i64, Some(column as i64))),
            Family::Buckets => {
                // T5 stops telling distances apart at 128 or before.
                let side = if !self.causal && column >= 16 { -1 } else { 1 };
                let all: Vec<i64> = (0..=128)
                    .map(|d| side * d)
                    .filter(|&offset| self.index(offset) == column)
                    .collect();
                let (first, last) = (*all.first()?, *all.last()?);
                Some((first, (last.abs() < 128).then_some(last)))
            }
        }
    }

    /// Whether it is the bucket that no offset falls into: a key after the query is at least one
    /// step away.
    pub fn unused(&self, column: usize) -> bool {
        self.family == Family::Buckets && !self.causal && column == self.buckets.num_buckets() / 2
    }

    /// The distance from which on all offsets of a side share one column, if there is one.
    pub fn saturates(&self) -> Option<usize> {
        match self.family {
            Family::Clipped => Some(self.max_rel_dist),
            Family::Buckets => {
                let last = self.index(1 << 20);
                (0..=128)
                    .find(|&d| self.index(d) == last)
                    .map(|d| d as usize)
            }
            Family::Slope => None,
        }
    }
}

/// The biases of every head.
pub enum Biases {
    /// Learnable.
    Table(BiasTable),
    /// ALiBi's slopes, one a head.
    Slopes(Vec<f64>),
}

impl Biases {
    /// Those of the parameters.
    pub fn of(p: &Params) -> Self {
        match Offsets::of(p).family {
            Family::Clipped => Self::Table(BiasTable::clipped(&p.setting)),
            Family::Buckets => Self::Table(t5::table(&p.setting)),
            Family::Slope => Self::Slopes(alibi::slopes(p.setting.heads)),
        }
    }

    /// The bias of a head at a column of the table, or for ALiBi at a distance.
    pub fn at(&self, head: usize, index: usize) -> f64 {
        match self {
            Self::Table(table) => table.get(head, index),
            Self::Slopes(slopes) => alibi::bias(slopes[head], index, 0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::encoding::Prepared;
    use crate::state::{Page, decode, resolve};

    fn params(query: &str) -> Params {
        resolve(
            &decode(&format!("page=relative&{query}")).0,
            |_| None::<Page>,
        )
        .0
    }

    #[test]
    fn indices_are_those_of_the_schemes() {
        let r = 3;
        let p = params("max_rel_dist=3");
        let offsets = Offsets::of(&p);
        for offset in -9..=9_i64 {
            assert_eq!(offsets.index(offset), (offset.clamp(-r, r) + r) as usize);
        }
        assert_eq!(Offsets::of(&params("scheme=alibi")).index(-5), 5);
        let both = Offsets::of(&params("scheme=t5"));
        assert_eq!([0, 7, 8, 91, 500].map(|d| both.index(d)), [0, 7, 8, 15, 15]);
        assert_eq!([-1, -7, -500].map(|d| both.index(d)), [17, 23, 31]);
        let causal = Offsets::of(&params("scheme=t5&causal=1"));
        assert_eq!([15, 20, 50, 113].map(|d| causal.index(d)), [15, 17, 24, 31]);
        assert_eq!(causal.index(19), causal.index(20));
    }

    #[test]
    fn columns_know_their_offsets() {
        let both = Offsets::of(&params("scheme=t5"));
        for column in 0..32 {
            assert_eq!(both.held(column).is_none(), both.unused(column));
        }
        assert!(both.unused(16));
        assert_eq!(both.held(3), Some((3, Some(3))));
        assert_eq!(both.held(17), Some((-1, Some(-1))));
        assert_eq!(both.held(15), Some((91, None)));
        assert_eq!(both.saturates(), Some(91));
        let causal = Offsets::of(&params("scheme=t5&causal=1"));
        assert_eq!(causal.held(24), Some((46, Some(51))));
        assert_eq!(causal.saturates(), Some(113));
        let clipped = Offsets::of(&params("max_rel_dist=4"));
        assert_eq!(clipped.held(0), Some((-4, None)));
        assert_eq!(clipped.held(5), Some((1, Some(1))));
    }

    #[test]
    fn biases_are_those_that_attention_adds() {
        for query in [
            "",
            "scheme=t5",
            "scheme=t5&causal=1",
            "scheme=alibi&heads=2",
        ] {
            let p = params(&format!("{query}&max_rel_dist=5&bias_edits=1:2:7.5"));
            let n = 20;
            let Ok(Prepared::ScoreBias(all)) = p.scheme.prepare(&p.setting, n) else {
                panic!("a bias");
            };
            let (offsets, biases) = (Offsets::of(&p), Biases::of(&p));
            for (h, m) in all.iter().enumerate() {
                for (i, j) in (0..n).flat_map(|i| (0..n).map(move |j| (i, j))) {
                    let index = offsets.index(i as i64 - j as i64);
                    assert_eq!(biases.at(h, index), m[(i, j)]);
                }
            }
        }
    }
}
