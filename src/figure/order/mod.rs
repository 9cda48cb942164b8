//! The figures of the page `order`.

pub(crate) mod steps;
pub(crate) mod swap;
