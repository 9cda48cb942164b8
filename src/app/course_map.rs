//! The map of the course beside a page's title: an attention head, and where the page's scheme enters it.

use leptos::prelude::*;

use super::reactive::reactive;
use super::store::Store;
use crate::figure::kit::colour::Colours;
use crate::figure::kit::svg::svg;
use crate::figure::{MAP_FIGURE, MAP_SIZE, View, map_of_course, on_map};
use crate::say;

/// The diagram. What a question of the page asks about it is hidden.
#[component]
pub fn CourseMap() -> impl IntoView {
    let store = Store::get();
    let now = Memo::new(move |_| {
        let p = store.params.read();
        (p.page, on_map(&p))
    });
    let drawn = reactive(move || {
        let (_, scheme) = now.get();
        let dark = store.dark.get();
        let view = View {
            width: MAP_SIZE.0,
            height: MAP_SIZE.1,
            lang: store.lang.get(),
            colours: Colours::of(dark),
            reveal: !store.veils(MAP_FIGURE),
            guess: None,
        };
        svg(&map_of_course(&view, scheme), MAP_SIZE, dark, |_| None).unwrap_or_default()
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
