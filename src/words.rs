//! Words for people: the one way from a key of `src/locales` to text in the visitor's language.
//!
//! `say!(lang, "key", name = value)` fills `%{name}` in. A test walks over the sources and fails
//! for a key that lacks a language.

/// The text of a key in a language.
#[macro_export]
macro_rules! say {
    ($lang:expr, $key:expr $(, $name:ident = $value:expr)* $(,)?) => {
        rust_i18n::t!($key, locale = $lang.id() $(, $name = $value)*).into_owned()
    };
}

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
