//! The presentation: one figure at a time, larger, with its question; keys to go on.

use leptos::ev::KeyboardEvent;
use leptos::prelude::*;

use super::body::block;
use super::figure_card::FigureCard;
use super::reactive::{on_key, reactive};
use super::store::Store;
use super::text::{Loading, text_of};
use super::way::neighbour;
use crate::figure::{Figure, of_page};
use crate::lesson::piece::Block;
use crate::state::{Key, Page, Value};
use crate::web;

/// Where a key leads.
enum Turn {
    On,
    Back,
    Leave,
}

/// The presentation of a page.
#[component]
pub fn Present(
    /// The page.
    page: Page,
    /// Whether to begin with the last figure, when coming from the page after.
    from_behind: RwSignal<bool>,
) -> impl IntoView {
    let store = Store::get();
    let state = text_of(page, RwSignal::new(0));
    let figures: Vec<&'static Figure> = of_page(page).collect();
    let count = figures.len();
    let start = if from_behind.get_untracked() {
        count.saturating_sub(1)
    } else {
        0
    };
    from_behind.set(false);
    let at = RwSignal::new(start);
    let figure = move || figures.get(at.get()).copied();
    let question = move |id: &'static str| match &*state.read() {
        Loading::Here((_, piece)) => {
            let asks = |b: &&Block| matches!(b, Block::Predict { figure, .. } if figure == id);
            piece.blocks.iter().find(asks).cloned()
        }
        _ => None,
    };
    let on = move || match (at.get() + 1 < count, neighbour(page, 1)) {
        (true, _) => at.update(|k| *k += 1),
        (false, Some(next)) => store.go(next),
        (false, None) => {}
    };
    let back = move || match (at.get(), neighbour(page, -1)) {
        (0, Some(before)) => {
            from_behind.set(true);
            store.go(before);
        }
        (0, None) => {}
        _ => at.update(|k| *k -= 1),
    };
    let leave = move || store.set(vec![(Key::Present, Value::Int(0))]);
    let turn = move |turn: Turn| {
        match turn {
            Turn::On => on(),
            Turn::Back => back(),
            Turn::Leave => leave(),
        }
        window().scroll_to_with_x_and_y(0.0, 0.0);
        store.stir();
    };
    on_key(move |event| {
        if let Some(to) = meant(&event) {
            event.prevent_default();
            turn(to);
        }
    });
    let ready = move || *state.read() != Loading::Waiting;
    let first = reactive(move || at.get() == 0 && neighbour(page, -1).is_none());
    let last = reactive(move || at.get() + 1 >= count && neighbour(page, 1).is_none());
    view! {
        {move || {
            let figure = figure().filter(|_| ready());
            figure.map(|figure| {
                view! {
                    {move || question(figure.id).map(|ask| block(page, &ask))}
                    <FigureCard figure=figure first=true />
                }
                    .into_any()
            })
        }}
        <div class="turn" role="group" aria-label=store.word("lesson.present")>
            <button type="button" disabled=first on:click=move |_| turn(Turn::Back)>
                {store.word("lesson.back")}
            </button>
            <span>{move || format!("{} / {count}", at.get() + 1)}</span>
            <button type="button" disabled=last on:click=move |_| turn(Turn::On)>
                {store.word("lesson.on")}
            </button>
            <button type="button" on:click=move |_| turn(Turn::Leave)>
                {store.word("lesson.leave")}
            </button>
        </div>
        <p class="how">{store.word("lesson.present_keys")}</p>
    }
}

/// What a key means here; nothing while it belongs to what has the focus.
fn meant(event: &KeyboardEvent) -> Option<Turn> {
    if event.default_prevented() || event.ctrl_key() || event.alt_key() || event.meta_key() {
        return None;
    }
    let key = event.key();
    let holder = web::focus::holder();
    let writes = ["INPUT", "SELECT", "TEXTAREA"].contains(&holder.as_str());
    let presses = ["BUTTON", "SUMMARY", "A"].contains(&holder.as_str());
    let moves = holder == "CANVAS" || holder == "DIV" || holder == "PRE";
    match key.as_str() {
        "Escape" => Some(Turn::Leave),
        _ if writes => None,
        " " if presses => None,
        "ArrowLeft" | "ArrowRight" | "ArrowUp" | "ArrowDown" if moves => None,
        " " if event.shift_key() => Some(Turn::Back),
        " " | "PageDown" | "ArrowRight" | "ArrowDown" => Some(Turn::On),
        "PageUp" | "ArrowLeft" | "ArrowUp" => Some(Turn::Back),
        _ => None,
    }
}
