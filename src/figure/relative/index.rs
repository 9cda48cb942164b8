//! `rel-index`: which number of the bias table each (query, key) uses.

use std::sync::Arc;

use crate::core::encoding::{ByOffset, Scheme};
use crate::figure::kit::colour::{Scale, ink_on};
use crate::figure::kit::panel::{Chart, HEADING, MatrixPanel, Spot, TICK, legend, whole_ticks};
use crate::figure::kit::scene::{Align, Hit, Raster, Rect, Scene, Stand, text_width};
use crate::figure::kit::veil::{veil, veil_area};
use crate::figure::{Arrows, Computed, Figure, Film, Picture, Readout, Table, View, place};
use crate::say;
use crate::state::{Key, Lang, Page, Params, Value};
use crate::words::short;

/// Longer sides are sampled: an index changes along one direction only, so nothing is lost.
const MAX_SIDE: usize = 512;
/// The largest side of the matrix.
const SIDE: f64 = 434.0;
/// Wider figures have a chart beside the matrix.
const WIDE: f64 = 620.0;
/// Room that a legend takes.
const LEGEND: f64 = 38.0;
/// The table for reading shows no more offsets than this.
const MAX_TABLE_ROWS: usize = 513;

pub(crate) const FIGURE: Figure = Figure {
    id: "rel-index",
    page: Page::Relative,
    controls: &[Key::Scheme, Key::SeqLen, Key::MaxRelDist, Key::Causal],
    listens: &[],
    arrows: Arrows::Each(Some(Key::I), Some(Key::J)),
    film: Film::of_positions(Key::I),
    special: &[],
};

struct RelIndex {
    scheme: Scheme,
    offsets: Box<dyn ByOffset>,
    causal: bool,
    seq_len: usize,
    /// Index of each offset from −(n − 1) to n − 1.
    indices: Vec<usize>,
    scale: Scale,
    raster: Arc<Raster>,
}

pub(crate) fn compute(p: &Params) -> Computed {
    let offsets = p.scheme.offsets(&p.setting)?;
    let n = p.seq_len;
    let indices = offsets.indices(n);
    // Only what occurs here is coloured, so that a short sequence shows its steps.
    let first = indices.iter().copied().min().unwrap_or(0) as f64;
    let last = indices.iter().copied().max().unwrap_or(0) as f64;
    let scale = Scale::Span { first, last };
    let side = n.min(MAX_SIDE);
    let positions: Vec<usize> = (0..side).map(|k| k * n / side).collect();
    let values = indices.iter().map(|&index| index as f64);
    let raster = Raster::indexed(side, scale, values, |r, c| {
        positions[r] + n - 1 - positions[c]
    });
    Ok(Arc::new(RelIndex {
        scheme: p.scheme,
        causal: p.setting.causal,
        offsets,
        seq_len: n,
        indices,
        scale,
        raster,
    }))
}

impl RelIndex {
    fn index(&self, i: usize, j: usize) -> usize {
        self.indices[i + self.seq_len - 1 - j]
    }

    /// The matrix, the chart beside it, and where a legend may stand.
    fn places(&self, width: f64, height: f64) -> (Rect, Option<Rect>, Option<f64>) {
        let (left, top, right, bottom) = MatrixPanel::MARGIN;
        // What is written on the matrix says in a small one what its colours are.
        let legend = height >= 400.0 || !self.far();
        let below = top + bottom + if legend { LEGEND } else { 0.0 };
        let (chart_left, _, chart_right, _) = Chart::MARGIN;
        let beside = width >= WIDE;
        let taken = if beside {
            chart_left + chart_right + 196.0
        } else {
            0.0
        };
        let side = (width - left - right - taken)
            .min(height - below)
            .clamp(20.0, SIDE);
        let cells = Rect::new(left, top, side, side);
        let chart = beside.then(|| {
            let x = cells.right() + 26.0 + chart_left;
            Rect::new(x, top, width - x - chart_right, side)
        });
        (
            cells,
            chart,
            legend.then_some(cells.bottom() + bottom + 4.0),
        )
    }

    /// Whether the part that shares one number is still to be predicted.
    fn hides(&self, view: &View) -> bool {
        !view.reveal && self.far()
    }

