//! Where the parts of `order-swap` stand in a box.

use crate::figure::kit::scene::Rect;

/// Room above the maps for their headings.
const HEADINGS: f64 = 26.0;
/// Room below the maps for the words of their columns.
const COLUMNS: f64 = 26.0;
/// Room for the letters “A” and “B” left of the words.
const LETTER: f64 = 24.0;

/// Sizes in CSS pixels, for sentences of at most so many tokens.
pub(super) struct Places {
    /// A phone, or a frame: words, lines and maps only.
    pub small: bool,
    /// Left edge of the first word.
    pub left: f64,
    /// From one word to the next.
    pub pitch: f64,
    /// Height of a word's chip.
    pub chip: f64,
    /// Upper edges of the words of A and of B.
    pub rows: [f64; 2],
    /// Where the difference is written.
    pub number: Rect,
    /// Room left of each map for the words of its rows.
    pub names: f64,
    /// The attention maps of A and B.
    pub maps: [Rect; 2],
    /// The outputs of A and B, row by row beside the maps.
    pub strips: Option<[Rect; 2]>,
    /// Where a legend may stand, if there is room for one.
    pub legend: Option<f64>,
}

impl Places {
    /// The places in a box, which may be as high as they like if `height` is infinite.
    pub fn of(width: f64, height: f64, tokens: usize) -> Self {
        let n = tokens.max(1) as f64;
        let small = width < 600.0 || height < 420.0;
        let (chip, between, number, most, names, gap) = if small {
            (34.0, 46.0, 96.0, 90.0, 40.0, 12.0)
        } else {
            (52.0, 84.0, 170.0, 170.0, 56.0, 28.0)
        };
        let under = if small { COLUMNS } else { COLUMNS + 38.0 };
        let block = (width - gap) / 2.0;
        let names = if n > 16.0 { 24.0 } else { names };
        let share = match width {
            _ if small => 1.0,
            w if w < 760.0 => 0.52,
            _ => 0.58,
        };
        let wanted = (share * (block - names)).min(130.0 * n).max(20.0);
        let words = 4.0 + 2.0 * chip + HEADINGS + 10.0;
        let free = height - words - under - 2.0;
        let map = wanted.min(free - between).max(20.0);
        // What is left over makes the lines longer.
        let between = if free.is_finite() {
            (free - map).clamp(18.0, between + 40.0)
        } else {
            between
        };
        let rows = [4.0, 4.0 + chip + between];
        let y = rows[1] + chip + HEADINGS + 10.0;
        let maps = [0.0, block + gap].map(|x| Rect::new(x + names, y, map, map));
        let strips = (!small).then(|| {
            let wide = (block - names - map - 10.0 - 52.0).clamp(10.0, 230.0);
            maps.map(|m| Rect::new(m.right() + 10.0, y, wide, map))
        });
        let room = (width - LETTER - number - 8.0).max(20.0);
        Self {
            small,
            left: LETTER,
            pitch: (room / n).min(most),
            chip,
            rows,
            number: Rect::new(width - number, rows[0], number, rows[1] + chip - rows[0]),
            names,
            maps,
            strips,
            legend: (!small).then_some(y + map + COLUMNS + 2.0),
        }
    }

    /// The lower edge of all.
    pub fn bottom(&self) -> f64 {
        match self.legend {
            Some(y) => y + 36.0,
            None => self.maps[0].bottom() + COLUMNS + 2.0,
        }
    }

    /// The chip of the k-th word of A (0) or B (1).
    pub fn word(&self, which: usize, k: usize) -> Rect {
        let gap = (0.14 * self.pitch).min(14.0);
        let x = self.left + k as f64 * self.pitch;
        Rect::new(x, self.rows[which], (self.pitch - gap).max(1.0), self.chip)
    }
}
