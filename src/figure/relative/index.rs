//! `rel-index`: which number of the bias table each (query, key) uses.

use std::sync::Arc;

use crate::core::encoding::{ByOffset, Scheme};
use crate::figure::kit::colour::{Scale, ink_on};
use crate::figure::kit::note::{self, note};
use crate::figure::kit::panel::{Chart, MatrixPanel, legend, whole_ticks};
use crate::figure::kit::scene::{Hit, Raster, Rect, Scene};
use crate::figure::{Arrows, Computed, Figure, Picture, Readout, Table, View, place};
use crate::say;
use crate::state::{Key, Lang, Page, Params, Value};
use crate::words::short;

/// Longer sides are sampled: an index changes along one direction only, so nothing is lost.
const MAX_SIDE: usize = 512;
/// Height of the chart beside the matrix.
const CHART: f64 = 220.0;
/// The table for reading shows no more offsets than this.
const MAX_TABLE_ROWS: usize = 513;

pub(crate) const FIGURE: Figure = Figure {
    id: "rel-index",
    page: Page::Relative,
    controls: &[Key::Scheme, Key::SeqLen, Key::MaxRelDist, Key::Causal],
    listens: &[],
    arrows: Arrows::Each(Some(Key::I), Some(Key::J)),
    film: None,
    special: &[],
    compute,
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

fn compute(p: &Params) -> Computed {
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

    fn cells(width: f64) -> Rect {
        let (left, top, right, _) = MatrixPanel::MARGIN;
        let side = (width - left - right).min(440.0);
        Rect::new(left, top, side, side)
    }

    /// Where the words stand, and how wide they are: beside the matrix if there is room.
    fn words_at(width: f64) -> (f64, f64, f64) {
        let cells = Self::cells(width);
        let beside = width - cells.right() - 40.0;
        if beside >= 240.0 {
            let below = cells.y + CHART + Chart::MARGIN.3 + 14.0;
            (cells.right() + 28.0, below, beside)
        } else {
            (10.0, Self::legend_at(width) + 40.0, width - 20.0)
        }
    }

    /// The index by offset, beside the matrix if there is room.
    fn curve(&self, scene: &mut Scene, p: &Params, view: &View, name: &str) {
        let (x, y, wide) = Self::words_at(view.width);
        let cells = Self::cells(view.width);
        if y > cells.bottom() {
            return;
        }
        let (left, _, right, _) = Chart::MARGIN;
        let reach = (self.seq_len - 1) as f64 + 0.5;
        let (low, high) = self.scale.ends();
        let room = ((high - low) * 0.06).max(0.5);
        let chart = Chart {
            rect: Rect::new(x + left, cells.y, wide - left - right, CHART),
            x: -reach..reach,
            y: low - room..high + room,
        };
        let c = view.colours;
        let heading = say!(view.lang, "figure.rel-index.by_offset");
        let across = say!(view.lang, "figure.rel-bias.offset");
        let count = ((chart.rect.w / 52.0) as usize).max(3);
        let ticks = whole_ticks(chart.x.clone(), count);
        chart.axes_at(scene, view, &ticks, (&heading, &across, name));
        // Every offset where they can be told apart; otherwise as many as there are pixels.
        let last = self.seq_len as i64 - 1;
        let step = (self.indices.len() / 1024).max(1);
        let at = |offset: i64| self.indices[(offset + last) as usize] as f64;
        let steps = (-last..=last).step_by(step).flat_map(|offset| {
            let x = offset as f64;
            [(x - 0.5, at(offset)), (x + 0.5, at(offset))]
        });
        chart.curve(scene, steps, c.accent, 2.0);
        let offset = p.i as i64 - p.j as i64;
        chart.upright(scene, offset as f64, c.traced);
        scene.disc(chart.at(offset as f64, at(offset)), 4.5, c.traced);
    }

    fn legend_at(width: f64) -> f64 {
        Self::cells(width).bottom() + MatrixPanel::MARGIN.3 + 8.0
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

    /// Lines at the distance beyond which all share one column.
    fn edges(&self, scene: &mut Scene, view: &View, r: Rect) {
        let Some(from) = self.offsets.saturates().filter(|_| self.far()) else {
            return;
        };
        let size = r.w / self.seq_len as f64;
        let reach = (from as f64 - 0.5) * size;
        // Readable on what lies outside, whether that is light or dark.
        let ink = |offset: i64| {
            let index = self.offsets.index(offset) as f64;
            ink_on(self.scale.colour(index, view.colours.dark))
        };
        let below = vec![(r.x, r.y + reach), (r.right() - reach, r.bottom())];
        scene.dashed(below, ink(from as i64), 1.5);
        if self.offsets.both_sides() {
            let above = vec![(r.x + reach, r.y), (r.right(), r.bottom() - reach)];
            scene.dashed(above, ink(-(from as i64)), 1.5);
        }
    }
}

impl Picture for RelIndex {
    fn height(&self, width: f64) -> f64 {
        let (_, y, wide) = Self::words_at(width);
        let longest = note::room(wide, |lang| self.words(lang));
        // The traced cell's arithmetic takes up to three lines on a phone.
        let traced = note::room(wide, |lang| self.cell(self.seq_len - 1, 0, lang)) + note::LINE;
        (y + longest + traced + 12.0).max(Self::legend_at(width) + 36.0)
    }

    fn draw(&self, p: &Params, view: &View) -> Scene {
        let mut scene = Scene::default();
        let cells = Self::cells(view.width);
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
            traced: Some((p.i, p.j)),
        };
        self.edges(&mut scene, view, cells);
        panel.draw(&mut scene, view);
        panel.numbers(&mut scene, view, self.scale, |i, j| self.index(i, j) as f64);
        let name = say!(view.lang, self.key("name"));
        let at = (cells.x, Self::legend_at(view.width));
        legend(&mut scene, view, at, cells.w.min(320.0), self.scale, &name);
        let (x, y, wide) = Self::words_at(view.width);
        self.curve(&mut scene, p, view, &name);
        let c = view.colours;
        let traced = self.cell(p.i, p.j, view.lang);
        let taken = note(&mut scene, (x, y), wide, &traced, c.traced) + 8.0;
        let words = self.words(view.lang);
        note(&mut scene, (x, y + taken), wide, &words, c.ink);
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

    fn sentence(&self, p: &Params, lang: Lang) -> String {
        format!("{} {}", self.cell(p.i, p.j, lang), self.words(lang))
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
