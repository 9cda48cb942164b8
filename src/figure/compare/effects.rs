//! What the figures of `compare` share: what each scheme makes of two positions, on the same
//! parameters.

use crate::core::encoding::{Cost, Effect as Core, Learned, SCHEMES, Scheme, Unit};
use crate::core::{CoreError, Matrix};
use crate::figure::View;
use crate::figure::kit::colour::Scale;
use crate::figure::kit::panel::{NAME, fitted, round_up};
use crate::figure::kit::scene::{Align, Rect, Scene, Stand, text_width};
use crate::say;
use crate::state::{Key, Lang, Params};

/// No more positions than this are compared.
pub const MAX_POSITIONS: usize = 64;

/// The controls of both figures of the page.
pub(crate) const CONTROLS: &[Key] = &[
    Key::SeqLen,
    Key::DModel,
    Key::Heads,
    Key::Head,
    Key::Base,
    Key::MaxRelDist,
    Key::Bias,
    Key::Causal,
    Key::Seed,
];

/// What both figures of the page read besides their controls.
pub(crate) const LISTENS: &[Key] = crate::state::and_scaling!(Key: BiasEdits, Layout, Pairing);

/// What a scheme makes of a query at i and a key at j.
pub struct Effect {
    /// The scheme.
    pub scheme: Scheme,
    /// What the values mean; nothing without an encoding.
    pub unit: Option<Unit>,
    /// `[n, n]` (query, key); zero without an encoding.
    pub values: Matrix,
    /// Whether the values are no function of the offset alone.
    pub by_pair: bool,
    /// Numbers that are learned.
    pub learned: Learned,
    /// What it costs.
    pub cost: Cost,
    /// Whether a swap of query and key changes the value.
    pub directed: bool,
}

impl Effect {
    /// The scheme's name.
    pub fn name(&self, lang: Lang) -> String {
        say!(lang, format!("word.scheme.{}", self.scheme.id()))
    }

    /// The scheme's name where there is little room.
    pub fn short_name(&self, lang: Lang) -> String {
        say!(
            lang,
            format!("figure.compare-maps.{}.short", self.scheme.id())
        )
    }

    /// Smallest and largest value of different positions; the diagonal alone often stands out.
    pub fn range(&self) -> (f64, f64) {
        let n = self.values.nrows();
        let pairs = (0..n).flat_map(|i| (0..n).map(move |j| (i, j)));
        let (low, high) = pairs
            .filter(|(i, j)| i != j || n == 1)
            .map(|at| self.values[at])
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), v| {
                (low.min(v), high.max(v))
            });
        // Cosines are rounded a little beyond 1.
        let whole = |v: f64| (v * 1e9).round() / 1e9;
        (whole(low), whole(high))
    }

    /// Colours over the range that there is: zero in the middle where there are both signs.
    pub fn scale(&self) -> Scale {
        let (low, high) = self.range();
        let size = low.abs().max(high.abs());
        if size == 0.0 {
            return Scale::Signed { limit: 1.0 };
        }
        if low < -0.02 * size && high > 0.02 * size {
            return Scale::Signed {
                limit: round_up(size),
            };
        }
        // A tenth of the range, rounded up, so that the ends are short numbers.
        let step = round_up(((high - low) / 10.0).max(1e-6 * size));
        let last = (high / step).ceil() * step;
        Scale::Span {
            first: (low / step).floor() * step,
            // No cosine lies beyond 1.
            last: if high <= 1.0 { last.min(1.0) } else { last },
        }
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
    let (unit, values, by_pair) = match scheme.effect(s, p.head, n)? {
        Core::Nothing => (None, Matrix::zeros(n, n), false),
        Core::ByOffset(unit, all) => {
            let of = |i, j| all[i + n - 1 - j];
            (Some(unit), Matrix::from_fn(n, n, of), false)
        }
        Core::ByPair(unit, values) => (Some(unit), values, true),
    };
    let directed = (&values - values.transpose()).amax() > 1e-9;
    Ok(Effect {
        scheme,
        unit,
        values,
        by_pair,
        learned: scheme.learned(s, p.seq_len),
        cost: scheme.cost(s, p.seq_len),
        directed,
    })
}

/// The traced offset i − j, within the positions compared.
pub(crate) fn traced(p: &Params, n: usize) -> (usize, usize) {
    (p.i.min(n - 1), p.j.min(n - 1))
}

