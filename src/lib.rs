//! Positional Encoding Lab.
#[cfg(feature = "app")]
use leptos::prelude::*;

/// The page.
#[cfg(feature = "app")]
#[component]
pub fn App() -> impl IntoView {
    let (n, set_n) = signal(0);
    view! { <button on:click=move |_| set_n.update(|n| *n += 1)>"count " {n}</button> }
}
