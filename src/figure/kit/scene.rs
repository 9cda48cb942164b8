//! What a figure shows, as plain data: rasters below, vector marks above, and what lies where.
//!
//! Lengths are CSS pixels, y points down, the origin is the figure's upper left corner.

use std::sync::Arc;

use super::colour::{Colour, Palette};

/// A rectangle.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rect {
    /// Left edge.
    pub x: f64,
    /// Upper edge.
    pub y: f64,
    /// Width.
    pub w: f64,
    /// Height.
    pub h: f64,
}

impl Rect {
    /// A rectangle from its corner and size.
    pub const fn new(x: f64, y: f64, w: f64, h: f64) -> Self {
        Self { x, y, w, h }
    }

    /// Right edge.
    pub fn right(self) -> f64 {
        self.x + self.w
    }

    /// Lower edge.
    pub fn bottom(self) -> f64 {
        self.y + self.h
    }

    /// Whether the point lies inside.
    pub fn contains(self, (x, y): (f64, f64)) -> bool {
        x >= self.x && x < self.right() && y >= self.y && y < self.bottom()
    }
}

/// Where a text stands relative to its point, horizontally.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Align {
    /// Begins there.
    Start,
    /// Centred there.
    Middle,
    /// Ends there.
    End,
}

/// Where a text stands relative to its point, vertically.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stand {
    /// Hangs below it.
    Below,
    /// Centred on it.
    Centre,
    /// Stands above it.
    Above,
}

/// A text.
#[derive(Debug, Clone, PartialEq)]
pub struct Label {
    /// The point.
    pub at: (f64, f64),
    /// The text.
    pub text: String,
    /// Size of the letters.
    pub size: f64,
    /// Colour of the letters.
    pub colour: Colour,
    /// Where the text stands, horizontally.
    pub align: Align,
    /// Where the text stands, vertically.
    pub stand: Stand,
    /// Turned to read upwards, as the name of a vertical axis.
    pub turned: bool,
}

/// Something drawn with lines, areas or letters.
#[derive(Debug, Clone, PartialEq)]
pub enum Mark {
    /// A line through points.
    Line {
        /// The points.
        points: Vec<(f64, f64)>,
        /// Its colour.
        colour: Colour,
        /// Its width.
        width: f64,
        /// Lengths of dash and gap, if it is dashed.
        dash: Option<(f64, f64)>,
    },
    /// A filled polygon.
    Area {
        /// The corners.
        points: Vec<(f64, f64)>,
        /// Its colour.
        colour: Colour,
    },
    /// A filled rectangle; thin ones are snapped to whole device pixels.
    Fill {
        /// The rectangle.
        rect: Rect,
        /// Its colour.
        colour: Colour,
    },
    /// The outline of a rectangle.
    Frame {
        /// The rectangle.
        rect: Rect,
        /// Its colour.
        colour: Colour,
        /// Its width.
        width: f64,
    },
    /// A circle.
    Circle {
        /// Its centre.
        centre: (f64, f64),
        /// Its radius.
        radius: f64,
        /// Its colour.
        colour: Colour,
        /// The width of its outline; filled if there is none.
        outline: Option<f64>,
    },
    /// A text.
    Label(Label),
}

/// A picture of cells, one pixel a cell, coloured by a palette when it is painted, or an image.
#[derive(Debug, PartialEq)]
pub struct Raster {
    /// Cells across.
    pub width: usize,
    /// Cells down.
    pub height: usize,
    /// Shade of each cell, 0..=255 through the palette, row by row; of an image red, green and
    /// blue of each cell.
    pub shades: Vec<u8>,
    /// The colours; an image has its own.
    pub palette: Option<Palette>,
}

impl Raster {
    /// Colours each cell by its value.
    pub fn from_fn(
        width: usize,
        height: usize,
        scale: super::colour::Scale,
        value: impl Fn(usize, usize) -> f64,
    ) -> Arc<Self> {
        let shade = scale.shades();
        let mut shades = Vec::with_capacity(width * height);
        for row in 0..height {
            shades.extend((0..width).map(|column| shade(value(row, column))));
        }
        Arc::new(Self {
            width,
            height,
            shades,
            palette: Some(scale.palette()),
        })
    }

