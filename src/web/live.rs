//! Numbers in the text: elements with `data-live`, filled in one pass.

use leptos::prelude::document;
use wasm_bindgen::JsCast;
use web_sys::Element;

/// Writes into every such element what `number` has for its name: the text and the full number.
/// An element that would not change is left alone.
pub fn fill(mut number: impl FnMut(&str) -> Option<(String, String)>) {
    let Ok(all) = document().query_selector_all("[data-live]") else {
        return;
    };
    for at in 0..all.length() {
        let Some(element) = all.item(at).and_then(|n| n.dyn_into::<Element>().ok()) else {
            continue;
        };
        let name = element.get_attribute("data-live").unwrap_or_default();
        let (text, full) = number(&name).unwrap_or_else(|| ("—".to_owned(), String::new()));
        if element.text_content().as_deref() != Some(&text) {
            element.set_text_content(Some(&text));
        }
        if element.get_attribute("data-number").as_deref() != Some(&full) {
            let _ = element.set_attribute("data-number", &full);
        }
    }
}
