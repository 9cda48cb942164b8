//! The matrices that belong to a stage, and where they stand.

use super::AttentionSteps;
use crate::core::Matrix;
use crate::core::encoding::Entry;
use crate::core::head::Stage;
use crate::figure::kit::colour::Scale;
use crate::figure::kit::panel::round_up;
use crate::figure::kit::scene::{Rect, text_width};

/// Components of a vector that are shown at most.
const COMPONENTS: usize = 8;
/// Width of a cell whose number can be read.
const CELL: f64 = 42.0;
/// Room above the cells of a block for its title and the names of its columns.
pub(super) const ABOVE: f64 = 36.0;
/// Room between two rows of blocks.
const BETWEEN: f64 = 8.0;
/// Size of the signs between blocks.
pub(super) const SIGN: f64 = 17.0;

/// What the rows of a block are, and so what is traced in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Rows {
    /// Vectors of words that ask.
    Queries,
    /// Vectors of words that are looked at.
    Keys,
    /// A number for each query and key.
    Pairs,
}

/// A matrix that is shown.
pub(super) struct Block {
    pub title: String,
    pub values: Matrix,
    pub rows: Rows,
    /// The sign before it: what is done to get here.
    pub sign: String,
    /// Whether keys after the query are hidden.
    pub masked: bool,
    pub scale: Scale,
}

/// Where blocks stand.
pub(super) struct Arranged {
    /// The cells of each block.
    pub cells: Vec<Rect>,
    /// Columns of each block that are shown.
    pub columns: Vec<usize>,
    /// Left edge of the names of the rows.
    pub left: f64,
    /// Room for the names of the rows.
    pub names: f64,
}

impl Rows {
    const ALL: [Self; 3] = [Self::Queries, Self::Keys, Self::Pairs];

    /// The number of the target that the k-th block is; that of the diagram is 0.
    pub fn target(self, k: usize) -> usize {
        1 + 3 * k + self as usize
    }

    /// Which block a target is, and what its rows are; none for the diagram.
    pub fn of_target(id: usize) -> Option<(usize, Self)> {
        let at = id.checked_sub(1)?;
        Some((at / 3, Self::ALL[at % 3]))
    }
}

impl AttentionSteps {
    /// The blocks of a stage; without what the scheme brings, if that is asked.
    pub(super) fn blocks(&self, stage: Stage, reveal: bool) -> Vec<Block> {
        let s = &self.steps;
        let entry = self.scheme.entry();
        let enters = reveal && entry.stage() == Some(stage);
        let [q0, k0] = &s.projected;
        let turned = reveal && entry == Entry::Rotary;
        let (q_now, k_now) = if turned { ("q′", "k′") } else { ("q", "k") };
        let mut out = Vec::new();
        let mut add = |sign: &str, title: &str, values: &Matrix, rows| {
            out.push(Block {
                title: title.to_owned(),
                values: values.clone(),
                rows,
                sign: sign.to_owned(),
                masked: false,
                scale: Scale::Unit,
            });
        };
        match stage {
            Stage::Input if enters => {
                add("", "x", &s.x, Rows::Queries);
                add("+", "p", &(&s.input - &s.x), Rows::Queries);
                add("=", "x + p", &s.input, Rows::Queries);
            }
            Stage::Input => add("", "x", &s.input, Rows::Queries),
            Stage::Projected => {
                add("", "LN(x)", &s.normed, Rows::Queries);
                add("→", "q", q0, Rows::Queries);
                add("", "k", k0, Rows::Keys);
                add("", "v", &s.v, Rows::Keys);
            }
            Stage::Turned if enters => {
                add("", "q", q0, Rows::Queries);
                add("→", "q′", &s.q, Rows::Queries);
                add("", "k", k0, Rows::Keys);
                add("→", "k′", &s.k, Rows::Keys);
            }
            Stage::Turned => {
                add("", "q", &s.q, Rows::Queries);
                add("", "k", &s.k, Rows::Keys);
            }
            Stage::Products => {
                add("", q_now, &s.q, Rows::Queries);
                add("·", k_now, &s.k, Rows::Keys);
                if let Some(added) = s.from_keys.as_ref().filter(|_| reveal) {
                    add("+", "q·a", added, Rows::Pairs);
                    add("=", "q·(k + a)", &s.products, Rows::Pairs);
                } else {
                    add("=", "q·k", &s.products, Rows::Pairs);
                }
            }
            Stage::Scaled => {
                let by = format!("÷ √{}", self.head_dim());
                add("", "q·k", &s.products, Rows::Pairs);
                add(&by, "q·k ÷ √dₕ", &s.scaled, Rows::Pairs);
            }
            Stage::Scores => {
                add("", "q·k ÷ √dₕ", &s.scaled, Rows::Pairs);
                if let Some(bias) = s.bias.as_ref().filter(|_| reveal) {
                    add("+", "b", bias, Rows::Pairs);
                }
                add("=", "s", &s.scores, Rows::Pairs);
            }
            Stage::Weights => {
                add("", "s", &s.scores, Rows::Pairs);
                add("→", "w", &s.weights, Rows::Pairs);
            }
            Stage::Output => {
                add("", "w", &s.weights, Rows::Pairs);
                add("×", "v", &s.v, Rows::Keys);
                add("=", "Σ w·v", &s.output, Rows::Queries);
            }
        }
        coloured(stage, &mut out);
        out
    }

