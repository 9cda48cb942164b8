//! `attention`: the weights of one head before and after a relative bias is added to the scores.

mod biases;
mod draw;

use std::sync::Arc;

use super::bias::edited;
use super::{pair_with, reach};
use crate::core::Matrix;
use crate::core::attention::softmax_rows;
use crate::core::encoding::ByOffset;
use crate::core::toy::random_vectors;
use crate::figure::kit::colour::Scale;
use crate::figure::kit::panel::round_up;
use crate::figure::kit::scene::{Hit, Raster, Scene};
use crate::figure::{Arrows, Computed, Figure, Film, Picture, Readout, Table, View, place};
use crate::say;
use crate::state::{Key, Lang, Page, Params, Value};
use crate::words::short;

/// Positions that are computed and shown: a short sentence, so that each number can be read.
const MAX_SIDE: usize = 8;

pub(crate) const FIGURE: Figure = Figure {
    id: "attention",
    page: Page::Relative,
    controls: &[
        Key::Scheme,
        Key::BiasEdits,
        Key::Head,
        Key::Bias,
        Key::Causal,
        Key::MaxRelDist,
        Key::Seed,
        Key::Heads,
        Key::DModel,
        Key::SeqLen,
    ],
    listens: &[Key::BiasEdits],
    arrows: Arrows::Each(Some(Key::I), Some(Key::J)),
    film: Film {
        key: Some(Key::I),
        frames: |p| p.seq_len.min(MAX_SIDE),
    },
    special: &[],
};

struct Attention {
    seq_len: usize,
    head: usize,
    head_dim: usize,
    causal: bool,
    by_offset: Box<dyn ByOffset>,
    /// The query of each row, where the bias depends on it.
    queries: Option<Vec<Vec<f64>>>,
    /// The lowest and the highest bias that there is room for.
    reach: (f64, f64),
    /// q·k/√head_dim.
    plain: Matrix,
    bias: Matrix,
    /// Weights before and after the bias.
    weights: [Matrix; 2],
    scales: Scales,
    rasters: Maps,
}

/// The colours of biases and scores, and of weights.
struct Scales {
    signed: Scale,
    weight: Scale,
}

/// What is drawn as maps: the bias, the scores with it, their weights.
struct Maps {
    bias: Arc<Raster>,
    scores: Arc<Raster>,
    weights: Arc<Raster>,
}

pub(crate) fn compute(p: &Params) -> Computed {
    let s = &p.setting;
    let n = p.seq_len.min(MAX_SIDE);
    let head_dim = s.head_dim();
    let q = random_vectors(s.seed, "q", n, head_dim);
    let k = random_vectors(s.seed, "k", n, head_dim);
    let plain = &q * k.transpose() / (head_dim as f64).sqrt();
    let by_offset = p.scheme.offsets(s)?;
    let queries = by_offset.needs_query().then(|| rows_of(&q));
    let biases = by_row(by_offset.as_ref(), p.head, n, queries.as_deref());
    let bias = Matrix::from_fn(n, n, |i, j| biases[i % biases.len()][i + n - 1 - j]);
    let weights = [&plain, &(&plain + &bias)].map(|scores| softmax_rows(scores, s.causal));
    let scores = &plain + &bias;
    let scales = Scales {
        signed: Scale::Signed {
            limit: round_up(bias.amax().max(scores.amax())),
        },
        weight: Scale::Weight {
            top: round_up(usual(&weights, s.causal)).min(1.0),
        },
    };
    let raster = |m: &Matrix, scale: Scale| Raster::from_fn(n, n, scale, |r, c| m[(r, c)]);
    let rasters = Maps {
        bias: raster(&bias, scales.signed),
        scores: raster(&scores, scales.signed),
        weights: raster(&weights[1], scales.weight),
    };
    Ok(Arc::new(Attention {
        seq_len: p.seq_len,
        head: p.head,
        head_dim,
        causal: s.causal,
        reach: reach(biases.into_iter().flatten(), by_offset.numbers().is_some()),
        queries,
        by_offset,
        plain,
        bias,
        weights,
        scales,
        rasters,
    }))
}

/// What the scheme adds to the scores of a head by offset −(n − 1)..=n − 1: a row a query where it depends on the query,
/// else one row for all.
fn by_row(
    by_offset: &dyn ByOffset,
    head: usize,
    n: usize,
    queries: Option<&[Vec<f64>]>,
) -> Vec<Vec<f64>> {
    let last = n as i64 - 1;
    let row = |query: &[f64]| {
        let offsets = -last..=last;
        offsets.map(|d| by_offset.bias(head, d, query)).collect()
    };
    match queries {
        Some(all) => all.iter().map(|q| row(q)).collect(),
        None => vec![row(&[])],
    }
}

fn rows_of(q: &Matrix) -> Vec<Vec<f64>> {
    let row = |i| q.row(i).iter().copied().collect();
    (0..q.nrows()).map(row).collect()
}