    /// Colours each cell by its value; `values` writes those of one column after another.
    pub fn by_columns(
        width: usize,
        height: usize,
        scale: super::colour::Scale,
        mut values: impl FnMut(usize, &mut [f64]),
    ) -> Arc<Self> {
        let shade = scale.shades();
        let mut shades = vec![0; width * height];
        let mut of_column = vec![0.0; height];
        for column in 0..width {
            values(column, &mut of_column);
            let cells = shades.iter_mut().skip(column).step_by(width);
            for (cell, value) in cells.zip(&of_column) {
                *cell = shade(*value);
            }
        }
        Arc::new(Self {
            width,
            height,
            shades,
            palette: Some(scale.palette()),
        })
    }

    /// An image: red, green and blue of each cell.
    pub fn image(
        width: usize,
        height: usize,
        colour: impl Fn(usize, usize) -> [u8; 3],
    ) -> Arc<Self> {
        let mut shades = Vec::with_capacity(3 * width * height);
        for row in 0..height {
            for column in 0..width {
                shades.extend_from_slice(&colour(row, column));
            }
        }
        Arc::new(Self {
            width,
            height,
            shades,
            palette: None,
        })
    }

    /// A square of cells that share few values: `index` of (row, column) says which of `values`
    /// a cell has, and each value is coloured once.
    pub fn indexed(
        side: usize,
        scale: super::colour::Scale,
        values: impl Iterator<Item = f64>,
        index: impl Fn(usize, usize) -> usize,
    ) -> Arc<Self> {
        let colours: Vec<u8> = values.map(scale.shades()).collect();
        let mut shades = Vec::with_capacity(side * side);
        for row in 0..side {
            shades.extend((0..side).map(|column| colours[index(row, column)]));
        }
        Arc::new(Self {
            width: side,
            height: side,
            shades,
            palette: Some(scale.palette()),
        })
    }
}

/// A raster placed in a figure; its cells are stretched to fill the rectangle.
#[derive(Debug, Clone, PartialEq)]
pub struct Placed {
    /// Where.
    pub rect: Rect,
    /// What.
    pub raster: Arc<Raster>,
}

/// An area in which a pointer means something: a grid of cells.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Target {
    /// Which of the figure's targets it is, as the figure numbers them.
    pub id: usize,
    /// Where.
    pub rect: Rect,
    /// Cells down; 1 where only the place across matters.
    pub rows: usize,
    /// Cells across.
    pub columns: usize,
}

/// A cell that is pointed at.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Hit {
    /// The target's number.
    pub target: usize,
    /// Row of the cell, from the top.
    pub row: usize,
    /// Column of the cell, from the left.
    pub column: usize,
    /// How far down the target the point lies, 0..1.
    pub down: f64,
}

/// Everything there is to draw.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Scene {
    /// Rasters, below everything else.
    pub rasters: Vec<Placed>,
    /// Vector marks, in drawing order.
    pub marks: Vec<Mark>,
    /// What lies where; later ones lie on top.
    pub targets: Vec<Target>,
    /// Where an answer is hidden.
    pub veils: Vec<Rect>,
}

impl Scene {
    /// What lies under a point.
    pub fn hit(&self, point: (f64, f64)) -> Option<Hit> {
        let t = self.targets.iter().rev().find(|t| t.rect.contains(point))?;
        let across = (point.0 - t.rect.x) / t.rect.w;
        let down = (point.1 - t.rect.y) / t.rect.h;
        Some(Hit {
            target: t.id,
            row: ((down * t.rows as f64) as usize).min(t.rows.saturating_sub(1)),
            column: ((across * t.columns as f64) as usize).min(t.columns.saturating_sub(1)),
            down,
        })
    }

    /// Whether what lies under a point is hidden.
    pub fn veiled(&self, point: (f64, f64)) -> bool {
        self.veils.iter().any(|r| r.contains(point))
    }

