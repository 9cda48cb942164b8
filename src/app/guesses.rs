//! What the visitor puts into drawings as answers: where it is, and what was shown when the answer was given.

use std::collections::BTreeMap;

use leptos::prelude::*;

use super::lasting::Lasting;
use crate::figure::Figure;
use crate::figure::put::{Guess, Handle, start};
use crate::state::Params;

/// What is put into one figure.
#[derive(Clone, PartialEq)]
struct Put {
    handles: Vec<Handle>,
    at: Guess,
    /// What the figure showed when the answer was given.
    given: Option<Params>,
}

/// What is put into each figure that asks for it.
#[derive(Clone, Copy, Default)]
pub struct Guesses(Lasting<RwSignal<BTreeMap<&'static str, Put>>>);

impl Guesses {
    /// Says what can be put into a figure now. What has been put stays where it can.
    pub fn offer(self, figure: &'static str, handles: Vec<Handle>) {
        let known = |all: &BTreeMap<_, Put>| all.get(figure).is_some_and(|p| p.handles == handles);
        if (handles.is_empty() && !self.0.with_untracked(|all| all.contains_key(figure)))
            || self.0.with_untracked(known)
        {
            return;
        }
        self.0.update(|all| {
            let mut at = start(&handles);
            if let Some(before) = all.get(figure).filter(|b| b.handles.len() == handles.len()) {
                for ((at, before), handle) in at.iter_mut().zip(before.at).zip(&handles) {
                    *at = handle.snapped(before);
                }
            }
            let given = None;
            all.insert(figure, Put { handles, at, given });
        });
    }

    /// What can be put into a figure.
    pub fn handles(self, figure: &str) -> Vec<Handle> {
        let all = self.0.read();
        all.get(figure).map_or_else(Vec::new, |p| p.handles.clone())
    }

    /// Where it is.
    pub fn at(self, figure: &str) -> Guess {
        let all = self.0.read();
        all.get(figure).map_or_else(Guess::default, |p| p.at)
    }

    /// Puts one thing somewhere else.
    pub fn put(self, figure: &'static str, which: usize, at: f64) {
        if self
            .0
            .read_untracked()
            .get(figure)
            .is_some_and(|p| p.at[which] != at)
        {
            self.0.update(|all| {
                if let Some(put) = all.get_mut(figure) {
                    put.at[which] = at;
                }
            });
        }
    }

    /// Takes what has been put as the answer; says whether it is right.
    pub fn give(self, figure: &Figure, p: &Params) -> bool {
        let shown = figure.shows(p);
        let given = self.0.try_update(|all| {
            let put = all.get_mut(figure.id)?;
            put.given = Some(shown);
            let mut all = put.handles.iter().zip(put.at);
            Some(all.all(|(handle, at)| handle.is_right(at)))
        });
        given.flatten().unwrap_or(false)
    }

    /// Whether an answer has been given since the page was opened.
    pub fn given(self, figure: &str) -> bool {
        let all = self.0.read();
        all.get(figure).is_some_and(|p| p.given.is_some())
    }

    /// What to draw of it: all while it is asked, and later as long as the figure shows what it showed then.
    pub fn drawn(self, figure: &str, asked: bool, shown: &Params) -> Option<Guess> {
        let all = self.0.read_untracked();
        let put = all.get(figure).filter(|p| !p.handles.is_empty())?;
        (asked || put.given.as_ref() == Some(shown)).then_some(put.at)
    }

    /// Notices that something has been put somewhere else.
    pub fn track(self) {
        self.0.track();
    }
}
