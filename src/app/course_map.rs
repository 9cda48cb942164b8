//! The map of the course beside a page's title: an attention head, and where the page's scheme enters it.

use leptos::prelude::*;

use super::reactive::reactive;
use super::store::Store;
use crate::core::encoding::SCHEMES;
use crate::figure::kit::colour::Colours;
use crate::figure::kit::svg::svg;
use crate::figure::{MAP_FIGURE, View, map_of_course, of_page};
use crate::say;
use crate::state::{Key, Page};

/// CSS pixels of the diagram.
const SIZE: (f64, f64) = (610.0, 72.0);

/// The diagram. What a question of the page asks about it is hidden.
#[component]
pub fn CourseMap() -> impl IntoView {
    let store = Store::get();
    let now = Memo::new(move |_| {
        let p = store.params.read();
        (p.page, shows_one(p.page).then_some(p.scheme))
    });
    let drawn = reactive(move || {
        let (_, scheme) = now.get();
        let dark = store.dark.get();
        let view = View {
            width: SIZE.0,
            height: SIZE.1,
            lang: store.lang.get(),
            colours: Colours::of(dark),
            reveal: !store.veils(MAP_FIGURE),
            guess: None,
        };
        svg(&map_of_course(&view, scheme), SIZE, dark, |_| None).unwrap_or_default()
    });
    let name = move || {
        let lang = store.lang.get();
        match now.get() {
            (_, Some(scheme)) => {
                let scheme = say!(lang, format!("word.scheme.{}", scheme.id()));
                say!(lang, "app.map_of", scheme = scheme)
            }
            _ => say!(lang, "app.map"),
        }
    };
    view! { <div class="map" role="img" aria-label=name inner_html=drawn></div> }
}

/// Whether the page is about the scheme chosen, rather than about all at once.
fn shows_one(page: Page) -> bool {
    let chosen = of_page(page).any(|f| f.controls.contains(&Key::Scheme));
    chosen || page.schemes().count() < SCHEMES.len()
}
