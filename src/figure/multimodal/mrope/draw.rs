//! How `mrope-grid` is drawn.

use std::ops::Range;

use super::{CHART, MropeGrid, SEQUENCE, TOKENS, kind_word};
use crate::core::mrope::{Block, Modality, Version};
use crate::figure::View;
use crate::figure::kit::colour::{Colour, Scale, ink_on};
use crate::figure::kit::note::{self, note};
use crate::figure::kit::panel::{Chart, HEADING, NAME, TICK, fitted, swatches};
use crate::figure::kit::scene::{Align, Placed, Raster, Rect, Scene, Stand, Target, text_width};
use crate::say;
use crate::state::{Lang, Params};
use crate::words::short;

/// Panels stand side by side from this width on.
pub(super) const WIDE: f64 = 720.0;
/// Room left of the rows of the table.
const NAMES: f64 = 44.0;
/// Least width and height of a token in the table.
const CELL: (f64, f64) = (36.0, 24.0);
/// Rows of the table: kind, number in one dimension, t, h, w.
const ROWS: usize = 5;
/// Height that a map may have.
const MAP: f64 = 236.0;
/// Cells of the matrix of biases.
pub(super) const BIAS: (f64, f64) = (52.0, 26.0);
/// Height of a kind among the shares.
pub(super) const SHARE: f64 = 34.0;
pub(super) const CENTRED: (Align, Stand) = (Align::Middle, Stand::Centre);

pub(super) struct Layout {
    sequence: Rect,
    tokens: Rect,
    chart: Rect,
    maps: [Rect; 2],
    bias: Rect,
    shares: Rect,
    notes: Rect,
    pub(super) height: f64,
}

/// The colour of t, h or w.
pub(super) fn axis_colour(view: &View, axis: usize) -> Colour {
    view.colours.series([0, 1, 3][axis])
}

/// The colour of a kind of tokens.
pub(super) fn kind_colour(view: &View, kind: Modality) -> Colour {
    view.colours.series([7, 2, 4, 5][kind as usize])
}

impl MropeGrid {
    pub(super) fn layout(&self, width: f64) -> Layout {
        let (left, top, right, bottom) = Chart::MARGIN;
        let left = left + 8.0;
        let inner = width - 20.0;
        let sequence = Rect::new(10.0, 26.0, inner, 26.0);
        let tokens = Rect::new(
            10.0 + NAMES,
            sequence.bottom() + 44.0,
            inner - NAMES,
            ROWS as f64 * CELL.1,
        );
        let below = tokens.bottom() + 36.0;
        let wide = width >= WIDE;
        let half = if wide { width / 2.0 } else { width };
        let chart = Rect::new(left, below + top, half - left - right, 252.0);
        let (x, y) = if wide {
            (half + 26.0, below)
        } else {
            (10.0, chart.bottom() + bottom + 36.0)
        };
        let room = (width - 10.0 - x - 14.0) / 2.0;
        let map = |k: f64| Rect::new(x + k * (room + 14.0), y + top, room, MAP.min(room));
        let maps = [map(0.0), map(1.0)];
        let y = (maps[1].bottom() + 74.0).max(if wide {
            chart.bottom() + bottom + 36.0
        } else {
            0.0
        });
        let bias = Rect::new(
            10.0 + 52.0,
            y + 62.0,
            (4.0 * BIAS.0).min(inner - 52.0),
            4.0 * BIAS.1,
        );
        let shares = if wide {
            Rect::new(half, y + 44.0, half - 10.0, 4.0 * SHARE)
        } else {
            Rect::new(10.0, bias.bottom() + 60.0, inner, 4.0 * SHARE)
        };
        let end = bias.bottom().max(shares.bottom()) + 18.0;
        let room = note::room(inner, |lang| self.notes(lang));
        Layout {
            sequence,
            tokens,
            chart,
            maps,
            bias,
            shares,
            notes: Rect::new(10.0, end, inner, room),
            height: end + room + 10.0,
        }
    }

    /// What the published rule leaves open in this sequence.
    fn notes(&self, lang: Lang) -> String {
        let has = |m: Modality| self.kinds.contains(&m);
        let mut text = String::new();
        if has(Modality::Video) {
            text += &match self.sequence.version {
                Version::Qwen2Vl => say!(lang, "figure.mrope-grid.note-2"),
                Version::Qwen25Vl => say!(
                    lang,
                    "figure.mrope-grid.note-25",
                    seconds = short(self.sequence.seconds_per_grid())
                ),
                Version::Qwen3Vl => say!(lang, "figure.mrope-grid.note-3"),
            };
        }
        if has(Modality::Audio) {
            text += &say!(lang, "figure.mrope-grid.note-audio");
        }
        text + &say!(lang, "figure.mrope-grid.note-bias")
    }

