//! Numbers that a link of the text has asked for, on their way to where they will be.

use std::time::Duration;

use leptos::prelude::*;

use crate::state::{Key, Params, Value};
use crate::web;

/// How long they run.
const TIME: Duration = Duration::from_millis(500);

/// What still runs. Cheap to copy.
#[derive(Clone, Copy, Default)]
pub struct Running {
    to: RwSignal<Vec<(Key, Value)>>,
    /// Counts the links followed, so that what runs for one does not drive what another one has asked for.
    turn: RwSignal<u32>,
}

impl Running {
    /// Lets values run from what is shown now; `set` is called with what they are on the way, and last with `to`.
    pub fn start(
        self,
        to: Vec<(Key, Value)>,
        shown: &Params,
        set: impl Fn(Vec<(Key, Value)>) + 'static,
    ) {
        let from: Vec<(Key, Option<f64>)> =
            to.iter().map(|(k, _)| (*k, shown.number(*k))).collect();
        let turn = self.turn.get_untracked() + 1;
        self.turn.set(turn);
        self.to.set(to);
        web::clock::run(TIME, move |way| {
            if self.turn.get_untracked() != turn {
                return;
            }
            let from = |key| from.iter().find(|(k, _)| *k == key)?.1;
            let to = self.to.get_untracked();
            if way == 1.0 {
                self.stop();
            }
            let on_way = |(key, value): (Key, Value)| (key, between(from(key), value, way));
            set(to.into_iter().map(on_way).collect());
        });
    }

    /// A value that is set otherwise runs no longer.
    pub fn leave(self, key: Key) {
        if self
            .to
            .with_untracked(|to| to.iter().any(|(k, _)| *k == key))
        {
            self.to.update(|to| to.retain(|(k, _)| *k != key));
        }
    }

    /// Nothing runs any longer; gives what was not yet where it was to be.
    pub fn stop(self) -> Vec<(Key, Value)> {
        self.turn.update(|turn| *turn += 1);
        self.to.try_update(std::mem::take).unwrap_or_default()
    }
}

/// A value on its way from what was shown, 0..1 of it done; what is no number is there at once.
fn between(from: Option<f64>, to: Value, way: f64) -> Value {
    match (from, &to) {
        (Some(a), Value::Int(b)) => Value::Int((a + (*b as f64 - a) * way).round() as i64),
        (Some(a), Value::Real(b)) if way < 1.0 => Value::Real(a + (b - a) * way),
        _ => to,
    }
}
