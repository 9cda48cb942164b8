//! No encoding at all ("NoPE").

use std::ops::Range;

use super::{Entry, NamedArray, PositionScheme, Prepared, Setting};
use crate::core::CoreError;

/// Leaves tokens and scores as they are.
pub struct NoEncoding;

impl PositionScheme for NoEncoding {
    fn id(&self) -> &'static str {
        "none"
    }
    fn taught_on(&self) -> &'static str {
        ""
    }
    fn entry(&self) -> Entry {
        Entry::None
    }
    fn parameters(&self) -> &'static [&'static str] {
        &[]
    }
    fn prepare(&self, _: &Setting, _: usize) -> Result<Prepared, CoreError> {
        Ok(Prepared::None)
    }
    fn arrays(&self, _: &Setting, _: usize, _: Range<usize>) -> Result<Vec<NamedArray>, CoreError> {
        Ok(Vec::new())
    }
}
