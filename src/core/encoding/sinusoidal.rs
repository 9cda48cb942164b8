//! Sinusoidal absolute encoding (Vaswani et al. 2017, arXiv 1706.03762, §3.5).
//!
//! `PE(pos, 2i) = sin(pos · ω_i)`, `PE(pos, 2i+1) = cos(pos · ω_i)`, `ω_i = base^(−2i / d_model)`.

use std::ops::Range;

use super::{
    Beyond, Cost, Effect, Entry, Learned, NamedArray, Parameter, PositionScheme, Prepared, Scope,
    Setting, Topic, Unit, Vectors, offsets_of, row_major,
};
use crate::core::analysis::similarity_by_distance;
use crate::core::angles::{Angles, Steps, sin_cos};
use crate::core::error::{even, valid_base};
use crate::core::{CoreError, Matrix};

/// Order of sines and cosines in a row, and the spacing of the frequencies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Layout {
    /// sin, cos, sin, cos, … as in the paper.
    #[default]
    Interleaved,
    /// All sines, then all cosines, with the paper's frequencies (GPT-J's helper).
    Concatenated,
    /// All sines, then all cosines, `ω_i = base^(−i / (d_model/2 − 1))`: tensor2tensor, fairseq,
    /// Whisper. Undefined at `d_model = 2`.
    T2t,
}

/// How an odd `d_model` is read, for the libraries that allow one. They disagree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OddRule {
    /// Exponents `2i / d_model`, one sine more than cosines (VideoMAE's table).
    DivisorD,
    /// Build `d_model + 1` columns and drop the last (the `positional-encodings` package).
    DivisorDPlusOne,
}

/// A sinusoidal encoding for any position, fractional and negative ones too.
#[derive(Debug, Clone, PartialEq)]
pub struct Sinusoidal {
    d_model: usize,
    layout: Layout,
    frequencies: Vec<f64>,
}

impl Sinusoidal {
    /// # Errors
    /// If `d_model` is odd or zero, `base` is below 1 or not finite, or the layout is
    /// [`Layout::T2t`] at `d_model = 2`.
    pub fn new(d_model: usize, base: f64, layout: Layout) -> Result<Self, CoreError> {
        even("d_model", d_model)?;
        valid_base(base)?;
        let half = d_model / 2;
        if layout == Layout::T2t {
            return Self::t2t_of_any_width(d_model, base);
        }
        Ok(Self {
            d_model,
            layout,
            frequencies: series(half, base, d_model as f64),
        })
    }

    /// The interleaved encoding of an odd (or even) width under a named rule.
    ///
    /// # Errors
    /// If `d_model` is zero or `base` is below 1 or not finite.
    pub fn with_odd_rule(d_model: usize, base: f64, rule: OddRule) -> Result<Self, CoreError> {
        at_least("d_model", d_model, 1, "at least 1")?;
        valid_base(base)?;
        let divisor = match rule {
            OddRule::DivisorDPlusOne if d_model % 2 == 1 => d_model + 1,
            _ => d_model,
        };
        Ok(Self {
            d_model,
            layout: Layout::Interleaved,
            frequencies: series(d_model.div_ceil(2), base, divisor as f64),
        })
    }

    /// tensor2tensor's layout for any width: an odd one gets a last column of zeros.
    ///
    /// # Errors
    /// If `d_model` is below 4, where the spacing `d_model/2 − 1` is zero, or `base` is not valid.
    pub fn t2t_of_any_width(d_model: usize, base: f64) -> Result<Self, CoreError> {
        at_least("d_model", d_model, 4, "at least 4 in the t2t layout")?;
        valid_base(base)?;
        let half = d_model / 2;
        Ok(Self {
            d_model,
            layout: Layout::T2t,
            frequencies: series(half, base, 2.0 * (half as f64 - 1.0)),
        })
    }

    /// Width of a row.
    pub fn d_model(&self) -> usize {
        self.d_model
    }

    /// Angular frequencies ω_i in radians a position, `[d_model / 2]` (rounded up for an odd
    /// interleaved width), fastest first.
    pub fn frequencies(&self) -> &[f64] {
        &self.frequencies
    }

    /// The pair that a column belongs to and whether it is the sine; `None` past the width, and
    /// for the column of zeros that [`Self::t2t_of_any_width`] appends to an odd width.
    pub fn pair(&self, dim: usize) -> Option<(usize, bool)> {
        let half = self.d_model / 2;
        match self.layout {
            _ if dim >= self.d_model => None,
            Layout::Interleaved => Some((dim / 2, dim.is_multiple_of(2))),
            _ if dim < half => Some((dim, true)),
            _ if dim < 2 * half => Some((dim - half, false)),
            _ => None,
        }
    }

