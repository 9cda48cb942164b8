//! The bias by the kinds of query and key: a square of number fields.

use leptos::ev::Event;
use leptos::prelude::*;

use super::notices::sentence;
use super::reactive::{derived, reactive};
use super::store::Store;
use crate::core::mrope::{MODALITIES, Modality};
use crate::state::{Key, Notice, Value, number, typed_bias};

/// A field for each kind of query and of key.
#[component]
pub fn ModalityField() -> impl IntoView {
    let store = Store::get();
    let wrong = RwSignal::new(None::<Notice>);
    let locked = derived(move || store.params.read().locks(Key::ModBias));
    let kind = move |m: Modality| format!("word.modality.{}", m.id());
    let field = move |query: Modality, key: Modality| {
        let now = move || number(store.params.read().sequence.bias.get(query, key));
        let label = reactive(move || {
            let kind = |m| store.say(&kind(m));
            format!("{} → {}", kind(query), kind(key))
        });
        let take = move |event: Event| {
            let (value, notice) = typed_bias(&event_target_value(&event));
            wrong.set(notice.map(|n| Notice {
                name: Key::ModBias.name().to_owned(),
                used: if n.used.is_empty() {
                    untrack(now)
                } else {
                    n.used
                },
                ..n
            }));
            if let Some(value) = value {
                let mut bias = store.params.read_untracked().sequence.bias;
                bias.set(query, key, value);
                store.set(vec![(Key::ModBias, Value::ModBias(bias))]);
            }
            event_target::<web_sys::HtmlInputElement>(&event).set_value(&untrack(now));
        };
        view! {
            <td>
                <input
                    type="text"
                    class="number"
                    inputmode="decimal"
                    autocomplete="off"
                    data-pair=format!("{}:{}", query.id(), key.id())
                    disabled=move || locked.get()
                    aria-label=label
                    aria-describedby="mod-bias-wrong"
                    prop:value=reactive(now)
                    on:change=take
                />
            </td>
        }
        .into_any()
    };
    let column = |key: Modality| view! { <th scope="col">{store.word(&kind(key))}</th> }.into_any();
    let row = |query: Modality| {
        view! {
            <tr>
                <th scope="row">{store.word(&kind(query))}</th>
                {MODALITIES.map(|key| field(query, key)).collect_view()}
            </tr>
        }
        .into_any()
    };
    view! {
        <fieldset class="field biases" data-param="mod_bias">
            <legend>{store.word("key.mod_bias")}</legend>
            <table>
                <thead>
                    <tr>
                        <td>{store.word("app.bias_corner")}</td>
                        {MODALITIES.map(column).collect_view()}
                    </tr>
                </thead>
                <tbody>{MODALITIES.map(row).collect_view()}</tbody>
            </table>
            <p class="wrong" id="mod-bias-wrong" role="alert">
                {move || wrong.get().map(|n| sentence(&n, store.lang.get()))}
            </p>
        </fieldset>
    }
}
