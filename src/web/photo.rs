//! Decoding an image that the visitor opened. The browser does it; the file leaves it for nowhere.

use leptos::prelude::{document, window};
use wasm_bindgen::JsCast;
use wasm_bindgen_futures::JsFuture;
use web_sys::{
    CanvasRenderingContext2d, File, HtmlCanvasElement, ImageBitmap, ImageBitmapOptions,
    ResizeQuality,
};

use crate::state::Photo;

/// Pixels along a side that are kept; figures show fewer.
const SIDE: u32 = 1024;

/// The image in a file; `None` if the browser cannot read one.
///
/// It is made smaller while it is decoded, so a photo of 40 megapixels takes no more room here
/// than a small one.
pub async fn open(file: &File) -> Option<Photo> {
    let bitmap = match decoded(file, ImageBitmapOptions::set_resize_width).await {
        Some(bitmap) => bitmap,
        // One that is very high would be too high at this width.
        None => decoded(file, ImageBitmapOptions::set_resize_height).await?,
    };
    let photo = pixels(&bitmap);
    bitmap.close();
    photo
}

async fn decoded(file: &File, resize: fn(&ImageBitmapOptions, u32)) -> Option<ImageBitmap> {
    let options = ImageBitmapOptions::new();
    resize(&options, SIDE);
    options.set_resize_quality(ResizeQuality::Medium);
    let answer = window().create_image_bitmap_with_blob_and_image_bitmap_options(file, &options);
    JsFuture::from(answer.ok()?).await.ok()?.dyn_into().ok()
}

/// Red, green and blue, on white where the image is transparent.
fn pixels(bitmap: &ImageBitmap) -> Option<Photo> {
    let longest = bitmap.width().max(bitmap.height());
    let part = f64::from(SIDE) / f64::from(longest.max(SIDE));
    let [w, h] = [bitmap.width(), bitmap.height()].map(|s| (f64::from(s) * part).round().max(1.0));
    let canvas: HtmlCanvasElement = document().create_element("canvas").ok()?.dyn_into().ok()?;
    canvas.set_width(w as u32);
    canvas.set_height(h as u32);
    let context: CanvasRenderingContext2d = canvas.get_context("2d").ok()??.dyn_into().ok()?;
    context.set_fill_style_str("#fff");
    context.fill_rect(0.0, 0.0, w, h);
    context
        .draw_image_with_image_bitmap_and_dw_and_dh(bitmap, 0.0, 0.0, w, h)
        .ok()?;
    let data = context.get_image_data(0.0, 0.0, w, h).ok()?.data();
    let rgb = data.chunks_exact(4).flat_map(|p| [p[0], p[1], p[2]]);
    Photo::new(w as usize, h as usize, rgb.collect())
}
