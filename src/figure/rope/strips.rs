//! The two rows of dimensions in `rope-pairing`: which two turn together, and the permutation
//! between the orders.

use crate::core::encoding::rope::{Pairing, half_from_interleaved};
use crate::figure::View;
use crate::figure::kit::colour::ink_on;
use crate::figure::kit::panel::{NAME, TICK, fitted};
use crate::figure::kit::scene::{Align, Hit, Rect, Scene, Stand, Target, text_width};
use crate::say;

/// Heights of the parts of both rows.
#[derive(Clone, Copy)]
struct Sizes {
    /// The name of a row.
    name: f64,
    /// Room for arcs.
    arcs: f64,
    /// A cell.
    cell: f64,
    /// Between the two rows.
    gap: f64,
}

const LARGE: Sizes = Sizes {
    name: 21.0,
    arcs: 28.0,
    cell: 24.0,
    gap: 54.0,
};
const SMALL: Sizes = Sizes {
    name: 19.0,
    arcs: 17.0,
    cell: 18.0,
    gap: 28.0,
};
/// Lower boxes have the small ones.
const LOW: f64 = 430.0;

/// Room that both rows take in a box of a height.
pub(crate) fn height(of: f64) -> f64 {
    let s = sizes(of);
    2.0 * (s.name + s.arcs + s.cell) + s.gap
}

fn sizes(height: f64) -> Sizes {
    if height < LOW { SMALL } else { LARGE }
}

/// The pairings, as the rows show them.
pub(crate) const PAIRINGS: [Pairing; 2] = [Pairing::Interleaved, Pairing::Half];

/// Both rows of one head.
pub(crate) struct Strips {
    pub(crate) head_dim: usize,
    /// The pairing that is chosen.
    pub(crate) yours: Pairing,
}

/// The dimensions that there is room for, and where each stands across.
struct Row {
    dims: Vec<usize>,
    /// How many stand before the gap, if some are left out.
    split: usize,
    left: f64,
    cell: f64,
    gap: f64,
}

impl Row {
    fn x(&self, at: usize) -> f64 {
        let gap = if at >= self.split { self.gap } else { 0.0 };
        self.left + at as f64 * self.cell + gap
    }

    fn middle(&self, dim: usize) -> Option<f64> {
        let at = self.dims.iter().position(|d| *d == dim)?;
        Some(self.x(at) + self.cell / 2.0)
    }
}

impl Strips {
    fn row(&self, width: f64) -> Row {
        let (h, room) = (self.head_dim, width - 12.0);
        let most = if width < 500.0 { 16 } else { 32 };
        let all = h <= most;
        // An even number on either side of the gap, so that no interleaved pair is cut.
        let part = if width < 500.0 { 6 } else { 12 };
        let second = h / 2 + (h / 2) % 2;
        let dims: Vec<usize> = if all {
            (0..h).collect()
        } else {
            (0..part).chain(second..second + part).collect()
        };
        let gap = if all { 0.0 } else { 22.0 };
        let cell = ((room - gap) / dims.len() as f64).min(44.0);
        let split = if all { dims.len() } else { part };
        let used = cell * dims.len() as f64 + gap;
        Row {
            split,
            left: 6.0 + (room - used) / 2.0,
            dims,
            cell,
            gap,
        }
    }

