//! What hides an answer that is still to be predicted.

use super::panel::TICK;
use super::scene::{Align, Mark, Rect, Scene, Stand};
use crate::figure::View;

/// Hides a rectangle: a soft ground with a question mark in its middle.
pub fn veil(scene: &mut Scene, view: &View, r: Rect) {
    cover(scene, view, r);
    let size = (0.5 * r.h.min(r.w)).clamp(TICK, 34.0);
    question(scene, view, (r.x + r.w / 2.0, r.y + r.h / 2.0), size);
}

/// Hides a polygon: the same with a question mark at a point of it, where there is room for one.
pub fn veil_area(scene: &mut Scene, view: &View, corners: &[(f64, f64)], at: (f64, f64)) {
    cover_area(scene, view, corners);
    let spread = |of: fn(&(f64, f64)) -> f64| {
        let low = corners.iter().map(of).fold(f64::INFINITY, f64::min);
        let high = corners.iter().map(of).fold(f64::NEG_INFINITY, f64::max);
        high - low
    };
    let room = spread(|p| p.0).min(spread(|p| p.1));
    if room >= 16.0 {
        question(scene, view, at, (0.4 * room).clamp(TICK, 34.0));
    }
}

/// The ground of [`veil`] alone, where one question mark serves several places.
pub fn cover(scene: &mut Scene, view: &View, r: Rect) {
    scene.veils.push(r);
    scene.fill(r, view.colours.surface);
    scene.fill(r, view.colours.accent.fade(0.12));
}

/// The ground of [`veil`] over a polygon.
pub fn cover_area(scene: &mut Scene, view: &View, points: &[(f64, f64)]) {
    let c = view.colours;
    for colour in [c.surface, c.accent.fade(0.12)] {
        scene.marks.push(Mark::Area {
            points: points.to_vec(),
            colour,
        });
    }
}

/// The question mark of [`veil`] alone.
pub fn question(scene: &mut Scene, view: &View, at: (f64, f64), size: f64) {
    let place = (Align::Middle, Stand::Centre);
    scene.text(at, "?", size, view.colours.accent, place);
}