    /// The tokens that the table shows: as many as fit, q in their middle.
    fn window(&self, q: usize, room: usize) -> Range<usize> {
        let shown = room.clamp(1, self.len());
        let start = q.saturating_sub(shown / 2).min(self.len() - shown);
        start..start + shown
    }

    pub(super) fn scene(&self, p: &Params, view: &View) -> Scene {
        let mut scene = Scene::default();
        let at = self.layout(view.width);
        let (q, k) = self.traced(p);
        let shown = self.window(q, (at.tokens.w / CELL.0) as usize);
        self.draw_sequence(&mut scene, view, at.sequence, (q, k), &shown);
        self.draw_tokens(&mut scene, view, at.tokens, (q, k), shown);
        self.draw_chart(&mut scene, view, at.chart, (q, k));
        self.draw_maps(&mut scene, view, at.maps, (q, k));
        self.draw_bias(&mut scene, view, at.bias, (q, k));
        self.draw_shares(&mut scene, view, at.shares, q);
        let text = self.notes(view.lang);
        let place = (at.notes.x, at.notes.y);
        note(&mut scene, place, at.notes.w, &text, view.colours.muted);
        scene
    }

    fn draw_sequence(
        &self,
        scene: &mut Scene,
        view: &View,
        r: Rect,
        (q, k): (usize, usize),
        shown: &Range<usize>,
    ) {
        let c = view.colours;
        let unit = r.w / self.len() as f64;
        let x = |token: usize| r.x + token as f64 * unit;
        let title = say!(
            view.lang,
            "figure.mrope-grid.sequence",
            n = self.len(),
            ids = self.ids.spent()
        );
        head(scene, view, (r.x, r.y - 8.0), r.w, &title);
        for (block, tokens) in &self.spans {
            let part = Rect::new(x(tokens.start), r.y, tokens.len() as f64 * unit, r.h);
            scene.fill(part, kind_colour(view, block.modality()).fade(0.28));
            scene.frame(part, c.surface, 1.0);
            let kind = kind_word(block.modality(), view.lang);
            let texts = [format!("{kind} {}", size_of(*block)), kind];
            let fits = |t: &&String| text_width(t, TICK) < part.w - 4.0;
            if let Some(text) = texts.iter().find(fits) {
                let middle = (part.x + part.w / 2.0, r.y + r.h / 2.0);
                scene.text(middle, text.clone(), TICK, c.ink, CENTRED);
            }
        }
        // The part that the table below shows.
        let y = r.bottom() + 5.0;
        let part = Rect::new(x(shown.start), y, shown.len() as f64 * unit, 3.0);
        scene.fill(part, c.muted);
        for (token, colour) in [(k, c.key), (q, c.query)] {
            let mark = Rect::new(x(token), r.y - 2.0, unit.max(2.0), r.h + 4.0);
            scene.frame(mark, colour, 2.0);
        }
        scene.targets.push(Target {
            id: SEQUENCE,
            rect: r,
            rows: 1,
            columns: self.len(),
        });
    }

