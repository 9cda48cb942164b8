//! Relative positions within a window: which row of a learnable table each (query, key) uses.
//!
//! Differences are query − key. A window of Mh × Mw has `(2Mh − 1)(2Mw − 1)` of them, each a row
//! of the table; the index is `(Δrow + Mh − 1)(2Mw − 1) + Δcolumn + Mw − 1` (Swin, arXiv
//! 2103.14030; huggingface/pytorch-image-models `models/swin_transformer.py`). The factor is that
//! of the *columns*: with the rows' size in its place, or 2Mw − 2, differences share a row.

use super::Grid;
use crate::core::{CoreError, Matrix};

/// Rows of the table: one for each (Δrow, Δcolumn).
pub fn table_rows(window: Grid) -> usize {
    (2 * window.rows() - 1) * (2 * window.columns() - 1)
}

/// Row of the table for a difference of rows and of columns, each smaller in size than the
/// window's side; one beyond counts as the farthest.
pub fn index_of(window: Grid, (down, across): (i64, i64)) -> usize {
    let shifted = |difference: i64, side: usize| {
        let last = side as i64 - 1;
        (difference.clamp(-last, last) + last) as usize
    };
    shifted(down, window.rows()) * (2 * window.columns() - 1) + shifted(across, window.columns())
}

/// (Δrow, Δcolumn) of two tokens, query − key.
pub fn difference(window: Grid, query: usize, key: usize) -> (i64, i64) {
    let ((a, b), (c, d)) = (window.place(query), window.place(key));
    (a as i64 - c as i64, b as i64 - d as i64)
}

/// (Δrow, Δcolumn) of a row of the table.
pub fn difference_of(window: Grid, index: usize) -> (i64, i64) {
    let across = 2 * window.columns() - 1;
    let back = |at: usize, side: usize| at as i64 - (side as i64 - 1);
    (
        back(index / across, window.rows()),
        back(index % across, window.columns()),
    )
}

/// Swin's row of the table for a query and a key, both below the number of cells.
pub fn swin_index(window: Grid, query: usize, key: usize) -> usize {
    index_of(window, difference(window, query, key))
}

/// Rows of BEiT's table: three more, for the class token.
pub fn beit_table_rows(window: Grid) -> usize {
    table_rows(window) + 3
}

/// BEiT's row of the table, where token 0 is the class token (arXiv 2106.08254;
/// `models/beit.py` of pytorch-image-models): the last three rows are class to patch, patch to
/// class, class to class.
pub fn beit_index(window: Grid, query: usize, key: usize) -> usize {
    let rows = beit_table_rows(window);
    match (query, key) {
        (0, 0) => rows - 1,
        (0, _) => rows - 3,
        (_, 0) => rows - 2,
        _ => swin_index(window, query - 1, key - 1),
    }
}

/// Swin v2's log-spaced coordinates of each difference, one matrix for Δrow and one for Δcolumn,
/// `[2Mh − 1, 2Mw − 1]` each (arXiv 2111.09883; `gen_relative_log_coords` of
/// pytorch-image-models): `sign(x) · log₂(1 + |x|) / log₂ 8` of `x = 8 · Δ / (M − 1)`, where M is
/// the side of the window that was `trained` on. A side of 1 has the difference 0 alone, whose
/// coordinate is 0 (the library divides zero by zero).
///
/// # Errors
/// If `trained` has a side of 1 where the window has more.
pub fn swinv2_log_coords(window: Grid, trained: Grid) -> Result<[Matrix; 2], CoreError> {
    for (side, of) in [
        (window.rows(), trained.rows()),
        (window.columns(), trained.columns()),
    ] {
        if side > 1 && of == 1 {
            return Err(CoreError::OutOfRange {
                name: "trained window",
                given: 1.0,
                allowed: "at least 2 where the window is",
            });
        }
    }
    let coordinate = |difference: i64, side: usize| {
        if difference == 0 {
            return 0.0;
        }
        let x = 8.0 * difference as f64 / (side as f64 - 1.0);
        x.signum() * (1.0 + x.abs()).log2() / 8f64.log2()
    };
    let of = |pick: &dyn Fn((i64, i64)) -> f64| {
        let across = 2 * window.columns() - 1;
        Matrix::from_fn(2 * window.rows() - 1, across, |r, c| {
            pick(difference_of(window, r * across + c))
        })
    };
    Ok([
        of(&|(down, _)| coordinate(down, trained.rows())),
        of(&|(_, across)| coordinate(across, trained.columns())),
    ])
}
