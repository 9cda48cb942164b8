//! The lesson: its code panels.

pub mod code;
