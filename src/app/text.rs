//! The text of the page shown, loaded when it is needed and kept while the page is open.

use std::cell::RefCell;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use leptos::prelude::*;

use super::answers::key;
use super::reactive::effect;
use super::store::Store;
use crate::lesson::piece::{Block, Piece};
use crate::state::{Lang, Page};
use crate::web::load;

/// How long figures wait for the text, so that nothing jumps when it comes.
const PATIENCE: Duration = Duration::from_millis(800);

/// A text and the language it is in.
pub type Text = (Lang, Arc<Piece>);

/// Where the text is.
#[derive(Debug, Clone, PartialEq)]
pub enum Loading {
    /// It will come soon.
    Waiting,
    /// It takes long: figures do without it for now.
    Late,
    /// It is here.
    Here(Text),
    /// It could not be loaded.
    Failed,
}

thread_local! {
    static LOADED: RefCell<Vec<(Wanted, Arc<Piece>)>> = RefCell::default();
    static UNDER_WAY: RefCell<Option<(Wanted, File)>> = RefCell::default();
}

/// Which text.
type Wanted = (Page, Lang);
type File = Pin<Box<dyn Future<Output = Option<String>>>>;

fn file(page: Page, lang: Lang) -> File {
    let path = format!("lesson/{}.{}.json", page.id(), lang.id());
    Box::pin(load::text(&path))
}

/// Asks for a text before there is anything to show it.
pub fn ask_for(page: Page, lang: Lang) {
    let file = file(page, lang);
    UNDER_WAY.set(Some(((page, lang), file)));
}

/// Loads the text of a page in the language shown, again whenever `attempt` changes.
pub fn text_of(page: Page, attempt: RwSignal<u32>) -> RwSignal<Loading> {
    let store = Store::get();
    let state = RwSignal::new(Loading::Waiting);
    effect(move || {
        attempt.track();
        let lang = store.lang.get();
        let wanted = (page, lang);
        let loaded = LOADED.with_borrow(|all| {
            let (_, piece) = all.iter().find(|(of, _)| *of == wanted)?;
            Some(piece.clone())
        });
        if let Some(piece) = loaded {
            take(store, page, state, (lang, piece));
            return;
        }
        if *state.read_untracked() == Loading::Failed {
            state.set(Loading::Late);
        }
        let under_way = UNDER_WAY.with_borrow_mut(|f| f.take_if(|(of, _)| *of == wanted));
        let file = under_way.map_or_else(|| file(page, lang), |(_, file)| file);
        leptos::task::spawn_local(async move {
            let piece = file
                .await
                .and_then(|text| Piece::parse(&text))
                .map(Arc::new);
            if let Some(piece) = &piece {
                LOADED.with_borrow_mut(|all| all.push((wanted, piece.clone())));
            }
            // By now the visitor may have gone to another page, or changed the language.
            if state.is_disposed() || store.lang.get_untracked() != lang {
                return;
            }
            match piece {
                Some(piece) => take(store, page, state, (lang, piece)),
                None => state.set(Loading::Failed),
            }
        });
    });
    set_timeout(
        move || {
            if !state.is_disposed() && *state.read_untracked() == Loading::Waiting {
                state.set(Loading::Late);
            }
        },
        PATIENCE,
    );
    state
}

/// Shows a text: the figures that it asks about keep their results back.
fn take(store: Store, page: Page, state: RwSignal<Loading>, text: Text) {
    let ask = |block: &Block| match block {
        Block::Predict { id, figure, .. } => Some((figure.clone(), key(page.id(), id))),
        _ => None,
    };
    let asked: Vec<_> = text.1.blocks.iter().filter_map(ask).collect();
    if *store.questions.read_untracked() != asked {
        store.questions.set(asked);
    }
    store.contents.set(text.1.contents.clone());
    state.set(Loading::Here(text));
}
