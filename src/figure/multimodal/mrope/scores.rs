//! How scores, the bias of modalities and the shares of attention are drawn.

use super::draw::{CENTRED, SHARE, WIDE, head};
use super::{MAPS, MropeGrid, ends, kind_word, place_in_map, present, token_of_map};
use crate::core::mrope::MODALITIES;
use crate::figure::View;
use crate::figure::kit::colour::{Scale, ink_on};
use crate::figure::kit::note::note;
use crate::figure::kit::panel::{NAME, TICK, fitted, legend, round_up, swatches};
use crate::figure::kit::scene::{Align, Placed, Raster, Rect, Scene, Stand, Target};
use crate::say;
use crate::words::short;

impl MropeGrid {
    pub(super) fn draw_maps(
        &self,
        scene: &mut Scene,
        view: &View,
        rects: [Rect; 2],
        (q, k): (usize, usize),
    ) {
        let c = view.colours;
        let Some(span) = self.shown(k) else {
            let text = say!(view.lang, "figure.mrope-grid.no-image");
            let at = (rects[0].x, rects[0].y);
            note(scene, at, rects[0].w, &text, c.muted);
            return;
        };
        let (t, h, w) = span.0.sizes();
        let looks = self.looks(q);
        let limits = [0, 1].map(|m| ends(looks.scores[m][span.1.clone()].iter().copied()));
        let low = limits[0].0.min(limits[1].0);
        let scale = Scale::Span {
            first: low,
            last: limits[0].1.max(limits[1].1).max(low + 1e-9),
        };
        let in_row = frames_in_row((t, h, w), rects[0]);
        let (rows, columns) = (t.div_ceil(in_row) * h, in_row * w);
        let side = side_of((rows, columns), rects[0]);
        for (m, rect) in rects.into_iter().enumerate() {
            let keys = ["figure.mrope-grid.map-flat", "figure.mrope-grid.map"];
            let title = say!(view.lang, keys[m], q = q);
            head(scene, view, (rect.x, rect.y - 7.0), rect.w, &title);
            let r = Rect::new(rect.x, rect.y, side * columns as f64, side * rows as f64);
            let cell = |row: usize, column: usize| {
                let (x, y) = (r.x + side * column as f64, r.y + side * row as f64);
                Rect::new(x, y, side, side)
            };
            let score = |row, column| looks.scores[m][token_of_map(span, in_row, (row, column))];
            scene.rasters.push(Placed {
                rect: r,
                raster: Raster::from_fn(columns, rows, scale, score),
            });
            if side >= 27.0 {
                for at in span.1.clone() {
                    let Some((row, column)) = place_in_map(span, in_row, at) else {
                        continue;
                    };
                    let ink = ink_on(scale.colour(looks.scores[m][at], c.dark));
                    let c = cell(row, column);
                    let middle = (c.x + side / 2.0, c.y + side / 2.0);
                    let text = short_score(looks.scores[m][at]);
                    fitted(scene, middle, side - 2.0, &text, 10.5, ink, CENTRED);
                }
            }
            let gap = if side * w as f64 > 6.0 { 3.0 } else { 0.0 };
            for frame in 1..in_row {
                let x = r.x + side * (frame * w) as f64 - gap / 2.0;
                scene.fill(Rect::new(x, r.y, gap, r.h), c.surface);
            }
            for line in 1..t.div_ceil(in_row) {
                let y = r.y + side * (line * h) as f64 - gap / 2.0;
                scene.fill(Rect::new(r.x, y, r.w, gap), c.surface);
            }
            if t % in_row > 0 {
                let from = cell(rows - h, t % in_row * w);
                let empty = Rect::new(from.x, from.y, r.right() - from.x, r.bottom() - from.y);
                scene.fill(empty, c.surface);
            }
            if let Some((row, column)) = place_in_map(span, in_row, k) {
                let side = side.max(3.0);
                let c = cell(row, column);
                scene.frame(Rect::new(c.x, c.y, side, side), view.colours.key, 2.0);
            }
            let spread = limits[m].1 - limits[m].0;
            let text = say!(
                view.lang,
                "figure.mrope-grid.differ",
                spread = short(spread)
            );
            let place = (r.x, r.bottom() + 5.0);
            let stand = (Align::Start, Stand::Below);
            fitted(scene, place, rect.w, &text, TICK, c.muted, stand);
            scene.targets.push(Target {
                id: MAPS + 2 * in_row + m,
                rect: r,
                rows,
                columns,
            });
        }
        let y = rects[1].y + side * rows as f64 + 26.0;
        let name = say!(view.lang, "figure.mrope-grid.legend");
        let width = (2.0 * rects[0].w + 14.0).min(360.0);
        legend(scene, view, (rects[0].x, y), width, scale, &name);
    }

