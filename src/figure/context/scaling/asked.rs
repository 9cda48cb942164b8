//! What `ctx-scaling` asks: what NTK-aware scaling makes of the frequencies of the first and the last pair.

use super::Scaling;
use crate::core::encoding::rope_scaling::Remedy;
use crate::figure::View;
use crate::figure::context::lines::{Stroke, plot};
use crate::figure::kit::grip::{colour, grip, yours};
use crate::figure::kit::panel::Chart;
use crate::figure::kit::scene::{Hit, Scene};
use crate::figure::put::{Guess, Handle, Unit};

impl Scaling {
    /// The two ends of the curve, as powers of two; none where the remedy is not defined.
    pub(super) fn ends_to_set(&self) -> Vec<Handle> {
        let ntk = self.remedies.iter().find(|(r, _)| *r == Remedy::Ntk);
        let Some((_, f)) = ntk else {
            return Vec::new();
        };
        // What the chart shows, in quarters.
        let least = (self.logs_shown(false).start * 10f64.log2() * 4.0).ceil() / 4.0;
        let end = |name, ratio: f64| Handle {
            name,
            range: (least, 0.0),
            step: 0.25,
            start: (least * 2.0).round() / 4.0,
            right: vec![ratio.log2()],
            within: 0.3,
            unit: Unit::PowerOfTwo,
        };
        vec![
            end("first", f.ratios[0]).beside(),
            end("last", f.ratios[f.ratios.len() - 1]).beside(),
        ]
    }

    /// Where a press in the chart puts the end of the curve that is nearer.
    pub(super) fn set_end(&self, hit: Hit) -> Option<(usize, f64)> {
        if hit.target != 0 {
            return None;
        }
        let end = usize::from(2 * hit.column >= self.pairs.count());
        let handles = self.ends_to_set();
        let y = self.logs_shown(false);
        let log10 = y.end - hit.down.clamp(0.0, 1.0) * (y.end - y.start);
        Some((end, handles.get(end)?.snapped(log10 * 10f64.log2())))
    }

    /// The curve between the ends that the visitor has put; each pair is divided by the same more than the one before.
    pub(super) fn draw_guess(&self, scene: &mut Scene, view: &View, chart: &Chart, guess: &Guess) {
        let last = self.pairs.count() as f64 - 1.0;
        let log10 = |power: f64| (power * 2f64.log10()).max(chart.y.start);
        let ends = [(0.0, log10(guess[0])), (last, log10(guess[1]))];
        let line = if view.reveal {
            Stroke::dashed(colour(view), 2.0, (5.0, 4.0))
        } else {
            Stroke::solid(colour(view), 2.4)
        };
        plot(scene, chart, ends.into_iter(), line);
        let [from, to] = ends.map(|(x, y)| chart.at(x, y));
        for end in [from, to] {
            grip(scene, view, end);
        }
        let middle = ((from.0 + to.0) / 2.0, (from.1 + to.1) / 2.0 + 14.0);
        yours(scene, view, middle, chart.rect);
    }
}
