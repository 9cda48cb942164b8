//! `rope-score`: the score by distance, and the proof that it depends on distance alone.

use std::sync::Arc;

use super::curves::{BUDGET, curves, diagonal_spread, ends, envelope, sampled, scores};
use super::parts::{query_and_key, rotation_of, scaling_readout};
use crate::core::Matrix;
use crate::core::analysis::dot;
use crate::core::encoding::Rotation;
use crate::figure::kit::colour::Scale;
use crate::figure::kit::panel::{
    Chart, MatrixPanel, NAME, TICK, fitted, legend, round_up, swatches,
};
use crate::figure::kit::scene::{Align, Hit, Raster, Rect, Scene, Stand};
use crate::figure::{Arrows, Computed, Figure, Picture, Readout, Table, View, place};
use crate::say;
use crate::state::{Key, Lang, Page, Params, Value};
use crate::words::short;

/// Largest side of the score matrix, and the most products that it may take.
const MAX_SIDE: usize = 128;
const MAX_PRODUCTS: usize = 4 << 20;
/// Panels stand side by side from this width on.
const WIDE: f64 = 720.0;
/// Room for the legend of the curves and the note below it.
const NOTES: f64 = 62.0;
/// The targets: curves and matrix.
const CURVES: usize = 0;
const MATRIX: usize = 1;

pub(crate) const FIGURE: Figure = Figure {
    id: "rope-score",
    page: Page::Rope,
    controls: &[
        Key::Scheme,
        Key::SeqLen,
        Key::DModel,
        Key::Heads,
        Key::Base,
        Key::Seed,
    ],
    listens: &[
        Key::Pairing,
        Key::Scaling,
        Key::Factor,
        Key::OrigLen,
        Key::TargetLen,
        Key::BetaFast,
        Key::BetaSlow,
        Key::LowFreqFactor,
        Key::HighFreqFactor,
        Key::Truncate,
        Key::AttentionFactor,
    ],
    arrows: Arrows::Each(Some(Key::J), Some(Key::I)),
    film: None,
    special: &[],
    compute,
};

struct Score {
    rotation: Rotation,
    q: Vec<f64>,
    k: Vec<f64>,
    /// ‖q‖ ‖k‖.
    norms: f64,
    seq_len: usize,
    seed: u32,
    /// Distances at which the curves are computed.
    distances: Vec<usize>,
    /// Step between the last of them; 1 if every distance is there.
    step: usize,
    /// Mean cosine: q = k with the same energy in each pair.
    even: Vec<f64>,
    /// The page's q and k, as a cosine.
    random: Vec<f64>,
    matrix: Matrix,
    scale: Scale,
    raster: Arc<Raster>,
    spread: f64,
}

fn compute(p: &Params) -> Computed {
    let rotation = rotation_of(p)?;
    let h = rotation.rope().head_dim();
    let (q, k) = query_and_key(p.setting.seed, h);
    let norms = (dot(&q, &q) * dot(&k, &k)).sqrt().max(f64::MIN_POSITIVE);
    let (distances, step) = sampled(p.seq_len, h / 2);
    let (even, mut random) = curves(&rotation, &q, &k, &distances);
    random.iter_mut().for_each(|x| *x /= norms);
    let most = ((MAX_PRODUCTS / h) as f64).sqrt() as usize;
    let side = p.seq_len.min(MAX_SIDE).min(most.max(8));
    let matrix = scores(&rotation, &q, &k, side)?;
    let scale = Scale::Signed {
        limit: round_up(matrix.amax()),
    };
    let raster = Raster::from_fn(side, side, scale, |m, n| matrix[(m, n)]);
    Ok(Arc::new(Score {
        norms,
        seq_len: p.seq_len,
        seed: p.setting.seed,
        distances,
        step,
        even,
        random,
        spread: diagonal_spread(&matrix),
        matrix,
        scale,
        raster,
        rotation,
        q,
        k,
    }))
}

impl Score {
    /// Both curves at one distance, of either sign.
    fn at(&self, distance: f64) -> (f64, f64) {
        let even = self.rotation.similarity(&[distance])[0];
        let random = self.rotation.scores(&self.q, &self.k, &[distance])[0];
        (even, random / self.norms)
    }

