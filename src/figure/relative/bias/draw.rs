//! How the biases are drawn.

use super::{RelBias, Shown};
use crate::figure::View;
use crate::figure::kit::colour::Colour;
use crate::figure::kit::panel::{Chart, TICK};
use crate::figure::kit::scene::{Align, Rect, Scene, Stand};
use crate::state::Params;

impl RelBias {
    /// Bars; where they are finer than pixels, each pixel from the lowest to the highest.
    pub(super) fn bars(
        &self,
        scene: &mut Scene,
        view: &View,
        chart: &Chart,
        shown: &Shown,
        traced: usize,
    ) {
        let c = view.colours;
        let n = shown.values.len();
        let r = chart.rect;
        let colour = self.colour(view);
        let zero = chart.at(0.0, 0.0).1;
        let pixel = r.w / n as f64;
        let bar = |scene: &mut Scene, x: f64, w: f64, low: f64, high: f64, colour: Colour| {
            let (top, foot) = (chart.at(0.0, high).1, chart.at(0.0, low).1);
            scene.fill(Rect::new(x, top, w, (foot - top).max(1.0)), colour);
        };
        if pixel >= 3.0 {
            let gap = (pixel * 0.18).min(4.0);
            for (k, &v) in shown.values.iter().enumerate() {
                let x = r.x + k as f64 * pixel + gap / 2.0;
                let fade = match k {
                    _ if k == traced => 1.0,
                    _ if self.by_offset.held(k).is_none() => 0.2,
                    _ => 0.78,
                };
                let hue = if k == traced { c.traced } else { colour };
                bar(
                    scene,
                    x,
                    pixel - gap,
                    v.min(0.0),
                    v.max(0.0),
                    hue.fade(fade),
                );
                if pixel >= 12.0 {
                    // A grip says that the bar can be moved.
                    let y = chart.at(0.0, v).1;
                    scene.disc((x + (pixel - gap) / 2.0, y), 3.5, hue);
                }
                if pixel >= 34.0 {
                    let (y, stand) = if v >= 0.0 {
                        (chart.at(0.0, v).1 - 6.0, Stand::Above)
                    } else {
                        (chart.at(0.0, v).1 + 6.0, Stand::Below)
                    };
                    let at = (
                        x + (pixel - gap) / 2.0,
                        y.clamp(r.y + 12.0, r.bottom() - 12.0),
                    );
                    let text = format!("{v:.2}").replace('-', "−");
                    scene.text(at, text, TICK, c.ink, (Align::Middle, stand));
                }
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

    pub(super) fn colour(&self, view: &View) -> Colour {
        view.colours.series(self.head)
    }
}
