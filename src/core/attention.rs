//! Scaled dot-product attention (arXiv 1706.03762, §3.2) with the three places where a position
//! encoding can enter.

use super::encoding::Prepared;
use super::encoding::sinusoidal::positions;
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
/// q and v are `[n, ·]`, k has q's width and v's rows; the bias is `[n, n]`.
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
    expect("columns of k", q.ncols(), k.ncols())?;
    expect("rows of v", k.nrows(), v.nrows())?;
    let mut scores = q * k.transpose() * scale;
    if let Some(b) = bias {
        expect("rows of the bias", scores.nrows(), b.nrows())?;
        expect("columns of the bias", scores.ncols(), b.ncols())?;
        scores += b;
    }
    let weights = softmax_rows(&scores, causal);
    let output = &weights * v;
    Ok(HeadAttention {
        scores,
        weights,
        output,
    })
}

/// Softmax of each row, over the keys up to the query's own position if `causal`.
///
/// The largest visible score is subtracted first, so that large scores do not overflow.
pub fn softmax_rows(scores: &Matrix, causal: bool) -> Matrix {
    let mut out = Matrix::zeros(scores.nrows(), scores.ncols());
    for i in 0..scores.nrows() {
        let visible = if causal {
            (i + 1).min(scores.ncols())
        } else {
            scores.ncols()
        };
        let row = scores.row(i);
        let top = row
            .columns(0, visible)
            .iter()
            .copied()
            .fold(f64::NEG_INFINITY, f64::max);
        let mut sum = 0.0;
        for j in 0..visible {
            let e = (row[j] - top).exp();
            out[(i, j)] = e;
            sum += e;
        }
        for j in 0..visible {
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
        if self.heads == 0 || d_model % self.heads != 0 {
            return Err(CoreError::HeadsDoNotDivide {
                d_model,
                heads: self.heads,
            });
        }
        let head_dim = d_model / self.heads;
        let scale = 1.0 / (head_dim as f64).sqrt();
        let at = positions(0..x.nrows());
        let [q, k, v] = [(&self.w_q, 0), (&self.w_k, 1), (&self.w_v, 2)]
            .map(|(w, which)| self.project(x, w, which));
        let mut weights = Vec::with_capacity(self.heads);
        let mut joined = Matrix::zeros(x.nrows(), d_model);
        for h in 0..self.heads {
            let part = |m: &Matrix| m.columns(h * head_dim, head_dim).into_owned();
            let (mut q, mut k) = (part(&q), part(&k));
            let mut bias = None;
            match position {
                Prepared::None | Prepared::Additive(_) => {}
                Prepared::Rotary(rope) => {
                    q = rope.apply(&q, &at)?;
                    k = rope.apply(&k, &at)?;
                }
                Prepared::ScoreBias(b) => {
                    bias = Some(b.get(h).ok_or(CoreError::Shape {
                        what: "heads of the bias",
                        expected: self.heads,
                        given: b.len(),
                    })?);
                }
            }
            let head = attend(&q, &k, &part(&v), scale, bias, causal)?;
            joined
                .columns_mut(h * head_dim, head_dim)
                .copy_from(&head.output);
            weights.push(head.weights);
        }
        Ok(MultiHeadOutput {
            weights,
            output: self.project(&joined, &self.w_o, 3),
        })
    }

    fn project(&self, x: &Matrix, w: &Matrix, which: usize) -> Matrix {
        let mut y = x * w.transpose();
        if let Some(biases) = &self.biases {
            for (mut column, b) in y.column_iter_mut().zip(&biases[which]) {
                column.add_scalar_mut(*b);
            }
        }
        y
    }
}

fn expect(what: &'static str, expected: usize, given: usize) -> Result<(), CoreError> {
    if expected == given {
        return Ok(());
    }
    Err(CoreError::Shape {
        what,
        expected,
        given,
    })
}
