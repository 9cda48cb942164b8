//! One control: a slider with a number field, a list of words, a switch or a sentence.

use leptos::ev;
use leptos::prelude::*;

use super::notices::sentence;
use super::reactive::{derived, reactive};
use super::store::Store;
use crate::core::head::Stage;
use crate::core::mrope::total_tokens;
use crate::say;
use crate::state::{Key, Kind, Notice, Params, Value, legal_heads, number, real};
use crate::words::short;

/// Steps of a slider that runs over powers.
const STEPS: f64 = 400.0;

/// The control of one parameter beside one figure.
#[component]
pub fn Field(
    /// The parameter.
    key: Key,
    /// The figure's id; with the name it makes ids that are unique on the page.
    figure: &'static str,
    /// Whether it takes one line: without a slider, its range only told when pointed at.
    short: bool,
) -> impl IntoView {
    let store = Store::get();
    let id = format!("{figure}-{}", key.name());
    let wrong = RwSignal::new(None::<Notice>);
    let label = store.word(&format!("key.{}", key.name()));
    let locked = derived(move || store.params.read().locks(key));
    let message_id = format!("{id}-wrong");
    let body = match key.spec().kind {
        Kind::Words(words) => {
            view! { <Words key=key id=id.clone() words=words locked=locked /> }.into_any()
        }
        Kind::Flag => view! { <Switch key=key id=id.clone() locked=locked /> }.into_any(),
        kind => {
            let by_letter = kind == Kind::Text;
            let slides = !by_letter && !is_grid(key) && !short;
            let slider = slides.then(|| view! { <Slider key=key id=id.clone() locked=locked /> });
            let (name, id) = (message_id.clone(), id.clone());
            view! {
                {slider}
                <Entry key=key id=id locked=locked wrong=wrong message_id=name by_letter=by_letter />
            }
            .into_any()
        }
    };
    // Two of these stand side by side; long words and sliders need the whole width.
    let long = matches!(key, Key::Layout | Key::Pairing | Key::Mrope | Key::Scaling);
    let words = matches!(key.spec().kind, Kind::Words(_) | Kind::Flag);
    let narrow = !long && (words || short || is_grid(key));
    let range = move || range_text(key, &store.params.read(), store.lang.get());
    view! {
        <div class="field" class:narrow=narrow class:short=short data-param=key.name()>
            <label for=id title=move || short.then(range)>
                {label} <small>{range}</small>
            </label>
            {body}
            <p class="wrong" id=message_id role="alert">
                {move || wrong.get().map(|n| sentence(&n, store.lang.get()))}
            </p>
        </div>
    }
}

/// Whether a parameter is typed, but no number: rows x columns, or sections.
fn is_grid(key: Key) -> bool {
    matches!(key.spec().kind, Kind::Grid { .. } | Kind::Sections)
}

/// Smallest and largest value of a number, now.
fn limits(key: Key, p: &Params) -> (f64, f64) {
    match key.spec().kind {
        Kind::Int { min, max, .. } => match key {
            Key::DModel => (min as f64, p.page.max_d_model() as f64),
            Key::Shift => (-(p.seq_len as f64), p.seq_len as f64),
            _ => (min as f64, max as f64),
        },
        Kind::Real { min, max } => (min, max),
        _ => {
            let count = match key {
                Key::Dim => p.setting.d_model,
                Key::Head => p.setting.heads,
                Key::Layer => p.layers,
                Key::Step => Stage::ALL.len(),
                Key::Q | Key::K => total_tokens(&p.sequence.blocks),
                _ => p.seq_len,
            };
            (0.0, (count - 1) as f64)
        }
    }
}

