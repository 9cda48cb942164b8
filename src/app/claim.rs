//! Statements with their mark, and the references of a page.

use leptos::prelude::*;

use super::reactive::reactive;
use super::store::Store;
use crate::figure::page_of;
use crate::lesson::piece::{Block, Mark, Piece};
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
        <div class="claim" data-mark=mark.letter() class:out=reactive(move || store.leaves_out(mark))>
            <div class="prose" inner_html=text></div>
            <details>
                <summary title=word("name")>
                    <span class="badge">{mark.letter()}</span>
                    <span class="hidden">{word("name")} {store.word("lesson.sources")}</span>
                </summary>
                <p><b>{word("name")}</b></p>
                <p>{word("meaning")}</p>
                <ul>
                    {sources.into_iter().map(item).collect_view()}
                </ul>
            </details>
        </div>
    }
}

/// The marks of some claims, each once.
pub fn marks(claims: &[&Block]) -> Vec<Mark> {
    let mut out = Vec::new();
    for claim in claims {
        if let Block::Claim { mark, .. } = claim
            && !out.contains(mark)
        {
            out.push(*mark);
        }
    }
    out
}

/// Claims that follow each other. Where their marks differ, one kind can be looked at alone.
#[component]
pub fn Claims(
    /// Their marks, each once.
    marks: Vec<Mark>,
    /// The claims.
    children: Children,
) -> impl IntoView {
    let store = Store::get();
    let only = move |mark: Mark| {
        let chosen = move || store.only_claims.get() == Some(mark);
        let choose = move |_| store.only_claims.set((!chosen()).then_some(mark));
        let name = store.word(&format!("lesson.mark.{}.name", mark.letter()));
        view! {
            <button type="button" aria-pressed=move || chosen().to_string() on:click=choose>
                <span class="badge" data-mark=mark.letter()>{mark.letter()}</span>
                " "
                {name}
            </button>
        }
        .into_any()
    };
    view! {
        <div class="claims">
            {(marks.len() > 1)
                .then(|| {
                    let marks = marks.into_iter().map(only).collect_view();
                    view! {
                        <div class="marks" role="group" aria-label=store.word("lesson.only_claims")>
                            {marks}
                        </div>
                    }
                })}
            {children()}
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
                <details class="references">
                    <summary>
                        <h2 id="references" tabindex="-1">
                            {store.word("lesson.references")}
                        </h2>
                    </summary>
                    <ol>{all.into_iter().map(item).collect_view()}</ol>
                </details>
            }
        })
        .into_any()
}
