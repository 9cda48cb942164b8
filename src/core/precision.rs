//! What low precision does to positions. bfloat16 has 8 significand bits and float16 has 11, so
//! integers above 256 and 2048 share values.

use half::{bf16, f16};

/// Drops the low half of the significand but keeps, in its last kept bit, whether anything was
/// lost. The conversions look at the high half only, so a number just above a tie would else
/// look like the tie itself.
fn sticky(x: f64) -> f64 {
    const LOW: u64 = 0xFFFF_FFFF;
    let bits = x.to_bits();
    f64::from_bits((bits & !LOW) | (u64::from(bits & LOW != 0) << 32))
}

/// The nearest bfloat16, ties to even.
pub fn to_bfloat16(x: f64) -> f64 {
    bf16::from_f64(sticky(x)).to_f64()
}

/// The nearest float16, ties to even; infinite from 65520 on.
pub fn to_float16(x: f64) -> f64 {
    f16::from_f64(sticky(x)).to_f64()
}