    fn draw_tokens(
        &self,
        scene: &mut Scene,
        view: &View,
        r: Rect,
        (q, k): (usize, usize),
        shown: Range<usize>,
    ) {
        let c = view.colours;
        let count = shown.len();
        let wide = (r.w / count as f64).min(64.0);
        let scale = Scale::Index {
            last: (self.ids.spent().max(self.len() as i64) - 1).max(1) as f64,
        };
        let number = |row: usize, token: usize| match row {
            0 => token as i64,
            axis => self.ids.at(token)[axis - 1],
        };
        let cells = Rect::new(r.x, r.y + CELL.1, wide * count as f64, r.h - CELL.1);
        scene.rasters.push(Placed {
            rect: cells,
            raster: Raster::from_fn(count, ROWS - 1, scale, |row, column| {
                number(row, shown.start + column) as f64
            }),
        });
        let title = say!(
            view.lang,
            "figure.mrope-grid.table",
            from = shown.start,
            to = shown.end - 1
        );
        head(scene, view, (10.0, r.y - 8.0), r.w + NAMES, &title);
        let kind = say!(view.lang, "figure.mrope-grid.kind");
        for (row, name) in [kind.as_str(), "1D", "t", "h", "w"].into_iter().enumerate() {
            let at = (r.x - 8.0, r.y + (row as f64 + 0.5) * CELL.1);
            scene.text(at, name, NAME, c.ink, (Align::End, Stand::Centre));
        }
        for (column, token) in shown.clone().enumerate() {
            let kind = self.kinds[token];
            let x = r.x + column as f64 * wide;
            let cell = Rect::new(x, r.y, wide - 1.0, CELL.1 - 1.0);
            scene.fill(cell, kind_colour(view, kind).fade(0.28));
            let middle = x + wide / 2.0;
            let place = (middle, r.y + CELL.1 / 2.0);
            let word = kind_word(kind, view.lang);
            fitted(scene, place, wide - 3.0, &word, TICK, c.ink, CENTRED);
            for row in 0..ROWS - 1 {
                let id = number(row, token);
                let ink = ink_on(scale.colour(id as f64, c.dark));
                let place = (middle, r.y + (row as f64 + 1.5) * CELL.1);
                fitted(
                    scene,
                    place,
                    wide - 2.0,
                    &id.to_string(),
                    TICK,
                    ink,
                    CENTRED,
                );
            }
        }
        for (token, colour) in [(k, c.key), (q, c.query)] {
            if shown.contains(&token) {
                let x = r.x + (token - shown.start) as f64 * wide;
                scene.frame(Rect::new(x, r.y - 1.0, wide, r.h + 2.0), colour, 2.0);
            }
        }
        scene.targets.push(Target {
            id: TOKENS + shown.start,
            rect: Rect::new(r.x, r.y, wide * count as f64, r.h),
            rows: ROWS,
            columns: count,
        });
    }

    fn draw_chart(&self, scene: &mut Scene, view: &View, rect: Rect, (q, k): (usize, usize)) {
        let c = view.colours;
        let n = self.len();
        let most = (self.ids.spent() - 1).max(n as i64 - 1).max(1) as f64;
        let chart = Chart {
            rect,
            x: -0.5..n as f64 - 0.5,
            y: -0.04 * most..1.04 * most,
        };
        for (block, tokens) in &self.spans {
            let a = chart.at(tokens.start as f64 - 0.5, 0.0).0;
            let b = chart.at(tokens.end as f64 - 0.5, 0.0).0;
            let band = Rect::new(a, rect.y, b - a, rect.h);
            scene.fill(band, kind_colour(view, block.modality()).fade(0.12));
        }
        let words = ["chart", "x", "y"].map(|w| say!(view.lang, format!("figure.mrope-grid.{w}")));
        chart.cell_axes(scene, view, (n, 1), &words[0], (&words[1], &words[2]));
        let ends = vec![chart.at(0.0, 0.0), chart.at(n as f64 - 1.0, n as f64 - 1.0)];
        scene.dashed(ends, c.muted, 1.5);
        // t below, w above: where they are equal all three are seen.
        for (axis, width) in [(0, 5.0), (1, 3.0), (2, 1.4)] {
            let ids = self.ids.axes()[axis].iter().enumerate();
            let values = ids.map(|(at, &id)| (at as f64, id as f64));
            chart.curve(scene, values, axis_colour(view, axis), width);
        }
        for (token, colour) in [(k, c.key), (q, c.query)] {
            chart.upright(scene, token as f64, colour);
        }
        scene.targets.push(chart.target(CHART, n));
        let names = ["1D", "t", "h", "w"];
        let mut items = vec![(c.muted, say!(view.lang, "figure.mrope-grid.dashed"))];
        for axis in 0..3 {
            items.push((axis_colour(view, axis), names[axis + 1].to_owned()));
        }
        let y = rect.bottom() + 42.0;
        swatches(scene, view, (rect.x, y), rect.w, &items);
    }
}

/// A panel's heading in at most `width`, above a point.
pub(super) fn head(scene: &mut Scene, view: &View, at: (f64, f64), width: f64, text: &str) {
    let place = (Align::Start, Stand::Above);
    fitted(scene, at, width, text, HEADING, view.colours.ink, place);
}

/// Sizes of a block as people write them.
fn size_of(block: Block) -> String {
    match block {
        Block::Text(n) | Block::Audio(n) => n.to_string(),
        Block::Image(h, w) => format!("{h}×{w}"),
        Block::Video(t, h, w) => format!("{t}×{h}×{w}"),
    }
}
