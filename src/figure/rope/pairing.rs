//! `rope-pairing`: interleaved and half-split pairs, the permutation between them, and what is
//! wrong when they are mixed.

use std::sync::Arc;

use super::parts::scaling_readout;
use super::strips::{self, PAIRINGS, Strips};
use crate::core::encoding::rope::{Pairing, half_from_interleaved};
use crate::core::encoding::{Rotation, Setting};
use crate::core::{CoreError, Matrix, toy};
use crate::figure::kit::colour::{Scale, ink_on};
use crate::figure::kit::panel::{MatrixPanel, NAME, TICK, fitted, legend, round_up};
use crate::figure::kit::scene::{Align, Hit, Raster, Rect, Scene, Stand};
use crate::figure::kit::veil::veil;
use crate::figure::{Arrows, Computed, Figure, Film, Picture, Readout, Table, View, place};
use crate::say;
use crate::state::{Key, Lang, Page, Params, Value};
use crate::words::short;

/// Positions of the score matrices.
const SIDE: usize = 6;
/// Narrower boxes name the axes of the first matrix alone.
const WIDE: f64 = 600.0;
/// Room for the legend.
const LEGEND: f64 = 36.0;
/// Scores that differ by more than this part of the scale have changed.
const CHANGED: f64 = 1e-6;
/// The matrix that is asked for: half-split, the dimensions as they are.
const MIXED: usize = 1;
/// The first target of the matrices; below it are pieces of the two rows.
const MATRICES: usize = 4;
const HEADINGS: [&str; 3] = [
    "figure.rope-pairing.scores-interleaved",
    "figure.rope-pairing.scores-half",
    "figure.rope-pairing.scores-permuted",
];

pub(crate) const FIGURE: Figure = Figure {
    id: "rope-pairing",
    page: Page::Rope,
    controls: &[
        Key::Scheme,
        Key::Pairing,
        Key::DModel,
        Key::Heads,
        Key::Base,
        Key::Seed,
    ],
    listens: Key::SCALING,
    arrows: Arrows::Each(None, Some(Key::Dim)),
    film: Film {
        key: Some(Key::Dim),
        frames: |p| p.setting.head_dim(),
    },
    special: &[],
};

struct PairingFigure {
    head_dim: usize,
    yours: Pairing,
    /// Scores: interleaved, half-split, half-split after permuting.
    scores: [Matrix; 3],
    rasters: [Arc<Raster>; 3],
    scale: Scale,
    mix_error: f64,
    permuted_error: f64,
}

pub(crate) fn compute(p: &Params) -> Computed {
    let s = &p.setting;
    let h = s.head_dim();
    let q = toy::random_vectors(s.seed, "q", SIDE, h);
    let k = toy::random_vectors(s.seed, "k", SIDE, h);
    let [interleaved, half] = PAIRINGS.map(|pairing| {
        let paired = Setting {
            pairing,
            ..s.clone()
        };
        p.scheme.turns(&paired)
    });
    let (interleaved, half) = (interleaved?, half?);
    let scores = [
        scores(&interleaved, &q, &k)?,
        scores(&half, &q, &k)?,
        scores(&half, &permuted(&q), &permuted(&k))?,
    ];
    let largest = scores.iter().map(|m| m.amax()).fold(0.0, f64::max);
    let scale = Scale::Signed {
        limit: round_up(largest),
    };
    let rasters = [0, 1, 2].map(|m| Raster::from_fn(SIDE, SIDE, scale, |r, c| scores[m][(r, c)]));
    Ok(Arc::new(PairingFigure {
        head_dim: h,
        yours: s.pairing,
        mix_error: (&scores[1] - &scores[0]).amax(),
        permuted_error: (&scores[2] - &scores[0]).amax(),
        scores,
        rasters,
        scale,
    }))
}

/// Row m of q against row n of k, each turned to its position, over √head_dim.
fn scores(rotation: &Rotation, q: &Matrix, k: &Matrix) -> Result<Matrix, CoreError> {
    let positions: Vec<f64> = (0..SIDE).map(|m| m as f64).collect();
    let (q, k) = (
        rotation.queries(q, &positions)?,
        rotation.keys(k, &positions)?,
    );
    Ok(&q * k.transpose() / (q.ncols() as f64).sqrt())
}

/// Columns moved from their interleaved places to their half-split ones.
fn permuted(x: &Matrix) -> Matrix {
    let mut out = x.clone();
    for (j, to) in half_from_interleaved(x.ncols()).into_iter().enumerate() {
        out.set_column(to, &x.column(j));
    }
    out
}

impl PairingFigure {
    fn strips(&self) -> Strips {
        Strips {
            head_dim: self.head_dim,
            yours: self.yours,
        }
    }

    /// The rectangles of the three matrices.
    fn matrices(width: f64, height: f64) -> [Rect; 3] {
        let (left, top, right, bottom) = MatrixPanel::MARGIN;
        let y = strips::height(height) + top;
        // Without a name of its axis, a matrix still has numbers at its rows.
        let others = if width < WIDE { 22.0 } else { left };
        let across = (width - left - 2.0 * others) / 3.0 - right;
        let side = across.min(height - y - bottom - LEGEND).max(12.0);
        // What is left is shared out between them.
        let spare = (across - side).max(0.0);
        [0.0, 1.0, 2.0].map(|m| {
            let x = left + m * (across + right + others) + spare / 2.0;
            Rect::new(x, y, side, side)
        })
    }

