//! Typing one bias: that of the traced offset in the head shown.

use leptos::prelude::*;

use super::live::live;
use super::notices::sentence;
use super::store::Store;
use crate::figure::{edited, traced_bias};
use crate::say;
use crate::state::{Key, Notice, number, typed_bias};

/// A number field for `b[head, column]` at the traced pair of positions.
#[component]
pub fn BiasField() -> impl IntoView {
    let store = Store::get();
    let wrong = RwSignal::new(None::<Notice>);
    let draft = RwSignal::new(None::<String>);
    let traced = move || traced_bias(&store.params.read());
    let label = live(move || {
        let (p, lang) = (store.params.read(), store.lang.get());
        let column = traced_bias(&p).map_or(0, |(column, _)| column);
        say!(lang, "app.bias_of", head = p.head, column = column)
    });
    let text = live(move || {
        let now = || traced().map(|(_, b)| number((b * 1e4).round() / 1e4));
        draft.get().or_else(now).unwrap_or_default()
    });
    let take = move |event: leptos::ev::Event| {
        let (value, mut notice) = typed_bias(&event_target_value(&event));
        let traced = untrack(traced);
        if let (None, Some(notice), Some((_, kept))) = (value, &mut notice, traced) {
            notice.used = number(kept);
        }
        wrong.set(notice);
        if let (Some(value), Some((column, _))) = (value, traced) {
            store.set(edited(&store.params.get_untracked(), column, value));
        }
        draft.set(None);
    };
    view! {
        <div class="field narrow" data-param="bias_edits">
            <label for="bias-value">{label}</label>
            <input
                type="text"
                id="bias-value"
                class="number"
                inputmode="decimal"
                autocomplete="off"
                disabled=move || store.params.read().locks(Key::BiasEdits)
                aria-invalid=move || wrong.get().is_some().to_string()
                aria-describedby="bias-value-wrong"
                prop:value=text
                on:input=move |event| draft.set(Some(event_target_value(&event)))
                on:change=take
                on:blur=move |_| draft.set(None)
            />
            <p class="wrong" id="bias-value-wrong" role="alert">
                {move || wrong.get().map(|n| sentence(&n, store.lang.get()))}
            </p>
        </div>
    }
}
