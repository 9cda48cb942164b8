//! Relative position bias: a learnable number per head and clipped distance, added to the scores.
//!
//! `score(i, j) = q_i·k_j / √head_dim + b[head, clip(i − j, −R, R) + R]`, R = `max_rel_dist`
//! (the clipping of Shaw et al. 2018, arXiv 1803.02155, with scalars as in T5, arXiv 1910.10683).
//! The index is built for the length at hand, so `seq_len > R` works: all distances beyond R on
//! one side share a row.

use std::ops::Range;

use super::offset::{Numbering, TableBias};
pub use super::table::{BiasEdit, BiasStart, BiasTable};
use super::{
    Beyond, ByOffset, Cost, Effect, Entry, Learned, NamedArray, Parameter, PositionScheme,
    Prepared, Scope, Setting, Topic, bias_array, bias_effect, index_array,
};
use crate::core::CoreError;
use crate::core::error::some_heads;

/// Table column of a query at `i` and a key at `j`: `clip(i − j, −R, R) + R`, in 0..=2R.
pub fn relative_index(i: usize, j: usize, max_rel_dist: usize) -> usize {
    // The table read from its other end: query − key where Shaw has key − query.
    shaw_index(i as i64 - j as i64, max_rel_dist, max_rel_dist)
}

/// Shaw et al.'s index: `clip(key − query, −left, right) + left`, in 0..=left+right.
pub fn shaw_index(key_minus_query: i64, left: usize, right: usize) -> usize {
    if key_minus_query < 0 {
        left - left.min(magnitude(key_minus_query))
    } else {
        left + right.min(magnitude(key_minus_query))
    }
}

/// SpeechT5's index: `clip(query − key, −max, max − 1) + max`, in 0..2·max: one distance fewer on
/// the positive side.
pub fn asymmetric_index(query_minus_key: i64, max: usize) -> usize {
    shaw_index(query_minus_key, max, max.saturating_sub(1))
}

fn magnitude(distance: i64) -> usize {
    usize::try_from(distance.unsigned_abs()).unwrap_or(usize::MAX)
}

impl BiasTable {
    /// The table of the clipped scheme: column `R + δ` for distance δ = i − j.
    pub fn clipped(s: &Setting) -> Self {
        let r = s.max_rel_dist;
        Self::new(s, 2 * r + 1, |column| column as i64 - r as i64)
    }
}

/// Offsets clipped to ±R, in columns 0..=2R.
#[derive(Debug, Clone, Copy)]
pub struct Clipped {
    /// R.
    pub max_rel_dist: usize,
}

impl Numbering for Clipped {
    fn index(&self, offset: i64) -> usize {
        let (behind, ahead) = (offset.max(0) as usize, (-offset).max(0) as usize);
        relative_index(behind, ahead, self.max_rel_dist)
    }
    fn held(&self, column: usize) -> Option<(i64, Option<i64>)> {
        let offset = column as i64 - self.max_rel_dist as i64;
        let last = offset.unsigned_abs() as usize == self.max_rel_dist;
        Some((offset, (!last).then_some(offset)))
    }
    fn saturates(&self) -> Option<usize> {
        Some(self.max_rel_dist)
    }
}

/// Its public id.
pub const ID: &str = "relative";

/// The scheme of the list.
pub struct RelativeScheme;

impl PositionScheme for RelativeScheme {
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
            Parameter::MaxRelDist,
            Parameter::Heads,
            Parameter::Bias,
            Parameter::BiasEdits,
            Parameter::Seed,
        ]
    }
    fn prepare(&self, s: &Setting, n: usize) -> Result<Prepared, CoreError> {
        some_heads(s.heads)?;
        let r = s.max_rel_dist;
        let table = BiasTable::clipped(s);
        Ok(Prepared::ScoreBias(
            table.matrices(n, |i, j| relative_index(i, j, r)),
        ))
    }
    fn arrays(
        &self,
        s: &Setting,
        n: usize,
        rows: Range<usize>,
    ) -> Result<Vec<NamedArray>, CoreError> {
        some_heads(s.heads)?;
        let r = s.max_rel_dist;
        let table = BiasTable::clipped(s);
        Ok(vec![
            index_array(n, rows.clone(), move |i, j| relative_index(i, j, r)),
            bias_array(s.heads, n, rows, move |h, i, j| {
                table.get(h, relative_index(i, j, r))
            }),
        ])
    }
    fn effect(&self, s: &Setting, head: usize, n: usize) -> Result<Effect, CoreError> {
        bias_effect(self, s, head, n)
    }
    fn learned(&self, s: &Setting, _: usize) -> Learned {
        Learned::new(s.heads * columns(s), Scope::Layer)
    }
    fn cost(&self, s: &Setting, n: usize) -> Cost {
        Cost::of_biases(s.heads, n)
    }
    fn beyond(&self, s: &Setting) -> Result<Beyond, CoreError> {
        Ok(Beyond::Shared {
            from: s.max_rel_dist,
        })
    }
    fn takes(&self, s: &Setting, edit: &BiasEdit) -> bool {
        edit.head < s.heads && edit.index < columns(s)
    }
    fn by_offset(&self, s: &Setting) -> Result<Option<Box<dyn ByOffset>>, CoreError> {
        some_heads(s.heads)?;
        let numbering = Clipped {
            max_rel_dist: s.max_rel_dist,
        };
        Ok(Some(Box::new(TableBias {
            table: BiasTable::clipped(s),
            first: Some(-(s.max_rel_dist as i64)),
            numbering,
        })))
    }
}

/// Columns of the table: 2R + 1.
fn columns(s: &Setting) -> usize {
    2 * s.max_rel_dist + 1
}
