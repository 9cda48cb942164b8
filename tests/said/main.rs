//! Every number that the texts say, computed from the core, and found in the texts of both
//! languages as it is written there.

mod order_to_relative;
mod rope_and_context;
mod several;
mod walks;

use std::fs;

use posenc_lab::figure::page_of;
use posenc_lab::state::{Params, decode, resolve};

/// Parameters of an address.
fn params(query: &str) -> Params {
    resolve(&decode(query).0, page_of).0
}

/// A page's texts in both languages.
fn texts(page: &str) -> [String; 2] {
    ["zh", "en"].map(|lang| {
        let path = format!("src/lesson/{page}.{lang}.md");
        fs::read_to_string(&path).unwrap_or_else(|e| panic!("{path}: {e}"))
    })
}

/// The words of figures in a file of `src/locales`, in both languages.
fn captions(name: &str) -> [String; 2] {
    let path = format!("src/locales/{name}.yml");
    let all = fs::read_to_string(&path).unwrap_or_else(|e| panic!("{path}: {e}"));
    let pairs = all.lines().filter_map(|l| l.split_once("\", en: \""));
    let (zh, en): (Vec<_>, Vec<_>) = pairs.unzip();
    [zh.join("\n"), en.join("\n")]
}

/// Whether a text has a number as a whole, not as a part of a longer one.
fn has(text: &str, number: &str) -> bool {
    text.match_indices(number).any(|(at, _)| {
        let before = text[..at].chars().next_back();
        let mut after = text[at + number.len()..].chars();
        let (next, second) = (after.next(), after.next());
        let digit = |c: Option<char>| c.is_some_and(|c| c.is_ascii_digit());
        let longer = digit(next) || (next == Some('.') && digit(second));
        !digit(before) && before != Some('.') && !longer
    })
}

/// Each number of a page as it is written, to which unit it is rounded, and what it is.
fn said(page: &str, numbers: &[(&str, f64, f64)]) {
    said_in(page, &texts(page), numbers);
}

/// The same of words that are given.
fn said_in(page: &str, texts: &[String; 2], numbers: &[(&str, f64, f64)]) {
    for (written, unit, value) in numbers {
        let number: f64 = written.replace('−', "-").parse().expect(written);
        let off = (number - value).abs();
        assert!(off <= unit / 2.0 + 1e-12, "{page}: {written}, but {value}");
        for text in texts {
            assert!(has(text, written), "{page}: {written} is not said");
        }
    }
}

/// What rotation takes of the multiplications of a layer's attention, in percent.
fn share(n: f64, d: f64) -> f64 {
    let (rotation, projections, attention) = (4.0 * n * d, 4.0 * n * d * d, 2.0 * n * n * d);
    100.0 * rotation / (projections + attention)
}

#[test]
fn a_number_is_found_as_a_whole_only() {
    assert!(has("about 0.13%, or 4.", "0.13") && has("or 4.", "4"));
    assert!(!has("0.130", "0.13") && !has("10.13", "0.13") && !has("4.5", "4"));
}
