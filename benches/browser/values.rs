//! The table of sinusoidal values as the page's program computes it, for benches/page.mjs to call in a browser.

use posenc_lab::core::encoding::sinusoidal::{Layout, Sinusoidal, positions};
use wasm_bindgen::prelude::wasm_bindgen;

/// Computes `[n, n]` values and returns the last, so that none is left out.
#[wasm_bindgen]
pub fn values(n: usize) -> f64 {
    let pe = Sinusoidal::new(n, 1e4, Layout::Interleaved);
    let table = pe.map(|pe| pe.matrix(&positions(0..n)));
    table.map_or(f64::NAN, |t| t[(n - 1, n - 1)])
}

fn main() {}
