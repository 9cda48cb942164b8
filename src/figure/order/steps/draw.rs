//! How `attention-steps` is drawn: the diagram of all stages, and below it the numbers of one.

use super::AttentionSteps;
use super::blocks::{ABOVE, Arranged, Block, Rows, SIGN};
use super::map::{Now, Places, word_of};
use super::told::two;
use crate::figure::View;
use crate::figure::kit::colour::{Colour, Scale, ink_on};
use crate::figure::kit::panel::{HEADING, TICK, fitted, headline, legend, trace_cell};
use crate::figure::kit::scene::{Align, Placed, Raster, Rect, Scene, Stand, Target, text_width};
use crate::say;
use crate::state::Params;

/// Room for the name of the stage.
const NAME: f64 = 26.0;
/// Room for the legend, where there is some.
const LEGEND: f64 = 46.0;
/// Narrower boxes have blocks in two rows, and no legend.
const WIDE: f64 = 600.0;

impl AttentionSteps {
    /// Height in CSS pixels at a width.
    pub(super) fn drawn_height(&self, width: f64) -> f64 {
        let n = self.n() as f64;
        let below = match width {
            w if w >= 760.0 => ABOVE + 66.0 * n + LEGEND,
            w if w >= WIDE => 2.0 * (ABOVE + 36.0 * n) + 8.0 + LEGEND,
            _ => 2.0 * (ABOVE + 30.0 * n) + 8.0,
        };
        (Places::height(width) + NAME + below + 4.0).min(if width < WIDE { 430.0 } else { 540.0 })
    }

    /// The whole scene.
    pub(super) fn scene(&self, p: &Params, view: &View) -> Scene {
        let mut scene = Scene::default();
        let stage = Self::stage(p);
        let top = Places::height(view.width).min(0.4 * view.height);
        let map = Places::of(Rect::new(0.0, 0.0, view.width, top));
        let now = Now {
            stage: stage as usize,
            between: p.between,
        };
        map.draw(&mut scene, view, Some(self.scheme), Some(now));
        scene.targets.push(map.target(0));
        let c = view.colours;
        let title = say!(
            view.lang,
            format!("figure.attention-steps.title_of.{}", word_of(stage))
        );
        let heading = say!(
            view.lang,
            "figure.attention-steps.heading",
            at = stage as usize,
            title = title
        );
        let place = (Align::Start, Stand::Centre);
        let at = (0.0, top + NAME / 2.0 + 2.0);
        fitted(
            &mut scene,
            at,
            view.width,
            &heading,
            HEADING + 1.0,
            c.ink,
            place,
        );
        let legends = view.width >= WIDE && view.height >= 330.0;
        let bottom = view.height - if legends { LEGEND } else { 2.0 };
        let area = Rect::new(0.0, top + NAME, view.width, (bottom - top - NAME).max(20.0));
        let blocks = self.blocks(stage, view.reveal);
        let arranged = self.arranged(&blocks, area);
        for (k, block) in blocks.iter().enumerate() {
            self.block(&mut scene, view, p, (k, block), &arranged);
        }
        self.names(&mut scene, view, &arranged);
        let low = arranged.cells.iter().map(|r| r.bottom());
        let low = low.fold(area.y, f64::max);
        if legends {
            self.legends(&mut scene, view, &blocks, (arranged.left, low + 10.0));
        }
        scene
    }

    /// The colour of a word: that of its first appearance.
    fn colour(&self, word: usize, view: &View) -> Colour {
        let first = self.words.iter().position(|w| *w == self.words[word]);
        view.colours.series(first.unwrap_or(word))
    }

    /// The words left of each row of blocks.
    fn names(&self, scene: &mut Scene, view: &View, arranged: &Arranged) {
        let mut y = f64::NEG_INFINITY;
        for r in &arranged.cells {
            if r.y <= y {
                continue;
            }
            y = r.y;
            let high = r.h / self.n() as f64;
            for (k, word) in self.words.iter().enumerate() {
                let at = (arranged.left, r.y + (k as f64 + 0.5) * high);
                let place = (Align::Start, Stand::Centre);
                let colour = self.colour(k, view);
                fitted(scene, at, arranged.names - 6.0, word, 14.0, colour, place);
            }
        }
    }

