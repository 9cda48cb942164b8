//! The matrix for the pixels that there are, what stands around it, and the traced column as a wave.

use std::f64::consts::TAU;
use std::ops::Range;
use std::sync::Arc;

use super::PeMatrix;
use crate::figure::View;
use crate::figure::absolute::cached::block;
use crate::figure::kit::panel::{HEADING, MatrixPanel, TICK, fitted};
use crate::figure::kit::scene::{Align, Mark, Raster, Rect, Scene, Stand, text_width};
use crate::figure::kit::veil::{cover, veil};
use crate::say;
use crate::state::Params;
use crate::words::short;

/// Room above the cells for heading and brackets, and below for ticks, name and legend.
pub(super) const ABOVE_AND_BELOW: (f64, f64) = (46.0, 78.0);
/// Figures from this width on have the traced column as a wave beside the matrix.
const WITH_WAVE: f64 = 560.0;
const WAVE: f64 = 150.0;
/// Sides longer than this may have cells that share a pixel.
pub(super) const SHARED: usize = 200;
/// A wave of fewer pixels than this is not drawn: what is left of it between pixels would be a
/// pattern that the matrix does not have.
const SHORTEST: f64 = 4.0;
/// Columns that stay while the others are asked for: those of one pair.
const SHOWN_WHILE_ASKED: usize = 2;

impl PeMatrix {
    /// The cells, and the wave if there is room.
    pub(super) fn places(&self, view: &View) -> (Rect, Option<Rect>) {
        let (_, _, right, _) = MatrixPanel::MARGIN;
        let left = MatrixPanel::left(self.seq_len);
        let (above, below) = ABOVE_AND_BELOW;
        let tall = (view.height - above - below).max(20.0);
        let with = view.width >= WITH_WAVE;
        let beside = if with { WAVE + 14.0 } else { right };
        let rect = Rect::new(left, above, (view.width - left - beside).max(20.0), tall);
        let wave = Rect::new(rect.right() + 14.0 + 8.0, rect.y, WAVE - 24.0, rect.h);
        (rect, with.then_some(wave))
    }

    /// Rows and columns that share a cell of the drawing. Columns, sines and cosines in turn, have two
    /// pixels at least: of less, some would get one and some two, and the beat would be a pattern.
    fn blocks(&self, rect: Rect) -> (usize, usize) {
        let columns = block(self.d_model, rect.w / 2.0);
        // As many sines as cosines in each.
        let columns = if columns > 1 {
            columns + columns % 2
        } else {
            1
        };
        (block(self.seq_len, rect.h), columns)
    }

    /// The frequency of the shortest waves that can be drawn with so many positions in a row of pixels.
    fn fastest(rows: usize) -> f64 {
        match rows {
            1 => f64::INFINITY,
            _ => TAU / (SHORTEST * rows as f64),
        }
    }

    /// The cells with one mean a pixel: picking single ones would draw patterns that are not there.
    pub(super) fn averaged(&self, rect: Rect) -> Arc<Raster> {
        let blocks = self.blocks(rect);
        self.raster.get(blocks, || {
            let (n, d) = (self.seq_len, self.d_model);
            let (rows, columns) = blocks;
            let (width, height) = (d.div_ceil(columns), n.div_ceil(rows));
            let fastest = Self::fastest(rows);
            // The last block may have fewer positions than the others.
            let (whole, left) = (n / rows, n % rows);
            Raster::by_columns(width, height, self.scale, |c, means| {
                let dims = c * columns..((c + 1) * columns).min(d);
                let (means, last) = means.split_at_mut(whole);
                self.encoding
                    .block_means(dims.clone(), rows, fastest, means);
                for last in last {
                    let count = dims.len() as f64;
                    let slow =
                        |dim: &usize| self.encoding.frequency(*dim).is_none_or(|w| w <= fastest);
                    let all = dims.clone().filter(slow);
                    let mean = |dim| self.encoding.mean(whole * rows, left, dim);
                    *last = all.map(mean).sum::<f64>() / count;
                }
            })
        })
    }

    /// The columns whose waves are too short to be drawn, in runs.
    fn dense_runs(&self, rect: Rect) -> Vec<Range<usize>> {
        let fastest = Self::fastest(self.blocks(rect).0);
        let dense = |dim: &usize| self.encoding.frequency(*dim).is_some_and(|w| w > fastest);
        let mut runs: Vec<Range<usize>> = Vec::new();
        for dim in (0..self.d_model).filter(dense) {
            match runs.last_mut() {
                Some(run) if run.end == dim => run.end += 1,
                _ => runs.push(dim..dim + 1),
            }
        }
        runs
    }

