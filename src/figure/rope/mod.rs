//! The figures of the page `rope`.

pub(crate) mod circles;
pub(crate) mod curves;
pub(crate) mod pairing;
pub(crate) mod parts;
pub(crate) mod rotate;
pub(crate) mod score;
pub(crate) mod strips;