    /// The columns of pair `i`: (sine, cosine).
    pub fn columns(&self, i: usize) -> (usize, usize) {
        match self.layout {
            Layout::Interleaved => (2 * i, 2 * i + 1),
            _ => (i, i + self.d_model / 2),
        }
    }

    /// One value, PE(pos, dim); 0 for a column without a pair, see [`Self::pair`].
    pub fn value(&self, pos: f64, dim: usize) -> f64 {
        match self.pair(dim) {
            Some((i, true)) => sin_cos(pos, self.frequencies[i]).0,
            Some((i, false)) => sin_cos(pos, self.frequencies[i]).1,
            None => 0.0,
        }
    }

    /// `[positions.len(), d_model]`; quickest for consecutive whole positions, whose values may
    /// differ from [`Self::value`] in the last bit.
    pub fn matrix(&self, positions: &[f64]) -> Matrix {
        let mut m = Matrix::zeros(positions.len(), self.d_model);
        let mut angles = Angles::new(positions);
        for (i, &w) in self.frequencies.iter().enumerate() {
            let (s, c) = self.columns(i);
            let (sin, cos) = angles.sin_cos(w);
            m.column_mut(s).copy_from_slice(sin);
            // An odd width has one sine more than cosines.
            if c < self.d_model {
                m.column_mut(c).copy_from_slice(cos);
            }
        }
        m
    }

    /// `[input_ids.len(), d_model]` as fairseq pads: rows for [`fairseq_position_ids`], a pad's
    /// row zero.
    pub fn padded_matrix(&self, input_ids: &[i64], padding_idx: i64) -> Matrix {
        let ids = fairseq_position_ids(input_ids, padding_idx);
        let at: Vec<f64> = ids.iter().map(|&id| id as f64).collect();
        let mut m = self.matrix(&at);
        for (mut row, &id) in m.row_iter_mut().zip(input_ids) {
            if id == padding_idx {
                row.fill(0.0);
            }
        }
        m
    }

    /// `[d_model, d_model]`: the matrix M_k with PE(pos + k) = M_k · PE(pos) for every pos.
    ///
    /// Each pair (sin, cos) is turned by the 2 × 2 block `[[cos kω, sin kω], [−sin kω, cos kω]]`,
    /// which depends on k alone. The last sine of an odd interleaved width has no cosine beside it,
    /// so there is no such row for it: it holds cos kω alone, and the identity fails in it.
    pub fn shift_matrix(&self, k: f64) -> Matrix {
        let mut m = Matrix::zeros(self.d_model, self.d_model);
        for (i, &w) in self.frequencies.iter().enumerate() {
            let (s, c) = self.columns(i);
            let (sin, cos) = (k * w).sin_cos();
            m[(s, s)] = cos;
            if c < self.d_model {
                m[(s, c)] = sin;
                m[(c, s)] = -sin;
                m[(c, c)] = cos;
            }
        }
        m
    }
}

/// `base^(−2i / divisor)` for i in 0..n.
fn series(n: usize, base: f64, divisor: f64) -> Vec<f64> {
    (0..n)
        .map(|i| base.powf(-2.0 * i as f64 / divisor))
        .collect()
}

fn at_least(
    name: &'static str,
    given: usize,
    least: usize,
    allowed: &'static str,
) -> Result<(), CoreError> {
    if given >= least {
        return Ok(());
    }
    Err(CoreError::OutOfRange {
        name,
        given: given as f64,
        allowed,
    })
}

/// Position ids in fairseq's way: real tokens count from `padding_idx + 1`, wherever pads stand;
/// pads get `padding_idx` (whose row is zero).
pub fn fairseq_position_ids(input_ids: &[i64], padding_idx: i64) -> Vec<i64> {
    let mut seen = 0;
    input_ids
        .iter()
        .map(|&id| {
            if id == padding_idx {
                padding_idx
            } else {
                seen += 1;
                padding_idx + seen
            }
        })
        .collect()
}

/// Its public id.
pub const ID: &str = "sinusoidal";

