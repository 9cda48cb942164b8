//! `rope-score`: the score by distance, and the proof that it depends on distance alone.

use std::sync::Arc;

use super::curves::{BUDGET, curves, diagonal_spread, ends, envelope, sampled, scores};
use super::parts::{query_and_key, rotation_of, scaling_readout};
use crate::core::Matrix;
use crate::core::analysis::dot;
use crate::core::encoding::Rotation;
use crate::figure::kit::colour::Scale;
use crate::figure::kit::panel::{
    Chart, MatrixPanel, NAME, Spot, heading, headline, legend, round_up, swatches,
};
use crate::figure::kit::scene::{Align, Hit, Raster, Rect, Scene, Stand};
use crate::figure::kit::veil::{cover, cover_area, question};
use crate::figure::{
    Arrows, Computed, Figure, Film, Picture, Readout, Special, Table, View, place,
};
use crate::say;
use crate::state::{Key, Lang, Page, Params, Value};
use crate::words::short;

/// Largest side of the score matrix, and the most products that it may take.
const MAX_SIDE: usize = 128;
const MAX_PRODUCTS: usize = 4 << 20;
/// Taller boxes, by height over width, have the curves above the matrix, others beside it.
const TALL: f64 = 0.72;
/// Room for the names of the curves, above them, and for the legend of the matrix.
const NAMES: f64 = 22.0;
const LEGEND: f64 = 40.0;
/// Distances that stay while those further apart are asked for.
const SHOWN_WHILE_ASKED: f64 = 3.5;
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
    listens: crate::state::and_scaling!(Key: Pairing),
    arrows: Arrows::Each(Some(Key::J), Some(Key::I)),
    film: Film::of_positions(Key::I),
    special: &[Special::MovesTogether],
};

