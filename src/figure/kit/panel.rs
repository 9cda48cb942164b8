//! The parts that figures are made of: matrices with axes and legends, and charts.

use std::ops::Range;
use std::sync::Arc;

use plotters::coord::ranged1d::Ranged;
use plotters::coord::types::RangedCoordf64;

use super::colour::{Colour, Scale, ink_on};
use super::scene::{Align, Placed, Raster, Rect, Scene, Stand, Target, text_width};
use crate::figure::View;
use crate::words::short;

/// Size of the numbers at ticks.
pub const TICK: f64 = 11.0;
/// Size of the names of axes.
pub const NAME: f64 = 12.0;
/// Size of a panel's heading.
pub const HEADING: f64 = 13.0;

/// Round numbers within a range, about `count` of them.
pub fn ticks(range: Range<f64>, count: usize) -> Vec<f64> {
    if range.is_empty() || !(range.end - range.start).is_finite() {
        return vec![range.start];
    }
    let coord: RangedCoordf64 = range.clone().into();
    let mut points = coord.key_points(count.max(2));
    // Stepping through zero leaves a rounding error there.
    for x in &mut points {
        if x.abs() < 1e-9 * (range.end - range.start) {
            *x = 0.0;
        }
    }
    points
}

/// The whole numbers among round ticks, for an axis of positions or distances.
pub fn whole_ticks(range: Range<f64>, count: usize) -> Vec<f64> {
    let mut all: Vec<f64> = ticks(range, count)
        .into_iter()
        .filter(|x| (x - x.round()).abs() < 1e-9)
        .map(f64::round)
        .collect();
    all.dedup();
    all
}

/// The next round number at or above a positive one.
pub fn round_up(x: f64) -> f64 {
    if !(x.is_finite() && x > 0.0) {
        return 1.0;
    }
    // A negative power is divided by, so that 0.3 is the number that is written so.
    let exponent = x.log10().floor() as i32;
    let scaled = |m: f64| {
        if exponent < 0 {
            m / 10f64.powi(-exponent)
        } else {
            m * 10f64.powi(exponent)
        }
    };
    [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0]
        .into_iter()
        .map(scaled)
        .find(|&r| r >= x)
        .unwrap_or(scaled(10.0))
}

/// A matrix: one raster, row 0 at the top, axes, a frame around the traced cell.
pub struct MatrixPanel<'a> {
    /// Where the cells are.
    pub rect: Rect,
    /// Rows of the matrix.
    pub rows: usize,
    /// Columns of the matrix.
    pub columns: usize,
    /// The cells; may have fewer than rows × columns where the matrix is larger than the screen.
    pub raster: Arc<Raster>,
    /// What stands above the matrix.
    pub heading: &'a str,
    /// Name of the vertical axis, with its unit.
    pub row_name: &'a str,
    /// Name of the horizontal axis.
    pub column_name: &'a str,
    /// Number of this matrix among the figure's targets.
    pub target: usize,
    /// The traced cell, if it lies in the matrix.
    pub traced: Option<(usize, usize)>,
}

