//! Numbers and lists as people and addresses write them.

use super::real;

/// Largest size of an edited bias: beyond it softmax is a step anyway.
pub(super) const MAX_BIAS: f64 = 1000.0;

/// The shortest text that reads back as the same number.
pub fn number(x: f64) -> String {
    let size = x.abs();
    if x == 0.0 || (1e-5..1e15).contains(&size) {
        format!("{x}")
    } else {
        format!("{x:e}")
    }
}

/// The nearest whole number, halves down.
pub(super) fn nearest_int(x: f64) -> i64 {
    (x - 0.5).ceil() as i64
}

/// A number within `min..=max`, and what was wrong with it. `None` if it is no number.
pub(super) fn read_number(text: &str, min: f64, max: f64) -> (Option<f64>, Option<&'static str>) {
    // Chinese input methods type full-width digits.
    let plain: String = text.trim().chars().map(half_width).collect();
    match real(&plain) {
        Some(x) if x < min => (Some(min), Some("out-of-range")),
        Some(x) if x > max => (Some(max), Some("out-of-range")),
        // −0 is 0.
        Some(x) if !x.is_nan() => (Some(x + 0.0), None),
        _ => (None, Some("not-a-number")),
    }
}

pub(super) fn half_width(c: char) -> char {
    match c {
        '\u{FF01}'..='\u{FF5E}' => char::from_u32(c as u32 - 0xFEE0).unwrap_or(c),
        '−' => '-',
        _ => c,
    }
}

/// A number as people write it, with spaces or in full width; `None` if it is none or not finite.
pub fn typed_number(text: &str) -> Option<f64> {
    let spaceless = text.chars().filter(|c| !c.is_whitespace());
    let plain: String = spaceless.map(half_width).collect();
    real(&plain).filter(|x| x.is_finite())
}

pub(super) fn names(text: &str) -> Vec<String> {
    text.split(',')
        .map(str::trim)
        .filter(|n| !n.is_empty())
        .map(str::to_owned)
        .collect()
}
