//! The presentation: one figure at a time fills the screen, first asking, then answering; keys to go on, and
//! a spot to point with.

use leptos::ev::{KeyboardEvent, pointermove};
use leptos::prelude::*;

use super::body::{asked, beside};
use super::figure_card::FigureCard;
use super::reactive::{on_key, reactive};
use super::store::Store;
use super::text::{Loading, text_of};
use super::way::neighbour;
use crate::figure::{Figure, of_page};
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
    let figures = StoredValue::new(figures);
    let figure = move || figures.with_value(|all| all.get(at.get()).copied());
    let on = move || {
        // First the question, then what answers it.
        if figure().is_some_and(|f| store.show_answer(f.id)) {
            return;
        }
        match (at.get() + 1 < count, neighbour(page, 1)) {
            (true, _) => at.update(|k| *k += 1),
            (false, Some(next)) => store.go(next),
            (false, None) => {}
        }
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
                let asked = asked(page, figure.id, state);
                let beside = beside(figure.id, state);
                view! { <FigureCard figure=figure first=true asked=asked beside=beside /> }.into_any()
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
            <span class="keys">{store.word("lesson.present_keys")}</span>
            <button type="button" on:click=move |_| turn(Turn::Leave)>
                {store.word("lesson.leave")}
            </button>
        </div>
        <Spot />
    }
}

/// A spot that follows the pointer, to show something to a room; a key puts it on and off.
#[component]
fn Spot() -> impl IntoView {
    let on = RwSignal::new(false);
    let at = RwSignal::new((0, 0));
    on_key(move |event| {
        if event.key() == "." && !web::focus::writes() {
            on.update(|on| *on = !*on);
        }
    });
    let moves = window_event_listener(pointermove, move |event| {
        at.set((event.client_x(), event.client_y()));
    });
    on_cleanup(move || moves.remove());
    reactive(move || {
        let (x, y) = at.get();
        on.get()
            .then(|| view! { <div class="spot" aria-hidden="true" style:translate=format!("{x}px {y}px")></div> })
    })
}

/// What a key means here; nothing while it belongs to what has the focus.
fn meant(event: &KeyboardEvent) -> Option<Turn> {
    if event.default_prevented() || event.ctrl_key() || event.alt_key() || event.meta_key() {
        return None;
    }
    let key = event.key();
    let holder = web::focus::holder();
    let presses = ["BUTTON", "SUMMARY", "A"].contains(&holder.as_str());
    let moves = holder == "CANVAS" || holder == "DIV" || holder == "PRE";
    match key.as_str() {
        "Escape" => Some(Turn::Leave),
        _ if web::focus::writes() => None,
        " " if presses => None,
        "ArrowLeft" | "ArrowRight" | "ArrowUp" | "ArrowDown" if moves => None,
        " " if event.shift_key() => Some(Turn::Back),
        " " | "PageDown" | "ArrowRight" | "ArrowDown" => Some(Turn::On),
        "PageUp" | "ArrowLeft" | "ArrowUp" => Some(Turn::Back),
        _ => None,
    }
}
