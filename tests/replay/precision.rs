//! File 09: positions rounded to low precision.

use posenc_lab::core::precision::{to_bfloat16, to_float16};

use super::case::Case;
use super::json::Tensor;

/// Integer positions in bfloat16 and float16.
pub fn rounding(case: &mut Case) -> Result<(), String> {
    let positions = case.inputs.tensor("positions")?.data;
    let bfloat16 = positions.iter().map(|&p| to_bfloat16(p));
    // A file holds no infinity: what overflows is written as 0.
    let float16 = positions.iter().map(|&p| to_float16(p));
    let float16 = float16.map(|p| if p.is_finite() { p } else { 0.0 });
    case.result("bfloat16", "bfloat16", &Tensor::list(bfloat16.collect()))?;
    case.result("float16", "float16", &Tensor::list(float16.collect()))
}