/// The weight that 98 of 100 visible cells do not exceed. The largest would not do: under a causal
/// mask the first row is always 1, and all else would be pale.
fn usual(weights: &[Matrix; 2], causal: bool) -> f64 {
    let mut visible: Vec<f64> = weights
        .iter()
        .flat_map(|m| m.column_iter().enumerate())
        .flat_map(|(j, column)| {
            // Under the mask earlier queries do not see this key.
            let first = if causal { j } else { 0 };
            column.iter().skip(first).copied().collect::<Vec<_>>()
        })
        .collect();
    let at = visible.len() * 98 / 100;
    let (_, usual, _) = visible.select_nth_unstable_by(at, f64::total_cmp);
    *usual
}

impl Attention {
    fn shown(&self) -> usize {
        self.plain.nrows()
    }

    fn inside(&self, p: &Params) -> bool {
        p.i.max(p.j) < self.shown()
    }

    fn hidden(&self, i: usize, j: usize) -> bool {
        self.causal && j > i
    }

    /// The query of what is pointed at: of a bar that of its row.
    fn row_of(&self, hit: Hit, p: &Params) -> usize {
        match hit.target {
            draw::BARS => p.i.min(self.shown() - 1),
            _ => hit.row,
        }
    }

    fn words(&self, lang: Lang) -> String {
        let mut text = say!(lang, "figure.attention.note", head_dim = self.head_dim);
        if self.causal {
            text += &say!(lang, "figure.attention.masked");
        }
        if self.shown() < self.seq_len {
            text += &say!(lang, "figure.attention.first", shown = self.shown());
        }
        text
    }

    /// The arithmetic of one cell.
    fn cell(&self, i: usize, j: usize, lang: Lang) -> String {
        if self.hidden(i, j) {
            return say!(lang, "figure.attention.cell_masked", i = i, j = j);
        }
        let (plain, bias) = (self.plain[(i, j)], self.bias[(i, j)]);
        say!(
            lang,
            "figure.attention.cell",
            i = i,
            j = j,
            plain = short(plain),
            bias = short(bias),
            score = short(plain + bias),
            before = short(self.weights[0][(i, j)]),
            after = short(self.weights[1][(i, j)])
        )
    }

    fn traced(&self, p: &Params, lang: Lang) -> String {
        if self.inside(p) {
            self.cell(p.i, p.j, lang)
        } else {
            say!(lang, "figure.attention.outside", shown = self.shown())
        }
    }
}

impl Picture for Attention {
    fn height(&self, width: f64) -> f64 {
        Self::drawn_height(width)
    }

    fn draw(&self, p: &Params, view: &View) -> Scene {
        self.scene(p, view)
    }

    fn describe(&self, hit: Hit, p: &Params, lang: Lang) -> String {
        if hit.target == biases::TARGET {
            return self.bias_words(self.offset_at(hit.column), p, lang);
        }
        self.cell(self.row_of(hit, p), hit.column, lang)
    }

    fn picked(&self, hit: Hit, p: &Params) -> Vec<(Key, Value)> {
        if hit.target == biases::TARGET {
            return self.drawn_bias(hit, p);
        }
        let row = self.row_of(hit, p);
        vec![(Key::I, place(row)), (Key::J, place(hit.column))]
    }

    fn pointed(&self, hit: Hit, p: &Params) -> Vec<(Key, usize)> {
        if hit.target == biases::TARGET {
            return pair_with(self.offset_at(hit.column), p, self.shown());
        }
        vec![(Key::I, self.row_of(hit, p)), (Key::J, hit.column)]
    }

    /// Bars of biases are drawn with the pointer.
    fn dragged(&self, from: Hit, to: Hit, p: &Params) -> Vec<(Key, Value)> {
        if from.target != biases::TARGET || to.target != biases::TARGET {
            return Vec::new();
        }
        self.drawn_bias(to, p)
    }

