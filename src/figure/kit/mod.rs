//! What figures are made of: scenes, panels, colours, notes, veils, and how they become pixels or SVG.

pub mod colour;
pub mod grip;
pub mod note;
pub mod paint;
pub mod panel;
pub mod scene;
pub mod svg;
pub mod veil;
