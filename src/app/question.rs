//! A question with answers to choose from, or whose answer is put into a drawing: before a figure, or as a check.

use leptos::prelude::*;

use super::answers::{SKIPPED, WRONG};
use super::put::{Puts, corrected};
use super::reactive::reactive;
use super::store::Store;
use crate::figure::Figure;
use crate::lesson::piece::Answer;

/// A question. Before a figure (`predict`) it may be skipped; as a check it may be tried again.
#[component]
pub fn Question(
    /// Under which its answer is remembered.
    name: String,
    /// The question (HTML).
    ask: String,
    /// The answers; a single one where it is put into the figure.
    answers: Vec<Answer>,
    /// The figure that answers it.
    predicts: Option<&'static Figure>,
) -> impl IntoView {
    let predict = predicts.is_some();
    let into = predicts.filter(|_| answers.len() == 1);
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
    // Once a prediction is made, or skipped, what was chosen and what is right is marked.
    let marks = move || predict && given().is_some() && !store.params.read().hides("answers");
    let buttons = answers.with_value(|all| {
        let one = |(k, answer): (usize, &Answer)| {
            let right = answer.right;
            let wrong = reactive(move || marks() && !right && chosen() == Some(k));
            let out = reactive(move || marks() && !right && chosen() != Some(k));
            view! {
                <button
                    type="button"
                    class:right=reactive(move || marks() && right)
                    class:wrong=wrong
                    class:out=out
                    aria-pressed=move || (chosen() == Some(k)).to_string()
                    on:click=move |_| choose(&k.to_string())
                    inner_html=answer.text.clone()
                ></button>
            }
            .into_any()
        };
        all.iter().enumerate().map(one).collect_view()
    });
    let put = into.map(|figure| {
        let give = move |right: bool| choose(if right { "0" } else { WRONG });
        let open = Memo::new(move |_| given().is_none());
        reactive(move || {
            open.get()
                .then(|| view! { <Puts figure=figure give=Box::new(give) />})
        })
    });
    let verdict = reactive(move || {
        let missed = given().is_some_and(|a| a == WRONG);
        let answer = chosen().and_then(|k| answers.with_value(|a| a.get(k).cloned()));
        if given().is_none() {
            let how = if into.is_some() {
                "lesson.put_first"
            } else {
                "lesson.first"
            };
            return predict
                .then(|| view! { <p>{store.word(how)}</p> })
                .into_any();
        }
        if store.params.read().hides("answers") {
            return (answer.is_some() || missed)
                .then(|| view! { <p>{store.word("lesson.answers_hidden")}</p> })
                .into_any();
        }
        // Who predicted wrongly, or not at all, reads why the right answer is right.
        let right = answers.with_value(|all| all.iter().find(|a| a.right).cloned());
        let right = right.filter(|r| predict && answer.as_ref().is_none_or(|a| a != r));
        let said = answer.map(|answer| {
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
        });
        let why = right.map(|right| {
            view! { <p><b class="verdict">"✓"</b> " " <span inner_html=right.why></span></p> }
                .into_any()
        });
        let missed = missed.then(|| {
            let corrected = into
                .filter(|f| store.guesses.given(f.id))
                .map(|f| corrected(store, f.id));
            let corrected = corrected.unwrap_or_default().join(" ");
            view! {
                <p>
                    <b class="verdict" data-right="false">{store.word("lesson.wrong")}</b>
                    " "
                    {corrected}
                </p>
            }
            .into_any()
        });
        (said, missed, why).into_any()
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
            data-predicts=predicts.map(|f| f.id)
            aria-labelledby=format!("{id}-ask")
        >
            <p class="kicker">{store.word(kicker)}</p>
            <div class="ask" id=format!("{id}-ask") inner_html=ask></div>
            <div class="answers">{if into.is_some() { put.into_any() } else { buttons.into_any() }}</div>
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