fn range_text(key: Key, p: &Params, lang: crate::state::Lang) -> String {
    if key == Key::Heads {
        let legal: Vec<String> = legal_heads(p.setting.d_model)
            .iter()
            .map(usize::to_string)
            .collect();
        return legal.join(", ");
    }
    match key.spec().kind {
        Kind::Int { .. } | Kind::Real { .. } | Kind::Place => {
            let (min, max) = limits(key, p);
            let name = if key == Key::DModel {
                "app.range_even"
            } else {
                "app.range"
            };
            say!(lang, name, min = big(min), max = big(max))
        }
        Kind::Grid { max } => say!(lang, "app.range_grid", max = max),
        _ => String::new(),
    }
}

fn big(x: f64) -> String {
    if x == f64::from(u32::MAX) {
        "2³² − 1".to_owned()
    } else if x >= 1e6 {
        short(x)
    } else {
        number(x).replace('-', "−")
    }
}

/// Whether a slider runs over powers: its range spans more than two orders of magnitude.
fn by_powers(key: Key, (min, max): (f64, f64)) -> bool {
    key != Key::Seed && min > 0.0 && max / min > 100.0
}

/// A slider. `heads` moves over its legal values alone; wide ranges move by powers.
#[component]
fn Slider(
    /// The parameter.
    key: Key,
    /// The number field's id.
    id: String,
    /// Whether it is fixed.
    locked: Signal<bool>,
) -> impl IntoView {
    let store = Store::get();
    let ends = move || -> (f64, f64, f64) {
        let p = store.params.read();
        if key == Key::Heads {
            return (
                0.0,
                (legal_heads(p.setting.d_model).len().max(1) - 1) as f64,
                1.0,
            );
        }
        let (min, max) = limits(key, &p);
        if by_powers(key, (min, max)) {
            return (0.0, STEPS, 1.0);
        }
        let step = match key.spec().kind {
            Kind::Int { step, .. } => step as f64,
            _ => 1.0,
        };
        (min, max, step)
    };
    let place = move || {
        let p = store.params.read();
        let now = p.number(key).unwrap_or(0.0);
        if key == Key::Heads {
            let legal = legal_heads(p.setting.d_model);
            return legal.iter().position(|h| *h as f64 == now).unwrap_or(0) as f64;
        }
        let (min, max) = limits(key, &p);
        if by_powers(key, (min, max)) {
            return (STEPS * (now / min).ln() / (max / min).ln()).round();
        }
        now
    };
    let value = move |place: f64| -> Value {
        let p = store.params.get_untracked();
        if key == Key::Heads {
            let legal = legal_heads(p.setting.d_model);
            return Value::Int(legal.get(place as usize).copied().unwrap_or(1) as i64);
        }
        let (min, max) = limits(key, &p);
        let x = if by_powers(key, (min, max)) {
            min * (max / min).powf(place / STEPS)
        } else {
            place
        };
        match key.spec().kind {
            Kind::Real { .. } => Value::Real(three_digits(x).clamp(min, max)),
            Kind::Int { step: 2, .. } => {
                Value::Int(((x / 2.0).round() * 2.0).clamp(min, max) as i64)
            }
            _ => Value::Int(x.round().clamp(min, max) as i64),
        }
    };
    view! {
        <input
            type="range"
            data-slider=id
            disabled=move || locked.get()
            aria-label=store.word(&format!("key.{}", key.name()))
            aria-valuetext=move || store.params.read().number(key).map(number)
            min=move || number(ends().0)
            max=move || number(ends().1)
            step=move || number(ends().2)
            prop:value=move || {
                // The browser clamps to the ends that it has: they must be known first.
                ends();
                number(place())
            }
            on:input=move |event| {
                if let Some(place) = real(&event_target_value(&event)) {
                    store.set(vec![(key, value(place))]);
                }
            }
        />
    }
}

/// Rounds to three significant digits, so that a slider gives readable numbers.
fn three_digits(x: f64) -> f64 {
    if x <= 0.0 {
        return x;
    }
    // Near 1 the digits behind the point are what matters.
    let unit = 10f64.powf((x.log10().floor() - 2.0).max(-4.0));
    let digits = (x / unit).round() * unit;
    (digits * 1e4).round() / 1e4
}

