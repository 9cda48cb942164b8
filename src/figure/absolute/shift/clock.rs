//! The clock of the traced pair.

use std::f64::consts::TAU;

use super::Shift;
use crate::figure::View;
use crate::figure::kit::panel::{HEADING, TICK};
use crate::figure::kit::scene::{Align, Rect, Scene, Stand};
use crate::say;
use crate::state::Params;
use crate::words::short;

impl Shift {
    pub(super) fn clock(&self, scene: &mut Scene, p: &Params, view: &View, area: Rect) {
        let c = view.colours;
        let pair = self.pair(p.dim);
        let heading = say!(view.lang, "figure.pe-shift.clock", pair = pair);
        let left = area.x + 10.0;
        scene.text(
            (left, 17.0 + area.y),
            heading,
            HEADING,
            c.ink,
            (Align::Start, Stand::Above),
        );
        let centre = (area.x + area.w / 2.0, area.y + 24.0 + (area.h - 24.0) / 2.0);
        let radius = ((area.h - 24.0) / 2.0 - 24.0).min(area.w / 2.0 - 44.0);
        let (x, y) = centre;
        scene.ring(centre, radius, c.grid, 1.5);
        let reach = radius + 8.0;
        scene.arrow((x - reach, y), (x + reach, y), c.muted, 1.2);
        scene.arrow((x, y + reach), (x, y - reach), c.muted, 1.2);
        scene.text(
            (x + reach + 4.0, y),
            "cos",
            TICK,
            c.muted,
            (Align::Start, Stand::Centre),
        );
        scene.text(
            (x, y - reach - 2.0),
            "sin",
            TICK,
            c.muted,
            (Align::Middle, Stand::Above),
        );
        // The canvas's y points down, so an angle that grows goes anticlockwise.
        let at = |angle: f64, r: f64| (x + r * angle.cos(), y - r * angle.sin());
        let from = self.angle(pair, p.pos as f64);
        let to = self.angle(pair, p.pos as f64 + self.k);
        let turn = (to - from) % TAU;
        if turn.abs() > 1e-3 {
            let steps = (turn.abs() * 24.0).ceil().max(2.0) as usize;
            let arc: Vec<_> = (0..=steps)
                .map(|s| at(from + turn * s as f64 / steps as f64, radius * 0.42))
                .collect();
            let before = at(
                from + turn - turn.signum() * 0.3f64.min(turn.abs()),
                radius * 0.42,
            );
            scene.line(arc, c.accent, 2.0);
            scene.arrow(before, at(to, radius * 0.42), c.accent, 2.0);
        }
        scene.arrow(centre, at(to, radius), c.accent, 3.0);
        scene.arrow(centre, at(from, radius), c.traced, 3.0);
        scene.disc(centre, 3.0, c.ink);
        let below = area.bottom() - 2.0;
        for (k, (colour, text)) in [
            (
                c.traced,
                say!(view.lang, "figure.pe-shift.hand", pos = p.pos),
            ),
            (
                c.accent,
                say!(
                    view.lang,
                    "figure.pe-shift.hand_shifted",
                    pos = short(p.pos as f64 + self.k)
                ),
            ),
        ]
        .into_iter()
        .enumerate()
        {
            let half = area.w / 2.0;
            let x = left + k as f64 * half;
            scene.fill(Rect::new(x, below + 5.0, 14.0, 4.0), colour);
            let at = (x + 18.0, below + 7.0);
            scene.text(at, text, TICK, c.ink, (Align::Start, Stand::Centre));
        }
    }
}
