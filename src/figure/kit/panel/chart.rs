//! A chart with two numeric axes.

use std::ops::Range;

use super::{TICK, cell_ticks, heading, name_axes, ticks};
use crate::figure::View;
use crate::figure::kit::colour::Colour;
use crate::figure::kit::scene::{Align, Rect, Scene, Stand, Target};
use crate::words::short;

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
