//! The learnable table of numbers behind a bias.

use super::Setting;
use crate::core::error::same_size;
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

/// A learnable table `[heads, columns]` of biases.
#[derive(Debug, Clone, PartialEq)]
pub struct BiasTable {
    heads: usize,
    columns: usize,
    values: Vec<f64>,
}

impl BiasTable {
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
                columns.sort_by_key(|c| distance(*c).unsigned_abs());
                let stream = rng::normals(s.seed, name, head as u64);
                for (c, value) in columns.into_iter().zip(stream) {
                    row[c] = value;
                }
            }
        }
    }
}
