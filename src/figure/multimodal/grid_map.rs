//! A map of a grid: one cell a patch, or a difference of patches, rows downwards.

use std::sync::Arc;

use crate::core::grid::Grid;
use crate::figure::View;
use crate::figure::kit::panel::{Spot, TICK, cell_ticks, heading, name_axes};
use crate::figure::kit::scene::{Align, Placed, Raster, Rect, Scene, Stand, Target};
use crate::words::short;

/// A rectangle of square cells within a width and a height.
pub fn fit((x, y): (f64, f64), (w, h): (f64, f64), rows: usize, columns: usize) -> Rect {
    let cell = (w / columns as f64).min(h / rows as f64);
    Rect::new(x, y, cell * columns as f64, cell * rows as f64)
}

/// What stands beside the cells of a map.
#[derive(Debug, Clone, Copy)]
pub enum Axes<'a> {
    /// Nothing: the axes are those of a map beside it.
    None,
    /// Numbers of rows and columns.
    Numbers,
    /// The same, and the names of the vertical and the horizontal axis.
    Named(&'a str, &'a str),
}

/// A raster over a grid with numbered rows and columns.
pub struct GridMap<'a> {
    /// Where the cells are.
    pub rect: Rect,
    /// Rows and columns.
    pub grid: Grid,
    /// Number of the first row and of the first column.
    pub first: (i64, i64),
    /// The cells.
    pub raster: Arc<Raster>,
    /// What stands above.
    pub heading: &'a str,
    /// What stands beside the cells.
    pub axes: Axes<'a>,
    /// Number among the figure's targets.
    pub target: usize,
    /// The traced cell: row and column from the top left.
    pub traced: Option<Spot>,
}

impl GridMap<'_> {
    /// Draws the map.
    pub fn draw(&self, scene: &mut Scene, view: &View) {
        let r = self.rect;
        let (rows, columns) = (self.grid.rows(), self.grid.columns());
        scene.rasters.push(Placed {
            rect: r,
            raster: self.raster.clone(),
        });
        scene.targets.push(Target {
            id: self.target,
            rect: r,
            rows,
            columns,
        });
        scene.frame(r, view.colours.grid, 1.0);
        heading(scene, view, r, self.heading);
        if !matches!(self.axes, Axes::None) {
            self.ticks(scene, view);
        }
        if let Axes::Named(down, across) = self.axes {
            name_axes(scene, view, r, across, down, 27.0);
        }
        if let Some(cell) = self.traced {
            trace(scene, view, r, self.grid, cell);
        }
    }

    fn ticks(&self, scene: &mut Scene, view: &View) {
        let (c, r) = (view.colours, self.rect);
        let (rows, columns) = (self.grid.rows(), self.grid.columns());
        for k in round_ticks(rows, self.first.0, r.h / 24.0) {
            let y = r.y + (k as f64 + 0.5) * r.h / rows as f64;
            let at = (r.x - 5.0, y);
            let text = short((self.first.0 + k as i64) as f64);
            scene.text(at, text, TICK, c.muted, (Align::End, Stand::Centre));
        }
        for k in round_ticks(columns, self.first.1, r.w / 28.0) {
            let x = r.x + (k as f64 + 0.5) * r.w / columns as f64;
            let at = (x, r.bottom() + 5.0);
            let text = short((self.first.1 + k as i64) as f64);
            scene.text(at, text, TICK, c.muted, (Align::Middle, Stand::Below));
        }
    }
}

/// Where a film is between two patches.
pub fn between(grid: Grid, from: usize, to: usize, way: f64) -> Spot {
    let ((r0, c0), (r1, c1)) = (grid.place(from), grid.place(to));
    let on = |a: usize, b: usize| a as f64 + (b as f64 - a as f64) * way;
    Spot(on(r0, r1), on(c0, c1))
}

/// Frames the traced cell, a tiny one at a distance, so that what lies around it is seen.
pub fn trace(scene: &mut Scene, view: &View, r: Rect, grid: Grid, Spot(row, column): Spot) {
    let (w, h) = (r.w / grid.columns() as f64, r.h / grid.rows() as f64);
    let (x, y) = (r.x + (column + 0.5) * w, r.y + (row + 0.5) * h);
    let (w, h) = (w.max(9.0), h.max(9.0));
    let cell = Rect::new(x - w / 2.0, y - h / 2.0, w, h);
    scene.frame(cell, view.colours.surface, 4.0);
    scene.frame(cell, view.colours.traced, 2.0);
}

/// Cells to be numbered, such that the numbers are round and 0 is among them.
fn round_ticks(cells: usize, first: i64, room: f64) -> Vec<usize> {
    let all = cell_ticks(cells, room);
    let step = all.get(1).map_or(cells.max(1), |second| second - all[0]) as i64;
    (0..cells)
        .filter(|k| (first + *k as i64).rem_euclid(step) == 0)
        .collect()
}