    pub(super) fn draw_bias(
        &self,
        scene: &mut Scene,
        view: &View,
        r: Rect,
        (q, k): (usize, usize),
    ) {
        let c = view.colours;
        let bias = &self.sequence.bias;
        let value = |row: usize, column: usize| bias.get(MODALITIES[row], MODALITIES[column]);
        let cells = || (0..16).map(|cell| (cell / 4, cell % 4));
        let largest = cells().map(|(a, b)| value(a, b).abs()).fold(0.0, f64::max);
        let scale = Scale::Signed {
            limit: round_up(largest.max(1.0)),
        };
        let (w, h) = (r.w / 4.0, r.h / 4.0);
        let title = say!(view.lang, "figure.mrope-grid.bias");
        let room = if view.width >= WIDE {
            view.width / 2.0 - 20.0
        } else {
            view.width - 20.0
        };
        head(scene, view, (10.0, r.y - 42.0), room, &title);
        scene.rasters.push(Placed {
            rect: r,
            raster: Raster::from_fn(4, 4, scale, value),
        });
        scene.frame(r, c.grid, 1.0);
        for (at, kind) in MODALITIES.into_iter().enumerate() {
            let word = kind_word(kind, view.lang);
            let side = (r.x - 6.0, r.y + (at as f64 + 0.5) * h);
            fitted(
                scene,
                side,
                44.0,
                &word,
                TICK,
                c.query,
                (Align::End, Stand::Centre),
            );
            let above = (r.x + (at as f64 + 0.5) * w, r.y - 5.0);
            let place = (Align::Middle, Stand::Above);
            fitted(scene, above, w - 2.0, &word, TICK, c.key, place);
        }
        for (row, column) in cells() {
            let b = value(row, column);
            let at = (
                r.x + (column as f64 + 0.5) * w,
                r.y + (row as f64 + 0.5) * h,
            );
            let ink = ink_on(scale.colour(b, c.dark));
            fitted(scene, at, w - 4.0, &short(b), TICK, ink, CENTRED);
        }
        let (row, column) = (self.kinds[q] as usize as f64, self.kinds[k] as usize as f64);
        let cell = Rect::new(r.x + column * w, r.y + row * h, w, h);
        scene.frame(cell, c.traced, 2.5);
    }

    pub(super) fn draw_shares(&self, scene: &mut Scene, view: &View, r: Rect, q: usize) {
        let c = view.colours;
        let looks = self.looks(q);
        let title = say!(view.lang, "figure.mrope-grid.shares", q = q);
        head(scene, view, (r.x, r.y - 24.0), r.w, &title);
        let items = [
            (c.muted, say!(view.lang, "figure.mrope-grid.by-flat")),
            (c.accent, say!(view.lang, "figure.mrope-grid.by-ids")),
        ];
        swatches(scene, view, (r.x, r.y - 20.0), r.w, &items);
        for (at, kind) in present(&self.kinds).into_iter().enumerate() {
            let y = r.y + 4.0 + at as f64 * SHARE;
            let word = kind_word(kind, view.lang);
            let place = (r.x, y + SHARE / 2.0 - 3.0);
            fitted(
                scene,
                place,
                46.0,
                &word,
                NAME,
                c.ink,
                (Align::Start, Stand::Centre),
            );
            for (m, colour) in [c.muted, c.accent].into_iter().enumerate() {
                let part = self.share(&looks.weights[m], kind);
                let room = r.w - 50.0 - 52.0;
                let y = y + 13.0 * m as f64;
                let bar = Rect::new(r.x + 50.0, y, (room * part).max(1.0), 11.0);
                scene.fill(bar, colour);
                let text = format!("{:.1}%", 100.0 * part);
                let at = (bar.right() + 5.0, y + 5.5);
                scene.text(at, text, TICK, c.ink, (Align::Start, Stand::Centre));
            }
        }
    }
}

/// Side of a square cell, of which so many rows and columns fit.
fn side_of((rows, columns): (usize, usize), room: Rect) -> f64 {
    (room.w / columns as f64)
        .min(room.h / rows as f64)
        .min(56.0)
}

/// How many frames stand side by side, so that cells are as large as can be.
fn frames_in_row((t, h, w): (usize, usize, usize), room: Rect) -> usize {
    let side = |in_row: usize| side_of((t.div_ceil(in_row) * h, in_row * w), room);
    // The first of equals: `max_by` would keep the last.
    (1..=t)
        .rev()
        .max_by(|a, b| side(*a).total_cmp(&side(*b)))
        .unwrap_or(1)
}

/// A score in a cell.
fn short_score(x: f64) -> String {
    format!("{x:.2}").replace('-', "−")
}
