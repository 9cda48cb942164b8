//! Two-dimensional sine-cosine encodings: one half of the dimensions tells the row, the other the
//! column.
//!
//! With a quarter q = dim/4, `ω_i = base^(−i/q)` for i in 0..q, row h and column w, a row of the
//! table is four blocks of q columns each, `sin(h ω_i)`, `cos(h ω_i)`, `sin(w ω_i)`, `cos(w ω_i)`.
//! Libraries disagree about the order of the blocks, so it has to be named. Beware: MAE's code
//! (facebookresearch/mae `util/pos_embed.py`) calls its first half `emb_h`, yet gives it the
//! *width*: its order is [`Blocks::MAE`]. Square grids hide that.

use super::{Grid, TokenOrder, divisible_by_4};
use crate::core::error::{at_least, even, valid_base};
use crate::core::{CoreError, Matrix};

/// An axis of a grid.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Axis {
    /// The row, h.
    Row,
    /// The column, w.
    Column,
}

/// A quarter of the dimensions: the axis that it tells and whether it holds sines.
pub type Block = (Axis, bool);

/// The order of the four blocks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Blocks(pub [Block; 4]);

const SIN_H: Block = (Axis::Row, true);
const COS_H: Block = (Axis::Row, false);
const SIN_W: Block = (Axis::Column, true);
const COS_W: Block = (Axis::Column, false);

impl Blocks {
    /// sin w, cos w, sin h, cos h: the original MAE, whose names say the opposite.
    pub const MAE: Self = Self([SIN_W, COS_W, SIN_H, COS_H]);
    /// sin h, cos h, sin w, cos w: transformers 5's ViT-MAE, timm with interleaved halves.
    pub const ROW_FIRST: Self = Self([SIN_H, COS_H, SIN_W, COS_W]);
    /// sin h, sin w, cos h, cos w: timm by default.
    pub const SINES_FIRST: Self = Self([SIN_H, SIN_W, COS_H, COS_W]);

    /// The order that names such as `sin_h` spell.
    ///
    /// # Errors
    /// If a name is unknown, or they are not the four blocks, each once.
    pub fn by_names(names: &[&str]) -> Result<Self, CoreError> {
        let unknown = || CoreError::UnknownWord {
            name: "blocks",
            given: names.join(","),
        };
        let block = |name: &&str| match *name {
            "sin_h" => Some(SIN_H),
            "cos_h" => Some(COS_H),
            "sin_w" => Some(SIN_W),
            "cos_w" => Some(COS_W),
            _ => None,
        };
        let blocks: Option<Vec<Block>> = names.iter().map(block).collect();
        let blocks: [Block; 4] = blocks.and_then(|b| b.try_into().ok()).ok_or_else(unknown)?;
        let all_there = [SIN_H, COS_H, SIN_W, COS_W]
            .iter()
            .all(|b| blocks.contains(b));
        if all_there {
            Ok(Self(blocks))
        } else {
            Err(unknown())
        }
    }
}

/// A two-dimensional sine-cosine encoding for any row and column, fractional ones too.
#[derive(Debug, Clone, PartialEq)]
pub struct Sincos2d {
    blocks: Blocks,
    frequencies: Vec<f64>,
}

impl Sincos2d {
    /// # Errors
    /// If `dim` is zero or not divisible by 4, or `base` is below 1 or not finite.
    pub fn new(dim: usize, base: f64, blocks: Blocks) -> Result<Self, CoreError> {
        divisible_by_4("d_model", dim)?;
        valid_base(base)?;
        let q = dim / 4;
        let frequencies = (0..q).map(|i| base.powf(-(i as f64) / q as f64)).collect();
        Ok(Self {
            blocks,
            frequencies,
        })
    }

    /// Angular frequencies ω_i in radians a row or a column, `[dim / 4]`, fastest first; both
    /// axes have the same.
    pub fn frequencies(&self) -> &[f64] {
        &self.frequencies
    }

    /// Width of a row of the table.
    pub fn dim(&self) -> usize {
        4 * self.frequencies.len()
    }

    /// The encoding of each (row, column), `[places.len(), dim]`.
    pub fn at(&self, places: &[(f64, f64)]) -> Matrix {
        let q = self.frequencies.len();
        Matrix::from_fn(places.len(), 4 * q, |r, c| {
            let (axis, sine) = self.blocks.0[c / q];
            let (row, column) = places[r];
            let place = if axis == Axis::Row { row } else { column };
            let angle = place * self.frequencies[c % q];
            if sine { angle.sin() } else { angle.cos() }
        })
    }

