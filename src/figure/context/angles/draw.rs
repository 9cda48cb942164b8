//! How the angles of `ctx-angles` are drawn.

use std::f64::consts::TAU;

use super::Angles;
use crate::core::encoding::rope_scaling::Remedy;
use crate::figure::View;
use crate::figure::context::lines::Stroke;
use crate::figure::kit::colour::Colour;
use crate::figure::kit::panel::{NAME, TICK};
use crate::figure::kit::scene::{Align, Rect, Scene, Stand, Target};
use crate::figure::kit::veil::veil;
use crate::say;
use crate::state::Params;

pub(super) fn seen_colour(view: &View) -> Colour {
    let c = view.colours;
    c.series(0).fade(if c.dark { 0.5 } else { 0.4 })
}

/// Upright strokes over what later positions run through.
pub(super) fn beyond(scene: &mut Scene, view: &View, r: Rect) {
    let colour = view.colours.series(4);
    scene.fill(r, colour.fade(0.16));
    let mut at = r.x + 2.0;
    while at < r.right() {
        scene.line(vec![(at, r.y), (at, r.bottom())], colour.fade(0.75), 1.0);
        at += 5.0;
    }
}

/// A mark at an angle: a ring where it was met, a cross where not.
pub(super) fn mark(scene: &mut Scene, (x, y): (f64, f64), unseen: bool, s: Stroke) {
    if unseen {
        let d = 4.5;
        scene.line(vec![(x - d, y - d), (x + d, y + d)], s.colour, s.width);
        scene.line(vec![(x - d, y + d), (x + d, y - d)], s.colour, s.width);
    } else {
        scene.ring((x, y), 4.2, s.colour, s.width);
    }
}

impl Angles {
    /// One pair: what it met, what it runs into, and where it stands at the last position.
    fn draw_row(&self, scene: &mut Scene, view: &View, pair: usize, bar: Rect) {
        let c = view.colours;
        let r = self.rows[pair];
        let x = |angle: f64| bar.x + bar.w * (angle / TAU).min(1.0);
        let end = x(if r.edge >= TAU { TAU } else { r.seen });
        let filled = Rect::new(bar.x, bar.y, (end - bar.x).max(1.0), bar.h);
        scene.fill(filled, seen_colour(view));
        if r.reaches_further() {
            let ahead = Rect::new(end, bar.y, x(r.now) - end, bar.h);
            beyond(scene, view, ahead);
        }
        let middle = bar.y + bar.h / 2.0;
        let at = (x(r.plain.rem_euclid(TAU)), middle);
        mark(scene, at, r.unseen(r.plain), Stroke::solid(c.muted, 1.8));
        if self.pairs.context.remedy != Remedy::None {
            let at = (x(r.now.rem_euclid(TAU)), middle);
            mark(scene, at, r.unseen(r.now), Stroke::solid(c.accent, 2.6));
        }
    }

    pub(super) fn scene(&self, p: &Params, view: &View) -> Scene {
        let mut scene = Scene::default();
        let c = view.colours;
        let area = self.area(view.width, view.height);
        let shown = self.shown(p, self.rows(view.height, area.y));
        let high = area.h / shown.len() as f64;
        // Numbers and question marks only as often as there is room for them.
        let every = (15.0 / high).ceil() as usize;
        let traced = self.pairs.traced(p);
        let gap = (0.14 * high).max(2.0);
        for (k, &pair) in shown.iter().enumerate() {
            let y = area.y + k as f64 * high;
            let bar = Rect::new(area.x, y + gap / 2.0, area.w, high - gap);
            let middle = bar.y + bar.h / 2.0;
            // A row says by its number which pair it is: how many rows there are, the box decides.
            scene.targets.push(Target {
                id: pair,
                rect: Rect::new(area.x, y, area.w, high),
                rows: 1,
                columns: 1,
            });
            scene.fill(bar, c.grid.fade(0.45));
            if view.reveal {
                self.draw_row(&mut scene, view, pair, bar);
            } else if every == 1 {
                veil(&mut scene, view, bar);
            } else {
                scene.fill(bar, c.accent.fade(0.12));
            }
            let is_traced = pair == traced;
            if is_traced {
                let frame = Rect::new(area.x - 1.0, y, area.w + 2.0, high);
                scene.frame(frame, c.traced, 2.0);
            }
            let near = shown[k.saturating_sub(every - 1)..(k + every).min(shown.len())].iter();
            let covered = near.clone().any(|&other| other == traced);
            if is_traced || (k % every == 0 && !covered) {
                let colour = if is_traced { c.traced } else { c.muted };
                let at = (area.x - 7.0, middle);
                let place = (Align::End, Stand::Centre);
                scene.text(at, pair.to_string(), TICK, colour, place);
            }
        }
        if !view.reveal && every > 1 {
            let middle = (area.x + area.w / 2.0, area.y + area.h / 2.0);
            let place = (Align::Middle, Stand::Centre);
            scene.text(middle, "?", 34.0, c.accent, place);
        }
        self.axis(&mut scene, view, area);
        self.draw_legend(&mut scene, view);
        scene
    }

    fn axis(&self, scene: &mut Scene, view: &View, area: Rect) {
        let c = view.colours;
        let place = (Align::Middle, Stand::Below);
        for (turn, text) in [
            (0.0, "0"),
            (0.25, "π/2"),
            (0.5, "π"),
            (0.75, "3π/2"),
            (1.0, "2π"),
        ] {
            let px = area.x + area.w * turn;
            scene.fill(Rect::new(px, area.bottom(), 1.0, 5.0), c.muted);
            scene.text((px, area.bottom() + 5.0), text, TICK, c.muted, place);
        }
        let below = (area.x + area.w / 2.0, area.bottom() + 22.0);
        let name = say!(view.lang, "figure.ctx-angles.x");
        scene.text(below, name, NAME, c.muted, place);
        let side = (area.x - 40.0, area.y + area.h / 2.0);
        scene.turned_text(side, say!(view.lang, "figure.ctx.pair"), NAME, c.muted);
    }
}
