//! Parameters of real models on the page `context`: one click each, or a pasted `config.json`.

use leptos::prelude::*;

use super::live::live;
use super::store::Store;
use crate::say;
use crate::state::config_text::{Problem, Reading, read};
use crate::state::{Key, MODELS, Value, number};
use crate::words::short;

/// Whether something is locked that would be changed.
fn locked(store: Store, mut keys: impl Iterator<Item = Key>) -> bool {
    let p = store.params.read();
    p.locks(Key::Preset) || keys.any(|key| p.locks(key))
}

/// A row of models; each sets what is not set otherwise.
#[component]
pub fn Models() -> impl IntoView {
    let store = Store::get();
    let chosen = move || store.params.read().preset;
    let buttons = MODELS.iter().map(|model| {
        let pressed = move || chosen() == Some(model.id);
        view! {
            <button
                type="button"
                data-preset=model.id
                disabled=move || locked(store, model.values.iter().map(|(k, _)| *k))
                aria-pressed=move || pressed().to_string()
                on:click=move |_| store.choose(Some(model).filter(|_| !pressed()))
            >
                {model.name}
            </button>
        }
        .into_any()
    });
    let source = live(move || {
        let lang = store.lang.get();
        let Some(model) = MODELS.iter().find(|m| Some(m.id) == chosen()) else {
            return say!(lang, "presets.none");
        };
        let mut text = say!(
            lang,
            "presets.source",
            name = model.name,
            source = model.source
        );
        match model.id {
            "qwen2.5-7b" => text.push_str(&say!(lang, "presets.qwen")),
            "code-llama-7b" => text.push_str(&say!(lang, "presets.code")),
            _ => {}
        }
        text
    });
    view! {
        <section class="predict presets" aria-labelledby="presets-title">
            <h2 id="presets-title">{store.word("presets.title")}</h2>
            <p>{store.word("presets.text")}</p>
            <div class="answers">{buttons.collect_view()}</div>
            <p role="status" class="source">{source}</p>
        </section>
    }
}

/// A field for a model's `config.json`, with what each field of it means.
#[component]
pub fn ConfigField() -> impl IntoView {
    let store = Store::get();
    // Read once for each input, whoever asks.
    let reading = RwSignal::new(Reading::default());
    let applied = RwSignal::new(false);
    let fixed = move || {
        let reading = reading.read();
        let keys = reading.values.iter().map(|(key, _)| *key);
        locked(store, keys.chain(Key::SCALING.iter().copied()))
    };
    let apply = move |_| {
        let values = reading.get_untracked().values;
        if !values.is_empty() {
            store.replace(values);
            applied.set(true);
        }
    };
    view! {
        <section class="figure config" aria-labelledby="config-title">
            <h2 id="config-title">{store.word("config.title")}</h2>
            <p class="text">{store.word("config.text")}</p>
            <label for="config-text">{store.word("config.label")}</label>
            <textarea
                id="config-text"
                rows="8"
                spellcheck="false"
                autocomplete="off"
                placeholder=r#"{"rope_scaling": {"rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": 32768}}"#
                aria-describedby="config-problems"
                aria-invalid=move || reading.read().problems.iter().any(|p| p.fatal).to_string()
                on:input=move |event| {
                    applied.set(false);
                    reading.set(read(&event_target_value(&event)));
                }
            ></textarea>
            <div id="config-problems" role="alert">
                {move || {
                    let lang = store.lang.get();
                    reading.get().problems.into_iter().map(|p| problem(&p, lang)).collect_view()
                }}
            </div>
            <button
                type="button"
                class="apply"
                disabled=move || !reading.read().applies() || fixed()
                on:click=apply
            >
                {store.word("config.apply")}
            </button>
            {move || {
                let told = reading.read().applies() && fixed();
                told.then(|| view! { <p class="remark">{store.word("config.locked")}</p> }.into_any())
            }}
            <span role="status">{move || applied.get().then(|| store.say("config.applied"))}</span>
            {move || explained(&reading.read(), store.lang.get())}
        </section>
    }
}

fn problem(p: &Problem, lang: crate::state::Lang) -> AnyView {
    let key = format!("config.problem.{}", p.code);
    let text = say!(lang, key, name = p.name, given = p.given, other = p.other);
    view! {
        <p class:wrong=p.fatal class="remark" data-problem=p.code>
            {if p.fatal { "✕ " } else { "! " }} {text}
        </p>
    }
    .into_any()
}

/// What the fields mean, what will be set, and what is left.
fn explained(r: &Reading, lang: crate::state::Lang) -> AnyView {
    let comma = if lang == crate::state::Lang::Zh {
        "、"
    } else {
        ", "
    };
    let fields: Vec<_> = r
        .fields
        .iter()
        .map(|f| {
            let about = say!(lang, format!("config.field.{}", f.about));
            let given = format!("{}: {}", f.name, f.value);
            view! {
                <dt>
                    <code>{given}</code>
                </dt>
                <dd>{about}</dd>
            }
            .into_any()
        })
        .collect();
    let sets: Vec<String> = r
        .values
        .iter()
        .map(|(key, value)| {
            let value = match value {
                Value::Int(v) => v.to_string(),
                Value::Real(v) => number(*v),
                Value::Word(w) => (*w).to_owned(),
                _ => String::new(),
            };
            format!("{} = {value}", key.name())
        })
        .collect();
    let cannot = r.values.is_empty() && r.problems.iter().any(|p| p.fatal);
    let list = |all: &[String]| all.join(comma);
    let line = |text: String| view! { <p>{text}</p> }.into_any();
    view! {
        <dl class="fields">{fields}</dl>
        {cannot.then(|| line(say!(lang, "config.cannot")))}
        {(!sets.is_empty())
            .then(|| line(say!(lang, "config.sets", list = list(&sets))))}
        {r.frequencies
            .as_ref()
            .map(|f| {
                let text = say!(
                    lang,
                    "config.result",
                    factor = short(f.attention_factor),
                    first = short(f.ratios[0]),
                    last = short(f.ratios[f.ratios.len() - 1]),
                    pairs = f.ratios.len()
                );
                line(text)
            })}
        {(!r.left.is_empty())
            .then(|| {
                view! { <p class="left">{say!(lang, "config.left", list = list(&r.left))}</p> }
                    .into_any()
            })}
    }
    .into_any()
}
