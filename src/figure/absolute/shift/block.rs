//! The block of the traced pair, large: the rotation of one clock hand.

use super::{SCALE, Shift};
use crate::figure::View;
use crate::figure::kit::colour::ink_on;
use crate::figure::kit::panel::{HEADING, TICK, fitted};
use crate::figure::kit::scene::{Align, Rect, Scene, Stand};
use crate::say;
use crate::state::Params;
use crate::words::short;

impl Shift {
    pub(super) fn block(&self, scene: &mut Scene, p: &Params, view: &View, r: Rect) {
        let c = view.colours;
        let pair = self.pair(p.dim);
        let (sin, cos) = self.turns[pair];
        let heading = say!(view.lang, "figure.pe-shift.block_heading", pair = pair);
        let at = (Self::places(view).clock.right() + 10.0, 4.0);
        let room = view.width - at.0 - 2.0;
        let place = (Align::Start, Stand::Below);
        fitted(scene, at, room, &heading, HEADING, c.traced, place);
        let side = r.w / 2.0;
        let names = ["sin", "cos"];
        for (row, values) in [[cos, sin], [-sin, cos]].into_iter().enumerate() {
            let y = r.y + row as f64 * side;
            let at = (r.x - 7.0, y + side / 2.0);
            let place = (Align::End, Stand::Centre);
            scene.text(at, names[row], TICK, c.muted, place);
            let at = (r.x + (row as f64 + 0.5) * side, r.y - 5.0);
            let place = (Align::Middle, Stand::Above);
            scene.text(at, names[row], TICK, c.muted, place);
            for (column, value) in values.into_iter().enumerate() {
                let cell = Rect::new(r.x + column as f64 * side, y, side, side);
                let colour = SCALE.colour(value, c.dark);
                scene.fill(cell, colour);
                let middle = (cell.x + side / 2.0, cell.y + side / 2.0);
                // Shortest first: two digits behind the point are enough for a colour.
                let text = short((value * 1000.0).round() / 1000.0 + 0.0);
                let size = (side * 0.24).clamp(TICK, 17.0);
                let place = (Align::Middle, Stand::Centre);
                fitted(
                    scene,
                    middle,
                    side + 6.0,
                    &text,
                    size,
                    ink_on(colour),
                    place,
                );
            }
        }
        scene.frame(r, c.traced, 2.0);
    }
}