    /// Where the blocks stand in an area: side by side, or in two rows where that makes them larger.
    pub(super) fn arranged(&self, blocks: &[Block], area: Rect) -> Arranged {
        let n = self.n() as f64;
        let widest = self.words.iter().map(|w| text_width(w, 14.0));
        let names = widest.fold(20.0, f64::max).min(0.14 * area.w).max(24.0) + 8.0;
        let gap = |b: &Block| {
            if b.sign.is_empty() {
                18.0
            } else {
                text_width(&b.sign, SIGN) + 12.0
            }
        };
        // There is no gap before the first block.
        let gaps: f64 = blocks.iter().skip(1).map(gap).fold(0.0, f64::max);
        let per_row = |rows: usize| blocks.len().div_ceil(rows);
        // The first block of the second row may have a sign before it.
        let first = |rows: usize| {
            let signed = |k: usize| blocks.get(k).is_some_and(|b| !b.sign.is_empty());
            if rows == 2 && signed(per_row(2)) {
                gaps
            } else {
                0.0
            }
        };
        let room = |rows: usize| {
            let across = per_row(rows) as f64;
            let signs = (across - 1.0) * gaps + first(rows);
            ((area.w - names - signs) / across).max(8.0)
        };
        let high = |rows: usize| {
            let free = area.h - (rows - 1) as f64 * BETWEEN;
            ((free / rows as f64 - ABOVE) / n).clamp(3.0, 72.0)
        };
        let crowded = room(1) < 4.0 * CELL && blocks.len() > 2;
        let rows = if crowded && high(2) >= 15.0 { 2 } else { 1 };
        let (room, high) = (room(rows), high(rows));
        let columns: Vec<usize> = blocks.iter().map(|b| shown(b, room)).collect();
        let wide = |k: usize| room.min(columns[k] as f64 * 92.0);
        let first_gap = first(rows);
        let used = |row: usize| -> f64 {
            let from = row * per_row(rows);
            let to = (from + per_row(rows)).min(blocks.len());
            let signs = (to - from) as f64 - 1.0;
            names + first_gap + signs * gaps + (from..to).map(wide).sum::<f64>()
        };
        let most = (0..rows).map(used).fold(0.0, f64::max);
        let left = area.x + ((area.w - most) / 2.0).max(0.0);
        let mut cells = Vec::with_capacity(blocks.len());
        for row in 0..rows {
            let mut x = left + names + first_gap;
            let y = area.y + ABOVE + row as f64 * (ABOVE + n * high + BETWEEN);
            for k in row * per_row(rows)..((row + 1) * per_row(rows)).min(blocks.len()) {
                cells.push(Rect::new(x, y, wide(k), n * high));
                x += wide(k) + gaps;
            }
        }
        Arranged {
            cells,
            columns,
            left,
            names,
        }
    }
}

/// Gives blocks their colours: one scale for vectors, one for numbers of pairs, weights from 0 to 1.
fn coloured(stage: Stage, blocks: &mut [Block]) {
    let largest = |pairs: bool| {
        let of = blocks.iter().filter(|b| (b.rows == Rows::Pairs) == pairs);
        let top = of.map(|b| b.values.columns(0, b.values.ncols().min(COMPONENTS)).amax());
        let top = round_up(top.fold(0.0, f64::max));
        Scale::Signed {
            limit: if top > 0.0 { top } else { 1.0 },
        }
    };
    let (vectors, pairs) = (largest(false), largest(true));
    let last = blocks.len() - 1;
    for (at, b) in blocks.iter_mut().enumerate() {
        let of_pairs = b.rows == Rows::Pairs;
        b.masked = of_pairs && (stage > Stage::Scores || (stage == Stage::Scores && at == last));
        b.scale = match (stage, b.rows) {
            (Stage::Weights, _) if at == last => Scale::Unit,
            (Stage::Output, Rows::Pairs) => Scale::Unit,
            (_, Rows::Pairs) => pairs,
            _ => vectors,
        };
    }
}

/// Columns of a block that can be shown with readable numbers.
fn shown(block: &Block, room: f64) -> usize {
    let all = block.values.ncols();
    match block.rows {
        Rows::Pairs => all,
        _ => all.min(COMPONENTS).min((room / CELL) as usize).max(1),
    }
}
