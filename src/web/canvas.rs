//! A scene on a canvas: rasters by `ImageData`, everything else through plotters-canvas.

use std::sync::Arc;

use js_sys::Uint8ClampedArray;
use plotters_canvas::CanvasBackend;
use wasm_bindgen::JsCast;
use web_sys::{CanvasRenderingContext2d, HtmlCanvasElement, ImageData};

use crate::figure::kit::colour::Colours;
use crate::figure::kit::paint::{UNITS, paint};
use crate::figure::kit::scene::{Placed, Raster, Scene};

/// Most device pixels of one canvas; beyond it the pixel ratio is lowered.
const MAX_PIXELS: f64 = 16e6;

/// A canvas and the pictures of its rasters, kept while they are shown.
#[derive(Default)]
pub struct Painter {
    pictures: Vec<(Arc<Raster>, bool, HtmlCanvasElement)>,
}

/// Width and height in CSS pixels.
pub type Size = (f64, f64);

impl Painter {
    /// Paints the scene. `None` if the browser gives no drawing context.
    pub fn paint(
        &mut self,
        canvas: &HtmlCanvasElement,
        scene: &Scene,
        (width, height): Size,
        pixel_ratio: f64,
        dark: bool,
    ) -> Option<()> {
        let ratio = pixel_ratio.min((MAX_PIXELS / (width * height).max(1.0)).sqrt());
        let (w, h) = (
            (width * ratio).round() as u32,
            (height * ratio).round() as u32,
        );
        // Setting the size clears the canvas and drops its memory, so only when it changes.
        if (canvas.width(), canvas.height()) != (w, h) {
            canvas.set_width(w);
            canvas.set_height(h);
        }
        let context = context(canvas)?;
        context.reset_transform().ok()?;
        let surface = Colours::of(dark).surface;
        context.set_fill_style_str(&surface.css());
        context.fill_rect(0.0, 0.0, f64::from(w), f64::from(h));
        self.pictures.retain(|(r, d, _)| {
            *d == dark && scene.rasters.iter().any(|p| Arc::ptr_eq(&p.raster, r))
        });
        for placed in &scene.rasters {
            self.place(&context, placed, ratio, dark)?;
        }
        context.scale(1.0 / UNITS, 1.0 / UNITS).ok()?;
        let mut backend = CanvasBackend::with_canvas_object(canvas.clone())?;
        paint(&scene.marks, &mut backend, ratio, 1.0).ok()
    }

    fn place(
        &mut self,
        context: &CanvasRenderingContext2d,
        placed: &Placed,
        ratio: f64,
        dark: bool,
    ) -> Option<()> {
        let picture = self.picture(&placed.raster, dark)?;
        let r = placed.rect;
        let [x0, y0, x1, y1] = [r.x, r.y, r.right(), r.bottom()].map(|v| (v * ratio).round());
        // Cells stay sharp when they are enlarged; many cells a pixel are averaged.
        let enlarged =
            x1 - x0 >= f64::from(picture.width()) && y1 - y0 >= f64::from(picture.height());
        context.set_image_smoothing_enabled(!enlarged);
        context
            .draw_image_with_html_canvas_element_and_dw_and_dh(&picture, x0, y0, x1 - x0, y1 - y0)
            .ok()
    }

    /// The raster as a small canvas, one pixel a cell, made once.
    fn picture(&mut self, raster: &Arc<Raster>, dark: bool) -> Option<HtmlCanvasElement> {
        if let Some((_, _, picture)) = self
            .pictures
            .iter()
            .find(|(r, _, _)| Arc::ptr_eq(r, raster))
        {
            return Some(picture.clone());
        }
        let picture = picture(raster, dark)?;
        self.pictures.push((raster.clone(), dark, picture.clone()));
        Some(picture)
    }
}

/// A raster as a small canvas, one pixel a cell.
fn picture(raster: &Raster, dark: bool) -> Option<HtmlCanvasElement> {
    let (w, h) = (raster.width as u32, raster.height as u32);
    let mut pixels = Vec::with_capacity(4 * raster.width * raster.height);
    match raster.palette.map(|p| p.table(dark)) {
        Some(table) => {
            for shade in &raster.shades {
                let [r, g, b] = table[usize::from(*shade)];
                pixels.extend([r, g, b, 255]);
            }
        }
        None => {
            for rgb in raster.shades.chunks_exact(3) {
                pixels.extend([rgb[0], rgb[1], rgb[2], 255]);
            }
        }
    }
    // A copy: a view of the program's memory is lost when that memory grows before it is put.
    let pixels = Uint8ClampedArray::from(pixels.as_slice());
    let data = ImageData::new_with_js_u8_clamped_array_and_sh(&pixels, w, h).ok()?;
    let document = web_sys::window()?.document()?;
    let picture: HtmlCanvasElement = document.create_element("canvas").ok()?.dyn_into().ok()?;
    picture.set_width(w);
    picture.set_height(h);
    context(&picture)?.put_image_data(&data, 0.0, 0.0).ok()?;
    Some(picture)
}

/// A raster as a picture in a data URL.
pub fn data_url(raster: &Raster, dark: bool) -> Option<String> {
    picture(raster, dark)?.to_data_url().ok()
}

fn context(canvas: &HtmlCanvasElement) -> Option<CanvasRenderingContext2d> {
    canvas.get_context("2d").ok()??.dyn_into().ok()
}
