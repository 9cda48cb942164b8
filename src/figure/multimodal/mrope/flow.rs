//! Blocks of tokens as grids in a box: an image as its rows and columns, a video as one such grid a
//! temporal patch, text and audio as lines; all in the same cells, as large as there is room for.

use std::ops::Range;

use crate::core::mrope::Block;
use crate::figure::kit::scene::Rect;

/// Height of the words above a block.
const WORDS: f64 = 20.0;
/// The largest cell.
const LARGEST: f64 = 54.0;

/// A grid of tokens that follow one another row by row.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Part {
    /// The first token.
    pub(super) start: usize,
    pub(super) rows: usize,
    pub(super) columns: usize,
    pub(super) rect: Rect,
}

/// A block in the box.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Placed {
    pub(super) parts: Vec<Part>,
    /// Where its words begin, and how wide they may be.
    pub(super) words: Option<(f64, f64, f64)>,
}

/// All blocks.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Flow {
    /// Side of a cell.
    pub(super) cell: f64,
    /// One for each block.
    pub(super) blocks: Vec<Placed>,
    pub(super) height: f64,
}

/// The blocks in a box with this corner and size; `words` is how wide the words of a block are.
pub(super) fn flow(
    spans: &[(Block, Range<usize>)],
    corner: (f64, f64),
    (width, height): (f64, f64),
    words: impl Fn(&Block) -> f64,
) -> Flow {
    let sizes = || (0..120).map(|k| LARGEST * 0.94f64.powi(k));
    let fits = |f: &Flow| f.height <= height;
    let place = |cell: f64, words: &dyn Fn(&Block) -> Option<f64>| {
        placed(spans, corner, width, cell, words)
    };
    let named = |cell| place(cell, &|b| Some(words(b)));
    let bare = |cell| place(cell, &|_| None);
    let large = sizes()
        .take_while(|c| *c >= 8.0)
        .filter_map(named)
        .find(fits);
    let small = || sizes().filter_map(bare).find(fits);
    large.or_else(small).unwrap_or_else(|| Flow {
        cell: 0.0,
        blocks: Vec::new(),
        height: 0.0,
    })
}

/// With cells of this side; `None` if a block is too wide.
fn placed(
    spans: &[(Block, Range<usize>)],
    corner: (f64, f64),
    width: f64,
    cell: f64,
    words: &dyn Fn(&Block) -> Option<f64>,
) -> Option<Flow> {
    let gap = (0.35 * cell).clamp(1.0, 14.0);
    let (mut x, mut y, mut line) = (0.0, 0.0, 0.0f64);
    let mut blocks = Vec::new();
    for (block, tokens) in spans {
        let (t, h, w) = block.sizes();
        let grids = matches!(block, Block::Image(..) | Block::Video(..));
        // Where parts begin within the block, in cells and gaps, and their size in cells.
        let parts: Vec<(Part, f64, f64)> = if grids {
            let wide = w as f64 * cell;
            let in_row = ((width + gap) / (wide + gap) + 1e-9).floor() as usize;
            if in_row == 0 {
                return None;
            }
            let of = |frame: usize| {
                let (row, column) = (frame / in_row, frame % in_row);
                let at = (
                    column as f64 * (wide + gap),
                    row as f64 * (h as f64 * cell + gap),
                );
                (part(tokens.start + frame * h * w, h, w), at.0, at.1)
            };
            (0..t).map(of).collect()
        } else {
            let per = ((width / cell + 1e-9).floor() as usize).max(1);
            let of = |k: usize| {
                let count = per.min(w - k * per);
                (part(tokens.start + k * per, 1, count), 0.0, k as f64 * cell)
            };
            (0..w.div_ceil(per)).map(of).collect()
        };
        let ends = |of: fn(&(Part, f64, f64), f64) -> f64| {
            parts.iter().map(|p| of(p, cell)).fold(0.0, f64::max)
        };
        let wide = ends(|(p, x, _), cell| x + p.columns as f64 * cell);
        let high = ends(|(p, _, y), cell| y + p.rows as f64 * cell);
        let named = words(block);
        let slot = wide.max(named.unwrap_or(0.0));
        let above = named.map_or(0.0, |_| WORDS);
        if x > 0.0 && x + slot > width + 1e-9 {
            (x, y, line) = (0.0, y + line + gap, 0.0);
        }
        if slot > width + 1e-9 {
            return None;
        }
        let rect = |p: &Part, dx: f64, dy: f64| {
            let (x, y) = (corner.0 + x + dx, corner.1 + y + above + dy);
            let (w, h) = (p.columns as f64 * cell, p.rows as f64 * cell);
            Rect::new(x, y, w, h)
        };
        blocks.push(Placed {
            words: named.map(|_| (corner.0 + x, corner.1 + y, slot)),
            parts: parts
                .into_iter()
                .map(|(p, dx, dy)| Part {
                    rect: rect(&p, dx, dy),
                    ..p
                })
                .collect(),
        });
        line = line.max(above + high);
        x += slot + gap;
    }
    Some(Flow {
        cell,
        blocks,
        height: y + line,
    })
}

fn part(start: usize, rows: usize, columns: usize) -> Part {
    Part {
        start,
        rows,
        columns,
        rect: Rect::new(0.0, 0.0, 0.0, 0.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_token_has_one_cell_inside_the_box() {
        for blocks in [
            vec![Block::Text(3), Block::Image(4, 4), Block::Video(3, 2, 2)],
            vec![Block::Audio(4096)],
            vec![Block::Image(64, 64)],
            vec![Block::Image(1, 4096)],
            vec![Block::Video(40, 3, 5), Block::Text(900)],
            vec![Block::Text(1); 32],
        ] {
            let mut from = 0;
            let spans = blocks.into_iter().map(|b| {
                let tokens = from..from + b.tokens();
                from = tokens.end;
                (b, tokens)
            });
            let spans: Vec<_> = spans.collect();
            for (width, height) in [(860.0, 280.0), (338.0, 300.0), (220.0, 200.0)] {
                let f = flow(&spans, (10.0, 20.0), (width, height), |_| 60.0);
                assert!(f.height <= height && f.cell > 0.0);
                let parts = || f.blocks.iter().flat_map(|b| &b.parts);
                let cells: usize = parts().map(|p| p.rows * p.columns).sum();
                assert_eq!(cells, from);
                let mut next = 0;
                for p in parts() {
                    assert_eq!(p.start, next);
                    next += p.rows * p.columns;
                    assert!(p.rect.right() <= 10.0 + width + 1e-6, "{p:?}");
                    assert!(p.rect.bottom() <= 20.0 + height + 1e-6, "{p:?}");
                }
            }
        }
    }
}
