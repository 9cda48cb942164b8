//! `attention`: the weights of one head before and after a relative bias is added to the scores.

use std::sync::Arc;

use crate::core::Matrix;
use crate::core::attention::softmax_rows;
use crate::core::encoding::ByOffset;
use crate::core::toy::random_vectors;
use crate::figure::kit::colour::Scale;
use crate::figure::kit::note::{self, note};
use crate::figure::kit::panel::{MatrixPanel, legend, round_up};
use crate::figure::kit::scene::{Hit, Mark, Raster, Rect, Scene};
use crate::figure::{Arrows, Computed, Figure, Picture, Readout, Table, View, place};
use crate::say;
use crate::state::{Key, Lang, Page, Params, Value};
use crate::words::short;

/// Positions that are computed and shown.
const MAX_SIDE: usize = 128;
/// Narrower figures put one map below the other.
const NARROW: f64 = 560.0;

pub(crate) const FIGURE: Figure = Figure {
    id: "attention",
    page: Page::Relative,
    controls: &[
        Key::Scheme,
        Key::SeqLen,
        Key::DModel,
        Key::Heads,
        Key::Head,
        Key::MaxRelDist,
        Key::Bias,
        Key::Causal,
        Key::Seed,
    ],
    listens: &[Key::BiasEdits],
    arrows: Arrows::Each(Some(Key::I), Some(Key::J)),
    film: None,
    special: &[],
    compute,
};

struct Attention {
    seq_len: usize,
    head: usize,
    head_dim: usize,
    causal: bool,
    /// q·k/√head_dim.
    plain: Matrix,
    bias: Matrix,
    /// Weights before and after the bias.
    weights: [Matrix; 2],
    scale: Scale,
    rasters: [Arc<Raster>; 2],
}

fn compute(p: &Params) -> Computed {
    let s = &p.setting;
    let n = p.seq_len.min(MAX_SIDE);
    let head_dim = s.head_dim();
    let q = random_vectors(s.seed, "q", n, head_dim);
    let k = random_vectors(s.seed, "k", n, head_dim);
    let plain = &q * k.transpose() / (head_dim as f64).sqrt();
    let bias = added(p.scheme.offsets(s)?.as_ref(), p.head, &q);
    let weights = [&plain, &(&plain + &bias)].map(|scores| softmax_rows(scores, s.causal));
    let scale = Scale::Weight {
        top: round_up(usual(&weights, s.causal)).min(1.0),
    };
    let rasters = [0, 1].map(|at| Raster::from_fn(n, n, scale, |r, c| weights[at][(r, c)]));
    Ok(Arc::new(Attention {
        seq_len: p.seq_len,
        head: p.head,
        head_dim,
        causal: s.causal,
        plain,
        bias,
        weights,
        scale,
        rasters,
    }))
}

/// What the scheme adds to the scores of a head, `[n, n]`, for queries `[n, head_dim]`.
fn added(by_offset: &dyn ByOffset, head: usize, q: &Matrix) -> Matrix {
    let n = q.nrows();
    let offset = |i: usize, j: usize| i as i64 - j as i64;
    if by_offset.needs_query() {
        let queries: Vec<Vec<f64>> = q
            .row_iter()
            .map(|row| row.iter().copied().collect())
            .collect();
        return Matrix::from_fn(n, n, |i, j| by_offset.bias(head, offset(i, j), &queries[i]));
    }
    let last = n as i64 - 1;
    let all: Vec<f64> = (-last..=last)
        .map(|d| by_offset.bias(head, d, &[]))
        .collect();
    Matrix::from_fn(n, n, |i, j| all[i + n - 1 - j])
}

