//! A table of a grid's positions brought to another grid: what is done with learned encodings
//! when the resolution changes.
//!
//! Cells have their centres at half numbers ("half-pixel centres", `align_corners=False`): the
//! centre of new cell i lies at `(i + ½) · old/new` in cells of the old grid. The new size is what
//! is given, never a factor, which can lose a row by rounding. Follows PyTorch's `interpolate`,
//! which timm's `resample_abs_pos_embed` calls. Both axes are treated alike and one after the
//! other.

use super::Grid;
use crate::core::error::same_size;
use crate::core::{CoreError, Matrix};

/// How values between cells are found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Interpolation {
    /// From the two nearest, linearly.
    Bilinear,
    /// From the four nearest, by Keys' cubic.
    Bicubic,
}

/// Keys' free parameter, as PyTorch has it: −¾, and −½ with antialiasing (as Pillow).
const A: f64 = -0.75;
const A_ANTIALIASED: f64 = -0.5;

impl Interpolation {
    /// The weight of a cell at a distance.
    fn weight(self, distance: f64, a: f64) -> f64 {
        let x = distance.abs();
        match self {
            Self::Bilinear => (1.0 - x).max(0.0),
            Self::Bicubic if x < 1.0 => ((a + 2.0) * x - (a + 3.0)) * x * x + 1.0,
            Self::Bicubic if x < 2.0 => ((x - 5.0) * x + 8.0) * a * x - 4.0 * a,
            Self::Bicubic => 0.0,
        }
    }

    /// Cells on each side that count.
    fn reach(self) -> f64 {
        match self {
            Self::Bilinear => 1.0,
            Self::Bicubic => 2.0,
        }
    }
}

/// The weights of one axis, `[to, from]`: each row sums to 1. At the same size it is the identity.
///
/// Without antialiasing, cells beyond the edge count as the edge cell. With it, the cubic is
/// stretched by the factor when the grid shrinks, and what lies beyond the edge is left out.
///
/// # Errors
/// If a size is zero.
pub fn axis_weights(
    from: usize,
    to: usize,
    how: Interpolation,
    antialias: bool,
) -> Result<Matrix, CoreError> {
    Grid::new(from, to)?;
    let mut weights = Matrix::zeros(to, from);
    let scale = from as f64 / to as f64;
    for i in 0..to {
        let centre = (i as f64 + 0.5) * scale;
        if antialias {
            let stretch = scale.max(1.0);
            let support = how.reach() * stretch;
            let first = (centre - support + 0.5).max(0.0) as usize;
            let end = ((centre + support + 0.5) as usize).min(from);
            for j in first..end {
                let distance = (j as f64 + 0.5 - centre) / stretch;
                weights[(i, j)] = how.weight(distance, A_ANTIALIASED);
            }
            let sum = weights.row(i).sum();
            weights.row_mut(i).iter_mut().for_each(|w| *w /= sum);
        } else {
            let at = centre - 0.5;
            let reach = how.reach() as i64;
            let base = at.floor() as i64;
            for j in base + 1 - reach..=base + reach {
                let inside = j.clamp(0, from as i64 - 1) as usize;
                weights[(i, inside)] += how.weight(at - j as f64, A);
            }
        }
    }
    Ok(weights)
}

/// The table of the grid `to`, `[to.cells(), d]`, from that of `from`, `[from.cells(), d]`, both
/// row-major.
///
/// # Errors
/// If the table does not have a row for each cell of `from`.
pub fn resample(
    table: &Matrix,
    from: Grid,
    to: Grid,
    how: Interpolation,
    antialias: bool,
) -> Result<Matrix, CoreError> {
    same_size("rows of the table", from.cells(), table.nrows())?;
    let down = axis_weights(from.rows(), to.rows(), how, antialias)?;
    let across = axis_weights(from.columns(), to.columns(), how, antialias)?;
    let mut out = Matrix::zeros(to.cells(), table.ncols());
    for (d, column) in table.column_iter().enumerate() {
        // Column-major storage: one column of the table, row-major, is the grid transposed.
        let grid = column
            .clone_owned()
            .reshape_generic(nalgebra::Dyn(from.columns()), nalgebra::Dyn(from.rows()));
        let new = &across * grid * down.transpose();
        out.column_mut(d).copy_from_slice(new.as_slice());
    }
    Ok(out)
}
