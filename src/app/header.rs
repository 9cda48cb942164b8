//! Title, tabs, and the switches for language and theme.

use leptos::prelude::*;

use super::copied::{Copied, copy};
use super::reactive::reactive;
use super::store::Store;
use super::way::follow;
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
    view! {
        <a class="skip" href="#main">
            {store.word("app.skip")}
        </a>
        <header>
            <p class="brand">{store.word("app.title")}</p>
            <Switches />
            <nav aria-label=store.word("app.pages")>{tabs.collect_view()}</nav>
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
            <button
                type="button"
                lang=move || other().tag()
                on:click=move |_| store.set(vec![(Key::Lang, Value::Word(other().id()))])
            >
                {move || if other() == Lang::En { "English" } else { "中文" }}
            </button>
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
            <button type="button" on:click=move |_| store.reset()>
                {store.word("app.reset")}
            </button>
            <button
                type="button"
                class="present"
                aria-pressed=move || store.params.read().present.to_string()
                on:click=move |_| {
                    let now = store.params.read_untracked().present;
                    store.set(vec![(Key::Present, Value::Int(i64::from(!now)))]);
                }
            >
                {store.word("lesson.present")}
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
    }
}
