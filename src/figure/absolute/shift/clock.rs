//! The clock of the traced pair: the same steps from two positions.

use std::f64::consts::TAU;

use super::Shift;
use crate::figure::View;
use crate::figure::kit::colour::Colour;
use crate::figure::kit::panel::{HEADING, TICK, fitted};
use crate::figure::kit::scene::{Align, Mark, Rect, Scene, Stand};
use crate::figure::kit::veil::question;
use crate::say;
use crate::state::Params;
use crate::words::short;

/// Height of a line of the legend.
const LINE: f64 = 19.0;

/// Steps from one position: its hand, the hand after the steps, the arc between them.
struct Walk {
    /// Where the hand stands; a film is between two positions.
    at: f64,
    pos: usize,
    colours: [Colour; 2],
    width: f64,
    /// Radius of the arc, as a part of the clock's.
    arc: f64,
}

impl Shift {
    pub(super) fn clock(&self, scene: &mut Scene, p: &Params, view: &View, area: Rect) {
        let c = view.colours;
        let pair = self.pair(p.dim);
        let heading = say!(view.lang, "figure.pe-shift.clock", pair = pair);
        let at = (area.x + 8.0, area.y + 4.0);
        let place = (Align::Start, Stand::Below);
        fitted(scene, at, area.w - 12.0, &heading, HEADING, c.ink, place);
        let second = Self::second_start(p.pos);
        let walks = [
            Walk {
                at: p.pos as f64 + p.between,
                pos: p.pos,
                colours: [c.traced, c.accent],
                width: 3.0,
                arc: 0.42,
            },
            Walk {
                at: second as f64,
                pos: second,
                colours: [c.muted, c.series(2)],
                width: 2.0,
                arc: 0.64,
            },
        ];
        let foot = 2.0 * LINE + 8.0;
        // Between the heading with the letters of the vertical axis, and the legend.
        let (above, below) = (40.0, foot + 12.0);
        let radius = ((area.h - above - below) / 2.0)
            .min(area.w / 2.0 - 16.0)
            .max(12.0);
        let room = area.h - above - below;
        let centre = (area.x + area.w / 2.0, area.y + above + room / 2.0);
        let (x, y) = centre;
        scene.ring(centre, radius, c.grid, 1.5);
        let reach = radius + 8.0;
        scene.arrow((x - reach, y), (x + reach, y), c.muted, 1.2);
        scene.arrow((x, y + reach), (x, y - reach), c.muted, 1.2);
        let at = (x + reach, y + 5.0);
        scene.text(at, "cos", TICK, c.muted, (Align::End, Stand::Below));
        let at = (x + 8.0, y - reach + 2.0);
        scene.text(at, "sin", TICK, c.muted, (Align::Start, Stand::Centre));
        for (k, walk) in walks.iter().enumerate().rev() {
            let known = k == 0 || view.reveal;
            self.walk(scene, view, (centre, radius), (pair, walk), known);
        }
        scene.disc(centre, 3.0, c.ink);
        for (k, walk) in walks.iter().enumerate() {
            let y = area.bottom() - foot + (k as f64 + 0.5) * LINE;
            let [from, to] = walk.colours;
            scene.fill(Rect::new(at_left(area), y - 2.0, 12.0, 4.0), from);
            scene.fill(Rect::new(at_left(area) + 13.0, y - 2.0, 12.0, 4.0), to);
            let degrees = if k == 0 || view.reveal {
                let degrees = self.angle(pair, self.k).to_degrees();
                format!("{}°", short((degrees * 10.0).round() / 10.0))
            } else {
                "?".to_owned()
            };
            let text = say!(
                view.lang,
                "figure.pe-shift.walk",
                pos = walk.pos,
                after = short(walk.pos as f64 + self.k),
                degrees = degrees
            );
            let at = (at_left(area) + 31.0, y);
            let place = (Align::Start, Stand::Centre);
            fitted(scene, at, area.w - 36.0, &text, TICK, c.ink, place);
        }
    }

    /// One walk; where it is asked for, only the hand at its start and a question mark.
    fn walk(
        &self,
        scene: &mut Scene,
        view: &View,
        (centre, radius): ((f64, f64), f64),
        (pair, walk): (usize, &Walk),
        known: bool,
    ) {
        let (x, y) = centre;
        // The canvas's y points down, so an angle that grows goes anticlockwise.
        let at = |angle: f64, r: f64| (x + r * angle.cos(), y - r * angle.sin());
        let from = self.angle(pair, walk.at);
        let to = self.angle(pair, walk.at + self.k);
        let turn = (to - from) % TAU;
        let [start, end] = walk.colours;
        let arc = radius * walk.arc;
        if !known {
            scene.arrow(centre, at(from, radius), start, walk.width);
            question(scene, view, at(from + 0.4, radius * 0.8), 22.0);
            return;
        }
        if turn.abs() > 1e-3 {
            let steps = (turn.abs() * 24.0).ceil().max(2.0) as usize;
            let points: Vec<_> = (0..=steps)
                .map(|s| at(from + turn * s as f64 / steps as f64, arc))
                .collect();
            let mut sector = points.clone();
            sector.push(centre);
            scene.marks.push(Mark::Area {
                points: sector,
                colour: end.fade(0.14),
            });
            scene.line(points, end, 2.0);
            let before = at(from + turn - turn.signum() * 0.3f64.min(turn.abs()), arc);
            scene.arrow(before, at(to, arc), end, 2.0);
        }
        scene.arrow(centre, at(to, radius), end, walk.width);
        scene.arrow(centre, at(from, radius), start, walk.width);
    }
}

/// Where the lines of the legend begin.
fn at_left(area: Rect) -> f64 {
    area.x + 8.0
}
