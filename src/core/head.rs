//! One attention head, stage by stage: what it computes on the way from token vectors to its output.

use super::attention::{MultiHead, softmax_rows};
use super::encoding::sinusoidal::positions;
use super::encoding::{Entry, Prepared};
use super::toy::layer_norm;
use super::{CoreError, Matrix};

/// A stage of an attention head, in the order in which they are computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Stage {
    /// The token vectors as they go into the layer.
    Input,
    /// Queries, keys and values: the normalised input through three projections.
    Projected,
    /// Queries and keys as they are multiplied.
    Turned,
    /// The product of each query with each key.
    Products,
    /// The products divided by the root of the head's width.
    Scaled,
    /// The scores: with what is added to them, and masked.
    Scores,
    /// Softmax of the scores of each query.
    Weights,
    /// The values, added up with those weights.
    Output,
}

impl Stage {
    /// Every stage, in order.
    pub const ALL: [Self; 8] = [
        Self::Input,
        Self::Projected,
        Self::Turned,
        Self::Products,
        Self::Scaled,
        Self::Scores,
        Self::Weights,
        Self::Output,
    ];
}

impl Entry {
    /// The stage at which position enters a head; none for what enters nowhere.
    pub fn stage(self) -> Option<Stage> {
        match self {
            Self::None => None,
            Self::Additive => Some(Stage::Input),
            Self::Rotary => Some(Stage::Turned),
            Self::Keys => Some(Stage::Products),
            Self::ScoreBias => Some(Stage::Scores),
        }
    }
}

/// What one head of the first layer computed for n tokens, stage by stage.
#[derive(Debug, Clone, PartialEq)]
pub struct HeadSteps {
    /// Token vectors before any position is added, `[n, d_model]`.
    pub x: Matrix,
    /// As they go into the layer: with what the scheme adds to them, `[n, d_model]`.
    pub input: Matrix,
    /// The input with each row at mean 0 and variance 1, `[n, d_model]`.
    pub normed: Matrix,
    /// Queries and keys as they are projected, `[n, head_dim]`.
    pub projected: [Matrix; 2],
    /// Values, `[n, head_dim]`.
    pub v: Matrix,
    /// Queries as they are multiplied, `[n, head_dim]`.
    pub q: Matrix,
    /// Keys as they are multiplied, `[n, head_dim]`, without what is added to them for each query.
    pub k: Matrix,
    /// What vectors added to the keys bring into the products, `[n, n]`, if there are such vectors.
    pub from_keys: Option<Matrix>,
    /// q·k of each query and key, `[n, n]`; with `from_keys`, if there is any.
    pub products: Matrix,
    /// The products times the scale, `[n, n]`.
    pub scaled: Matrix,
    /// What the scheme adds to the scaled products, `[n, n]`, if it adds something.
    pub bias: Option<Matrix>,
    /// `scaled` with the bias, before masking, `[n, n]`.
    pub scores: Matrix,
    /// Softmax of the visible scores of each row, `[n, n]`; a masked weight is 0.
    pub weights: Matrix,
    /// `weights · v`, `[n, head_dim]`.
    pub output: Matrix,
}

