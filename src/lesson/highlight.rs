//! Colours of Python: enough of its grammar to tell comments, texts, numbers and keywords apart.

/// What a piece of code is; the class that the style sheet knows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Names, operators, spaces.
    Plain,
    /// From `#` to the end of the line.
    Comment,
    /// A text in quotes.
    Text,
    /// A number.
    Number,
    /// A word of the language.
    Keyword,
    /// The name of a function or class where it is defined.
    Name,
}

impl Kind {
    /// Its class.
    pub fn class(self) -> &'static str {
        match self {
            Self::Plain => "",
            Self::Comment => "py-comment",
            Self::Text => "py-text",
            Self::Number => "py-number",
            Self::Keyword => "py-keyword",
            Self::Name => "py-name",
        }
    }
}

const KEYWORDS: &[&str] = &[
    "and", "as", "assert", "break", "class", "continue", "def", "del", "elif", "else", "except",
    "False", "finally", "for", "from", "global", "if", "import", "in", "is", "lambda", "None",
    "not", "or", "pass", "raise", "return", "True", "try", "while", "with", "yield",
];

/// One line of Python in pieces that together are the line. Texts do not run over lines in the
/// panels.
pub fn line(code: &str) -> Vec<(Kind, &str)> {
    let mut out: Vec<(Kind, &str)> = Vec::new();
    let mut rest = code;
    let mut defines = false;
    while let Some(first) = rest.chars().next() {
        let (kind, length) = if first == '#' {
            (Kind::Comment, rest.len())
        } else if first == '"' || first == '\'' {
            (Kind::Text, text_length(rest, first))
        } else if first.is_ascii_digit() {
            (Kind::Number, number_length(rest))
        } else if first.is_ascii_alphabetic() || first == '_' {
            let length = prefix(rest, |c| c.is_ascii_alphanumeric() || c == '_');
            let word = &rest[..length];
            // A letter before a quote belongs to the text: f"…".
            let quoted = rest[length..].starts_with(['"', '\'']);
            if quoted && ["f", "r", "b", "rf", "fr"].contains(&word) {
                let quote = rest.as_bytes()[length] as char;
                (Kind::Text, length + text_length(&rest[length..], quote))
            } else if KEYWORDS.contains(&word) {
                (Kind::Keyword, length)
            } else if defines {
                (Kind::Name, length)
            } else {
                (Kind::Plain, length)
            }
        } else {
            (Kind::Plain, first.len_utf8())
        };
        let (piece, after) = rest.split_at(length);
        if !piece.trim().is_empty() {
            defines = kind == Kind::Keyword && (piece == "def" || piece == "class");
        }
        match out.last_mut() {
            Some((before, text)) if *before == kind && kind == Kind::Plain => {
                let start = code.len() - rest.len() - text.len();
                *text = &code[start..code.len() - after.len()];
            }
            _ => out.push((kind, piece)),
        }
        rest = after;
    }
    out
}

fn prefix(text: &str, belongs: impl Fn(char) -> bool) -> usize {
    text.find(|c| !belongs(c)).unwrap_or(text.len())
}

fn text_length(text: &str, quote: char) -> usize {
    let mut escaped = false;
    // Behind the quote that opens it.
    for (at, c) in text.char_indices().skip(1) {
        if escaped {
            escaped = false;
        } else if c == '\\' {
            escaped = true;
        } else if c == quote {
            return at + 1;
        }
    }
    text.len()
}

fn number_length(text: &str) -> usize {
    let mut before = ' ';
    text.find(|c: char| {
        let sign = (c == '-' || c == '+') && (before == 'e' || before == 'E');
        let belongs = c.is_ascii_alphanumeric() || c == '.' || c == '_' || sign;
        before = c;
        !belongs
    })
    .unwrap_or(text.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_are_the_line() {
        for (_, template) in crate::lesson::code::CODE {
            for code in template.lines() {
                let all: String = line(code).iter().map(|(_, t)| *t).collect();
                assert_eq!(all, code);
            }
        }
    }

    #[test]
    fn kinds() {
        let told = |code| {
            let kinds = line(code).into_iter().filter(|(k, _)| *k != Kind::Plain);
            kinds.map(|(k, t)| (k.class(), t)).collect::<Vec<_>>()
        };
        assert_eq!(
            told("def angle(x):  # def \"a\""),
            [
                ("py-keyword", "def"),
                ("py-name", "angle"),
                ("py-comment", "# def \"a\"")
            ]
        );
        assert_eq!(
            told("x1 = 1e-4 * f\"a # {b}\" + 'it\\'s' - 10000.0"),
            [
                ("py-number", "1e-4"),
                ("py-text", "f\"a # {b}\""),
                ("py-text", "'it\\'s'"),
                ("py-number", "10000.0")
            ]
        );
        assert_eq!(told("formula = information"), []);
    }
}
