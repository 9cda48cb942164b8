//! The biases by offset, as bars below the maps: drawn with the pointer, and joined with their diagonals.

use super::{Attention, edited, pair_with};
use crate::figure::View;
use crate::figure::kit::panel::{Chart, HEADING, TICK, headline};
use crate::figure::kit::scene::{Align, Hit, Rect, Scene, Stand, text_width};
use crate::say;
use crate::state::{Key, Lang, Params, Value};
use crate::words::short;

/// The target of the bars.
pub(super) const TARGET: usize = 4;

impl Attention {
    /// The offset i − j of a column of the bars.
    pub(super) fn offset_at(&self, column: usize) -> i64 {
        column as i64 + 1 - self.shown() as i64
    }

    /// What is added at an offset, for the traced query where that matters.
    fn added_at(&self, offset: i64, p: &Params) -> f64 {
        let row = p.i.min(self.shown() - 1);
        let query = self.queries.as_ref().map_or(&[][..], |q| &q[row]);
        self.by_offset.bias(self.head, offset, query)
    }

    fn editable(&self) -> bool {
        self.by_offset.numbers().is_some()
    }

    pub(super) fn bias_words(&self, offset: i64, p: &Params, lang: Lang) -> String {
        say!(
            lang,
            "figure.rel-bias.cell",
            offset = short(offset as f64),
            head = self.head,
            value = short(self.added_at(offset, p))
        )
    }

    /// What a press on the bars sets: the bias of that offset, or, where it is a formula, the pair looked at.
    pub(super) fn drawn_bias(&self, hit: Hit, p: &Params) -> Vec<(Key, Value)> {
        let offset = self.offset_at(hit.column);
        if !self.editable() {
            let pair = pair_with(offset, p, self.shown()).into_iter();
            return pair
                .map(|(key, at)| (key, crate::figure::place(at)))
                .collect();
        }
        let (low, high) = self.reach;
        let value = high - hit.down.clamp(0.0, 1.0) * (high - low);
        edited(
            p,
            self.by_offset.index(offset),
            (value * 100.0).round() / 100.0,
        )
    }

    pub(super) fn draw_biases(&self, scene: &mut Scene, view: &View, r: Rect, p: &Params) {
        let c = view.colours;
        let last = self.shown() as f64 - 1.0;
        let columns = 2 * self.shown() - 1;
        let chart = Chart {
            rect: r,
            x: -last - 0.5..last + 0.5,
            y: self.reach.0..self.reach.1,
        };
        let word = |key: &str| say!(view.lang, format!("figure.attention.{key}"));
        let (long, plain) = (word("biases_to_drag"), word("biases"));
        let fits = text_width(&long, HEADING) <= r.w + 8.0;
        let heading = if self.editable() && fits { long } else { plain };
        headline(scene, view, (r.x, r.y - 6.0), r.w + 6.0, &heading);
        if self.causal {
            // Keys after the query are never used.
            scene.fill(
                Rect::new(r.x, r.y, r.w * last / columns as f64, r.h),
                c.grid.fade(0.7),
            );
        }
        for y in [self.reach.0, 0.0, self.reach.1] {
            let py = chart.at(0.0, y).1;
            scene.fill(Rect::new(r.x, py, r.w, 1.0), c.grid);
            // Of a formula that only falls the top is no round number.
            if y <= 0.0 || self.editable() {
                scene.text(
                    (r.x - 6.0, py),
                    short(y),
                    TICK,
                    c.muted,
                    (Align::End, Stand::Centre),
                );
            }
        }
        let zero = chart.at(0.0, 0.0).1;
        let wide = r.w / columns as f64;
        let gap = (0.18 * wide).min(4.0);
        let traced = p.i as i64 - p.j as i64;
        for column in 0..columns {
            let offset = self.offset_at(column);
            let y = chart.at(0.0, self.added_at(offset, p)).1;
            let x = r.x + column as f64 * wide + gap / 2.0;
            let (colour, fade) = if offset == traced {
                (c.traced, 1.0)
            } else {
                (c.series(self.head), 0.78)
            };
            let bar = Rect::new(x, y.min(zero), wide - gap, (y - zero).abs().max(1.0));
            scene.fill(bar, colour.fade(fade));
            if self.editable() && wide >= 10.0 {
                // A grip says that the bar can be moved.
                scene.disc((x + (wide - gap) / 2.0, y), 3.5, colour);
            }
        }
        for offset in [-last, 0.0, last] {
            let at = (chart.at(offset, 0.0).0, r.bottom() + 6.0);
            let text = if offset == 0.0 {
                "i − j = 0".to_owned()
            } else {
                short(offset)
            };
            scene.text(at, text, TICK, c.muted, (Align::Middle, Stand::Below));
        }
        scene.targets.push(chart.target(TARGET, columns));
    }
}
