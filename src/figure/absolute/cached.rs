//! A raster made for the pixels that there are, kept until their number changes.

use std::sync::{Arc, Mutex};

use crate::figure::kit::scene::Raster;

/// Cells that share a pixel, down and across.
pub(super) type Blocks = (usize, usize);

/// The last raster that was drawn: a page asks for the same one at every step of the traced cell.
#[derive(Default)]
pub(super) struct Cached(Mutex<Option<(Blocks, Arc<Raster>)>>);

impl Cached {
    /// The raster for these blocks, made anew only if it is not the last one.
    pub(super) fn get(&self, blocks: Blocks, make: impl FnOnce() -> Arc<Raster>) -> Arc<Raster> {
        // A lock that another thread left broken is no reason to draw nothing.
        let Ok(mut last) = self.0.lock() else {
            return make();
        };
        if let Some((of, raster)) = last.as_ref()
            && *of == blocks
        {
            return raster.clone();
        }
        let raster = make();
        *last = Some((blocks, raster.clone()));
        raster
    }
}

/// How many of `cells` share one of `room` pixels.
pub(super) fn block(cells: usize, room: f64) -> usize {
    cells.div_ceil((room as usize).max(1)).max(1)
}
