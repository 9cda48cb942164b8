//! Parameters of real models on the page `context`: one click each, or a pasted `config.json`.

use leptos::prelude::*;

use super::parts::{self, Part};
use super::reactive::reactive;
use super::store::Store;
use crate::config;
use crate::say;
use crate::state::config_text::{Field, Layer, Problem, Reading};
use crate::state::{Key, Lang, MODELS, number, text_of};
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
    let source = reactive(move || {
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
        <section class="presets" aria-labelledby="presets-title">
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
    let typed = RwSignal::new(None::<String>);
    // Read once for each input, whoever asks, as soon as the part of the program that reads it is here.
    let reading = Memo::new(move |_| match (&*typed.read(), parts::here(store)) {
        (Some(text), Some(later)) => (later.read_config)(text),
        _ => Reading::default(),
    });
    // The kind of layer that is shown.
    let layer = RwSignal::new(0usize);
    let applied = RwSignal::new(false);
    let fixed = move || {
        let reading = reading.read();
        let values = reading.layers.get(layer.get()).map(|l| l.values.clone());
        let keys = values.into_iter().flatten().map(|(key, _)| key);
        locked(store, keys.chain(Key::SCALING.iter().copied()))
    };
    let applies = move || reading.read().applies(layer.get());
    let apply = move |_| {
        let reading = reading.get_untracked();
        let Some(chosen) = reading.layers.get(layer.get_untracked()) else {
            return;
        };
        if !chosen.values.is_empty() {
            store.replace(chosen.values.clone());
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
                    layer.set(0);
                    typed.set(Some(event_target_value(&event)));
                    parts::ask(store);
                }
            ></textarea>
            {move || {
                let unread = typed.read().is_some() && store.part.get() == Part::Failed;
                unread.then(|| parts::told(store))
            }}
            <div id="config-problems" role="alert">
                {move || {
                    let lang = store.lang.get();
                    reading.get().problems.into_iter().map(|p| problem(&p, lang)).collect_view()
                }}
            </div>
            {move || layers(&reading.read(), layer, applied, store)}
            <button
                type="button"
                class="apply"
                disabled=move || !applies() || fixed()
                on:click=apply
            >
                {store.word("config.apply")}
            </button>
            {move || {
                let told = applies() && fixed();
                told.then(|| view! { <p class="remark">{store.word("config.locked")}</p> }.into_any())
            }}
            <span role="status">{move || applied.get().then(|| store.say("config.applied"))}</span>
            {move || explained(&reading.read(), layer.get(), store.lang.get())}
        </section>
    }
}

/// The kinds of layer to choose from, if there is more than one.
fn layers(
    r: &Reading,
    layer: RwSignal<usize>,
    applied: RwSignal<bool>,
    store: Store,
) -> Option<AnyView> {
    if r.layers.len() < 2 {
        return None;
    }
    let options: Vec<AnyView> = r
        .layers
        .iter()
        .enumerate()
        .map(|(at, l)| {
            view! {
                <option value=at.to_string() selected=move || layer.get() == at>
                    {l.name.clone()}
                </option>
            }
            .into_any()
        })
        .collect();
    let view = view! {
        <p class="field" data-param="config-layer">
            <label for="config-layer">{store.word("config.layers")}</label>
            <select
                id="config-layer"
                on:change=move |event| {
                    applied.set(false);
                    layer.set(event_target_value(&event).parse().unwrap_or(0));
                }
            >
                {options}
            </select>
        </p>
    };
    Some(view.into_any())
}

fn problem(p: &Problem, lang: Lang) -> AnyView {
    view! {
        <p class:wrong=p.fatal class="remark" data-problem=p.code>
            {if p.fatal { "✕ " } else { "! " }} {config::told(p, lang)}
        </p>
    }
    .into_any()
}

/// What the fields mean, what will be set, and what is left.
fn explained(r: &Reading, layer: usize, lang: Lang) -> AnyView {
    let comma = if lang == Lang::Zh { "、" } else { ", " };
    let line = |text: String| view! { <p>{text}</p> }.into_any();
    let item = |given: String, text: String| {
        view! {
            <dt>
                <code>{given}</code>
            </dt>
            <dd>{text}</dd>
        }
        .into_any()
    };
    let fields = |all: &[Field]| -> Vec<AnyView> {
        let one = |f: &Field| item(format!("{}: {}", f.name, f.shown()), config::about(f, lang));
        all.iter().map(one).collect()
    };
    let list = |name: &'static str, items: Vec<AnyView>| {
        (!items.is_empty()).then(|| {
            let class = format!("fields {name}");
            view! {
                <p>{say!(lang, format!("config.{name}"))}</p>
                <dl class=class>{items}</dl>
            }
            .into_any()
        })
    };
    let assumed = r
        .assumed
        .iter()
        .map(|a| item(format!("{} = {}", a.name, a.value), config::why(a, lang)));
    let cannot = r.layers.is_empty() && r.problems.iter().any(|p| p.fatal);
    let chosen = r.layers.get(layer);
    view! {
        <dl class="fields">{fields(&r.read)}</dl>
        {list("assumed", assumed.collect())}
        {cannot.then(|| line(say!(lang, "config.cannot")))}
        {chosen.map(|l| results(l, lang, comma))}
        {list("unused", fields(&r.unused))}
        {(!r.left.is_empty())
            .then(|| {
                view! { <p class="left">{say!(lang, "config.left", list = r.left.join(comma))}</p> }
                    .into_any()
            })}
    }
    .into_any()
}

/// What was computed of a kind of layer, and what would be set.
fn results(l: &Layer, lang: Lang, comma: &str) -> AnyView {
    let line = |text: String| view! { <p>{text}</p> }.into_any();
    let sets: Vec<String> = l
        .values
        .iter()
        .map(|(key, value)| format!("{} = {}", key.name(), text_of(value)))
        .collect();
    let factor = short(l.attention_factor);
    let computed = match (&l.frequencies, l.base) {
        (Some(f), Some(base)) => say!(
            lang,
            "config.result",
            base = number(base),
            factor = factor,
            first = short(f.ratios[0]),
            last = short(f.ratios[f.ratios.len() - 1]),
            pairs = f.ratios.len()
        ),
        _ => say!(lang, "config.no-width", factor = factor),
    };
    view! {
        {(!sets.is_empty()).then(|| line(say!(lang, "config.sets", list = sets.join(comma))))}
        {line(computed)}
        {l.length.map(|n| line(say!(lang, "config.at-length", length = n)))}
        {(l.softmax_factor != 1.0)
            .then(|| line(say!(lang, "config.softmax", factor = short(l.softmax_factor))))}
        {l.sections
            .as_ref()
            .map(|s| {
                let sizes: Vec<String> = s.iter().map(usize::to_string).collect();
                line(say!(lang, "config.sections", list = sizes.join(comma)))
            })}
        {(!l.lost.is_empty())
            .then(|| line(say!(lang, "config.lost", list = l.lost.join(comma))))}
    }
    .into_any()
}
