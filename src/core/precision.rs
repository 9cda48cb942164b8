//! What low precision does to positions. bfloat16 has 8 significand bits and float16 has 11, so
//! integers above 256 and 2048 share values.

use half::{bf16, f16};

/// The nearest bfloat16, ties to even.
pub fn to_bfloat16(x: f64) -> f64 {
    bf16::from_f64(x).to_f64()
}

/// The nearest float16, ties to even.
pub fn to_float16(x: f64) -> f64 {
    f16::from_f64(x).to_f64()
}
