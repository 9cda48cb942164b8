//! What the figures of `compare` share: what each scheme makes of two positions, on the same
//! parameters.

use crate::core::analysis::{cosine, similarity_by_distance};
use crate::core::encoding::sinusoidal::Sinusoidal;
use crate::core::encoding::{Entry, Prepared, SCHEMES, Scheme, learned, rope::Rope};
use crate::core::{CoreError, Matrix};
use crate::figure::kit::panel::round_up;
use crate::state::Params;

/// No more positions than this are compared.
pub const MAX_POSITIONS: usize = 64;

/// What a scheme makes of a query at i and a key at j.
pub struct Effect {
    /// The scheme.
    pub scheme: Scheme,
    /// `[n, n]` (query, key): a cosine for additive and rotary schemes, what is added to the
    /// score for biases; zero without an encoding.
    pub values: Matrix,
    /// A round number that no value exceeds in size.
    pub limit: f64,
    /// Numbers that are learned.
    pub parameters: usize,
    /// Whether a swap of query and key changes the value.
    pub directed: bool,
}

impl Effect {
    /// Whether the values are added to scores; else they are cosines.
    pub fn is_bias(&self) -> bool {
        self.scheme.entry() == Entry::ScoreBias
    }

    /// Smallest and largest value at offset δ = i − j.
    pub fn at_offset(&self, offset: i64) -> (f64, f64) {
        let n = self.values.nrows() as i64;
        (0..n)
            .filter(|i| (0..n).contains(&(i - offset)))
            .map(|i| self.values[(i as usize, (i - offset) as usize)])
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), v| {
                (low.min(v), high.max(v))
            })
    }
}

/// How many positions are compared.
pub fn positions(p: &Params) -> usize {
    p.seq_len.min(MAX_POSITIONS)
}

/// The effect of every scheme of the list.
///
/// # Errors
/// If the parameters are outside what a scheme is defined for.
pub fn effects(p: &Params) -> Result<Vec<Effect>, CoreError> {
    SCHEMES.iter().map(|s| effect(*s, p)).collect()
}

fn effect(scheme: Scheme, p: &Params) -> Result<Effect, CoreError> {
    let s = &p.setting;
    let n = positions(p);
    let by_offset = |all: Vec<f64>| Matrix::from_fn(n, n, |i, j| all[i + n - 1 - j]);
    let offsets = || (0..2 * n - 1).map(|k| k as f64 - (n as f64 - 1.0));
    let (values, parameters) = match scheme.id() {
        "sinusoidal" => {
            let pe = Sinusoidal::new(s.d_model, s.base, s.layout)?;
            (
                by_offset(similarity_by_distance(pe.frequencies(), offsets())),
                0,
            )
        }
        "learned" => {
            let rows: Vec<_> = (0..n).map(|r| learned::row(s.seed, r, s.d_model)).collect();
            let values = Matrix::from_fn(n, n, |i, j| cosine(&rows[i], &rows[j]));
            (values, p.seq_len * s.d_model)
        }
        "rope" => {
            let rope = Rope::of(s)?;
            (
                by_offset(similarity_by_distance(rope.inv_freq(), offsets())),
                0,
            )
        }
        _ => {
            let learned = match scheme.id() {
                "relative" => s.heads * (2 * s.max_rel_dist + 1),
                "t5" => s.heads * 32,
                _ => 0,
            };
            match scheme.prepare(s, n)? {
                Prepared::ScoreBias(mut heads) => (heads.swap_remove(p.head), learned),
                _ => (Matrix::zeros(n, n), 0),
            }
        }
    };
    let directed = (&values - values.transpose()).amax() > 1e-9;
    // Cosines end at 1; rounding may carry one a little beyond.
    let limit = match scheme.entry() {
        Entry::ScoreBias if values.amax() > 0.0 => round_up(values.amax()),
        _ => 1.0,
    };
    Ok(Effect {
        scheme,
        limit,
        values,
        parameters,
        directed,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::{decode, resolve};

    fn of(query: &str) -> Vec<Effect> {
        effects(&resolve(&decode(query).0, crate::figure::page_of).0).expect("valid")
    }

    #[test]
    fn cosines_are_those_of_the_vectors_themselves() {
        let all = of("page=absolute&seq_len=9&d_model=16&heads=1");
        let pe = Sinusoidal::new(16, 1e4, Default::default()).expect("valid");
        let m = pe.matrix(&[2.0, 7.0]);
        let direct = m.row(0).dot(&m.row(1)) / 8.0;
        assert!((all[1].values[(2, 7)] - direct).abs() < 1e-12);
        // q = k with equal energy in every pair, rotated and multiplied.
        let rope = Rope::new(16, 1e4, Default::default()).expect("valid");
        let q = Matrix::from_element(2, 16, 1.0);
        let turned = rope.apply(&q, &[2.0, 7.0]).expect("shapes fit");
        let direct = turned.row(0).dot(&turned.row(1)) / 16.0;
        assert!((all[6].values[(2, 7)] - direct).abs() < 1e-12);
    }

    #[test]
    fn who_tells_before_from_after_and_what_is_learned() {
        let all = of("page=absolute&seq_len=20&d_model=32&heads=2&max_rel_dist=4");
        let told: Vec<_> = all
            .iter()
            .map(|e| (e.scheme.id(), e.directed, e.parameters))
            .collect();
        assert_eq!(
            told,
            [
                ("none", false, 0),
                ("sinusoidal", false, 0),
                ("learned", false, 640),
                ("relative", true, 18),
                ("t5", true, 64),
                ("alibi", false, 0),
                ("rope", false, 0),
            ]
        );
    }

    /// What the lesson's check `no-direction` asks for.
    #[test]
    fn a_table_that_is_not_drawn_at_random_makes_every_curve_symmetric() {
        let directed = |query: &str| of(query).iter().filter(|e| e.directed).count();
        for heads in [1, 4] {
            for bias in ["decay", "zero"] {
                let query = format!("page=compare&seq_len=64&heads={heads}&bias={bias}");
                assert_eq!(directed(&query), 0, "{query}");
            }
        }
        assert_eq!(directed("page=compare&seq_len=64"), 2);
        assert!(directed("page=compare&bias=decay&causal=1") > 0);
    }

    #[test]
    fn offsets_have_their_range() {
        let all = of("page=absolute&seq_len=12");
        let (low, high) = all[5].at_offset(3);
        assert_eq!(low, high, "a bias depends on the offset alone");
        let (low, high) = all[2].at_offset(3);
        assert!(low < high, "a learned table does not");
    }
}
