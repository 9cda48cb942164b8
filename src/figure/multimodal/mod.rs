//! The figures of the page `multimodal`.

pub(crate) mod audio;
pub(crate) mod grid_map;
pub(crate) mod mrope;
pub(crate) mod patches;
pub(crate) mod swin;
