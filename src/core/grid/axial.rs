//! Axial rotary encodings: half of the pairs of a head are turned by the row, half by the column,
//! so that a score depends on (Δrow, Δcolumn) alone.
//!
//! With D = `head_dim` there are D/2 pairs. The published variants differ in the frequencies, in
//! the coordinates and in which dimensions form a pair:
//!
//! | variant | frequencies | angles of pairs 0..D/2 | pairing |
//! |---|---|---|---|
//! | Qwen2-VL's vision encoder | `f_i = base^(−4i/D)`, i < D/4 | h·f, then w·f | half |
//! | Pixtral | `g_i = base^(−2i/D)`, i < D/2 | h·g of even i, then w·g of odd i | half |
//! | DINOv3 | `f_i` as Qwen2-VL | 2π·y·f, then 2π·x·f, y and x patch centres in −1..1 | half |
//! | timm | `f_i` as Qwen2-VL | h·f, then w·f | interleaved |
//!
//! Sources: huggingface/transformers `modeling_qwen2_vl.py`, `modeling_pixtral.py`,
//! `modeling_dinov3_vit.py`; huggingface/pytorch-image-models `layers/pos_embed_sincos.py`.

use std::f64::consts::TAU;

use super::sincos::numbers;
use super::{Grid, TokenOrder, divisible_by_4};
use crate::core::encoding::rope::Pairing;
use crate::core::error::{same_size, valid_base};
use crate::core::{CoreError, Matrix};

/// A published way to turn pairs by row and column.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Variant {
    /// Qwen2-VL's vision encoder (arXiv 2409.12191), also Qwen2.5-VL's.
    #[default]
    Qwen2Vl,
    /// Pixtral (arXiv 2410.07073): rows and columns share no frequency.
    Pixtral,
    /// DINOv3 (arXiv 2508.10104): coordinates do not grow with the grid.
    Dinov3,
    /// timm's default.
    Timm,
}

/// Rotations of one head by row and column.
#[derive(Debug, Clone, PartialEq)]
pub struct AxialRope {
    variant: Variant,
    frequencies: Vec<f64>,
    head_dim: usize,
}

impl AxialRope {
    /// # Errors
    /// If `head_dim` is zero or not divisible by 4, or `base` is below 1 or not finite.
    pub fn new(variant: Variant, head_dim: usize, base: f64) -> Result<Self, CoreError> {
        divisible_by_4("head_dim", head_dim)?;
        valid_base(base)?;
        let d = head_dim as f64;
        let quarter = head_dim / 4;
        let frequencies = match variant {
            Variant::Pixtral => {
                let dealt = (0..quarter)
                    .map(|i| 2 * i)
                    .chain((0..quarter).map(|i| 2 * i + 1));
                dealt.map(|i| base.powf(-2.0 * i as f64 / d)).collect()
            }
            _ => (0..quarter)
                .map(|i| base.powf(-4.0 * i as f64 / d))
                .collect(),
        };
        Ok(Self {
            variant,
            frequencies,
            head_dim,
        })
    }

    /// Width of a head.
    pub fn head_dim(&self) -> usize {
        self.head_dim
    }

    /// Which dimensions form a pair.
    pub fn pairing(&self) -> Pairing {
        match self.variant {
            Variant::Timm => Pairing::Interleaved,
            _ => Pairing::Half,
        }
    }

    /// The frequencies as the variant lists them: `[D/4]`, shared by both axes, or for Pixtral
    /// `[D/2]`, those of the rows and then those of the columns.
    pub fn frequencies(&self) -> &[f64] {
        &self.frequencies
    }

    /// The frequencies that turn by the row and those that turn by the column, `[D/4]` each.
    pub fn by_axis(&self) -> (&[f64], &[f64]) {
        match self.variant {
            Variant::Pixtral => self.frequencies.split_at(self.head_dim / 4),
            _ => (&self.frequencies, &self.frequencies),
        }
    }

    /// The coordinates of places in a grid, as the angles use them: the numbers of row and column,
    /// or for DINOv3 the patch centres, −1..1 along each side.
    pub fn coordinates(&self, grid: Grid, places: &[(usize, usize)]) -> Vec<(f64, f64)> {
        if self.variant != Variant::Dinov3 {
            return numbers(places);
        }
        let centre = |at: usize, size: usize| 2.0 * (at as f64 + 0.5) / size as f64 - 1.0;
        places
            .iter()
            .map(|&(row, column)| (centre(row, grid.rows()), centre(column, grid.columns())))
            .collect()
    }

    /// The coordinates of all tokens of a grid, row-major.
    pub fn grid_coordinates(&self, grid: Grid) -> Vec<(f64, f64)> {
        self.coordinates(grid, &grid.places(TokenOrder::RowMajor))
    }

    /// Angle of pair `i` at a coordinate, in radians; `i` is below D/2.
    fn angle(&self, (row, column): (f64, f64), i: usize) -> f64 {
        let (of_row, of_column) = self.by_axis();
        let quarter = self.head_dim / 4;
        let angle = if i < quarter {
            row * of_row[i]
        } else {
            column * of_column[i - quarter]
        };
        match self.variant {
            Variant::Dinov3 => TAU * angle,
            _ => angle,
        }
    }

    /// cos and sin of every angle, each `[coordinates.len(), D/2]`.
    pub fn cos_sin(&self, coordinates: &[(f64, f64)]) -> (Matrix, Matrix) {
        let angles = Matrix::from_fn(coordinates.len(), self.head_dim / 2, |r, i| {
            self.angle(coordinates[r], i)
        });
        (angles.map(f64::cos), angles.map(f64::sin))
    }

    /// Turns each row of `x` `[n, D]` to its coordinate.
    ///
    /// # Errors
    /// If `x` is not `[coordinates.len(), D]`.
    pub fn apply(&self, x: &Matrix, coordinates: &[(f64, f64)]) -> Result<Matrix, CoreError> {
        same_size("rows of x", coordinates.len(), x.nrows())?;
        same_size("columns of x", self.head_dim, x.ncols())?;
        let mut out = x.clone();
        for (r, &coordinate) in coordinates.iter().enumerate() {
            for i in 0..self.head_dim / 2 {
                let (a, b) = self.pairing().columns(i, self.head_dim);
                let (sin, cos) = self.angle(coordinate, i).sin_cos();
                out[(r, a)] = x[(r, a)] * cos - x[(r, b)] * sin;
                out[(r, b)] = x[(r, a)] * sin + x[(r, b)] * cos;
            }
        }
        Ok(out)
    }
}
