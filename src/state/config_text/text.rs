//! The text as JSON: what Python's reader takes, and what surrounds a configuration that was copied from somewhere.

use std::borrow::Cow;

use serde_json::{Map, Value as Json};

/// Why a text is no object of JSON.
pub(super) enum Wrong {
    /// It is JSON, but no object.
    NotObject(String),
    /// It is no JSON.
    Json {
        /// Counted from 1.
        line: usize,
        /// Counted from 1.
        column: usize,
        /// In the words of the parser.
        what: String,
    },
    /// The bytes are no text.
    NotText,
}

/// The text of a file: UTF-8, or UTF-16 with its mark at the start or with the zero bytes that ASCII has in it.
pub(super) fn decode(bytes: &[u8]) -> Result<Cow<'_, str>, Wrong> {
    let wide = |big: bool, bytes: &[u8]| {
        let units: Vec<u16> = bytes
            .chunks_exact(2)
            .map(|b| {
                let pair = [b[0], b[1]];
                if big {
                    u16::from_be_bytes(pair)
                } else {
                    u16::from_le_bytes(pair)
                }
            })
            .collect();
        if bytes.len() % 2 == 1 {
            return Err(Wrong::NotText);
        }
        String::from_utf16(&units)
            .map(Cow::Owned)
            .map_err(|_| Wrong::NotText)
    };
    match bytes {
        [0xFF, 0xFE, rest @ ..] => wide(false, rest),
        [0xFE, 0xFF, rest @ ..] => wide(true, rest),
        [a, 0, ..] if *a != 0 => wide(false, bytes),
        [0, a, ..] if *a != 0 => wide(true, bytes),
        _ => std::str::from_utf8(bytes)
            .map(Cow::Borrowed)
            .map_err(|_| Wrong::NotText),
    }
}

/// The text as an object; a bare `"rope_scaling": {…}` is taken too.
pub(super) fn object(text: &str) -> Result<Map<String, Json>, Wrong> {
    let plain = plain(text);
    let bare = plain.trim().trim_end_matches(',');
    let wrapped = bare.starts_with('"').then(|| format!("{{{bare}}}"));
    let parsed = wrapped
        .and_then(|t| serde_json::from_str::<Json>(&t).ok())
        .map_or_else(|| serde_json::from_str::<Json>(&plain), Ok);
    match parsed {
        Ok(Json::Object(object)) => Ok(object),
        Ok(other) => Err(Wrong::NotObject(other.to_string())),
        Err(e) => {
            let what = e.to_string();
            let what = what.split(" at line ").next().unwrap_or_default();
            Err(Wrong::Json {
                line: e.line(),
                column: e.column(),
                what: what.to_owned(),
            })
        }
    }
}

/// Whether a text says nothing at all.
pub(super) fn is_empty(text: &str) -> bool {
    text.trim_matches(|c: char| c.is_whitespace() || c == '\u{FEFF}')
        .is_empty()
}

/// The same text with blanks, so that places stay as they are, for a mark of byte order, a Markdown fence, comments
/// and a comma before a closing bracket. NaN and the infinities, which Python writes and JSON does not have, become
/// texts: whoever needs a number there says so.
fn plain(text: &str) -> String {
    let text = text.replace('\u{FEFF}', " ");
    let mut out = String::with_capacity(text.len());
    let mut rest = text.as_str();
    // The last comma, if only blanks followed it.
    let mut comma = None;
    while let Some(c) = rest.chars().next() {
        let line_start = out
            .rfind('\n')
            .map_or(out.as_str(), |at| &out[at + 1..])
            .trim()
            .is_empty();
        let blank = |out: &mut String, part: &str| {
            out.extend(part.chars().map(|c| if c == '\n' { '\n' } else { ' ' }));
        };
        let taken = if c == '"' {
            let end = string_end(rest);
            out.push_str(&rest[..end]);
            comma = None;
            end
        } else if rest.starts_with("//")
            || (c == '#' && line_start)
            || (rest.starts_with("```") && line_start)
        {
            let end = rest.find('\n').unwrap_or(rest.len());
            blank(&mut out, &rest[..end]);
            end
        } else if rest.starts_with("/*") {
            let end = rest.find("*/").map_or(rest.len(), |at| at + 2);
            blank(&mut out, &rest[..end]);
            end
        } else if let Some(word) = ["NaN", "-Infinity", "Infinity"]
            .into_iter()
            .find(|w| rest.starts_with(w))
        {
            out.push('"');
            out.push_str(word);
            out.push('"');
            comma = None;
            word.len()
        } else {
            match c {
                ',' => comma = Some(out.len()),
                '}' | ']' => {
                    if let Some(at) = comma.take()
                        && follows_value(&out[..at])
                    {
                        out.replace_range(at..=at, " ");
                    }
                }
                _ if c.is_whitespace() => {}
                _ => comma = None,
            }
            out.push(c);
            c.len_utf8()
        };
        rest = &rest[taken..];
    }
    out
}

/// Whether a comma there closes an element: two commas in a row are a mistake, not a style.
fn follows_value(before: &str) -> bool {
    before
        .trim_end()
        .ends_with(|c: char| c == '"' || c == '}' || c == ']' || c.is_alphanumeric() || c == '.')
}

/// Length of the string that the text begins with, both quotes included.
fn string_end(text: &str) -> usize {
    let mut escaped = false;
    // Behind the quote that opens it.
    for (at, c) in text.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => return at + 1,
            _ => {}
        }
    }
    text.len()
}
