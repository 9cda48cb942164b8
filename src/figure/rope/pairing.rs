//! `rope-pairing`: interleaved and half-split pairs, the permutation between them, and what is
//! wrong when they are mixed.

use std::sync::Arc;

use super::parts::scaling_readout;
use super::strips::{self, PAIRINGS, Strips};
use crate::core::encoding::rope::{Pairing, half_from_interleaved};
use crate::core::encoding::{Rotation, Setting};
use crate::core::{CoreError, Matrix, toy};
use crate::figure::kit::colour::Scale;
use crate::figure::kit::panel::{MatrixPanel, legend, round_up};
use crate::figure::kit::scene::{Hit, Raster, Rect, Scene};
use crate::figure::{Arrows, Computed, Figure, Picture, Readout, Table, View, place};
use crate::say;
use crate::state::{Key, Lang, Page, Params, Value};
use crate::words::short;

/// Positions of the score matrices.
const SIDE: usize = 6;
/// Matrices stand side by side from this width on.
const WIDE: f64 = 720.0;
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
    film: None,
    special: &[],
    compute,
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

fn compute(p: &Params) -> Computed {
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
    fn matrices(&self, width: f64) -> [Rect; 3] {
        let (left, top, right, bottom) = MatrixPanel::MARGIN;
        let y = strips::HEIGHT + top + 6.0;
        if width >= WIDE {
            let w = width / 3.0;
            return [0.0, 1.0, 2.0]
                .map(|m| Rect::new(m * w + left, y, w - left - right, (w * 0.7).min(230.0)));
        }
        let (w, h) = ((width - left - right).min(360.0), 156.0);
        [0.0, 1.0, 2.0].map(|m| Rect::new(left, y + m * (h + top + bottom + 12.0), w, h))
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
        let last = self.matrices(width)[2];
        last.bottom() + MatrixPanel::MARGIN.3 + 46.0
    }

    fn draw(&self, p: &Params, view: &View) -> Scene {
        let mut scene = Scene::default();
        self.strips().draw(&mut scene, view, p.dim);
        let rects = self.matrices(view.width);
        for (m, rect) in rects.into_iter().enumerate() {
            let heading = say!(view.lang, HEADINGS[m]);
            let panel = MatrixPanel {
                rect,
                rows: SIDE,
                columns: SIDE,
                raster: self.rasters[m].clone(),
                heading: &heading,
                row_name: &say!(view.lang, "figure.rope-pairing.rows"),
                column_name: &say!(view.lang, "figure.rope-pairing.columns"),
                target: MATRICES + m,
                traced: Some((p.i, p.j)),
            };
            panel.draw(&mut scene, view);
            panel.numbers(&mut scene, view, self.scale, |r, c| self.scores[m][(r, c)]);
        }
        let at = (rects[0].x, rects[2].bottom() + MatrixPanel::MARGIN.3 + 8.0);
        let name = say!(view.lang, "figure.rope-pairing.legend");
        legend(
            &mut scene,
            view,
            at,
            rects[0].w.min(320.0),
            self.scale,
            &name,
        );
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
