//! The fields of a text, each with what it means; numbers, words and lists of them, checked.

use serde_json::Value as Json;

use super::Reader;
use super::names::{NAMES, What};
use crate::state::json_real;

/// Longest value that is repeated in an explanation.
const SHOWN: usize = 60;

/// A text, not longer than fits a line.
pub(super) fn cut(text: &str) -> String {
    if text.chars().count() <= SHOWN {
        return text.to_owned();
    }
    text.chars().take(SHOWN).chain(['…']).collect()
}

/// One field about positions.
#[derive(Debug)]
pub(super) struct Entry {
    /// Its name with those of what it stands in.
    pub path: String,
    pub name: String,
    pub value: Json,
    pub what: What,
    pub about: &'static str,
    /// 0 beside the rope parameters, else the number of their block.
    pub scope: usize,
    /// Whether the answer rests on it.
    pub used: bool,
}

impl Reader {
    /// Places of what has this meaning and is given, in the order in which they count: by scope, then by name.
    pub(super) fn all(&self, what: What, scopes: &[usize]) -> Vec<usize> {
        let rank = |e: &Entry| {
            let scope = scopes.iter().position(|s| *s == e.scope);
            let name = NAMES
                .iter()
                .position(|n| n.name == e.name && n.what == what);
            (scope, name)
        };
        let given = |e: &Entry| e.what == what && scopes.contains(&e.scope) && !e.value.is_null();
        let mut found: Vec<usize> = (0..self.entries.len())
            .filter(|i| given(&self.entries[*i]))
            .collect();
        found.sort_by_key(|i| rank(&self.entries[*i]));
        found
    }

    /// Whether there is a field of this meaning.
    pub(super) fn has(&self, what: What, scopes: &[usize]) -> bool {
        !self.all(what, scopes).is_empty()
    }

    /// The value of a field, which counts now; for a wrong kind of value `None`, with a problem.
    fn take<T>(
        &mut self,
        at: usize,
        code: &'static str,
        read: impl Fn(&Json) -> Option<T>,
    ) -> Option<T> {
        let e = &mut self.entries[at];
        e.used = true;
        let out = read(&e.value);
        if out.is_none() {
            let (path, value) = (e.path.clone(), e.value.to_string());
            self.problem(true, code, (&path, &value, ""));
        }
        out
    }

    fn path(&self, at: usize) -> String {
        self.entries[at].path.clone()
    }

    /// A number. One name within the same scope, or another scope that must say the same, may repeat it.
    pub(super) fn number(&mut self, what: What, scopes: &[usize]) -> Option<f64> {
        let found = self.all(what, scopes);
        let first = *found.first()?;
        let value = self.take(first, "not-number", json_real)?;
        // The first is read; the others must say the same.
        for at in found.into_iter().skip(1) {
            // A length under another name is another length: of the tokenizer, of training.
            if what == What::MaxLen {
                break;
            }
            let other = self.take(at, "not-number", json_real)?;
            if other != value {
                let name = self.path(first);
                self.problem(
                    true,
                    "disagree",
                    (&name, &value.to_string(), &other.to_string()),
                );
                return None;
            }
        }
        Some(value)
    }

    /// The name under which a number stands.
    pub(super) fn name_of(&self, what: What, scopes: &[usize], default: &str) -> String {
        self.all(what, scopes)
            .first()
            .map_or_else(|| default.to_owned(), |at| self.path(*at))
    }

    /// A number above 0.
    pub(super) fn positive(&mut self, what: What, scopes: &[usize]) -> Option<f64> {
        let x = self.number(what, scopes)?;
        if x > 0.0 {
            return Some(x);
        }
        let name = self.name_of(what, scopes, "");
        self.problem(true, "not-positive", (&name, &x.to_string(), ""));
        None
    }

    /// A length: a whole number above 0.
    pub(super) fn length(&mut self, what: What, scopes: &[usize]) -> Option<usize> {
        let x = self.positive(what, scopes)?;
        if x.fract() == 0.0 && x < 1e15 {
            return Some(x as usize);
        }
        let name = self.name_of(what, scopes, "");
        self.problem(true, "not-whole", (&name, &x.to_string(), ""));
        None
    }

    /// True or false.
    pub(super) fn flag(&mut self, what: What, scopes: &[usize]) -> Option<bool> {
        let at = *self.all(what, scopes).first()?;
        self.take(at, "not-flag", Json::as_bool)
    }

    /// Numbers above 0.
    pub(super) fn list(&mut self, what: What, scopes: &[usize]) -> Option<Vec<f64>> {
        let at = *self.all(what, scopes).first()?;
        self.take(at, "bad-list", |value| {
            let numbers: Option<Vec<f64>> = value.as_array()?.iter().map(json_real).collect();
            numbers.filter(|all| all.iter().all(|x| *x > 0.0))
        })
    }
}
