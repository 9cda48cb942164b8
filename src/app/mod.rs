//! The page: Leptos components. They hold no mathematics and draw nothing themselves.

mod answers;
mod arrows;
mod bias_field;
mod blocks_field;
mod body;
mod check;
mod claim;
mod code_panel;
mod controls;
mod copied;
mod course_map;
mod field;
mod figure_card;
mod film;
mod guesses;
mod header;
mod image_fields;
mod language;
mod lasting;
mod modality_field;
mod models;
mod notices;
mod parts;
mod picture;
mod present;
mod put;
mod question;
mod reactive;
mod recording;
mod running;
mod search;
mod stage;
mod store;
mod text;
mod together;
mod token_row;
mod way;

use std::collections::HashMap;
use std::pin::Pin;
use std::rc::Rc;
use std::time::Duration;

use leptos::ev::MouseEvent;
use leptos::html;
use leptos::prelude::*;
use leptos_use::use_resize_observer;

use crate::figure::by_id;
use crate::lesson::live::Live;
use crate::say;
use crate::state::Page;
use crate::web::{self, clock};
use crate::words::short;
use body::Body;
use course_map::CourseMap;
use figure_card::FigureCard;
use header::Header;
use notices::Notices;
use present::Present;
use reactive::{effect, on_click, on_key, reactive};
use store::Store;

/// Loads the words of the language asked for, then shows the page. Its text is on the way meanwhile.
/// Boxed, as all that is spawned: a type of its own would bring its own copy of the spawning.
pub fn start() -> Pin<Box<dyn Future<Output = ()>>> {
    Box::pin(async {
        let (page, lang) = store::opened_at();
        let words = language::load(lang);
        text::ask_for(page, lang);
        if words.await {
            leptos::mount::mount_to_body(App);
        } else {
            web::page::loading_failed();
        }
    })
}

/// The whole page.
#[component]
fn App() -> impl IntoView {
    let store = Store::from_address();
    provide_context(store);
    web::page::leave_shell();
    web::page::root_attribute("data-made-by", env!("MADE_BY"));
    let page = Memo::new(move |_| store.params.read().page);
    effect(move || {
        let lang = store.lang.get();
        web::page::root_attribute("lang", lang.tag());
        let title = say!(lang, "app.title");
        let page = say!(lang, format!("page.{}.title", page.get().id()));
        document().set_title(&format!("{page} · {title}"));
    });
    effect(move || {
        let theme = if store.dark.get() { "dark" } else { "light" };
        web::page::root_attribute("data-theme", theme);
    });
    let embed = Memo::new(move |_| store.params.read().embed.clone());
    reactive(move || match embed.get() {
        Some(id) => view! { <Frame id=id /> }.into_any(),
        None => view! { <Lesson /> }.into_any(),
    })
}

/// All figures of the page shown, with its title and navigation.
#[component]
fn Lesson() -> impl IntoView {
    let store = Store::get();
    let page = Memo::new(move |_| store.params.read().page);
    let present = Memo::new(move |_| store.params.read().present);
    let from_behind = RwSignal::new(false);
    let word = move |part: &str| store.say(&format!("page.{}.{part}", page.get().id()));
    write_live_numbers(store);
    effect(move || {
        let shown = if present.get() { "1" } else { "0" };
        web::page::root_attribute("data-present", shown);
    });
    on_key(|event| {
        if event.key() == "Escape" {
            web::focus::leave_term();
        }
    });
    on_click(move |event| follow_link(store, event));
    view! {
        <Header />
        <main id="main" tabindex="-1">
            <Notices />
            <CourseMap />
            <h1>{move || word("title")}</h1>
            <p class="lead">{move || word("lead")}</p>
            {move || {
                let page = page.get();
                if present.get() {
                    view! { <Present page=page from_behind=from_behind /> }.into_any()
                } else {
                    view! { <Body page=page /> }.into_any()
                }
            }}
        </main>
        <Undo />
        <footer>
            <p>{store.word("app.footer")}</p>
        </footer>
    }
}

