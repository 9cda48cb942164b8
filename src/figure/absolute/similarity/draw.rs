//! Where the parts stand, how map and curve are drawn, and how each points to the other.

use std::sync::Arc;

use super::cosines::block_means;
use super::{Similarity, Values};
use crate::figure::View;
use crate::figure::absolute::cached::block;
use crate::figure::kit::panel::{Chart, MatrixPanel, NAME};
use crate::figure::kit::scene::{Align, Raster, Rect, Scene, Stand, text_width};
use crate::figure::kit::veil::{cover, cover_area, question};
use crate::words::short;

/// Taller boxes, by height over width, have the curve above the map, others beside it.
const TALL: f64 = 0.72;
/// Room for the legend.
const LEGEND: f64 = 40.0;
/// Distances that stay while those further apart are asked for.
const SHOWN_WHILE_ASKED: f64 = 2.5;

/// Where everything is.
pub(super) struct Places {
    pub(super) map: Rect,
    pub(super) chart: Chart,
    /// Upper left corner and width of the legend.
    pub(super) legend: (f64, f64, f64),
    /// What the heading of the map may be as wide as.
    pub(super) heading: Rect,
}

impl Similarity {
    pub(super) fn places(&self, view: &View) -> Places {
        let (_, top, right, bottom) = MatrixPanel::MARGIN;
        let left = MatrixPanel::left(self.shown);
        let (l, t, r, b) = Chart::MARGIN;
        let (width, height) = (view.width, view.height);
        let (map, area, legend) = if height > TALL * width {
            let tall = (height * 0.42 - t - b).max(20.0);
            let area = Rect::new(l, t, width - l - r, tall);
            let y = area.bottom() + b + top;
            let side = (height - y - bottom).min(width * 0.55).max(20.0);
            let x = left + side + 18.0;
            let legend = (x, y + side / 2.0 - 17.0, (width - x - 12.0).max(20.0));
            (Rect::new(left, y, side, side), area, legend)
        } else {
            let side = (width * 0.48 - left - right).min(height - top - bottom - LEGEND);
            let map = Rect::new(left, top, side, side);
            let x = map.right() + 12.0 + l;
            let area = Rect::new(x, t, width - x - r, side);
            (map, area, (left, map.bottom() + bottom + 6.0, side))
        };
        let reach = (self.shown - 1) as f64 + 0.5;
        let chart = Chart {
            rect: area,
            x: -reach..reach,
            y: self.lowest()..1.1,
        };
        let beside = if map.y > chart.rect.y {
            width
        } else {
            chart.rect.x - l
        };
        let heading = Rect::new(map.x, map.y, beside - map.x - 12.0, map.h);
        Places {
            map,
            chart,
            legend,
            heading,
        }
    }

    /// The lower end of the chart.
    fn lowest(&self) -> f64 {
        let least = (0..self.shown)
            .map(|k| self.spread(k)[0])
            .fold(0.0, f64::min);
        match least {
            x if x >= 0.0 => -0.1,
            x if x > -0.45 => -0.5,
            _ => -1.1,
        }
    }

    /// The map with one mean for the pairs that share a pixel: picking single ones would turn the fast
    /// pairs of dimensions into stripes that are not there.
    pub(super) fn averaged(&self, map: Rect) -> Arc<Raster> {
        let b = block(self.shown, map.w);
        self.raster.get((b, b), || {
            let side = self.shown.div_ceil(b);
            match &self.values {
                Values::ByDistance(by_distance) => {
                    let means = block_means(by_distance, b, side);
                    Raster::indexed(side, self.scale, means.into_iter(), usize::abs_diff)
                }
                Values::ByPair { map, .. } => Raster::from_fn(side, side, self.scale, |r, c| {
                    let ends = |at: usize| (at * b, ((at + 1) * b).min(self.shown) - at * b);
                    let ((row, rows), (column, columns)) = (ends(r), ends(c));
                    map.view((row, column), (rows, columns)).mean()
                }),
            }
        })
    }