    /// Chart and matrix.
    fn panels(&self, width: f64) -> (Rect, Rect) {
        let (left, top, _, bottom) = Chart::MARGIN;
        let (m_left, m_top, m_right, _) = MatrixPanel::MARGIN;
        let right = 22.0;
        if width >= WIDE {
            let side = (width * 0.34 - m_left - m_right).min(330.0);
            let x = width - side - m_right;
            let chart = Rect::new(left, top, x - m_left - 14.0 - left - right, side);
            return (chart, Rect::new(x, m_top, side, side));
        }
        let chart = Rect::new(left, top, width - left - right, 220.0);
        let side = (width - m_left - m_right).min(320.0);
        let y = chart.bottom() + bottom + NOTES + m_top + 8.0;
        (chart, Rect::new(m_left, y, side, side))
    }

    fn chart(&self, scene: &mut Scene, view: &View, p: &Params, rect: Rect) {
        let c = view.colours;
        let (low, high) = ends(self.even.iter().chain(&self.random).copied());
        let last = (self.seq_len - 1).max(1) as f64;
        let chart = Chart {
            rect,
            x: 0.0..last,
            y: (low - 0.06).min(-0.2)..(high + 0.05).max(1.05),
        };
        let names = ["x", "y", "chart"].map(|n| say!(view.lang, format!("figure.rope-score.{n}")));
        if self.seq_len <= 9 {
            let cells = (self.seq_len, 1);
            chart.cell_axes(scene, view, cells, &names[2], (&names[0], &names[1]));
        } else {
            chart.axes(scene, view, &names[2], &names[0], &names[1]);
        }
        let colours = [c.accent, c.series(1)];
        let crowded = rect.w < self.distances.len() as f64;
        let shown = [c.accent, c.series(1).fade(if crowded { 0.6 } else { 1.0 })];
        let mut label_y: Vec<f64> = Vec::new();
        for ((values, colour), width) in [&self.even, &self.random]
            .into_iter()
            .zip(shown)
            .zip([2.0, 1.4])
        {
            chart.curve(
                scene,
                envelope(&self.distances, values, rect.w, last),
                colour,
                width,
            );
            if rect.w / last > 7.0 {
                for (&d, &v) in self.distances.iter().zip(values) {
                    scene.disc(chart.at(d as f64, v), width + 0.8, colour);
                }
            }
            label_y.push(chart.at(0.0, values.last().copied().unwrap_or(0.0)).1);
        }
        // Letters at the right ends, kept apart.
        let middle = (label_y[0] + label_y[1]) / 2.0;
        if (label_y[0] - label_y[1]).abs() < 13.0 {
            let first = if label_y[0] <= label_y[1] { -6.5 } else { 6.5 };
            label_y = vec![middle + first, middle - first];
        }
        for ((y, colour), name) in label_y.into_iter().zip(colours).zip(["a", "b"]) {
            let at = (chart.at(self.seq_len as f64 - 1.0, 0.0).0 + 7.0, y);
            scene.text(at, name, NAME, colour, (Align::Start, Stand::Centre));
        }
        let zero = chart.at(0.0, 0.0).1;
        scene.fill(Rect::new(rect.x, zero, rect.w, 1.0), c.ink);
        let distance = p.i as f64 - p.j as f64;
        chart.upright(scene, distance.abs(), c.traced.fade(0.8));
        let (even, random) = self.at(distance);
        // Curve b is not symmetric: it has no point for a negative distance.
        for (value, there) in [(even, true), (random, distance >= 0.0)] {
            if there {
                let at = chart.at(distance.abs(), value);
                scene.disc(at, 6.5, c.surface);
                scene.disc(at, 4.5, c.traced);
            }
        }
        let mut target = chart.target(CURVES, self.seq_len);
        if self.seq_len > 1 {
            // Column d is centred on distance d.
            let half = rect.w / last / 2.0;
            target.rect = Rect::new(rect.x - half, rect.y, rect.w + 2.0 * half, rect.h);
        }
        scene.targets.push(target);
        let y = rect.bottom() + Chart::MARGIN.3 + 6.0;
        let room = rect.w + 40.0;
        let seed = self.seed;
        let items = [
            (colours[0], say!(view.lang, "figure.rope-score.even")),
            (
                colours[1],
                say!(view.lang, "figure.rope-score.random", seed = seed),
            ),
        ];
        let used = swatches(scene, view, (12.0, y), room, &items);
        if self.step > 1 {
            let (near, step) = (
                BUDGET / self.rotation.rope().inv_freq().len() / 2,
                self.step,
            );
            let note = say!(
                view.lang,
                "figure.rope-score.note",
                near = near,
                step = step
            );
            let place = (Align::Start, Stand::Below);
            fitted(scene, (12.0, y + used), room, &note, TICK, c.muted, place);
        }
    }

