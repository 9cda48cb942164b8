//! LaTeX to MathML, with what the lesson adds: `\hole{name}` for a live number and `\q`, `\k`,
//! `\t` for symbols coloured as queries, keys and the traced cell are in the figures.

use posenc_lab::lesson::live::is_traced;
use pulldown_latex::config::{DisplayMode, RenderConfig};
use pulldown_latex::{Parser, Storage, push_mathml};

/// Colours that stand for classes on the way through the library.
const HUES: [(&str, &str, (u8, u8, u8)); 3] = [
    (r"\q", "hue-query", (1, 2, 3)),
    (r"\k", "hue-key", (1, 2, 4)),
    (r"\t", "hue-traced", (1, 2, 5)),
];

/// MathML of a formula, or what is wrong with it. Appends the names of its holes.
pub fn mathml(latex: &str, block: bool, holes: &mut Vec<String>) -> Result<String, String> {
    let mut names = Vec::new();
    let plain = prepared(latex, &mut names)?;
    let storage = Storage::new();
    let events: Vec<_> = Parser::new(&plain, &storage).collect();
    if let Some(Err(error)) = events.iter().find(|e| e.is_err()) {
        return Err(format!("{latex}: {error}"));
    }
    let mut out = String::new();
    let display_mode = if block {
        DisplayMode::Block
    } else {
        DisplayMode::Inline
    };
    let config = RenderConfig {
        display_mode,
        ..RenderConfig::default()
    };
    push_mathml(&mut out, events.into_iter(), config).map_err(|e| format!("{latex}: {e}"))?;
    for (at, name) in names.iter().enumerate() {
        let text = format!("<mtext>{}</mtext>", sentinel(at));
        if out.matches(&text).count() != 1 {
            return Err(format!(r"{latex}: \hole{{{name}}} cannot stand here"));
        }
        let class = if is_traced(name) {
            "live hue-traced"
        } else {
            "live"
        };
        let hole = format!(r#"<mn class="{class}" data-live="{name}">…</mn>"#);
        out = out.replace(&text, &hole);
    }
    for (_, class, (r, g, b)) in HUES {
        let style = format!(r#" style="color: rgb({r} {g} {b})""#);
        out = out.replace(&style, &format!(r#" class="{class}""#));
    }
    holes.append(&mut names);
    if out.contains("rgb(1 2") || out.contains("<merror") {
        return Err(format!("{latex}: the library makes {out}"));
    }
    Ok(out)
}

/// What stands for the k-th hole: nothing that a formula would contain.
fn sentinel(k: usize) -> String {
    format!("HOLE{k}ELOH")
}

/// LaTeX that the library knows.
fn prepared(latex: &str, holes: &mut Vec<String>) -> Result<String, String> {
    let mut out = String::new();
    let mut rest = latex;
    while let Some(at) = rest.find('\\') {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        let hue = HUES.iter().find(|(c, ..)| {
            rest[c.len().min(rest.len())..].starts_with('{') && rest.starts_with(c)
        });
        if let Some(body) = rest.strip_prefix(r"\hole{") {
            let (name, after) = body
                .split_once('}')
                .ok_or_else(|| format!(r"{latex}: \hole without its end"))?;
            out.push_str(&format!(r"\text{{{}}}", sentinel(holes.len())));
            holes.push(name.to_owned());
            rest = after;
        } else if let Some((command, _, (r, g, b))) = hue {
            let body = &rest[command.len() + 1..];
            let end = closing(body).ok_or_else(|| format!("{latex}: {command} without its end"))?;
            let inner = prepared(&body[..end], holes)?;
            out.push_str(&format!(r"{{\color{{#{r:02x}{g:02x}{b:02x}}}{{{inner}}}}}"));
            rest = &body[end + 1..];
        } else {
            // A command, or an escaped sign, as it stands.
            let next = rest.chars().nth(1).map_or(1, |c| 1 + c.len_utf8());
            out.push_str(&rest[..next]);
            rest = &rest[next..];
        }
    }
    out.push_str(rest);
    Ok(out)
}

/// Where the brace that is open closes.
fn closing(text: &str) -> Option<usize> {
    let mut depth = 1;
    let mut escaped = false;
    for (at, c) in text.char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some(at);
        }
    }
    None
}
