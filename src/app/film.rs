//! Films: a parameter runs on, and what is drawn moves between its values at the display's rate.

use std::f64::consts::PI;
use std::rc::Rc;

use leptos::prelude::*;

use super::reactive::{effect, on_key};
use super::store::Store;
use crate::figure::Film;
use crate::state::Value;
use crate::web::clock;

/// A first look runs so many steps out and back, in so many milliseconds.
const LOOK: (f64, f64) = (6.0, 3600.0);

/// Plays a figure's film when asked to, and once shortly when the figure is first seen: then only the drawing
/// moves, ends where it began, and no parameter changes.
#[component]
pub fn Play(
    /// What runs.
    film: Film,
    /// How many steps the drawing is ahead of the parameters.
    gone: RwSignal<f64>,
    /// Whether the whole figure is on the screen and nothing of it is asked.
    seen: Signal<bool>,
) -> impl IntoView {
    let store = Store::get();
    let plays = RwSignal::new(false);
    // Counts what has been started and stopped, so that a film knows when it is no longer wanted.
    let turn = StoredValue::new(0);
    let stop = move || {
        turn.update_value(|n| *n += 1);
        plays.set(false);
        gone.set(0.0);
    };
    let step = move || {
        let Some(key) = film.key else {
            return;
        };
        let p = store.params.get_untracked();
        let now = p.number(key).unwrap_or(0.0) as i64;
        let next = (now + 1).rem_euclid((film.frames)(&p).max(1) as i64);
        store.set(vec![(key, Value::Int(next))]);
    };
    let run = move || {
        let (before, mine) = (StoredValue::new(clock::now()), turn.get_value());
        clock::each_frame(Rc::new(move || {
            if turn.try_get_value() != Some(mine) {
                return false;
            }
            let now = clock::now();
            // Who comes back from another tab is not shown what has passed.
            let way = gone.get_untracked() + ((now - before.get_value()) / film.pace()).min(1.0);
            before.set_value(now);
            if way >= 1.0 {
                step();
            }
            // Without a parameter that goes on, the drawing does.
            gone.set(if film.key.is_some() { way.fract() } else { way });
            true
        }));
    };
    let toggle = move |_| {
        let on = !plays.get_untracked();
        stop();
        if on {
            plays.set(true);
            run();
        }
    };
    let looked = StoredValue::new(false);
    effect(move || {
        let p = store.params.read_untracked();
        let unasked = p.embed.is_some() || p.present || clock::still();
        if !seen.get() || unasked || looked.get_value() {
            return;
        }
        looked.set_value(true);
        // Where there is no room ahead it looks back.
        let frames = (film.frames)(&p) as f64;
        let place = film.key.and_then(|key| p.number(key)).unwrap_or(0.0);
        let most = LOOK.0.min(frames - 1.0);
        let far = if place + most < frames {
            most
        } else {
            -most.min(place)
        };
        let (began, mine) = (clock::now(), turn.get_value());
        clock::each_frame(Rc::new(move || {
            if turn.try_get_value() != Some(mine) {
                return false;
            }
            let way = ((clock::now() - began) / LOOK.1).min(1.0);
            gone.set(far * (PI * way).sin().powi(2));
            way < 1.0
        }));
    });
    on_key(move |event| {
        if event.key() == "Escape" && (plays.get_untracked() || gone.get_untracked() != 0.0) {
            stop();
        }
    });
    view! {
        <button type="button" class="play" on:click=toggle aria-pressed=move || plays.get().to_string()>
            <span class="sign" aria-hidden="true"></span>
            {move || {
                let key = if plays.get() { "app.pause" } else { "app.play" };
                store.say(key)
            }}
        </button>
    }
}
