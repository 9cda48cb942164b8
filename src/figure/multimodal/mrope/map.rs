//! The patches of a block laid out as they are seen: the grid of an image, the grids of a video side by
//! side and below one another.

use std::ops::Range;

use crate::core::mrope::Block;
use crate::figure::kit::scene::Rect;

/// The largest side of a cell.
const LARGEST: f64 = 96.0;

/// The token that stands at a row and a column of a map with so many frames side by side; past the
/// last frame the last token.
pub(super) fn token_of_map(
    (block, tokens): &(Block, Range<usize>),
    in_row: usize,
    (row, column): (usize, usize),
) -> usize {
    let (_, h, w) = block.sizes();
    let frame = row / h * in_row + column / w;
    (tokens.start + (frame * h + row % h) * w + column % w).min(tokens.end - 1)
}

/// Where a token stands in the map of its block.
pub(super) fn place_in_map(
    (block, tokens): &(Block, Range<usize>),
    in_row: usize,
    token: usize,
) -> Option<(usize, usize)> {
    let at = tokens.contains(&token).then(|| token - tokens.start)?;
    let (_, h, w) = block.sizes();
    let frame = at / (h * w);
    Some((frame / in_row * h + at / w % h, frame % in_row * w + at % w))
}

/// Side of a square cell, of which so many rows and columns fit.
pub(super) fn side_of((rows, columns): (usize, usize), room: Rect) -> f64 {
    (room.w / columns as f64)
        .min(room.h / rows as f64)
        .min(LARGEST)
}

/// How many frames stand side by side, so that cells are as large as can be.
pub(super) fn frames_in_row((t, h, w): (usize, usize, usize), room: Rect) -> usize {
    let side = |in_row: usize| side_of((t.div_ceil(in_row) * h, in_row * w), room);
    // The first of equals: `max_by` would keep the last.
    (1..=t)
        .rev()
        .max_by(|a, b| side(*a).total_cmp(&side(*b)))
        .unwrap_or(1)
}