    /// Adds a solid line.
    pub fn line(&mut self, points: Vec<(f64, f64)>, colour: Colour, width: f64) {
        self.marks.push(Mark::Line {
            points,
            colour,
            width,
            dash: None,
        });
    }

    /// Adds a dashed line.
    pub fn dashed(&mut self, points: Vec<(f64, f64)>, colour: Colour, width: f64) {
        self.marks.push(Mark::Line {
            points,
            colour,
            width,
            dash: Some((5.0, 4.0)),
        });
    }

    /// Adds a filled rectangle.
    pub fn fill(&mut self, rect: Rect, colour: Colour) {
        self.marks.push(Mark::Fill { rect, colour });
    }

    /// Adds the outline of a rectangle.
    pub fn frame(&mut self, rect: Rect, colour: Colour, width: f64) {
        self.marks.push(Mark::Frame {
            rect,
            colour,
            width,
        });
    }

    /// Adds a filled circle.
    pub fn disc(&mut self, centre: (f64, f64), radius: f64, colour: Colour) {
        self.marks.push(Mark::Circle {
            centre,
            radius,
            colour,
            outline: None,
        });
    }

    /// Adds a circle's outline.
    pub fn ring(&mut self, centre: (f64, f64), radius: f64, colour: Colour, width: f64) {
        self.marks.push(Mark::Circle {
            centre,
            radius,
            colour,
            outline: Some(width),
        });
    }

    /// Adds an upright text.
    pub fn text(
        &mut self,
        at: (f64, f64),
        text: impl Into<String>,
        size: f64,
        colour: Colour,
        (align, stand): (Align, Stand),
    ) {
        self.marks.push(Mark::Label(Label {
            at,
            text: text.into(),
            size,
            colour,
            align,
            stand,
            turned: false,
        }));
    }

    /// Adds a text that reads upwards, centred on its point.
    pub fn turned_text(&mut self, at: (f64, f64), text: String, size: f64, colour: Colour) {
        self.marks.push(Mark::Label(Label {
            at,
            text,
            size,
            colour,
            align: Align::Middle,
            stand: Stand::Above,
            turned: true,
        }));
    }

    /// Adds an arrow from one point to another, its head at the second.
    pub fn arrow(&mut self, from: (f64, f64), to: (f64, f64), colour: Colour, width: f64) {
        let (dx, dy) = (to.0 - from.0, to.1 - from.1);
        let length = dx.hypot(dy);
        if length < 1e-9 {
            return;
        }
        let (ux, uy) = (dx / length, dy / length);
        let head = (4.0 * width).min(0.6 * length);
        let neck = (to.0 - ux * head, to.1 - uy * head);
        self.line(vec![from, neck], colour, width);
        let side = 0.5 * head;
        self.marks.push(Mark::Area {
            points: vec![
                to,
                (neck.0 - uy * side, neck.1 + ux * side),
                (neck.0 + uy * side, neck.1 - ux * side),
            ],
            colour,
        });
    }
}

/// Roughly how wide a text is: Han characters and full-width signs take one em, others as
/// much as in a wide sans-serif, so that a text never needs more room than was kept for it.
pub fn text_width(text: &str, size: f64) -> f64 {
    text.chars()
        .map(|c| match c {
            '\u{2E80}'..='\u{9FFF}' | '\u{F900}'..='\u{FAFF}' | '\u{FF00}'..='\u{FFEF}' => 1.0,
            '\u{1F000}'..='\u{3FFFF}' => 1.2,
            '\u{300}'..='\u{36F}' | '\u{200D}' | '\u{FE0F}' => 0.0,
            'i' | 'j' | 'l' | '.' | ',' | ':' | '|' | '\'' | ' ' | '\u{A0}' => 0.33,
            '(' | ')' | '[' | ']' | 'f' | 'r' | 't' => 0.41,
            'm' | 'w' | 'M' | 'W' => 0.95,
            'A'..='Z' => 0.69,
            '+' | '−' | '=' | '×' | '≈' | '→' => 0.84,
            _ => 0.63,
        })
        .sum::<f64>()
        * size
}
