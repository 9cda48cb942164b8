//! The plane of one pair of dimensions in `rope-rotate`: q and k before and after they are turned.

use super::parts::{arc, cross, on_circle, within_a_turn};
use crate::figure::View;
use crate::figure::kit::colour::Colour;
use crate::figure::kit::panel::{HEADING, NAME, fitted, swatches};
use crate::figure::kit::scene::{Align, Rect, Scene, Stand};
use crate::say;
use crate::words::short;

/// Room that the lines of text below the plane take.
pub(crate) const LINES: f64 = 110.0;

/// An arrow in the plane of a pair: its length and its angle from the x axis.
#[derive(Clone, Copy)]
pub(crate) struct Polar {
    pub(crate) length: f64,
    pub(crate) angle: f64,
}

/// What is drawn of a pair.
pub(crate) struct PairPlane {
    pub(crate) rect: Rect,
    pub(crate) pair: usize,
    pub(crate) dims: (usize, usize),
    pub(crate) theta: f64,
    /// By how much the turned arrows of q and k are longer: 1 without a scale or attention factor.
    pub(crate) stretch: [f64; 2],
    /// Before they are turned.
    pub(crate) q: Polar,
    pub(crate) k: Polar,
    /// Their positions.
    pub(crate) m: usize,
    pub(crate) n: usize,
}

impl PairPlane {
    /// The arrows before and after, with arcs for the angles turned.
    pub(crate) fn draw(&self, scene: &mut Scene, view: &View) {
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
        let place = (Align::Start, Stand::Below);
        fitted(
            scene,
            (rect.x, 4.0),
            rect.w,
            &heading,
            HEADING,
            c.ink,
            place,
        );
        let (theta, q, k) = (self.theta, self.q, self.k);
        let longest = (q.length * self.stretch[0].max(1.0))
            .max(k.length * self.stretch[1].max(1.0))
            .max(1e-12);
        let arrows = [
            (q, self.m as f64 * theta, c.query, 0.42, self.stretch[0]),
            (k, self.n as f64 * theta, c.key, 0.30, self.stretch[1]),
        ];
        let mut tips = Vec::new();
        for (before, turn, colour, at, stretch) in arrows {
            let length = before.length / longest * reach;
            let from = on_circle(centre, length, before.angle);
            scene.dashed(vec![centre, from], colour.fade(0.75), 1.5);
            scene.ring(from, 3.5, colour.fade(0.75), 1.5);
            let sweep = arc(centre, reach * at, before.angle, within_a_turn(turn));
            scene.line(sweep, colour.fade(0.6), 1.5);
            let after = length * stretch;
            let tip = on_circle(centre, after, before.angle + turn);
            scene.arrow(centre, tip, colour, 2.6);
            tips.push((on_circle(centre, after + 11.0, before.angle + turn), colour));
        }
        let (left, right) = (rect.x + 9.0, rect.right() - 9.0);
        apart(&mut tips, 16.0);
        for ((at, colour), name) in tips.into_iter().zip(["q", "k"]) {
            let at = (
                at.0.clamp(left, right),
                at.1.clamp(rect.y + 9.0, rect.bottom() - 9.0),
            );
            scene.text(at, name, 14.0, colour, (Align::Middle, Stand::Centre));
        }
        self.angles(scene, view);
    }

    /// What the arrows mean, and their angles with the numbers put in.
    fn angles(&self, scene: &mut Scene, view: &View) {
        let rect = self.rect;
        let c = view.colours;
        let mut y = rect.bottom() + 6.0;
        let items = [
            (c.query, say!(view.lang, "figure.rope-rotate.q")),
            (c.key, say!(view.lang, "figure.rope-rotate.k")),
            (c.muted, say!(view.lang, "figure.rope-rotate.before")),
        ];
        let at = (rect.x, y);
        y += swatches(scene, view, at, rect.w, &items) + 4.0;
        let (theta, q, k) = (self.theta, self.q, self.k);
        let (m, n) = (self.m, self.n);
        let before = half_turn(q.angle - k.angle);
        let turned = (m as f64 - n as f64) * theta;
        let after = half_turn(before + turned);
        let lines = [
            (
                format!(
                    "mθ = {m} × {} = {}",
                    short(theta),
                    radians(m as f64 * theta)
                ),
                c.query,
            ),
            (
                format!(
                    "nθ = {n} × {} = {}",
                    short(theta),
                    radians(n as f64 * theta)
                ),
                c.key,
            ),
            (
                say!(
                    view.lang,
                    "figure.rope-rotate.between",
                    before = degrees(before),
                    after = degrees(after),
                    change = format!("{}°", short(turned.to_degrees()))
                ),
                c.ink,
            ),
        ];
        for (text, colour) in lines {
            let place = (Align::Start, Stand::Below);
            fitted(scene, (rect.x, y), rect.w, &text, NAME, colour, place);
            y += 18.0;
        }
    }
}

pub(crate) fn radians(x: f64) -> String {
    format!("{} rad", short(x))
}

fn degrees(x: f64) -> String {
    format!("{}°", short((x.to_degrees() * 10.0).round() / 10.0))
}

/// An angle brought to −π..π.
fn half_turn(angle: f64) -> f64 {
    use std::f64::consts::PI;
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
        let push = (distance - now) / 2.0;
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
        assert_eq!((tips[0].0.0, tips[1].0.0), (-3.0, 13.0));
    }
}
