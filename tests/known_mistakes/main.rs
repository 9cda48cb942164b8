//! Mistakes that real implementations made, each tried on the core. Each test is named after what
//! went wrong and says where it was reported; where a wrong number is known, the core's number is
//! shown to differ from it.

mod common;
mod encodings;
mod offsets;
mod rotation;
mod scaling;
#[path = "../setting/mod.rs"]
mod setting;
