//! Where the parts stand, and how the curve is drawn.

use super::{NARROW, Similarity};
use crate::figure::View;
use crate::figure::kit::panel::{Chart, MatrixPanel};
use crate::figure::kit::scene::{Rect, Scene};

impl Similarity {
    /// The map and the chart.
    pub(super) fn boxes(&self, width: f64) -> (Rect, Chart) {
        let (left, top, right, bottom) = MatrixPanel::MARGIN;
        let narrow = width < NARROW;
        let column = if narrow { width } else { width * 0.46 };
        let side = (column - left - right).min(420.0);
        let map = Rect::new(left, top, side, side);
        let (l, t, r, _) = Chart::MARGIN;
        let area = if narrow {
            let y = map.bottom() + bottom + 52.0 + t;
            Rect::new(l, y, width - l - r, 200.0)
        } else {
            let x = map.right() + 16.0 + l;
            Rect::new(x, t, width - x - r, side)
        };
        let reach = (self.shown - 1) as f64 + 0.5;
        let chart = Chart {
            rect: area,
            x: -reach..reach,
            y: self.lowest()..1.1,
        };
        (map, chart)
    }

    /// The lower end of the chart.
    pub(super) fn lowest(&self) -> f64 {
        let least = (0..self.shown)
            .map(|k| self.spread(k)[0])
            .fold(0.0, f64::min);
        match least {
            x if x >= 0.0 => -0.1,
            x if x > -0.45 => -0.5,
            _ => -1.1,
        }
    }

    pub(super) fn curve(&self, scene: &mut Scene, view: &View, chart: &Chart) {
        let c = view.colours;
        let reach = self.shown as i64 - 1;
        let per_pixel = (2 * reach + 1) as f64 / chart.rect.w;
        let at = |k: i64| self.spread(k.unsigned_abs() as usize);
        let span = |scene: &mut Scene, x: f64, w: f64, low: f64, high: f64, colour| {
            let (top, foot) = (chart.at(0.0, high).1, chart.at(0.0, low).1);
            let rect = Rect::new(x, top - 0.75, w, foot - top + 1.5);
            scene.fill(rect, colour);
        };
        if per_pixel > 3.0 {
            // Several distances a pixel: from the lowest to the highest of them, none left out.
            let mut k = -reach;
            let mut px = 0.0;
            while px < chart.rect.w {
                let end = (-reach as f64 + (px + 1.0) * per_pixel).ceil() as i64;
                let [mut low, mut high] = [f64::INFINITY, f64::NEG_INFINITY];
                // The neighbour too, so that the line has no gaps.
                for k in (k - 1).max(-reach)..end.min(reach + 1) {
                    low = low.min(at(k)[0]);
                    high = high.max(at(k)[2]);
                }
                if low <= high {
                    span(scene, chart.rect.x + px, 1.0, low, high, c.accent);
                }
                k = end;
                px += 1.0;
            }
            return;
        }
        if self.by_pair() {
            let w = (chart.rect.w / (2 * reach + 1) as f64 * 0.8).max(1.0);
            for k in -reach..=reach {
                let [low, _, high] = at(k);
                let x = chart.at(k as f64, 0.0).0 - w / 2.0;
                span(scene, x, w, low, high, c.accent.fade(0.35));
            }
        }
        let points = (-reach..=reach).map(|k| (k as f64, at(k)[1]));
        chart.curve(scene, points, c.accent, 1.8);
    }
}
