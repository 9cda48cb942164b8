//! Positions on a grid: patches of an image, pixels of a window.
//!
//! A patch stands in a row (from the top) and a column (from the left), both from 0. The token of
//! a patch is its number in *row-major* order, `row · columns + column`, unless a function says
//! otherwise. Libraries write the same two axes as h (the row's) and w (the column's).

pub mod axial;
pub mod resample;
pub mod scheme;
pub mod sincos;
pub mod window;

use super::CoreError;

/// A grid of `rows` × `columns` cells, none of them zero.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Grid {
    rows: usize,
    columns: usize,
}

impl Grid {
    /// # Errors
    /// If one of the sizes is zero, or there are more cells than can be counted.
    pub fn new(rows: usize, columns: usize) -> Result<Self, CoreError> {
        for (name, given) in [("rows", rows), ("columns", columns)] {
            if given == 0 || rows.checked_mul(columns).is_none() {
                return Err(CoreError::OutOfRange {
                    name,
                    given: given as f64,
                    allowed: "at least 1, and few enough to be counted",
                });
            }
        }
        Ok(Self { rows, columns })
    }

    /// A grid of constants or of sizes within limits: a zero counts as 1.
    pub const fn of(rows: usize, columns: usize) -> Self {
        Self {
            rows: if rows == 0 { 1 } else { rows },
            columns: if columns == 0 { 1 } else { columns },
        }
    }

    /// Rows.
    pub fn rows(self) -> usize {
        self.rows
    }

    /// Columns.
    pub fn columns(self) -> usize {
        self.columns
    }

    /// Number of cells, and of tokens.
    pub fn cells(self) -> usize {
        self.rows * self.columns
    }

    /// Row and column of a token in row-major order.
    pub fn place(self, token: usize) -> (usize, usize) {
        (token / self.columns, token % self.columns)
    }

    /// Row and column of each token, in the order in which the tokens stand.
    pub fn places(self, order: TokenOrder) -> Vec<(usize, usize)> {
        let turned = |k: usize| (k % self.rows, k / self.rows);
        (0..self.cells())
            .map(|k| match order {
                TokenOrder::RowMajor => self.place(k),
                TokenOrder::ColumnMajor => turned(k),
            })
            .collect()
    }

    /// Row and column of each token where `merge` × `merge` neighbours stand together, block by
    /// block, as Qwen2-VL's vision encoder takes them in before it merges each block into one.
    ///
    /// # Errors
    /// If `merge` is zero or does not divide both sides.
    pub fn merge_order(self, merge: usize) -> Result<Vec<(usize, usize)>, CoreError> {
        let fits = |side: usize| merge > 0 && side.is_multiple_of(merge);
        if !fits(self.rows) || !fits(self.columns) {
            return Err(CoreError::OutOfRange {
                name: "merge",
                given: merge as f64,
                allowed: "a divisor of both sides of the grid",
            });
        }
        let across = self.columns / merge;
        let place = |k: usize| {
            let (block, within) = (k / (merge * merge), k % (merge * merge));
            let row = block / across * merge + within / merge;
            let column = block % across * merge + within % merge;
            (row, column)
        };
        Ok((0..self.cells()).map(place).collect())
    }
}

/// The order in which the tokens of a grid stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum TokenOrder {
    /// Row by row, as everybody reads.
    #[default]
    RowMajor,
    /// Column by column (timm with `reverse_coord`).
    ColumnMajor,
}

/// Checks that a width can be shared out evenly between sine and cosine of two axes.
pub(crate) fn divisible_by_4(name: &'static str, given: usize) -> Result<(), CoreError> {
    if given > 0 && given.is_multiple_of(4) {
        return Ok(());
    }
    Err(CoreError::OutOfRange {
        name,
        given: given as f64,
        allowed: "divisible by 4",
    })
}
