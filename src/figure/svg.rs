//! A scene as an SVG picture that stands alone.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use plotters::prelude::SVGBackend;
use plotters_backend::DrawingBackend;

use super::colour::Colours;
use super::paint::{UNITS, paint};
use super::scene::{Placed, Raster, Scene};

/// Draws a scene of `width` × `height` CSS pixels. `None` if it cannot be encoded.
pub fn svg(scene: &Scene, width: f64, height: f64, dark: bool) -> Option<String> {
    let (w, h) = ((width * UNITS).round(), (height * UNITS).round());
    let mut drawn = String::new();
    {
        let mut backend = SVGBackend::with_string(&mut drawn, (w as u32, h as u32));
        paint(&scene.marks, &mut backend, 1.0).ok()?;
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
        out.push_str(&image(placed, dark)?);
    }
    out.push_str(body);
    Some(out)
}

fn image(placed: &Placed, dark: bool) -> Option<String> {
    let r = placed.rect;
    let [x, y, w, h] = [r.x, r.y, r.w, r.h].map(|v| v * UNITS);
    let data = STANDARD.encode(png(&placed.raster, dark)?);
    Some(format!(
        "<image x=\"{x}\" y=\"{y}\" width=\"{w}\" height=\"{h}\" preserveAspectRatio=\"none\" \
         style=\"image-rendering:pixelated\" href=\"data:image/png;base64,{data}\"/>"
    ))
}

fn png(raster: &Raster, dark: bool) -> Option<Vec<u8>> {
    let mut out = Vec::new();
    let mut encoder = png::Encoder::new(&mut out, raster.width as u32, raster.height as u32);
    encoder.set_color(png::ColorType::Indexed);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_palette(raster.palette.table(dark).concat());
    let mut writer = encoder.write_header().ok()?;
    writer.write_image_data(&raster.shades).ok()?;
    writer.finish().ok()?;
    Some(out)
}
