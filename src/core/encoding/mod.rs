//! The encodings, one file a scheme, and the list of them.
//!
//! Schemes enter attention at different places, so each says where: what is *added* to the token
//! vectors, how queries and keys are *rotated*, or which *bias* is added to the scores. To add a
//! scheme, write its file with a type that implements [`PositionScheme`] and add a line to
//! [`SCHEMES`]; address, pages and tests read the list.

pub mod alibi;
pub mod deberta;
pub mod learned;
mod none;
pub mod relative;
pub mod rope;
pub mod rope_scaling;
pub mod sinusoidal;
pub mod t5;

use std::fmt;
use std::ops::Range;

use super::{CoreError, Matrix};
use relative::{BiasEdit, BiasStart};
use rope::{Pairing, Rope};
use rope_scaling::LongContext;
use sinusoidal::Layout;

/// Everything that a scheme may depend on. Valid by itself; in combination each scheme checks.
#[derive(Debug, Clone, PartialEq)]
pub struct Setting {
    /// Width of a token vector.
    pub d_model: usize,
    /// Number of attention heads; divides `d_model`.
    pub heads: usize,
    /// Base of the geometric series of frequencies (10000 in both papers).
    pub base: f64,
    /// Distance beyond which relative biases are shared.
    pub max_rel_dist: usize,
    /// Order of sines and cosines (sinusoidal).
    pub layout: Layout,
    /// Which dimensions form a pair (RoPE).
    pub pairing: Pairing,
    /// How RoPE is stretched beyond its training length.
    pub context: LongContext,
    /// Whether a query sees only itself and what stands before it.
    pub causal: bool,
    /// Seed of every random number.
    pub seed: u32,
    /// Where the learnable bias table starts.
    pub bias: BiasStart,
    /// Changes to the learnable bias table.
    pub bias_edits: Vec<BiasEdit>,
}

impl Setting {
    /// Width of one head, `d_model / heads`, rounded down.
    pub fn head_dim(&self) -> usize {
        self.d_model / self.heads.max(1)
    }

    /// Width of one head.
    ///
    /// # Errors
    /// [`CoreError::HeadsDoNotDivide`] if the width cannot be shared out evenly.
    pub fn whole_head_dim(&self) -> Result<usize, CoreError> {
        if self.heads == 0 || !self.d_model.is_multiple_of(self.heads) {
            return Err(CoreError::HeadsDoNotDivide {
                d_model: self.d_model,
                heads: self.heads,
            });
        }
        Ok(self.d_model / self.heads)
    }
}

/// Where a scheme enters a Transformer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Entry {
    /// Nowhere.
    None,
    /// Added to the token vectors before the first layer.
    Additive,
    /// Rotates queries and keys in every layer.
    Rotary,
    /// Added to the scores in every layer.
    ScoreBias,
}

/// A scheme made ready for `n` positions.
#[derive(Debug, Clone)]
pub enum Prepared {
    /// Nothing to do.
    None,
    /// `[n, d_model]`, to be added to the token vectors.
    Additive(Matrix),
    /// The rotation for queries and keys of one head at positions 0..n.
    Rotary(Rope),
    /// One `[n, n]` bias a head, to be added to the scaled scores.
    ScoreBias(Vec<Matrix>),
}

/// One array behind the page: its name, its shape and, when asked, its numbers in row-major order.
pub struct NamedArray {
    /// Public name, such as `inv_freq`.
    pub name: &'static str,
    /// Shape, outermost first.
    pub shape: Vec<usize>,
    /// Computes the numbers; not called for an array that is too large to give.
    pub data: Box<dyn FnOnce() -> Vec<f64>>,
}

impl NamedArray {
    /// An array that is there already.
    pub fn ready(name: &'static str, shape: Vec<usize>, data: Vec<f64>) -> Self {
        Self::lazy(name, shape, move || data)
    }

    /// An array whose numbers are computed only when asked for.
    pub fn lazy(
        name: &'static str,
        shape: Vec<usize>,
        data: impl FnOnce() -> Vec<f64> + 'static,
    ) -> Self {
        Self {
            name,
            shape,
            data: Box::new(data),
        }
    }
}

