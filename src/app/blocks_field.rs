//! The sequence of blocks: a list in which blocks are added, moved, sized and removed, and the same as
//! a text, which is what the address has.

use leptos::ev::Event;
use leptos::prelude::*;

use super::notices::sentence;
use super::reactive::{derived, reactive};
use super::store::Store;
use crate::core::mrope::{Block, MODALITIES, Modality};
use crate::say;
use crate::state::{Key, MAX_BLOCKS, Notice, block_of, block_sizes, blocks_text, type_size};

/// The list and the text.
#[component]
pub fn BlocksField() -> impl IntoView {
    let store = Store::get();
    let wrong = RwSignal::new(None::<Notice>);
    let blocks = Memo::new(move |_| store.params.read().sequence.blocks.clone());
    let text = Memo::new(move |_| blocks_text(&blocks.read()));
    let locked = derived(move || store.params.read().locks(Key::Blocks));
    let take = move |text: &str| wrong.set(store.set_text(Key::Blocks, text).err());
    // Of which block, and of which of its sizes, the message is.
    let whose = RwSignal::new(None::<(usize, Modality, &'static str)>);
    let resize = Callback::new(move |(at, side, typed): (usize, usize, String)| {
        let mut all = blocks.get_untracked();
        let notice = type_size(&mut all, at, side, &typed);
        let kind = all.get(at).map(|b| b.modality());
        whose.set(kind.and_then(|kind| Some((at, kind, *sides(kind).get(side)?))));
        take(&blocks_text(&all));
        wrong.set(notice);
    });
    let change = Callback::new(move |change: Change| {
        whose.set(None);
        let mut all = blocks.get_untracked();
        change.apply(&mut all);
        take(&blocks_text(&all));
    });
    // Rows stay while sizes are typed.
    let kinds = Memo::new(move |_| {
        let all = blocks.read();
        all.iter().map(|b| b.modality()).collect::<Vec<_>>()
    });
    let rows = move || {
        let row = |(at, kind)| {
            view! { <Row at=at kind=kind blocks=blocks locked=locked change=change resize=resize /> }
                .into_any()
        };
        kinds
            .get()
            .into_iter()
            .enumerate()
            .map(row)
            .collect::<Vec<_>>()
    };
    let full = move || locked.get() || blocks.read().len() >= MAX_BLOCKS;
    let add = MODALITIES.map(|kind| {
        view! {
            <button
                type="button"
                disabled=reactive(full)
                data-add=kind.id()
                on:click=move |_| change.run(Change::Add(kind))
            >
                {move || format!("+ {}", kind_word(kind, store))}
            </button>
        }
        .into_any()
    });
    let told = move || {
        let mut notice = wrong.get()?;
        if let Some((at, kind, side)) = whose.get() {
            notice.name = format!(
                "{} {} · {}",
                kind_word(kind, store),
                at + 1,
                store.say(side)
            );
        }
        Some(sentence(&notice, store.lang.get()))
    };
    view! {
        <fieldset class="field blocks" data-param="blocks">
            <legend>{store.word("key.blocks")}</legend>
            <ol>{reactive(rows)}</ol>
            <div class="add">{add.collect_view()}</div>
            <label for="blocks-text">{store.word("app.blocks_text")}</label>
            <input
                type="text"
                id="blocks-text"
                autocomplete="off"
                spellcheck="false"
                disabled=move || locked.get()
                aria-invalid=move || wrong.get().is_some().to_string()
                aria-describedby="blocks-wrong"
                prop:value=move || text.get()
                on:change=move |event: Event| {
                    whose.set(None);
                    take(&event_target_value(&event));
                    show(&event, text.get_untracked());
                }
            />
            <p class="wrong" id="blocks-wrong" role="alert">
                {told}
            </p>
        </fieldset>
    }
}

/// What a control does to the list.
#[derive(Clone)]
enum Change {
    Add(Modality),
    Remove(usize),
    /// One place towards the beginning.
    Earlier(usize),
}

impl Change {
    fn apply(self, all: &mut Vec<Block>) {
        match self {
            Self::Add(kind) => all.extend(block_of(kind, &vec![2; sides(kind).len()])),
            // The last block stays: a sequence has one.
            Self::Remove(at) if all.len() > 1 && at < all.len() => {
                all.remove(at);
            }
            Self::Earlier(at) if at < all.len() => all.swap(at, at.saturating_sub(1)),
            // Nor does a button count that was pressed again before its row was gone.
            Self::Remove(_) | Self::Earlier(_) => {}
        }
    }
}

/// One block.
#[component]
fn Row(
    /// Its place in the list.
    at: usize,
    /// Its kind.
    kind: Modality,
    /// The whole list.
    blocks: Memo<Vec<Block>>,
    /// Whether it is fixed.
    locked: Signal<bool>,
    /// Changes the list.
    change: Callback<Change>,
    /// Takes what was typed: block, which of its sizes, the text.
    resize: Callback<(usize, usize, String)>,
) -> impl IntoView {
    let store = Store::get();
    let named = move |key: &'static str| {
        reactive(move || {
            say!(
                store.lang.get(),
                key,
                n = at + 1,
                kind = kind_word(kind, store)
            )
        })
    };
    let size = |(side, key): (usize, &'static str)| {
        let now = move || {
            let block = blocks.read().get(at).copied();
            let size = block.and_then(|b| block_sizes(b).get(side).copied());
            size.map(|n| n.to_string()).unwrap_or_default()
        };
        view! {
            <label>
                <span>{named(key)}</span>
                <input
                    type="number"
                    min="1"
                    max="4096"
                    data-size=side.to_string()
                    disabled=move || locked.get()
                    prop:value=reactive(now)
                    on:change=move |event: Event| {
                        resize.run((at, side, event_target_value(&event)));
                        show(&event, untrack(now));
                    }
                />
            </label>
        }
        .into_any()
    };
    let sizes = sides(kind).iter().copied().enumerate().map(size);
    view! {
        <li data-block=kind.id()>
            <strong>{move || kind_word(kind, store)}</strong>
            <span class="sizes">{sizes.collect_view()}</span>
            <button
                type="button"
                class="quiet"
                disabled=move || locked.get() || at == 0
                aria-label=named("app.block_earlier")
                title=named("app.block_earlier")
                on:click=move |_| change.run(Change::Earlier(at))
            >
                "↑"
            </button>
            <button
                type="button"
                class="quiet"
                disabled=move || locked.get() || blocks.read().len() < 2
                aria-label=named("app.block_remove")
                title=named("app.block_remove")
                on:click=move |_| change.run(Change::Remove(at))
            >
                "×"
            </button>
        </li>
    }
}

/// Shows in a field what was made of the entry, even where that is what was there before.
fn show(event: &Event, value: String) {
    event_target::<web_sys::HtmlInputElement>(event).set_value(&value);
}

/// What the sizes of a kind are called, in the order of the address.
fn sides(kind: Modality) -> &'static [&'static str] {
    match kind {
        Modality::Text | Modality::Audio => &["app.block_tokens"],
        Modality::Image => &["app.block_rows", "app.block_columns"],
        Modality::Video => &["app.block_times", "app.block_rows", "app.block_columns"],
    }
}

fn kind_word(kind: Modality, store: Store) -> String {
    store.say(&format!("word.modality.{}", kind.id()))
}
