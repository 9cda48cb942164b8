//! Typing one bias: that of the traced offset in the head shown.

use leptos::prelude::*;

use super::notices::sentence;
use super::reactive::reactive;
use super::store::Store;
use crate::figure::{Editable, editable, edited, takes};
use crate::say;
use crate::state::{Key, Notice, number, typed_bias};

/// Number fields for what of a bias can be typed: that of the traced pair of positions in a table, or
/// the numbers that a formula has.
#[component]
pub fn BiasFields(
    /// The figure that they stand beside.
    figure: &'static str,
) -> impl IntoView {
    let store = Store::get();
    let count = Memo::new(move |_| editable(&store.params.read()).len());
    move || {
        (0..count.get())
            .map(|at| view! { <BiasField figure=figure at=at /> }.into_any())
            .collect_view()
    }
}

/// One of them.
#[component]
fn BiasField(
    /// The figure that it stands beside.
    figure: &'static str,
    /// Which of [`editable`].
    at: usize,
) -> impl IntoView {
    let store = Store::get();
    let wrong = RwSignal::new(None::<Notice>);
    let draft = RwSignal::new(None::<String>);
    let traced = move || editable(&store.params.read()).into_iter().nth(at);
    let id = match at {
        0 => format!("{figure}-bias-value"),
        _ => format!("{figure}-bias-value-{at}"),
    };
    let wrong_id = format!("{id}-wrong");
    let label = reactive(move || {
        let (p, lang) = (store.params.read(), store.lang.get());
        match editable(&p).into_iter().nth(at) {
            Some(Editable {
                name: Some(name), ..
            }) => say!(lang, "app.number_of", head = p.head, name = name),
            Some(e) => say!(lang, "app.bias_of", head = p.head, column = e.column),
            None => String::new(),
        }
    });
    let text = reactive(move || {
        let now = || traced().map(|e| number((e.value * 1e4).round() / 1e4));
        draft.get().or_else(now).unwrap_or_default()
    });
    let take = move |event: leptos::ev::Event| {
        let (value, mut notice) = typed_bias(&event_target_value(&event));
        let traced = untrack(traced);
        if let (None, Some(notice), Some(e)) = (value, &mut notice, &traced) {
            notice.used = number(e.value);
        }
        if let (Some(value), Some(e)) = (value, traced) {
            let p = store.params.get_untracked();
            if takes(&p, e.column, value) {
                store.set(edited(&p, e.column, value));
            } else {
                // Not written into the address: a link should not carry what is refused.
                let name = e.name.unwrap_or("bias");
                let (given, kept) = (number(value), number(e.value));
                notice = Some(Notice::new("edit-outside", name, given, kept));
            }
        }
        wrong.set(notice);
        draft.set(None);
    };
    view! {
        <div class="field narrow" data-param="bias_edits">
            <label for=id.clone()>{label}</label>
            <input
                type="text"
                id=id
                class="number"
                inputmode="decimal"
                autocomplete="off"
                disabled=move || store.params.read().locks(Key::BiasEdits)
                aria-invalid=move || wrong.get().is_some().to_string()
                aria-describedby=wrong_id.clone()
                prop:value=text
                on:input=move |event| draft.set(Some(event_target_value(&event)))
                on:change=take
                on:blur=move |_| draft.set(None)
            />
            <p class="wrong" id=wrong_id role="alert">
                {move || wrong.get().map(|n| sentence(&n, store.lang.get()))}
            </p>
        </div>
    }
}
