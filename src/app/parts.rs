//! The program in two parts: what the first page shows is there from the start; how all other figures are computed
//! and drawn comes with the first page that shows one, and with it what is asked for more seldom. Built without
//! splitting (see `dev`), it is all one program and the other part is there at once.

use std::sync::OnceLock;

use leptos::prelude::*;
use wasm_split_helpers::SplitLoaderError;

use super::store::Store;
use crate::figure::{AT_ONCE, Compute, Computed, Figure, LATER};
use crate::state::config_text::{self, Reading};
use crate::state::{Notice, Params, Requested};
use crate::vectors::object;

type List = &'static [(&'static str, Compute)];

/// What only the other part has.
pub struct Later {
    figures: List,
    /// Reads a `config.json`.
    pub read_config: fn(&str) -> Reading,
    /// The file with the arrays behind an address.
    pub json: fn(&Requested, &Params, Vec<Notice>) -> String,
}

// Nothing but `later` may name it: what is named in the first part is kept there.
static REST: Later = Later {
    figures: LATER,
    read_config: config_text::read,
    json: |requested, params, notices| object(requested, params, notices).to_string(),
};

static LOADED: OnceLock<&'static Later> = OnceLock::new();

/// Where the other part of the program is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// Nobody has asked for it.
    Unasked,
    /// It is on its way.
    Coming,
    /// It is here.
    Here,
    /// It could not be loaded.
    Failed,
}

#[cfg(split)]
#[wasm_split_helpers::wasm_split(later, fallible)]
fn later() -> Result<&'static Later, SplitLoaderError> {
    Ok(&REST)
}

#[cfg(not(split))]
async fn later() -> Result<&'static Later, SplitLoaderError> {
    Ok(&REST)
}

/// The other part, if it is here; who asks is told when it comes.
pub fn here(store: Store) -> Option<&'static Later> {
    store.part.track();
    LOADED.get().copied()
}

/// The other part, loaded if it is not here yet; none if it could not be. After a failure it is asked for again.
pub async fn load(store: Store) -> Option<&'static Later> {
    let tell = |now| {
        if store.part.get_untracked() != now {
            store.part.set(now);
        }
    };
    if let Some(rest) = LOADED.get() {
        return Some(rest);
    }
    tell(Part::Coming);
    let came = later().await.ok();
    match came {
        Some(rest) => {
            let _ = LOADED.set(rest);
            tell(Part::Here);
        }
        None => tell(Part::Failed),
    }
    came
}

/// Asks for the other part, unless it is here or on its way. After a failure it asks again.
pub fn ask(store: Store) {
    if !matches!(store.part.get_untracked(), Part::Coming | Part::Here) {
        leptos::task::spawn_local(async move {
            load(store).await;
        });
    }
}

/// Asks for the part that a figure needs.
pub fn need(store: Store, figure: &Figure) {
    if way(AT_ONCE, figure).is_none() {
        ask(store);
    }
}

/// The picture of a figure; none as long as the part that computes it is not here.
pub fn picture(figure: &Figure, p: &Params) -> Option<Computed> {
    let (_, compute) = way(AT_ONCE, figure).or_else(|| way(LOADED.get()?.figures, figure))?;
    Some(compute(p))
}

/// Whether the part that a figure needs could not be loaded.
pub fn failed(store: Store, figure: &Figure) -> bool {
    store.part.get() == Part::Failed && way(AT_ONCE, figure).is_none()
}

/// That it could not be loaded, and a button that tries again.
pub fn told(store: Store) -> AnyView {
    crate::web::page::remove_shell();
    view! {
        <div class="error" role="alert">
            <p>{store.say("app.part_failed")}</p>
            <button type="button" on:click=move |_| ask(store)>
                {store.say("lesson.retry")}
            </button>
        </div>
    }
    .into_any()
}

fn way(list: List, figure: &Figure) -> Option<&'static (&'static str, Compute)> {
    list.iter().find(|(id, _)| *id == figure.id)
}
