//! The controls beside a figure.

use leptos::prelude::*;

use super::bias_field::BiasFields;
use super::blocks_field::BlocksField;
use super::field::Field;
use super::image_fields::{PhotoField, SizeFields};
use super::modality_field::ModalityField;
use super::reactive::reactive;
use super::store::Store;
use super::token_row::TokenRow;
use crate::figure::{Figure, Special};
use crate::state::{Key, Params};

/// So many controls of a figure have a slider; the rest are short, so that all of them stand beside the
/// drawing.
const AT_ONCE: usize = 4;

/// The parameters of a figure that mean something now.
pub fn shown(figure: &'static Figure, p: &Params) -> Vec<Key> {
    let keys = figure.controls.iter().copied();
    keys.filter(|key| meant(*key, figure, p)).collect()
}

/// Their controls: first those that matter most, then the others, shorter.
#[component]
pub fn Controls(
    /// The figure.
    figure: &'static Figure,
) -> impl IntoView {
    let store = Store::get();
    let keys = Memo::new(move |_| shown(figure, &store.params.read()));
    reactive(move || {
        let keys = keys.get();
        let field = |key: &Key, short: bool| match key {
            Key::TextA | Key::TextB => view! {
                <Field key=*key figure=figure.id short=short />
                <TokenRow key=*key figure=figure.id />
            }
            .into_any(),
            Key::BiasEdits => view! { <BiasFields figure=figure.id /> }.into_any(),
            Key::Patch => view! { <SizeFields figure=figure.id /> }.into_any(),
            Key::Image => view! {
                <Field key=Key::Image figure=figure.id short=short />
                <PhotoField figure=figure.id />
            }
            .into_any(),
            Key::Blocks => view! { <BlocksField /> }.into_any(),
            Key::ModBias => view! { <ModalityField /> }.into_any(),
            key => view! { <Field key=*key figure=figure.id short=short /> }.into_any(),
        };
        let (first, rest) = keys.split_at(keys.len().min(AT_ONCE));
        view! {
            <div class="controls">{first.iter().map(|key| field(key, false)).collect_view()}</div>
            <div class="controls short">{rest.iter().map(|key| field(key, true)).collect_view()}</div>
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
