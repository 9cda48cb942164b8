//! The way through the lesson: contents of a page, previous and next, what is done.

use leptos::ev::{MouseEvent, scroll};
use leptos::html;
use leptos::prelude::*;

use super::store::Store;
use crate::say;
use crate::state::Page;
use crate::web;

/// Follows a link to another page, unless the visitor wants it in a tab or window of its own.
pub fn follow(store: Store, page: Page) -> impl Fn(MouseEvent) + Clone {
    move |event| {
        if event.ctrl_key() || event.meta_key() || event.shift_key() {
            return;
        }
        event.prevent_default();
        store.go(page);
        web::page::to_top();
    }
}

/// The page before or after another one.
pub fn neighbour(page: Page, step: isize) -> Option<Page> {
    let at = Page::LIVE.iter().position(|p| *p == page)?;
    Page::LIVE.get(at.checked_add_signed(step)?).copied()
}

/// The headings of the page shown, the one in view marked; it stands in the header and so is always at hand.
#[component]
pub fn Contents() -> impl IntoView {
    let store = Store::get();
    let details = NodeRef::<html::Details>::new();
    let here = RwSignal::new(None::<String>);
    let look = move || {
        if details.get_untracked().is_some_and(|d| d.open()) {
            let all = store.contents.get_untracked();
            here.set(web::focus::last_above(
                all.iter().map(|(id, _)| id.as_str()),
            ));
        }
    };
    let scrolls = window_event_listener(scroll, move |_| look());
    on_cleanup(move || scrolls.remove());
    let entry = move |(id, title): (String, String)| {
        let href = format!("#{id}");
        let mark = id.clone();
        let go = move |event: MouseEvent| {
            event.prevent_default();
            if let Some(details) = details.get_untracked() {
                details.set_open(false);
            }
            web::focus::go_to(&id);
        };
        view! {
            <li>
                <a
                    href=href
                    aria-current=move || (here.read().as_deref() == Some(&mark)).then_some("location")
                    on:click=go
                >
                    {title}
                </a>
            </li>
        }
        .into_any()
    };
    view! {
        <nav class="contents" aria-label=store.word("lesson.contents")
            hidden=move || store.contents.read().is_empty()>
            <details node_ref=details on:toggle=move |_| look()>
                <summary>{store.word("lesson.contents")}</summary>
                <ol>{move || store.contents.get().into_iter().map(entry).collect_view()}</ol>
            </details>
        </nav>
    }
}

/// Previous and next page, and how far the visitor has come.
#[component]
pub fn Way(
    /// The page shown.
    page: Page,
) -> impl IntoView {
    let store = Store::get();
    let step = |step: isize, key: &'static str, class: &'static str| {
        neighbour(page, step).map(|to| {
            let title = store.word(&format!("page.{}.title", to.id()));
            view! {
                <a class=class href=move || store.address_of(to) on:click=follow(store, to)>
                    <small>{store.word(key)}</small>
                    {title}
                </a>
            }
            .into_any()
        })
    };
    let done = move || {
        let all = Page::LIVE.iter();
        all.filter(|p| store.answers.page_done(p.id())).count()
    };
    view! {
        <nav class="way" aria-label=store.word("lesson.way")>
            {step(-1, "lesson.previous", "previous")} {step(1, "lesson.next", "next")}
        </nav>
        <p class="progress">
            {move || {
                say!(store.lang.get(), "lesson.progress", done = done(), all = Page::LIVE.len())
            }}
            " "
            {move || {
                store.answers.any().then(|| {
                    view! {
                        <button type="button" class="quiet" on:click=move |_| store.answers.forget()>
                            {store.word("lesson.forget")}
                        </button>
                    }
                        .into_any()
                })
            }}
        </p>
    }
}
