//! What each question's answers say and rest on, page by page; here what several pages count with.

mod absolute;
mod compare;
mod context;
mod multimodal;
mod order;
mod relative;
mod rope;

use posenc_lab::core::encoding::sinusoidal::{Layout, Sinusoidal};

/// A question: the numbers that its answers may say beside those of the question itself, and what
/// must hold for the right answer to be right and the wrong ones wrong.
pub type Known = (
    &'static str,
    &'static [&'static str],
    fn() -> Vec<f64>,
    fn(),
);

/// The questions of all pages.
pub fn known() -> impl Iterator<Item = &'static Known> {
    let pages = [
        order::KNOWN,
        absolute::KNOWN,
        relative::KNOWN,
        rope::KNOWN,
        context::KNOWN,
        multimodal::KNOWN,
        compare::KNOWN,
    ];
    pages.into_iter().flatten()
}

fn none() -> Vec<f64> {
    Vec::new()
}

fn sinusoidal(d: usize) -> Sinusoidal {
    Sinusoidal::new(d, 1e4, Layout::Interleaved).expect("valid")
}

/// The cosine of two encodings, from their vectors.
fn alike(pe: &Sinusoidal, a: f64, b: f64) -> f64 {
    let m = pe.matrix(&[a, b]);
    m.row(0).dot(&m.row(1)) / m.row(0).norm() / m.row(1).norm()
}

/// Mean cosine of all pairs.
fn mean_cosine(theta: &[f64], distance: f64) -> f64 {
    theta.iter().map(|w| (w * distance).cos()).sum::<f64>() / theta.len() as f64
}
