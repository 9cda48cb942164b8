//! The mathematics of the page: pure numbers in `f64`, the same natively and in the browser.
//!
//! Nothing here knows of a browser, of drawing or of a language that people speak.
//! Conventions: positions count from 0, angles are radians, a matrix has one row a position
//! (`[seq_len, d_model]`), a score has the query as its row and the key as its column.

pub mod analysis;
mod angles;
pub mod attention;
pub mod encoding;
mod error;
pub mod exposure;
pub mod grid;
pub mod head;
pub mod mrope;
pub mod precision;
mod rng;
pub mod sound;
pub mod tokens;
pub mod toy;

pub use error::CoreError;

/// A matrix of `f64`, as every shape in the core is given: rows first.
pub type Matrix = nalgebra::DMatrix<f64>;
