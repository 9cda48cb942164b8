//! `img-resize`: a table of 2D sine-cosine trained on one grid, brought to another: interpolated, or
//! computed afresh. And what both make of "the next patch".

use std::sync::Arc;

use super::fitted;
use super::values::{ByAxis, Resized};
use crate::core::grid::Grid;
use crate::core::grid::sincos::{Blocks, Sincos2d};
use crate::figure::kit::colour::Scale;
use crate::figure::kit::note::note;
use crate::figure::kit::panel::{Chart, TICK, legend, swatches, ticks};
use crate::figure::kit::scene::{Align, Hit, Raster, Rect, Scene, Stand, Target};
use crate::figure::multimodal::grid_map::{Axes, GridMap, between, fit};
use crate::figure::{Arrows, Computed, Figure, Film, Picture, Readout, Table, View, place};
use crate::say;
use crate::state::{Key, Lang, Page, Params, Value};
use crate::words::short;

pub(crate) const FIGURE: Figure = Figure {
    id: "img-resize",
    page: Page::Multimodal,
    controls: &[Key::Trained, Key::Grid, Key::DModel],
    listens: &[Key::Base],
    arrows: Arrows::Grid(Key::Pos),
    film: Film {
        key: Some(Key::Pos),
        frames: |p| p.grid.cells(),
    },
    special: &[],
};

/// The targets, in the order of [`HEADS`].
const TRAINED: usize = 0;
const RESIZED: usize = 1;
const FRESH: usize = 2;
const HEADS: [&str; 3] = ["trained", "interpolated", "fresh"];
/// Room around a map: above, below with its numbers, left.
const AROUND: (f64, f64, f64) = (24.0, 24.0, 28.0);
/// The same where there is room for the names of rows and columns.
const AROUND_NAMED: (f64, f64, f64) = (24.0, 40.0, 36.0);
/// Room for the legend, and for the curves below it.
const LEGEND: f64 = 38.0;
const CURVES: f64 = 182.0;

/// Where things stand in a box.
struct Places {
    maps: [Rect; 3],
    /// Left end, top and width of the legend.
    bar: (f64, f64, f64),
    curves: Rect,
    height: f64,
}

struct Resize {
    grid: Grid,
    trained: Grid,
    /// Absent if the width is not divisible by 4.
    of: Option<(Resized, ByAxis)>,
}

pub(crate) fn compute(p: &Params) -> Computed {
    let pe = Sincos2d::new(p.setting.d_model, p.grid_base, Blocks::MAE).ok();
    let (a, b) = (p.grid, p.trained);
    let sides = [a.rows(), a.columns(), b.rows(), b.columns()];
    let longest = sides.into_iter().max().unwrap_or(1);
    let of = match pe {
        Some(pe) => {
            let axis = ByAxis::new(pe.frequencies(), pe.frequencies(), longest);
            Some((Resized::new(p)?, axis))
        }
        None => None,
    };
    Ok(Arc::new(Resize {
        grid: p.grid,
        trained: p.trained,
        of,
    }))
}

fn size(g: Grid) -> String {
    format!("{} × {}", g.rows(), g.columns())
}

impl Resize {
    fn pos(&self, p: &Params) -> usize {
        p.pos.min(self.grid.cells() - 1)
    }

    /// The patch of the trained grid that covers the middle of a patch of this one.
    fn in_trained(&self, pos: usize) -> usize {
        let (row, column) = self.grid.place(pos);
        let moved = |at: usize, size: usize, old: usize| (2 * at + 1) * old / (2 * size);
        moved(row, self.grid.rows(), self.trained.rows()) * self.trained.columns()
            + moved(column, self.grid.columns(), self.trained.columns())
    }

    fn grid_of(&self, target: usize) -> Grid {
        match target {
            TRAINED => self.trained,
            _ => self.grid,
        }
    }

    /// The traced patch of one of the three maps.
    fn traced(&self, target: usize, pos: usize) -> usize {
        match target {
            TRAINED => self.in_trained(pos),
            _ => pos,
        }
    }

    /// The cosine of two patches in one of the three tables.
    fn at(&self, target: usize, a: usize, b: usize) -> Option<f64> {
        let (resized, axis) = self.of.as_ref()?;
        let grid = self.grid_of(target);
        Some(match target {
            RESIZED => resized.at(a, b),
            _ => axis.at(grid.place(a), grid.place(b)),
        })
    }

    /// One scale for the three, so that they can be compared.
    fn scale(&self, pos: usize) -> Scale {
        let of = |target: usize| {
            let from = self.traced(target, pos);
            let all = 0..self.grid_of(target).cells();
            all.filter_map(move |b| self.at(target, from, b))
        };
        fitted((0..3).flat_map(of))
    }

