//! The figures of the page `absolute`.

mod cached;
pub(crate) mod matrix;
pub(crate) mod shift;
pub(crate) mod similarity;
pub(crate) mod waves;
