//! plotters-canvas with a font that is set only where it changes: a canvas reads the whole list of fonts each time.

use plotters_backend::text_anchor::{HPos, VPos};
use plotters_backend::{
    BackendColor, BackendCoord, BackendStyle, BackendTextStyle, DrawingBackend, DrawingErrorKind,
    FontTransform,
};
use plotters_canvas::CanvasBackend;
use web_sys::{CanvasRenderingContext2d, HtmlCanvasElement};

use crate::figure::kit::colour::Colour;

/// A canvas to be drawn on.
pub struct Letters {
    inner: CanvasBackend,
    context: CanvasRenderingContext2d,
    font: (String, f64),
}

type Done<E> = Result<(), DrawingErrorKind<E>>;

impl Letters {
    /// Draws on a canvas. `None` if the browser gives no drawing context.
    pub fn on(canvas: &HtmlCanvasElement, context: &CanvasRenderingContext2d) -> Option<Self> {
        Some(Self {
            inner: CanvasBackend::with_canvas_object(canvas.clone())?,
            context: context.clone(),
            font: (String::new(), 0.0),
        })
    }
}

impl DrawingBackend for Letters {
    type ErrorType = <CanvasBackend as DrawingBackend>::ErrorType;

    fn get_size(&self) -> (u32, u32) {
        self.inner.get_size()
    }

    fn ensure_prepared(&mut self) -> Done<Self::ErrorType> {
        self.inner.ensure_prepared()
    }

    fn present(&mut self) -> Done<Self::ErrorType> {
        self.inner.present()
    }

    fn draw_pixel(&mut self, at: BackendCoord, colour: BackendColor) -> Done<Self::ErrorType> {
        self.inner.draw_pixel(at, colour)
    }

    fn draw_rect<S: BackendStyle>(
        &mut self,
        from: BackendCoord,
        to: BackendCoord,
        style: &S,
        fill: bool,
    ) -> Done<Self::ErrorType> {
        self.inner.draw_rect(from, to, style, fill)
    }

    fn draw_path<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(
        &mut self,
        path: I,
        style: &S,
    ) -> Done<Self::ErrorType> {
        self.inner.draw_path(path, style)
    }

    fn fill_polygon<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(
        &mut self,
        corners: I,
        style: &S,
    ) -> Done<Self::ErrorType> {
        self.inner.fill_polygon(corners, style)
    }

    fn draw_circle<S: BackendStyle>(
        &mut self,
        centre: BackendCoord,
        radius: u32,
        style: &S,
        fill: bool,
    ) -> Done<Self::ErrorType> {
        self.inner.draw_circle(centre, radius, style, fill)
    }

    fn draw_text<S: BackendTextStyle>(
        &mut self,
        text: &str,
        style: &S,
        (x, y): BackendCoord,
    ) -> Done<Self::ErrorType> {
        let (family, size) = (style.family(), style.size());
        if (self.font.0.as_str(), self.font.1) != (family.as_str(), size) {
            let (style, family) = (style.style(), family.as_str());
            self.context
                .set_font(&format!("{} {size}px {family}", style.as_str()));
            self.font = (family.to_owned(), size);
        }
        self.context.set_text_align(match style.anchor().h_pos {
            HPos::Left => "start",
            HPos::Center => "center",
            HPos::Right => "end",
        });
        self.context.set_text_baseline(match style.anchor().v_pos {
            VPos::Top => "top",
            VPos::Center => "middle",
            VPos::Bottom => "bottom",
        });
        let colour = style.color();
        let (r, g, b) = colour.rgb;
        let colour = Colour {
            rgb: [r, g, b],
            alpha: colour.alpha,
        };
        self.context.set_fill_style_str(&colour.css());
        let quarters = match style.transform() {
            FontTransform::None => 0.0,
            FontTransform::Rotate90 => 1.0,
            FontTransform::Rotate180 => 2.0,
            FontTransform::Rotate270 => 3.0,
        };
        let (x, y) = (f64::from(x), f64::from(y));
        // A text that cannot be written is left out, as the browser leaves out what it cannot draw.
        if quarters == 0.0 {
            let _ = self.context.fill_text(text, x, y);
        } else {
            self.context.save();
            let _ = self.context.translate(x, y);
            let _ = self.context.rotate(quarters * std::f64::consts::FRAC_PI_2);
            let _ = self.context.fill_text(text, 0.0, 0.0);
            self.context.restore();
        }
        Ok(())
    }
}
