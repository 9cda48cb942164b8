//! The controls of an image: its size and that of its patches, and one of the visitor's own.

use leptos::ev::Event;
use leptos::prelude::*;
use leptos::task::spawn_local;

use super::notices::sentence;
use super::reactive::{derived, effect};
use super::store::Store;
use crate::say;
use crate::state::{Key, Notice, Params, Value, number, parse_value};
use crate::web::photo;

/// Height and width of the image in pixels.
fn pixels(p: &Params) -> (usize, usize) {
    (p.grid.rows() * p.patch, p.grid.columns() * p.patch)
}

/// Rows and columns of whole patches in an image, and the words for why it is not as asked for.
fn cut((high, wide): (usize, usize), patch: usize) -> (Value, Option<&'static str>) {
    let most = 64;
    let side = |length: usize| (length / patch).clamp(1, most);
    let legal = |length: usize| (1..=most).contains(&(length / patch));
    let whole = high.is_multiple_of(patch) && wide.is_multiple_of(patch);
    let why = if legal(high) && legal(wide) {
        (!whole).then_some("app.image_cut")
    } else {
        Some("app.image_sides")
    };
    (Value::Grid(side(high), side(wide)), why)
}

/// Two fields: the image's size in pixels and the patches'. Either keeps the other, and the grid
/// of patches follows.
#[component]
pub fn SizeFields(
    /// The figure's id.
    figure: &'static str,
) -> impl IntoView {
    let store = Store::get();
    let size = move || {
        let (high, wide) = pixels(&store.params.read());
        format!("{high}x{wide}")
    };
    let side = move || number(store.params.read().patch as f64);
    let set_size = move |typed: &str| {
        // As a grid is written, but with as many pixels as there may be.
        let (value, notice) = photo_size(typed);
        let p = store.params.get_untracked();
        let (grid, why) = cut(value.unwrap_or(pixels(&p)), p.patch);
        store.set(vec![(Key::Grid, grid)]);
        let Some(mut notice) = notice else {
            return told(store, None, why);
        };
        let (high, wide) = pixels(&store.params.get_untracked());
        notice.used = format!("{high}x{wide} px");
        told(store, Some(notice), None)
    };
    let set_side = move |typed: &str| {
        let (value, notice) = parse_value(Key::Patch.spec(), typed);
        let p = store.params.get_untracked();
        let patch = match value {
            Some(Value::Int(patch)) => patch,
            _ => 16,
        };
        let mut values = vec![(Key::Patch, Value::Int(patch))];
        let mut why = None;
        if !p.locks(Key::Grid) {
            let (grid, reason) = cut(pixels(&p), patch as usize);
            values.push((Key::Grid, grid));
            why = reason;
        }
        store.set(values);
        told(store, notice, why)
    };
    view! {
        <Typed name="image_size" figure=figure key=Key::Grid text=derived(size) take=set_size />
        <Typed name="patch" figure=figure key=Key::Patch text=derived(side) take=set_side />
    }
}

/// What is to be said of an entry: what was wrong with it, and why the image has another size.
fn told(store: Store, notice: Option<Notice>, why: Option<&'static str>) -> String {
    let lang = store.lang.get_untracked();
    let (high, wide) = pixels(&store.params.get_untracked());
    let wrong = notice.map(|n| sentence(&n, lang));
    let why = why.map(|key| say!(lang, key, high = high, wide = wide));
    let all: Vec<String> = wrong.into_iter().chain(why).collect();
    all.join(" ")
}

/// A size in pixels, `height x width` or one number for both.
fn photo_size(typed: &str) -> (Option<(usize, usize)>, Option<Notice>) {
    let spec = crate::state::Spec {
        name: "image_size",
        kind: crate::state::Kind::Grid { max: 4096 },
        ..*Key::Grid.spec()
    };
    match parse_value(&spec, typed) {
        (Some(Value::Grid(high, wide)), notice) => (Some((high, wide)), notice),
        (_, notice) => (None, notice),
    }
}

/// A field whose entry counts when it is finished; what is wrong with it is said below.
#[component]
fn Typed(
    /// Its name, of which label and id are made.
    name: &'static str,
    /// The figure's id.
    figure: &'static str,
    /// The parameter that can lock it.
    key: Key,
    /// What it shows.
    text: Signal<String>,
    /// Takes an entry and tells what is to be said.
    take: impl Fn(&str) -> String + 'static,
) -> impl IntoView {
    let store = Store::get();
    let draft = RwSignal::new(None::<String>);
    let wrong = RwSignal::new(String::new());
    let id = format!("{figure}-{name}");
    let message = format!("{id}-wrong");
    view! {
        <div class="field narrow" data-param=name>
            <label for=id.clone()>{store.word(&format!("key.{name}"))}</label>
            <input
                type="text"
                id=id
                autocomplete="off"
                disabled=move || store.params.read().locks(key)
                aria-invalid=move || (!wrong.read().is_empty()).to_string()
                aria-describedby=message.clone()
                prop:value=move || draft.get().unwrap_or_else(|| text.get())
                on:input=move |event| draft.set(Some(event_target_value(&event)))
                on:change=move |event| {
                    wrong.set(take(&event_target_value(&event)));
                    draft.set(None);
                }
                on:blur=move |_| draft.set(None)
            />
            <p class="wrong" id=message role="alert">{move || wrong.get()}</p>
        </div>
    }
}

/// Opens an image of the visitor's own. It is decoded by the browser and goes nowhere.
#[component]
pub fn PhotoField(
    /// The figure's id.
    figure: &'static str,
) -> impl IntoView {
    let store = Store::get();
    let wrong = RwSignal::new(false);
    let id = format!("{figure}-photo");
    let message = format!("{id}-wrong");
    let forget = move || {
        store.photo.set(None);
        wrong.set(false);
    };
    // Choosing a drawn image is choosing it instead.
    let mut before = None;
    effect(move || {
        let image = Some(store.params.read().image);
        if before.is_some() && before != image {
            forget();
        }
        before = image;
    });
    let latest = StoredValue::new(0u32);
    let chosen = move |event: Event| {
        let input = event_target::<web_sys::HtmlInputElement>(&event);
        let file = input.files().and_then(|files| files.get(0));
        // So that the same file can be chosen again.
        input.set_value("");
        let Some(file) = file else {
            return;
        };
        let turn = latest.get_value() + 1;
        latest.set_value(turn);
        spawn_local(async move {
            let photo = photo::open(&file).await;
            // Another may have been chosen meanwhile, or the page left.
            if latest.try_get_value() != Some(turn) {
                return;
            }
            wrong.set(photo.is_none());
            if photo.is_some() {
                store.photo.set(photo);
            }
        });
    };
    view! {
        <div class="field narrow" data-param="photo">
            <label class="open">
                <span>{store.word("app.photo")}</span>
                <input
                    type="file"
                    id=id
                    accept="image/*"
                    disabled=move || store.params.read().locks(Key::Image)
                    aria-describedby=message.clone()
                    on:change=chosen
                />
            </label>
            <small>{store.word("app.photo_stays")}</small>
            {move || {
                store.photo.read().is_some().then(|| {
                    view! {
                        <button type="button" on:click=move |_| forget()>
                            {store.word("app.photo_away")}
                        </button>
                    }
                        .into_any()
                })
            }}
            <p class="wrong" id=message role="alert">
                {move || wrong.get().then(|| store.say("app.photo_wrong"))}
            </p>
        </div>
    }
}
