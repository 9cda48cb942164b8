//! Where the parts of `img-patches` stand, and how they are drawn.

use super::{IMAGE, MAPS, Patches};
use crate::core::grid::scheme::Scheme2d;
use crate::figure::View;
use crate::figure::kit::colour::Colours;
use crate::figure::kit::note::note;
use crate::figure::kit::panel::{Chart, Spot, TICK, heading, legend, swatches, ticks};
use crate::figure::kit::scene::{Align, Rect, Scene, Stand, text_width};
use crate::figure::kit::veil::veil;
use crate::figure::multimodal::grid_map::{self, Axes, GridMap, fit, trace};
use crate::say;
use crate::words::short;

/// Room above a map for its heading, and below for its legend.
const HEAD: f64 = 22.0;
const FOOT: f64 = 36.0;
/// Room left of the image for its numbers.
const LEFT: f64 = 38.0;
/// From this width on the curves stand below the image.
const CURVES: f64 = 500.0;

/// Where things stand in a box.
pub(super) struct Places {
    image: Rect,
    maps: [Rect; 4],
    chart: Rect,
    /// Height of all of it.
    pub(super) height: f64,
}

impl Patches {
    pub(super) fn places(&self, width: f64, height: f64) -> Places {
        let (rows, columns) = (self.grid.rows(), self.grid.columns());
        let wide = width >= CURVES;
        let first = width * if wide { 0.4 } else { 1.0 / 3.0 };
        let below = if wide { 40.0 } else { 24.0 };
        let high = (0.23 * height).clamp(60.0, 130.0);
        // Where there is no room beside the curves, their names stand above.
        let above = if wide { HEAD } else { 64.0 };
        let curves = above + high + if wide { 40.0 } else { 22.0 };
        let left = if wide { LEFT } else { 26.0 };
        let room = (
            first - left - 6.0,
            (height - HEAD - below - curves).max(10.0),
        );
        let image = fit((left, HEAD), room, rows, columns);
        let cell = (width - first) / 2.0;
        let room = (cell - 14.0, (height / 2.0 - HEAD - FOOT).max(10.0));
        let map = fit((0.0, 0.0), room, rows, columns);
        let step = HEAD + map.h + FOOT;
        let maps = [0, 1, 2, 3].map(|k| {
            let (across, down) = ((k % 2) as f64, (k / 2) as f64);
            let x = first + across * cell + 12.0;
            Rect::new(x, down * step + HEAD, map.w, map.h)
        });
        let y = image.bottom() + below;
        // Letters of the curves' names stand right of the lines.
        let (left, right) = if wide { (48.0, 52.0) } else { (30.0, 8.0) };
        let chart = Rect::new(left, y + above, first - left - right, high);
        Places {
            image,
            maps,
            chart,
            height: (2.0 * step).max(y + curves),
        }
    }

    pub(super) fn scene(&self, pos: usize, between: f64, view: &View) -> Scene {
        let mut scene = Scene::default();
        let at = self.places(view.width, view.height);
        // A film goes on to the next patch.
        let next = (pos + 1).min(self.grid.cells() - 1);
        let spot = grid_map::between(self.grid, pos, next, between);
        self.draw_image(&mut scene, view, at.image, spot);
        for (k, scheme) in Scheme2d::ALL.into_iter().enumerate() {
            self.draw_map(&mut scene, view, at.maps[k], (k, scheme), (pos, spot));
        }
        self.draw_curves(&mut scene, view, at.chart);
        if let Some(guess) = &view.guess {
            self.draw_guess(&mut scene, view, at.image, guess);
        }
        scene
    }

    fn draw_map(
        &self,
        scene: &mut Scene,
        view: &View,
        rect: Rect,
        (k, scheme): (usize, Scheme2d),
        (pos, spot): (usize, Spot),
    ) {
        let (c, lang) = (view.colours, view.lang);
        // A narrow map has a short name.
        let id = scheme.id();
        let name = if rect.w < 150.0 {
            say!(lang, format!("figure.img-patches.short.{id}"))
        } else {
            say!(lang, format!("word.scheme2d.{id}"))
        };
        let Some(raster) = self.map(scheme, pos) else {
            heading(scene, view, rect, &name);
            let why = say!(lang, "figure.img-patches.undefined");
            note(scene, (rect.x, rect.y), rect.w.max(80.0), &why, c.muted);
            return;
        };
        if scheme == Scheme2d::Flat && !view.reveal {
            heading(scene, view, rect, &name);
            veil(scene, view, rect);
            return;
        }
        let map = GridMap {
            rect,
            grid: self.grid,
            first: (0, 0),
            raster,
            heading: &name,
            axes: Axes::None,
            target: MAPS + k,
            traced: None,
        };
        map.draw(scene, view);
        self.bands(scene, view, rect, spot);
        let unit = match scheme {
            Scheme2d::Relative => "b",
            _ => "cos",
        };
        if rect.w >= 60.0 {
            let at = (rect.x, rect.bottom() + 6.0);
            legend(scene, view, at, rect.w, self.scale(scheme), unit);
        }
    }