    /// The index by offset.
    fn curve(&self, scene: &mut Scene, p: &Params, view: &View, rect: Rect) {
        let reach = (self.seq_len - 1) as f64 + 0.5;
        let (low, high) = self.scale.ends();
        let room = ((high - low) * 0.06).max(0.5);
        let chart = Chart {
            rect,
            x: -reach..reach,
            y: low - room..high + room,
        };
        let c = view.colours;
        let heading = say!(view.lang, "figure.rel-index.by_offset");
        let across = say!(view.lang, "figure.rel-bias.offset");
        let name = say!(view.lang, self.key("name"));
        let count = ((rect.w / 52.0) as usize).max(3);
        let ticks = whole_ticks(chart.x.clone(), count);
        chart.axes_at(scene, view, &ticks, (&heading, &across, &name));
        // Every offset where they can be told apart; otherwise as many as there are pixels.
        let last = self.seq_len as i64 - 1;
        let from = self
            .offsets
            .saturates()
            .map_or(i64::MAX, |from| from as i64);
        let hides = self.hides(view);
        let hidden = |offset: i64| {
            hides && (offset >= from || (offset <= -from && self.offsets.both_sides()))
        };
        let step = (self.indices.len() / 1024).max(1);
        let at = |offset: i64| self.indices[(offset + last) as usize] as f64;
        let steps = (-last..=last)
            .step_by(step)
            .filter(|offset| !hidden(*offset))
            .flat_map(|offset| {
                let x = offset as f64;
                [(x - 0.5, at(offset)), (x + 0.5, at(offset))]
            });
        chart.curve(scene, steps, c.accent, 2.5);
        let offset = p.i as i64 - p.j as i64;
        if !hidden(offset) {
            let next = (offset + 1).min(last);
            let next = if hidden(next) { offset } else { next };
            let x = offset as f64 + (next - offset) as f64 * p.between;
            let y = at(offset) + (at(next) - at(offset)) * p.between;
            chart.upright(scene, x, c.traced);
            scene.disc(chart.at(x, y), 4.5, c.traced);
        }
        if !self.far() {
            return;
        }
        let edge = from as f64 - 0.5;
        let wide = (reach - edge) * rect.w / (2.0 * reach);
        let sides = [
            (true, rect.right() - wide),
            (self.offsets.both_sides(), rect.x),
        ];
        for (k, (shared, x)) in sides.into_iter().enumerate() {
            let part = Rect::new(x, rect.y, wide, rect.h);
            let words = say!(view.lang, "figure.rel-index.one");
            if shared && hides {
                veil(scene, view, part);
            } else if shared && text_width(&words, TICK) < wide - 4.0 {
                let index = at(if k == 0 { last } else { -last });
                let up = index < (low + high) / 2.0;
                let y = chart.at(0.0, index).1 + if up { -8.0 } else { 8.0 };
                let stand = if up { Stand::Above } else { Stand::Below };
                let middle = (x + wide / 2.0, y);
                scene.text(middle, words, TICK, c.ink, (Align::Middle, stand));
            }
        }
    }

    fn far(&self) -> bool {
        self.offsets
            .saturates()
            .is_some_and(|from| self.seq_len > from + 1)
    }

    /// A text of the scheme shown.
    fn key(&self, part: &str) -> String {
        format!("figure.rel-index.{}.{part}", self.scheme.id())
    }

    fn words(&self, lang: Lang) -> String {
        let from = self.offsets.saturates().unwrap_or(0);
        let key = self.key(if self.far() { "far" } else { "near" });
        let words = say!(lang, key, from = from, last = 2 * from, n = self.seq_len);
        if self.causal {
            return words + &say!(lang, "figure.rel-index.causal");
        }
        words
    }

    /// Says what the traced or the pointed cell uses.
    fn cell(&self, i: usize, j: usize, lang: Lang) -> String {
        let offset = i as i64 - j as i64;
        let r = self.offsets.saturates().unwrap_or(0) as i64;
        say!(
            lang,
            self.key("cell"),
            i = i,
            j = j,
            offset = short(offset as f64),
            clip = short(offset.clamp(-r, r) as f64),
            r = r,
            index = self.index(i, j)
        )
    }

    /// The edge of the corner below or above the diagonal from a distance on: around its cells where
    /// they can be seen.
    fn edge(&self, r: Rect, from: usize, below: bool) -> Vec<(f64, f64)> {
        let n = self.seq_len;
        let size = r.w / n as f64;
        // Along the side of the matrix where the corner is, and into it.
        let at = |along: f64, into: f64| {
            let (along, into) = (along * size, into * size);
            if below {
                (r.x + into, r.y + along)
            } else {
                (r.x + along, r.y + into)
            }
        };
        if size < 8.0 {
            let reach = from as f64 - 0.5;
            return vec![at(reach, 0.0), at(n as f64, n as f64 - reach)];
        }
        let start = std::iter::once(at(from as f64, 0.0));
        let steps = (from..n).flat_map(|k| {
            let into = (k - from + 1) as f64;
            [at(k as f64, into), at(k as f64 + 1.0, into)]
        });
        start.chain(steps).collect()
    }

