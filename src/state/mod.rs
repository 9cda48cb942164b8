//! What the visitor can set, and its address. Pure: no browser.
//!
//! Three steps: the query string → [`Requested`] (each value legal by itself) → [`Params`] (legal in
//! combination), with a [`Notice`] for whatever could not be taken as it was given.

mod blocks;
pub mod config_text;
mod notice;
mod page;
mod params;
mod photo;
mod preset;
mod query;
mod real;
mod resolve;
mod sequence;
mod spec;

pub use blocks::{MAX_BLOCK_TOKENS, MAX_BLOCKS, blocks_text, type_size};
pub use notice::Notice;
pub use page::Page;
pub use params::{Lang, Params, Theme};
pub use photo::Photo;
pub use preset::{MODELS, Model};
pub use query::{
    MAX_EDITS, Requested, Value, decode, encode, number, parse_value, text_of, typed_bias,
    typed_number,
};
pub use real::{json_real, real};
pub use resolve::{legal_heads, open, resolve};
pub use sequence::{Sequence, Sound};
pub use spec::{Key, Kind, SPECS, Spec, Start};
