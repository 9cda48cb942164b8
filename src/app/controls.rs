//! The controls beside a figure.

use std::time::Duration;

use leptos::leptos_dom::helpers::IntervalHandle;
use leptos::prelude::*;

use super::bias_field::BiasFields;
use super::blocks_field::BlocksField;
use super::field::Field;
use super::image_fields::{PhotoField, SizeFields};
use super::modality_field::ModalityField;
use super::reactive::reactive;
use super::store::Store;
use crate::figure::{Figure, Film, Special};
use crate::state::{Key, Params, Value};

/// So many controls stand beside a figure; the rest behind "more".
const AT_ONCE: usize = 7;
/// Time between two steps of a film.
const STEP: Duration = Duration::from_millis(280);

/// All controls of a figure that mean something now.
#[component]
pub fn Controls(
    /// The figure.
    figure: &'static Figure,
) -> impl IntoView {
    let store = Store::get();
    let keys = Memo::new(move |_| {
        let p = store.params.read();
        let keys = figure.controls.iter().copied();
        keys.filter(|key| meant(*key, figure, &p))
            .collect::<Vec<_>>()
    });
    reactive(move || {
        let keys = keys.get();
        let field = |key: &Key| match key {
            Key::BiasEdits => view! { <BiasFields /> }.into_any(),
            Key::Patch => view! { <SizeFields figure=figure.id /> }.into_any(),
            Key::Image => view! {
                <Field key=Key::Image figure=figure.id />
                <PhotoField figure=figure.id />
            }
            .into_any(),
            Key::Blocks => view! { <BlocksField /> }.into_any(),
            Key::ModBias => view! { <ModalityField /> }.into_any(),
            key => view! { <Field key=*key figure=figure.id /> }.into_any(),
        };
        let (first, rest) = keys.split_at(keys.len().min(AT_ONCE));
        view! {
            <div class="controls">{first.iter().map(field).collect_view()}</div>
            {(!rest.is_empty())
                .then(|| {
                    view! {
                        <details class="more">
                            <summary>{store.word("app.more")}</summary>
                            <div class="controls">{rest.iter().map(field).collect_view()}</div>
                        </details>
                    }
                        .into_any()
                })}
        }
        .into_any()
    })
}

/// Whether a control does something under the scheme shown, and is not hidden by the address.
fn meant(key: Key, figure: &Figure, p: &Params) -> bool {
    if p.hides("controls") || p.hides(key.name()) {
        return false;
    }
    let compares = figure.special.contains(&Special::AllRemedies);
    if figure.controls.contains(&Key::Scaling) && !p.scaling_uses(key, compares) {
        return false;
    }
    let of_scheme = [
        Key::Base,
        Key::Layout,
        Key::Pairing,
        Key::MaxRelDist,
        Key::Bias,
        Key::BiasEdits,
    ];
    let follows_scheme = figure.controls.contains(&Key::Scheme) && of_scheme.contains(&key);
    !follows_scheme || p.scheme.parameters().iter().any(|of| Key::from(*of) == key)
}

/// Plays a parameter like a film; never by itself.
#[component]
pub fn Play(
    /// What runs.
    film: Film,
) -> impl IntoView {
    let store = Store::get();
    let running = StoredValue::new(None::<IntervalHandle>);
    let plays = RwSignal::new(false);
    let stop = move || {
        if let Some(handle) = running.try_update_value(Option::take).flatten() {
            handle.clear();
        }
        plays.set(false);
    };
    on_cleanup(move || {
        if let Some(handle) = running.try_update_value(Option::take).flatten() {
            handle.clear();
        }
    });
    let step = move || {
        let p = store.params.get_untracked();
        let now = p.number(film.key).unwrap_or(0.0) as i64;
        let next = (now + 1).rem_euclid((film.frames)(&p).max(1) as i64);
        store.set(vec![(film.key, Value::Int(next))]);
    };
    let toggle = move |_| {
        if plays.get_untracked() {
            stop();
        } else if let Ok(handle) = set_interval_with_handle(step, STEP) {
            running.set_value(Some(handle));
            plays.set(true);
        }
    };
    view! {
        <button type="button" class="play" on:click=toggle aria-pressed=move || plays.get().to_string()>
            {move || {
                let key = if plays.get() { "app.pause" } else { "app.play" };
                store.say(key)
            }}
        </button>
    }
}
