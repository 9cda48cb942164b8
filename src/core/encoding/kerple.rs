//! KERPLE's logarithmic kernel (Chi et al. 2022, arXiv 2205.09921, §4): `−r1 · ln(1 + r2 · |i − j|)`
//! is added to each score, with two learnable numbers a head, r1 > 0 and r2 > 0, and no table.

use std::ops::Range;

use super::relative::BiasEdit;
use super::{
    Beyond, ByDistance, ByOffset, Cost, Effect, Entry, Falling, Learned, NamedArray, Parameter,
    PositionScheme, Prepared, Scope, Setting, Topic, bias_array, bias_effect, index_array,
};
use crate::core::error::some_heads;
use crate::core::{CoreError, Matrix, rng};

/// The authors' released code keeps both numbers from falling below this.
const LEAST: f64 = 1e-2;
/// r1 and r2, as `bias_edits` counts them.
const PER_HEAD: usize = 2;

/// The two numbers of each head.
#[derive(Debug, Clone, PartialEq)]
pub struct LogKernel(Vec<[f64; PER_HEAD]>);

impl LogKernel {
    /// Where training starts, as in the authors' code: r1 even over 0..2, r2 even over 0..1, neither
    /// below 0.01; then the changes of the setting, of which entry 0 of a head is r1 and 1 is r2.
    pub fn new(s: &Setting) -> Self {
        let start = |head: usize| {
            let mut even = rng::uniforms(s.seed, "kerple", head as u64);
            let mut next = |scale: f64| even.next().map_or(LEAST, |x| (scale * x).max(LEAST));
            [next(2.0), next(1.0)]
        };
        let mut heads: Vec<_> = (0..s.heads).map(start).collect();
        for edit in s.bias_edits.iter().filter(|e| takes(s, e)) {
            heads[edit.head][edit.index] = edit.value;
        }
        Self(heads)
    }

    /// `[r1, r2]` of each head.
    pub fn parameters(&self) -> &[[f64; PER_HEAD]] {
        &self.0
    }

    /// `−r1 · ln(1 + r2 · distance)`; 0 if there is no such head.
    pub fn at(&self, head: usize, distance: usize) -> f64 {
        let Some([r1, r2]) = self.0.get(head) else {
            return 0.0;
        };
        -r1 * (r2 * distance as f64).ln_1p()
    }
}

/// Whether an edit names r1 or r2 of a head that there is, with a value that the kernel can take.
fn takes(s: &Setting, edit: &BiasEdit) -> bool {
    edit.head < s.heads && edit.index < PER_HEAD && edit.value > 0.0
}

impl Falling for LogKernel {
    fn at(&self, head: usize, distance: usize) -> f64 {
        self.at(head, distance)
    }
    fn named(&self, head: usize) -> Vec<(&'static str, f64)> {
        let of = |[r1, r2]: &[f64; PER_HEAD]| vec![("r1", *r1), ("r2", *r2)];
        self.0.get(head).map(of).unwrap_or_default()
    }
}

/// Its public id.
pub const ID: &str = "kerple";

/// The scheme of the list.
pub struct KerpleScheme;

impl PositionScheme for KerpleScheme {
    fn id(&self) -> &'static str {
        ID
    }
    fn topic(&self) -> Topic {
        Topic::Relative
    }
    fn entry(&self) -> Entry {
        Entry::ScoreBias
    }
    fn parameters(&self) -> &'static [Parameter] {
        &[Parameter::Heads, Parameter::BiasEdits, Parameter::Seed]
    }
    fn prepare(&self, s: &Setting, n: usize) -> Result<Prepared, CoreError> {
        some_heads(s.heads)?;
        let kernel = LogKernel::new(s);
        let of = |h: usize| Matrix::from_fn(n, n, |i, j| kernel.at(h, i.abs_diff(j)));
        Ok(Prepared::ScoreBias((0..s.heads).map(of).collect()))
    }
    fn arrays(
        &self,
        s: &Setting,
        n: usize,
        rows: Range<usize>,
    ) -> Result<Vec<NamedArray>, CoreError> {
        some_heads(s.heads)?;
        let kernel = LogKernel::new(s);
        let numbers = kernel.0.as_flattened().to_vec();
        Ok(vec![
            index_array(n, rows.clone(), |i, j| i.abs_diff(j)),
            NamedArray::ready("kernel", vec![s.heads, PER_HEAD], numbers),
            bias_array(s.heads, n, rows, move |h, i, j| kernel.at(h, i.abs_diff(j))),
        ])
    }
    fn effect(&self, s: &Setting, head: usize, n: usize) -> Result<Effect, CoreError> {
        bias_effect(self, s, head, n)
    }
    fn learned(&self, s: &Setting, _: usize) -> Learned {
        Learned::new(PER_HEAD * s.heads, Scope::Layer)
    }
    fn cost(&self, s: &Setting, n: usize) -> Cost {
        Cost::of_biases(s.heads, n)
    }
    fn beyond(&self, _: &Setting) -> Result<Beyond, CoreError> {
        Ok(Beyond::Formula)
    }
    fn takes(&self, s: &Setting, edit: &BiasEdit) -> bool {
        takes(s, edit)
    }
    fn by_offset(&self, s: &Setting) -> Result<Option<Box<dyn ByOffset>>, CoreError> {
        some_heads(s.heads)?;
        Ok(Some(Box::new(ByDistance(LogKernel::new(s)))))
    }
}
