//! The parts that figures are made of: matrices with axes and legends, and charts.

mod chart;
mod labels;
mod matrix;
mod ticks;

pub use chart::{Chart, Tick};
pub use labels::{fitted, headline, legend, swatches};
pub(crate) use labels::{heading, name_axes};
pub use matrix::{MatrixPanel, Spot, trace_cell};
pub use ticks::{cell_ticks, round_up, ticks, whole_ticks};

/// Size of the numbers at ticks.
pub const TICK: f64 = 12.0;
/// Size of the names of axes.
pub const NAME: f64 = 12.5;
/// Size of a panel's heading.
pub const HEADING: f64 = 13.5;
