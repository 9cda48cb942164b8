//! What the visitor can set, and its address. Pure: no browser.
//!
//! Three steps: the query string → [`Requested`] (each value legal by itself) → [`Params`] (legal in
//! combination), with a [`Notice`] for whatever could not be taken as it was given.

mod blocks;
pub mod config_text;
mod key;
mod notice;
mod only;
mod page;
mod params;
mod photo;
mod preset;
mod query;
mod real;
mod resolve;
mod resolver;
mod sequence;
mod spec;
mod text;
mod value;

pub(crate) use crate::core::encoding::and_scaling;
pub use blocks::{MAX_BLOCK_TOKENS, MAX_BLOCKS, block_of, block_sizes, blocks_text, type_size};
pub use key::Key;
pub use notice::Notice;
pub use page::Page;
pub use params::{Lang, Params, Theme};
pub use photo::Photo;
pub use preset::{MODELS, Model};
pub use query::{MAX_EDITS, Requested, decode, encode, parse_value, typed_bias, values};
pub use real::{json_real, real};
pub use resolve::{open, resolve};
pub use resolver::legal_heads;
pub use sequence::{Sequence, Sound};
pub use spec::{Kind, SPECS, Spec, Start};
pub use text::{number, typed_number};
pub use value::{Value, text_of};