    /// The corners in which all share one number: a line at their edge, and how many steps that is;
    /// a veil while it is to be predicted. Words only where no cell has its number written in it.
    fn corners(&self, scene: &mut Scene, view: &View, r: Rect, words: bool) {
        let Some(from) = self.offsets.saturates().filter(|_| self.far()) else {
            return;
        };
        let long = r.w - from as f64 * r.w / self.seq_len as f64;
        for below in [true, false] {
            if !below && !self.offsets.both_sides() {
                return;
            }
            let corner = if below {
                (r.x, r.bottom())
            } else {
                (r.right(), r.y)
            };
            let edge = self.edge(r, from, below);
            // Into the matrix, from its corner.
            let inward = if below { 1.0 } else { -1.0 };
            if !view.reveal {
                let at = (
                    corner.0 + inward * 0.3 * long,
                    corner.1 - inward * 0.3 * long,
                );
                let mut corners = edge.clone();
                corners.push(corner);
                veil_area(scene, view, &corners, at);
                scene.dashed(edge, view.colours.muted, 1.5);
                continue;
            }
            let offset = if below { from as i64 } else { -(from as i64) };
            let index = self.offsets.index(offset);
            // Readable on what lies outside, whether that is light or dark.
            let ink = ink_on(self.scale.colour(index as f64, view.colours.dark));
            scene.dashed(edge, ink, 1.5);
            let lines = [
                say!(view.lang, "figure.rel-index.from", from = from),
                say!(view.lang, "figure.rel-index.all", index = index),
            ];
            let size = if long > 200.0 { HEADING } else { TICK };
            let wide = lines
                .iter()
                .map(|t| text_width(t, size))
                .fold(0.0, f64::max);
            if !words || wide + 2.6 * size + 16.0 > long {
                continue;
            }
            let align = if below { Align::Start } else { Align::End };
            for (k, line) in lines.into_iter().enumerate() {
                let down = (if below {
                    k as f64 - 1.5
                } else {
                    k as f64 + 0.5
                }) * 1.3
                    * size;
                let at = (corner.0 + inward * 9.0, corner.1 - inward * 6.0 + down);
                scene.text(at, line, size, ink, (align, Stand::Centre));
            }
        }
    }
}

impl Picture for RelIndex {
    fn height(&self, width: f64) -> f64 {
        let (cells, _, legend) = self.places(width, f64::INFINITY);
        legend.map_or(cells.bottom() + MatrixPanel::MARGIN.3, |y| y + LEGEND - 4.0)
    }

    fn draw(&self, p: &Params, view: &View) -> Scene {
        let mut scene = Scene::default();
        let (cells, chart, legend_at) = self.places(view.width, view.height);
        let heading = say!(view.lang, self.key("heading"));
        let panel = MatrixPanel {
            rect: cells,
            rows: self.seq_len,
            columns: self.seq_len,
            raster: self.raster.clone(),
            heading: &heading,
            row_name: &say!(view.lang, "axis.query"),
            column_name: &say!(view.lang, "axis.key"),
            target: 0,
            traced: Some(Spot(p.passing(p.i, self.seq_len), p.j as f64)),
        };
        let numbered = cells.w / self.seq_len as f64 >= MatrixPanel::NUMBER.0;
        self.corners(&mut scene, view, cells, !numbered);
        panel.draw(&mut scene, view);
        let from = self.offsets.saturates().unwrap_or(usize::MAX);
        panel.some_numbers(&mut scene, view, self.scale, |i, j| {
            let shares = i.abs_diff(j) >= from && (i > j || self.offsets.both_sides());
            (!self.hides(view) || !shares).then(|| self.index(i, j) as f64)
        });
        if let Some(y) = legend_at {
            let name = say!(view.lang, self.key("name"));
            let wide = cells.w.min(320.0);
            legend(&mut scene, view, (cells.x, y), wide, self.scale, &name);
        }
        if let Some(rect) = chart {
            self.curve(&mut scene, p, view, rect);
        }
        scene
    }

    fn describe(&self, hit: Hit, _: &Params, lang: Lang) -> String {
        self.cell(hit.row, hit.column, lang)
    }

    fn picked(&self, hit: Hit, _: &Params) -> Vec<(Key, Value)> {
        vec![(Key::I, place(hit.row)), (Key::J, place(hit.column))]
    }

    fn readouts(&self, p: &Params, lang: Lang) -> Vec<Readout> {
        let offset = p.i as f64 - p.j as f64;
        let index = self.index(p.i, p.j);
        let label = say!(lang, self.key("name"));
        vec![
            Readout {
                name: "offset".into(),
                label: say!(lang, "figure.rel-index.offset"),
                number: Some(offset),
                text: short(offset),
            },
            Readout {
                name: "index".into(),
                label,
                number: Some(index as f64),
                text: index.to_string(),
            },
        ]
    }

    fn sentence(&self, _: &Params, lang: Lang) -> String {
        self.words(lang)
    }

    fn notes(&self, p: &Params, lang: Lang) -> Vec<String> {
        vec![self.cell(p.i, p.j, lang)]
    }

    fn table(&self, _: &Params) -> Table {
        let last = self.seq_len as i64 - 1;
        let reach = last.min(MAX_TABLE_ROWS as i64 / 2);
        Table {
            columns: vec!["offset".to_owned(), "index".to_owned()],
            rows: (-reach..=reach)
                .map(|offset| {
                    let index = self.indices[(offset + last) as usize];
                    vec![offset as f64, index as f64]
                })
                .collect(),
        }
    }
}