/// The weight that 98 of 100 visible cells do not exceed. The largest would not do: under a causal
/// mask the first row is always 1, and all else would be pale.
fn usual(weights: &[Matrix; 2], causal: bool) -> f64 {
    let mut visible: Vec<f64> = weights
        .iter()
        .flat_map(|m| m.column_iter().enumerate())
        .flat_map(|(j, column)| {
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

    /// The two maps.
    fn maps(width: f64) -> [Rect; 2] {
        let (left, top, right, bottom) = MatrixPanel::MARGIN;
        let narrow = width < NARROW;
        let column = if narrow { width } else { width / 2.0 };
        let side = (column - left - right).min(420.0);
        let first = Rect::new(left, top, side, side);
        let second = if narrow {
            Rect::new(left, first.bottom() + bottom + top + 14.0, side, side)
        } else {
            Rect::new(width / 2.0 + left, top, side, side)
        };
        [first, second]
    }

    fn legend_at(width: f64) -> f64 {
        Self::maps(width)[1].bottom() + MatrixPanel::MARGIN.3 + 8.0
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

    /// Covers and hatches the keys after each query.
    fn mask(&self, scene: &mut Scene, view: &View, r: Rect) {
        let n = self.shown();
        let size = r.w / n as f64;
        let mut stairs = vec![(r.right(), r.y)];
        for i in 0..n {
            let x = r.x + (i + 1) as f64 * size;
            let y = r.y + i as f64 * size;
            stairs.extend([(x, y), (x, y + size)]);
        }
        let c = view.colours;
        scene.marks.push(Mark::Area {
            points: stairs,
            colour: c.surface,
        });
        // Strokes at right angles to the diagonal, from it to the edge.
        let step = 9.0;
        let cut = size / r.w;
        let mut along = step / r.w;
        while along < 2.0 {
            // On u + v = along, from u − v = cut to the upper or the right edge.
            let far = along.min(2.0 - along);
            if far > cut {
                let at = |apart: f64| {
                    let (u, v) = ((along + apart) / 2.0, (along - apart) / 2.0);
                    (r.x + u * r.w, r.y + v * r.h)
                };
                scene.line(vec![at(cut), at(far)], c.muted.fade(0.45), 1.0);
            }
            along += step / r.w;
        }
    }
}

impl Picture for Attention {
    fn height(&self, width: f64) -> f64 {
        let wide = width - 20.0;
        let last = self.shown() - 1;
        let words = note::room(wide, |lang| self.words(lang));
        let traced = note::room(wide, |lang| self.cell(last, 0, lang)) + note::LINE;
        Self::legend_at(width) + 40.0 + traced + words + 10.0
    }

    fn draw(&self, p: &Params, view: &View) -> Scene {
        let mut scene = Scene::default();
        let maps = Self::maps(view.width);
        let headings = [
            say!(view.lang, "figure.attention.before"),
            say!(view.lang, "figure.attention.after", head = self.head),
        ];
        let n = self.shown();
        for (at, (rect, heading)) in maps.into_iter().zip(&headings).enumerate() {
            if self.causal {
                self.mask(&mut scene, view, rect);
            }
            let panel = MatrixPanel {
                rect,
                rows: n,
                columns: n,
                raster: self.rasters[at].clone(),
                heading,
                row_name: &say!(view.lang, "axis.query"),
                column_name: &say!(view.lang, "axis.key"),
                target: at,
                traced: Some((p.i, p.j)),
            };
            panel.draw(&mut scene, view);
            if !self.causal {
                panel.numbers(&mut scene, view, self.scale, |i, j| {
                    self.weights[at][(i, j)]
                });
            }
        }
        let (x, y) = (maps[0].x, Self::legend_at(view.width));
        let name = say!(view.lang, "legend.weight");
        legend(
            &mut scene,
            view,
            (x, y),
            maps[0].w.min(320.0),
            self.scale,
            &name,
        );
        let c = view.colours;
        let (at, wide) = ((10.0, y + 40.0), view.width - 20.0);
        let traced = self.traced(p, view.lang);
        let taken = note(&mut scene, at, wide, &traced, c.traced) + 4.0;
        let words = self.words(view.lang);
        note(&mut scene, (at.0, at.1 + taken), wide, &words, c.ink);
        scene
    }

    fn describe(&self, hit: Hit, _: &Params, lang: Lang) -> String {
        self.cell(hit.row, hit.column, lang)
    }

    fn picked(&self, hit: Hit, _: &Params) -> Vec<(Key, Value)> {
        vec![(Key::I, place(hit.row)), (Key::J, place(hit.column))]
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

    fn sentence(&self, p: &Params, lang: Lang) -> String {
        let change = (&self.weights[1] - &self.weights[0]).amax();
        let overall = say!(
            lang,
            "figure.attention.sentence",
            head = self.head,
            change = short(change)
        );
        overall + &self.traced(p, lang)
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
            let [q, k] = ["q", "k"].map(|w| random_vectors(s.seed, w, 20, s.head_dim()));
            let scale = 1.0 / (s.head_dim() as f64).sqrt();
            let prepared = p.scheme.prepare(s, 20).expect("valid");
            let bias = prepared.added(p.head, &q, scale).expect("fits");
            let want = attend(&q, &k, &k, scale, bias.as_deref(), s.causal).expect("fits");
            for (i, j) in (0..20).flat_map(|i| (0..20).map(move |j| (i, j))) {
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
