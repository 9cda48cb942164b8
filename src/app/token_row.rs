//! The tokens of a sentence in a row: dragged, or moved with the arrow keys, into another order.

use leptos::ev::{KeyboardEvent, PointerEvent};
use leptos::html;
use leptos::prelude::*;
use wasm_bindgen::JsCast;

use super::store::Store;
use crate::core::tokens::joined;
use crate::say;
use crate::state::{Key, Params, Value};
use crate::web;

/// The row of sentence A or B.
#[component]
pub fn TokenRow(
    /// The sentence's parameter.
    key: Key,
    /// The figure's id; with the name it makes ids that are unique on the page.
    figure: &'static str,
) -> impl IntoView {
    let store = Store::get();
    let row = NodeRef::<html::Ol>::new();
    let name = key.name();
    let tokens = Memo::new(move |_| tokens_of(key, &store.params.read()));
    let locked = move || store.params.read().locks(key);
    // The place of the token under the finger.
    let held = StoredValue::new(None::<usize>);
    let step = move |from: usize, to: usize| {
        let mut all = tokens.get_untracked();
        if locked() || from >= all.len() || to >= all.len() || from == to {
            return false;
        }
        let token = all.remove(from);
        all.insert(to, token);
        let text = joined(&all, store.params.read_untracked().tokens);
        store.set(vec![(key, Value::Text(text))]);
        true
    };
    let on_key = move |event: KeyboardEvent, at: usize| {
        let to = match event.key().as_str() {
            "ArrowLeft" => at.checked_sub(1),
            "ArrowRight" => Some(at + 1),
            _ => return,
        };
        event.prevent_default();
        if let Some(to) = to
            && step(at, to)
        {
            // The moved token keeps the keyboard, once it stands there.
            request_animation_frame(move || web::focus::to(&format!("{figure}-{name}-token-{to}")));
        }
    };
    let on_move = move |event: PointerEvent| {
        let Some(from) = held.get_value() else {
            return;
        };
        if let Some(to) = place_under(&event, name)
            && step(from, to)
        {
            held.set_value(Some(to));
        }
    };
    let on_down = move |event: PointerEvent| {
        held.set_value(place_under(&event, name));
        // The row hears of the finger wherever it goes, though its tokens are made anew.
        if let Some(row) = row.get_untracked() {
            let _ = row.set_pointer_capture(event.pointer_id());
        }
    };
    let buttons = move || {
        let one = |(k, token): (usize, String)| {
            view! {
                <li>
                    <button
                        type="button"
                        id=format!("{figure}-{name}-token-{k}")
                        data-place=k.to_string()
                        disabled=locked
                        on:keydown=move |event| on_key(event, k)
                    >
                        {token}
                    </button>
                </li>
            }
            .into_any()
        };
        let all = tokens.get().into_iter().enumerate();
        all.map(one).collect_view()
    };
    view! {
        <ol
            class="tokens"
            data-tokens=name
            node_ref=row
            aria-label=move || say!(store.lang.get(), "app.token_row", name = store.say(&format!("key.{name}")))
            on:pointerdown=on_down
            on:pointermove=on_move
            on:pointerup=move |_| held.set_value(None)
            on:pointercancel=move |_| held.set_value(None)
        >
            {buttons}
        </ol>
    }
}

fn tokens_of(key: Key, p: &Params) -> Vec<String> {
    if key == Key::TextA {
        p.tokens_a.clone()
    } else {
        p.tokens_b.clone()
    }
}

/// The place of the token of this row that lies under the pointer.
fn place_under(event: &PointerEvent, row: &str) -> Option<usize> {
    let (x, y) = (event.client_x() as f32, event.client_y() as f32);
    let element = document().element_from_point(x, y)?;
    let token = element.closest("[data-place]").ok()??;
    let of_row = token
        .closest(&format!("[data-tokens={row}]"))
        .ok()?
        .is_some();
    let token = of_row
        .then_some(token)?
        .dyn_into::<web_sys::HtmlElement>()
        .ok()?;
    token.get_attribute("data-place")?.parse().ok()
}
