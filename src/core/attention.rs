//! Scaled dot-product attention (arXiv 1706.03762, §3.2) with the places where a position encoding
//! can enter.

use super::encoding::Prepared;
use super::encoding::sinusoidal::positions;
use super::error::same_size;
use super::{CoreError, Matrix};

/// What one head computed.
#[derive(Debug, Clone, PartialEq)]
pub struct HeadAttention {
    /// Scaled scores with their bias, before masking, `[n, n]` (query, key).
    pub scores: Matrix,
    /// Softmax of the visible scores, `[n, n]`; a masked weight is 0.
    pub weights: Matrix,
    /// `weights · v`, `[n, head_dim]`.
    pub output: Matrix,
}

/// One head: `softmax(q·kᵀ·scale + bias)·v`, keys after the query hidden if `causal`.
///
/// q is `[n, ·]`; k has q's width and v's rows, m of them; the bias is `[n, m]`. Queries and keys
/// count from the same first position, so with n ≠ m a causal query i sees the keys 0..=i.
///
/// # Errors
/// If the shapes do not fit together.
pub fn attend(
    q: &Matrix,
    k: &Matrix,
    v: &Matrix,
    scale: f64,
    bias: Option<&Matrix>,
    causal: bool,
) -> Result<HeadAttention, CoreError> {
    attend_where(q, k, v, scale, bias, |i, j| visible(i, j, causal))
}

/// [`attend`] under any mask: query i sees key j where `visible(i, j)`.
///
/// # Errors
/// If the shapes do not fit together.
pub fn attend_where(
    q: &Matrix,
    k: &Matrix,
    v: &Matrix,
    scale: f64,
    bias: Option<&Matrix>,
    visible: impl Fn(usize, usize) -> bool,
) -> Result<HeadAttention, CoreError> {
    same_size("columns of k", q.ncols(), k.ncols())?;
    same_size("rows of v", k.nrows(), v.nrows())?;
    let mut scores = q * k.transpose() * scale;
    if let Some(b) = bias {
        same_size("rows of the bias", scores.nrows(), b.nrows())?;
        same_size("columns of the bias", scores.ncols(), b.ncols())?;
        scores += b;
    }
    let weights = softmax_rows_where(&scores, visible);
    let output = &weights * v;
    Ok(HeadAttention {
        scores,
        weights,
        output,
    })
}

/// Whether the query at position `i` may look at the key at position `j`.
pub fn visible(i: usize, j: usize, causal: bool) -> bool {
    !causal || j <= i
}

/// Softmax of each row, over the keys up to the query's own position if `causal`.
pub fn softmax_rows(scores: &Matrix, causal: bool) -> Matrix {
    softmax_rows_where(scores, |i, j| visible(i, j, causal))
}

/// Softmax of each row over the visible keys; a hidden key's weight is exactly 0.
///
/// The largest visible score is subtracted first, so that large scores do not overflow. A row
/// without a visible key is all zeros: such a query takes nothing from anyone.
pub fn softmax_rows_where(scores: &Matrix, visible: impl Fn(usize, usize) -> bool) -> Matrix {
    let mut out = Matrix::zeros(scores.nrows(), scores.ncols());
    for i in 0..scores.nrows() {
        let keys = || (0..scores.ncols()).filter(|&j| visible(i, j));
        let top = keys()
            .map(|j| scores[(i, j)])
            .fold(f64::NEG_INFINITY, f64::max);
        if top == f64::NEG_INFINITY {
            continue;
        }
        let mut sum = 0.0;
        for j in keys() {
            // Equal to the top first, so that an infinite score does not become ∞ − ∞.
            let e = if scores[(i, j)] == top {
                1.0
            } else {
                (scores[(i, j)] - top).exp()
            };
            out[(i, j)] = e;
            sum += e;
        }
        for j in keys() {
            out[(i, j)] /= sum;
        }
    }
    out
}

/// Projections of multi-head attention, in PyTorch's convention `y = x·Wᵀ + b`.
#[derive(Debug, Clone, PartialEq)]
pub struct MultiHead {
    /// Query projection `[d_model, d_model]`.
    pub w_q: Matrix,
    /// Key projection `[d_model, d_model]`.
    pub w_k: Matrix,
    /// Value projection `[d_model, d_model]`.
    pub w_v: Matrix,
    /// Output projection `[d_model, d_model]`.
    pub w_o: Matrix,
    /// Biases of the four projections, each `[d_model]`, if there are any.
    pub biases: Option<[Vec<f64>; 4]>,
    /// Number of heads.
    pub heads: usize,
}

/// What a multi-head layer computed.
#[derive(Debug, Clone, PartialEq)]
pub struct MultiHeadOutput {
    /// Attention weights of each head, `[n, n]`.
    pub weights: Vec<Matrix>,
    /// `[n, d_model]`.
    pub output: Matrix,
}

impl MultiHead {
    /// Self-attention over `x` `[n, d_model]`. An additive encoding has been added to `x` before
    /// the first layer, so here it changes nothing.
    ///
    /// # Errors
    /// If `heads` does not divide the width, or shapes do not fit.
    pub fn forward(
        &self,
        x: &Matrix,
        position: &Prepared,
        causal: bool,
    ) -> Result<MultiHeadOutput, CoreError> {
        let d_model = x.ncols();
        let head_dim = self.head_dim(d_model)?;
        let scale = 1.0 / (head_dim as f64).sqrt();
        let at = positions(0..x.nrows());
        let q = self.project(x, &self.w_q, 0)?;
        let k = self.project(x, &self.w_k, 1)?;
        let v = self.project(x, &self.w_v, 2)?;
        let mut weights = Vec::with_capacity(self.heads);
        let mut joined = Matrix::zeros(x.nrows(), d_model);
        for h in 0..self.heads {
            let part = |m: &Matrix| m.columns(h * head_dim, head_dim).into_owned();
            let (q, k) = position.turned(part(&q), part(&k), &at)?;
            let bias = position.added(h, &q, scale)?;
            let head = attend(&q, &k, &part(&v), scale, bias.as_deref(), causal)?;
            joined
                .columns_mut(h * head_dim, head_dim)
                .copy_from(&head.output);
            weights.push(head.weights);
        }
        Ok(MultiHeadOutput {
            weights,
            output: self.project(&joined, &self.w_o, 3)?,
        })
    }

    /// Width of one head.
    pub(super) fn head_dim(&self, d_model: usize) -> Result<usize, CoreError> {
        if self.heads == 0 || !d_model.is_multiple_of(self.heads) {
            return Err(CoreError::HeadsDoNotDivide {
                d_model,
                heads: self.heads,
            });
        }
        Ok(d_model / self.heads)
    }

    /// `x·wᵀ`, and the bias of projection `which`: q, k, v, output.
    pub(super) fn project(
        &self,
        x: &Matrix,
        w: &Matrix,
        which: usize,
    ) -> Result<Matrix, CoreError> {
        same_size("rows of a projection", x.ncols(), w.nrows())?;
        same_size("columns of a projection", x.ncols(), w.ncols())?;
        // x·wᵀ as (w·xᵀ)ᵀ: x is small and w is not, and transposing costs.
        let mut y = (w * x.transpose()).transpose();
        if let Some(biases) = &self.biases {
            same_size("bias of a projection", y.ncols(), biases[which].len())?;
            for (mut column, b) in y.column_iter_mut().zip(&biases[which]) {
                column.add_scalar_mut(*b);
            }
        }
        Ok(y)
    }
}
