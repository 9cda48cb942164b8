//! How the biases are drawn.

use std::ops::Range;

use super::{RelBias, Shown};
use crate::figure::View;
use crate::figure::kit::colour::Colour;
use crate::figure::kit::panel::{Chart, HEADING, TICK, fitted};
use crate::figure::kit::scene::{Align, Rect, Scene, Stand, text_width};
use crate::say;
use crate::state::Params;

/// Columns of the chart that are marked, or not shown yet.
pub(super) struct Marked {
    /// That of the traced pair.
    pub traced: usize,
    /// That of the opposite offset.
    pub opposite: Option<usize>,
    /// Those that are still to be predicted.
    pub hidden: Range<usize>,
}

impl RelBias {
    /// Which head it is, and over each side of the chart which keys it is of.
    pub(super) fn headings(
        &self,
        scene: &mut Scene,
        view: &View,
        chart: &Chart,
        sides: &[Range<usize>; 2],
        n: usize,
    ) {
        let c = view.colours;
        let heading = self.heading(view.lang);
        let (at, place) = ((chart.rect.x, 15.0), (Align::Start, Stand::Centre));
        scene.text(at, heading, HEADING, c.ink, place);
        for (side, part) in sides.iter().zip(["before", "after"]) {
            let r = Self::part(chart, n, side);
            let text = say!(view.lang, format!("figure.rel-bias.{part}"));
            if r.w >= 0.6 * text_width(&text, TICK) {
                let middle = (r.x + r.w / 2.0, r.y - 5.0);
                let place = (Align::Middle, Stand::Above);
                fitted(scene, middle, r.w - 8.0, &text, TICK, c.accent, place);
            }
            let edge = if side.start == 0 { r.right() } else { r.x };
            if edge > chart.rect.x && edge < chart.rect.right() {
                let ends = vec![(edge, chart.rect.y - 18.0), (edge, chart.rect.bottom())];
                scene.dashed(ends, c.muted, 1.0);
            }
        }
    }

    /// Bars; where they are finer than pixels, each pixel from the lowest to the highest.
    pub(super) fn bars(
        &self,
        scene: &mut Scene,
        view: &View,
        chart: &Chart,
        shown: &Shown,
        marked: &Marked,
    ) {
        let c = view.colours;
        let n = shown.values.len();
        let r = chart.rect;
        let colour = self.colour(view);
        let traced = marked.traced;
        let zero = chart.at(0.0, 0.0).1;
        let pixel = r.w / n as f64;
        let bar = |scene: &mut Scene, x: f64, w: f64, low: f64, high: f64, colour: Colour| {
            let (top, foot) = (chart.at(0.0, high).1, chart.at(0.0, low).1);
            scene.fill(Rect::new(x, top, w, (foot - top).max(1.0)), colour);
        };
        if pixel >= 3.0 {
            let gap = (pixel * 0.18).min(4.0);
            for (k, &v) in shown.values.iter().enumerate() {
                if marked.hidden.contains(&k) {
                    continue;
                }
                let x = r.x + k as f64 * pixel + gap / 2.0;
                let fade = match k {
                    _ if k == traced => 1.0,
                    _ if self.by_offset.held(k).is_none() => 0.2,
                    _ => 0.78,
                };
                let hue = if k == traced { c.traced } else { colour };
                let (low, high) = (v.min(0.0), v.max(0.0));
                bar(scene, x, pixel - gap, low, high, hue.fade(fade));
                let y = chart.at(0.0, v).1;
                if marked.opposite == Some(k) {
                    let (top, foot) = (y.min(zero), y.max(zero));
                    let outline = Rect::new(x, top, pixel - gap, (foot - top).max(1.0));
                    scene.frame(outline, c.traced, 2.0);
                }
                if pixel >= 12.0 {
                    // A grip says that the bar can be moved.
                    scene.disc((x + (pixel - gap) / 2.0, y), 3.5, hue);
                }
                if pixel >= 36.0 {
                    let middle = x + (pixel - gap) / 2.0;
                    value(scene, view, chart, (middle, v), Align::Middle);
                }
            }
            if pixel < 36.0 {
                marked_values(scene, view, chart, shown, marked);
            }
            return;
        }
        for px in 0..r.w as usize {
            let from = (px as f64 / r.w * n as f64) as usize;
            let to = (((px + 1) as f64 / r.w * n as f64) as usize).clamp(from + 1, n);
            let here = &shown.values[from.min(n - 1)..to];
            let low = here.iter().copied().fold(0.0, f64::min);
            let high = here.iter().copied().fold(0.0, f64::max);
            bar(scene, r.x + px as f64, 1.0, low, high, colour);
        }
        let x = r.x + (traced as f64 + 0.5) * pixel;
        scene.dashed(vec![(x, r.y), (x, r.bottom())], c.traced, 1.5);
        let y = chart.at(0.0, shown.values[traced]).1;
        scene.line(vec![(x, zero), (x, y)], c.traced, 2.0);
        scene.disc((x, y), 4.0, c.traced);
    }

