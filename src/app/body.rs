//! Text and figures of a page, in order. Figures stay as they are when a text comes late or the
//! language changes.

use leptos::prelude::*;

use super::answers::key;
use super::check::{NumberCheck, SettingCheck};
use super::claim::{Claim, Claims, marks, references};
use super::code_panel::{CodePanel, TracedLine};
use super::figure_card::FigureCard;
use super::models::{ConfigField, Models};
use super::question::Question;
use super::reactive::{Reactive, effect, reactive};
use super::store::Store;
use super::text::{Loading, text_of};
use super::way::Way;
use crate::figure::{Tool, by_id, of_page};
use crate::lesson::piece::{Block, Fixture, fixtures};
use crate::say;
use crate::state::Page;
use crate::web;

/// The column of a page.
#[component]
pub fn Body(
    /// The page.
    page: Page,
) -> impl IntoView {
    let store = Store::get();
    let attempt = RwSignal::new(0);
    let state = text_of(page, attempt);
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
    let here = Memo::new(move |_| *state.read() != Loading::Waiting);
    effect(move || {
        if here.get() {
            store.arrive();
        }
    });
    view! {
        {reactive(move || {
            here.get().then(|| (column(page, state, attempt), view! { <Way page=page /> }.into_any()))
        })}
    }
}

/// Figures and tools, which stay, and between them the text, which may come late and change its
/// language.
fn column(page: Page, state: RwSignal<Loading>, attempt: RwSignal<u32>) -> Vec<AnyView> {
    let fixtures = fixtures(page);
    let first = of_page(page).next().map(|f| f.id);
    let last = fixtures.len();
    let text = move |k| reactive(move || part(page, &state.read(), (k, last), attempt)).into_any();
    let mut out = Vec::new();
    for (k, fixture) in fixtures.iter().enumerate() {
        out.push(text(k));
        out.push(match fixture {
            Fixture::Figure(f) => {
                let first = first == Some(f.id);
                let asked = asked(page, f.id, state);
                let beside = beside(f.id, state);
                view! { <FigureCard figure=f first=first asked=asked beside=beside /> }.into_any()
            }
            Fixture::Tool(Tool::Presets) => view! { <Models /> }.into_any(),
            Fixture::Tool(Tool::Config) => view! { <ConfigField /> }.into_any(),
        });
    }
    out.push(text(last));
    out
}

/// The text before the `k`-th fixture, or after the last.
fn part(
    page: Page,
    state: &Loading,
    (k, last): (usize, usize),
    attempt: RwSignal<u32>,
) -> Vec<AnyView> {
    let mut out = Vec::new();
    match state {
        Loading::Failed if k == 0 => out.push(view! { <Failed attempt=attempt /> }.into_any()),
        Loading::Here((_, piece)) => {
            let mut parts = piece.blocks.split(Block::is_fixture);
            let blocks = parts.nth(k).unwrap_or_default();
            out.push(columns(page, blocks));
            if k == last {
                out.push(references(piece).into_any());
            }
        }
        _ => {}
    }
    out
}

/// The question that a figure answers, which stands beside it, once the text is there.
pub fn asked(page: Page, figure: &'static str, state: RwSignal<Loading>) -> Reactive<AnyView> {
    reactive(move || {
        let Loading::Here((_, piece)) = &*state.read() else {
            return ().into_any();
        };
        let asks = |b: &&Block| matches!(b, Block::Predict { figure: of, .. } if of == figure);
        match piece.blocks.iter().find(asks).cloned() {
            Some(Block::Predict {
                id, ask, answers, ..
            }) => {
                let name = key(page.id(), &id);
                view! { <Question name=name ask=ask answers=answers predicts=by_id(figure) /> }
                    .into_any()
            }
            _ => ().into_any(),
        }
    })
}

