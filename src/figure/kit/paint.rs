//! From a scene to any plotters backend: canvas, SVG, test.
//!
//! Backends take whole numbers. Coordinates are therefore given to them in eighths of a device
//! pixel, and the backend's surface is scaled by 1/8, so that curves stay smooth at every device
//! pixel ratio.

use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{
    FontDesc, FontFamily, FontStyle, FontTransform, RGBAColor, ShapeStyle, TextStyle,
};
use plotters_backend::{BackendCoord, DrawingBackend, DrawingErrorKind};

use super::colour::Colour;
use super::scene::{Align, Label, Mark, Rect, Stand};

/// Backend units in one device pixel.
pub const UNITS: f64 = 8.0;

/// System fonts, Chinese ones by name, none loaded from anywhere.
const FONT: &str = "system-ui, -apple-system, Segoe UI, PingFang SC, Microsoft YaHei, \
                    Noto Sans CJK SC, Noto Sans SC, sans-serif";

/// Draws marks at `ratio` device pixels a CSS pixel; `letters` makes up for a backend that draws
/// letters smaller than it is asked to.
///
/// # Errors
/// Whatever the backend reports.
pub fn paint<DB: DrawingBackend>(
    marks: &[Mark],
    backend: &mut DB,
    ratio: f64,
    letters: f64,
) -> Result<(), DrawingErrorKind<DB::ErrorType>> {
    let brush = Brush { ratio, letters };
    for mark in marks {
        brush.mark(mark, backend)?;
    }
    Ok(())
}

struct Brush {
    ratio: f64,
    letters: f64,
}

impl Brush {
    fn mark<DB: DrawingBackend>(
        &self,
        mark: &Mark,
        backend: &mut DB,
    ) -> Result<(), DrawingErrorKind<DB::ErrorType>> {
        match mark {
            Mark::Line {
                points,
                colour,
                width,
                dash,
            } => {
                let style = self.stroke(*colour, *width);
                match dash {
                    None => backend.draw_path(self.points(points), &style),
                    Some(lengths) => dashes(points, *lengths)
                        .into_iter()
                        .try_for_each(|d| backend.draw_path(self.points(&d), &style)),
                }
            }
            Mark::Area { points, colour } => {
                backend.fill_polygon(self.points(points), &filled(*colour))
            }
            Mark::Fill { rect, colour } => {
                let (a, b) = self.snapped(*rect);
                backend.draw_rect(a, b, &filled(*colour), true)
            }
            Mark::Frame {
                rect,
                colour,
                width,
            } => {
                let corners = [
                    (rect.x, rect.y),
                    (rect.right(), rect.y),
                    (rect.right(), rect.bottom()),
                    (rect.x, rect.bottom()),
                    (rect.x, rect.y),
                    (rect.right(), rect.y),
                ];
                backend.draw_path(self.points(&corners), &self.stroke(*colour, *width))
            }
            Mark::Circle {
                centre,
                radius,
                colour,
                outline,
            } => {
                let style = outline.map_or(filled(*colour), |w| self.stroke(*colour, w));
                let radius = (radius * self.ratio * UNITS).round().max(1.0) as u32;
                backend.draw_circle(self.point(*centre), radius, &style, outline.is_none())
            }
            Mark::Label(label) => self.label(label, backend),
        }
    }

    fn label<DB: DrawingBackend>(
        &self,
        label: &Label,
        backend: &mut DB,
    ) -> Result<(), DrawingErrorKind<DB::ErrorType>> {
        let h = match label.align {
            Align::Start => HPos::Left,
            Align::Middle => HPos::Center,
            Align::End => HPos::Right,
        };
        let v = match label.stand {
            Stand::Below => VPos::Top,
            Stand::Centre => VPos::Center,
            Stand::Above => VPos::Bottom,
        };
        // Not `into_font`: it compares lower-case letters, which needs a table of all alphabets.
        let size = label.size * self.letters * self.ratio * UNITS;
        let mut font = FontDesc::new(FontFamily::Name(FONT), size, FontStyle::Normal);
        if label.turned {
            font = font.transform(FontTransform::Rotate270);
        }
        let colour = rgba(label.colour);
        let style = TextStyle::from(font).color(&colour).pos(Pos::new(h, v));
        backend.draw_text(&label.text, &style, self.point(label.at))
    }

    fn point(&self, (x, y): (f64, f64)) -> BackendCoord {
        let scale = self.ratio * UNITS;
        ((x * scale).round() as i32, (y * scale).round() as i32)
    }

    fn points(&self, points: &[(f64, f64)]) -> Vec<BackendCoord> {
        points.iter().map(|p| self.point(*p)).collect()
    }

    fn stroke(&self, colour: Colour, width: f64) -> ShapeStyle {
        let width = (width * self.ratio * UNITS).round().max(1.0) as u32;
        ShapeStyle {
            color: rgba(colour),
            filled: false,
            stroke_width: width,
        }
    }

    /// Corners on whole device pixels, at least one apart, so that thin lines are crisp.
    fn snapped(&self, r: Rect) -> (BackendCoord, BackendCoord) {
        let snap = |from: f64, to: f64| {
            let a = (from * self.ratio).round();
            let b = (to * self.ratio).round().max(a + 1.0);
            ((a * UNITS) as i32, (b * UNITS) as i32)
        };
        let (x0, x1) = snap(r.x, r.right());
        let (y0, y1) = snap(r.y, r.bottom());
        ((x0, y0), (x1, y1))
    }
}

fn rgba(c: Colour) -> RGBAColor {
    RGBAColor(c.rgb[0], c.rgb[1], c.rgb[2], c.alpha)
}

fn filled(colour: Colour) -> ShapeStyle {
    ShapeStyle {
        color: rgba(colour),
        filled: true,
        stroke_width: 0,
    }
}

/// Cuts a line into dashes; backends know only solid lines.
fn dashes(points: &[(f64, f64)], (on, off): (f64, f64)) -> Vec<Vec<(f64, f64)>> {
    let mut out = Vec::new();
    let mut current: Vec<(f64, f64)> = points.first().copied().into_iter().collect();
    let (mut drawing, mut left) = (true, on);
    for pair in points.windows(2) {
        let (mut from, to) = (pair[0], pair[1]);
        loop {
            let length = (to.0 - from.0).hypot(to.1 - from.1);
            if length <= left {
                left -= length;
                if drawing {
                    current.push(to);
                }
                break;
            }
            let t = left / length;
            from = (from.0 + t * (to.0 - from.0), from.1 + t * (to.1 - from.1));
            if drawing {
                current.push(from);
                out.push(std::mem::take(&mut current));
            } else {
                current = vec![from];
            }
            drawing = !drawing;
            left = if drawing { on } else { off };
        }
    }
    if drawing && current.len() > 1 {
        out.push(current);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dashes_cover_the_line() {
        let d = dashes(&[(0.0, 0.0), (10.0, 0.0)], (3.0, 2.0));
        assert_eq!(
            d,
            [vec![(0.0, 0.0), (3.0, 0.0)], vec![(5.0, 0.0), (8.0, 0.0)],]
        );
    }
}
