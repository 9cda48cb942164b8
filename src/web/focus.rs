//! Where the keyboard is.

use leptos::prelude::document;
use wasm_bindgen::JsCast;
use web_sys::HtmlElement;

/// Name of the element that has the focus, in capitals; empty if it is the page itself.
pub fn holder() -> String {
    let element = document().active_element();
    let name = element.map(|e| e.tag_name()).unwrap_or_default();
    if name == "BODY" || name == "MAIN" {
        String::new()
    } else {
        name
    }
}

/// Whether keys are for writing, or for choosing in a list.
pub fn writes() -> bool {
    ["INPUT", "SELECT", "TEXTAREA"].contains(&holder().as_str())
}

/// Whether there is an element with this id.
pub fn has(id: &str) -> bool {
    document().get_element_by_id(id).is_some()
}

/// Gives an element the focus.
pub fn to(id: &str) {
    let element = document().get_element_by_id(id);
    if let Some(element) = element.and_then(|e| e.dyn_into::<HtmlElement>().ok()) {
        let _ = element.focus();
    }
}

/// The last of some elements that begins in the upper third of the window, or above it.
pub fn last_above<'a>(ids: impl Iterator<Item = &'a str>) -> Option<String> {
    let third = document().document_element()?.client_height() / 3;
    let above = |id: &&str| {
        let element = document().get_element_by_id(id);
        element.is_some_and(|e| e.get_bounding_client_rect().top() < f64::from(third))
    };
    ids.filter(above).last().map(str::to_owned)
}

/// Brings an element to the top of the window and gives it the focus; a fold that it lies in is opened.
pub fn go_to(id: &str) {
    if let Some(element) = document().get_element_by_id(id) {
        if let Ok(Some(fold)) = element.closest("details") {
            let _ = fold.set_attribute("open", "");
        }
        element.scroll_into_view();
        if !element.has_attribute("tabindex") {
            let _ = element.set_attribute("tabindex", "-1");
        }
        if let Ok(element) = element.dyn_into::<HtmlElement>() {
            let _ = element.focus();
        }
    }
}

/// Takes the focus away from a term, which hides what it means.
pub fn leave_term() {
    let element = document().active_element();
    let term = element.filter(|e| e.closest(".term").is_ok_and(|t| t.is_some()));
    if let Some(element) = term.and_then(|e| e.dyn_into::<HtmlElement>().ok()) {
        let _ = element.blur();
    }
}
