//! Relative position bias: a learnable number per head and clipped distance, added to the scores.
//!
//! `score(i, j) = q_i·k_j / √head_dim + b[head, clip(i − j, −R, R) + R]`, R = `max_rel_dist`
//! (the clipping of Shaw et al. 2018, arXiv 1803.02155, with scalars as in T5, arXiv 1910.10683).
//! The index is built for the length at hand, so `seq_len > R` works: all distances beyond R on
//! one side share a row.

use std::ops::Range;

use super::offset::{Numbering, TableBias};
use super::{
    Beyond, ByOffset, Cost, Effect, Entry, Learned, NamedArray, Parameter, PositionScheme,
    Prepared, Scope, Setting, Topic, bias_array, bias_effect, index_array,
};
use crate::core::error::{same_size, some_heads};
use crate::core::{CoreError, Matrix, rng};

/// Where the learnable table starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum BiasStart {
    /// N(0, 1) from the seed.
    #[default]
    Random,
    /// `−ln(1 + |δ|) · (head + 1) / heads`: falls with distance, faster in later heads; symmetric.
    Decay,
    /// All zero: attention as if there were no bias.
    Zero,
}

/// One changed entry of the learnable table.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BiasEdit {
    /// Head, from 0.
    pub head: usize,
    /// Column of the table (0..2R+1, or the T5 bucket).
    pub index: usize,
    /// The new value.
    pub value: f64,
}

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

/// A learnable table `[heads, columns]` of biases.
#[derive(Debug, Clone, PartialEq)]
pub struct BiasTable {
    heads: usize,
    columns: usize,
    values: Vec<f64>,
}

impl BiasTable {
    /// The table of the clipped scheme: column `R + δ` for distance δ = i − j.
    pub fn clipped(s: &Setting) -> Self {
        let r = s.max_rel_dist;
        Self::new(s, 2 * r + 1, |column| column as i64 - r as i64)
    }

    /// A table whose column c stands for distances that begin at `distance(c)`.
    pub(crate) fn new(s: &Setting, columns: usize, distance: impl Fn(usize) -> i64) -> Self {
        let mut values = vec![0.0; s.heads * columns];
        for (h, row) in values.chunks_mut(columns.max(1)).enumerate() {
            fill(row, s, h, &distance);
        }
        Self::edited(s, columns, values)
    }

    /// A table of `s.heads` rows with given values, and then the changes of the setting.
    pub(crate) fn edited(s: &Setting, columns: usize, mut values: Vec<f64>) -> Self {
        for e in &s.bias_edits {
            if e.head < s.heads && e.index < columns {
                values[e.head * columns + e.index] = e.value;
            }
        }
        Self {
            heads: s.heads,
            columns,
            values,
        }
    }

    /// A table with given values, `[heads, columns]` row by row.
    ///
    /// # Errors
    /// If the number of values is not `heads · columns`.
    pub fn from_values(heads: usize, columns: usize, values: Vec<f64>) -> Result<Self, CoreError> {
        same_size("bias table", heads.saturating_mul(columns), values.len())?;
        Ok(Self {
            heads,
            columns,
            values,
        })
    }

    /// Number of heads.
    pub fn heads(&self) -> usize {
        self.heads
    }

    /// Number of columns: 2R + 1, or the number of buckets.
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// The biases of one head, `[columns]`; empty if there is no such head.
    pub fn head(&self, head: usize) -> &[f64] {
        let start = head * self.columns;
        self.values.get(start..start + self.columns).unwrap_or(&[])
    }

    /// One value; 0, no bias, where the table has no such head or column.
    pub fn get(&self, head: usize, column: usize) -> f64 {
        self.head(head).get(column).copied().unwrap_or(0.0)
    }

    /// One `[n, n]` matrix a head, given the column of (query, key).
    pub fn matrices(&self, n: usize, index: impl Fn(usize, usize) -> usize) -> Vec<Matrix> {
        self.matrices_of(n, n, index)
    }

    /// One `[queries, keys]` matrix a head, given the column of (query, key).
    pub fn matrices_of(
        &self,
        queries: usize,
        keys: usize,
        index: impl Fn(usize, usize) -> usize,
    ) -> Vec<Matrix> {
        let columns = nalgebra::DMatrix::from_fn(queries, keys, index);
        (0..self.heads)
            .map(|h| columns.map(|column| self.get(h, column)))
            .collect()
    }
}

fn fill(row: &mut [f64], s: &Setting, head: usize, distance: &dyn Fn(usize) -> i64) {
    match s.bias {
        BiasStart::Zero => {}
        BiasStart::Decay => {
            let steep = (head + 1) as f64 / s.heads as f64;
            for (c, v) in row.iter_mut().enumerate() {
                *v = -steep * (1.0 + distance(c).unsigned_abs() as f64).ln();
            }
        }
        // One stream a side, nearest first: a larger max_rel_dist keeps the values it had.
        BiasStart::Random => {
            for (ahead, name) in [(true, "bias: key ahead"), (false, "bias: key behind")] {
                let of_side = |c: &usize| (distance(*c) < 0) == ahead;
                let mut columns: Vec<usize> = (0..row.len()).filter(of_side).collect();
                // A table lists each side from its nearest distance on, or back to it.
                let far = |c: Option<&usize>| c.map(|c| distance(*c).unsigned_abs());
                if far(columns.first()) > far(columns.last()) {
                    columns.reverse();
                }
                let stream = rng::normals(s.seed, name, head as u64);
                for (c, value) in columns.into_iter().zip(stream) {
                    row[c] = value;
                }
            }
        }
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
        Learned {
            numbers: s.heads * columns(s),
            scope: Scope::Layer,
        }
    }
    fn cost(&self, s: &Setting, n: usize) -> Cost {
        Cost {
            operations: s.heads * n * n,
            scope: Scope::Layer,
        }
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
