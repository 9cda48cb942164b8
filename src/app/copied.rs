//! Copying a text, and what became of it.

use leptos::prelude::*;
use leptos::task::spawn_local;

use crate::web;

/// That it is copied, or the text that the visitor must copy; nothing before.
pub type Copied = Option<Result<(), String>>;

/// Copies a text and tells what became of it.
pub fn copy(text: String, copied: RwSignal<Copied>) {
    spawn_local(async move {
        let done = web::page::copy(&text).await;
        copied.set(Some(if done { Ok(()) } else { Err(text) }));
    });
}