    /// Whether a score of the matrix is not that of the first.
    fn changed(&self, m: usize, at: (usize, usize)) -> bool {
        let (_, top) = self.scale.ends();
        (self.scores[m][at] - self.scores[0][at]).abs() > CHANGED * top
    }

    /// The scores in their cells, as short as the cells are small.
    fn numbers(&self, scene: &mut Scene, view: &View, m: usize, rect: Rect) {
        let cell = rect.w / SIDE as f64;
        if cell < 27.0 {
            return;
        }
        for (row, column) in (0..SIDE).flat_map(|r| (0..SIDE).map(move |c| (r, c))) {
            let value = self.scores[m][(row, column)];
            let text = short((value * 10.0).round() / 10.0 + 0.0);
            let ink = ink_on(self.scale.colour(value, view.colours.dark));
            let at = (
                rect.x + (column as f64 + 0.5) * cell,
                rect.y + (row as f64 + 0.5) * cell,
            );
            scene.text(at, text, TICK, ink, (Align::Middle, Stand::Centre));
        }
    }

    /// Rings what is not as in the first matrix, and says how much it is.
    fn compare(&self, scene: &mut Scene, view: &View, m: usize, rect: Rect) {
        let c = view.colours;
        let cell = rect.w / SIDE as f64;
        let all = (0..SIDE).flat_map(|row| (0..SIDE).map(move |column| (row, column)));
        let changed: Vec<_> = all.filter(|at| self.changed(m, *at)).collect();
        for (row, column) in &changed {
            let inset = (cell * 0.07).max(1.5);
            let (x, y) = (*column as f64 * cell + inset, *row as f64 * cell + inset);
            let side = cell - 2.0 * inset;
            let ring = Rect::new(rect.x + x, rect.y + y, side, side);
            scene.frame(ring, c.ink.fade(0.75), 1.2);
        }
        let (text, colour) = if changed.is_empty() {
            (
                say!(view.lang, "figure.rope-pairing.unchanged"),
                c.series(2),
            )
        } else {
            let (count, of) = (changed.len(), SIDE * SIDE);
            let key = "figure.rope-pairing.changed";
            (say!(view.lang, key, count = count, of = of), c.series(4))
        };
        let at = (rect.x + rect.w / 2.0, rect.bottom() + 21.0);
        let place = (Align::Middle, Stand::Below);
        fitted(scene, at, rect.w + 30.0, &text, NAME, colour, place);
    }

    fn words(&self, dim: usize, key: &str, lang: Lang) -> String {
        let h = self.head_dim;
        let [a, b] = PAIRINGS.map(|pairing| pairing.partner_of(h, dim));
        let [pair_a, pair_b] = PAIRINGS.map(|pairing| pairing.pair_of(h, dim));
        say!(
            lang,
            key,
            h = h,
            dim = dim,
            a = a,
            b = b,
            pair_a = pair_a,
            pair_b = pair_b,
            mix = short(self.mix_error),
            permuted = short(self.permuted_error)
        )
    }
}

impl Picture for PairingFigure {
    fn height(&self, width: f64) -> f64 {
        let (_, top, _, bottom) = MatrixPanel::MARGIN;
        if width < 500.0 {
            return strips::height(0.0) + top + width / 3.0 - 24.0 + bottom + LEGEND;
        }
        let tall = (width / 3.0 - 56.0).min(220.0);
        strips::height(f64::MAX) + top + tall + bottom + LEGEND
    }

    fn draw(&self, p: &Params, view: &View) -> Scene {
        let mut scene = Scene::default();
        self.strips().draw(&mut scene, view, (p.dim, p.between));
        let rects = Self::matrices(view.width, view.height);
        let named = view.width >= WIDE;
        for (m, rect) in rects.into_iter().enumerate() {
            let heading = say!(view.lang, HEADINGS[m]);
            let name = |key: &str, there: bool| {
                if there {
                    say!(view.lang, key)
                } else {
                    String::new()
                }
            };
            let panel = MatrixPanel {
                rect,
                rows: SIDE,
                columns: SIDE,
                raster: self.rasters[m].clone(),
                heading: &heading,
                row_name: &name("figure.rope-pairing.rows", named || m == 0),
                // The others say there what has changed.
                column_name: &name("figure.rope-pairing.columns", m == 0),
                target: MATRICES + m,
                traced: Some((p.i, p.j).into()),
            };
            panel.draw(&mut scene, view);
            if m == MIXED && !view.reveal {
                veil(&mut scene, view, rect);
                continue;
            }
            self.numbers(&mut scene, view, m, rect);
            if m > 0 {
                self.compare(&mut scene, view, m, rect);
            }
        }
        let at = (rects[0].x, rects[2].bottom() + MatrixPanel::MARGIN.3 + 3.0);
        let name = say!(view.lang, "figure.rope-pairing.legend");
        let width = (rects[2].right() - rects[0].x).min(320.0);
        legend(&mut scene, view, at, width, self.scale, &name);
        scene
    }

