//! An image that the visitor opened. It stays in the browser: the address knows nothing of it.

use std::fmt;
use std::sync::Arc;

/// An image of red, green and blue, three bytes a pixel, row by row. Cheap to copy.
#[derive(Clone)]
pub struct Photo {
    width: usize,
    pixels: Arc<[u8]>,
}

impl Photo {
    /// `None` if there is no pixel, or not three bytes for each of them.
    pub fn new(width: usize, height: usize, pixels: Vec<u8>) -> Option<Self> {
        let whole = width.checked_mul(height)?.checked_mul(3)? == pixels.len();
        (whole && !pixels.is_empty()).then(|| Self {
            width,
            pixels: pixels.into(),
        })
    }

    /// Pixels across.
    pub fn width(&self) -> usize {
        self.width
    }

    /// Pixels down.
    pub fn height(&self) -> usize {
        self.pixels.len() / 3 / self.width
    }

    /// The colour of a pixel; beyond the edge that of the edge.
    pub fn at(&self, x: usize, y: usize) -> [u8; 3] {
        let (x, y) = (x.min(self.width - 1), y.min(self.height() - 1));
        let at = 3 * (y * self.width + x);
        [self.pixels[at], self.pixels[at + 1], self.pixels[at + 2]]
    }
}

/// The same image, not merely an equal one.
impl PartialEq for Photo {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.pixels, &other.pixels)
    }
}

impl fmt::Debug for Photo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} × {} at {:p}",
            self.width,
            self.height(),
            self.pixels.as_ptr()
        )
    }
}
