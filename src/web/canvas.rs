//! A scene on a canvas: rasters by `ImageData`, everything else through plotters-canvas.

use std::sync::Arc;

use js_sys::{Uint8ClampedArray, Uint32Array};
use wasm_bindgen::JsCast;
use web_sys::{CanvasRenderingContext2d, HtmlCanvasElement, ImageData};

use super::letters::Letters;
use crate::figure::kit::colour::{Colours, word};
use crate::figure::kit::paint::{UNITS, paint};
use crate::figure::kit::scene::{Placed, Raster, Scene};

/// Most device pixels of one canvas; beyond it the pixel ratio is lowered.
const MAX_PIXELS: f64 = 16e6;
/// Rasters of no more cells are compared cell by cell: legends are made anew for each paint.
const FEW: usize = 1024;

/// A canvas and the pictures of its rasters, kept while they are shown.
#[derive(Default)]
pub struct Painter {
    pictures: Vec<(Arc<Raster>, bool, HtmlCanvasElement)>,
    /// Canvases of pictures that are no longer shown, for the next ones.
    spare: Vec<HtmlCanvasElement>,
    colours: Colouring,
}

/// From shades to pixels, in one buffer.
#[derive(Default)]
struct Colouring {
    words: Vec<u32>,
    /// The same words where the browser sees them: size, the words, the pixels that they are.
    seen: Option<((u32, u32), Uint32Array, ImageData)>,
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
        let gone = self.pictures.extract_if(.., |(r, d, _)| {
            *d != dark || !scene.rasters.iter().any(|p| is_same(&p.raster, r))
        });
        self.spare.extend(gone.map(|(_, _, picture)| picture));
        for placed in &scene.rasters {
            self.place(&context, placed, ratio, dark)?;
        }
        context.scale(1.0 / UNITS, 1.0 / UNITS).ok()?;
        self.spare.clear();
        let mut backend = Letters::on(canvas, &context)?;
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
        if let Some((_, _, picture)) = self.pictures.iter().find(|(r, _, _)| is_same(r, raster)) {
            return Some(picture.clone());
        }
        let spare = self.spare.pop();
        let picture = self.colours.picture(raster, dark, spare)?;
        self.pictures.push((raster.clone(), dark, picture.clone()));
        Some(picture)
    }
}

fn is_same(a: &Arc<Raster>, b: &Arc<Raster>) -> bool {
    Arc::ptr_eq(a, b) || a.shades.len() <= FEW && a == b
}

impl Colouring {
    /// A raster as a small canvas, one pixel a cell.
    fn picture(
        &mut self,
        raster: &Raster,
        dark: bool,
        spare: Option<HtmlCanvasElement>,
    ) -> Option<HtmlCanvasElement> {
        let size = (raster.width as u32, raster.height as u32);
        self.words.clear();
        match raster.palette.map(|p| p.words(dark)) {
            Some(words) => {
                let words = raster.shades.iter().map(|s| words[usize::from(*s)]);
                self.words.extend(words);
            }
            None => {
                let cells = raster.shades.chunks_exact(3);
                self.words.extend(cells.map(|c| word([c[0], c[1], c[2]])));
            }
        }
        if self.seen.as_ref().is_none_or(|(of, _, _)| *of != size) {
            let words = Uint32Array::new_with_length(size.0 * size.1);
            let pixels = Uint8ClampedArray::new(&words.buffer());
            let data = ImageData::new_with_js_u8_clamped_array_and_sh(&pixels, size.0, size.1);
            self.seen = Some((size, words, data.ok()?));
        }
        let (_, words, data) = self.seen.as_ref()?;
        // A copy: a view of the program's memory is lost when that memory grows before it is put.
        words.copy_from(&self.words);
        let picture = match spare {
            Some(picture) => picture,
            None => web_sys::window()?
                .document()?
                .create_element("canvas")
                .ok()?
                .dyn_into()
                .ok()?,
        };
        if (picture.width(), picture.height()) != size {
            picture.set_width(size.0);
            picture.set_height(size.1);
        }
        context(&picture)?.put_image_data(data, 0.0, 0.0).ok()?;
        Some(picture)
    }
}

/// A raster as a picture in a data URL.
pub fn data_url(raster: &Raster, dark: bool) -> Option<String> {
    let picture = Colouring::default().picture(raster, dark, None)?;
    picture.to_data_url().ok()
}

fn context(canvas: &HtmlCanvasElement) -> Option<CanvasRenderingContext2d> {
    canvas.get_context("2d").ok()??.dyn_into().ok()
}
