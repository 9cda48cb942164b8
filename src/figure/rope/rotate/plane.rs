//! The plane of one pair of dimensions in `rope-rotate`: q and k before and after they are turned.

use std::f64::consts::PI;

use crate::figure::View;
use crate::figure::kit::colour::Colour;
use crate::figure::kit::panel::{HEADING, TICK, fitted, swatches};
use crate::figure::kit::scene::{Align, Mark, Rect, Scene, Stand};
use crate::figure::rope::parts::{arc, cross, on_circle, within_a_turn};
use crate::say;
use crate::words::short;

/// Room above the plane for its heading, and below it for what the arrows mean.
pub(super) const ABOVE: f64 = 26.0;
pub(super) const BELOW: f64 = 24.0;
/// Letters nearer than this to each other are not written.
const APART: f64 = 17.0;

/// An arrow in the plane of a pair: its length and its angle from the x axis.
#[derive(Clone, Copy)]
pub(super) struct Polar {
    pub(super) length: f64,
    pub(super) angle: f64,
}

/// What is drawn of a pair.
pub(super) struct PairPlane {
    pub(super) rect: Rect,
    pub(super) pair: usize,
    pub(super) dims: (usize, usize),
    pub(super) theta: f64,
    /// By how much the turned arrows of q and k are longer: 1 without a scale or attention factor.
    pub(super) stretch: [f64; 2],
    /// Before they are turned.
    pub(super) q: Polar,
    pub(super) k: Polar,
    /// Their positions; a film is between two.
    pub(super) m: f64,
    pub(super) n: f64,
}

impl PairPlane {
    /// The arrows before and after, with arcs for the angles turned and for the angle between.
    pub(super) fn draw(&self, scene: &mut Scene, view: &View) {
        let c = view.colours;
        let (rect, pair, (a, b)) = (self.rect, self.pair, self.dims);
        let centre = (rect.x + rect.w / 2.0, rect.y + rect.h / 2.0);
        let reach = rect.w / 2.0 - 22.0;
        scene.frame(rect, c.grid, 1.0);
        cross(scene, centre, rect.w / 2.0, view);
        let heading = say!(
            view.lang,
            "figure.rope-rotate.plane",
            pair = pair,
            a = a,
            b = b
        );
        // Beside a small plane nothing stands at the height of its heading and its legend.
        let room = if rect.w < 280.0 {
            view.width - 8.0
        } else {
            rect.w + 20.0
        };
        let place = (Align::Start, Stand::Below);
        let at = (rect.x, rect.y - ABOVE + 4.0);
        fitted(scene, at, room, &heading, HEADING, c.ink, place);
        let (theta, q, k) = (self.theta, self.q, self.k);
        let longest = (q.length * self.stretch[0].max(1.0))
            .max(k.length * self.stretch[1].max(1.0))
            .max(1e-12);
        let turns = [self.m * theta, self.n * theta];
        let arrows = [
            (q, turns[0], c.query, 0.64, self.stretch[0], "mθ"),
            (k, turns[1], c.key, 0.46, self.stretch[1], "nθ"),
        ];
        // The angle that is left between both: all that the score sees.
        let (from, between) = (k.angle + turns[1], self.between());
        let mut sector = arc(centre, reach * 0.26, from, between);
        scene.line(sector.clone(), c.traced, 2.2);
        sector.push(centre);
        scene.marks.push(Mark::Area {
            points: sector,
            colour: c.traced.fade(0.16),
        });
        let mut letters = Vec::new();
        let mut tips = Vec::new();
        for (before, turn, colour, at, stretch, name) in arrows {
            let length = before.length / longest * reach;
            let start = on_circle(centre, length, before.angle);
            scene.dashed(vec![centre, start], colour.fade(0.75), 1.5);
            scene.ring(start, 3.5, colour.fade(0.75), 1.5);
            let swept = within_a_turn(turn);
            let sweep = arc(centre, reach * at, before.angle, swept);
            scene.line(sweep, colour.fade(0.6), 1.5);
            let middle = before.angle + swept / 2.0;
            if swept > 0.2 {
                letters.push((on_circle(centre, reach * at + 13.0, middle), name, colour));
            }
            let after = length * stretch;
            let tip = on_circle(centre, after, before.angle + turn);
            scene.arrow(centre, tip, colour, 2.6);
            tips.push((on_circle(centre, after + 11.0, before.angle + turn), colour));
        }
        apart(&mut tips, 16.0);
        let named = tips.into_iter().zip(["q", "k"]);
        let mut all: Vec<_> = named
            .map(|((at, colour), name)| (at, name, colour))
            .collect();
        let middle = on_circle(centre, reach * 0.26 + 12.0, from + between / 2.0);
        all.push((middle, "φ", c.traced));
        all.extend(letters);
        let (left, right) = (rect.x + 12.0, rect.right() - 12.0);
        let mut written: Vec<(f64, f64)> = Vec::new();
        for ((x, y), name, colour) in all {
            let at = (
                x.min(right).max(left),
                y.min(rect.bottom() - 9.0).max(rect.y + 9.0),
            );
            let near = |b: &(f64, f64)| (at.0 - b.0).hypot(at.1 - b.1) < APART;
            if written.iter().any(near) {
                continue;
            }
            written.push(at);
            let size = if name.chars().count() > 1 { TICK } else { 14.0 };
            scene.text(at, name, size, colour, (Align::Middle, Stand::Centre));
        }
        let items = [
            (c.query, say!(view.lang, "figure.rope-rotate.q")),
            (c.key, say!(view.lang, "figure.rope-rotate.k")),
            (c.muted, say!(view.lang, "figure.rope-rotate.before")),
        ];
        let at = (rect.x, rect.bottom() + 5.0);
        swatches(scene, view, at, room, &items);
    }

    /// The angle from k to q after both are turned, the shorter way.
    fn between(&self) -> f64 {
        let turned = (self.m - self.n) * self.theta;
        half_turn(self.q.angle - self.k.angle + turned)
    }

    /// The angles from k to q before and after, and by how much they differ, in words.
    pub(super) fn angles(&self) -> [String; 3] {
        let before = half_turn(self.q.angle - self.k.angle);
        let turned = (self.m - self.n) * self.theta;
        let change = format!("{}°", short(turned.to_degrees()));
        [degrees(before), degrees(self.between()), change]
    }
}

pub(super) fn radians(x: f64) -> String {
    format!("{} rad", short(x))
}

fn degrees(x: f64) -> String {
    format!("{}°", short((x.to_degrees() * 10.0).round() / 10.0))
}

/// An angle brought to −π..π.
fn half_turn(angle: f64) -> f64 {
    within_a_turn(angle + PI) - PI
}

/// Moves two labels apart to a distance.
fn apart(tips: &mut [((f64, f64), Colour)], distance: f64) {
    let [(a, _), (b, _)] = tips else { return };
    let (dx, dy) = (b.0 - a.0, b.1 - a.1);
    let now = dx.hypot(dy);
    if now < distance {
        let (ux, uy) = if now < 1e-6 {
            (1.0, 0.0)
        } else {
            (dx / now, dy / now)
        };
        let push = (distance - now) / 2.0 + 1.0;
        *a = (a.0 - ux * push, a.1 - uy * push);
        *b = (b.0 + ux * push, b.1 + uy * push);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_pushed_apart() {
        let colour = crate::figure::kit::colour::Colours::of(false).ink;
        let mut tips = [((5.0, 5.0), colour), ((5.0, 5.0), colour)];
        apart(&mut tips, 16.0);
        assert_eq!((tips[0].0.0, tips[1].0.0), (-4.0, 14.0));
    }
}
