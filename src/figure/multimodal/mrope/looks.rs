//! What a token makes of all others: vectors of ones, so that position alone is left.

use std::sync::{Arc, Mutex};

use super::Tokens;
use crate::core::CoreError;
use crate::core::mrope::MRope;
use crate::state::Params;

/// What one token makes of all others.
pub(super) struct Looks {
    /// By plain 1D numbers and by (t, h, w), the bias of their kinds included.
    pub(super) scores: [Vec<f64>; 2],
    /// Softmax of the second.
    pub(super) weights: Vec<f64>,
    /// The same without the bias.
    pub(super) unbiased: Vec<f64>,
}

/// A sequence with the rotation of its tokens.
pub(super) struct Looker {
    pub(super) tokens: Tokens,
    pub(super) rope: MRope,
    head_dim: usize,
    /// Those asked for last: a film shows two at a time.
    last: Mutex<Vec<(usize, Arc<Looks>)>>,
}

fn softmax(scores: &[f64]) -> Vec<f64> {
    let most = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let parts: Vec<f64> = scores.iter().map(|s| (s - most).exp()).collect();
    let sum: f64 = parts.iter().sum();
    parts.into_iter().map(|p| p / sum).collect()
}

impl Looker {
    pub(super) fn new(p: &Params) -> Result<Self, CoreError> {
        let tokens = Tokens::new(p)?;
        let head_dim = p.setting.whole_head_dim()?;
        Ok(Self {
            rope: tokens.sequence.rope(head_dim)?,
            tokens,
            head_dim,
            last: Mutex::new(Vec::new()),
        })
    }

    /// What is added for the kinds of a query and a key.
    pub(super) fn bias(&self, q: usize, k: usize) -> f64 {
        let kinds = &self.tokens.kinds;
        self.tokens.sequence.bias.get(kinds[q], kinds[k])
    }

    /// Scores of a query and keys whose numbers are all 1: √head_dim times the mean cosine, and
    /// the bias of their kinds.
    pub(super) fn looks(&self, q: usize) -> Arc<Looks> {
        let mut last = match self.last.lock() {
            Ok(last) => last,
            Err(broken) => broken.into_inner(),
        };
        if let Some((_, looks)) = last.iter().find(|(of, _)| *of == q) {
            return looks.clone();
        }
        let scale = (self.head_dim as f64).sqrt();
        let flat = |token: usize| [token as i64; 3];
        let ids = |token: usize| self.tokens.ids.at(token);
        let all = 0..self.tokens.len();
        let plain: Vec<f64> = all
            .clone()
            .map(|k| scale * self.rope.similarity(flat(q), flat(k)) + self.bias(q, k))
            .collect();
        let bare: Vec<f64> = all
            .clone()
            .map(|k| scale * self.rope.similarity(ids(q), ids(k)))
            .collect();
        let biased: Vec<f64> = all.map(|k| bare[k] + self.bias(q, k)).collect();
        let looks = Arc::new(Looks {
            weights: softmax(&biased),
            unbiased: softmax(&bare),
            scores: [plain, biased],
        });
        last.truncate(1);
        last.insert(0, (q, looks.clone()));
        looks
    }

    /// What a film shows on its way from a query to the next.
    pub(super) fn passing(&self, q: usize, between: f64) -> Arc<Looks> {
        let now = self.looks(q);
        if between == 0.0 || q + 1 >= self.tokens.len() {
            return now;
        }
        let next = self.looks(q + 1);
        let mix = |a: &[f64], b: &[f64]| -> Vec<f64> {
            let both = a.iter().zip(b);
            both.map(|(a, b)| a + (b - a) * between).collect()
        };
        Arc::new(Looks {
            scores: [0, 1].map(|m| mix(&now.scores[m], &next.scores[m])),
            weights: mix(&now.weights, &next.weights),
            unbiased: mix(&now.unbiased, &next.unbiased),
        })
    }
}
