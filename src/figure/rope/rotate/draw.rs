//! Where the parts stand; the scores, and what each pair adds to them.

use super::plane::{ABOVE, BELOW};
use super::{BARS, Rotate, SHIFT};
use crate::figure::View;
use crate::figure::kit::panel::{Chart, TICK, fitted};
use crate::figure::kit::scene::{Align, Rect, Scene, Stand};
use crate::figure::kit::veil::veil;
use crate::say;
use crate::state::Params;
use crate::words::short;

/// Boxes wider than this times their height have the bars beside the plane, others below it.
const WIDE: f64 = 1.45;
/// Height of a score with what it is of.
const CARD: f64 = 46.0;

/// Where the parts are.
pub(super) struct Places {
    pub(super) plane: Rect,
    pub(super) scores: Rect,
    pub(super) bars: Rect,
}

impl Rotate {
    /// The plane, the two scores and the bars.
    pub(super) fn places(width: f64, height: f64) -> Places {
        let (left, top, right, bottom) = Chart::MARGIN;
        if width > WIDE * height {
            let side = (height - ABOVE - BELOW).min(width * 0.52).max(20.0);
            let x = 4.0 + side + 26.0;
            let room = (width - x - 4.0).max(20.0);
            let tall = if room < 320.0 {
                2.0 * CARD + 10.0
            } else {
                CARD
            };
            let scores = Rect::new(x, 4.0, room, tall);
            let y = scores.bottom() + 16.0 + top;
            let tall = (ABOVE + side - y).min(height - y - bottom).max(20.0);
            return Places {
                plane: Rect::new(4.0, ABOVE, side, side),
                scores,
                bars: Rect::new(
                    x + left - 8.0,
                    y,
                    (width - x - left + 8.0 - right).max(20.0),
                    tall,
                ),
            };
        }
        // The scores stand beside the plane, one below the other.
        let side = (height * 0.64 - ABOVE - BELOW).min(width - 150.0).max(20.0);
        let x = 4.0 + side + 16.0;
        let scores = Rect::new(x, ABOVE, (width - x - 4.0).max(20.0), 2.0 * CARD + 16.0);
        let y = ABOVE + side + BELOW + top;
        Places {
            plane: Rect::new(4.0, ABOVE, side, side),
            scores,
            bars: Rect::new(
                left,
                y,
                width - left - right,
                (height - y - bottom).max(20.0),
            ),
        }
    }

    /// The score of the traced positions, and that of both further on, which is asked for.
    pub(super) fn scores(&self, scene: &mut Scene, view: &View, p: &Params, r: Rect) {
        let c = view.colours;
        let beside = r.h <= CARD;
        let gap = 16.0;
        let card = if beside {
            ((r.w - gap) / 2.0, r.h)
        } else {
            (r.w, (r.h - gap) / 2.0)
        };
        for (k, shift) in [0, SHIFT].into_iter().enumerate() {
            let at = k as f64;
            let (x, y) = if beside {
                (r.x + at * (card.0 + gap), r.y)
            } else {
                (r.x, r.y + at * (card.1 + gap))
            };
            let (m, n) = (p.i + shift, p.j + shift);
            let text = say!(view.lang, "figure.rope-rotate.score_at", m = m, n = n);
            let place = (Align::Start, Stand::Below);
            fitted(scene, (x, y), card.0, &text, TICK, c.muted, place);
            let value = Rect::new(x, y + 18.0, card.0.min(96.0), card.1 - 20.0);
            if k == 1 && !view.reveal {
                veil(scene, view, value);
                continue;
            }
            let middle = (x, value.y + value.h / 2.0);
            let place = (Align::Start, Stand::Centre);
            scene.text(middle, short(self.score(m, n)), 19.0, c.ink, place);
        }
    }

    /// Pairs that share a bar, so that a bar is at least 3 px wide.
    fn each(&self, width: f64) -> usize {
        self.pairs()
            .div_ceil((width / 3.0).max(1.0) as usize)
            .max(1)
    }

    pub(super) fn bars(&self, scene: &mut Scene, view: &View, p: &Params, rect: Rect) {
        let c = view.colours;
        let (q, k) = self.both(p.i as f64 + p.between, p.j as f64);
        let parts = self.parts(&q, &k);
        let each = self.each(rect.w);
        let sums = |of: &[f64]| {
            of.chunks(each)
                .map(|b| b.iter().sum())
                .collect::<Vec<f64>>()
        };
        let (heights, bounds) = (sums(&parts), sums(&self.bounds(p)));
        let limit = bounds.iter().copied().fold(1e-12, f64::max) * 1.08;
        let chart = Chart {
            rect,
            x: -0.5..heights.len() as f64 - 0.5,
            y: -limit..limit,
        };
        let heading = say!(view.lang, "figure.rope-rotate.parts");
        let x_name = if each == 1 {
            say!(view.lang, "figure.rope-rotate.pairs")
        } else {
            say!(view.lang, "figure.rope-rotate.bins", each = each)
        };
        let y_name = say!(view.lang, "figure.rope-rotate.part");
        let traced = self.traced(p) / each;
        let wide = rect.w / heights.len() as f64;
        let bar = |bin: usize, low: f64, high: f64, share: f64| {
            let (x, top) = chart.at(bin as f64, high);
            let w = (wide * share).clamp(1.0, 48.0);
            Rect::new(x - w / 2.0, top, w, chart.at(0.0, low).1 - top)
        };
        let names = (x_name.as_str(), y_name.as_str());
        chart.cell_axes(scene, view, (heights.len(), each), &heading, names);
        for (bin, (&part, &bound)) in heights.iter().zip(&bounds).enumerate() {
            scene.fill(bar(bin, -bound, bound, 0.8), c.grid.fade(0.8));
            let colour = if bin == traced { c.traced } else { c.accent };
            scene.fill(bar(bin, part.min(0.0), part.max(0.0), 0.6), colour);
        }
        let zero = chart.at(0.0, 0.0).1;
        scene.fill(Rect::new(rect.x, zero, rect.w, 1.0), c.muted);
        scene.frame(
            bar(traced, -bounds[traced], bounds[traced], 0.9),
            c.traced,
            1.5,
        );
        scene.targets.push(chart.target(BARS, heights.len() * each));
    }
}
