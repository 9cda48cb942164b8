//! What `img-patches` asks: which patch has the vector most like that of the traced one, numbered row by row.

use super::{IMAGE, Patches};
use crate::core::grid::scheme::Scheme2d;
use crate::figure::View;
use crate::figure::kit::grip::{colour, yours};
use crate::figure::kit::scene::{Hit, Rect, Scene};
use crate::figure::put::{Guess, Handle, Unit};

impl Patches {
    /// The patch to be marked; none where there is only one, or where the encoding is not defined.
    pub(super) fn to_mark(&self, pos: usize) -> Vec<Handle> {
        let cells = self.grid.cells();
        let others = (0..cells).filter(|at| *at != pos);
        let all: Option<Vec<(usize, f64)>> = others
            .map(|at| Some((at, self.values.at(Scheme2d::Flat, pos, at)?)))
            .collect();
        let all = all.unwrap_or_default();
        let most = all.iter().map(|(_, x)| *x).fold(f64::MIN, f64::max);
        let best = all.iter().filter(|(_, x)| most - x < 1e-9);
        let right: Vec<f64> = best.map(|(at, _)| *at as f64).collect();
        if right.is_empty() {
            return Vec::new();
        }
        let patch = Handle {
            name: "patch",
            range: (0.0, cells as f64 - 1.0),
            step: 1.0,
            start: 0.0,
            right,
            within: 0.0,
            unit: Unit::Number,
        };
        vec![patch.beside()]
    }

    /// Which patch a press in the image marks.
    pub(super) fn mark(&self, hit: Hit) -> Option<(usize, f64)> {
        let at = hit.row * self.grid.columns() + hit.column;
        (hit.target == IMAGE).then_some((0, at as f64))
    }

    /// Frames the patch that the visitor has marked.
    pub(super) fn draw_guess(&self, scene: &mut Scene, view: &View, image: Rect, guess: &Guess) {
        let (row, column) = self.grid.place(guess[0] as usize);
        let (w, h) = (
            image.w / self.grid.columns() as f64,
            image.h / self.grid.rows() as f64,
        );
        let (x, y) = (image.x + column as f64 * w, image.y + row as f64 * h);
        scene.frame(
            Rect::new(x - 2.0, y - 2.0, w + 4.0, h + 4.0),
            view.colours.surface,
            6.0,
        );
        scene.frame(
            Rect::new(x - 2.0, y - 2.0, w + 4.0, h + 4.0),
            colour(view),
            3.0,
        );
        yours(scene, view, (x + w / 2.0, y + h + 14.0), image);
    }
}