impl MultiHead {
    /// What the head with number `head` makes of token vectors `x` `[n, d_model]` under a scheme, if
    /// this is the first layer of a pre-norm model.
    ///
    /// # Errors
    /// If `heads` does not divide the width, there is no such head, or shapes do not fit.
    pub fn steps(
        &self,
        x: &Matrix,
        position: &Prepared,
        causal: bool,
        head: usize,
    ) -> Result<HeadSteps, CoreError> {
        let head_dim = self.head_dim(x.ncols())?;
        if head >= self.heads {
            return Err(CoreError::PastTheEnd {
                rows: self.heads,
                position: head,
            });
        }
        let input = position.input(x)?;
        let normed = layer_norm(&input);
        let of_head = |w: &Matrix, which| -> Result<Matrix, CoreError> {
            let all = self.project(&normed, w, which)?;
            Ok(all.columns(head * head_dim, head_dim).into_owned())
        };
        let projected = [of_head(&self.w_q, 0)?, of_head(&self.w_k, 1)?];
        let v = of_head(&self.w_v, 2)?;
        let [q, k] = projected.clone();
        let (q, k) = position.turned(q, k, &positions(0..x.nrows()))?;
        let scale = 1.0 / (head_dim as f64).sqrt();
        // q·(k + a) = q·k + q·a: what is added to keys belongs to the products, before they are scaled.
        let (from_keys, bias) = match position {
            Prepared::Keys(_) => (position.added(head, &q, 1.0)?, None),
            _ => (None, position.added(head, &q, scale)?),
        };
        let mut products = &q * k.transpose();
        if let Some(added) = &from_keys {
            products += added.as_ref();
        }
        let scaled = &products * scale;
        let scores = match &bias {
            Some(added) => &scaled + added.as_ref(),
            None => scaled.clone(),
        };
        let weights = softmax_rows(&scores, causal);
        let output = &weights * &v;
        Ok(HeadSteps {
            x: x.clone(),
            from_keys: from_keys.map(|m| m.into_owned()),
            bias: bias.map(|m| m.into_owned()),
            input,
            normed,
            projected,
            v,
            q,
            k,
            products,
            scaled,
            scores,
            weights,
            output,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::encoding::relative::BiasStart;
    use crate::core::encoding::rope::Pairing;
    use crate::core::encoding::rope_scaling::LongContext;
    use crate::core::encoding::sinusoidal::Layout;
    use crate::core::encoding::{SCHEMES, Scheme, Setting};
    use crate::core::toy::{ToyModel, token_vectors};

    fn setting(d_model: usize, heads: usize, causal: bool) -> Setting {
        Setting {
            d_model,
            heads,
            base: 10000.0,
            max_rel_dist: 2,
            layout: Layout::Interleaved,
            pairing: if causal {
                Pairing::Half
            } else {
                Pairing::Interleaved
            },
            context: LongContext::default(),
            causal,
            seed: 42,
            bias: BiasStart::Random,
            bias_edits: Vec::new(),
        }
    }

    fn tokens() -> Vec<String> {
        ["我", "爱", "中国", "我"].map(str::to_owned).to_vec()
    }

    fn steps(s: &Setting, scheme: Scheme, head: usize) -> (MultiHead, HeadSteps) {
        let model = ToyModel::new(s.seed, s.d_model, s.heads, 1);
        let x = token_vectors(s.seed, &tokens(), s.d_model);
        let prepared = scheme.prepare(s, x.nrows()).expect("valid");
        let layer = model.first().expect("a layer").clone();
        let steps = layer.steps(&x, &prepared, s.causal, head).expect("fits");
        (layer, steps)
    }

    #[test]
    fn the_stages_end_in_what_the_toy_model_computes() {
        for scheme in SCHEMES {
            for (d_model, heads, causal) in [(16, 2, false), (24, 3, true), (64, 1, false)] {
                let s = &setting(d_model, heads, causal);
                let model = ToyModel::new(s.seed, s.d_model, s.heads, 1);
                let run = model.run(&tokens(), *scheme, s).expect("valid");
                let mut joined = Matrix::zeros(4, s.d_model);
                let head_dim = s.head_dim();
                let mut input = None;
                for head in 0..s.heads {
                    let (_, steps) = steps(s, *scheme, head);
                    let off = (&steps.weights - &run.weights[0][head]).amax();
                    assert!(off < 1e-12, "{scheme:?} {heads}: weights {off}");
                    joined
                        .columns_mut(head * head_dim, head_dim)
                        .copy_from(&steps.output);
                    input = Some(steps.input);
                }
                // All heads together through the last projection, and the residual: the output.
                let layer = model.first().expect("a layer");
                let output = input.expect("a head") + &joined * layer.w_o.transpose();
                assert!((output - &run.output).amax() < 1e-12, "{scheme:?} {heads}");
            }
        }
    }

    #[test]
    fn each_stage_follows_from_the_one_before() {
        for scheme in SCHEMES {
            let (layer, s) = steps(&setting(16, 2, true), *scheme, 1);
            let [n, h] = [4, 8];
            assert_eq!((s.input.shape(), s.normed.shape()), ((n, 16), (n, 16)));
            for m in [
                &s.projected[0],
                &s.projected[1],
                &s.q,
                &s.k,
                &s.v,
                &s.output,
            ] {
                assert_eq!(m.shape(), (n, h));
            }
            for (row, d) in (0..n).flat_map(|row| (0..h).map(move |d| (row, d))) {
                let by_hand = |w: &Matrix| -> f64 {
                    (0..16).map(|c| w[(h + d, c)] * s.normed[(row, c)]).sum()
                };
                assert!((s.projected[0][(row, d)] - by_hand(&layer.w_q)).abs() < 1e-12);
                assert!((s.projected[1][(row, d)] - by_hand(&layer.w_k)).abs() < 1e-12);
                assert!((s.v[(row, d)] - by_hand(&layer.w_v)).abs() < 1e-12);
                let sum: f64 = (0..n).map(|j| s.weights[(row, j)] * s.v[(j, d)]).sum();
                assert!((s.output[(row, d)] - sum).abs() < 1e-12);
            }
            for (i, j) in (0..n).flat_map(|i| (0..n).map(move |j| (i, j))) {
                let of = |m: &Option<Matrix>| m.as_ref().map_or(0.0, |m| m[(i, j)]);
                let dot: f64 = (0..h).map(|d| s.q[(i, d)] * s.k[(j, d)]).sum();
                assert!((s.products[(i, j)] - dot - of(&s.from_keys)).abs() < 1e-12);
                assert!((s.scaled[(i, j)] - s.products[(i, j)] / 8f64.sqrt()).abs() < 1e-12);
                assert!((s.scores[(i, j)] - s.scaled[(i, j)] - of(&s.bias)).abs() < 1e-12);
                let sum: f64 = (0..=i).map(|k| s.scores[(i, k)].exp()).sum();
                let weight = if j > i {
                    0.0
                } else {
                    s.scores[(i, j)].exp() / sum
                };
                assert!((s.weights[(i, j)] - weight).abs() < 1e-12);
            }
        }
    }

    #[test]
    fn a_scheme_changes_its_stage_and_none_before() {
        let setting = setting(16, 2, false);
        let none = Scheme::by_id("none").expect("a scheme");
        let (_, plain) = steps(&setting, none, 0);
        let stages = |s: &HeadSteps| -> [Matrix; 8] {
            let [q, k] = s.projected.clone();
            let turned = Matrix::from_fn(
                4,
                16,
                |r, c| {
                    if c < 8 { s.q[(r, c)] } else { s.k[(r, c - 8)] }
                },
            );
            let projected = Matrix::from_fn(4, 24, |r, c| [&q, &k, &s.v][c / 8][(r, c % 8)]);
            [
                s.input.clone(),
                projected,
                turned,
                s.products.clone(),
                s.scaled.clone(),
                s.scores.clone(),
                s.weights.clone(),
                s.output.clone(),
            ]
        };
        for scheme in SCHEMES {
            let (_, with) = steps(&setting, *scheme, 0);
            let same = stages(&with)
                .iter()
                .zip(stages(&plain))
                .position(|(a, b)| (a - b).amax() > 1e-9);
            let first = same.map(|at| Stage::ALL[at]);
            assert_eq!(first, scheme.entry().stage(), "{scheme:?}");
            // Values know of a position only if it was added to the token vectors.
            let in_values = (&with.v - &plain.v).amax() > 1e-9;
            assert_eq!(in_values, scheme.entry() == Entry::Additive, "{scheme:?}");
        }
    }

    #[test]
    fn there_is_no_head_past_the_last() {
        let none = Scheme::by_id("none").expect("a scheme");
        let (layer, s) = steps(&setting(16, 2, false), none, 0);
        assert!(layer.steps(&s.x, &Prepared::None, false, 2).is_err());
    }
}
