//! What the visitor has put into a drawing: its colour, and what it is held by.

use super::colour::Colour;
use super::panel::TICK;
use super::scene::{Align, Rect, Scene, Stand, text_width};
use crate::figure::View;
use crate::say;

/// The colour of what is put in.
pub fn colour(view: &View) -> Colour {
    view.colours.query
}

/// What it is held by: a ring that is filled while it can be moved.
pub fn grip(scene: &mut Scene, view: &View, at: (f64, f64)) {
    let radius = if view.reveal { 4.0 } else { 7.0 };
    scene.disc(at, radius, view.colours.surface);
    scene.ring(at, radius, colour(view), 2.5);
    if !view.reveal {
        scene.disc(at, 3.0, colour(view));
    }
}

/// Says, once the answer is there, which of two is the visitor's.
pub fn yours(scene: &mut Scene, view: &View, at: (f64, f64), within: Rect) {
    if !view.reveal {
        return;
    }
    let text = say!(view.lang, "figure.put.yours");
    let wide = text_width(&text, TICK);
    let x = at.0.clamp(
        within.x + wide / 2.0 + 3.0,
        (within.right() - wide / 2.0 - 3.0).max(within.x + wide / 2.0 + 3.0),
    );
    let ground = Rect::new(x - wide / 2.0 - 3.0, at.1 - 9.0, wide + 6.0, 18.0);
    scene.fill(ground, view.colours.surface.fade(0.85));
    let place = (Align::Middle, Stand::Centre);
    scene.text((x, at.1), text, TICK, colour(view), place);
}
