//! Schemes that make something of the offset δ = i − j of query i and key j: positive where the key
//! lies before the query.

use super::table::BiasTable;

/// The learned numbers of a table that is laid out by offset or by bucket.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Numbers {
    /// Columns of the table.
    pub columns: usize,
    /// The offset of the first column where columns run by offset; `None` for buckets.
    pub first: Option<i64>,
}

/// A scheme that adds to the score something that the offset decides.
pub trait ByOffset: Send + Sync {
    /// What an offset looks up: column of a table, or distance where there is none.
    fn index(&self, offset: i64) -> usize;
    /// The table of numbers that `bias_edits` changes, if there is one.
    fn numbers(&self) -> Option<Numbers>;
    /// The nearest and the farthest offset of a column, the latter `None` if it has no end; nothing
    /// for a column that is never used.
    fn held(&self, column: usize) -> Option<(i64, Option<i64>)>;
    /// The distance from which on all offsets of a side share one column, if there is one.
    fn saturates(&self) -> Option<usize>;
    /// Whether the largest offset before and after the query share what they look up, each with those
    /// of its own side: whether [`Self::saturates`] holds for both.
    fn both_sides(&self) -> bool {
        true
    }
    /// What is added to the scaled score in a head, given the query `[head_dim]`, which most do not
    /// need.
    fn bias(&self, head: usize, offset: i64, query: &[f64]) -> f64;
    /// The number of a column of the table; 0 where there is no table.
    fn column(&self, _head: usize, _column: usize) -> f64 {
        0.0
    }
    /// The numbers of a head that are no table, by name, in the order in which `bias_edits` counts
    /// them if they can be changed.
    fn named(&self, _head: usize) -> Vec<(&'static str, f64)> {
        Vec::new()
    }
    /// Whether [`Self::bias`] needs the query.
    fn needs_query(&self) -> bool {
        false
    }
}

impl dyn ByOffset {
    /// [`ByOffset::index`] of every offset of `n` positions, from −(n − 1) to n − 1.
    pub fn indices(&self, n: usize) -> Vec<usize> {
        let last = n as i64 - 1;
        (-last..=last).map(|offset| self.index(offset)).collect()
    }

    /// Whether it is a column that no offset falls into.
    pub fn unused(&self, column: usize) -> bool {
        self.held(column).is_none()
    }
}

/// Whether a bias is the same for δ and −δ up to `n` positions, in a head: blind to mirror images.
pub fn symmetric(scheme: &dyn ByOffset, head: usize, n: usize) -> bool {
    !scheme.needs_query()
        && (1..n as i64).all(|d| scheme.bias(head, d, &[]) == scheme.bias(head, -d, &[]))
}

/// A function of the distance, with no table and no end.
pub trait Falling: Send + Sync {
    /// What is added to the scaled score in a head, at a distance; 0 if there is no such head.
    fn at(&self, head: usize, distance: usize) -> f64;
    /// [`ByOffset::named`].
    fn named(&self, head: usize) -> Vec<(&'static str, f64)>;
}

/// A bias that goes by the distance alone.
pub struct ByDistance<F>(pub F);

impl<F: Falling> ByOffset for ByDistance<F> {
    fn index(&self, offset: i64) -> usize {
        offset.unsigned_abs() as usize
    }
    fn numbers(&self) -> Option<Numbers> {
        None
    }
    fn held(&self, column: usize) -> Option<(i64, Option<i64>)> {
        Some((column as i64, Some(column as i64)))
    }
    fn saturates(&self) -> Option<usize> {
        None
    }
    fn bias(&self, head: usize, offset: i64, _: &[f64]) -> f64 {
        self.0.at(head, self.index(offset))
    }
    fn named(&self, head: usize) -> Vec<(&'static str, f64)> {
        self.0.named(head)
    }
}

/// A learned table of numbers with its way of numbering offsets.
pub struct TableBias<I> {
    /// The numbers, `[heads, columns]`.
    pub table: BiasTable,
    /// Where columns run by offset, the first one's.
    pub first: Option<i64>,
    /// How offsets are numbered.
    pub numbering: I,
}

/// How a table numbers offsets.
pub trait Numbering: Send + Sync {
    /// [`ByOffset::index`].
    fn index(&self, offset: i64) -> usize;
    /// [`ByOffset::held`].
    fn held(&self, column: usize) -> Option<(i64, Option<i64>)>;
    /// [`ByOffset::saturates`].
    fn saturates(&self) -> Option<usize>;
    /// [`ByOffset::both_sides`].
    fn both_sides(&self) -> bool {
        true
    }
}

impl<I: Numbering> ByOffset for TableBias<I> {
    fn index(&self, offset: i64) -> usize {
        self.numbering.index(offset)
    }
    fn numbers(&self) -> Option<Numbers> {
        Some(Numbers {
            columns: self.table.columns(),
            first: self.first,
        })
    }
    fn held(&self, column: usize) -> Option<(i64, Option<i64>)> {
        self.numbering.held(column)
    }
    fn saturates(&self) -> Option<usize> {
        self.numbering.saturates()
    }
    fn both_sides(&self) -> bool {
        self.numbering.both_sides()
    }
    fn bias(&self, head: usize, offset: i64, _: &[f64]) -> f64 {
        self.table.get(head, self.index(offset))
    }
    fn column(&self, head: usize, column: usize) -> f64 {
        self.table.get(head, column)
    }
}
