//! Numbers of the page `relative`.

use super::{Live, MAX_SIDE};
use crate::core::attention::visible;
use crate::core::encoding::ByOffset;
use crate::core::toy::{random_vector, random_vectors};
use crate::core::{CoreError, Matrix};

impl Live<'_> {
    pub(super) fn relative(&self, name: &str) -> Option<f64> {
        let p = self.p;
        let by_offset = self.by_offset()?;
        let offset = p.i as i64 - p.j as i64;
        let r = p.setting.max_rel_dist as i64;
        let index = by_offset.index(offset);
        let named = |name: &str| {
            let mut numbers = by_offset.named(p.head).into_iter();
            numbers.find(|(n, _)| *n == name).map(|(_, x)| x)
        };
        Some(match name {
            "clipped" => offset.clamp(-r, r) as f64,
            "index" => index as f64,
            "table_rows" => (2 * r + 1) as f64,
            "bias" => self.bias(by_offset, p.j),
            "score_before" => *self.row()?.get(p.j)?,
            "score" => self.row()?.get(p.j)? + self.bias(by_offset, p.j),
            "weight" => self.weight(by_offset)?,
            "bucket" => {
                by_offset.numbers().filter(|table| table.first.is_none())?;
                index as f64
            }
            // Whatever else the scheme shown has a name for, such as ALiBi's slope.
            _ => named(name)?,
        })
    }

    /// What is added to the score of the traced query with key `j`.
    fn bias(&self, by_offset: &dyn ByOffset, j: usize) -> f64 {
        let p = self.p;
        let query = if by_offset.needs_query() {
            random_vector(p.setting.seed, "q", p.i, p.setting.head_dim())
        } else {
            Vec::new()
        };
        by_offset.bias(p.head, p.i as i64 - j as i64, &query)
    }

    /// The traced weight: softmax over the query's row of scores with their bias.
    fn weight(&self, by_offset: &dyn ByOffset) -> Option<f64> {
        let p = self.p;
        let row = self.row()?;
        let score = |j: usize| row[j] + self.bias(by_offset, j);
        let seen = |j: &usize| visible(p.i, *j, p.setting.causal);
        let all: Vec<f64> = (0..row.len()).filter(seen).map(score).collect();
        let top = all.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let sum: f64 = all.iter().map(|s| (s - top).exp()).sum();
        if p.j >= row.len() {
            return None;
        }
        let own = if seen(&p.j) {
            (score(p.j) - top).exp()
        } else {
            0.0
        };
        Some(own / sum)
    }

    /// q·k/√head_dim of the traced query and each key, as in the figure `attention`.
    fn row(&self) -> Option<&Vec<f64>> {
        let p = self.p;
        let row = || -> Result<Option<Vec<f64>>, CoreError> {
            let n = p.seq_len.min(MAX_SIDE);
            if p.i >= n {
                return Ok(None);
            }
            let head_dim = p.setting.head_dim();
            let vectors = |what| random_vectors(p.setting.seed, what, n, head_dim);
            let (q, k): (Matrix, Matrix) = (vectors("q"), vectors("k"));
            let scale = (head_dim as f64).sqrt();
            Ok(Some(
                (0..n).map(|j| q.row(p.i).dot(&k.row(j)) / scale).collect(),
            ))
        };
        self.row.get_or_init(|| row().ok().flatten()).as_ref()
    }
}
