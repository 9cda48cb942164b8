//! The way through the lesson: contents of a page, previous and next, what is done.

use leptos::ev::MouseEvent;
use leptos::prelude::*;

use super::store::Store;
use crate::lesson::piece::Piece;
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

/// The headings of a page.
pub fn contents(piece: &Piece) -> AnyView {
    let store = Store::get();
    let entry = |(id, title): &(String, String)| {
        let id = id.clone();
        let go = {
            let id = id.clone();
            move |event: MouseEvent| {
                event.prevent_default();
                web::focus::go_to(&id);
            }
        };
        view! {
            <li>
                <a href=format!("#{id}") on:click=go>
                    {title.clone()}
                </a>
            </li>
        }
        .into_any()
    };
    let entries = piece.contents.iter().map(entry).collect_view();
    (!piece.contents.is_empty())
        .then(|| {
            view! {
                <nav class="contents" aria-label=store.word("lesson.contents")>
                    <details>
                        <summary>{store.word("lesson.contents")}</summary>
                        <ol>{entries}</ol>
                    </details>
                </nav>
            }
        })
        .into_any()
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
