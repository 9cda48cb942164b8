//! Words for people: the one way from a key of `src/locales` to text in the visitor's language.
//!
//! `say!(lang, "key", name = value)` fills `%{name}` in. A test walks over the sources and fails
//! for a key that lacks a language.
//!
//! Natively the words are part of the program. The page loads them instead, one file a language
//! beside the program, so that its program stays small as the lesson grows.

use std::fmt::Display;

use crate::state::Lang;

/// The text of a key in a language.
#[macro_export]
macro_rules! say {
    ($lang:expr, $key:expr $(, $name:ident = $value:expr)* $(,)?) => {
        $crate::words::say(
            $lang,
            ::std::convert::AsRef::<str>::as_ref(&$key),
            &[$((stringify!($name), &$value as &dyn ::std::fmt::Display)),*],
        )
    };
}

/// The text of a key in a language, with `%{name}` replaced by the value of that name. A key that
/// has no text is its own.
pub fn say(lang: Lang, key: &str, values: &[(&str, &dyn Display)]) -> String {
    let text = table::text(lang, key);
    if values.is_empty() {
        return text;
    }
    let (names, values): (Vec<&str>, Vec<String>) = values
        .iter()
        .map(|(name, v)| (*name, v.to_string()))
        .unzip();
    rust_i18n::replace_patterns(&text, &names, &values)
}

#[cfg(not(feature = "app"))]
mod table {
    use super::Lang;

    /// The text of a key, or the key.
    pub fn text(lang: Lang, key: &str) -> String {
        crate::_rust_i18n_translate(lang.id(), key).into_owned()
    }
}

#[cfg(feature = "app")]
mod table {
    use std::cell::RefCell;

    use serde_json::{Map, Value};

    use super::Lang;

    thread_local! {
        static LOADED: RefCell<Vec<(Lang, Map<String, Value>)>> = RefCell::default();
    }

    /// The text of a key, or the key.
    pub fn text(lang: Lang, key: &str) -> String {
        let found = LOADED.with_borrow(|all| {
            let (_, words) = all.iter().find(|(l, _)| *l == lang)?;
            words.get(key)?.as_str().map(str::to_owned)
        });
        found.unwrap_or_else(|| key.to_owned())
    }

    /// Whether the words of a language are here.
    pub fn has(lang: Lang) -> bool {
        LOADED.with_borrow(|all| all.iter().any(|(l, _)| *l == lang))
    }

    /// Takes the words of a language, a JSON object from key to text; `false` if it is none.
    pub fn take(lang: Lang, json: &str) -> bool {
        let Ok(words) = serde_json::from_str(json) else {
            return false;
        };
        LOADED.with_borrow_mut(|all| all.push((lang, words)));
        true
    }
}

#[cfg(feature = "app")]
pub use table::{has, take};

/// A number for reading: four significant digits, a true minus sign, tiny ones as powers of ten.
pub fn short(x: f64) -> String {
    let text = if x == 0.0 {
        "0".to_owned()
    } else if x.abs() >= 1e6 || x.abs() < 1e-3 {
        power_of_ten(x)
    } else {
        let digits = (3 - x.abs().log10().floor() as i32).clamp(0, 6) as usize;
        trim(&format!("{x:.digits$}")).to_owned()
    };
    text.replace('-', "−")
}

fn trim(text: &str) -> &str {
    if text.contains('.') {
        text.trim_end_matches('0').trim_end_matches('.')
    } else {
        text
    }
}

fn power_of_ten(x: f64) -> String {
    let text = format!("{x:.2e}");
    let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let raised: String = exponent
        .chars()
        .map(|c| match c {
            '-' => '⁻',
            '0' => '⁰',
            '1' => '¹',
            '2' => '²',
            '3' => '³',
            d => char::from_u32('⁴' as u32 + (d as u32 - '4' as u32)).unwrap_or(d),
        })
        .collect();
    match trim(mantissa) {
        "1" => format!("10{raised}"),
        m => format!("{m} × 10{raised}"),
    }
}

#[cfg(test)]
mod tests {
    use super::short;

    #[test]
    fn numbers_for_reading() {
        for (x, text) in [
            (0.0, "0"),
            (1.0, "1"),
            (-0.25, "−0.25"),
            (123.456, "123.5"),
            (10000.0, "10000"),
            (0.99951, "0.9995"),
            (1e-3, "0.001"),
            (1.234e-5, "1.23 × 10⁻⁵"),
            (1e-12, "10⁻¹²"),
            (62831.85, "62832"),
        ] {
            assert_eq!(short(x), text);
        }
    }
}