impl MatrixPanel<'_> {
    /// Room that a matrix needs around its cells: left, top, right, bottom.
    pub const MARGIN: (f64, f64, f64, f64) = (46.0, 24.0, 10.0, 38.0);

    /// Draws the matrix.
    pub fn draw(&self, scene: &mut Scene, view: &View) {
        let c = view.colours;
        let r = self.rect;
        scene.rasters.push(Placed {
            rect: r,
            raster: self.raster.clone(),
        });
        scene.targets.push(Target {
            id: self.target,
            rect: r,
            rows: self.rows,
            columns: self.columns,
        });
        scene.frame(r, c.grid, 1.0);
        heading(scene, view, r, self.heading);
        let down = cell_ticks(self.rows, r.h / 26.0);
        for k in down {
            let y = r.y + (k as f64 + 0.5) * r.h / self.rows as f64;
            scene.fill(Rect::new(r.x - 4.0, y, 4.0, 1.0), c.muted);
            let at = (r.x - 7.0, y);
            scene.text(
                at,
                k.to_string(),
                TICK,
                c.muted,
                (Align::End, Stand::Centre),
            );
        }
        for k in cell_ticks(self.columns, r.w / 44.0) {
            let x = r.x + (k as f64 + 0.5) * r.w / self.columns as f64;
            scene.fill(Rect::new(x, r.bottom(), 1.0, 4.0), c.muted);
            let at = (x, r.bottom() + 6.0);
            scene.text(
                at,
                k.to_string(),
                TICK,
                c.muted,
                (Align::Middle, Stand::Below),
            );
        }
        name_axes(scene, view, r, self.column_name, self.row_name, 36.0);
        if let Some((row, column)) = self.traced {
            trace_cell(scene, view, r, (self.rows, self.columns), (row, column));
        }
    }

    /// Writes each cell's value in it, where cells are large enough; `value` is (row, column).
    pub fn numbers(
        &self,
        scene: &mut Scene,
        view: &View,
        scale: Scale,
        value: impl Fn(usize, usize) -> f64,
    ) {
        let (w, h) = (
            self.rect.w / self.columns as f64,
            self.rect.h / self.rows as f64,
        );
        if w < 30.0 || h < 16.0 {
            return;
        }
        for row in 0..self.rows {
            for column in 0..self.columns {
                let v = value(row, column);
                let text = if v.fract() == 0.0 {
                    format!("{v}")
                } else {
                    format!("{v:.2}")
                };
                let at = (
                    self.rect.x + (column as f64 + 0.5) * w,
                    self.rect.y + (row as f64 + 0.5) * h,
                );
                let ink = ink_on(scale.colour(v, view.colours.dark));
                let text = text.replace('-', "−");
                scene.text(at, text, 10.5, ink, (Align::Middle, Stand::Centre));
            }
        }
    }
}

/// Frames one cell of a grid in the colour of the traced cell; tiny cells get a cross-hair too.
pub fn trace_cell(
    scene: &mut Scene,
    view: &View,
    r: Rect,
    (rows, columns): (usize, usize),
    (row, column): (usize, usize),
) {
    if row >= rows || column >= columns {
        return;
    }
    let colour = view.colours.traced;
    let (w, h) = (r.w / columns as f64, r.h / rows as f64);
    let cell = Rect::new(r.x + column as f64 * w, r.y + row as f64 * h, w, h);
    if w < 8.0 || h < 8.0 {
        let (x, y) = (cell.x + w / 2.0, cell.y + h / 2.0);
        let faint = colour.fade(0.75);
        scene.fill(
            Rect::new(r.x, y - 0.5, (x - r.x - 5.0).max(0.0), 1.0),
            faint,
        );
        scene.fill(
            Rect::new(x + 5.0, y - 0.5, (r.right() - x - 5.0).max(0.0), 1.0),
            faint,
        );
        scene.fill(
            Rect::new(x - 0.5, r.y, 1.0, (y - r.y - 5.0).max(0.0)),
            faint,
        );
        scene.fill(
            Rect::new(x - 0.5, y + 5.0, 1.0, (r.bottom() - y - 5.0).max(0.0)),
            faint,
        );
        scene.frame(Rect::new(x - 5.0, y - 5.0, 10.0, 10.0), colour, 2.0);
    } else {
        scene.frame(cell, colour, 2.5);
    }
}

/// Numbers of cells to be written at an axis with room for so many: all, or round ones.
pub fn cell_ticks(cells: usize, room: f64) -> Vec<usize> {
    let room = (room as usize).max(2);
    if cells <= room {
        return (0..cells).collect();
    }
    // 1, 2 or 5 times a power of ten.
    let mut step = 1;
    for factor in [2, 5, 2].into_iter().cycle() {
        if cells.div_ceil(step) <= room {
            break;
        }
        step = if factor == 5 { step / 2 * 5 } else { step * 2 };
    }
    (0..cells).step_by(step).collect()
}

