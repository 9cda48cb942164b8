//! The program in two parts: what the first page shows is there from the start; how all other figures are computed
//! and drawn comes with the first page that shows one. Built without splitting (see `dev`), it is all one program and
//! the other part is there at once.

use std::sync::OnceLock;

use leptos::prelude::*;
use wasm_split_helpers::SplitLoaderError;

use super::store::Store;
use crate::figure::{AT_ONCE, Compute, Computed, Figure, LATER};
use crate::state::Params;

type List = &'static [(&'static str, Compute)];

static LOADED: OnceLock<List> = OnceLock::new();

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

// Nothing else may name the list: what is named in the first part is kept there.
#[cfg(split)]
#[wasm_split_helpers::wasm_split(later, fallible)]
fn later() -> Result<List, SplitLoaderError> {
    Ok(LATER)
}

#[cfg(not(split))]
async fn later() -> Result<List, SplitLoaderError> {
    Ok(LATER)
}

/// The picture of a figure; none as long as the part that computes it is not here.
pub fn picture(figure: &Figure, p: &Params) -> Option<Computed> {
    let (_, compute) = way(AT_ONCE, figure).or_else(|| way(LOADED.get()?, figure))?;
    Some(compute(p))
}

/// Asks for the part that a figure needs, unless it is here or on its way. After a failure it asks again.
pub fn need(store: Store, figure: &Figure) {
    let part = store.part;
    let known = matches!(part.get_untracked(), Part::Coming | Part::Here);
    if known || way(AT_ONCE, figure).is_some() {
        return;
    }
    part.set(Part::Coming);
    leptos::task::spawn_local(async move {
        part.set(match later().await {
            Ok(list) => {
                let _ = LOADED.set(list);
                Part::Here
            }
            Err(_) => Part::Failed,
        });
    });
}

/// Whether the part that a figure needs could not be loaded.
pub fn failed(store: Store, figure: &Figure) -> bool {
    store.part.get() == Part::Failed && way(AT_ONCE, figure).is_none()
}

fn way(list: List, figure: &Figure) -> Option<&'static (&'static str, Compute)> {
    list.iter().find(|(id, _)| *id == figure.id)
}
