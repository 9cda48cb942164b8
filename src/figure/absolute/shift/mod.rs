//! `pe-shift`: PE(pos + k) = M_k · PE(pos), as a matrix and as a hand of a clock that turns.

mod block;
mod clock;

use std::sync::Arc;

use crate::core::encoding::sinusoidal::{Layout, Sinusoidal};
use crate::figure::kit::colour::Scale;
use crate::figure::kit::panel::{HEADING, MatrixPanel, fitted, trace_cell};
use crate::figure::kit::scene::{Align, Hit, Raster, Rect, Scene, Stand};
use crate::figure::{Arrows, Computed, Figure, Film, Picture, Readout, Table, View, place};
use crate::say;
use crate::state::{Key, Lang, Page, Params, Value};
use crate::words::short;

/// Dimensions of the matrix that are drawn.
const MAX_SIDE: usize = 64;
/// The clock's second hand starts here, or at [`OTHER_START`] where this is traced.
const SECOND_START: usize = 50;
const OTHER_START: usize = 3;
const SCALE: Scale = Scale::Signed { limit: 1.0 };

pub(crate) const FIGURE: Figure = Figure {
    id: "pe-shift",
    page: Page::Absolute,
    controls: &[Key::Shift, Key::DModel, Key::Base, Key::Layout, Key::Pos],
    listens: &[],
    arrows: Arrows::Each(Some(Key::Dim), Some(Key::Shift)),
    // Wherever the steps begin, the arc stays.
    film: Film::of_positions(Key::Pos),
    special: &[],
};

struct Shift {
    pe: Sinusoidal,
    interleaved: bool,
    k: f64,
    /// (sin kω, cos kω) of each pair.
    turns: Vec<(f64, f64)>,
    raster: Arc<Raster>,
}

pub(crate) fn compute(p: &Params) -> Computed {
    let s = &p.setting;
    let pe = Sinusoidal::new(s.d_model, s.base, s.layout)?;
    let k = p.shift as f64;
    let turns = pe.frequencies().iter().map(|w| (k * w).sin_cos()).collect();
    let mut shift = Shift {
        pe,
        interleaved: s.layout == Layout::Interleaved,
        k,
        turns,
        raster: Raster::from_fn(1, 1, SCALE, |_, _| 0.0),
    };
    let side = shift.side();
    shift.raster = Raster::from_fn(side, side, SCALE, |r, c| {
        shift.entry(shift.dim(r), shift.dim(c))
    });
    Ok(Arc::new(shift))
}

impl Shift {
    fn side(&self) -> usize {
        self.pe.d_model().min(MAX_SIDE)
    }

    /// Whether the matrix has more dimensions than are drawn.
    fn cut(&self) -> bool {
        self.pe.d_model() > MAX_SIDE
    }

    /// The dimension at a row or column of the drawing: the first pairs, in the layout's order.
    fn dim(&self, at: usize) -> usize {
        let half = self.side() / 2;
        if self.interleaved || at < half {
            at
        } else {
            at - half + self.pe.d_model() / 2
        }
    }

    /// The row or column at which a dimension is drawn, if it is.
    fn place(&self, dim: usize) -> Option<usize> {
        (0..self.side()).find(|&at| self.dim(at) == dim)
    }

    /// One number of M_k, at (row, column): not 0 only within a pair.
    fn entry(&self, row: usize, column: usize) -> f64 {
        match (self.pe.pair(row), self.pe.pair(column)) {
            (Some((a, row_sin)), Some((b, column_sin))) if a == b => {
                let (sin, cos) = self.turns[a];
                match (row_sin, column_sin) {
                    (true, false) => sin,
                    (false, true) => -sin,
                    _ => cos,
                }
            }
            _ => 0.0,
        }
    }

    fn pair(&self, dim: usize) -> usize {
        self.pe.pair(dim).map_or(0, |(pair, _)| pair)
    }

    /// The largest |M_k · PE(pos) − PE(pos + k)|, over all dimensions.
    fn error(&self, pos: usize) -> f64 {
        let pos = pos as f64;
        let pairs = self.pe.frequencies().iter().zip(&self.turns);
        pairs
            .map(|(w, (sin_k, cos_k))| {
                let (sin, cos) = (pos * w).sin_cos();
                let (s, c) = ((pos + self.k) * w).sin_cos();
                let turned = (cos_k * sin + sin_k * cos, cos_k * cos - sin_k * sin);
                (turned.0 - s).abs().max((turned.1 - c).abs())
            })
            .fold(0.0, f64::max)
    }

