//! A scene as an SVG picture that stands alone.

use std::sync::Arc;

use plotters::prelude::SVGBackend;
use plotters_backend::DrawingBackend;

use super::colour::Colours;
use super::paint::{UNITS, paint};
use super::scene::{Raster, Rect, Scene};

/// plotters' SVG backend writes letters smaller than it was asked to, by this factor.
const LETTERS: f64 = 1.24;

/// Draws a scene of `width` × `height` CSS pixels. `None` if it cannot be encoded.
///
/// `url` makes a data URL of a raster, as a browser does with a canvas: the page's program needs no
/// encoder.
pub fn svg(
    scene: &Scene,
    (width, height): (f64, f64),
    dark: bool,
    url: impl Fn(&Arc<Raster>) -> Option<String>,
) -> Option<String> {
    let (w, h) = ((width * UNITS).round(), (height * UNITS).round());
    let mut drawn = String::new();
    {
        let mut backend = SVGBackend::with_string(&mut drawn, (w as u32, h as u32));
        paint(&scene.marks, &mut backend, 1.0, LETTERS).ok()?;
        backend.present().ok()?;
    }
    // The backend writes its own size; the picture is to be as large as on the page.
    let (_, body) = drawn.split_once('>')?;
    let [r, g, b] = Colours::of(dark).surface.rgb;
    let mut out = format!(
        "<svg width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {w} {h}\" \
         xmlns=\"http://www.w3.org/2000/svg\">\
         <rect width=\"100%\" height=\"100%\" fill=\"rgb({r},{g},{b})\"/>"
    );
    for placed in &scene.rasters {
        out.push_str(&image(placed.rect, &url(&placed.raster)?));
    }
    out.push_str(body);
    Some(out)
}

fn image(r: Rect, url: &str) -> String {
    let [x, y, w, h] = [r.x, r.y, r.w, r.h].map(|v| v * UNITS);
    format!(
        "<image x=\"{x}\" y=\"{y}\" width=\"{w}\" height=\"{h}\" preserveAspectRatio=\"none\" \
         style=\"image-rendering:pixelated\" href=\"{url}\"/>"
    )
}
