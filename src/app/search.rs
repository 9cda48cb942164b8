//! Looking for something: headings, figures and terms of the whole course. Empty, it is the glossary.

use std::sync::Arc;

use leptos::ev::KeyboardEvent;
use leptos::html;
use leptos::prelude::*;

use super::reactive::{effect, on_key};
use super::store::Store;
use crate::lesson::search::{Entry, find, parse};
use crate::state::Lang;
use crate::web::{self, load};

/// So many results are shown.
const SHOWN: usize = 60;

/// What has been loaded of a language.
type List = Option<(Lang, Option<Arc<Vec<Entry>>>)>;

/// The button, and what it opens; `/` opens it too.
#[component]
pub fn Search() -> impl IntoView {
    let store = Store::get();
    let dialog = NodeRef::<html::Dialog>::new();
    let open = RwSignal::new(false);
    let query = RwSignal::new(String::new());
    let list = RwSignal::new(List::None);
    effect(move || {
        let lang = store.lang.get();
        if !open.get()
            || list
                .read_untracked()
                .as_ref()
                .is_some_and(|(l, all)| *l == lang && all.is_some())
        {
            return;
        }
        leptos::task::spawn_local(async move {
            let text = load::text(&format!("lesson/index.{}.json", lang.id())).await;
            list.set(Some((lang, text.and_then(|t| parse(&t)).map(Arc::new))));
        });
    });
    let show = move || {
        if let Some(dialog) = dialog.get_untracked()
            && !dialog.open()
            && dialog.show_modal().is_ok()
        {
            open.set(true);
        }
    };
    let close = move || {
        if let Some(dialog) = dialog.get_untracked() {
            dialog.close();
        }
    };
    on_key(move |event: KeyboardEvent| {
        let held = event.ctrl_key() || event.meta_key() || event.alt_key();
        if event.key() == "/" && !held && !web::focus::writes() {
            event.prevent_default();
            show();
        }
    });
    let follow = move |entry: &Entry| {
        close();
        store.follow(
            &entry.page,
            Some(entry.place.clone()).filter(|p| !p.is_empty()),
        );
    };
    let found = move || {
        let list = list.read();
        let Some((_, all)) = &*list else {
            return view! { <p>{store.word("app.search_loading")}</p> }.into_any();
        };
        let Some(all) = all else {
            return view! { <p>{store.word("app.search_failed")}</p> }.into_any();
        };
        let found = find(all, &query.read());
        if found.is_empty() {
            return view! { <p>{store.word("app.search_nothing")}</p> }.into_any();
        }
        let one = |entry: &&Entry| result(store, (*entry).clone(), follow);
        let all: Vec<AnyView> = found.iter().take(SHOWN).map(one).collect();
        view! { <ul>{all}</ul> }.into_any()
    };
    view! {
        <button type="button" class="look" title="/" on:click=move |_| show()>
            {store.word("app.search")}
        </button>
        <dialog class="search" node_ref=dialog aria-label=store.word("app.search_all")
            on:close=move |_| open.set(false)>
            <form method="dialog">
                <input
                    type="text"
                    autocomplete="off"
                    aria-label=store.word("app.search_all")
                    placeholder=store.word("app.search_all")
                    prop:value=move || query.get()
                    on:input=move |event| query.set(event_target_value(&event))
                />
                <button type="submit">{store.word("app.close")}</button>
            </form>
            <div role="status">{move || open.get().then(found)}</div>
        </dialog>
    }
}

/// A link to what was found; a term says what it means.
fn result(store: Store, entry: Entry, follow: impl Fn(&Entry) + 'static) -> AnyView {
    let kind = store.word(&format!("search.{}", entry.kind.id()));
    let title = entry.title.clone();
    let text = entry.text.clone();
    if entry.page.is_empty() {
        return view! { <li><b>{title}</b> <small>{kind}</small> <p>{text}</p></li> }.into_any();
    }
    let href = format!("?page={}#{}", entry.page, entry.place);
    let go = move |event: leptos::ev::MouseEvent| {
        if !(event.ctrl_key() || event.meta_key() || event.shift_key()) {
            event.prevent_default();
            follow(&entry);
        }
    };
    view! { <li><a href=href on:click=go>{title}</a> <small>{kind}</small> <p>{text}</p></li> }
        .into_any()
}
