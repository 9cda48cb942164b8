//! The page: Leptos components. They hold no mathematics and draw nothing themselves.

mod controls;
mod field;
mod figure_card;
mod header;
mod models;
mod notices;
mod predict;
mod stage;
mod store;

use std::time::Duration;

use leptos::html;
use leptos::prelude::*;
use leptos_use::use_resize_observer;

use crate::figure::{by_id, of_page};
use crate::say;
use crate::web;
use figure_card::FigureCard;
use header::Header;
use models::{ConfigField, Models};
use notices::Notices;
use predict::Predict;
use store::Store;

/// The whole page.
#[component]
pub fn App() -> impl IntoView {
    let store = Store::from_address();
    provide_context(store);
    web::page::remove_shell();
    Effect::new(move || {
        let lang = store.lang.get();
        web::page::root_attribute("lang", lang.tag());
        let title = say!(lang, "app.title");
        let page = say!(
            lang,
            format!("page.{}.title", store.params.read().page.id())
        );
        document().set_title(&format!("{page} · {title}"));
    });
    Effect::new(move || {
        let theme = if store.dark.get() { "dark" } else { "light" };
        web::page::root_attribute("data-theme", theme);
    });
    let embed = Memo::new(move |_| store.params.read().embed.clone());
    move || match embed.get() {
        Some(id) => view! { <Frame id=id /> }.into_any(),
        None => view! { <Lesson /> }.into_any(),
    }
}

/// All figures of the page shown, with its title and navigation.
#[component]
fn Lesson() -> impl IntoView {
    let store = Store::get();
    let page = Memo::new(move |_| store.params.read().page);
    let word = move |part: &str| say!(store.lang.get(), format!("page.{}.{part}", page.get().id()));
    view! {
        <Header />
        <main id="main" tabindex="-1">
            <Notices />
            <h1>{move || word("title")}</h1>
            <p class="lead">{move || word("lead")}</p>
            {move || {
                let page = page.get();
                let ask = page == crate::state::Page::Order;
                let real = page == crate::state::Page::Context;
                view! {
                    {ask.then(|| view! { <Predict /> })}
                    {real.then(|| view! { <Models /> })}
                    {of_page(page)
                        .enumerate()
                        .map(|(k, figure)| view! { <FigureCard figure=figure first={k == 0} /> })
                        .collect_view()}
                    {real.then(|| view! { <ConfigField /> })}
                }
            }}
        </main>
        <footer>
            <p>{move || say!(store.lang.get(), "app.footer")}</p>
        </footer>
    }
}

/// One figure alone, for a frame in somebody's notes.
#[component]
fn Frame(
    /// The figure's id.
    id: String,
) -> impl IntoView {
    let root = NodeRef::<html::Main>::new();
    let told = StoredValue::new(0.0);
    let name = id.clone();
    let announce = move || {
        let Some(main) = root.get_untracked() else {
            return;
        };
        // The content's height, never the frame's own, or the frame would grow for ever.
        let height = main.get_bounding_client_rect().height();
        if (height - told.get_value()).abs() >= 1.0 {
            told.set_value(height);
            web::page::announce_height(&name, height);
        }
    };
    use_resize_observer(root, {
        let announce = announce.clone();
        move |_, _| announce()
    });
    // A frame far down the notes is not laid out by the browser until it is scrolled to; a first
    // height is told all the same.
    set_timeout(announce, Duration::ZERO);
    view! {
        <main class="frame" node_ref=root>
            <Notices />
            {by_id(&id).map(|figure| view! { <FigureCard figure=figure first=true /> })}
        </main>
    }
}
