//! The figures of the page `compare`.

pub(crate) mod effects;
pub(crate) mod maps;
pub(crate) mod scores;
