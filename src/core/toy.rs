//! The toy model behind `order`: pre-norm residual layers of multi-head attention, no MLP.
//!
//! Token vectors are N(0, 1) from (seed, token), projections N(0, 1/d_model) from (seed, layer):
//! large enough that schemes differ visibly. It shows structure, not meaning.

use super::attention::MultiHead;
use super::encoding::{Scheme, Setting};
use super::tokens::matching;
use super::{CoreError, Matrix, rng};

pub use super::rng::{random_vector, random_vectors};

/// The projections of every layer for one (seed, d_model, heads).
#[derive(Debug, Clone, PartialEq)]
pub struct ToyModel {
    layers: Vec<MultiHead>,
}

/// What the model computed for one sentence of n tokens.
#[derive(Debug, Clone, PartialEq)]
pub struct ToyRun {
    /// Token vectors before any position is added, `[n, d_model]`.
    pub x: Matrix,
    /// Attention weights `[layer][head]`, each `[n, n]`.
    pub weights: Vec<Vec<Matrix>>,
    /// Output after the last layer, `[n, d_model]`.
    pub output: Matrix,
}

/// How a sentence vector is made of token outputs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Pool {
    /// The mean over tokens.
    #[default]
    Mean,
    /// The last token's output.
    Last,
    /// None.
    None,
}

/// The same token has the same vector wherever it stands: `[tokens.len(), d_model]`.
pub fn token_vectors(seed: u32, tokens: &[String], d_model: usize) -> Matrix {
    Matrix::from_row_iterator(
        tokens.len(),
        d_model,
        tokens
            .iter()
            .flat_map(|t| rng::normals(seed, &format!("token {t}"), 0).take(d_model)),
    )
}

impl ToyModel {
    /// Draws the projections of `layers` layers.
    pub fn new(seed: u32, d_model: usize, heads: usize, layers: usize) -> Self {
        let deviation = 1.0 / (d_model as f64).sqrt();
        let projection = |name: &str, layer: usize| {
            random_vectors(seed, &format!("{name} {layer}"), d_model, d_model) * deviation
        };
        let layers = (0..layers)
            .map(|l| MultiHead {
                w_q: projection("w_q", l),
                w_k: projection("w_k", l),
                w_v: projection("w_v", l),
                w_o: projection("w_o", l),
                biases: None,
                heads,
            })
            .collect();
        Self { layers }
    }

    /// The first layer, if there is one.
    pub fn first(&self) -> Option<&MultiHead> {
        self.layers.first()
    }

    /// Runs the tokens through the model under a scheme.
    ///
    /// # Errors
    /// If the setting is outside what the scheme is defined for, or its width or its heads are not
    /// the model's.
    pub fn run(
        &self,
        tokens: &[String],
        scheme: Scheme,
        setting: &Setting,
    ) -> Result<ToyRun, CoreError> {
        let x = token_vectors(setting.seed, tokens, setting.d_model);
        let prepared = scheme.prepare(setting, tokens.len())?;
        let mut h = prepared.input(&x)?;
        let mut weights = Vec::with_capacity(self.layers.len());
        for layer in &self.layers {
            let out = layer.forward(&layer_norm(&h), &prepared, setting.causal)?;
            h += out.output;
            weights.push(out.weights);
        }
        Ok(ToyRun {
            x,
            weights,
            output: h,
        })
    }
}

/// Each row brought to mean 0 and variance 1 (no learnable scale; ε = 1e-5 as in PyTorch).
pub fn layer_norm(x: &Matrix) -> Matrix {
    let mut out = x.clone();
    for mut row in out.row_iter_mut() {
        let n = row.ncols() as f64;
        let mean = row.sum() / n;
        row.add_scalar_mut(-mean);
        let variance = row.norm_squared() / n;
        row.scale_mut(1.0 / (variance + 1e-5).sqrt());
    }
    out
}

/// The largest difference between the outputs of the same token in both sentences (k-th
/// occurrence with k-th); `None` if one is no permutation of the other, or an output is not
/// `[tokens, d_model]`.
pub fn max_difference(
    (tokens_a, a): (&[String], &Matrix),
    (tokens_b, b): (&[String], &Matrix),
) -> Option<f64> {
    let map = matching(tokens_a, tokens_b)?;
    if a.shape() != b.shape() || a.nrows() != map.len() {
        return None;
    }
    Some(
        map.iter()
            .enumerate()
            .map(|(i, &j)| (a.row(i) - b.row(j)).amax())
            .fold(0.0, f64::max),
    )
}

/// The sentence vector `[d_model]`; `None` for [`Pool::None`] or no token.
pub fn pooled(output: &Matrix, pool: Pool) -> Option<Vec<f64>> {
    let n = output.nrows();
    if n == 0 {
        return None;
    }
    match pool {
        Pool::Mean => Some(output.row_mean().iter().copied().collect()),
        Pool::Last => Some(output.row(n - 1).iter().copied().collect()),
        Pool::None => None,
    }
}

/// Largest component of the difference of both sentence vectors; `None` for [`Pool::None`].
pub fn pooled_difference(a: &Matrix, b: &Matrix, pool: Pool) -> Option<f64> {
    let (a, b) = (pooled(a, pool)?, pooled(b, pool)?);
    Some(
        a.iter()
            .zip(&b)
            .map(|(x, y)| (x - y).abs())
            .fold(0.0, f64::max),
    )
}
