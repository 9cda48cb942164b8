//! Title, tabs, and the switches for language and theme.

use leptos::prelude::*;

use super::copied::{Copied, copy};
use super::reactive::reactive;
use super::search::Search;
use super::store::Store;
use super::way::{Contents, follow};
use crate::state::{Key, Lang, Page, Value, encode};
use crate::web;

/// The top of the page.
#[component]
pub fn Header() -> impl IntoView {
    let store = Store::get();
    let tabs = Page::LIVE.iter().map(|&page| {
        let here = move || store.params.read().page == page;
        view! {
            <a
                href=move || store.address_of(page)
                aria-current=move || here().then_some("page")
                on:click=follow(store, page)
            >
                {store.word(&format!("page.{}.tab", page.id()))}
                {move || {
                    store.answers.page_done(page.id()).then(|| {
                        view! {
                            <span aria-hidden="true" class="done">"✓"</span>
                            <span class="hidden">{store.word("lesson.done")}</span>
                        }
                            .into_any()
                    })
                }}
            </a>
        }
        .into_any()
    });
    // Where there is no room for tabs.
    let names = Page::LIVE.iter().map(|&page| {
        let here = reactive(move || store.params.read().page == page);
        view! {
            <option value=page.id() prop:selected=here>
                {store.word(&format!("page.{}.tab", page.id()))}
            </option>
        }
        .into_any()
    });
    let choose = move |event| {
        if let Some(page) = Page::by_id(&event_target_value(&event)) {
            store.go(page);
            web::page::to_top();
        }
    };
    let done = move || {
        let done = Page::LIVE
            .iter()
            .filter(|p| store.answers.page_done(p.id()));
        format!("{}%", 100 * done.count() / Page::LIVE.len())
    };
    view! {
        <a class="skip" href="#main">
            {store.word("app.skip")}
        </a>
        <header>
            <p class="brand">{store.word("app.title")}</p>
            <nav aria-label=store.word("app.pages")>{tabs.collect_view()}</nav>
            <label class="pages">
                <span class="hidden">{store.word("app.pages")}</span>
                <select on:change=choose>{names.collect_view()}</select>
            </label>
            <Contents />
            <Switches />
            <div class="far" aria-hidden="true" style:width=done></div>
        </header>
    }
}

/// Language, theme, reset and copy link.
#[component]
fn Switches() -> impl IntoView {
    let store = Store::get();
    let copied = RwSignal::new(Copied::None);
    let other = move || match store.lang.get() {
        Lang::Zh => Lang::En,
        Lang::En => Lang::Zh,
    };
    let copy_link = move |_| copy(web::page::link(&encode(&store.written_out())), copied);
    view! {
        <div class="switches">
            <Search />
            <button
                type="button"
                lang=move || other().tag()
                on:click=move |_| store.set(vec![(Key::Lang, Value::Word(other().id()))])
            >
                {move || if other() == Lang::En { "English" } else { "中文" }}
            </button>
            <details class="menu">
            <summary aria-label=store.word("app.menu")>"⋯"</summary>
            <div>
            <label>
                <span class="hidden">{store.word("app.theme")}</span>
                <select on:change=move |event| {
                    let _ = store.set_text(Key::Theme, &event_target_value(&event));
                }>
                    {["auto", "light", "dark"]
                        .map(|id| {
                            let chosen = reactive(move || {
                                store.params.read().word(Key::Theme).as_deref() == Some(id)
                            });
                            view! {
                                <option value=id prop:selected=chosen>
                                    {store.word(&format!("word.theme.{id}"))}
                                </option>
                            }
                                .into_any()
                        })
                        .collect_view()}
                </select>
            </label>
            <button
                type="button"
                class="present"
                on:click=move |_| store.set(vec![(Key::Present, Value::Int(1))])
            >
                {store.word("lesson.present")}
            </button>
            <button type="button" on:click=move |_| store.reset()>
                {store.word("app.reset")}
            </button>
            <button type="button" on:click=copy_link>
                {store.word("app.copy_link")}
            </button>
            <span role="status" class="copied">
                {move || match copied.get() {
                    None => ().into_any(),
                    Some(Ok(())) => store.say("app.copied").into_any(),
                    Some(Err(link)) => {
                        view! {
                            <label>
                                {store.word("app.copy_yourself")}
                                <input type="text" readonly prop:value=link />
                            </label>
                        }
                            .into_any()
                    }
                }}
            </span>
            </div>
            </details>
        </div>
    }
}
