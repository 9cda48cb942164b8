//! One value of a parameter.

use super::blocks::{blocks_text, mod_bias_text};
use super::text::number;
use crate::core::encoding::relative::BiasEdit;
use crate::core::mrope::{Block, ModalityBias};

/// One value, legal by itself.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// A whole number.
    Int(i64),
    /// A real number.
    Real(f64),
    /// Rows and columns.
    Grid(usize, usize),
    /// One of the listed words.
    Word(&'static str),
    /// Free text: a sentence or a figure's id.
    Text(String),
    /// Names.
    Names(Vec<String>),
    /// Changes to the bias table.
    Edits(Vec<BiasEdit>),
    /// A sequence of blocks; not empty.
    Blocks(Vec<Block>),
    /// A bias by modalities.
    ModBias(ModalityBias),
    /// Frequencies of t, h and w.
    Sections([usize; 3]),
    /// A range of rows, both ends included.
    Rows(usize, usize),
}

/// A value as the address spells it.
pub fn text_of(value: &Value) -> String {
    match value {
        Value::Int(v) => v.to_string(),
        Value::Real(v) => number(*v),
        Value::Word(v) => (*v).to_owned(),
        Value::Text(v) => v.clone(),
        Value::Names(v) => v.join(","),
        Value::Edits(v) => v
            .iter()
            .map(|e| format!("{}:{}:{}", e.head, e.index, number(e.value)))
            .collect::<Vec<_>>()
            .join(","),
        Value::Grid(rows, columns) => format!("{rows}x{columns}"),
        Value::Blocks(v) => blocks_text(v),
        Value::ModBias(v) => mod_bias_text(v),
        Value::Sections(v) => sections_text(*v),
        Value::Rows(a, b) => format!("{a}-{b}"),
    }
}

/// Sections as the address spells them.
pub(super) fn sections_text(sizes: [usize; 3]) -> String {
    sizes.map(|n| n.to_string()).join(",")
}
