//! What the visitor has answered, remembered on their own machine.

use leptos::prelude::*;
use serde_json::{Map, Value};

use super::lasting::Lasting;
use crate::lesson::piece::Block;
use crate::web::storage;

/// The name under which it is kept.
const KEPT: &str = "posenc-lab:answers";
/// Stands for an answer where the visitor only wanted to see.
pub const SKIPPED: &str = "skip";
/// Stands for an answer that was put into a figure and is not right there.
pub const WRONG: &str = "wrong";

/// Answers by `page/question`; `done/page` says that all checks of a page are done.
#[derive(Clone, Copy)]
pub struct Answers(Lasting<RwSignal<Map<String, Value>>>);

impl Answers {
    /// Those of earlier visits, if the browser remembers any.
    pub fn remembered() -> Self {
        let kept = storage::read(KEPT).and_then(|text| serde_json::from_str(&text).ok());
        Self(Lasting::new(kept.unwrap_or_default()))
    }

    /// The answer to a question.
    pub fn get(self, key: &str) -> Option<String> {
        Some(self.0.read().get(key)?.as_str()?.to_owned())
    }

    /// Answers a question.
    pub fn set(self, key: &str, answer: &str) {
        if self
            .0
            .read_untracked()
            .get(key)
            .is_some_and(|a| *a == answer)
        {
            return;
        }
        self.0.update(|a| {
            a.insert(key.to_owned(), answer.into());
        });
        self.keep();
    }

    /// Forgets everything.
    pub fn forget(self) {
        self.0.update(Map::clear);
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
        let all = Value::Object(self.0.get_untracked());
        storage::write(KEPT, &all.to_string());
    }
}

/// The key of a question of a page.
pub fn key(page: &str, id: &str) -> String {
    format!("{page}/{id}")
}
