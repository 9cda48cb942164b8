//! Rasters as PNG pictures.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use posenc_lab::figure::kit::scene::Raster;

/// A raster as a PNG picture in a data URL; none if it cannot be encoded.
pub fn png_url(raster: &Raster, dark: bool) -> Option<String> {
    let mut out = Vec::new();
    let mut encoder = png::Encoder::new(&mut out, raster.width as u32, raster.height as u32);
    encoder.set_depth(png::BitDepth::Eight);
    match raster.palette {
        Some(palette) => {
            encoder.set_color(png::ColorType::Indexed);
            encoder.set_palette(palette.table(dark).concat());
        }
        None => encoder.set_color(png::ColorType::Rgb),
    }
    let mut writer = encoder.write_header().ok()?;
    writer.write_image_data(&raster.shades).ok()?;
    writer.finish().ok()?;
    let data = STANDARD.encode(out);
    Some(format!("data:image/png;base64,{data}"))
}