    fn block(
        &self,
        scene: &mut Scene,
        view: &View,
        p: &Params,
        (k, block): (usize, &Block),
        arranged: &Arranged,
    ) {
        let c = view.colours;
        let (r, columns, n) = (arranged.cells[k], arranged.columns[k], self.n());
        let (wide, high) = (r.w / columns as f64, r.h / n as f64);
        let centre = (Align::Middle, Stand::Centre);
        if !block.sign.is_empty() {
            let gap = match k.checked_sub(1).map(|before| arranged.cells[before]) {
                Some(before) if before.y == r.y => r.x - before.right(),
                _ => r.x - arranged.left - arranged.names,
            };
            let at = (r.x - gap / 2.0, r.y + r.h / 2.0);
            scene.text(at, block.sign.clone(), SIGN, c.ink, centre);
        }
        let all = block.values.ncols();
        let title = match block.rows {
            Rows::Pairs => block.title.clone(),
            _ => say!(
                view.lang,
                "figure.attention-steps.wide",
                title = block.title,
                d = all
            ),
        };
        headline(scene, view, (r.x, r.y - 18.0), r.w + 8.0, &title);
        scene.rasters.push(Placed {
            rect: r,
            raster: Raster::from_fn(columns, n, block.scale, |i, j| block.values[(i, j)]),
        });
        for j in 0..columns {
            let x = r.x + (j as f64 + 0.5) * wide;
            let below = (Align::Middle, Stand::Above);
            match block.rows {
                Rows::Pairs => {
                    let colour = self.colour(j, view);
                    fitted(
                        scene,
                        (x, r.y - 2.0),
                        wide - 2.0,
                        &self.words[j],
                        TICK,
                        colour,
                        below,
                    );
                }
                _ => {
                    let more = j + 1 == columns && columns < all;
                    let text = if more {
                        format!("{j} …")
                    } else {
                        j.to_string()
                    };
                    scene.text((x, r.y - 2.0), text, TICK, c.muted, below);
                }
            }
        }
        let size = if wide >= 58.0 && high >= 30.0 {
            15.0
        } else {
            TICK
        };
        let text = |i: usize, j: usize| {
            if block.masked && self.hidden(i, j) {
                "—".to_owned()
            } else {
                two(block.values[(i, j)])
            }
        };
        let all_cells = || (0..n).flat_map(|i| (0..columns).map(move |j| (i, j)));
        let widest = all_cells().map(|(i, j)| text_width(&text(i, j), size));
        let readable = 0.88 * widest.fold(0.0, f64::max) < wide && high >= 14.0;
        for (i, j) in all_cells() {
            let cell = Rect::new(r.x + j as f64 * wide, r.y + i as f64 * high, wide, high);
            let middle = (cell.x + wide / 2.0, cell.y + high / 2.0);
            let mut ink = ink_on(block.scale.colour(block.values[(i, j)], c.dark));
            if block.masked && self.hidden(i, j) {
                scene.fill(cell, c.surface);
                scene.fill(cell, c.grid.fade(0.5));
                ink = c.muted;
            }
            if readable {
                scene.text(middle, text(i, j), size, ink, centre);
            }
        }
        scene.frame(r, c.grid, 1.0);
        self.frames(scene, view, p, block.rows, r);
        scene.targets.push(Target {
            id: block.rows.target(k),
            rect: r,
            rows: n,
            columns: if block.rows == Rows::Pairs { n } else { 1 },
        });
    }

    /// Frames what is traced: the row of the query, that of the key, the cell of both.
    fn frames(&self, scene: &mut Scene, view: &View, p: &Params, rows: Rows, r: Rect) {
        let c = view.colours;
        let n = self.n();
        let (i, j) = self.traced(p);
        let high = r.h / n as f64;
        let row = |at: usize| Rect::new(r.x, r.y + at as f64 * high, r.w, high);
        match rows {
            Rows::Queries => scene.frame(row(i), c.query, 2.5),
            Rows::Keys => scene.frame(row(j), c.key, 2.5),
            Rows::Pairs => {
                scene.frame(row(i), c.query, 2.0);
                trace_cell(scene, view, r, (n, n), (i, j));
            }
        }
    }

    /// The range of each scale in use.
    fn legends(&self, scene: &mut Scene, view: &View, blocks: &[Block], (left, y): (f64, f64)) {
        let mut seen: Vec<Scale> = Vec::new();
        for block in blocks.iter().filter(|b| b.values.ncols() > 0) {
            if seen.contains(&block.scale) {
                continue;
            }
            let key = match (block.scale, block.rows) {
                (Scale::Unit, _) => "legend.weight",
                (_, Rows::Pairs) => "figure.attention-steps.of_pairs",
                _ => "figure.attention-steps.of_vectors",
            };
            let x = left + seen.len() as f64 * 260.0;
            legend(
                scene,
                view,
                (x, y),
                230.0,
                block.scale,
                &say!(view.lang, key),
            );
            seen.push(block.scale);
        }
    }
}