    /// Both diagonals of a distance; the other way round it is the same number where distance decides.
    pub(super) fn diagonals(&self, scene: &mut Scene, view: &View, map: Rect, k: f64) {
        let n = self.shown as f64;
        let unit = map.w / n;
        let ways: &[f64] = if self.by_pair() || k == 0.0 {
            &[1.0]
        } else {
            &[1.0, -1.0]
        };
        for way in ways {
            let k = k * way;
            if k.abs() >= n {
                return;
            }
            let (from, to) = ((-k).max(0.0), n.min(n - k));
            let point = |i: f64| (map.x + (i + k) * unit, map.y + i * unit);
            let colour = view
                .colours
                .traced
                .fade(if *way > 0.0 { 0.85 } else { 0.55 });
            let ends = vec![point(from), point(to)];
            if *way > 0.0 {
                scene.line(ends, colour, 1.6);
            } else {
                scene.dashed(ends, colour, 1.4);
            }
        }
    }

    /// The traced distance in the chart, and the same distance the other way.
    pub(super) fn mark(&self, scene: &mut Scene, view: &View, chart: &Chart, k: f64, value: f64) {
        let c = view.colours;
        if k.abs() >= self.shown as f64 {
            return;
        }
        chart.upright(scene, k, c.traced);
        if !self.by_pair() && k != 0.0 {
            scene.ring(chart.at(-k, value), 4.0, c.traced.fade(0.7), 1.5);
        }
        let at = chart.at(k, value);
        scene.disc(at, 6.5, c.surface);
        scene.disc(at, 4.5, c.traced);
        let text = format!("k = {}", short(k.round()));
        let wide = text_width(&text, NAME) + 10.0;
        let (x, align) = if at.0 + wide > chart.rect.right() {
            (at.0 - 6.0, Align::End)
        } else {
            (at.0 + 6.0, Align::Start)
        };
        let place = (align, Stand::Above);
        // Where the curve seldom is: above the line of zero, or at the foot if values lie below it.
        let y = if chart.y.start > -0.2 {
            chart.at(k, 0.0).1 - 4.0
        } else {
            chart.rect.bottom() - 3.0
        };
        scene.text((x, y), text, NAME, c.traced, place);
    }

    /// Hides what lies further apart than a few steps, in the map and in the chart.
    pub(super) fn veil(&self, scene: &mut Scene, view: &View, places: &Places) {
        let (map, chart) = (places.map, &places.chart);
        let unit = map.w / self.shown as f64;
        let kept = SHOWN_WHILE_ASKED.min(0.5 * self.shown as f64) * unit;
        // Above the diagonal, and below it.
        let (x, y, right, bottom) = (map.x, map.y, map.right(), map.bottom());
        cover_area(
            scene,
            view,
            &[(x + kept, y), (right, y), (right, bottom - kept)],
        );
        cover_area(
            scene,
            view,
            &[(x, y + kept), (x, bottom), (right - kept, bottom)],
        );
        let (near, far) = (map.w * 0.27, map.w * 0.73);
        let size = (0.2 * map.w).clamp(14.0, 34.0);
        question(scene, view, (x + far, y + near), size);
        question(scene, view, (x + near, y + far), size);
        let r = chart.rect;
        let kept = SHOWN_WHILE_ASKED.min(0.5 * self.shown as f64);
        let (a, b) = (chart.at(-kept, 0.0).0, chart.at(kept, 0.0).0);
        for (from, to) in [(r.x + 1.0, a - 1.5), (b, r.right())] {
            // A line has a width.
            let wide = (to - from).max(0.0) + 1.5;
            cover(scene, view, Rect::new(from, r.y, wide, r.h));
            let middle = ((from + to) / 2.0, r.y + r.h / 2.0);
            question(scene, view, middle, (0.3 * r.h).clamp(14.0, 34.0));
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
        let apart = chart.rect.w / (2 * reach + 1) as f64;
        if self.by_pair() {
            let w = (apart * 0.8).max(1.0);
            for k in -reach..=reach {
                let [low, _, high] = at(k);
                let x = chart.at(k as f64, 0.0).0 - w / 2.0;
                span(scene, x, w, low, high, c.accent.fade(0.35));
            }
        }
        let points = (-reach..=reach).map(|k| (k as f64, at(k)[1]));
        chart.curve(scene, points.clone(), c.accent, 1.8);
        if apart > 7.0 {
            for (k, value) in points {
                scene.disc(chart.at(k, value), 2.4, c.accent);
            }
        }
    }
}