    /// Hatches what is too dense to be drawn, and says so.
    pub(super) fn hatch(&self, scene: &mut Scene, view: &View, rect: Rect) {
        let c = view.colours;
        let each = rect.w / self.d_model as f64;
        for run in self.dense_runs(rect) {
            let (x, w) = (rect.x + run.start as f64 * each, run.len() as f64 * each);
            let strip = Rect::new(x, rect.y, w, rect.h);
            hatched(scene, strip, c.muted.fade(0.45));
            let text = say!(view.lang, "figure.pe-matrix.dense");
            let wide = text_width(&text, TICK) + 8.0;
            let middle = (x + w / 2.0, rect.y + rect.h / 2.0);
            if w >= wide {
                let ground = Rect::new(middle.0 - wide / 2.0, middle.1 - 10.0, wide, 20.0);
                scene.fill(ground, c.surface.fade(0.9));
                let place = (Align::Middle, Stand::Centre);
                scene.text(middle, text, TICK, c.ink, place);
            } else if w >= 16.0 {
                let ground = Rect::new(middle.0 - 9.0, middle.1 - wide / 2.0, 18.0, wide);
                scene.fill(ground, c.surface.fade(0.9));
                scene.turned_text((middle.0 + 6.0, middle.1), text, TICK, c.ink);
            }
        }
    }

    /// Both halves of the width, whose waves are fast and slow, or sines and cosines.
    pub(super) fn brackets(&self, scene: &mut Scene, view: &View, rect: Rect) {
        let d = self.d_model;
        let length = |dim| self.encoding.frequency(dim).map(|w| TAU / w);
        let (Some(first), Some(second)) = (length(0), length(1)) else {
            return;
        };
        if d < 4 {
            return;
        }
        let half = d / 2;
        let neighbours = first == second;
        for (at, ends) in [(0, (0, half - 1)), (1, (half, d - 1))] {
            let width = rect.w / 2.0;
            let x = rect.x + at as f64 * width;
            let y = rect.y - 4.0;
            let (from, to) = (x + 3.0, x + width - 3.0);
            let colour = view.colours.muted;
            scene.line(
                vec![(from, y + 3.0), (from, y), (to, y), (to, y + 3.0)],
                colour,
                1.2,
            );
            let name = match (neighbours, at) {
                (true, 0) => "figure.pe-matrix.fast",
                (true, _) => "figure.pe-matrix.slow",
                (_, 0) => "figure.pe-matrix.sines",
                _ => "figure.pe-matrix.cosines",
            };
            let short_name = say!(view.lang, name);
            let [a, b] = [ends.0, ends.1].map(|dim| length(dim).map_or_else(String::new, short));
            let long = say!(
                view.lang,
                "figure.pe-matrix.turn",
                name = short_name,
                from = a,
                to = b
            );
            let fits = text_width(&long, TICK) <= width - 6.0;
            let text = if fits { long } else { short_name };
            let middle = (x + width / 2.0, y - 3.0);
            let place = (Align::Middle, Stand::Above);
            fitted(scene, middle, width - 4.0, &text, TICK, colour, place);
        }
    }

    /// What the matrix is, above the brackets.
    pub(super) fn heading(&self, scene: &mut Scene, view: &View, rect: Rect) {
        let (n, d) = (self.seq_len, self.d_model);
        let text = say!(view.lang, "figure.pe-matrix.heading", n = n, d = d);
        let place = (Align::Start, Stand::Below);
        let ink = view.colours.ink;
        fitted(scene, (rect.x, 4.0), rect.w, &text, HEADING, ink, place);
    }

    /// Hides the columns that are asked for.
    pub(super) fn veil(&self, scene: &mut Scene, view: &View, rect: Rect) {
        let kept = if self.d_model > SHOWN_WHILE_ASKED {
            rect.w * SHOWN_WHILE_ASKED as f64 / self.d_model as f64
        } else {
            0.0
        };
        veil(
            scene,
            view,
            Rect::new(rect.x + kept, rect.y, rect.w - kept, rect.h),
        );
    }

