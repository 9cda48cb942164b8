//! What can be looked for: pages, headings, figures and terms. The build makes the list; the page loads it when
//! the visitor looks for something.

use serde_json::{Value, json};

/// What an entry is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A page.
    Page,
    /// A heading of a page's text.
    Heading,
    /// A figure.
    Figure,
    /// A term of the glossary.
    Term,
}

impl Kind {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Page, Self::Heading, Self::Figure, Self::Term];

    /// Its name in the list and among the words.
    pub fn id(self) -> &'static str {
        match self {
            Self::Page => "page",
            Self::Heading => "heading",
            Self::Figure => "figure",
            Self::Term => "term",
        }
    }
}

/// Something to be found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// What it is.
    pub kind: Kind,
    /// What it is called.
    pub title: String,
    /// What it says; of a term what it means.
    pub text: String,
    /// Id of the page that it is on; empty for a term.
    pub page: String,
    /// Id of its place on the page; empty for the page itself.
    pub place: String,
}

impl Entry {
    /// As the build writes it.
    pub fn to_json(&self) -> Value {
        json!([self.kind.id(), self.title, self.text, self.page, self.place])
    }

    fn parse(value: &Value) -> Option<Self> {
        let at = |k: usize| Some(value.get(k)?.as_str()?.to_owned());
        let kind = at(0)?;
        Some(Self {
            kind: Kind::ALL.into_iter().find(|k| k.id() == kind)?,
            title: at(1)?,
            text: at(2)?,
            page: at(3)?,
            place: at(4)?,
        })
    }
}

/// Reads the list; `None` if it is no such list.
pub fn parse(text: &str) -> Option<Vec<Entry>> {
    let value: Value = serde_json::from_str(text).ok()?;
    value.as_array()?.iter().map(Entry::parse).collect()
}

/// The entries in which all words of the query stand, best first: those whose title begins with it, whose title
/// has it, then those whose text has it. Without a query, the terms: the glossary.
pub fn find<'a>(all: &'a [Entry], query: &str) -> Vec<&'a Entry> {
    let query = query.trim().to_lowercase();
    if query.is_empty() {
        return all.iter().filter(|e| e.kind == Kind::Term).collect();
    }
    let rank = |e: &Entry| {
        let (title, text) = (e.title.to_lowercase(), e.text.to_lowercase());
        let mut words = query.split_whitespace();
        if title.starts_with(&query) {
            Some(0)
        } else if words.clone().all(|w| title.contains(w)) {
            Some(1)
        } else {
            words
                .all(|w| title.contains(w) || text.contains(w))
                .then_some(2)
        }
    };
    let mut found: Vec<_> = all.iter().filter_map(|e| Some((rank(e)?, e))).collect();
    found.sort_by_key(|(rank, _)| *rank);
    found.into_iter().map(|(_, e)| e).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(kind: Kind, title: &str, text: &str) -> Entry {
        Entry {
            kind,
            title: title.to_owned(),
            text: text.to_owned(),
            page: String::new(),
            place: String::new(),
        }
    }

    fn titles(query: &str) -> Vec<String> {
        let all = [
            entry(Kind::Figure, "Score by distance", "RoPE"),
            entry(Kind::Term, "NTK", "a remedy of RoPE"),
            entry(Kind::Page, "RoPE", "turn each pair"),
            entry(Kind::Term, "旋转编码 RoPE", "把每一对转一个角"),
        ];
        let found = find(&all, query);
        found.into_iter().map(|e| e.title.clone()).collect()
    }

    #[test]
    fn what_begins_with_the_query_comes_first() {
        assert_eq!(
            titles("rope"),
            ["RoPE", "旋转编码 RoPE", "Score by distance", "NTK"]
        );
        assert_eq!(titles("remedy rope"), ["NTK"]);
        assert_eq!(titles("旋转"), ["旋转编码 RoPE"]);
        assert!(titles("nothing").is_empty());
    }

    #[test]
    fn without_a_query_there_is_the_glossary() {
        assert_eq!(titles("  "), ["NTK", "旋转编码 RoPE"]);
    }

    #[test]
    fn the_list_is_read_as_it_was_written() {
        let one = entry(Kind::Heading, "标题", "");
        let text = json!([one.to_json()]).to_string();
        assert_eq!(parse(&text), Some(vec![one]));
        assert_eq!(parse("[[\"other\",\"\",\"\",\"\",\"\"]]"), None);
    }
}
