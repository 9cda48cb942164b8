//! The lesson: the pieces that the build makes of the text, the numbers and conditions that the
//! text names, and the code panels.

pub mod code;
pub mod highlight;
pub mod live;
pub mod mark;
pub mod piece;
pub mod search;
pub mod source;
