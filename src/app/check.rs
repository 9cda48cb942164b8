//! Checks that are answered with a number or by setting a figure.

use leptos::prelude::*;

use super::reactive::{effect, reactive};
use super::store::Store;
use crate::lesson::live::Live;
use crate::state::typed_number;

/// A question whose answer is a number of the page as it is set now.
#[component]
pub fn NumberCheck(
    /// Under which its answer is remembered.
    name: String,
    /// The question (HTML).
    ask: String,
    /// Name of the live number.
    value: String,
    /// Relative tolerance.
    tolerance: f64,
    /// Explanation (HTML).
    why: String,
) -> impl IntoView {
    let store = Store::get();
    let id = name.replace('/', "-");
    let key = StoredValue::new(name);
    let needs = value.clone();
    let typed = RwSignal::new(String::new());
    // Right, wrong, or no number.
    let verdict = RwSignal::new(None::<Option<bool>>);
    let told = RwSignal::new(false);
    let before = move || key.with_value(|k| store.answers.get(k)).is_some();
    let try_it = move || {
        let p = store.params.get_untracked();
        let live = Live::new(&p, store.known_difference(&p));
        let right = live.number(&value).map(|n| n.number);
        let found = typed_number(&typed.read_untracked()).zip(right);
        let good = found.map(|(x, right)| close(x, right, tolerance));
        verdict.set(Some(good));
        if good == Some(true) {
            key.with_value(|k| store.answers.set(k, typed.read_untracked().trim()));
            told.set(true);
        }
        store.stir();
    };
    let shows = move || told.get() && !store.params.read().hides("answers");
    let status = reactive(move || match verdict.get() {
        Some(Some(true)) => store.say("lesson.right"),
        Some(Some(false)) => store.say("lesson.not_yet"),
        Some(None) if typed_number(&typed.read_untracked()).is_some() => {
            store.say("lesson.undefined_now")
        }
        Some(None) => store.say("lesson.no_number"),
        None if before() => store.say("lesson.done_before"),
        None => String::new(),
    });
    view! {
        <section class="check" data-question=id.clone() aria-labelledby=format!("{id}-ask")>
            <p class="kicker">{store.word("lesson.check_number")}</p>
            <div class="ask" id=format!("{id}-ask") inner_html=ask></div>
            <form
                class="entry"
                on:submit=move |event| {
                    event.prevent_default();
                    try_it();
                }
            >
                <label>
                    <span class="hidden">{store.word("lesson.your_answer")}</span>
                    <input
                        type="text"
                        inputmode="decimal"
                        autocomplete="off"
                        prop:value=move || typed.get()
                        on:input=move |event| typed.set(event_target_value(&event))
                    />
                </label>
                <button type="submit">{store.word("lesson.try")}</button>
            </form>
            <div role="status">
                <p
                    class="verdict"
                    data-right=move || verdict.get().flatten().map(|right| right.to_string())
                >
                    {status}
                </p>
            </div>
            {move || {
                // It stands only while there is such a number.
                shows()
                    .then(|| {
                        view! { <p class="why" data-if=needs.clone() inner_html=why.clone()></p> }
                            .into_any()
                    })
            }}
            {move || {
                let tried = verdict.get().is_some() || before();
                (tried && !told.get() && !store.params.read().hides("answers"))
                    .then(|| {
                        let show = move |_| {
                            told.set(true);
                            store.stir();
                        };
                        view! {
                            <button type="button" class="quiet" on:click=show>
                                {store.word("lesson.show_why")}
                            </button>
                        }
                            .into_any()
                    })
            }}
        </section>
    }
}

/// Something to be set in a figure. What holds already must first be set otherwise.
#[component]
pub fn SettingCheck(
    /// Under which it is remembered that it is done.
    name: String,
    /// The task (HTML).
    ask: String,
    /// Name of the condition.
    condition: String,
    /// Explanation (HTML).
    why: String,
) -> impl IntoView {
    let store = Store::get();
    let id = name.replace('/', "-");
    let key = StoredValue::new(name);
    let holds = Memo::new(move |_| {
        let p = store.params.read();
        store.difference.track();
        Live::new(&p, store.known_difference(&p)).holds(&condition)
    });
    let done = move || key.with_value(|k| store.answers.get(k)).is_some();
    // Whether it has been seen not to hold.
    let mut otherwise = false;
    effect(move || {
        let now = holds.get();
        otherwise = otherwise || !now;
        if now && otherwise {
            key.with_value(|k| store.answers.set(k, "done"));
            store.stir();
        }
    });
    let status = reactive(move || match (done(), holds.get()) {
        (true, _) => store.say("lesson.set_right"),
        (false, true) => store.say("lesson.already_so"),
        (false, false) => store.say("lesson.set_it"),
    });
    view! {
        <section
            class="check"
            data-question=id.clone()
            data-done=move || done().to_string()
            aria-labelledby=format!("{id}-ask")
        >
            <p class="kicker">{store.word("lesson.check_figure")}</p>
            <div class="ask" id=format!("{id}-ask") inner_html=ask></div>
            <div role="status">
                <p class="verdict" data-right=move || done().then_some("true")>{status}</p>
            </div>
            {move || {
                (done() && !store.params.read().hides("answers"))
                    .then(|| view! { <p class="why" inner_html=why.clone()></p> }.into_any())
            }}
        </section>
    }
}

fn close(x: f64, right: f64, tolerance: f64) -> bool {
    (x - right).abs() <= tolerance * right.abs().max(1e-12)
}