    /// One row of dimensions with its arcs, above the row or below it.
    fn strip(
        &self,
        scene: &mut Scene,
        view: &View,
        (dim, between): (usize, f64),
        (row, half): (&Row, bool),
    ) -> f64 {
        let c = view.colours;
        let pairing = PAIRINGS[usize::from(half)];
        let s = sizes(view.height);
        let above = s.name + s.arcs;
        let y = if half { above + s.cell + s.gap } else { above };
        let traced = [dim, pairing.partner_of(self.head_dim, dim)];
        // Numbers that have no room are left out evenly.
        let widest = text_width(&(self.head_dim - 1).to_string(), TICK) * 0.9;
        let every = (widest / row.cell).ceil().max(1.0) as usize;
        for (at, &d) in row.dims.iter().enumerate() {
            let pair = pairing.pair_of(self.head_dim, d);
            let colour = c.series(pair);
            let cell = Rect::new(row.x(at) + 0.5, y, row.cell - 1.0, s.cell);
            scene.fill(cell, colour);
            let middle = (cell.x + cell.w / 2.0, y + s.cell / 2.0);
            let centred = (Align::Middle, Stand::Centre);
            if at % every == 0 {
                scene.text(middle, d.to_string(), TICK, ink_on(colour), centred);
            }
            let other = pairing.partner_of(self.head_dim, d);
            if let (true, Some(to)) = (d < other, row.middle(other)) {
                let on = traced.contains(&d);
                let (colour, width) = if on { (c.traced, 3.0) } else { (colour, 1.6) };
                let (edge, up) = if half { (y + s.cell, -1.0) } else { (y, 1.0) };
                let tall = if half { s.arcs - 5.0 } else { 0.6 * s.arcs };
                let (from, radius) = (middle.0, (to - middle.0) / 2.0);
                let points = (0..=24).map(|k| {
                    let a = std::f64::consts::PI * f64::from(k) / 24.0;
                    (from + radius * (1.0 - a.cos()), edge - up * tall * a.sin())
                });
                scene.line(points.collect(), colour, width);
            }
        }
        // A film goes on to the next dimension, and its partner to that one's.
        let next = if dim + 1 < self.head_dim {
            dim + 1
        } else {
            dim
        };
        let to = [next, pairing.partner_of(self.head_dim, next)];
        for ((d, to), width) in traced.into_iter().zip(to).zip([3.0, 1.5]) {
            if let Some(x) = row.middle(d) {
                let x = x + (row.middle(to).unwrap_or(x) - x) * between;
                let frame = Rect::new(x - row.cell / 2.0, y - 1.0, row.cell, s.cell + 2.0);
                scene.frame(frame, c.traced, width);
            }
        }
        if row.gap > 0.0 {
            let x = row.x(row.split) - row.gap / 2.0;
            let at = (x, y + s.cell / 2.0);
            scene.text(at, "…", NAME, c.muted, (Align::Middle, Stand::Centre));
        }
        let cells = [(0, 0..row.split), (1, row.split..row.dims.len())];
        for (piece, range) in cells {
            if !range.is_empty() {
                let x = row.x(range.start);
                scene.targets.push(Target {
                    id: 2 * usize::from(half) + piece,
                    rect: Rect::new(x, y, range.len() as f64 * row.cell, s.cell),
                    rows: 1,
                    // The dimensions of a piece follow each other; its first is known.
                    columns: range.len(),
                });
            }
        }
        y
    }

    /// Draws both rows and the permutation; `dim` is the traced dimension of the model, `between` how far a film is on
    /// its way to the next.
    pub(crate) fn draw(&self, scene: &mut Scene, view: &View, (dim, between): (usize, f64)) {
        let dim = dim % self.head_dim;
        let c = view.colours;
        let row = self.row(view.width);
        let s = sizes(view.height);
        let top = self.strip(scene, view, (dim, between), (&row, false)) + s.cell;
        let bottom = self.strip(scene, view, (dim, between), (&row, true));
        let names = [
            say!(view.lang, "figure.rope-pairing.interleaved"),
            say!(
                view.lang,
                "figure.rope-pairing.half",
                half = self.head_dim / 2
            ),
        ];
        for ((name, pairing), y) in names
            .into_iter()
            .zip(PAIRINGS)
            .zip([3.0, bottom + s.cell + s.arcs])
        {
            let (name, colour) = if pairing == self.yours {
                (
                    say!(view.lang, "figure.rope-pairing.yours", name = name),
                    c.accent,
                )
            } else {
                (name, c.ink)
            };
            let place = (Align::Start, Stand::Below);
            fitted(
                scene,
                (6.0, y),
                view.width - 12.0,
                &name,
                NAME,
                colour,
                place,
            );
        }
        for (j, to) in half_from_interleaved(self.head_dim).into_iter().enumerate() {
            if let (Some(a), Some(b)) = (row.middle(j), row.middle(to)) {
                let on = j == dim;
                let colour = c.series(j / 2);
                let (colour, width) = if on { (c.traced, 2.5) } else { (colour, 1.2) };
                scene.line(vec![(a, top + 3.0), (b, bottom - 3.0)], colour, width);
            }
        }
    }

    /// The dimension under a pointer.
    pub(crate) fn dim_at(&self, hit: Hit) -> usize {
        // As many columns as the piece has cells; the second piece begins where the row says.
        let second = self.head_dim / 2 + (self.head_dim / 2) % 2;
        let start = if hit.target % 2 == 1 { second } else { 0 };
        (start + hit.column).min(self.head_dim - 1)
    }
}
