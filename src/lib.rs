//! Positional Encoding Lab.

pub mod core;
