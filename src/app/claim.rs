//! Statements with their mark, and the references of a page.

use leptos::prelude::*;

use super::store::Store;
use crate::lesson::piece::{Mark, Piece, link};

/// A statement; its mark says how sure it is, and tells more on demand.
#[component]
pub fn Claim(
    /// How sure it is.
    mark: Mark,
    /// The statement (HTML).
    text: String,
    /// Where it is from.
    sources: Vec<String>,
) -> impl IntoView {
    let store = Store::get();
    let word =
        move |part: &'static str| store.word(&format!("lesson.mark.{}.{part}", mark.letter()));
    view! {
        <div class="claim" data-mark=mark.letter()>
            <div class="prose" inner_html=text></div>
            <details>
                <summary>
                    <span class="badge">{mark.letter()}</span>
                    " "
                    {word("name")}
                    <span class="hidden">{store.word("lesson.sources")}</span>
                </summary>
                <p>{word("meaning")}</p>
                <ul>
                    {sources.into_iter().map(item).collect_view()}
                </ul>
            </details>
        </div>
    }
}

/// A source in a list.
fn item(source: String) -> AnyView {
    view! { <li><Source source=source /></li> }.into_any()
}

/// One source: a link where it has an address. Nothing is asked for before it is followed.
#[component]
fn Source(
    /// As the text writes it.
    source: String,
) -> impl IntoView {
    let store = Store::get();
    if source == "identity" {
        return store.word("lesson.identity").into_any();
    }
    match link(&source) {
        Some(address) => {
            view! { <a href=address rel="noreferrer" target="_blank">{source}</a> }.into_any()
        }
        None => view! { <span>{source.trim_start_matches("file: ").to_owned()}</span> }.into_any(),
    }
}

/// All sources of a page that stand elsewhere.
pub fn references(piece: &Piece) -> AnyView {
    let store = Store::get();
    let all: Vec<String> = piece
        .sources()
        .into_iter()
        .filter(|s| *s != "identity")
        .map(str::to_owned)
        .collect();
    (!all.is_empty())
        .then(|| {
            view! {
                <section class="references" aria-labelledby="references">
                    <h2 id="references" tabindex="-1">{store.word("lesson.references")}</h2>
                    <ol>
                        {all.into_iter().map(item).collect_view()}
                    </ol>
                </section>
            }
        })
        .into_any()
}
