//! One question to be answered before the figure answers it.

use leptos::prelude::*;

use super::store::Store;
use crate::say;

/// The answers, the right one marked.
const ANSWERS: [(&str, bool); 3] = [("changes", false), ("moves", true), ("pooled", false)];

/// The question of `order`.
#[component]
pub fn Predict() -> impl IntoView {
    let store = Store::get();
    let word = move |key: &str| say!(store.lang.get(), format!("predict.order.{key}"));
    let chosen = RwSignal::new(None::<usize>);
    let choose = move |k| {
        chosen.set(Some(k));
        store.revealed.set(true);
    };
    view! {
        <section class="predict" aria-labelledby="predict-question">
            <h2 id="predict-question">{move || word("question")}</h2>
            <div class="answers">
                {ANSWERS
                    .iter()
                    .enumerate()
                    .map(|(k, (id, _))| {
                        view! {
                            <button
                                type="button"
                                aria-pressed=move || (chosen.get() == Some(k)).to_string()
                                on:click=move |_| choose(k)
                            >
                                {move || word(id)}
                            </button>
                        }
                    })
                    .collect_view()}
            </div>
            <p role="status">
                {move || match chosen.get() {
                    Some(k) => word(&format!("{}_why", ANSWERS[k].0)),
                    None if store.revealed.get() => String::new(),
                    None => word("first"),
                }}
                {move || {
                    (!store.revealed.get())
                        .then(|| {
                            view! {
                                <button
                                    type="button"
                                    class="quiet"
                                    on:click=move |_| store.revealed.set(true)
                                >
                                    {move || word("skip")}
                                </button>
                            }
                        })
                }}
            </p>
        </section>
    }
}
