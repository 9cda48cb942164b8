//! What can be typed of a bias, and what it asks for.

use crate::core::encoding::relative::BiasEdit;
use crate::state::{Key, MAX_EDITS, Params, Value};

/// A number of the head shown that can be typed.
#[derive(Debug, Clone, PartialEq)]
pub struct Editable {
    /// Its name, where it has one of its own; else it is a column of the table.
    pub name: Option<&'static str>,
    /// How `bias_edits` counts it.
    pub column: usize,
    /// What it is now.
    pub value: f64,
}

/// The numbers that can be typed: of a table the one of the traced pair of positions, else those that
/// the scheme names and takes; none where nothing is learned.
pub fn editable(p: &Params) -> Vec<Editable> {
    let s = &p.setting;
    let Ok(by_offset) = p.scheme.offsets(s) else {
        return Vec::new();
    };
    if by_offset.numbers().is_some() {
        let offset = p.i as i64 - p.j as i64;
        return vec![Editable {
            name: None,
            column: by_offset.index(offset),
            value: by_offset.bias(p.head, offset, &[]),
        }];
    }
    let named = by_offset.named(p.head).into_iter().enumerate();
    named
        .map(|(column, (name, value))| Editable {
            name: Some(name),
            column,
            value,
        })
        .filter(|e| p.scheme.takes(s, &edit(p, e.column, e.value)))
        .collect()
}

/// Whether the scheme takes a new value for one of them.
pub fn takes(p: &Params, column: usize, value: f64) -> bool {
    p.scheme.takes(&p.setting, &edit(p, column, value))
}

fn edit(p: &Params, column: usize, value: f64) -> BiasEdit {
    BiasEdit {
        head: p.head,
        index: column,
        // −0 would be written with its sign.
        value: value + 0.0,
    }
}

/// What to ask for so that one column of the head shown has a new bias; nothing if there are as
/// many edits as an address may hold.
pub fn edited(p: &Params, column: usize, value: f64) -> Vec<(Key, Value)> {
    let edit = edit(p, column, value);
    let mut edits = p.setting.bias_edits.clone();
    let same = |e: &BiasEdit| (e.head, e.index) == (edit.head, edit.index);
    match edits.iter().position(same) {
        Some(at) => edits[at] = edit,
        None if edits.len() < MAX_EDITS => edits.push(edit),
        None => return Vec::new(),
    }
    vec![(Key::BiasEdits, Value::Edits(edits))]
}