    fn proof(&self, scene: &mut Scene, view: &View, p: &Params, rect: Rect) {
        let c = view.colours;
        let side = self.matrix.nrows();
        let heading = say!(view.lang, "figure.rope-score.matrix", n = side);
        let panel = MatrixPanel {
            rect,
            rows: side,
            columns: side,
            raster: self.raster.clone(),
            heading: &heading,
            row_name: &say!(view.lang, "figure.rope-score.rows"),
            column_name: &say!(view.lang, "figure.rope-score.columns"),
            target: MATRIX,
            traced: Some((p.i, p.j)),
        };
        // The diagonal of the traced distance.
        let (d, n) = (p.i as f64 - p.j as f64, side as f64);
        if d.abs() < n {
            let unit = rect.w / n;
            let (from, to) = (d.max(0.0), n.min(n + d));
            let point = |m: f64| (rect.x + (m - d) * unit, rect.y + m * unit);
            scene.line(vec![point(from), point(to)], c.traced.fade(0.6), 1.5);
        }
        panel.draw(scene, view);
        let y = rect.bottom() + MatrixPanel::MARGIN.3 + 8.0;
        let name = say!(view.lang, "figure.rope-score.legend");
        legend(scene, view, (rect.x, y), rect.w, self.scale, &name);
    }

    /// Positions with this distance, near those that are traced.
    fn pair_at(&self, distance: usize, p: &Params) -> (usize, usize) {
        let m = (p.j + distance).min(self.seq_len - 1);
        (m, m - distance.min(m))
    }

    fn hit_pair(&self, hit: Hit, p: &Params) -> (usize, usize) {
        if hit.target == MATRIX {
            (hit.row, hit.column)
        } else {
            self.pair_at(hit.column, p)
        }
    }

    fn words(&self, (m, n): (usize, usize), key: &str, lang: Lang) -> String {
        let distance = m as f64 - n as f64;
        let (even, random) = self.at(distance);
        let negative = self.even.iter().position(|v| *v < 0.0);
        let first = match negative.map(|at| (at, self.distances[at])) {
            None => say!(lang, "figure.rope-score.never"),
            // Numbers and distances agree as long as none is left out.
            Some((at, d)) if at == d => say!(lang, "figure.rope-score.first", d = d),
            Some((_, d)) => say!(lang, "figure.rope-score.about", d = d),
        };
        say!(
            lang,
            key,
            m = m,
            n = n,
            distance = short(distance),
            even = short(even),
            random = short(random),
            score = short(random * self.norms / (self.q.len() as f64).sqrt()),
            first = first
        )
    }
}

impl Picture for Score {
    fn height(&self, width: f64) -> f64 {
        let (chart, matrix) = self.panels(width);
        let below = MatrixPanel::MARGIN.3 + 46.0;
        (chart.bottom() + Chart::MARGIN.3 + NOTES).max(matrix.bottom() + below)
    }

    fn draw(&self, p: &Params, view: &View) -> Scene {
        let mut scene = Scene::default();
        let (chart, matrix) = self.panels(view.width);
        self.chart(&mut scene, view, p, chart);
        self.proof(&mut scene, view, p, matrix);
        scene
    }

    fn describe(&self, hit: Hit, p: &Params, lang: Lang) -> String {
        let key = if hit.target == MATRIX {
            "figure.rope-score.cell"
        } else {
            "figure.rope-score.point"
        };
        self.words(self.hit_pair(hit, p), key, lang)
    }

    fn picked(&self, hit: Hit, p: &Params) -> Vec<(Key, Value)> {
        let (m, n) = self.hit_pair(hit, p);
        vec![(Key::I, place(m)), (Key::J, place(n))]
    }

    fn readouts(&self, p: &Params, lang: Lang) -> Vec<Readout> {
        let (even, random) = self.at(p.i as f64 - p.j as f64);
        let readout = |name: &'static str, key, number| Readout {
            name: name.into(),
            label: self.words((p.i, p.j), key, lang),
            number: Some(number),
            text: short(number),
        };
        let mut out = vec![
            readout("score", "figure.rope-score.score", random),
            readout("mean-cosine", "figure.rope-score.mean", even),
            readout("diagonal-spread", "figure.rope-score.spread", self.spread),
        ];
        out.extend(scaling_readout(p, lang));
        out
    }

    fn sentence(&self, p: &Params, lang: Lang) -> String {
        self.words((p.i, p.j), "figure.rope-score.sentence", lang)
    }

    fn table(&self, _: &Params) -> Table {
        let columns = ["distance", "mean_cosine", "random_cosine"];
        Table {
            columns: columns.map(str::to_owned).to_vec(),
            rows: (0..self.distances.len())
                .map(|at| vec![self.distances[at] as f64, self.even[at], self.random[at]])
                .collect(),
        }
    }
}
