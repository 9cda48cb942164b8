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
            let at = |part: &str, lang: &str| {
                let text = entry
                    .get(part)
                    .and_then(|p| p.get(lang))
                    .and_then(Value::as_str);
                text.filter(|t| !t.trim().is_empty())
                    .map(|t| t.trim().to_owned())
                    .ok_or_else(|| format!("glossary.yml: {id} has no {part}.{lang}"))
            };
            let entry = Entry {
                term: [at("term", "zh")?, at("term", "en")?],
                text: [at("text", "zh")?, at("text", "en")?],
            };
            out.insert(id, entry);
        }
        Ok(Self(out))
    }

    /// The term with this id.
    pub fn get(&self, id: &str) -> Option<&Entry> {
        self.0.get(id)
    }
}