    /// Angle of a pair at a position.
    fn angle(&self, pair: usize, pos: f64) -> f64 {
        pos * self.pe.frequencies()[pair]
    }

    /// The position from which the clock shows the same steps once more.
    fn second_start(pos: usize) -> usize {
        if pos == SECOND_START {
            OTHER_START
        } else {
            SECOND_START
        }
    }

    /// The clock at the left, at its right the traced block and, small, the whole matrix.
    fn places(view: &View) -> Places {
        let (width, height) = (view.width, view.height);
        let left = width * if width < 560.0 { 0.6 } else { 0.56 };
        let column = width - left - 14.0;
        let clock = Rect::new(0.0, 0.0, left, height);
        let cell = (column / 2.9).min(height * 0.13).clamp(20.0, 84.0);
        let x = left + (column - 2.0 * cell - 40.0).max(0.0) / 2.0 + 36.0;
        let block = Rect::new(x, 44.0, 2.0 * cell, 2.0 * cell);
        let (margin, top, _, bottom) = MatrixPanel::MARGIN;
        let y = block.bottom() + top + 20.0;
        let side = (column - margin).min(height - y - bottom).max(20.0);
        let x = left + margin + (column - margin - side).max(0.0) / 2.0;
        Places {
            clock,
            block,
            matrix: Rect::new(x, y, side, side),
        }
    }

    fn words(&self, pair: usize, pos: usize, key: &str, lang: Lang) -> String {
        let (sin, cos) = self.turns[pair];
        let angle = self.angle(pair, self.k);
        let (a, b) = (pos as f64 * self.pe.frequencies()[pair]).sin_cos();
        let (c, d) = (cos * a + sin * b, cos * b - sin * a);
        say!(
            lang,
            key,
            pair = pair,
            k = short(self.k),
            rad = short(angle),
            degrees = short(angle.to_degrees()),
            sin = short(sin),
            minus = short(-sin + 0.0),
            cos = short(cos),
            pos = pos,
            a = short(a),
            b = short(b),
            after = short(pos as f64 + self.k),
            c = short(c),
            d = short(d)
        )
    }
}

/// Where the parts are.
struct Places {
    clock: Rect,
    block: Rect,
    matrix: Rect,
}

impl Picture for Shift {
    fn height(&self, width: f64) -> f64 {
        (width * 0.6 + 60.0).clamp(400.0, 500.0)
    }

    fn draw(&self, p: &Params, view: &View) -> Scene {
        let mut scene = Scene::default();
        let places = Self::places(view);
        let side = self.side();
        let panel = MatrixPanel {
            rect: places.matrix,
            rows: side,
            columns: side,
            raster: self.raster.clone(),
            heading: "",
            row_name: &say!(view.lang, "axis.dim"),
            column_name: &say!(view.lang, "axis.dim"),
            target: 0,
            traced: None,
        };
        panel.draw(&mut scene, view);
        let heading = say!(view.lang, "figure.pe-shift.heading", k = short(self.k));
        let x = places.clock.right() + 10.0;
        let (at, room) = ((x, places.matrix.y - 7.0), view.width - x - 2.0);
        let place = (Align::Start, Stand::Above);
        let ink = view.colours.ink;
        fitted(&mut scene, at, room, &heading, HEADING, ink, place);
        panel.numbers(&mut scene, view, SCALE, |r, c| {
            // −0 would be written with its sign.
            self.entry(self.dim(r), self.dim(c)) + 0.0
        });
        let (s, c) = self.pe.columns(self.pair(p.dim));
        if let (Some(s), Some(c)) = (self.place(s), self.place(c)) {
            if self.interleaved {
                let blocks = (side / 2, side / 2);
                trace_cell(&mut scene, view, places.matrix, blocks, (s / 2, s / 2));
            } else {
                for cell in [(s, s), (s, c), (c, s), (c, c)] {
                    let r = places.matrix;
                    let size = r.w / side as f64;
                    let x = r.x + cell.1 as f64 * size;
                    let y = r.y + cell.0 as f64 * size;
                    let outline = Rect::new(x - 1.0, y - 1.0, size + 2.0, size + 2.0);
                    scene.frame(outline, view.colours.traced, 2.0);
                }
            }
        }
        self.block(&mut scene, p, view, places.block);
        self.clock(&mut scene, p, view, places.clock);
        scene
    }

