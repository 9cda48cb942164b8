//! The figures of the page `context`.

pub(crate) mod angles;
pub(crate) mod cache;
pub(crate) mod lines;
pub(crate) mod parts;
pub(crate) mod precision;
pub(crate) mod scaling;
pub(crate) mod score;
pub(crate) mod wavelengths;
