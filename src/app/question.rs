//! A question with answers to choose from: before a figure, or as a check.

use leptos::prelude::*;

use super::answers::SKIPPED;
use super::reactive::reactive;
use super::store::Store;
use crate::lesson::piece::Answer;

/// A question. Before a figure (`predict`) it may be skipped; as a check it may be tried again.
#[component]
pub fn Question(
    /// Under which its answer is remembered.
    name: String,
    /// The question (HTML).
    ask: String,
    /// The answers.
    answers: Vec<Answer>,
    /// Whether a figure answers it.
    predict: bool,
) -> impl IntoView {
    let store = Store::get();
    let id = name.replace('/', "-");
    let key = StoredValue::new(name);
    let given = move || key.with_value(|k| store.answers.get(k));
    let answer = Memo::new(move |_| given());
    let chosen = move || answer.get().and_then(|a| a.parse::<usize>().ok());
    let answers = StoredValue::new(answers);
    let choose = move |answer: &str| {
        key.with_value(|k| store.answers.set(k, answer));
        store.stir();
    };
    let skip = move |_| choose(SKIPPED);
    let buttons = answers.with_value(|all| {
        let one = |(k, answer): (usize, &Answer)| {
            view! {
                <button
                    type="button"
                    aria-pressed=move || (chosen() == Some(k)).to_string()
                    on:click=move |_| choose(&k.to_string())
                    inner_html=answer.text.clone()
                ></button>
            }
            .into_any()
        };
        all.iter().enumerate().map(one).collect_view()
    });
    let verdict = reactive(move || {
        let answer = chosen().and_then(|k| answers.with_value(|a| a.get(k).cloned()));
        match answer {
            Some(_) if store.params.read().hides("answers") => {
                view! { <p>{store.word("lesson.answers_hidden")}</p> }.into_any()
            }
            Some(answer) => {
                let sign = if answer.right {
                    "lesson.right"
                } else {
                    "lesson.wrong"
                };
                view! {
                    <p>
                        <b class="verdict" data-right=answer.right.to_string()>{store.word(sign)}</b>
                        " "
                        <span inner_html=answer.why></span>
                    </p>
                }
                .into_any()
            }
            None if given().is_some() => ().into_any(),
            None if predict => view! { <p>{store.word("lesson.first")}</p> }.into_any(),
            None => ().into_any(),
        }
    });
    let kicker = if predict {
        "lesson.predict"
    } else {
        "lesson.check"
    };
    view! {
        <section
            class:predict=predict
            class:check=!predict
            data-question=id.clone()
            aria-labelledby=format!("{id}-ask")
        >
            <p class="kicker">{store.word(kicker)}</p>
            <div class="ask" id=format!("{id}-ask") inner_html=ask></div>
            <div class="answers">{buttons}</div>
            <div role="status">
                {verdict}
            </div>
            {move || {
                (predict && given().is_none()).then(|| {
                    view! {
                        <button type="button" class="quiet" on:click=skip>{store.word("lesson.skip")}</button>
                    }
                        .into_any()
                })
            }}
        </section>
    }
}
