//! The address, the html element, the frame around the page, the clipboard.

use std::cell::{Cell, RefCell};
use std::time::Duration;

use leptos::ev;
use leptos::prelude::{document, set_timeout, window, window_event_listener};
use wasm_bindgen::JsValue;
use wasm_bindgen_futures::JsFuture;

/// Least time between two writes of the address; browsers refuse more.
const WRITE_EVERY_MS: f64 = 250.0;

/// The query string of the address, with its `?` if there is one.
pub fn query() -> String {
    window().location().search().unwrap_or_default()
}

/// What the address names of the page, after its `#`.
pub fn fragment() -> Option<String> {
    let hash = window().location().hash().ok()?;
    Some(hash.strip_prefix('#')?.to_owned())
}

/// Shows the start of the page.
pub fn to_top() {
    window().scroll_to_with_x_and_y(0.0, 0.0);
}

/// The whole address with another query.
pub fn link(query: &str) -> String {
    let location = window().location();
    let place = location.origin().unwrap_or_default() + &location.pathname().unwrap_or_default();
    if query.is_empty() {
        place
    } else {
        format!("{place}?{query}")
    }
}

/// The browser's language.
pub fn language() -> String {
    window().navigator().language().unwrap_or_default()
}

/// Adds a history entry, for going to another page.
pub fn push_query(query: &str) {
    PENDING.set(None);
    write(query, true);
}

thread_local! {
    /// What the address is to become; written after a while.
    static PENDING: RefCell<Option<String>> = const { RefCell::new(None) };
    static WRITTEN_AT: Cell<f64> = const { Cell::new(0.0) };
}

/// Replaces the address, at most four times a second, and tells when it is written; the last query always is.
pub fn replace_query(query: String, written: impl FnOnce() + 'static) {
    let waiting = PENDING.replace(Some(query)).is_some();
    if waiting {
        return;
    }
    let since = js_sys::Date::now() - WRITTEN_AT.get();
    let wait = (WRITE_EVERY_MS - since).clamp(0.0, WRITE_EVERY_MS);
    set_timeout(
        || {
            if let Some(query) = PENDING.take() {
                write(&query, false);
                written();
            }
        },
        Duration::from_millis(wait as u64),
    );
}

fn write(query: &str, push: bool) {
    WRITTEN_AT.set(js_sys::Date::now());
    let Ok(history) = window().history() else {
        return;
    };
    let url = if query.is_empty() {
        window().location().pathname().unwrap_or_default()
    } else {
        format!("?{query}")
    };
    // A browser may refuse (a sandboxed frame, too many calls): the page works on without.
    let _ = if push {
        history.push_state_with_url(&JsValue::NULL, "", Some(&url))
    } else {
        history.replace_state_with_url(&JsValue::NULL, "", Some(&url))
    };
}

/// Calls back with the query when the visitor goes back or forward.
pub fn on_history(then: impl Fn(String) + 'static) {
    let handle = window_event_listener(ev::popstate, move |_| {
        PENDING.set(None);
        then(query());
    });
    leptos::prelude::on_cleanup(move || handle.remove());
}

/// Sets an attribute of the html element.
pub fn root_attribute(name: &str, value: &str) {
    if let Some(root) = document().document_element() {
        let _ = root.set_attribute(name, value);
    }
}

/// The page is being put together: what `index.html` showed goes, but a first screen that is drawn there stays above
/// until [`remove_shell`], so that nothing is blank in between.
pub fn leave_shell() {
    let Some(shell) = document().get_element_by_id("shell") else {
        return;
    };
    if shell.class_name() == "drawn" {
        shell.set_class_name("drawn leaving");
    } else {
        shell.remove();
    }
}

/// Removes what `index.html` showed while the page was loading: there is something to be seen now.
pub fn remove_shell() {
    remove("shell");
}

/// Says, in the shell, that the page could not be loaded.
pub fn loading_failed() {
    remove("progress");
    if let Some(message) = document().get_element_by_id("load-failed") {
        let _ = message.remove_attribute("hidden");
    }
}

fn remove(id: &str) {
    if let Some(element) = document().get_element_by_id(id) {
        element.remove();
    }
}

/// The height that a bench alone wants, if its drawing were higher by `missing`. What stands beside the drawing
/// does not move with it; what stands below does.
pub fn wanted_height(main: &web_sys::HtmlElement, missing: f64) -> f64 {
    let own = main.get_bounding_client_rect().height();
    let part = |name: &str| main.query_selector(name).ok().flatten();
    let (Some(picture), Some(rail)) = (part(".picture"), part(".rail")) else {
        return own;
    };
    let (picture, rail) = (
        picture.get_bounding_client_rect(),
        rail.get_bounding_client_rect(),
    );
    let beside = rail.left() >= picture.right();
    let free = if beside {
        (rail.bottom() - picture.bottom()).max(0.0)
    } else {
        0.0
    };
    own + (missing - free).max(0.0)
}

/// Tells the page around this frame how high the content is.
pub fn announce_height(id: &str, height: f64) {
    let Ok(Some(parent)) = window().parent() else {
        return;
    };
    if js_sys::Object::is(&parent, &window()) {
        return;
    }
    let message = js_sys::Object::new();
    let entries = [
        ("type", JsValue::from_str("posenc-lab:height")),
        ("id", JsValue::from_str(id)),
        ("height", JsValue::from_f64(height.ceil())),
    ];
    for (name, value) in entries {
        let _ = js_sys::Reflect::set(&message, &name.into(), &value);
    }
    let _ = parent.post_message(&message, "*");
}

/// Copies text; false if the browser does not allow it.
pub async fn copy(text: &str) -> bool {
    let navigator = window().navigator();
    // Absent on pages that are not served over https.
    let there = js_sys::Reflect::has(&navigator, &"clipboard".into()).unwrap_or(false)
        && js_sys::Reflect::get(&navigator, &"clipboard".into()).is_ok_and(|c| !c.is_undefined());
    there
        && JsFuture::from(navigator.clipboard().write_text(text))
            .await
            .is_ok()
}