/// A field for typing. What is wrong with an entry is said beside it; the entry stays as typed
/// until the visitor leaves the field.
#[component]
fn Entry(
    /// The parameter.
    key: Key,
    /// The field's id.
    id: String,
    /// Whether it is fixed.
    locked: Signal<bool>,
    /// What is wrong with the entry.
    wrong: RwSignal<Option<Notice>>,
    /// Id of the element that says so.
    message_id: String,
    /// Whether each letter counts, or only a finished entry.
    by_letter: bool,
) -> impl IntoView {
    let store = Store::get();
    let draft = RwSignal::new(None::<String>);
    let text = move || {
        draft.get().unwrap_or_else(|| {
            let p = store.params.read();
            p.number(key)
                .map(number)
                .or_else(|| p.word(key))
                .unwrap_or_default()
        })
    };
    let take = move |typed: &str| wrong.set(store.set_text(key, typed).err());
    let typed = move |event: ev::Event| {
        let typed = event_target_value(&event);
        draft.set(Some(typed.clone()));
        // While an input method composes, the letters are not yet the text.
        if by_letter && !is_composing(&event) {
            take(&typed);
        }
    };
    view! {
        <input
            type="text"
            id=id
            class:number=!by_letter && !is_grid(key)
            inputmode=(!by_letter && !is_grid(key)).then_some("decimal")
            autocomplete="off"
            spellcheck="false"
            disabled=move || locked.get()
            aria-invalid=move || wrong.get().is_some().to_string()
            aria-describedby=message_id
            prop:value=reactive(text)
            on:input=typed
            on:compositionend=move |_| {
                if by_letter && let Some(typed) = draft.get_untracked() {
                    take(&typed);
                }
            }
            on:change=move |event| {
                take(&event_target_value(&event));
                draft.set(None);
            }
            on:blur=move |_| draft.set(None)
        />
    }
}

fn is_composing(event: &ev::Event) -> bool {
    use wasm_bindgen::JsCast;
    event
        .dyn_ref::<web_sys::InputEvent>()
        .is_some_and(web_sys::InputEvent::is_composing)
}

/// A list of words; of schemes only those that the page shows.
#[component]
fn Words(
    /// The parameter.
    key: Key,
    /// The field's id.
    id: String,
    /// Its words.
    words: &'static [&'static str],
    /// Whether it is fixed.
    locked: Signal<bool>,
) -> impl IntoView {
    let store = Store::get();
    let page = Memo::new(move |_| (key == Key::Scheme).then(|| store.params.read().page));
    let offered = move || {
        let page = page.get();
        let here = |w: &&&str| page.is_none_or(|p| p.schemes().any(|s| s.id() == **w));
        words.iter().filter(here).copied().collect::<Vec<_>>()
    };
    view! {
        <select id=id disabled=move || locked.get() on:change=move |event| {
            let _ = store.set_text(key, &event_target_value(&event));
        }>
            {move || {
                offered()
                    .into_iter()
                    .map(|word| {
                        let chosen = reactive(move || {
                            store.params.read().word(key).as_deref() == Some(word)
                        });
                        let name = format!("word.{}.{word}", key.name());
                        view! {
                            <option value=word prop:selected=chosen>
                                {store.word(&name)}
                            </option>
                        }
                            .into_any()
                    })
                    .collect_view()
            }}
        </select>
    }
}

/// On or off.
#[component]
fn Switch(
    /// The parameter.
    key: Key,
    /// The field's id.
    id: String,
    /// Whether it is fixed.
    locked: Signal<bool>,
) -> impl IntoView {
    let store = Store::get();
    view! {
        <input
            type="checkbox"
            id=id
            disabled=move || locked.get()
            prop:checked=move || store.params.read().number(key) == Some(1.0)
            on:change=move |event| {
                store.set(vec![(key, Value::Int(i64::from(event_target_checked(&event))))]);
            }
        />
    }
}
