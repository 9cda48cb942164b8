//! One slider for both positions of a pair: they move, their distance stays.

use leptos::prelude::*;

use super::reactive::reactive;
use super::store::Store;
use crate::state::{Key, Params, Value, number, real};

/// The slider.
#[component]
pub fn Together(
    /// The figure's id.
    figure: &'static str,
) -> impl IntoView {
    let store = Store::get();
    let id = format!("{figure}-together");
    let fixed = move || {
        let p = store.params.read();
        p.locks(Key::I) || p.locks(Key::J)
    };
    let first = move || number(store.params.with(|p| p.i.min(p.j)) as f64);
    let last = reactive(move || number(store.params.with(most) as f64));
    let moved = move |event| {
        let Some(to) = real(&event_target_value(&event)) else {
            return;
        };
        let p = store.params.get_untracked();
        let (before, to) = (p.i.min(p.j), to as usize);
        let at = |place: usize| Value::Int((place - before + to) as i64);
        store.set(vec![(Key::I, at(p.i)), (Key::J, at(p.j))]);
    };
    view! {
        <div class="field together">
            <label for=id.clone()>{store.word("app.together")}</label>
            <input
                type="range"
                id=id
                min="0"
                max=last
                step="1"
                disabled=fixed
                prop:value=move || {
                    // The browser clamps to the end that it has: it must be known first.
                    let _ = store.params.with(most);
                    first()
                }
                on:input=moved
            />
        </div>
    }
}

/// The last place of the earlier of both.
fn most(p: &Params) -> usize {
    p.seq_len.saturating_sub(1 + p.i.abs_diff(p.j))
}
