//! Files beside the page.

use std::future::Future;

use leptos::prelude::window;
use wasm_bindgen::JsCast;
use wasm_bindgen_futures::JsFuture;
use web_sys::{RequestCache, RequestInit, Response};

/// The text of a file, its path relative to the page; `None` if it cannot be had. The browser is
/// asked at once, not when the answer is waited for.
pub fn text(path: &str) -> impl Future<Output = Option<String>> + use<> {
    let options = RequestInit::new();
    // The name has no hash, so the browser asks whether what it keeps is still right.
    options.set_cache(RequestCache::NoCache);
    // Listened to from the start: a failure that comes before is an error of the page.
    let answer = JsFuture::from(window().fetch_with_str_and_init(path, &options));
    async move {
        let response: Response = answer.await.ok()?.dyn_into().ok()?;
        if !response.ok() {
            return None;
        }
        JsFuture::from(response.text().ok()?)
            .await
            .ok()?
            .as_string()
    }
}
