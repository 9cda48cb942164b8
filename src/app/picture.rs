//! What a figure computes from the parameters, kept until one that it listens to changes.

use std::sync::Arc;

use leptos::prelude::*;

use super::parts;
use super::store::Store;
use crate::figure::{Computed, Figure};

/// Computed when a parameter that the figure listens to has changed and somebody looks; none as long as the part of
/// the program that computes it is not here. And how often it has been.
pub fn picture_memo(
    figure: &'static Figure,
    store: Store,
) -> (Memo<Option<Computed>>, StoredValue<u32>) {
    let read = Memo::new(move |_| figure.reads(&store.params.read()));
    let computed = StoredValue::new(0);
    let picture = Memo::new_with_compare(
        move |_| {
            store.part.track();
            computed.update_value(|n| *n += 1);
            parts::picture(figure, &read.read())
        },
        |a, b| match (a, b) {
            (Some(Some(Ok(a))), Some(Some(Ok(b)))) => !Arc::ptr_eq(a, b),
            (Some(None), Some(None)) => false,
            _ => true,
        },
    );
    (picture, computed)
}
