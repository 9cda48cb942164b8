//! Learned absolute embeddings, as in BERT and GPT-2: a table with one row a position.
//!
//! Nothing is trained here, so the rows are what training starts from, drawn large enough
//! (N(0, 1)) to be seen. A table ends: there is no row for a position past its length.

use std::ops::Range;

use super::{
    Beyond, Cost, Effect, Entry, Learned, NamedArray, Parameter, PositionScheme, Prepared, Scope,
    Setting, Topic, Unit, row_major,
};
use crate::core::analysis::cosine;
use crate::core::{CoreError, Matrix, rng};

/// Row `pos` of the table, `[d_model]`. Depends on the seed and the position alone.
pub fn row(seed: u32, pos: usize, d_model: usize) -> Vec<f64> {
    rng::normals(seed, "learned", pos as u64)
        .take(d_model)
        .collect()
}

/// A table of `rows` learned positions.
#[derive(Debug, Clone, PartialEq)]
pub struct LearnedTable(Matrix);

impl LearnedTable {
    /// `[rows, d_model]` drawn from the seed.
    pub fn new(seed: u32, rows: usize, d_model: usize) -> Self {
        Self(matrix(seed, 0..rows, d_model))
    }

    /// The embedding of one position, `[d_model]`.
    ///
    /// # Errors
    /// [`CoreError::PastTheEnd`] if the table has no such row; real code that does not check
    /// reads garbage there.
    pub fn lookup(&self, position: usize) -> Result<Vec<f64>, CoreError> {
        if position < self.0.nrows() {
            Ok(self.0.row(position).iter().copied().collect())
        } else {
            Err(CoreError::PastTheEnd {
                rows: self.0.nrows(),
                position,
            })
        }
    }
}

fn matrix(seed: u32, rows: Range<usize>, d_model: usize) -> Matrix {
    let n = rows.len();
    Matrix::from_row_iterator(n, d_model, rows.flat_map(|p| row(seed, p, d_model)))
}

/// Its public id.
pub const ID: &str = "learned";

/// The scheme of the list.
pub struct LearnedScheme;

impl PositionScheme for LearnedScheme {
    fn id(&self) -> &'static str {
        ID
    }
    fn topic(&self) -> Topic {
        Topic::Absolute
    }
    fn entry(&self) -> Entry {
        Entry::Additive
    }
    fn parameters(&self) -> &'static [Parameter] {
        &[Parameter::DModel, Parameter::Seed]
    }
    fn prepare(&self, s: &Setting, n: usize) -> Result<Prepared, CoreError> {
        Ok(Prepared::Additive(matrix(s.seed, 0..n, s.d_model)))
    }
    fn arrays(
        &self,
        s: &Setting,
        _: usize,
        rows: Range<usize>,
    ) -> Result<Vec<NamedArray>, CoreError> {
        let (seed, d_model) = (s.seed, s.d_model);
        Ok(vec![NamedArray::lazy(
            "pe",
            vec![rows.len(), d_model],
            move || row_major(&matrix(seed, rows, d_model)),
        )])
    }
    fn effect(&self, s: &Setting, _: usize, n: usize) -> Result<Effect, CoreError> {
        let rows: Vec<_> = (0..n).map(|r| row(s.seed, r, s.d_model)).collect();
        let cosines = Matrix::from_fn(n, n, |i, j| cosine(&rows[i], &rows[j]));
        Ok(Effect::ByPair(Unit::Cosine, cosines))
    }
    fn learned(&self, s: &Setting, n: usize) -> Learned {
        Learned::new(n * s.d_model, Scope::Model)
    }
    fn cost(&self, s: &Setting, n: usize) -> Cost {
        Cost::new(n * s.d_model, Scope::Model)
    }
    fn beyond(&self, _: &Setting) -> Result<Beyond, CoreError> {
        Ok(Beyond::Missing)
    }
}
