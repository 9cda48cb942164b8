//! The encodings, one file a scheme, and the list of them.
//!
//! Schemes enter attention at different places ([`Entry`]), so each says where: what is *added* to
//! the token vectors or to the *keys*, how queries and keys are *rotated*, or which *bias* is added to
//! the scores. To add a scheme, write its file with a type that implements [`PositionScheme`] and add
//! a line to the list below; address, pages and tests read the list.

pub mod alibi;
pub mod deberta;
mod entry;
mod facts;
pub mod kerple;
pub mod learned;
mod none;
mod offset;
pub mod relative;
pub mod rope;
pub mod rope_scaling;
mod rotation;
pub mod shaw;
pub mod sinusoidal;
pub mod t5;
mod table;
pub mod xpos;

pub use entry::{Entry, KeyVectors, Prepared};
pub(crate) use facts::and_scaling;
pub use facts::{Beyond, Cost, Effect, Learned, Parameter, Scope, Topic, Unit, Vectors};
pub use offset::{ByDistance, ByOffset, Falling, Numbers, TableBias, symmetric};
pub use rotation::Rotation;

use std::fmt;
use std::ops::Range;

use super::{CoreError, Matrix};
use rope::Pairing;
use rope_scaling::LongContext;
use sinusoidal::Layout;
use table::{BiasEdit, BiasStart};

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

/// What every scheme can tell of itself. Whoever needs a fact about a scheme asks it here: nobody
/// else looks at an id, and where a scheme has nothing to say the answer is "nothing", never another
/// scheme's number.
pub trait PositionScheme: Sync {
    /// Public id, as in the address.
    fn id(&self) -> &'static str;
    /// The kind of encoding that it belongs to, by which the lesson groups them.
    fn topic(&self) -> Topic;
    /// Where the scheme enters attention.
    fn entry(&self) -> Entry;
    /// The parameters that change it.
    fn parameters(&self) -> &'static [Parameter];
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
    /// What it makes of a query at i and a key at j, for `n` positions, in one head.
    ///
    /// # Errors
    /// If the setting is outside what the scheme is defined for.
    fn effect(&self, setting: &Setting, head: usize, n: usize) -> Result<Effect, CoreError>;
    /// How many numbers it learns, and how often.
    fn learned(&self, setting: &Setting, n: usize) -> Learned;
    /// What it costs to compute for `n` positions, and how often.
    fn cost(&self, setting: &Setting, n: usize) -> Cost;
    /// What holds beyond the positions or distances of the training.
    ///
    /// # Errors
    /// If the setting is outside what the scheme is defined for.
    fn beyond(&self, setting: &Setting) -> Result<Beyond, CoreError>;

    /// Whether a change of a learned number addresses one that the scheme has now, with a value that
    /// it can take.
    fn takes(&self, _: &Setting, _: &BiasEdit) -> bool {
        false
    }
    /// The scheme as a function of the offset, if it is one that adds to scores.
    ///
    /// # Errors
    /// If the setting is outside what the scheme is defined for.
    fn by_offset(&self, _: &Setting) -> Result<Option<Box<dyn ByOffset>>, CoreError> {
        Ok(None)
    }
    /// The vectors that it adds to token vectors, if it adds some.
    ///
    /// # Errors
    /// If the setting is outside what the scheme is defined for.
    fn vectors(&self, setting: &Setting, n: usize) -> Result<Option<Box<dyn Vectors>>, CoreError> {
        Ok(match self.prepare(setting, n)? {
            Prepared::Additive(rows) => Some(Box::new(rows)),
            _ => None,
        })
    }
    /// The rotation of queries and keys, if it turns them.
    ///
    /// # Errors
    /// If the setting is outside what the scheme is defined for.
    fn rotation(&self, _: &Setting) -> Result<Option<Rotation>, CoreError> {
        Ok(None)
    }
}

/// One line a scheme: the list itself, and the ids that an address may use.
macro_rules! schemes {
    ($($scheme:expr => $id:expr),+ $(,)?) => {
        /// Every scheme, in the order in which the lesson presents them.
        pub static SCHEMES: &[Scheme] = &[$(Scheme(&$scheme)),+];
        /// The ids of [`SCHEMES`].
        pub const SCHEME_IDS: &[&str] = &[$($id),+];
    };
}

schemes! {
    none::NoEncoding => none::ID,
    sinusoidal::SinusoidalScheme => sinusoidal::ID,
    learned::LearnedScheme => learned::ID,
    relative::RelativeScheme => relative::ID,
    shaw::ShawScheme => shaw::ID,
    t5::T5Scheme => t5::ID,
    alibi::AlibiScheme => alibi::ID,
    kerple::KerpleScheme => kerple::ID,
    rope::RopeScheme => rope::ID,
    xpos::XposScheme => xpos::ID,
}

/// A scheme of the list; compared by its id.
#[derive(Clone, Copy)]
pub struct Scheme(&'static dyn PositionScheme);

impl Scheme {
    /// The scheme as a function of the offset.
    ///
    /// # Errors
    /// [`CoreError::NotOf`] if it is none, or as [`PositionScheme::by_offset`].
    pub fn offsets(self, s: &Setting) -> Result<Box<dyn ByOffset>, CoreError> {
        self.by_offset(s)?
            .ok_or_else(|| self.lacks("function of the offset"))
    }

    /// The rotation of queries and keys.
    ///
    /// # Errors
    /// [`CoreError::NotOf`] if it has none, or as [`PositionScheme::rotation`].
    pub fn turns(self, s: &Setting) -> Result<Rotation, CoreError> {
        self.rotation(s)?.ok_or_else(|| self.lacks("rotation"))
    }

    /// The vectors that it adds to token vectors.
    ///
    /// # Errors
    /// [`CoreError::NotOf`] if it adds none, or as [`PositionScheme::vectors`].
    pub fn adds(self, s: &Setting, n: usize) -> Result<Box<dyn Vectors>, CoreError> {
        self.vectors(s, n)?
            .ok_or_else(|| self.lacks("vectors of positions"))
    }

    fn lacks(self, what: &'static str) -> CoreError {
        CoreError::NotOf {
            scheme: self.id(),
            what,
        }
    }

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

/// The offsets of `n` positions, from −(n − 1) to n − 1.
pub(crate) fn offsets_of(n: usize) -> Vec<f64> {
    let last = n as f64 - 1.0;
    (0..(2 * n).saturating_sub(1))
        .map(|k| k as f64 - last)
        .collect()
}

/// The effect of a scheme whose bias is a function of the offset.
pub(crate) fn bias_effect(
    scheme: &dyn PositionScheme,
    s: &Setting,
    head: usize,
    n: usize,
) -> Result<Effect, CoreError> {
    let Some(by_offset) = scheme.by_offset(s)? else {
        return Ok(Effect::Nothing);
    };
    let of = |offset: f64| by_offset.bias(head, offset as i64, &[]);
    let values = offsets_of(n).into_iter().map(of).collect();
    Ok(Effect::ByOffset(Unit::Added, values))
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
