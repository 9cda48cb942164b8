//! Statements with their mark, and the references of a page.

use leptos::prelude::*;

use super::store::Store;
use crate::figure::page_of;
use crate::lesson::piece::{Mark, Piece};
use crate::lesson::source::Source;
use crate::state::Page;

/// A statement; its mark says how sure it is, and tells more on demand.
#[component]
pub fn Claim(
    /// How sure it is.
    mark: Mark,
    /// The statement (HTML).
    text: String,
    /// Where it is from.
    sources: Vec<Source>,
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
fn item(source: Source) -> AnyView {
    view! { <li>{shown(source)}</li> }.into_any()
}

/// One source: a figure of the lab, or a work elsewhere. Nothing is asked for before a link is
/// followed.
fn shown(source: Source) -> AnyView {
    let store = Store::get();
    match source {
        Source::Identity => store.word("lesson.identity").into_any(),
        Source::Figure(id) => {
            let page = page_of(&id).map(Page::id);
            let title = store.word(&format!("figure.{id}.title"));
            view! {
                <a href=page.map(|p| format!("?page={p}#{id}")) data-page=page data-to=id>
                    {title}
                </a>
            }
            .into_any()
        }
        Source::Work { ref href, .. } => {
            let href = href.clone();
            view! { <a href=href rel="noreferrer" target="_blank">{source.name()}</a> }.into_any()
        }
    }
}

/// All works that the claims of a page name.
pub fn references(piece: &Piece) -> AnyView {
    let store = Store::get();
    let all = piece.works();
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