    fn describe(&self, hit: Hit, _: &Params, lang: Lang) -> String {
        let (row, column) = (self.dim(hit.row), self.dim(hit.column));
        say!(
            lang,
            "figure.pe-shift.cell",
            row = row,
            column = column,
            value = short(self.entry(row, column))
        )
    }

    fn picked(&self, hit: Hit, _: &Params) -> Vec<(Key, Value)> {
        vec![(Key::Dim, place(self.dim(hit.row)))]
    }

    fn readouts(&self, p: &Params, lang: Lang) -> Vec<Readout> {
        let pair = self.pair(p.dim);
        let angle = self.angle(pair, self.k);
        let error = self.error(p.pos);
        vec![
            Readout {
                name: "angle".into(),
                label: say!(lang, "figure.pe-shift.angle", pair = pair),
                number: Some(angle),
                text: say!(
                    lang,
                    "figure.pe-shift.radians",
                    rad = short(angle),
                    degrees = short(angle.to_degrees())
                ),
            },
            Readout {
                name: "shift-error".into(),
                label: say!(lang, "figure.pe-shift.error"),
                number: Some(error),
                text: say!(lang, "figure.pe-shift.rounding", value = short(error)),
            },
        ]
    }

    fn sentence(&self, p: &Params, lang: Lang) -> String {
        let pair = self.pair(p.dim);
        let angle = self.angle(pair, self.k);
        say!(
            lang,
            "figure.pe-shift.sentence",
            k = short(self.k),
            pair = pair,
            rad = short(angle),
            degrees = short(angle.to_degrees()),
            error = short(self.error(p.pos))
        )
    }

    fn notes(&self, p: &Params, lang: Lang) -> Vec<String> {
        let pair = self.pair(p.dim);
        let mut out = vec![
            self.words(pair, p.pos, "figure.pe-shift.check", lang),
            self.words(pair, p.pos, "figure.pe-shift.block", lang),
        ];
        let (shown, half) = (self.side() / 2, self.pe.d_model() / 2);
        out.extend(match (self.cut(), self.interleaved) {
            (false, _) => None,
            (_, true) => Some(say!(lang, "figure.pe-shift.cut", shown = MAX_SIDE)),
            _ => Some(say!(
                lang,
                "figure.pe-shift.cut_halves",
                shown = shown,
                half = half
            )),
        });
        out
    }

    fn table(&self, _: &Params) -> Table {
        let columns = ["pair", "frequency", "angle", "cos", "sin"];
        let pairs = self.pe.frequencies().iter().zip(&self.turns);
        Table {
            columns: columns.map(str::to_owned).to_vec(),
            rows: pairs
                .enumerate()
                .map(|(i, (&w, &(sin, cos)))| vec![i as f64, w, self.k * w, cos, sin])
                .collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shift(d: usize, layout: Layout, k: i64) -> Shift {
        let pe = Sinusoidal::new(d, 1e4, layout).expect("valid");
        let k = k as f64;
        Shift {
            turns: pe.frequencies().iter().map(|w| (k * w).sin_cos()).collect(),
            pe,
            interleaved: layout == Layout::Interleaved,
            k,
            raster: Raster::from_fn(1, 1, SCALE, |_, _| 0.0),
        }
    }

    #[test]
    fn entries_are_those_of_the_matrix_and_shift_the_encoding() {
        for layout in [Layout::Interleaved, Layout::Concatenated, Layout::T2t] {
            for k in [-7, 0, 1, 300] {
                let shift = shift(16, layout, k);
                let m = shift.pe.shift_matrix(k as f64);
                for (r, c) in (0..16).flat_map(|r| (0..16).map(move |c| (r, c))) {
                    assert_eq!(shift.entry(r, c), m[(r, c)]);
                }
                let before = shift.pe.matrix(&[40.0]).transpose();
                let after = shift.pe.matrix(&[40.0 + k as f64]).transpose();
                assert!((m * before - after).amax() < 1e-12);
                assert!(shift.error(40) < 1e-12);
            }
        }
    }

    #[test]
    fn the_drawing_keeps_whole_pairs() {
        for layout in [Layout::Interleaved, Layout::Concatenated] {
            for d in [2, 64, 200] {
                let shift = shift(d, layout, 3);
                for at in 0..shift.side() {
                    let dim = shift.dim(at);
                    assert_eq!(shift.place(dim), Some(at));
                    let (s, c) = shift.pe.columns(shift.pair(dim));
                    assert!(shift.place(s).is_some() && shift.place(c).is_some());
                }
            }
        }
    }
}
