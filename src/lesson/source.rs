//! Where a statement of the lesson is from.

use serde_json::{Value, json};

/// A source of a claim.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Source {
    /// What the page itself shows, up to rounding.
    Identity,
    /// A figure of the lab, by its id.
    Figure(String),
    /// A paper, or a file or an issue of a repository.
    Work {
        /// What it is called.
        title: String,
        /// Which part of it, such as `§3.5`; empty for the whole.
        part: String,
        /// Its address.
        href: String,
    },
}

impl Source {
    /// All that it says, in a line.
    pub fn name(&self) -> String {
        match self {
            Self::Identity => "identity".to_owned(),
            Self::Figure(id) => format!("figure: {id}"),
            Self::Work { title, part, .. } if part.is_empty() => title.clone(),
            Self::Work { title, part, .. } => format!("{title}, {part}"),
        }
    }

    /// Puts a work into a list of works, in which each stands once.
    pub fn join(&self, list: &mut Vec<Self>) {
        let Self::Work { part, href, .. } = self else {
            return;
        };
        for known in list.iter_mut() {
            if let Self::Work {
                part: parts,
                href: there,
                ..
            } = known
                && there == href
            {
                if !part.is_empty() && !parts.split("; ").any(|p| p == part) {
                    let comma = if parts.is_empty() { "" } else { "; " };
                    parts.push_str(&format!("{comma}{part}"));
                }
                return;
            }
        }
        list.push(self.clone());
    }

    /// As JSON.
    pub fn to_json(&self) -> Value {
        match self {
            Self::Identity => json!("identity"),
            Self::Figure(id) => json!({"figure": id}),
            Self::Work { title, part, href } => {
                json!({"title": title, "part": part, "href": href})
            }
        }
    }

    /// From JSON; `None` if it is no source.
    pub fn from_json(value: &Value) -> Option<Self> {
        let text = |name| Some(value.get(name)?.as_str()?.to_owned());
        Some(match (value.as_str(), text("figure")) {
            (Some("identity"), _) => Self::Identity,
            (_, Some(id)) => Self::Figure(id),
            _ => Self::Work {
                title: text("title")?,
                part: text("part")?,
                href: text("href")?,
            },
        })
    }
}
