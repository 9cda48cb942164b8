//! Whether two written scenes are the same but for rounding.

/// A piece of a line: a number, or what stands between numbers.
#[derive(Debug, PartialEq)]
enum Piece {
    Number(f64),
    Text(String),
}

/// Powers of ten as figures write them, "1.5 × 10⁻³", as "1.5e-3".
fn plain(line: &str) -> String {
    let mut out = String::new();
    let raised = "⁰¹²³⁴⁵⁶⁷⁸⁹";
    let mut in_power = false;
    for c in line.chars() {
        let digit = raised.chars().position(|r| r == c);
        if c == '⁻' || digit.is_some() {
            if !in_power {
                let mantissa = out.strip_suffix(" × 10").map(str::to_owned);
                let bare = out.strip_suffix("10").map(|o| format!("{o}1"));
                out = mantissa.or(bare).unwrap_or(out);
                out.push('e');
            }
            in_power = true;
            match digit {
                Some(d) => out.push_str(&d.to_string()),
                None => out.push('-'),
            }
        } else {
            in_power = false;
            out.push(if c == '−' { '-' } else { c });
        }
    }
    out
}

fn pieces(line: &str) -> Vec<Piece> {
    let line = plain(line);
    let chars: Vec<char> = line.chars().collect();
    let mut out = Vec::new();
    let mut text = String::new();
    let mut at = 0;
    while at < chars.len() {
        // A colour is no number.
        let hex = chars[at] == '#';
        let minus = chars[at] == '-' && chars.get(at + 1).is_some_and(char::is_ascii_digit);
        if !hex && (chars[at].is_ascii_digit() || minus) {
            let mut end = at + 1;
            while end < chars.len() {
                let c = chars[end];
                let next_is_digit = |k: usize| chars.get(k).is_some_and(char::is_ascii_digit);
                let goes_on = c.is_ascii_digit()
                    || (c == '.' && next_is_digit(end + 1))
                    || (c == 'e' && next_is_digit(end + 1))
                    || (c == 'e' && chars.get(end + 1) == Some(&'-') && next_is_digit(end + 2))
                    || (c == '-' && chars[end - 1] == 'e');
                if !goes_on {
                    break;
                }
                end += 1;
            }
            let number: String = chars[at..end].iter().collect();
            match number.parse() {
                Ok(x) => {
                    out.push(Piece::Text(std::mem::take(&mut text)));
                    out.push(Piece::Number(x));
                }
                Err(_) => text.push_str(&number),
            }
            at = end;
            continue;
        }
        let end = if hex {
            (at + 7).min(chars.len())
        } else {
            at + 1
        };
        text.extend(&chars[at..end]);
        at = end;
    }
    out.push(Piece::Text(text));
    out
}

/// Whether two numbers of a line of this kind are the same but for rounding.
fn same(kind: &str, a: f64, b: f64) -> bool {
    let off = (a - b).abs();
    let size = a.abs().max(b.abs());
    match kind {
        "number" => off <= 2e-5 * size + 1e-9,
        // Counts are exact.
        "say" if a.fract() == 0.0 && b.fract() == 0.0 => off == 0.0,
        "say" => off <= 2e-3 * size + 1e-9,
        // A shade more in some of the cells.
        "" => off <= 0.6,
        _ => off <= 0.15,
    }
}

/// The first line in which two texts differ.
pub fn difference(wanted: &str, got: &str) -> Option<String> {
    let (mut a, mut b) = (wanted.lines(), got.lines());
    for at in 1.. {
        let (x, y) = match (a.next(), b.next()) {
            (None, None) => return None,
            (x, y) => (x.unwrap_or("(nothing)"), y.unwrap_or("(nothing)")),
        };
        let kind = x.split(' ').next().unwrap_or_default();
        // What stands behind `say` is for reading.
        let (x_parts, y_parts) = (pieces(x), pieces(y));
        let mut spoken = kind == "text" || kind == "say";
        let alike = x_parts.len() == y_parts.len()
            && x_parts.iter().zip(&y_parts).all(|(p, q)| match (p, q) {
                (Piece::Number(p), Piece::Number(q)) => same(
                    if spoken && kind != "text" {
                        "say"
                    } else {
                        kind
                    },
                    *p,
                    *q,
                ),
                (Piece::Text(p), Piece::Text(q)) => {
                    spoken |= p.contains(" say ");
                    p == q
                }
                _ => false,
            });
        if !alike {
            return Some(format!("line {at}:\n  - {x}\n  + {y}"));
        }
    }
    None
}

/// The comparison sees what it is for, and only that.
#[test]
fn rounding_is_no_change_and_a_sign_is_one() {
    let same = |a: &str, b: &str| difference(a, b).is_none();
    assert!(same(
        "line #aa12ff 2 2: 1.1,2 3,4",
        "line #aa12ff 2 2: 1.2,2 3,4"
    ));
    assert!(!same(
        "line #aa12ff 2 2: 1.1,2 3,4",
        "line #aa12ff 2 2: 1.3,2 3,4"
    ));
    assert!(!same("line #aa12ff 2 2: 1,2", "line #aa13ff 2 2: 1,2"));
    assert!(!same(
        "text #000000 1,2 Start/Below 11 +1",
        "text #000000 1,2 Start/Below 11 −1"
    ));
    assert!(same(
        "say the error is 2.2 × 10⁻¹⁶",
        "say the error is 4.44 × 10⁻¹⁶"
    ));
    assert!(!same(
        "say the error is 2.2 × 10⁻³",
        "say the error is 2.2 × 10⁻²"
    ));
    assert!(!same(
        "number score 1.23456e-1 say score: 0.12",
        "number score 1.23556e-1 say score: 0.12"
    ));
    assert!(same(
        "number score 1.23456e-1 say a: 0.1235",
        "number score 1.23457e-1 say a: 0.1234"
    ));
    assert!(!same("say 8192 pairs", "say 8193 pairs"));
    assert!(!same("say a", "say b") && !same("say a", ""));
    assert!(same("  12 13.5", "  12.5 13.1") && !same("  12 13", "  13 12"));
}
