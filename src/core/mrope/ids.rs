//! The ids of a sequence, made piece by piece.

use std::ops::Range;

use crate::core::CoreError;
use crate::core::error::positive;

/// Size of an image or video in patches: temporal patches, rows, columns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Grid {
    /// Temporal patches; 1 for an image.
    pub t: usize,
    /// Rows.
    pub h: usize,
    /// Columns.
    pub w: usize,
}

impl Grid {
    /// The grid after `merge × merge` neighbours have become one token.
    ///
    /// # Errors
    /// If `merge` or a side is 0, or `merge` does not divide rows and columns.
    pub fn merged(self, merge: usize) -> Result<Self, CoreError> {
        let sides = [
            ("spatial_merge_size", merge),
            ("t", self.t),
            ("h", self.h),
            ("w", self.w),
        ];
        for (name, given) in sides {
            if given == 0 {
                return Err(out_of_range(name, given, "at least 1"));
            }
        }
        for (name, given) in [("h", self.h), ("w", self.w)] {
            if given % merge != 0 {
                let allowed = "a multiple of spatial_merge_size";
                return Err(out_of_range(name, given, allowed));
            }
        }
        Ok(Self {
            t: self.t,
            h: self.h / merge,
            w: self.w / merge,
        })
    }

    /// Number of tokens; as many as can be counted if there are more.
    pub fn tokens(self) -> usize {
        self.t.saturating_mul(self.h).saturating_mul(self.w)
    }
}

fn out_of_range(name: &'static str, given: usize, allowed: &'static str) -> CoreError {
    CoreError::OutOfRange {
        name,
        given: given as f64,
        allowed,
    }
}

/// The t of each temporal patch by real time, from 0:
/// `floor(frame · seconds_per_grid · ids_per_second)` (Qwen2.5-VL, arXiv 2502.13923, and its
/// `get_rope_index`). Code that multiplies in `f32` may fall one short where the product is whole.
///
/// # Errors
/// If `seconds_per_grid` or `ids_per_second` is not finite and above 0.
pub fn frame_times(
    frames: usize,
    seconds_per_grid: f64,
    ids_per_second: f64,
) -> Result<Vec<i64>, CoreError> {
    positive("second_per_grid", seconds_per_grid)?;
    positive("tokens_per_second", ids_per_second)?;
    let time = |frame| (frame as f64 * seconds_per_grid * ids_per_second).floor() as i64;
    Ok((0..frames).map(time).collect())
}

/// (t, h, w) of every token, one list an axis.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PositionIds {
    axes: [Vec<i64>; 3],
    next: i64,
}

impl PositionIds {
    /// Ids that are there already, each `[n]`.
    ///
    /// # Errors
    /// If the axes have different lengths.
    pub fn from_axes(axes: [Vec<i64>; 3]) -> Result<Self, CoreError> {
        for axis in &axes {
            crate::core::error::same_size("an axis of position_ids", axes[0].len(), axis.len())?;
        }
        let next = axes.iter().flatten().max().map_or(0, |m| m + 1);
        Ok(Self { axes, next })
    }

    /// The lists of t, h and w.
    pub fn axes(&self) -> &[Vec<i64>; 3] {
        &self.axes
    }

    /// Number of tokens.
    pub fn len(&self) -> usize {
        self.axes[0].len()
    }

    /// Whether there is no token.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// (t, h, w) of a token.
    pub fn at(&self, token: usize) -> [i64; 3] {
        [0, 1, 2].map(|axis| self.axes[axis].get(token).copied().unwrap_or(0))
    }

    /// How many ids the sequence spends: the largest + 1.
    pub fn spent(&self) -> i64 {
        self.axes.iter().flatten().max().map_or(0, |m| m + 1)
    }

    /// Where the next piece starts: the largest id of the last piece + 1. Pieces that stand one
    /// after another each reach beyond all before them, so that is the largest of all + 1.
    pub(super) fn next(&self) -> i64 {
        self.next
    }

    /// `n` tokens with t = h = w, counting on from `start`.
    pub(super) fn line(&mut self, start: i64, n: usize) {
        for k in 0..n as i64 {
            self.push([start + k; 3]);
        }
        if n > 0 {
            self.next = start + n as i64;
        }
    }

    /// `n` tokens of text.
    pub(super) fn text(&mut self, n: usize) {
        self.line(self.next, n);
    }

    /// Frames at these times from `start`, `h` rows and `w` columns each.
    pub(super) fn vision(&mut self, start: i64, times: &[i64], h: usize, w: usize) {
        let mut largest = start - 1;
        for &t in times {
            for row in 0..h as i64 {
                for column in 0..w as i64 {
                    let ids = [t, row, column].map(|x| start.saturating_add(x));
                    largest = ids.into_iter().fold(largest, i64::max);
                    self.push(ids);
                }
            }
        }
        self.next = largest.saturating_add(1);
    }

    /// Some tokens of another list, as they are numbered there.
    pub(super) fn append(&mut self, other: &Self, tokens: Range<usize>) {
        let mut largest = self.next - 1;
        for (k, at) in tokens.enumerate() {
            let ids = other.at(at);
            let of_token = ids.into_iter().fold(i64::MIN, i64::max);
            largest = if k == 0 {
                of_token
            } else {
                largest.max(of_token)
            };
            self.push(ids);
        }
        self.next = largest + 1;
    }

    fn push(&mut self, ids: [i64; 3]) {
        for (axis, id) in self.axes.iter_mut().zip(ids) {
            axis.push(id);
        }
    }
}