pub(crate) fn name_axes(
    scene: &mut Scene,
    view: &View,
    r: Rect,
    x_name: &str,
    y_name: &str,
    left: f64,
) {
    let c = view.colours;
    let middle = (r.x + r.w / 2.0, r.bottom() + 22.0);
    scene.text(middle, x_name, NAME, c.muted, (Align::Middle, Stand::Below));
    let side = (r.x - left + 4.0, r.y + r.h / 2.0);
    scene.turned_text(side, y_name.to_owned(), NAME, c.muted);
}

/// A legend: the colour map with the values of its ends and its middle. Takes 34 px of height.
pub fn legend(
    scene: &mut Scene,
    view: &View,
    at: (f64, f64),
    width: f64,
    scale: Scale,
    name: &str,
) {
    let c = view.colours;
    let bar = Rect::new(at.0, at.1, width, 10.0);
    scene.rasters.push(Placed {
        rect: bar,
        raster: Raster::from_fn(256, 1, scale, |_, column| {
            let (low, high) = scale.ends();
            low + (high - low) * column as f64 / 255.0
        }),
    });
    scene.frame(bar, c.grid, 1.0);
    let (low, high) = scale.ends();
    let signed = matches!(scale, Scale::Signed { .. });
    let plus = match scale {
        Scale::Signed { .. } => "+",
        // Larger weights have the last colour too.
        Scale::Weight { top } if top < 1.0 => "≥ ",
        _ => "",
    };
    let y = bar.bottom() + 3.0;
    let labels = [
        (bar.x, short(low), Align::Start),
        (bar.right(), format!("{plus}{}", short(high)), Align::End),
    ];
    for (x, text, align) in labels {
        scene.text((x, y), text, TICK, c.muted, (align, Stand::Below));
    }
    let middle = if signed {
        format!("0 · {name}")
    } else {
        name.to_owned()
    };
    let at = (bar.x + width / 2.0, y);
    scene.text(at, middle, TICK, c.muted, (Align::Middle, Stand::Below));
}

/// A text of one line in at most `width`: its letters shrink, to no less than 8 px, until it fits.
pub fn fitted(
    scene: &mut Scene,
    at: (f64, f64),
    width: f64,
    text: &str,
    size: f64,
    colour: Colour,
    place: (Align, Stand),
) {
    let wide = text_width(text, size);
    let size = if wide > width {
        (size * width / wide).max(8.0)
    } else {
        size
    };
    scene.text(at, text, size, colour, place);
}

/// What stands above a panel, not wider than it.
pub(crate) fn heading(scene: &mut Scene, view: &View, r: Rect, text: &str) {
    let at = (r.x, r.y - 7.0);
    let place = (Align::Start, Stand::Above);
    fitted(scene, at, r.w + 8.0, text, HEADING, view.colours.ink, place);
}

/// Named colours in a row, wrapping; returns the height taken.
pub fn swatches(
    scene: &mut Scene,
    view: &View,
    at: (f64, f64),
    width: f64,
    items: &[(Colour, String)],
) -> f64 {
    let (mut x, mut y) = at;
    for (colour, text) in items {
        let wide = 18.0 + text_width(text, TICK) + 14.0;
        if x + wide > at.0 + width && x > at.0 {
            x = at.0;
            y += 18.0;
        }
        scene.fill(Rect::new(x, y + 5.0, 14.0, 4.0), *colour);
        let place = (x + 18.0, y + 7.0);
        scene.text(
            place,
            text.clone(),
            TICK,
            view.colours.ink,
            (Align::Start, Stand::Centre),
        );
        x += wide;
    }
    y + 18.0 - at.1
}

/// A tick: its value and its text.
pub type Tick = (f64, String);

/// A chart with two numeric axes.
#[derive(Debug, Clone, PartialEq)]
pub struct Chart {
    /// Where the plotting area is.
    pub rect: Rect,
    /// Values across.
    pub x: Range<f64>,
    /// Values upwards.
    pub y: Range<f64>,
}

impl Chart {
    /// Room that a chart needs around its area: left, top, right, bottom.
    pub const MARGIN: (f64, f64, f64, f64) = (52.0, 24.0, 12.0, 38.0);

