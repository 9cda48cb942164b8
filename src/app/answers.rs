//! What the visitor has answered, remembered on their own machine.

use std::collections::BTreeMap;

use leptos::prelude::*;
use serde_json::{Map, Value};

use crate::lesson::piece::Block;
use crate::web::storage;

/// The name under which it is kept.
const KEPT: &str = "posenc-lab:answers";
/// Stands for an answer where the visitor only wanted to see.
pub const SKIPPED: &str = "skip";

/// Answers by `page/question`; `done/page` says that all checks of a page are done.
#[derive(Clone, Copy)]
pub struct Answers(RwSignal<BTreeMap<String, String>>);

impl Answers {
    /// Those of earlier visits, if the browser remembers any.
    pub fn remembered() -> Self {
        let kept = storage::read(KEPT).and_then(|t| serde_json::from_str::<Value>(&t).ok());
        let map = kept.as_ref().and_then(Value::as_object);
        let entry = |(k, v): (&String, &Value)| Some((k.clone(), v.as_str()?.to_owned()));
        let answers = map.map(|m| m.iter().filter_map(entry).collect());
        Self(RwSignal::new(answers.unwrap_or_default()))
    }

    /// The answer to a question.
    pub fn get(self, key: &str) -> Option<String> {
        self.0.read().get(key).cloned()
    }

    /// Answers a question.
    pub fn set(self, key: &str, answer: &str) {
        if self
            .0
            .read_untracked()
            .get(key)
            .is_some_and(|a| a == answer)
        {
            return;
        }
        self.0.update(|a| {
            a.insert(key.to_owned(), answer.to_owned());
        });
        self.keep();
    }

    /// Forgets everything.
    pub fn forget(self) {
        self.0.update(BTreeMap::clear);
        self.keep();
    }

    /// Whether there is anything to forget.
    pub fn any(self) -> bool {
        !self.0.read().is_empty()
    }

    /// Whether a check is done: answered rightly.
    pub fn is_right(self, page: &str, check: &Block) -> bool {
        let answer = check.check().and_then(|id| self.get(&key(page, id)));
        match (check, answer) {
            (_, None) => false,
            (Block::Choice { answers, .. }, Some(a)) => {
                let chosen = a.parse().ok().and_then(|k: usize| answers.get(k));
                chosen.is_some_and(|a| a.right)
            }
            _ => true,
        }
    }

    /// Whether all checks of a page are done.
    pub fn page_done(self, page: &str) -> bool {
        self.get(&key("done", page)).is_some()
    }

    fn keep(self) {
        let all = self.0.read_untracked();
        let entry = |(k, v): (&String, &String)| (k.clone(), Value::from(v.as_str()));
        let map: Map<String, Value> = all.iter().map(entry).collect();
        storage::write(KEPT, &Value::Object(map).to_string());
    }
}

/// The key of a question of a page.
pub fn key(page: &str, id: &str) -> String {
    format!("{page}/{id}")
}