/// What the text says beside a figure, in folds, once the text is there: a walk through it, and what its traced cell
/// is in formulas and in code.
pub fn beside(figure: &'static str, state: RwSignal<Loading>) -> Reactive<AnyView> {
    let store = Store::get();
    reactive(move || {
        let Loading::Here((_, piece)) = &*state.read() else {
            return ().into_any();
        };
        let steps = piece.blocks.iter().find_map(|b| match b {
            Block::Steps {
                figure: of,
                count,
                html,
            } if of == figure => Some((*count, html.clone())),
            _ => None,
        });
        let steps = steps.map(|(count, html)| {
            // They may tell what the question asks.
            let shut = reactive(move || store.veils(figure));
            view! {
                <details class="steps" hidden=shut>
                    <summary>{say!(store.lang.get_untracked(), "lesson.steps", count = count)}</summary>
                    <div class="walk" inner_html=html></div>
                </details>
            }
        });
        // What follows the figure, without the figure itself.
        let after = piece
            .blocks
            .iter()
            .skip_while(|b| !is_figure(b, figure))
            .skip(1);
        let after = after.take_while(|b| !b.is_fixture());
        let formulas = after.filter_map(|b| match b {
            Block::Formula { lines, .. } => Some(lines.concat()),
            _ => None,
        });
        let formulas: Vec<AnyView> = formulas
            .map(|lines| view! { <div class="one-formula" inner_html=lines></div> }.into_any())
            .collect();
        let lines = piece.blocks.iter().filter_map(|b| match b {
            Block::Code {
                templates,
                figure: of,
                ..
            } if of == figure => Some(templates.clone()),
            _ => None,
        });
        let lines: Vec<AnyView> = lines
            .map(|templates| view! { <TracedLine templates=templates /> }.into_any())
            .collect();
        let cell = (!formulas.is_empty() || !lines.is_empty()).then(|| {
            let hidden = move |part| reactive(move || store.params.read().hides(part));
            view! {
                <details class="cell">
                    <summary>{store.say("lesson.cell")}</summary>
                    <div class:veiled=hidden("formula")>{formulas}</div>
                    <div class:veiled=hidden("code")>{lines}</div>
                </details>
            }
        });
        store.stir();
        (steps, cell).into_any()
    })
}

fn is_figure(block: &Block, id: &str) -> bool {
    matches!(block, Block::Figure(of) if of == id)
}

/// Blocks of text between two figures: claims that follow each other are one list.
fn columns(page: Page, blocks: &[Block]) -> AnyView {
    let is_claim = |b: &Block| matches!(b, Block::Claim { .. });
    let blocks: Vec<&Block> = blocks.iter().filter(|b| !b.is_beside_figure()).collect();
    let groups = blocks.chunk_by(|a, b| is_claim(a) && is_claim(b));
    let group = |group: &[&Block]| {
        let inside = group.iter().map(|b| block(page, b)).collect_view();
        if group.iter().all(|b| is_claim(b)) {
            view! { <Claims marks=marks(group)>{inside}</Claims> }.into_any()
        } else {
            inside.into_any()
        }
    };
    let groups: Vec<AnyView> = groups.map(group).collect();
    (!groups.is_empty())
        .then(|| view! { <div class="part">{groups}</div> })
        .into_any()
}

/// Says that the text did not come, and tries again.
#[component]
fn Failed(
    /// Counts the attempts.
    attempt: RwSignal<u32>,
) -> impl IntoView {
    let store = Store::get();
    web::page::remove_shell();
    view! {
        <div class="failed" role="alert">
            <p>{store.word("lesson.load_failed")}</p>
            <button type="button" on:click=move |_| attempt.update(|n| *n += 1)>
                {store.word("lesson.retry")}
            </button>
        </div>
    }
}

/// A block of text.
fn block(page: Page, block: &Block) -> AnyView {
    let store = Store::get();
    let name = |id: &str| key(page.id(), id);
    let hidden = move |part: &'static str| reactive(move || store.params.read().hides(part));
    match block.clone() {
        Block::Text(html) => view! { <div class="prose" inner_html=html></div> }.into_any(),
        // A question before a figure stands beside it.
        Block::Figure(_) | Block::Tool(_) | Block::Predict { .. } | Block::Steps { .. } => {
            ().into_any()
        }
        Block::Choice { id, ask, answers } => {
            view! { <Question name=name(&id) ask=ask answers=answers predicts=None /> }.into_any()
        }
        Block::Formula { id, lines } => {
            let lines = lines.concat();
            view! {
                <div
                    class="formula"
                    data-formula=id
                    class:veiled=hidden("formula")
                    inner_html=lines
                ></div>
            }
            .into_any()
        }
        Block::Code { templates, .. } => view! {
            <div class:veiled=hidden("code")>
                <CodePanel templates=templates />
            </div>
        }
        .into_any(),
        Block::Claim {
            mark,
            text,
            sources,
        } => view! { <Claim mark=mark text=text sources=sources /> }.into_any(),
        Block::Summary(html) => view! {
            <section class="summary" aria-labelledby="summary">
                <h2 id="summary">{store.word("lesson.summary")}</h2>
                <div class="prose" inner_html=html></div>
            </section>
        }
        .into_any(),
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