/// Says what the text has set and, where a figure of the page has one number to tell, what that has become; offers one
/// step back.
#[component]
fn Undo() -> impl IntoView {
    let store = Store::get();
    let difference = reactive(move || {
        store.difference.track();
        let p = store.params.get();
        let now = store.known_difference(&p).map(short);
        let lang = store.lang.get();
        now.map_or_else(String::new, |d| {
            say!(lang, "app.difference_now", difference = d)
        })
    });
    view! {
        <div class="undo" role="status">
            {move || {
                store
                    .before_text
                    .get()
                    .map(|(_, words)| {
                        view! {
                            <span>{say!(store.lang.get(), "app.was_set", what = words)}{difference.clone()}</span>
                            <button type="button" on:click=move |_| store.undo()>
                                {store.word("app.undo")}
                            </button>
                        }
                            .into_any()
                    })
            }}
        </div>
    }
}

/// Follows a link of the text to another place of the lab, or sets what it sets, unless the visitor wants it in a tab or
/// window of its own.
fn follow_link(store: Store, event: MouseEvent) {
    if event.ctrl_key() || event.meta_key() || event.shift_key() {
        return;
    }
    if let Some((query, words)) = web::inserts::to_set(&event) {
        event.prevent_default();
        store.set_by_text(&query, words);
    }
    if let Some((page, figure)) = web::inserts::followed(&event) {
        event.prevent_default();
        store.follow(&page, figure);
    }
}

/// Numbers in the text change in the same frame as the figures, after them; links follow the address.
fn write_live_numbers(store: Store) {
    let job: Rc<dyn Fn() -> bool> = Rc::new(move || {
        let p = store.params.get_untracked();
        let live = Live::new(&p, store.known_difference(&p));
        let mut known: HashMap<String, Option<(String, String)>> = HashMap::new();
        web::inserts::fill(|name| {
            let number = || {
                live.number(name)
                    .map(|n| (n.text, crate::state::number(n.number)))
            };
            known.entry(name.to_owned()).or_insert_with(number).clone()
        });
        false
    });
    let lead: Rc<dyn Fn() -> bool> = Rc::new(move || {
        web::inserts::lead(|page| Some(store.address_of(Page::by_id(page)?)));
        false
    });
    effect(move || {
        store.params.track();
        store.difference.track();
        store.stirred.track();
        clock::ask(clock::LAST, job.clone());
    });
    effect(move || {
        store.track_address();
        store.stirred.track();
        clock::ask(clock::LINKS, lead.clone());
    });
    on_cleanup(|| {
        clock::forget(clock::LINKS);
        clock::forget(clock::LAST);
    });
}

/// One figure alone, for a frame in somebody's notes.
#[component]
fn Frame(
    /// The figure's id.
    id: String,
) -> impl IntoView {
    let store = Store::get();
    let root = NodeRef::<html::Main>::new();
    let told = StoredValue::new(0.0);
    let name = id.clone();
    let missing = RwSignal::new(0.0);
    let announce = move || {
        let Some(main) = root.get_untracked() else {
            return;
        };
        // What the content wants, never the frame's own height, or the frame would grow for ever: the drawing
        // is made lower to fit the frame, so what it would take more is added.
        let height = web::page::wanted_height(&main, missing.get_untracked());
        if (height - told.get_value()).abs() >= 1.0 {
            told.set_value(height);
            web::page::announce_height(&name, height);
        }
    };
    use_resize_observer(root, {
        let announce = announce.clone();
        move |_, _| announce()
    });
    effect({
        let announce = announce.clone();
        move || {
            missing.track();
            announce();
        }
    });
    // A frame far down the notes is not laid out by the browser until it is scrolled to; a first
    // height is told all the same.
    set_timeout(announce, Duration::ZERO);
    view! {
        <main
            class="frame"
            class:window=reactive(move || store.params.read().fits_window)
            node_ref=root
        >
            <Notices />
            {by_id(&id).map(|figure| {
                let nothing = || reactive(|| ().into_any());
                view! {
                    <FigureCard figure=figure first=true asked=nothing() beside=nothing() missing=missing />
                }
            })}
        </main>
    }
}