    /// Cosine of a patch and its neighbour on the right.
    fn right(&self, target: usize) -> Option<f64> {
        (self.grid_of(target).columns() > 1)
            .then(|| self.at(target, 0, 1))
            .flatten()
    }

    fn places(&self, width: f64, height: f64) -> Places {
        // Three side by side; in a narrow box the curves stand beside the trained one.
        let tall = width < 500.0;
        let (above, below, left) = if tall { AROUND } else { AROUND_NAMED };
        let (across, lines) = if tall { (2.0, 2.0) } else { (3.0, 1.0) };
        let cell = width / across;
        let rest = LEGEND + if tall { 0.0 } else { CURVES };
        let high = (height - rest) / lines - above - below;
        let room = (cell - left - 8.0, high.max(10.0));
        let sizes = [self.trained, self.grid, self.grid];
        let all = sizes.map(|g| fit((0.0, 0.0), room, g.rows(), g.columns()));
        let step = above + all.iter().map(|r| r.h).fold(0.0, f64::max) + below;
        let spot = |k: usize| match (tall, k) {
            (true, 0) => (0.0, 0.0),
            (true, k) => ((k - 1) as f64, 1.0),
            (false, k) => (k as f64, 0.0),
        };
        let maps = [0, 1, 2].map(|k| {
            let (x, y) = spot(k);
            Rect::new(x * cell + left, y * step + above, all[k].w, all[k].h)
        });
        let end = lines * step + LEGEND;
        let bar = (left, lines * step + 4.0, (width - 2.0 * left).min(420.0));
        let curves = if tall {
            Rect::new(
                cell + 36.0,
                62.0,
                cell - 46.0,
                (step - 62.0 - 22.0).max(10.0),
            )
        } else {
            let high = (height - end - CURVES + 110.0).clamp(60.0, 170.0);
            Rect::new(58.0, end + 32.0, width - 70.0, high)
        };
        Places {
            maps,
            bar,
            curves,
            height: if tall { end } else { curves.bottom() + 40.0 },
        }
    }

    /// Cosine along the traced patch's row, computed afresh and interpolated; and of the trained row
    /// where its patches lie on the image.
    fn draw_curves(&self, scene: &mut Scene, view: &View, r: Rect, pos: usize) {
        let c = view.colours;
        let wide = view.width >= 500.0;
        let columns = self.grid.columns();
        let row = |target: usize| -> Vec<(f64, f64)> {
            let grid = self.grid_of(target);
            let from = self.traced(target, pos);
            let start = grid.place(from).0 * grid.columns();
            let scale = columns as f64 / grid.columns() as f64;
            let place = |k: usize| (k as f64 + 0.5) * scale - 0.5;
            let value = |k: usize| Some((place(k), self.at(target, from, start + k)?));
            (0..grid.columns()).filter_map(value).collect()
        };
        let all = [FRESH, RESIZED, TRAINED].map(|target| (target, row(target)));
        let values = all.iter().flat_map(|(_, v)| v.iter().map(|v| v.1));
        let low = values.fold(0.95, f64::min);
        let chart = Chart {
            rect: r,
            x: -0.5..columns as f64 - 0.5,
            y: (20.0 * low - 0.2).floor() / 20.0..1.01,
        };
        let names = ["curves", "column", "cos"];
        let names = names.map(|n| say!(view.lang, format!("figure.img-resize.{n}")));
        if wide {
            chart.cell_axes(scene, view, (columns, 1), &names[0], (&names[1], &names[2]));
        } else {
            for y in ticks(chart.y.clone(), (r.h / 30.0) as usize) {
                let at = (r.x - 5.0, chart.at(0.0, y).1);
                let place = (Align::End, Stand::Centre);
                scene.text(at, short(y), TICK, c.muted, place);
            }
            scene.frame(r, c.grid, 1.0);
        }
        let colours = [c.muted, c.accent, c.series(1)];
        for ((target, values), colour) in all.iter().zip(colours) {
            if *target == TRAINED {
                for (x, y) in values {
                    scene.disc(chart.at(*x, *y), 3.5, colour);
                }
            } else {
                chart.curve(scene, values.iter().copied(), colour, 2.0);
            }
        }
        let items = [2, 1, 0].map(|k| {
            let key = format!("figure.img-resize.curve-{}", HEADS[all[k].0]);
            (colours[k], say!(view.lang, key))
        });
        let (x, y, room) = if wide {
            (r.right() - 290.0, r.y - 22.0, 300.0)
        } else {
            (r.x - 28.0, 2.0, 80.0)
        };
        swatches(scene, view, (x, y), room, &items);
    }

