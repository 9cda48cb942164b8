//! Reading a real number.

use std::num::IntErrorKind::{NegOverflow, PosOverflow};

use minimal_lexical::parse_float;
use serde_json::Value;

/// The number nearest to a text, by the rules of `str::parse::<f64>`: `.5`, `5.`, `-1e3`, `inf`,
/// `nan`, and an infinity for what is too large. `None` if it is no number.
///
/// `str::parse` would bring 10 kB of powers of five into the page's program.
pub fn real(text: &str) -> Option<f64> {
    let (sign, size) = match text.strip_prefix('-') {
        Some(size) => (-1.0, size),
        None => (1.0, text.strip_prefix('+').unwrap_or(text)),
    };
    let is = |word: &str| size.eq_ignore_ascii_case(word);
    let size = if is("inf") || is("infinity") {
        f64::INFINITY
    } else if is("nan") {
        f64::NAN
    } else {
        decimal(size)?
    };
    Some(sign * size)
}

/// Digits with at most one point, and perhaps a power of ten.
fn decimal(text: &str) -> Option<f64> {
    let (digits, power) = match text.split_once(['e', 'E']) {
        Some((digits, power)) => (digits, whole(power)?),
        None => (text, 0),
    };
    let (before, after) = digits.split_once('.').unwrap_or((digits, ""));
    let all_digits = |text: &str| text.bytes().all(|b| b.is_ascii_digit());
    if !all_digits(before) || !all_digits(after) || (before.is_empty() && after.is_empty()) {
        return None;
    }
    let before = before.trim_start_matches('0').as_bytes();
    let after = after.trim_end_matches('0').as_bytes();
    Some(parse_float(before.iter(), after.iter(), power))
}

/// A whole number; one that is too large is the largest.
fn whole(text: &str) -> Option<i32> {
    text.parse().map_or_else(
        |error: std::num::ParseIntError| match error.kind() {
            PosOverflow => Some(i32::MAX),
            NegOverflow => Some(i32::MIN),
            _ => None,
        },
        Some,
    )
}

/// A number of a JSON text; `None` for anything else and for what is too large.
pub fn json_real(value: &Value) -> Option<f64> {
    real(value.as_number()?.as_str()).filter(|x| x.is_finite())
}