    /// Frames the traced patch's row and column in the colours of their curves.
    fn bands(&self, scene: &mut Scene, view: &View, r: Rect, spot: Spot) {
        let Spot(row, column) = spot;
        let (w, h) = (
            r.w / self.grid.columns() as f64,
            r.h / self.grid.rows() as f64,
        );
        let across = Rect::new(r.x, r.y + row * h, r.w, h);
        let down = Rect::new(r.x + column * w, r.y, w, r.h);
        for (k, band) in [across, down].into_iter().enumerate() {
            scene.frame(band, along(view, k), 1.2);
        }
        trace(scene, view, r, self.grid, spot);
    }

    fn draw_image(&self, scene: &mut Scene, view: &View, rect: Rect, spot: Spot) {
        let (rows, columns) = (self.grid.rows(), self.grid.columns());
        let names = (say!(view.lang, "axis.row"), say!(view.lang, "axis.column"));
        let map = GridMap {
            rect,
            grid: self.grid,
            first: (0, 0),
            raster: self.image.clone(),
            heading: &if rect.w < 150.0 {
                format!("{rows} × {columns}")
            } else {
                say!(
                    view.lang,
                    "figure.img-patches.picture",
                    rows = rows,
                    columns = columns
                )
            },
            axes: if view.width >= CURVES {
                Axes::Named(&names.0, &names.1)
            } else {
                Axes::Numbers
            },
            target: IMAGE,
            traced: None,
        };
        map.draw(scene, view);
        let size = rect.w / columns as f64;
        let gap = if size >= 16.0 { 2.0 } else { 1.0 };
        // The same whatever the theme: cuts are light on a picture.
        let cut = Colours::of(false).surface.fade(0.8);
        for k in 1..columns {
            let x = rect.x + k as f64 * size - gap / 2.0;
            scene.fill(Rect::new(x, rect.y, gap, rect.h), cut);
        }
        for k in 1..rows {
            let y = rect.y + k as f64 * size - gap / 2.0;
            scene.fill(Rect::new(rect.x, y, rect.w, gap), cut);
        }
        self.bands(scene, view, rect, spot);
    }

    /// Cosine by the number of patches between two, along a row and down a column.
    fn draw_curves(&self, scene: &mut Scene, view: &View, rect: Rect) {
        let c = view.colours;
        let wide = view.width >= CURVES;
        let curves = self.curves();
        let name = |key: &str| say!(view.lang, format!("figure.img-patches.curve-{key}"));
        if wide {
            let title = say!(view.lang, "figure.img-patches.curves");
            let room = Rect::new(rect.x - 40.0, rect.y, rect.w + 80.0, rect.h);
            heading(scene, view, room, &title);
        } else {
            let items = curves.iter().enumerate();
            let items: Vec<_> = items.map(|(k, c)| (along(view, k), name(c.0))).collect();
            swatches(scene, view, (2.0, rect.y - 60.0), 60.0, &items);
        }
        let axis = say!(view.lang, "figure.img-patches.steps");
        let (low, steps) = (self.lowest(), self.steps() as f64);
        let chart = Chart {
            rect,
            x: 0.0..steps.max(1.0),
            y: low..1.02,
        };
        scene
            .targets
            .push(chart.target(super::CHART, self.steps() + 1));
        for x in ticks(0.0..steps, (rect.w / 44.0) as usize) {
            if x.fract() == 0.0 {
                let at = (chart.at(x, low).0, rect.bottom() + 4.0);
                let place = (Align::Middle, Stand::Below);
                scene.text(at, short(x), TICK, c.muted, place);
            }
        }
        if wide {
            let at = (rect.x + rect.w / 2.0, rect.bottom() + 19.0);
            scene.text(at, axis, TICK, c.muted, (Align::Middle, Stand::Below));
        }
        if !view.reveal {
            veil(scene, view, rect);
            return;
        }
        for y in ticks(low..1.0, (rect.h / 30.0) as usize) {
            let py = chart.at(0.0, y).1;
            scene.fill(Rect::new(rect.x, py, rect.w, 1.0), c.grid);
            let place = (Align::End, Stand::Centre);
            scene.text((rect.x - 6.0, py), short(y), TICK, c.muted, place);
        }
        scene.fill(Rect::new(rect.x, rect.y, 1.0, rect.h), c.muted);
        scene.fill(Rect::new(rect.x, rect.bottom(), rect.w, 1.0), c.muted);
        let mut taken: Vec<f64> = Vec::new();
        for (k, (key, _, values)) in curves.iter().enumerate() {
            let colour = along(view, k);
            let points = values.iter().enumerate().map(|(d, v)| (d as f64, *v));
            chart.curve(scene, points, colour, 2.0);
            if !wide {
                continue;
            }
            let end = values.len().saturating_sub(1);
            let (x, mut y) = chart.at(end as f64, values[end]);
            // Names that would cover each other move apart.
            while taken.iter().any(|t| (t - y).abs() < 13.0) {
                y += 13.0;
            }
            taken.push(y);
            let text = name(key);
            let x = (x + 5.0).min(view.width * 0.4 + 6.0 - text_width(&text, TICK));
            scene.text((x, y), text, TICK, colour, (Align::Start, Stand::Centre));
        }
    }

    /// Where the axis of the curves begins: a round number below them.
    fn lowest(&self) -> f64 {
        let values = self.curves().into_iter().flat_map(|(.., v)| v);
        let low = values.fold(0.9, f64::min);
        (10.0 * low - 0.2).floor() / 10.0
    }
}

/// The colour of what runs along a row, down a column, or both.
fn along(view: &View, k: usize) -> crate::figure::kit::colour::Colour {
    view.colours.series(k)
}
