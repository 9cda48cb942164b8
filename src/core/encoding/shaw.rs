//! Relative position representations (Shaw et al. 2018, arXiv 1803.02155): a learnable vector for each
//! clipped offset is added to the keys, `score(i, j) = q_i·(k_j + a_clip(j − i)) / √head_dim`.
//!
//! The paper adds a second set to the values; its ablation (§4.3) finds that the keys' alone do
//! nearly as well, and scores, which is what this lesson looks at, know only them. Tables are those of
//! the base model: one a layer and head.

use std::ops::Range;

use super::offset::Numbering;
use super::relative::Clipped;
use super::{
    Beyond, ByOffset, Cost, Effect, Entry, KeyVectors, Learned, NamedArray, Numbers, Parameter,
    PositionScheme, Prepared, Scope, Setting, Topic, Unit, index_array, row_major,
};
use crate::core::analysis::dot;
use crate::core::error::some_heads;
use crate::core::rng::{self, random_vectors};
use crate::core::{CoreError, Matrix};

/// The table of one head, `[2R + 1, head_dim]`: row R + δ belongs to the offset δ = i − j (the paper
/// counts j − i). Drawn from N(0, 1), a stream a row, so that a larger R keeps the rows it had.
pub fn table(s: &Setting, head: usize, head_dim: usize) -> Matrix {
    let r = s.max_rel_dist;
    let mut out = Matrix::zeros(2 * r + 1, head_dim);
    for (at, mut row) in out.row_iter_mut().enumerate() {
        let side = if at < r { "key ahead" } else { "key behind" };
        let name = format!("shaw {head}: {side}");
        let numbers = rng::normals(s.seed, &name, at.abs_diff(r) as u64);
        row.iter_mut().zip(numbers).for_each(|(x, z)| *x = z);
    }
    out
}

/// The vectors of each head by offset.
struct ByVector {
    numbering: Clipped,
    tables: Vec<Matrix>,
}

impl ByVector {
    fn of(s: &Setting) -> Result<Self, CoreError> {
        some_heads(s.heads)?;
        let head_dim = s.whole_head_dim()?;
        Ok(Self {
            numbering: Clipped {
                max_rel_dist: s.max_rel_dist,
            },
            tables: (0..s.heads).map(|h| table(s, h, head_dim)).collect(),
        })
    }

    fn row(&self, i: usize, j: usize) -> usize {
        self.numbering.index(i as i64 - j as i64)
    }
}

impl ByOffset for ByVector {
    fn index(&self, offset: i64) -> usize {
        self.numbering.index(offset)
    }
    /// Rows of vectors, not of numbers.
    fn numbers(&self) -> Option<Numbers> {
        None
    }
    fn held(&self, column: usize) -> Option<(i64, Option<i64>)> {
        self.numbering.held(column)
    }
    fn saturates(&self) -> Option<usize> {
        self.numbering.saturates()
    }
    fn bias(&self, head: usize, offset: i64, query: &[f64]) -> f64 {
        let Some(table) = self.tables.get(head) else {
            return 0.0;
        };
        let row: Vec<f64> = table.row(self.index(offset)).iter().copied().collect();
        dot(query, &row) / (table.ncols() as f64).sqrt()
    }
    fn needs_query(&self) -> bool {
        true
    }
}

/// Its public id.
pub const ID: &str = "shaw";

/// The scheme of the list.
pub struct ShawScheme;

impl PositionScheme for ShawScheme {
    fn id(&self) -> &'static str {
        ID
    }
    fn topic(&self) -> Topic {
        Topic::Relative
    }
    fn entry(&self) -> Entry {
        Entry::Keys
    }
    fn parameters(&self) -> &'static [Parameter] {
        &[
            Parameter::DModel,
            Parameter::Heads,
            Parameter::MaxRelDist,
            Parameter::Seed,
        ]
    }
    fn prepare(&self, s: &Setting, n: usize) -> Result<Prepared, CoreError> {
        let by_vector = ByVector::of(s)?;
        Ok(Prepared::Keys(KeyVectors {
            rows: nalgebra::DMatrix::from_fn(n, n, |i, j| by_vector.row(i, j)),
            tables: by_vector.tables,
        }))
    }
    fn arrays(
        &self,
        s: &Setting,
        n: usize,
        rows: Range<usize>,
    ) -> Result<Vec<NamedArray>, CoreError> {
        let by_vector = ByVector::of(s)?;
        let shape = vec![s.heads, 2 * s.max_rel_dist + 1, s.head_dim()];
        let numbering = by_vector.numbering;
        Ok(vec![
            index_array(n, rows, move |i, j| numbering.index(i as i64 - j as i64)),
            NamedArray::lazy("key_vectors", shape, move || {
                by_vector.tables.iter().flat_map(row_major).collect()
            }),
        ])
    }
    /// Depends on the query, so it is that of the queries which the page's attention figure has.
    fn effect(&self, s: &Setting, head: usize, n: usize) -> Result<Effect, CoreError> {
        let head_dim = s.whole_head_dim()?;
        let queries = random_vectors(s.seed, "q", n, head_dim);
        let scale = 1.0 / (head_dim as f64).sqrt();
        let prepared = self.prepare(s, n)?;
        Ok(match prepared.added(head, &queries, scale)? {
            Some(values) => Effect::ByPair(Unit::AddedForQuery, values.into_owned()),
            None => Effect::Nothing,
        })
    }
    fn learned(&self, s: &Setting, _: usize) -> Learned {
        Learned::new(s.d_model * (2 * s.max_rel_dist + 1), Scope::Layer)
    }
    /// q·a for each query and row of the table, and an addition for each pair.
    fn cost(&self, s: &Setting, n: usize) -> Cost {
        Cost::new(
            2 * n * s.d_model * (2 * s.max_rel_dist + 1) + s.heads * n * n,
            Scope::Layer,
        )
    }
    fn beyond(&self, s: &Setting) -> Result<Beyond, CoreError> {
        Ok(Beyond::Shared {
            from: s.max_rel_dist,
        })
    }
    fn by_offset(&self, s: &Setting) -> Result<Option<Box<dyn ByOffset>>, CoreError> {
        Ok(Some(Box::new(ByVector::of(s)?)))
    }
}