    /// The table of a grid, `[cells, dim]`, its tokens in the given order.
    pub fn table(&self, grid: Grid, order: TokenOrder) -> Matrix {
        self.at(&numbers(&grid.places(order)))
    }
}

/// Rows and columns as numbers.
pub fn numbers(places: &[(usize, usize)]) -> Vec<(f64, f64)> {
    let number = |&(row, column): &(usize, usize)| (row as f64, column as f64);
    places.iter().map(number).collect()
}

/// The table of the package positional-encodings, `[cells, dim]`, row-major: sine and cosine side
/// by side, the first half for the row and the second for the column, `ω_i = base^(−2i/(dim/2))`.
///
/// # Errors
/// If `dim` is zero or not divisible by 4, or `base` is below 1 or not finite.
pub fn interleaved_pairs(grid: Grid, dim: usize, base: f64) -> Result<Matrix, CoreError> {
    divisible_by_4("d_model", dim)?;
    interleaved_pairs_of_any_width(grid, dim, base)
}

/// [`interleaved_pairs`] for any width, as that package has it: built for the next width that is
/// divisible by 4, of which the last columns are then cut off. The column loses what is cut.
///
/// # Errors
/// If `dim` is zero, or `base` is below 1 or not finite.
pub fn interleaved_pairs_of_any_width(
    grid: Grid,
    dim: usize,
    base: f64,
) -> Result<Matrix, CoreError> {
    at_least("d_model", dim as f64, 1.0)?;
    valid_base(base)?;
    let half = 2 * dim.div_ceil(4);
    let places = grid.places(TokenOrder::RowMajor);
    Ok(Matrix::from_fn(places.len(), dim, |r, c| {
        let (row, column) = places[r];
        let place = if c < half { row } else { column };
        wave(place as f64, c % half, half, base)
    }))
}

/// Column `c` of an interleaved one-dimensional encoding of width `d`.
fn wave(place: f64, c: usize, d: usize, base: f64) -> f64 {
    let angle = place * base.powf(-((c - c % 2) as f64) / d as f64);
    if c.is_multiple_of(2) {
        angle.sin()
    } else {
        angle.cos()
    }
}

/// DETR's encoding (facebookresearch/detr `position_encoding.py`): rows and columns count from 1,
/// may be scaled to the size of the image, and the row's half stands first.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DetrSine {
    /// Width of each half.
    pub features: usize,
    /// Base of the frequencies, `base^(−2⌊c/2⌋/features)`.
    pub base: f64,
    /// The scale of an axis, if the coordinates are divided by the size: 2π in DETR. The divisor
    /// is the size + `eps`.
    pub normalize: Option<f64>,
    /// What keeps the divisor from zero: 1e-6 in DETR.
    pub eps: f64,
}

impl DetrSine {
    /// The table of a grid, `[cells, 2 · features]`, row-major.
    ///
    /// # Errors
    /// If `features` is odd or zero, `base` is below 1 or not finite, or scale or `eps` is not
    /// finite (a negative `eps` would let the divisor vanish).
    pub fn table(&self, grid: Grid) -> Result<Matrix, CoreError> {
        even("features", self.features)?;
        valid_base(self.base)?;
        for (name, given) in [("scale", self.normalize.unwrap_or(1.0)), ("eps", self.eps)] {
            if !(given.is_finite() && given >= 0.0) {
                return Err(CoreError::OutOfRange {
                    name,
                    given,
                    allowed: "finite and not negative",
                });
            }
        }
        let coordinate = |at: usize, size: usize| match self.normalize {
            Some(scale) => (at + 1) as f64 / (size as f64 + self.eps) * scale,
            None => (at + 1) as f64,
        };
        let places = grid.places(TokenOrder::RowMajor);
        let f = self.features;
        Ok(Matrix::from_fn(places.len(), 2 * f, |r, c| {
            let (row, column) = places[r];
            let place = if c < f {
                coordinate(row, grid.rows)
            } else {
                coordinate(column, grid.columns)
            };
            wave(place, c % f, f, self.base)
        }))
    }
}
