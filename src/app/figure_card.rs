//! A figure's bench: its drawing and, beside it, its question, its controls and what it says now.

use leptos::prelude::*;

use super::controls::{self, Controls};
use super::film::Play;
use super::parts;
use super::reactive::{Reactive, derived, reactive};
use super::recording::Recording;
use super::stage::{Shown, Stage};
use super::store::Store;
use super::together::Together;
use crate::figure::kit::colour::Colours;
use crate::figure::kit::svg::svg;
use crate::figure::{Figure, Readout, Special, View};
use crate::state::{Notice, encode};
use crate::web::canvas::data_url;
use crate::web::save::save;

/// Width at which a figure is saved.
const SAVED_WIDTH: f64 = 960.0;

/// A figure of the list.
#[component]
pub fn FigureCard(
    /// The figure.
    figure: &'static Figure,
    /// Whether it is the first of the page.
    first: bool,
    /// The question that the figure answers, once it is known.
    asked: Reactive<AnyView>,
    /// What the text says beside it, once it is known.
    beside: Reactive<AnyView>,
    /// Height that the drawing would take beyond what there is room for, set at each paint.
    #[prop(optional)]
    missing: RwSignal<f64>,
) -> impl IntoView {
    let store = Store::get();
    let id = figure.id;
    let word = move |part: &str| store.word(&format!("figure.{id}.{part}"));
    let shown = RwSignal::new(Shown::default());
    let veiled = move || store.veils(id);
    let gone = RwSignal::new(0.0);
    let seen = RwSignal::new(false);
    // Who has put the answer into the drawing looks at how far off it is: nothing else moves then.
    let looked_at = derived(move || seen.get() && !veiled() && !store.guesses.given(id));
    let controls = move || {
        let keys = controls::shown(figure, &store.params.read());
        let names: Vec<&str> = keys.iter().map(|key| key.name()).collect();
        names.join(" ")
    };
    view! {
        <section class="figure" class:first=first id=id data-figure=id aria-labelledby=format!("{id}-title")
            data-controls=reactive(controls) data-rev=move || shown.read().rev.to_string()
            data-computed=move || shown.read().computed.to_string()>
            <h2 id=format!("{id}-title")>{word("title")}</h2>
            <div class="picture">
                <Stage figure=figure shown=shown missing=missing veiled=derived(veiled)
                    gone=gone seen=seen first=first />
            </div>
            <div class="rail">
                {asked}
                <Play film=figure.film gone=gone seen=looked_at />
                {figure.special.contains(&Special::MovesTogether).then(|| view! { <Together figure=id /> })}
                <Controls figure=figure />
                {figure.special.contains(&Special::Sound).then(|| view! { <Recording /> })}
                <div class="results" class:veiled=reactive(veiled) aria-hidden=move || veiled().to_string()>
                    <p class="sentence">{move || shown.read().sentence.clone()}</p>
                    <dl>
                        {move || shown.read().readouts.iter().cloned().map(readout).collect_view()}
                    </dl>
                    <ul class="notes">
                        {move || shown.read().notes.iter().cloned().map(note).collect_view()}
                    </ul>
                </div>
                <div class="folds">
                    {beside}
                    <details class="about">
                        <summary>{store.word("app.about")}</summary>
                        // It tells what the question asks.
                        <p class="text" class:veiled=reactive(veiled)>{word("text")}</p>
                        <p class="how">{word("how")}</p>
                    </details>
                    <Downloads figure=figure />
                </div>
            </div>
        </section>
    }
}

fn note(text: String) -> AnyView {
    view! { <li>{text}</li> }.into_any()
}

fn readout(r: Readout) -> AnyView {
    view! {
        <div>
            <dt>{r.label}</dt>
            <dd data-value=r.name.into_owned() data-number=r.number.map(crate::state::number)>
                {r.text}
            </dd>
        </div>
    }
    .into_any()
}

/// The numbers and the picture as files.
#[component]
fn Downloads(
    /// The figure.
    figure: &'static Figure,
) -> impl IntoView {
    let store = Store::get();
    // Which words say what went wrong.
    let failed = RwSignal::new(None::<&str>);
    let give = move |ending: &str, kind: &str, text: Option<String>| {
        let name = format!("{}.{ending}", figure.id);
        let saved = text.and_then(|t| save(&name, kind, &t)).is_some();
        failed.set((!saved).then_some("app.save_failed"));
    };
    let seen = move || figure.shows(&store.params.read_untracked());
    let picture = move || parts::picture(figure, &seen())?.ok();
    let json = move |_| {
        let mut requested = store.written_out();
        requested.clear(crate::state::Key::Embed);
        let page = crate::state::Value::Word(figure.page.id());
        requested.set(crate::state::Key::Page, page);
        let (params, notices): (_, Vec<Notice>) =
            crate::state::resolve(&requested, crate::figure::page_of);
        leptos::task::spawn_local(async move {
            match parts::load(store).await {
                Some(later) => {
                    let text = (later.json)(&requested, &params, notices);
                    give("json", "application/json", Some(text));
                }
                None => failed.set(Some("app.part_failed")),
            }
        });
    };
    let csv = move |_| {
        let table = picture().map(|p| p.table(&seen()).csv());
        give("csv", "text/csv", table);
    };
    let drawing = move |_| {
        let dark = store.dark.get_untracked();
        let text = picture().and_then(|p| {
            let view = View {
                width: SAVED_WIDTH,
                height: p.height(SAVED_WIDTH),
                lang: store.lang.get_untracked(),
                colours: Colours::of(dark),
                reveal: true,
                guess: None,
            };
            let scene = p.draw(&seen(), &view);
            let size = (view.width, view.height);
            svg(&scene, size, dark, |raster| data_url(raster, dark))
        });
        give("svg", "image/svg+xml", text);
    };
    let frame = move || {
        let mut requested = store.written_out();
        let id = crate::state::Value::Text(figure.id.to_owned());
        requested.clear(crate::state::Key::Page);
        requested.set(crate::state::Key::Embed, id);
        crate::web::page::link(&encode(&requested))
    };
    let alone = RwSignal::new(String::new());
    view! {
        <details class="downloads" on:toggle=move |_| alone.set(frame())>
            <summary>{store.word("app.downloads")}</summary>
            <button type="button" data-download="json" on:click=json>
                {store.word("app.save_json")}
            </button>
            <button type="button" data-download="csv" on:click=csv>
                {store.word("app.save_csv")}
            </button>
            <button type="button" data-download="svg" on:click=drawing>
                {store.word("app.save_svg")}
            </button>
            <a href=move || alone.get()>{store.word("app.alone")}</a>
            <span role="status">
                {move || failed.get().map(|words| store.say(words))}
            </span>
        </details>
    }
}
