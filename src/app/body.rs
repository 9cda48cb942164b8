//! Text and figures of a page, in order. Figures stay as they are when a text comes late or the
//! language changes.

use std::sync::Arc;

use leptos::prelude::*;

use super::answers::key;
use super::check::{NumberCheck, SettingCheck};
use super::claim::{Claim, references};
use super::code_panel::CodePanel;
use super::figure_card::FigureCard;
use super::live::{effect, list, live, part};
use super::models::{ConfigField, Models};
use super::question::Question;
use super::store::Store;
use super::text::{Loading, text_of};
use super::way::{Way, contents};
use crate::figure::{Figure, by_id, of_page};
use crate::lesson::piece::{Block, Piece, TOOLS};
use crate::state::{Lang, Page};

/// Something in the column.
#[derive(Clone)]
enum Item {
    Figure(&'static Figure),
    Block(Lang, usize, Arc<Piece>),
    Contents(Lang, Arc<Piece>),
    References(Lang, Arc<Piece>),
    Tool(&'static str),
    Failed,
}

impl Item {
    /// What stays the same stays on the page.
    fn key(&self) -> String {
        match self {
            Self::Figure(figure) => figure.id.to_owned(),
            Self::Block(lang, at, _) => format!("{}-{at}", lang.id()),
            Self::Contents(lang, _) => format!("{}-contents", lang.id()),
            Self::References(lang, _) => format!("{}-references", lang.id()),
            Self::Tool(id) => format!("tool-{id}"),
            Self::Failed => "failed".to_owned(),
        }
    }
}

/// The column of a page.
#[component]
pub fn Body(
    /// The page.
    page: Page,
) -> impl IntoView {
    let store = Store::get();
    let attempt = RwSignal::new(0);
    let state = text_of(page, attempt);
    let first = of_page(page).next().map(|f| f.id);
    let show = move |item: Item| match item {
        Item::Figure(figure) => {
            view! { <FigureCard figure=figure first={first == Some(figure.id)} /> }.into_any()
        }
        Item::Block(_, at, piece) => block(page, &piece.blocks[at]),
        Item::Contents(_, piece) => contents(&piece),
        Item::References(_, piece) => references(&piece),
        Item::Tool(id) => tool(id),
        Item::Failed => view! { <Failed attempt=attempt /> }.into_any(),
    };
    let parts = move || {
        let items = items(page, &state.read()).into_iter();
        items
            .map(|item| part(item.key(), move || show(item)))
            .collect()
    };
    effect(move || {
        let state = state.read();
        let Loading::Here((_, piece)) = &*state else {
            return;
        };
        let mut checks = piece
            .blocks
            .iter()
            .filter(|b| b.check().is_some())
            .peekable();
        let any = checks.peek().is_some();
        if any && checks.all(|b| store.answers.is_right(page.id(), b)) {
            store.answers.set(&key("done", page.id()), "1");
        }
        store.stir();
    });
    view! {
        {list(parts)}
        <Way page=page />
    }
}

fn items(page: Page, state: &Loading) -> Vec<Item> {
    let mut left: Vec<&'static Figure> = of_page(page).collect();
    let mut out = Vec::new();
    match state {
        Loading::Waiting => return out,
        Loading::Late => {}
        Loading::Failed => out.push(Item::Failed),
        Loading::Here((lang, piece)) => {
            out.push(Item::Contents(*lang, piece.clone()));
            for (at, block) in piece.blocks.iter().enumerate() {
                match block {
                    Block::Tool(id) => {
                        let known = TOOLS.iter().find(|(_, known)| known == id);
                        out.extend(known.map(|(_, id)| Item::Tool(id)));
                    }
                    Block::Figure(id) => {
                        if let Some(figure) = by_id(id) {
                            left.retain(|f| f.id != figure.id);
                            out.push(Item::Figure(figure));
                        }
                    }
                    _ => out.push(Item::Block(*lang, at, piece.clone())),
                }
            }
        }
    }
    // Whatever the text says, every figure and every tool is there.
    out.extend(left.into_iter().map(Item::Figure));
    if !matches!(state, Loading::Here(_)) {
        let of_page = TOOLS.iter().filter(|(of, _)| *of == page);
        out.extend(of_page.map(|(_, id)| Item::Tool(id)));
    }
    if let Loading::Here((lang, piece)) = state {
        out.push(Item::References(*lang, piece.clone()));
    }
    out
}

/// Says that the text did not come, and tries again.
#[component]
fn Failed(
    /// Counts the attempts.
    attempt: RwSignal<u32>,
) -> impl IntoView {
    let store = Store::get();
    view! {
        <div class="failed" role="alert">
            <p>{store.word("lesson.load_failed")}</p>
            <button type="button" on:click=move |_| attempt.update(|n| *n += 1)>
                {store.word("lesson.retry")}
            </button>
        </div>
    }
}

fn tool(id: &str) -> AnyView {
    match id {
        "presets" => view! { <Models /> }.into_any(),
        _ => view! { <ConfigField /> }.into_any(),
    }
}

/// A block that is neither figure nor tool.
pub fn block(page: Page, block: &Block) -> AnyView {
    let store = Store::get();
    let name = |id: &str| key(page.id(), id);
    let hidden = move |part: &'static str| live(move || store.params.read().hides(part));
    match block.clone() {
        Block::Text(html) => view! { <div class="prose" inner_html=html></div> }.into_any(),
        Block::Figure(_) | Block::Tool(_) => ().into_any(),
        Block::Predict {
            id, ask, answers, ..
        } => view! { <Question name=name(&id) ask=ask answers=answers predict=true /> }.into_any(),
        Block::Choice { id, ask, answers } => {
            view! { <Question name=name(&id) ask=ask answers=answers predict=false /> }.into_any()
        }
        Block::Formula { id, lines } => {
            let lines = lines.into_iter().map(|line| {
                view! { <div class="scroll" tabindex="0" inner_html=line></div> }.into_any()
            });
            view! {
                <div class="formula" data-formula=id class:veiled=hidden("formula")>
                    {lines.collect_view()}
                </div>
            }
            .into_any()
        }
        Block::Code { id, template } => view! {
            <div class:veiled=hidden("code")>
                <CodePanel id=id template=template />
            </div>
        }
        .into_any(),
        Block::Claim {
            mark,
            text,
            sources,
        } => view! { <Claim mark=mark text=text sources=sources /> }.into_any(),
        Block::Limits(html) => view! {
            <section class="limits" aria-labelledby="limits">
                <h2 id="limits">{store.word("lesson.limits")}</h2>
                <div class="prose" inner_html=html></div>
            </section>
        }
        .into_any(),
        Block::Number {
            id,
            ask,
            value,
            tolerance,
            why,
        } => {
            view! { <NumberCheck name=name(&id) ask=ask value=value tolerance=tolerance why=why /> }
                .into_any()
        }
        Block::Setting {
            id,
            ask,
            condition,
            why,
        } => {
            view! { <SettingCheck name=name(&id) ask=ask condition=condition why=why /> }.into_any()
        }
    }
}
