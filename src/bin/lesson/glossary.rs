//! `src/lesson/glossary.yml`: terms in both languages with what they mean.

use std::collections::BTreeMap;

use serde_json::Value;

/// Terms by their id.
pub struct Glossary(BTreeMap<String, Entry>);

/// A term.
pub struct Entry {
    /// Chinese, English.
    pub term: [String; 2],
    /// What it means, in each.
    pub text: [String; 2],
}

impl Glossary {
    /// Reads the file.
    pub fn parse(yaml: &str) -> Result<Self, String> {
        let all: BTreeMap<String, Value> =
            serde_saphyr::from_str(yaml).map_err(|e| format!("glossary.yml: {e}"))?;
        let mut out = BTreeMap::new();
        for (id, entry) in all {
            let at = |name: &str| {
                let text = entry.get(name).and_then(Value::as_str).map(str::trim);
                text.filter(|t| !t.is_empty())
                    .map(str::to_owned)
                    .ok_or_else(|| format!("glossary.yml: {id} has no {name}"))
            };
            let entry = Entry {
                term: [at("zh")?, at("en")?],
                text: [at("zh_def")?, at("en_def")?],
            };
            out.insert(id, entry);
        }
        Ok(Self(out))
    }

    /// Every term.
    pub fn all(&self) -> impl Iterator<Item = &Entry> {
        self.0.values()
    }

    /// The term with this id.
    pub fn get(&self, id: &str) -> Option<&Entry> {
        self.0.get(id)
    }
}
