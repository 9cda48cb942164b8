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
//! # How to add a scheme
//!
//! Its file in [`core::encoding`], a line in [`core::encoding::SCHEMES`] and its id in
//! [`core::encoding::SCHEME_IDS`]; `word.scheme.<id>` in `src/locales/app.yml`. The figures of `absolute` and `relative`
//! take a scheme that they do not know for the first of the page, so one that joins these pages is
//! told to them too.
//!
//! # How to add a figure
//!
//! Its file in [`figure`] with a [`figure::Picture`] and a [`figure::Figure`]; a line in
//! [`figure::FIGURES`]; `figure.<id>.title`, `.text` and `.how` in `src/locales`; its id in
//! `tests/e2e/pages.test.mjs`.
//!
//! # How to add a page
//!
//! A place in [`state::Page::LIVE`] (for one that was not planned, a variant too), its schemes in
//! [`state::Page::schemes`]; `page.<id>.tab`, `.title` and `.lead` in `src/locales/app.yml`; at least
//! one figure; its id in `tests/e2e/pages.test.mjs`; its text in both languages in `src/lesson`, as
//! `docs/lesson-format.md` says.
//!
//! README.md says the same at more length. A test compares its tables with the program.

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