    fn readouts(&self, p: &Params, lang: Lang) -> Vec<Readout> {
        let inside = self.inside(p);
        let at = |m: &Matrix| inside.then(|| m[(p.i, p.j)]);
        let (plain, bias) = (at(&self.plain), at(&self.bias));
        let score = plain.zip(bias).map(|(a, b)| a + b);
        let sum = (p.i < self.shown()).then(|| self.weights[1].row(p.i).sum());
        let readout = |name: &'static str, label, number: Option<f64>| Readout {
            name: name.into(),
            label,
            number,
            text: number.map_or_else(|| "—".to_owned(), short),
        };
        vec![
            readout(
                "score-before",
                say!(lang, "figure.attention.score_before"),
                plain,
            ),
            readout("bias", say!(lang, "figure.attention.bias"), bias),
            readout("score", say!(lang, "figure.attention.score"), score),
            readout(
                "weight-before",
                say!(lang, "figure.attention.weight_before"),
                at(&self.weights[0]),
            ),
            readout(
                "weight",
                say!(lang, "figure.attention.weight"),
                at(&self.weights[1]),
            ),
            readout(
                "row-sum",
                say!(lang, "figure.attention.row_sum", i = p.i),
                sum,
            ),
        ]
    }

    fn sentence(&self, _: &Params, lang: Lang) -> String {
        let change = (&self.weights[1] - &self.weights[0]).amax();
        say!(
            lang,
            "figure.attention.sentence",
            head = self.head,
            change = short(change)
        )
    }

    fn notes(&self, p: &Params, lang: Lang) -> Vec<String> {
        vec![self.traced(p, lang), self.words(lang)]
    }

    fn table(&self, p: &Params) -> Table {
        let i = p.i.min(self.shown() - 1);
        let columns = [
            "query",
            "key",
            "score_before",
            "bias",
            "score",
            "weight_before",
            "weight",
        ];
        Table {
            columns: columns.map(str::to_owned).to_vec(),
            rows: (0..self.shown())
                .map(|j| {
                    let (plain, bias) = (self.plain[(i, j)], self.bias[(i, j)]);
                    vec![
                        i as f64,
                        j as f64,
                        plain,
                        bias,
                        plain + bias,
                        self.weights[0][(i, j)],
                        self.weights[1][(i, j)],
                    ]
                })
                .collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::attention::attend;
    use crate::state::{decode, resolve};

    #[test]
    fn weights_are_those_of_the_core_and_rows_sum_to_one() {
        for query in [
            "",
            "causal=1&head=2",
            "scheme=t5&head=1&bias_edits=1:2:5",
            "scheme=alibi&causal=1&heads=8&head=7",
            "scheme=shaw&head=3",
            "scheme=kerple&causal=1&head=2&bias_edits=2:0:1.5,2:1:0.25",
        ] {
            let address = format!("embed=attention&seq_len=20&max_rel_dist=3&{query}");
            let p = resolve(&decode(&address).0, crate::figure::page_of).0;
            let picture = compute(&p).expect("computed");
            let s = &p.setting;
            let [q, k] = ["q", "k"].map(|w| random_vectors(s.seed, w, MAX_SIDE, s.head_dim()));
            let scale = 1.0 / (s.head_dim() as f64).sqrt();
            let prepared = p.scheme.prepare(s, MAX_SIDE).expect("valid");
            let bias = prepared.added(p.head, &q, scale).expect("fits");
            let want = attend(&q, &k, &k, scale, bias.as_deref(), s.causal).expect("fits");
            for (i, j) in (0..MAX_SIDE).flat_map(|i| (0..MAX_SIDE).map(move |j| (i, j))) {
                let here = Params { i, j, ..p.clone() };
                let readouts = picture.readouts(&here, Lang::En);
                let number = |name: &str| {
                    let r = readouts.iter().find(|r| r.name == name);
                    r.and_then(|r| r.number).expect("a number")
                };
                assert!((number("weight") - want.weights[(i, j)]).abs() < 1e-12);
                assert!((number("score") - want.scores[(i, j)]).abs() < 1e-12);
                assert!((number("row-sum") - 1.0).abs() < 1e-12);
            }
        }
    }

    #[test]
    fn a_bar_is_drawn_with_the_pointer_and_pointing_at_it_traces_a_pair_of_its_diagonal() {
        let hit = |column, down| Hit {
            target: biases::TARGET,
            row: 0,
            column,
            down,
        };
        let at = |query: &str| {
            let address = format!("embed=attention&{query}");
            resolve(&decode(&address).0, crate::figure::page_of).0
        };
        for query in [
            "max_rel_dist=16&bias=zero&head=1",
            "scheme=t5&bias=zero&head=1",
        ] {
            let p = at(query);
            let picture = compute(&p).expect("computed");
            // Offset 2 of −7..7; −3..3, a quarter down is 1.5.
            let to = hit(9, 0.25);
            assert_eq!(picture.dragged(to, to, &p), picture.picked(to, &p));
            let (key, value) = picture.picked(to, &p).remove(0);
            let mut requested = decode(&format!("embed=attention&{query}")).0;
            requested.set(key, value);
            let p = resolve(&requested, crate::figure::page_of).0;
            let by_offset = p.scheme.offsets(&p.setting).expect("offsets");
            assert_eq!(by_offset.bias(1, 2, &[]), 1.5, "{query}");
            assert_eq!(by_offset.bias(1, -2, &[]), 0.0, "{query}");
        }
        // A formula has nothing to be drawn: the pair is traced.
        let p = at("scheme=alibi&i=3&j=3");
        let picture = compute(&p).expect("computed");
        assert_eq!(picture.picked(hit(9, 0.25), &p).len(), 2);
        for column in 0..15 {
            for (i, j) in [(0, 0), (3, 5), (7, 1), (40, 2)] {
                let p = Params { i, j, ..p.clone() };
                let pair = picture.pointed(hit(column, 0.5), &p);
                let [(Key::I, i), (Key::J, j)] = pair[..] else {
                    panic!("{pair:?}");
                };
                assert!(i < 8 && j < 8 && i as i64 - j as i64 == column as i64 - 7);
            }
        }
    }

    #[test]
    fn a_zero_bias_changes_nothing() {
        let p = resolve(
            &decode("embed=attention&bias=zero").0,
            crate::figure::page_of,
        )
        .0;
        let table = compute(&p).expect("computed").table(&p);
        assert!(table.rows.iter().all(|r| r[5] == r[6]));
    }
}
