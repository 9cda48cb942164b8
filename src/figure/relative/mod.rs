//! The figures of the page `relative`.

pub(crate) mod attention;
pub(crate) mod bias;
pub(crate) mod index;