    /// The point of a pair of values.
    pub fn at(&self, x: f64, y: f64) -> (f64, f64) {
        let across = (x - self.x.start) / (self.x.end - self.x.start);
        let up = (y - self.y.start) / (self.y.end - self.y.start);
        (
            self.rect.x + across * self.rect.w,
            self.rect.bottom() - up * self.rect.h,
        )
    }

    /// Axes with round ticks, a grid, zero lines, names and a heading.
    pub fn axes(&self, scene: &mut Scene, view: &View, heading: &str, x_name: &str, y_name: &str) {
        let across = ticks(self.x.clone(), (self.rect.w / 60.0) as usize);
        self.axes_at(scene, view, &across, (heading, x_name, y_name));
    }

    /// The same with given ticks across; the words are heading, name across, name upwards.
    pub fn axes_at(
        &self,
        scene: &mut Scene,
        view: &View,
        across: &[f64],
        (heading, x_name, y_name): (&str, &str, &str),
    ) {
        let c = view.colours;
        let r = self.rect;
        for &x in across {
            let px = self.at(x, 0.0).0;
            scene.fill(Rect::new(px, r.y, 1.0, r.h), c.grid);
            let at = (px, r.bottom() + 5.0);
            scene.text(at, short(x), TICK, c.muted, (Align::Middle, Stand::Below));
        }
        self.scale_and_names(scene, view, heading, x_name, y_name);
    }

    /// Axes with given ticks, each a value with its text, as for powers; the words are heading,
    /// name across, name upwards.
    pub fn axes_with(
        &self,
        scene: &mut Scene,
        view: &View,
        (across, up): (&[Tick], &[Tick]),
        (heading, x_name, y_name): (&str, &str, &str),
    ) {
        let c = view.colours;
        let r = self.rect;
        for (x, text) in across {
            let px = self.at(*x, 0.0).0;
            scene.fill(Rect::new(px, r.y, 1.0, r.h), c.grid);
            let at = (px, r.bottom() + 5.0);
            scene.text(
                at,
                text.clone(),
                TICK,
                c.muted,
                (Align::Middle, Stand::Below),
            );
        }
        for (y, text) in up {
            let py = self.at(0.0, *y).1;
            scene.fill(Rect::new(r.x, py, r.w, 1.0), c.grid);
            let at = (r.x - 6.0, py);
            scene.text(at, text.clone(), TICK, c.muted, (Align::End, Stand::Centre));
        }
        scene.fill(Rect::new(r.x, r.y, 1.0, r.h), c.muted);
        scene.fill(Rect::new(r.x, r.bottom(), r.w, 1.0), c.muted);
        self::heading(scene, view, r, heading);
        name_axes(scene, view, r, x_name, y_name, 46.0);
    }

    /// As [`Self::axes`], but across stand whole things numbered from 0, each one unit wide, its
    /// middle at its number; `each` numbers are one thing.
    pub fn cell_axes(
        &self,
        scene: &mut Scene,
        view: &View,
        (cells, each): (usize, usize),
        heading: &str,
        (x_name, y_name): (&str, &str),
    ) {
        let r = self.rect;
        for k in cell_ticks(cells * each, r.w / 44.0) {
            let px = self.at((k / each) as f64, 0.0).0;
            let at = (px, r.bottom() + 5.0);
            scene.text(
                at,
                k.to_string(),
                TICK,
                view.colours.muted,
                (Align::Middle, Stand::Below),
            );
        }
        self.scale_and_names(scene, view, heading, x_name, y_name);
    }

    fn scale_and_names(
        &self,
        scene: &mut Scene,
        view: &View,
        heading: &str,
        x_name: &str,
        y_name: &str,
    ) {
        let c = view.colours;
        let r = self.rect;
        for y in ticks(self.y.clone(), (r.h / 34.0) as usize) {
            let py = self.at(0.0, y).1;
            let strong = y == 0.0;
            let colour = if strong { c.muted } else { c.grid };
            scene.fill(Rect::new(r.x, py, r.w, 1.0), colour);
            let at = (r.x - 6.0, py);
            scene.text(at, short(y), TICK, c.muted, (Align::End, Stand::Centre));
        }
        scene.fill(Rect::new(r.x, r.y, 1.0, r.h), c.muted);
        self::heading(scene, view, r, heading);
        name_axes(scene, view, r, x_name, y_name, 44.0);
    }

