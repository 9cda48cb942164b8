//! What `ctx-precision` asks: which whole positions become the same number as the last one.

use super::{Precision, STAIRS};
use crate::core::precision::Format;
use crate::figure::View;
use crate::figure::kit::grip::{colour, grip, yours};
use crate::figure::kit::panel::Chart;
use crate::figure::kit::scene::{Hit, Scene};
use crate::figure::put::{Guess, Handle, Unit};

impl Precision {
    /// The first and the last position that become the same number, as far as the window shows.
    pub(super) fn own_step(&self) -> (usize, usize) {
        let here = self.position;
        let steps = self.steps_shown();
        let own = steps.iter().find(|s| (s.1..=s.2).contains(&here));
        own.map_or((here, here), |s| (s.1, s.2))
    }

    /// The two ends of the bar to be drawn.
    pub(super) fn ends_to_set(&self) -> Vec<Handle> {
        let (first, last) = self.own_step();
        let here = self.position as f64;
        let window = (
            self.window[0] as f64,
            self.window[self.window.len() - 1] as f64,
        );
        let end = |name, range: (f64, f64), edge: f64, right: usize| Handle {
            name,
            range,
            step: 1.0,
            start: ((here + edge) / 2.0).round(),
            right: vec![right as f64],
            // A quarter of its own way from the position: the two ends are not equally far.
            within: ((right as f64 - here).abs() / 4.0).floor(),
            unit: Unit::Number,
        };
        vec![
            end("first", (window.0, here), window.0, first).beside(),
            end("last", (here, window.1), window.1, last).beside(),
        ]
    }

    /// Where a press in the staircase puts the end that is nearer.
    pub(super) fn set_end(&self, hit: Hit) -> Option<(usize, f64)> {
        let at = *self.window.get(hit.column)?;
        (hit.target == STAIRS).then_some((usize::from(at > self.position), at as f64))
    }

    /// The bar that the visitor has drawn, at the height of the number that the position becomes.
    pub(super) fn draw_guess(&self, scene: &mut Scene, view: &View, chart: &Chart, guess: &Guess) {
        let to = Format::Bfloat16.round(self.position as f64);
        let lower = if view.reveal { 14.0 } else { 0.0 };
        let [from, to] = guess.map(|at| {
            let (x, y) = chart.at(at, to);
            (x, y + lower)
        });
        scene.line(vec![from, to], colour(view), 4.0);
        for end in [from, to] {
            grip(scene, view, end);
        }
        let middle = ((from.0 + to.0) / 2.0, from.1 + 16.0);
        yours(scene, view, middle, chart.rect);
    }
}
