//! No encoding at all ("NoPE").

use std::ops::Range;

use super::{
    Beyond, Cost, Effect, Entry, Learned, NamedArray, Parameter, PositionScheme, Prepared, Scope,
    Setting, Topic,
};
use crate::core::CoreError;

/// Its public id.
pub const ID: &str = "none";

/// Leaves tokens and scores as they are.
pub struct NoEncoding;

impl PositionScheme for NoEncoding {
    fn id(&self) -> &'static str {
        ID
    }
    fn topic(&self) -> Topic {
        Topic::Nothing
    }
    fn entry(&self) -> Entry {
        Entry::None
    }
    fn parameters(&self) -> &'static [Parameter] {
        &[]
    }
    fn prepare(&self, _: &Setting, _: usize) -> Result<Prepared, CoreError> {
        Ok(Prepared::None)
    }
    fn arrays(&self, _: &Setting, _: usize, _: Range<usize>) -> Result<Vec<NamedArray>, CoreError> {
        Ok(Vec::new())
    }
    fn effect(&self, _: &Setting, _: usize, _: usize) -> Result<Effect, CoreError> {
        Ok(Effect::Nothing)
    }
    fn learned(&self, _: &Setting, _: usize) -> Learned {
        Learned::new(0, Scope::Model)
    }
    fn cost(&self, _: &Setting, _: usize) -> Cost {
        Cost::new(0, Scope::Model)
    }
    fn beyond(&self, _: &Setting) -> Result<Beyond, CoreError> {
        Ok(Beyond::Nothing)
    }
}
