//! The address: forgiving on the way in, canonical on the way out, and what `vectors` makes of it.

mod any;
mod arrays;
mod models;
mod read;
mod values;
