//! How alike the encodings of two patches are, under each scheme, and after interpolation.

use crate::core::analysis::similarity_by_distance;
use crate::core::encoding::relative::BiasTable;
use crate::core::encoding::sinusoidal::{Layout, Sinusoidal, positions};
use crate::core::grid::Grid;
use crate::core::grid::axial::{AxialRope, Variant};
use crate::core::grid::resample::{Interpolation, axis_weights};
use crate::core::grid::scheme::{Scheme2d, bias_table};
use crate::core::grid::sincos::{Blocks, Sincos2d};
use crate::core::grid::window::swin_index;
use crate::core::{CoreError, Matrix};
use crate::state::Params;

/// A cosine that is the mean of one function of Δrow and one of Δcolumn.
pub(super) struct ByAxis {
    down: Vec<f64>,
    across: Vec<f64>,
}

impl ByAxis {
    pub(super) fn new(of_row: &[f64], of_column: &[f64], longest: usize) -> Self {
        let cosines = |frequencies: &[f64]| {
            similarity_by_distance(frequencies, (0..longest).map(|d| d as f64))
        };
        Self {
            down: cosines(of_row),
            across: cosines(of_column),
        }
    }

    /// The cosine of two places; both differences are below the longest.
    pub(super) fn at(&self, a: (usize, usize), b: (usize, usize)) -> f64 {
        (self.down[a.0.abs_diff(b.0)] + self.across[a.1.abs_diff(b.1)]) / 2.0
    }
}

/// What the four schemes say of the patches of a grid.
pub(super) struct Values {
    grid: Grid,
    /// Cosine by the difference of the patches' numbers.
    flat: Vec<f64>,
    /// Absent if the width is not divisible by 4.
    sincos: Option<ByAxis>,
    /// Of the head shown.
    pub(super) table: BiasTable,
    pub(super) head: usize,
    /// Absent if the width of a head is not divisible by 4.
    rope: Option<ByAxis>,
}

impl Values {
    /// # Errors
    /// If the sinusoidal encoding is undefined.
    pub(super) fn new(p: &Params) -> Result<Self, CoreError> {
        let (s, base, grid) = (&p.setting, p.grid_base, p.grid);
        let flat = Sinusoidal::new(s.d_model, base, s.layout)?;
        let numbers = (0..grid.cells()).map(|n| n as f64);
        let longest = grid.rows().max(grid.columns());
        let sincos = Sincos2d::new(s.d_model, base, Blocks::MAE).ok();
        let rope = AxialRope::new(Variant::Qwen2Vl, s.head_dim(), base).ok();
        Ok(Self {
            grid,
            flat: similarity_by_distance(flat.frequencies(), numbers),
            sincos: sincos.map(|pe| ByAxis::new(pe.frequencies(), pe.frequencies(), longest)),
            table: bias_table(s, grid),
            head: p.head,
            rope: rope.map(|r| ByAxis::new(r.by_axis().0, r.by_axis().1, longest)),
        })
    }

    /// The value for two patches: the cosine of their encodings, for a bias the bias of `a`
    /// looking at `b`; `None` where the scheme is not defined.
    pub(super) fn at(&self, scheme: Scheme2d, a: usize, b: usize) -> Option<f64> {
        let (from, to) = (self.grid.place(a), self.grid.place(b));
        match scheme {
            Scheme2d::Flat => self.flat.get(a.abs_diff(b)).copied(),
            Scheme2d::SinCos => self.sincos.as_ref().map(|v| v.at(from, to)),
            Scheme2d::Relative => Some(self.table.get(self.head, swin_index(self.grid, a, b))),
            Scheme2d::Rope => self.rope.as_ref().map(|v| v.at(from, to)),
        }
    }
}

/// A two-dimensional sine-cosine table of one grid, brought to another by bicubic interpolation.
///
/// Half of its columns depend on the row alone and half on the column, and the weights of each
/// axis sum to 1, so each half is interpolated along its own axis.
pub(super) struct Resized {
    grid: Grid,
    /// Products of the rows' halves, and of the columns'.
    down: Matrix,
    across: Matrix,
}

impl Resized {
    /// # Errors
    /// If the width is not divisible by 4.
    pub(super) fn new(p: &Params) -> Result<Self, CoreError> {
        let (from, to) = (p.trained, p.grid);
        let half = Sinusoidal::new(p.setting.d_model / 2, p.grid_base, Layout::Interleaved)?;
        let products = |old: usize, new: usize| {
            let weights = axis_weights(old, new, Interpolation::Bicubic, false)?;
            let table = weights * half.matrix(&positions(0..old));
            Ok::<_, CoreError>(&table * table.transpose())
        };
        Ok(Self {
            grid: to,
            down: products(from.rows(), to.rows())?,
            across: products(from.columns(), to.columns())?,
        })
    }

    /// Cosine of the interpolated encodings of two patches.
    pub(super) fn at(&self, a: usize, b: usize) -> f64 {
        let (a, b) = (self.grid.place(a), self.grid.place(b));
        let dot =
            |a: (usize, usize), b: (usize, usize)| self.down[(a.0, b.0)] + self.across[(a.1, b.1)];
        dot(a, b) / (dot(a, a) * dot(b, b)).sqrt()
    }
}
