//! The only place that touches the browser's interfaces directly. Each failure ends here: a
//! browser that refuses something is no reason for the page to stop.

pub mod canvas;
pub mod clock;
pub mod focus;
pub mod inserts;
mod letters;
pub mod load;
pub mod page;
pub mod photo;
pub mod save;
pub mod sound;
pub mod storage;