struct Score {
    rotation: Rotation,
    q: Vec<f64>,
    k: Vec<f64>,
    /// ‖q‖ ‖k‖.
    norms: f64,
    seq_len: usize,
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

pub(crate) fn compute(p: &Params) -> Computed {
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

    /// Chart, matrix, and upper left corner and width of the legend.
    fn places(width: f64, height: f64) -> (Rect, Rect, (f64, f64, f64)) {
        let (left, top, _, bottom) = Chart::MARGIN;
        let (m_left, m_top, m_right, m_bottom) = MatrixPanel::MARGIN;
        let (top, right) = (top + NAMES, 22.0);
        if height > TALL * width {
            let tall = (height * 0.48 - top - bottom).max(20.0);
            let chart = Rect::new(left, top, width - left - right, tall);
            let y = chart.bottom() + bottom + m_top + 2.0;
            let side = (height - y - m_bottom).min(width * 0.55).max(20.0);
            let x = m_left + side + 18.0;
            let legend = (x, y + side / 2.0 - 17.0, (width - x - 12.0).max(20.0));
            return (chart, Rect::new(m_left, y, side, side), legend);
        }
        let side = (width * 0.4 - m_left - m_right)
            .min(height - m_top - m_bottom - LEGEND)
            .max(20.0);
        let x = width - side - m_right;
        let wide = (x - m_left - 10.0 - left - right).max(20.0);
        let chart = Rect::new(left, top, wide, (height - top - bottom).max(20.0));
        let legend = (x, m_top + side + m_bottom + 6.0, side);
        (chart, Rect::new(x, m_top, side, side), legend)
    }

    fn chart(&self, scene: &mut Scene, view: &View, p: &Params, rect: Rect) {
        let c = view.colours;
        let (low, high) = ends(self.even.iter().chain(&self.random).copied());
        let last = (self.seq_len - 1).max(1) as f64;
        let chart = Chart {
            rect,
            // A distance is the middle of its column.
            x: -0.5..last + 0.5,
            y: (low - 0.06).min(-0.2)..(high + 0.05).max(1.05),
        };
        let names = ["x", "y"].map(|n| say!(view.lang, format!("figure.rope-score.{n}")));
        if self.seq_len <= 9 {
            let cells = (self.seq_len, 1);
            chart.cell_axes(scene, view, cells, "", (&names[0], &names[1]));
        } else {
            chart.axes(scene, view, "", &names[0], &names[1]);
        }
        let text = say!(view.lang, "figure.rope-score.chart");
        let at = (rect.x, rect.y - NAMES - 7.0);
        headline(scene, view, at, rect.w, &text);
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
        let zero = chart.at(0.0, 0.0).1;
        scene.fill(Rect::new(rect.x, zero, rect.w, 1.0), c.ink);
        scene.targets.push(chart.target(CURVES, self.seq_len));
        let items = [
            (colours[0], say!(view.lang, "figure.rope-score.even")),
            (colours[1], say!(view.lang, "figure.rope-score.random")),
        ];
        let at = (rect.x, rect.y - NAMES);
        swatches(scene, view, at, rect.w + 22.0, &items);
        if !view.reveal {
            let x = chart.at(SHOWN_WHILE_ASKED.min(0.5 * last), 0.0).0;
            let hidden = Rect::new(x, rect.y, rect.right() - x + 22.0, rect.h);
            cover(scene, view, hidden);
            let middle = (hidden.x + hidden.w / 2.0, rect.y + rect.h / 2.0);
            question(scene, view, middle, (0.3 * rect.h).clamp(14.0, 34.0));
            return;
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
        let distance = p.passing(p.i, self.seq_len) - p.j as f64;
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
    }

    fn proof(&self, scene: &mut Scene, view: &View, p: &Params, rect: Rect) {
        let c = view.colours;
        let side = self.matrix.nrows();
        let text = if view.reveal {
            say!(view.lang, "figure.rope-score.matrix")
        } else {
            say!(view.lang, "figure.rope-score.legend")
        };
        let panel = MatrixPanel {
            rect,
            rows: side,
            columns: side,
            raster: self.raster.clone(),
            heading: "",
            row_name: &say!(view.lang, "figure.rope-score.rows"),
            column_name: &say!(view.lang, "figure.rope-score.columns"),
            target: MATRIX,
            traced: Some(Spot(p.passing(p.i, self.seq_len), p.j as f64)),
        };
        // The diagonal of the traced distance.
        let (d, n) = (p.passing(p.i, self.seq_len) - p.j as f64, side as f64);
        let unit = rect.w / n;
        if d.abs() < n && view.reveal {
            let (from, to) = (d.max(0.0), n.min(n + d));
            let point = |m: f64| (rect.x + (m - d) * unit, rect.y + m * unit);
            scene.line(vec![point(from), point(to)], c.traced.fade(0.6), 1.5);
        }
        panel.draw(scene, view);
        let room = view.width - rect.x - 12.0;
        heading(scene, view, Rect::new(rect.x, rect.y, room, rect.h), &text);
        if view.reveal {
            return;
        }
        let kept = SHOWN_WHILE_ASKED.min(0.5 * n) * unit;
        let (x, y, right, bottom) = (rect.x, rect.y, rect.right(), rect.bottom());
        let upper = [(x + kept, y), (right, y), (right, bottom - kept)];
        let lower = [(x, y + kept), (x, bottom), (right - kept, bottom)];
        for triangle in [upper, lower] {
            cover_area(scene, view, &triangle);
        }
        let size = (0.2 * rect.w).clamp(14.0, 34.0);
        for (across, down) in [(0.73, 0.27), (0.27, 0.73)] {
            question(scene, view, (x + across * rect.w, y + down * rect.h), size);
        }
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
        // Curves above the matrix, or beside it.
        if width < 600.0 {
            (width * 0.82).clamp(415.0, 540.0)
        } else {
            (width * 0.4 + 46.0).min(540.0)
        }
    }

    fn draw(&self, p: &Params, view: &View) -> Scene {
        let mut scene = Scene::default();
        let (chart, matrix, (x, y, width)) = Self::places(view.width, view.height);
        self.chart(&mut scene, view, p, chart);
        self.proof(&mut scene, view, p, matrix);
        let name = say!(view.lang, "figure.rope-score.legend");
        legend(
            &mut scene,
            view,
            (x, y),
            width.min(320.0),
            self.scale,
            &name,
        );
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

    fn notes(&self, p: &Params, lang: Lang) -> Vec<String> {
        let side = self.matrix.nrows();
        let mut out = vec![
            self.words((p.i, p.j), "figure.rope-score.cell", lang),
            say!(lang, "figure.rope-score.proof", n = side),
        ];
        if self.step > 1 {
            let near = BUDGET / self.rotation.rope().inv_freq().len() / 2;
            let step = self.step;
            out.push(say!(
                lang,
                "figure.rope-score.note",
                near = near,
                step = step
            ));
        }
        out
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