    /// The traced column: its values to the right, positions downwards as in the matrix.
    pub(super) fn wave(&self, scene: &mut Scene, p: &Params, view: &View, r: Rect) {
        let c = view.colours;
        if !view.reveal {
            cover(scene, view, r);
            return;
        }
        let limit = self.encoding.limit();
        let across = |v: f64| r.x + r.w * (0.5 + 0.5 * (v / limit).clamp(-1.0, 1.0));
        let down = |pos: f64| r.y + (pos + 0.5) * r.h / self.seq_len as f64;
        for v in [-limit, 0.0, limit] {
            let colour = if v == 0.0 { c.muted } else { c.grid };
            scene.fill(Rect::new(across(v), r.y, 1.0, r.h), colour);
            let at = (across(v), r.bottom() + 6.0);
            scene.text(at, short(v), TICK, c.muted, (Align::Middle, Stand::Below));
        }
        let text = say!(view.lang, "figure.pe-matrix.wave", dim = p.dim);
        let (at, place) = ((r.x + r.w / 2.0, r.y - 7.0), (Align::Middle, Stand::Above));
        fitted(scene, at, r.w + 24.0, &text, TICK, c.traced, place);
        let name = say!(view.lang, "legend.value");
        let at = (r.x + r.w / 2.0, r.bottom() + 22.0);
        let place = (Align::Middle, Stand::Below);
        scene.text(at, name, TICK, c.muted, place);
        let rows = block(self.seq_len, r.h);
        let length = self.encoding.frequency(p.dim).map(|w| TAU / w);
        let dense = match length {
            Some(length) => length < 1.5 * SHORTEST * self.seq_len as f64 / r.h,
            None => rows > 1,
        };
        if dense {
            // No line can be followed: where values lie.
            hatched(scene, r, c.traced.fade(0.5));
        } else {
            let points = (0..self.seq_len).step_by(rows);
            let points = points.map(|pos| {
                let value = self.encoding.value(pos, p.dim);
                (across(value), down(pos as f64))
            });
            let points: Vec<_> = points.collect();
            if r.h / self.seq_len as f64 > 5.0 {
                for at in &points {
                    scene.disc(*at, 1.9, c.traced);
                }
            }
            scene.line(points, c.traced, 1.4);
        }
        // A film goes along the line from one position to the next.
        let pos = p.passing(p.pos, self.seq_len);
        let value = |pos: f64| self.encoding.value(pos as usize, p.dim);
        let (from, to) = (value(pos.floor()), value(pos.ceil()));
        let at = (across(from + (to - from) * pos.fract()), down(pos));
        scene.fill(Rect::new(r.x, at.1, r.w, 1.0), c.traced.fade(0.5));
        scene.disc(at, 6.0, c.surface);
        scene.disc(at, 4.5, c.traced);
    }
}

/// Slanted lines over a rectangle.
fn hatched(scene: &mut Scene, r: Rect, colour: crate::figure::kit::colour::Colour) {
    let (gap, mut from) = (9.0, 4.5);
    // A line goes from the left or the lower edge up to the upper or the right one.
    while from < r.w + r.h {
        let start = if from <= r.h {
            (r.x, r.y + from)
        } else {
            (r.x + from - r.h, r.bottom())
        };
        let end = if from <= r.w {
            (r.x + from, r.y)
        } else {
            (r.right(), r.y + from - r.w)
        };
        scene.marks.push(Mark::Line {
            points: vec![start, end],
            colour,
            width: 1.0,
            dash: None,
        });
        from += gap;
    }
}

#[cfg(test)]
mod tests {
    use crate::core::encoding::Vectors;
    use crate::core::encoding::sinusoidal::{Layout, Sinusoidal};

    #[test]
    fn the_mean_of_a_block_is_that_of_its_values() {
        for layout in [Layout::Interleaved, Layout::Concatenated] {
            let pe = Sinusoidal::new(32, 1e4, layout).expect("valid");
            for (from, count, dim) in [(0, 1, 0), (3, 7, 5), (8000, 21, 0), (40, 9, 31)] {
                let values = (from..from + count).map(|pos| Vectors::value(&pe, pos, dim));
                let mean = values.sum::<f64>() / count as f64;
                assert!((pe.mean(from, count, dim) - mean).abs() < 1e-12);
            }
        }
    }

    #[test]
    fn the_means_of_all_blocks_are_those_of_their_values_as_far_as_a_million() {
        let layouts = [Layout::Interleaved, Layout::Concatenated, Layout::T2t];
        for (layout, fastest) in layouts
            .map(|l| (l, f64::INFINITY))
            .into_iter()
            .chain([(layouts[0], 0.1)])
        {
            let pe = Sinusoidal::new(16, 1e4, layout).expect("valid");
            for (dims, block) in [(0..1, 1), (0..4, 1), (3..4, 7), (0..16, 20), (3..9, 2441)] {
                let blocks = 1_000_000 / block;
                let mut means = vec![f64::NAN; blocks];
                pe.block_means(dims.clone(), block, fastest, &mut means);
                for k in [0, 1, 31, 32, 33, blocks / 2, blocks - 1] {
                    let positions = k * block..(k + 1) * block;
                    let slow = |dim: &usize| pe.frequency(*dim).is_some_and(|w| w <= fastest);
                    let of_dim = |dim| positions.clone().map(move |pos| (pos, dim));
                    let cells = dims.clone().filter(slow).flat_map(of_dim);
                    let sum: f64 = cells.map(|(pos, dim)| Vectors::value(&pe, pos, dim)).sum();
                    let mean = sum / (block * dims.len()) as f64;
                    let error = (means[k] - mean).abs();
                    assert!(error < 1e-12, "{layout:?} {dims:?} {block} {k}: {error:e}");
                }
            }
        }
    }
}
