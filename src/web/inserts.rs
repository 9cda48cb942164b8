//! What in the text follows the parameters: numbers (`data-live`), what stands only while there is
//! a number (`data-if`), and links within the lab (`data-page`).

use leptos::ev::MouseEvent;
use leptos::prelude::document;
use wasm_bindgen::JsCast;
use web_sys::Element;

/// Writes into every such element what `number` has for its name: the text and the full number.
/// Where there is none, nothing is said and no number is given. An element that would not change
/// is left alone.
pub fn fill(mut number: impl FnMut(&str) -> Option<(String, String)>) {
    each("[data-live]", |element, name| {
        let (text, full) = match number(name) {
            Some((text, full)) => (text, Some(full)),
            None => ("—".to_owned(), None),
        };
        if element.text_content().as_deref() != Some(&text) {
            element.set_text_content(Some(&text));
        }
        set(element, "data-number", full.as_deref());
    });
    each("[data-if]", |element, names| {
        let known = names.split(' ').all(|name| number(name).is_some());
        set(element, "hidden", (!known).then_some(""));
    });
}

/// Gives every link within the lab the address that `address` has for its page, and its figure.
pub fn lead(address: impl Fn(&str) -> Option<String>) {
    each("a[data-page]", |link, page| {
        let to = link.get_attribute("data-to");
        let to = to.map(|id| format!("#{id}")).unwrap_or_default();
        if let Some(href) = address(page) {
            set(link, "href", Some(&(href + &to)));
        }
    });
}

/// The page and the figure of the link within the lab that was clicked.
pub fn followed(event: &MouseEvent) -> Option<(String, Option<String>)> {
    let target = event.target()?.dyn_into::<Element>().ok()?;
    let link = target.closest("a[data-page]").ok()??;
    Some((
        link.get_attribute("data-page")?,
        link.get_attribute("data-to"),
    ))
}

/// What the link in the text that was clicked sets, as a query, and its words.
pub fn to_set(event: &MouseEvent) -> Option<(String, String)> {
    let target = event.target()?.dyn_into::<Element>().ok()?;
    let link = target.closest("a[data-set]").ok()??;
    let words = link.text_content().unwrap_or_default();
    Some((link.get_attribute("data-set")?, words))
}

/// Every element of a kind, with its `data-…` attribute that the selector names.
fn each(selector: &str, mut see: impl FnMut(&Element, &str)) {
    let Ok(all) = document().query_selector_all(selector) else {
        return;
    };
    let name = selector.trim_start_matches("a").trim_matches(['[', ']']);
    for at in 0..all.length() {
        let element = all.item(at).and_then(|n| n.dyn_into::<Element>().ok());
        if let Some(element) = element {
            let value = element.get_attribute(name).unwrap_or_default();
            see(&element, &value);
        }
    }
}

/// Sets or takes away an attribute that is otherwise.
fn set(element: &Element, name: &str, value: Option<&str>) {
    if element.get_attribute(name).as_deref() == value {
        return;
    }
    let _ = match value {
        Some(value) => element.set_attribute(name, value),
        None => element.remove_attribute(name),
    };
}
