//! A matrix as a raster with axes.

use std::sync::Arc;

use super::{TICK, cell_ticks, heading, name_axes};
use crate::figure::View;
use crate::figure::kit::colour::{Scale, ink_on};
use crate::figure::kit::scene::{Align, Placed, Raster, Rect, Scene, Stand, Target};

/// A cell, or a place on the way from one cell to another: row and column.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Spot(pub f64, pub f64);

impl From<(usize, usize)> for Spot {
    fn from((row, column): (usize, usize)) -> Self {
        Self(row as f64, column as f64)
    }
}

/// A matrix: one raster, row 0 at the top, axes, a frame around the traced cell.
pub struct MatrixPanel<'a> {
    /// Where the cells are.
    pub rect: Rect,
    /// Rows of the matrix.
    pub rows: usize,
    /// Columns of the matrix.
    pub columns: usize,
    /// The cells; may have fewer than rows × columns where the matrix is larger than the screen.
    pub raster: Arc<Raster>,
    /// What stands above the matrix.
    pub heading: &'a str,
    /// Name of the vertical axis, with its unit.
    pub row_name: &'a str,
    /// Name of the horizontal axis.
    pub column_name: &'a str,
    /// Number of this matrix among the figure's targets.
    pub target: usize,
    /// The traced cell, if it lies in the matrix.
    pub traced: Option<Spot>,
}

impl MatrixPanel<'_> {
    /// Room that a matrix needs around its cells: left, top, right, bottom.
    pub const MARGIN: (f64, f64, f64, f64) = (46.0, 24.0, 10.0, 38.0);

    /// The smallest cell in which its number is written: width, height.
    pub(crate) const NUMBER: (f64, f64) = (34.0, 17.0);

    /// Room at the left of so many rows: numbers of four digits need more than [`Self::MARGIN`] has.
    pub fn left(rows: usize) -> f64 {
        Self::MARGIN.0 + if rows > 1000 { 8.0 } else { 0.0 }
    }

    /// Draws the matrix.
    pub fn draw(&self, scene: &mut Scene, view: &View) {
        let c = view.colours;
        let r = self.rect;
        scene.rasters.push(Placed {
            rect: r,
            raster: self.raster.clone(),
        });
        scene.targets.push(Target {
            id: self.target,
            rect: r,
            rows: self.rows,
            columns: self.columns,
        });
        scene.frame(r, c.grid, 1.0);
        heading(scene, view, r, self.heading);
        let down = cell_ticks(self.rows, r.h / 26.0);
        for k in down {
            let y = r.y + (k as f64 + 0.5) * r.h / self.rows as f64;
            scene.fill(Rect::new(r.x - 4.0, y, 4.0, 1.0), c.muted);
            let at = (r.x - 7.0, y);
            scene.text(
                at,
                k.to_string(),
                TICK,
                c.muted,
                (Align::End, Stand::Centre),
            );
        }
        for k in cell_ticks(self.columns, r.w / 44.0) {
            let x = r.x + (k as f64 + 0.5) * r.w / self.columns as f64;
            scene.fill(Rect::new(x, r.bottom(), 1.0, 4.0), c.muted);
            let at = (x, r.bottom() + 6.0);
            scene.text(
                at,
                k.to_string(),
                TICK,
                c.muted,
                (Align::Middle, Stand::Below),
            );
        }
        let left = Self::left(self.rows) - 10.0;
        name_axes(scene, view, r, self.column_name, self.row_name, left);
        if let Some(spot) = self.traced {
            trace_cell(scene, view, r, (self.rows, self.columns), spot);
        }
    }

    /// Writes each cell's value in it, where cells are large enough; `value` is (row, column).
    pub fn numbers(
        &self,
        scene: &mut Scene,
        view: &View,
        scale: Scale,
        value: impl Fn(usize, usize) -> f64,
    ) {
        self.some_numbers(scene, view, scale, |row, column| Some(value(row, column)));
    }

    /// As [`Self::numbers`], but only of the cells that have a value.
    pub(crate) fn some_numbers(
        &self,
        scene: &mut Scene,
        view: &View,
        scale: Scale,
        value: impl Fn(usize, usize) -> Option<f64>,
    ) {
        let (w, h) = (
            self.rect.w / self.columns as f64,
            self.rect.h / self.rows as f64,
        );
        if w < Self::NUMBER.0 || h < Self::NUMBER.1 {
            return;
        }
        for row in 0..self.rows {
            for column in 0..self.columns {
                let Some(v) = value(row, column) else {
                    continue;
                };
                let text = if v.fract() == 0.0 {
                    format!("{v}")
                } else {
                    format!("{v:.2}")
                };
                let at = (
                    self.rect.x + (column as f64 + 0.5) * w,
                    self.rect.y + (row as f64 + 0.5) * h,
                );
                let ink = ink_on(scale.colour(v, view.colours.dark));
                let text = text.replace('-', "−");
                scene.text(at, text, TICK, ink, (Align::Middle, Stand::Centre));
            }
        }
    }
}

/// Frames one cell of a grid in the colour of the traced cell; tiny cells get a cross-hair too.
pub fn trace_cell(
    scene: &mut Scene,
    view: &View,
    r: Rect,
    (rows, columns): (usize, usize),
    spot: impl Into<Spot>,
) {
    let Spot(row, column) = spot.into();
    if row > rows as f64 - 1.0 || column > columns as f64 - 1.0 {
        return;
    }
    let colour = view.colours.traced;
    let (w, h) = (r.w / columns as f64, r.h / rows as f64);
    let cell = Rect::new(r.x + column * w, r.y + row * h, w, h);
    if w < 8.0 || h < 8.0 {
        let (x, y) = (cell.x + w / 2.0, cell.y + h / 2.0);
        let faint = colour.fade(0.75);
        scene.fill(
            Rect::new(r.x, y - 0.5, (x - r.x - 5.0).max(0.0), 1.0),
            faint,
        );
        scene.fill(
            Rect::new(x + 5.0, y - 0.5, (r.right() - x - 5.0).max(0.0), 1.0),
            faint,
        );
        scene.fill(
            Rect::new(x - 0.5, r.y, 1.0, (y - r.y - 5.0).max(0.0)),
            faint,
        );
        scene.fill(
            Rect::new(x - 0.5, y + 5.0, 1.0, (r.bottom() - y - 5.0).max(0.0)),
            faint,
        );
        scene.frame(Rect::new(x - 5.0, y - 5.0, 10.0, 10.0), colour, 2.0);
    } else {
        scene.frame(cell, colour, 2.5);
    }
}
