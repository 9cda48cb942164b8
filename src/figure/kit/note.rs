//! Sentences within a figure, broken into lines that fit, and the room that they take.

use super::colour::Colour;
use super::scene::{Align, Scene, Stand, text_width};
use crate::state::Lang;

/// Size of the letters.
pub const SIZE: f64 = 12.0;
/// Height of a line.
pub const LINE: f64 = 17.0;

/// Breaks a text into lines no wider than `width`, at spaces and between Han characters.
pub fn wrapped(text: &str, size: f64, width: f64) -> Vec<String> {
    let mut lines = Vec::new();
    let mut line = String::new();
    for unit in units(text) {
        let longer = format!("{line}{unit}");
        if text_width(longer.trim_end(), size) > width && !line.trim().is_empty() {
            lines.push(line.trim_end().to_owned());
            line = unit.trim_start().to_owned();
        } else {
            line = longer;
        }
    }
    lines.push(line.trim_end().to_owned());
    lines
}

/// Writes a text below a point; returns the height taken.
pub fn note(scene: &mut Scene, at: (f64, f64), width: f64, text: &str, colour: Colour) -> f64 {
    let lines = wrapped(text, SIZE, width);
    let height = lines.len() as f64 * LINE;
    for (k, line) in lines.into_iter().enumerate() {
        let at = (at.0, at.1 + (k as f64 + 0.5) * LINE);
        scene.text(at, line, SIZE, colour, (Align::Start, Stand::Centre));
    }
    height
}

/// The height that a text needs in the language that needs more.
pub fn room(width: f64, text: impl Fn(Lang) -> String) -> f64 {
    let lines = [Lang::Zh, Lang::En].map(|lang| wrapped(&text(lang), SIZE, width).len());
    lines[0].max(lines[1]) as f64 * LINE
}

/// Pieces that are not broken: words with the spaces after them, Han characters with the signs
/// that may not begin a line.
fn units(text: &str) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    let mut glue = false;
    let mut before = ' ';
    for c in text.chars() {
        let closes = "，。、；：！？）」”…,.;:)]".contains(c) || c == ' ';
        let word = |c: char| !is_han(c) && c != ' ';
        let together = glue || closes || (word(c) && word(before));
        match out.last_mut() {
            Some(unit) if together => unit.push(c),
            _ => out.push(c.to_string()),
        }
        glue = "（「“([".contains(c);
        before = c;
    }
    out
}

fn is_han(c: char) -> bool {
    matches!(c, '\u{2E80}'..='\u{9FFF}' | '\u{F900}'..='\u{FAFF}' | '\u{FF00}'..='\u{FFEF}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_fit_and_lose_nothing() {
        let text = "位置 pos 转过的角度是 pos·ω（弧度），it grows with every position。";
        for width in [60.0, 120.0, 300.0, 2000.0] {
            let lines = wrapped(text, SIZE, width);
            let all: String = lines.concat();
            let bare = |s: &str| s.replace(' ', "");
            assert_eq!(bare(&all), bare(text));
            for line in &lines {
                assert!(text_width(line, SIZE) <= width.max(80.0), "{line}");
                assert!(!line.starts_with(['，', '。', '）']), "{line}");
            }
        }
    }
}