/// What every scheme can tell of itself.
pub trait PositionScheme: Sync {
    /// Public id, as in the address.
    fn id(&self) -> &'static str;
    /// Public id of the lesson page that teaches it; empty if none does.
    fn taught_on(&self) -> &'static str;
    /// Where the scheme enters attention.
    fn entry(&self) -> Entry;
    /// The public names of the parameters that change it.
    fn parameters(&self) -> &'static [&'static str];
    /// Makes the scheme ready for `n` positions.
    ///
    /// # Errors
    /// If the setting is outside what the scheme is defined for.
    fn prepare(&self, setting: &Setting, n: usize) -> Result<Prepared, CoreError>;
    /// The arrays behind the scheme for `n` positions, of which `rows` are wanted.
    ///
    /// # Errors
    /// If the setting is outside what the scheme is defined for.
    fn arrays(
        &self,
        setting: &Setting,
        n: usize,
        rows: Range<usize>,
    ) -> Result<Vec<NamedArray>, CoreError>;
}

/// Every scheme, in the order in which the lesson presents them.
pub static SCHEMES: &[Scheme] = &[
    Scheme(&none::NoEncoding),
    Scheme(&sinusoidal::SinusoidalScheme),
    Scheme(&learned::LearnedScheme),
    Scheme(&relative::RelativeScheme),
    Scheme(&t5::T5Scheme),
    Scheme(&alibi::AlibiScheme),
    Scheme(&rope::RopeScheme),
];

/// The ids of [`SCHEMES`], as the words that an address may use.
pub const SCHEME_IDS: &[&str] = &[
    "none",
    "sinusoidal",
    "learned",
    "relative",
    "t5",
    "alibi",
    "rope",
];

/// A scheme of the list; compared by its id.
#[derive(Clone, Copy)]
pub struct Scheme(&'static dyn PositionScheme);

impl Scheme {
    /// The scheme with this id, if there is one.
    pub fn by_id(id: &str) -> Option<Self> {
        SCHEMES.iter().copied().find(|s| s.id() == id)
    }
}

impl std::ops::Deref for Scheme {
    type Target = dyn PositionScheme;
    fn deref(&self) -> &Self::Target {
        self.0
    }
}

impl PartialEq for Scheme {
    fn eq(&self, other: &Self) -> bool {
        self.id() == other.id()
    }
}

impl fmt::Debug for Scheme {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.id())
    }
}

/// The numbers of a matrix in row-major order (nalgebra stores columns).
pub fn row_major(m: &Matrix) -> Vec<f64> {
    m.transpose().as_slice().to_vec()
}

/// `[heads, rows, n]` from a function of (head, query, key), as a lazy array named `bias`.
pub(crate) fn bias_array(
    heads: usize,
    n: usize,
    rows: Range<usize>,
    bias: impl Fn(usize, usize, usize) -> f64 + 'static,
) -> NamedArray {
    NamedArray::lazy("bias", vec![heads, rows.len(), n], move || {
        let mut out = Vec::with_capacity(heads * rows.len() * n);
        for h in 0..heads {
            for i in rows.clone() {
                out.extend((0..n).map(|j| bias(h, i, j)));
            }
        }
        out
    })
}

/// `[rows, n]` of integers from a function of (query, key), as a lazy array named `index`.
pub(crate) fn index_array(
    n: usize,
    rows: Range<usize>,
    index: impl Fn(usize, usize) -> usize + 'static,
) -> NamedArray {
    NamedArray::lazy("index", vec![rows.len(), n], move || {
        let mut out = Vec::with_capacity(rows.len() * n);
        for i in rows {
            out.extend((0..n).map(|j| index(i, j) as f64));
        }
        out
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_of_ids_is_that_of_the_schemes() {
        let ids: Vec<_> = SCHEMES.iter().map(|s| s.id()).collect();
        assert_eq!(ids, SCHEME_IDS);
    }
}