    /// One curve a head, where there is no table: each as far as the chart goes.
    pub(super) fn curves(
        &self,
        scene: &mut Scene,
        view: &View,
        chart: &Chart,
        shown: &Shown,
        p: &Params,
    ) {
        let c = view.colours;
        let query = self.query(p);
        let last = -shown.first;
        // Every offset where they can be told apart; otherwise as many as there are pixels.
        let step = (shown.values.len() / 1024).max(1);
        let mut at: Vec<i64> = (0..=last).step_by(step).flat_map(|d| [-d, d]).collect();
        at.sort_unstable();
        let curve = |scene: &mut Scene, head: usize, colour: Colour, width: f64| {
            let points = at
                .iter()
                .map(|&d| (d as f64, self.value(head, d, &query)))
                .filter(|(_, y)| chart.y.contains(y));
            chart.curve(scene, points, colour, width);
        };
        // Queries differ by head, so other heads' curves would be of no query of this one.
        if !self.by_offset.needs_query() {
            for head in (0..self.heads).filter(|&h| h != self.head) {
                curve(scene, head, c.muted.fade(0.45), 1.0);
            }
        }
        curve(scene, self.head, self.colour(view), 2.6);
        let traced = self.traced(shown, p);
        let x = traced as f64 + shown.first as f64;
        chart.upright(scene, x, c.traced);
        scene.disc(chart.at(x, shown.values[traced]), 4.5, c.traced);
    }

    /// What a film looks at, on its way from one column to the next.
    pub(super) fn on_way(
        scene: &mut Scene,
        view: &View,
        chart: &Chart,
        shown: &Shown,
        (from, to): (usize, usize),
        between: f64,
    ) {
        let c = view.colours;
        let at = |a: f64, b: f64| a + (b - a) * between;
        let x = at(from as f64, to as f64) + shown.first as f64;
        let point = chart.at(x, at(shown.values[from], shown.values[to]));
        chart.upright(scene, x, c.traced.fade(0.6));
        scene.disc(point, 6.0, c.traced);
    }

    pub(super) fn colour(&self, view: &View) -> Colour {
        view.colours.series(self.head)
    }
}

/// The value of a bar, at its end.
fn value(scene: &mut Scene, view: &View, chart: &Chart, (x, v): (f64, f64), align: Align) {
    let r = chart.rect;
    let y = chart.at(0.0, v).1;
    let (y, stand) = if v >= 0.0 {
        (y - 6.0, Stand::Above)
    } else {
        (y + 6.0, Stand::Below)
    };
    let text = format!("{v:.2}").replace('-', "−");
    let y = y.min(r.bottom() - 14.0).max(r.y + 14.0);
    // Over other bars it must be read as well.
    let wide = text_width(&text, TICK);
    let left = match align {
        Align::Start => x,
        Align::Middle => x - wide / 2.0,
        Align::End => x - wide,
    };
    let top = if stand == Stand::Above { y - 13.0 } else { y };
    let behind = Rect::new(left - 1.0, top, wide + 2.0, 14.0);
    scene.fill(behind, view.colours.surface.fade(0.75));
    scene.text((x, y), text, TICK, view.colours.ink, (align, stand));
}

/// The values of the traced bar and of its opposite, apart from each other.
fn marked_values(scene: &mut Scene, view: &View, chart: &Chart, shown: &Shown, marked: &Marked) {
    let r = chart.rect;
    let pixel = r.w / shown.values.len() as f64;
    let middle = |k: usize| r.x + (k as f64 + 0.5) * pixel;
    let one = |scene: &mut Scene, k: usize, align: Align| {
        if marked.hidden.contains(&k) {
            return;
        }
        let out = match align {
            Align::Start => 0.0,
            Align::Middle => 20.0,
            Align::End => 40.0,
        };
        let x = middle(k).min(r.right() + out - 40.0).max(r.x + out);
        value(scene, view, chart, (x, shown.values[k]), align);
    };
    let Some(other) = marked.opposite.filter(|k| *k != marked.traced) else {
        one(scene, marked.traced, Align::Middle);
        return;
    };
    let (left, right) = (marked.traced.min(other), marked.traced.max(other));
    let close = middle(right) - middle(left) < 46.0;
    let align = |side| if close { side } else { Align::Middle };
    one(scene, left, align(Align::End));
    one(scene, right, align(Align::Start));
}
