//! The identities that the lesson calls exact, each for any input within its conditions.

mod attention;
mod context;
mod draw;
mod encodings;
mod grid;
mod numbers;
mod rotation;
