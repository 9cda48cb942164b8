//! Positional Encoding Lab: an interactive lesson on positional encoding in Transformers.
//!
//! Imports go one way: [`core`] ← [`state`] ← [`figure`] ← [`vectors`] ← `app`. Only `app` and `web`
//! know of a browser; they sit behind the feature `app`.

rust_i18n::i18n!("src/locales");

#[cfg(feature = "app")]
pub mod app;
pub mod core;
pub mod figure;
pub mod lesson;
pub mod state;
pub mod vectors;
#[cfg(feature = "app")]
mod web;
pub mod words;