    /// A curve through (x, y) values; points outside the vertical range are kept at its edge.
    pub fn curve(
        &self,
        scene: &mut Scene,
        values: impl Iterator<Item = (f64, f64)>,
        colour: Colour,
        width: f64,
    ) {
        let points: Vec<_> = values
            .map(|(x, y)| self.at(x, y.clamp(self.y.start, self.y.end)))
            .collect();
        scene.line(points, colour, width);
    }

    /// A vertical line at a value.
    pub fn upright(&self, scene: &mut Scene, x: f64, colour: Colour) {
        if x >= self.x.start && x <= self.x.end {
            let px = self.at(x, 0.0).0;
            scene.dashed(
                vec![(px, self.rect.y), (px, self.rect.bottom())],
                colour,
                1.5,
            );
        }
    }

    /// The target of a chart whose columns are `columns` equal steps across.
    pub fn target(&self, id: usize, columns: usize) -> Target {
        Target {
            id,
            rect: self.rect,
            rows: 1,
            columns,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_of_cells_are_round_and_fit() {
        assert_eq!(cell_ticks(4, 10.0), [0, 1, 2, 3]);
        assert_eq!(cell_ticks(64, 10.0), [0, 10, 20, 30, 40, 50, 60]);
        assert_eq!(cell_ticks(512, 6.0), [0, 100, 200, 300, 400, 500]);
        assert_eq!(cell_ticks(30, 20.0).len(), 15);
    }

    #[test]
    fn whole_ticks_are_whole_and_round_numbers_are_round() {
        assert_eq!(whole_ticks(-0.5..0.5, 4), [0.0]);
        assert_eq!(whole_ticks(-1.5..1.5, 4), [-1.0, 0.0, 1.0]);
        for (x, up) in [
            (0.21, 0.3),
            (3.0, 3.0),
            (6.1, 8.0),
            (9.0, 10.0),
            (0.09, 0.1),
        ] {
            assert_eq!(round_up(x), up);
        }
        assert_eq!(round_up(0.0), 1.0);
    }

    #[test]
    fn a_legend_names_both_ends_with_their_signs() {
        let said = |scale| {
            let view = View {
                width: 300.0,
                lang: crate::state::Lang::En,
                colours: crate::figure::kit::colour::Colours::of(false),
                reveal: true,
            };
            let mut scene = Scene::default();
            legend(&mut scene, &view, (0.0, 0.0), 200.0, scale, "bias");
            let texts = scene.marks.iter().filter_map(|m| match m {
                crate::figure::kit::scene::Mark::Label(l) => Some((l.at.0, l.text.clone())),
                _ => None,
            });
            let mut texts: Vec<(f64, String)> = texts.collect();
            texts.sort_by(|a, b| a.0.total_cmp(&b.0));
            texts.into_iter().map(|(_, text)| text).collect::<Vec<_>>()
        };
        assert_eq!(
            said(Scale::Signed { limit: 2.5 }),
            ["−2.5", "0 · bias", "+2.5"]
        );
        assert_eq!(said(Scale::Weight { top: 0.5 }), ["0", "bias", "≥ 0.5"]);
        assert_eq!(said(Scale::Weight { top: 1.0 }), ["0", "bias", "1"]);
    }

    #[test]
    fn a_chart_maps_its_corners() {
        let chart = Chart {
            rect: Rect::new(10.0, 20.0, 100.0, 50.0),
            x: 0.0..10.0,
            y: -1.0..1.0,
        };
        assert_eq!(chart.at(0.0, -1.0), (10.0, 70.0));
        assert_eq!(chart.at(10.0, 1.0), (110.0, 20.0));
    }
}
