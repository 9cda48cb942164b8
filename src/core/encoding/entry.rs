//! Where a scheme enters attention, and what it brings there.

use std::borrow::Cow;

use super::Rotation;
use crate::core::error::same_size;
use crate::core::{CoreError, Matrix};

/// Where a scheme enters a Transformer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Entry {
    /// Nowhere.
    None,
    /// Added to the token vectors before the first layer.
    Additive,
    /// Rotates (and may scale) queries and keys in every layer.
    Rotary,
    /// Vectors added to the keys in every layer, one for each offset.
    Keys,
    /// Numbers added to the scores in every layer.
    ScoreBias,
}

/// A scheme made ready for `n` positions.
#[derive(Debug, Clone)]
pub enum Prepared {
    /// Nothing to do.
    None,
    /// `[n, d_model]`, to be added to the token vectors.
    Additive(Matrix),
    /// The rotation for queries and keys of one head at positions 0..n.
    Rotary(Rotation),
    /// Vectors for the keys: key j meets query i as `k_j + a_ij`.
    Keys(KeyVectors),
    /// One `[n, n]` bias a head, to be added to the scaled scores.
    ScoreBias(Vec<Matrix>),
}

/// A vector for each pair of positions, the same for all pairs of one table row.
#[derive(Debug, Clone)]
pub struct KeyVectors {
    /// One table a head, `[rows, head_dim]`.
    pub tables: Vec<Matrix>,
    /// Row of the table for (query, key), `[n, n]`.
    pub rows: nalgebra::DMatrix<usize>,
}

impl Prepared {
    /// Token vectors `[n, d_model]` as they go into the first layer.
    ///
    /// # Errors
    /// If `x` has another shape than what is added.
    pub fn input(&self, x: &Matrix) -> Result<Matrix, CoreError> {
        let Self::Additive(pe) = self else {
            return Ok(x.clone());
        };
        same_size("rows of the encoding", x.nrows(), pe.nrows())?;
        same_size("columns of the encoding", x.ncols(), pe.ncols())?;
        Ok(x + pe)
    }

    /// Queries and keys of one head, each `[n, head_dim]`, at `positions`, as they are multiplied.
    ///
    /// # Errors
    /// If the shapes do not fit.
    pub fn turned(
        &self,
        q: Matrix,
        k: Matrix,
        positions: &[f64],
    ) -> Result<(Matrix, Matrix), CoreError> {
        match self {
            Self::Rotary(rotation) => Ok((
                rotation.queries(&q, positions)?,
                rotation.keys(&k, positions)?,
            )),
            _ => Ok((q, k)),
        }
    }

    /// What is added to the scaled scores of a head, `[n, n]`, given its queries `[n, head_dim]` and
    /// the scale of the scores; nothing for schemes that enter elsewhere.
    ///
    /// # Errors
    /// If there is no such head, or the shapes do not fit.
    pub fn added(
        &self,
        head: usize,
        q: &Matrix,
        scale: f64,
    ) -> Result<Option<Cow<'_, Matrix>>, CoreError> {
        match self {
            Self::ScoreBias(heads) => {
                let bias = heads.get(head).ok_or_else(|| no_head(head, heads.len()))?;
                Ok(Some(Cow::Borrowed(bias)))
            }
            Self::Keys(vectors) => {
                let heads = vectors.tables.len();
                let table = vectors
                    .tables
                    .get(head)
                    .ok_or_else(|| no_head(head, heads))?;
                same_size("columns of q", table.ncols(), q.ncols())?;
                same_size("rows of q", vectors.rows.nrows(), q.nrows())?;
                // q·(k + a) = q·k + q·a, and each a serves many pairs: [n, rows] products are enough.
                let products = q * table.transpose() * scale;
                let of = |i, j| products[(i, vectors.rows[(i, j)])];
                let (n, m) = vectors.rows.shape();
                Ok(Some(Cow::Owned(Matrix::from_fn(n, m, of))))
            }
            _ => Ok(None),
        }
    }
}

fn no_head(head: usize, heads: usize) -> CoreError {
    CoreError::PastTheEnd {
        rows: heads,
        position: head,
    }
}