    fn describe(&self, hit: Hit, _: &Params, lang: Lang) -> String {
        let Some(m) = hit.target.checked_sub(MATRICES) else {
            return self.words(self.strips().dim_at(hit), "figure.rope-pairing.dim", lang);
        };
        say!(
            lang,
            "figure.rope-pairing.cell",
            name = say!(lang, HEADINGS[m]),
            m = hit.row,
            n = hit.column,
            value = short(self.scores[m][(hit.row, hit.column)])
        )
    }

    fn picked(&self, hit: Hit, p: &Params) -> Vec<(Key, Value)> {
        if hit.target >= MATRICES {
            return vec![(Key::I, place(hit.row)), (Key::J, place(hit.column))];
        }
        let head = p.dim / self.head_dim * self.head_dim;
        vec![(Key::Dim, place(head + self.strips().dim_at(hit)))]
    }

    fn readouts(&self, p: &Params, lang: Lang) -> Vec<Readout> {
        let readout = |name: &'static str, key, number| Readout {
            name: name.into(),
            label: say!(lang, key),
            number: Some(number),
            text: short(number),
        };
        let mut out = vec![
            readout("mix-error", "figure.rope-pairing.mix-error", self.mix_error),
            readout(
                "permuted-error",
                "figure.rope-pairing.permuted-error",
                self.permuted_error,
            ),
        ];
        out.extend(scaling_readout(p, lang));
        out
    }

    fn sentence(&self, p: &Params, lang: Lang) -> String {
        let key = if self.head_dim == 2 {
            "figure.rope-pairing.sentence-same"
        } else {
            "figure.rope-pairing.sentence"
        };
        self.words(p.dim % self.head_dim, key, lang)
    }

    fn notes(&self, p: &Params, lang: Lang) -> Vec<String> {
        let dim = p.dim % self.head_dim;
        let mut out = Vec::new();
        if let (0..SIDE, 0..SIDE) = (p.i, p.j) {
            let [a, b, c] = [0, 1, 2].map(|m| short(self.scores[m][(p.i, p.j)]));
            let key = "figure.rope-pairing.traced";
            out.push(say!(lang, key, m = p.i, n = p.j, a = a, b = b, c = c));
        }
        out.push(self.words(dim, "figure.rope-pairing.dim", lang));
        out
    }

    fn table(&self, _: &Params) -> Table {
        let columns = ["m", "n", "interleaved", "half", "half_permuted"];
        let cells = (0..SIDE).flat_map(|m| (0..SIDE).map(move |n| (m, n)));
        Table {
            columns: columns.map(str::to_owned).to_vec(),
            rows: cells
                .map(|(m, n)| {
                    let mut row = vec![m as f64, n as f64];
                    row.extend(self.scores.iter().map(|s| s[(m, n)]));
                    row
                })
                .collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::encoding::rope::Rope;
    use crate::state::{decode, resolve};

    fn errors(query: &str) -> (f64, f64) {
        let query = format!("embed=rope-pairing&{query}");
        let p = resolve(&decode(&query).0, crate::figure::page_of).0;
        let readouts = compute(&p).expect("computed").readouts(&p, Lang::En);
        let number = |at: usize| readouts[at].number.expect("a number");
        (number(0), number(1))
    }

    #[test]
    fn mixing_breaks_and_permuting_mends() {
        for query in [
            "",
            "seed=7&base=500000",
            "d_model=36&heads=2",
            "pairing=half",
        ] {
            let (mix, mended) = errors(query);
            assert!(mix > 0.1 && mended < 1e-12, "{query}: {mix} {mended}");
        }
        assert_eq!(errors("d_model=2").0, 0.0);
    }

    #[test]
    fn scores_by_complex_numbers_are_the_same() {
        // A second way: (x + iy) e^{imθ}, times the conjugate, real part.
        let (h, base) = (6, 100.0f64);
        let (q, k) = (
            toy::random_vectors(3, "q", SIDE, h),
            toy::random_vectors(3, "k", SIDE, h),
        );
        for pairing in PAIRINGS {
            let rope = Rope::new(h, base, pairing).expect("a rotation");
            let s = scores(&rope.into(), &q, &k).expect("scores");
            for (m, n) in [(0, 0), (5, 2), (1, 4)] {
                let sum: f64 = (0..h / 2)
                    .map(|i| {
                        let (a, b) = pairing.columns(i, h);
                        let turn = (m as f64 - n as f64) * base.powf(-2.0 * i as f64 / h as f64);
                        let re = q[(m, a)] * k[(n, a)] + q[(m, b)] * k[(n, b)];
                        let im = q[(m, b)] * k[(n, a)] - q[(m, a)] * k[(n, b)];
                        re * turn.cos() - im * turn.sin()
                    })
                    .sum();
                assert!((s[(m, n)] - sum / (h as f64).sqrt()).abs() < 1e-12);
            }
        }
    }
}