    fn words(&self, lang: Lang) -> String {
        let key = if self.trained == self.grid {
            "figure.img-resize.same"
        } else {
            "figure.img-resize.words"
        };
        say!(lang, key, from = size(self.trained), to = size(self.grid))
    }
}

impl Picture for Resize {
    fn height(&self, width: f64) -> f64 {
        let most = if width < 600.0 { 420.0 } else { 540.0 };
        self.places(width, most).height
    }

    fn draw(&self, p: &Params, view: &View) -> Scene {
        let mut scene = Scene::default();
        let at = self.places(view.width, view.height);
        let bar = at.bar;
        let pos = self.pos(p);
        let scale = self.scale(pos);
        let names = ["axis.row", "axis.column"].map(|key| say!(view.lang, key));
        for (target, rect) in at.maps.into_iter().enumerate() {
            let (grid, from) = (self.grid_of(target), self.traced(target, pos));
            // A film goes on to the next patch.
            let next = self.traced(target, (pos + 1).min(self.grid.cells() - 1));
            let key = format!("figure.img-resize.{}", HEADS[target]);
            let columns = grid.columns();
            if self.of.is_none() {
                scene.frame(rect, view.colours.grid, 1.0);
                scene.targets.push(Target {
                    id: target,
                    rect,
                    rows: grid.rows(),
                    columns,
                });
                continue;
            }
            let map = GridMap {
                rect,
                grid,
                first: (0, 0),
                raster: Raster::from_fn(columns, grid.rows(), scale, |r, c| {
                    self.at(target, from, r * columns + c).unwrap_or_default()
                }),
                heading: &say!(view.lang, key, size = size(grid)),
                axes: if view.width < 500.0 {
                    Axes::Numbers
                } else {
                    Axes::Named(&names[0], &names[1])
                },
                target,
                traced: Some(between(grid, from, next, p.between)),
            };
            map.draw(&mut scene, view);
        }
        if self.of.is_some() {
            legend(&mut scene, view, (bar.0, bar.1), bar.2, scale, "cos");
            self.draw_curves(&mut scene, view, at.curves, pos);
        } else {
            let why = say!(view.lang, "figure.img-patches.undefined");
            note(&mut scene, (bar.0, bar.1), bar.2, &why, view.colours.muted);
        }
        scene
    }

    fn describe(&self, hit: Hit, p: &Params, lang: Lang) -> String {
        let grid = self.grid_of(hit.target);
        let from = self.traced(hit.target, self.pos(p));
        let here = hit.row * grid.columns() + hit.column;
        let Some(value) = self.at(hit.target, from, here) else {
            return say!(lang, "figure.img-patches.undefined");
        };
        say!(
            lang,
            "figure.img-resize.cosine",
            row = hit.row,
            column = hit.column,
            value = short(value)
        )
    }

    fn picked(&self, hit: Hit, _: &Params) -> Vec<(Key, Value)> {
        let columns = self.grid.columns();
        let pos = match hit.target {
            TRAINED => {
                let moved = |at: usize, size: usize, new: usize| (2 * at + 1) * new / (2 * size);
                moved(hit.row, self.trained.rows(), self.grid.rows()) * columns
                    + moved(hit.column, self.trained.columns(), columns)
            }
            _ => hit.row * columns + hit.column,
        };
        vec![(Key::Pos, place(pos))]
    }

    fn readouts(&self, _: &Params, lang: Lang) -> Vec<Readout> {
        let names = ["right-trained", "right-interpolated", "right-fresh"];
        let readout = |(target, name): (usize, &'static str)| {
            let number = self.right(target);
            Readout {
                name: name.into(),
                label: say!(lang, format!("figure.img-resize.{name}")),
                number,
                text: number.map_or("—".to_owned(), short),
            }
        };
        names.into_iter().enumerate().map(readout).collect()
    }

    fn sentence(&self, _: &Params, lang: Lang) -> String {
        self.words(lang)
    }

    fn table(&self, p: &Params) -> Table {
        let pos = self.pos(p);
        let mut columns = ["patch", "row", "column"].map(str::to_owned).to_vec();
        if self.of.is_some() {
            columns.extend(["interpolated", "fresh"].map(str::to_owned));
        }
        let row = |b: usize| {
            let (r, c) = self.grid.place(b);
            let mut row = vec![b as f64, r as f64, c as f64];
            row.extend(
                [RESIZED, FRESH]
                    .into_iter()
                    .filter_map(|t| self.at(t, pos, b)),
            );
            row
        };
        Table {
            columns,
            rows: (0..self.grid.cells()).map(row).collect(),
        }
    }
}
