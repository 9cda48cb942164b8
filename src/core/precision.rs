//! What low precision does to positions and angles. bfloat16 has 8 significand bits and float16
//! has 11, so integers above 256 and 2048 share values.

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

/// A format of floating point numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// 53 significand bits.
    Float64,
    /// 24 significand bits.
    Float32,
    /// 11 significand bits; infinite from 65520 on.
    Float16,
    /// 8 significand bits.
    Bfloat16,
}

impl Format {
    /// The nearest number of the format, ties to even.
    pub fn round(self, x: f64) -> f64 {
        match self {
            Self::Float64 => x,
            Self::Float32 => f64::from(x as f32),
            Self::Float16 => to_float16(x),
            Self::Bfloat16 => to_bfloat16(x),
        }
    }
}

/// Where the cosine of an angle m·θ loses precision. At each step the value is rounded to
/// `arithmetic` and then to the format of the step, so results do not depend on how a processor
/// computes in a small format (each step is rounded once from `f64`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pipeline {
    /// What all is computed in.
    pub arithmetic: Format,
    /// θ.
    pub frequency: Format,
    /// The position m.
    pub position: Format,
    /// The product m·θ.
    pub angle: Format,
    /// The cosine.
    pub result: Format,
}

impl Pipeline {
    /// Everything in one format.
    pub const fn all(format: Format) -> Self {
        Self {
            arithmetic: format,
            frequency: format,
            position: format,
            angle: format,
            result: format,
        }
    }

    /// The angle in radians at `position` for the unrounded frequency `theta`.
    pub fn angle(&self, position: f64, theta: f64) -> f64 {
        let to = |step: Format, x| step.round(self.arithmetic.round(x));
        let angle = to(self.position, position) * to(self.frequency, theta);
        to(self.angle, angle)
    }

    /// cos(m·θ); NaN where the position or the angle overflowed.
    pub fn cos(&self, position: f64, theta: f64) -> f64 {
        let cos = self.arithmetic.round(self.angle(position, theta).cos());
        self.result.round(cos)
    }
}
