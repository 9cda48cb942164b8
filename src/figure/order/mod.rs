//! The figures of the page `order`.

pub(crate) mod swap;