impl Vectors for Sinusoidal {
    fn value(&self, pos: usize, dim: usize) -> f64 {
        Self::value(self, pos as f64, dim)
    }
    fn limit(&self) -> f64 {
        1.0
    }
    fn frequencies(&self) -> Option<&[f64]> {
        Some(&self.frequencies)
    }
    fn frequency(&self, dim: usize) -> Option<f64> {
        self.pair(dim).map(|(pair, _)| self.frequencies[pair])
    }
    fn mean(&self, from: usize, count: usize, dim: usize) -> f64 {
        let middle = from as f64 + (count.max(1) as f64 - 1.0) / 2.0;
        gain(self.frequency(dim).unwrap_or(0.0), count) * Self::value(self, middle, dim)
    }
    fn block_means(&self, dims: Range<usize>, block: usize, fastest: f64, out: &mut [f64]) {
        out.fill(0.0);
        let middle = (block.max(1) as f64 - 1.0) / 2.0;
        let mut steps = Steps::new(block as f64);
        let mut rest = dims.clone();
        while let Some(dim) = rest.next() {
            let Some((pair, is_sine)) = self.pair(dim) else {
                continue;
            };
            let frequency = self.frequencies[pair];
            if frequency > fastest {
                continue;
            }
            let weight = gain(frequency, block) / dims.len() as f64;
            // A sine and the cosine beside it take one sweep.
            let beside =
                is_sine && rest.start < rest.end && self.pair(rest.start) == Some((pair, false));
            let weights = match (is_sine, beside) {
                (true, true) => {
                    rest.next();
                    (weight, weight)
                }
                (true, false) => (weight, 0.0),
                (false, _) => (0.0, weight),
            };
            steps.add((middle, frequency), weights, out);
        }
    }
}

/// What is left of a wave in the mean of so many positions: sines at even steps add up to the one in their middle,
/// times sin(nω/2)/sin(ω/2).
fn gain(frequency: f64, count: usize) -> f64 {
    let (half, n) = (frequency / 2.0, count.max(1) as f64);
    if half.sin().abs() < 1e-12 {
        1.0
    } else {
        (n * half).sin() / (n * half.sin())
    }
}

/// The scheme of the list.
pub struct SinusoidalScheme;

impl PositionScheme for SinusoidalScheme {
    fn id(&self) -> &'static str {
        ID
    }
    fn topic(&self) -> Topic {
        Topic::Absolute
    }
    fn entry(&self) -> Entry {
        Entry::Additive
    }
    fn parameters(&self) -> &'static [Parameter] {
        &[Parameter::DModel, Parameter::Base, Parameter::Layout]
    }
    fn prepare(&self, s: &Setting, n: usize) -> Result<Prepared, CoreError> {
        let pe = Self::of(s)?;
        Ok(Prepared::Additive(pe.matrix(&positions(0..n))))
    }
    fn arrays(
        &self,
        s: &Setting,
        _: usize,
        rows: Range<usize>,
    ) -> Result<Vec<NamedArray>, CoreError> {
        let pe = Self::of(s)?;
        let frequencies = pe.frequencies.clone();
        Ok(vec![
            NamedArray::ready("frequencies", vec![frequencies.len()], frequencies),
            NamedArray::lazy("pe", vec![rows.len(), s.d_model], move || {
                row_major(&pe.matrix(&positions(rows)))
            }),
        ])
    }
    fn effect(&self, s: &Setting, _: usize, n: usize) -> Result<Effect, CoreError> {
        let pe = Self::of(s)?;
        let cosines = similarity_by_distance(&pe.frequencies, offsets_of(n).into_iter());
        Ok(Effect::ByOffset(Unit::Cosine, cosines))
    }
    fn learned(&self, _: &Setting, _: usize) -> Learned {
        Learned::new(0, Scope::Model)
    }
    fn cost(&self, s: &Setting, n: usize) -> Cost {
        Cost::new(n * s.d_model, Scope::Model)
    }
    fn beyond(&self, s: &Setting) -> Result<Beyond, CoreError> {
        Ok(Beyond::Angles(Self::of(s)?.frequencies))
    }
    fn vectors(&self, s: &Setting, _: usize) -> Result<Option<Box<dyn Vectors>>, CoreError> {
        Ok(Some(Box::new(Self::of(s)?)))
    }
}

impl SinusoidalScheme {
    fn of(s: &Setting) -> Result<Sinusoidal, CoreError> {
        Sinusoidal::new(s.d_model, s.base, s.layout)
    }
}

/// The positions of a range, as numbers.
pub fn positions(range: Range<usize>) -> Vec<f64> {
    range.map(|p| p as f64).collect()
}