/// Equal places in a box, one for each scheme, so many side by side that a square in each, with
/// `around` kept free beside it and above and below it, is as large as can be.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Places {
    columns: usize,
    cell: (f64, f64),
}

impl Places {
    /// The places of a box of this width and height.
    pub fn of(count: usize, (width, height): (f64, f64), around: (f64, f64)) -> Self {
        let cell = |columns: usize| {
            let rows = count.div_ceil(columns) as f64;
            (width / columns as f64, height / rows)
        };
        let side = |columns: usize| {
            let (w, h) = cell(columns);
            (w - around.0).min(h - around.1)
        };
        // Two columns at least: more is seen at once.
        let columns = (2..=count).fold(2, |best, c| if side(c) > side(best) { c } else { best });
        Self {
            columns,
            cell: cell(columns),
        }
    }

    /// The k-th place, row by row.
    pub fn at(&self, k: usize) -> Rect {
        let (w, h) = self.cell;
        let (row, column) = (k / self.columns, k % self.columns);
        Rect::new(column as f64 * w, row as f64 * h, w, h)
    }
}

/// The name of a scheme above its panel.
pub(crate) fn title(scene: &mut Scene, view: &View, e: &Effect, r: Rect) {
    let full = e.name(view.lang);
    let text = if text_width(&full, NAME) <= r.w {
        full
    } else {
        e.short_name(view.lang)
    };
    let at = (r.x + r.w / 2.0, r.y - 3.0);
    let place = (Align::Middle, Stand::Above);
    fitted(scene, at, r.w + 8.0, &text, NAME, view.colours.ink, place);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::encoding::rope::Rope;
    use crate::core::encoding::sinusoidal::Sinusoidal;
    use crate::state::{decode, resolve};

    fn named<'a>(all: &'a [Effect], id: &str) -> &'a Effect {
        all.iter().find(|e| e.scheme.id() == id).expect("a scheme")
    }

    fn of(query: &str) -> Vec<Effect> {
        effects(&resolve(&decode(query).0, crate::figure::page_of).0).expect("valid")
    }

    #[test]
    fn cosines_are_those_of_the_vectors_themselves() {
        let all = of("page=absolute&seq_len=9&d_model=16&heads=1");
        let pe = Sinusoidal::new(16, 1e4, Default::default()).expect("valid");
        let m = pe.matrix(&[2.0, 7.0]);
        let direct = m.row(0).dot(&m.row(1)) / 8.0;
        assert!((named(&all, "sinusoidal").values[(2, 7)] - direct).abs() < 1e-12);
        // q = k with equal energy in every pair, rotated and multiplied.
        let rope = Rope::new(16, 1e4, Default::default()).expect("valid");
        let q = Matrix::from_element(2, 16, 1.0);
        let turned = rope.apply(&q, &[2.0, 7.0]).expect("shapes fit");
        let direct = turned.row(0).dot(&turned.row(1)) / 16.0;
        assert!((named(&all, "rope").values[(2, 7)] - direct).abs() < 1e-12);
    }

    #[test]
    fn who_tells_before_from_after_and_what_is_learned() {
        let all = of("page=absolute&seq_len=20&d_model=32&heads=2&max_rel_dist=4");
        let told: Vec<_> = all
            .iter()
            .map(|e| (e.scheme.id(), e.directed, e.learned.numbers))
            .collect();
        assert_eq!(
            told,
            [
                ("none", false, 0),
                ("sinusoidal", false, 0),
                ("learned", false, 640),
                ("relative", true, 18),
                ("shaw", true, 288),
                ("t5", true, 64),
                ("alibi", false, 0),
                ("kerple", false, 4),
                ("rope", false, 0),
                ("xpos", true, 0),
            ]
        );
    }

    /// What the lesson's check `no-direction` asks for.
    #[test]
    fn a_table_that_is_not_drawn_at_random_makes_every_bias_symmetric() {
        let directed = |query: &str| {
            let biases = |e: &&Effect| e.unit == Some(Unit::Added) && e.directed;
            of(query).iter().filter(biases).count()
        };
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
        let (low, high) = named(&all, "alibi").at_offset(3);
        assert_eq!(low, high, "a bias depends on the offset alone");
        let (low, high) = named(&all, "learned").at_offset(3);
        assert!(low < high, "a learned table does not");
    }
}
