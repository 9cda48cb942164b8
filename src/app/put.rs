//! What an answer is put into a drawing with, beside the pointer: sliders, and the button that gives it.

use leptos::prelude::*;

use super::reactive::reactive;
use super::store::Store;
use crate::figure::Figure;
use crate::figure::put::Handle;
use crate::say;

/// A slider for each thing that can be put somewhere, and the button that gives the answer.
#[component]
pub fn Puts(
    /// The figure.
    figure: &'static Figure,
    /// Called with whether the answer is right.
    give: Box<dyn Fn(bool)>,
) -> impl IntoView {
    let store = Store::get();
    let id = figure.id;
    let handles = Memo::new(move |_| store.guesses.handles(id));
    let at = move |k: usize| store.guesses.at(id)[k];
    let sliders = move || {
        let one = |(k, handle): (usize, Handle)| {
            let name = store.word(&key(id, handle.name));
            let (from, to) = handle.range;
            let step = handle.step;
            let text = reactive(move || handle.text(at(k)));
            let spoken = text.clone();
            view! {
                <label class="put">
                    <span>{name}</span>
                    <input
                        type="range"
                        min=from.to_string()
                        max=to.to_string()
                        step=step.to_string()
                        prop:value=reactive(move || at(k).to_string())
                        aria-valuetext=spoken
                        on:input=move |event| {
                            if let Ok(x) = event_target_value(&event).parse() {
                                store.guesses.put(id, k, x);
                            }
                        }
                    />
                    <output>{text}</output>
                </label>
            }
            .into_any()
        };
        handles
            .get()
            .into_iter()
            .enumerate()
            .map(one)
            .collect_view()
    };
    let done = move |_| {
        let p = store.params.get_untracked();
        give(store.guesses.give(figure, &p));
    };
    view! {
        <div class="puts">{sliders}</div>
        <button type="button" data-answer="" disabled=move || handles.read().is_empty() on:click=done>
            {store.word("lesson.put_done")}
        </button>
    }
}

/// Where the visitor put what, and where it belongs.
pub fn corrected(store: Store, figure: &str) -> Vec<String> {
    let at = store.guesses.at(figure);
    let wrong = |(handle, at): &(Handle, f64)| !handle.is_right(*at);
    let all = store.guesses.handles(figure).into_iter().zip(at);
    all.filter(wrong)
        .map(|(handle, at)| {
            let (from, to) = handle.range;
            let within = |x: &&f64| (from..=to).contains(*x);
            let right: Vec<String> = handle
                .right
                .iter()
                .filter(within)
                .map(|x| handle.text(*x))
                .collect();
            let lang = store.lang.get();
            say!(
                lang,
                "lesson.put_at",
                name = store.say(&key(figure, handle.name)),
                at = handle.text(at),
                right = right.join(&say!(lang, "lesson.put_or"))
            )
        })
        .collect()
}

fn key(figure: &str, handle: &str) -> String {
    format!("figure.{figure}.put.{handle}")
}
