//! Positional Encoding Lab: an interactive lesson on positional encoding in Transformers.
//!
//! # Modules
//!
//! | module | what it holds |
//! |---|---|
//! | [`core`] | the mathematics: encodings, attention, tokens, the toy model, analyses |
//! | [`state`] | the parameters: address → `Requested` → `Params` and notices; the pages |
//! | [`figure`] | the figures: what each draws, says and lists, from `Params` |
//! | [`lesson`] | what the build makes of the text, its live numbers and conditions, the code panels |
//! | [`vectors`] | the arrays behind an address, as one JSON object |
//! | [`config`] | what a model's config.json says about positions, as one JSON object |
//! | `app` | the page: Leptos components, without mathematics and without drawing |
//! | `web` | what touches the browser: canvas, clock, address, clipboard, downloads |
//! | [`words`] | from a key of `src/locales` to text in the visitor's language |
//!
//! Imports go one way: [`core`] ← [`state`] ← [`figure`] ← [`lesson`], [`vectors`] ← `app`. Only `app`
//! and `web` know of a browser; they sit behind the feature `app`. `web` knows of [`figure`] only; [`words`]
//! may be used from [`figure`] upwards.
//!
//! README.md says how to add a scheme, a figure or a page.

// The page loads its words; see [`words`].
#[cfg(not(feature = "app"))]
rust_i18n::i18n!("src/locales");

#[cfg(feature = "app")]
pub mod app;
pub mod config;
pub mod core;
pub mod figure;
pub mod lesson;
pub mod state;
pub mod vectors;
#[cfg(feature = "app")]
mod web;
pub mod words;
