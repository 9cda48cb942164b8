//! What the page remembers on the visitor's machine. Where storage is refused, nothing is.

use leptos::prelude::window;

fn storage() -> Option<web_sys::Storage> {
    window().local_storage().ok()?
}

/// What was kept under a name.
pub fn read(name: &str) -> Option<String> {
    storage()?.get_item(name).ok()?
}

/// Keeps a text.
pub fn write(name: &str, text: &str) {
    if let Some(storage) = storage() {
        let _ = storage.set_item(name, text);
    }
}
