//! Sines and cosines of one frequency at many positions.
//!
//! Consecutive whole positions are the common case and can do with few calls of sine and cosine:
//! a position is `anchor + offset`, anchors stand at the multiples of [`BLOCK`], and
//! `sin(a + b) = sin a cos b + cos a sin b`. Two exact values are combined once, so errors do not
//! add up along the sequence as they would if each position were turned into the next. A
//! position's value is the same in whatever run of consecutive positions it stands.

/// Distance between anchors.
const BLOCK: usize = 32;

/// Positions whose sines and cosines are wanted for one frequency after another.
pub(crate) struct Angles<'a> {
    positions: &'a [f64],
    /// Offset of the first position from its anchor, if the positions are consecutive.
    first_offset: Option<usize>,
    sin: Vec<f64>,
    cos: Vec<f64>,
}

impl<'a> Angles<'a> {
    pub(crate) fn new(positions: &'a [f64]) -> Self {
        let whole = |p: &f64| p.fract() == 0.0 && p.abs() < (1u64 << 52) as f64;
        let consecutive = positions.windows(2).all(|w| w[1] - w[0] == 1.0);
        let first = positions.first().filter(|p| whole(p) && consecutive);
        Self {
            positions,
            first_offset: first.map(|p| p.rem_euclid(BLOCK as f64) as usize),
            sin: vec![0.0; positions.len()],
            cos: vec![0.0; positions.len()],
        }
    }

    /// sin and cos of `position · frequency`, each `[positions.len()]`.
    pub(crate) fn sin_cos(&mut self, frequency: f64) -> (&[f64], &[f64]) {
        match self.first_offset {
            Some(offset) => self.by_blocks(frequency, offset),
            None => {
                let out = self.sin.iter_mut().zip(&mut self.cos);
                for ((sin, cos), p) in out.zip(self.positions) {
                    (*sin, *cos) = (p * frequency).sin_cos();
                }
            }
        }
        (&self.sin, &self.cos)
    }

    fn by_blocks(&mut self, frequency: f64, first_offset: usize) {
        let (mut sin_of, mut cos_of) = ([0.0; BLOCK], [0.0; BLOCK]);
        let end = (first_offset + self.positions.len()).min(BLOCK);
        // A run that starts within a block and leaves it needs the offsets before its own too.
        let start = if first_offset + self.positions.len() > BLOCK {
            0
        } else {
            first_offset
        };
        for b in start..end {
            (sin_of[b], cos_of[b]) = (b as f64 * frequency).sin_cos();
        }
        let (mut at, mut offset) = (0, first_offset);
        while at < self.positions.len() {
            let length = (BLOCK - offset).min(self.positions.len() - at);
            let anchor = self.positions[at] - offset as f64;
            let (s, c) = (anchor * frequency).sin_cos();
            let table = sin_of[offset..].iter().zip(&cos_of[offset..]);
            let out = self.sin[at..at + length].iter_mut();
            for ((sin, cos), (sb, cb)) in out.zip(&mut self.cos[at..at + length]).zip(table) {
                *sin = s * cb + c * sb;
                *cos = c * cb - s * sb;
            }
            at += length;
            offset = 0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(range: std::ops::Range<i64>) -> Vec<f64> {
        range.map(|p| p as f64).collect()
    }

    #[test]
    fn blocks_agree_with_single_values() {
        for range in [0..1, 0..200, 7..9, 30..34, 31..32, -70..70, 99_990..100_100] {
            let positions = at(range);
            let mut angles = Angles::new(&positions);
            for w in [1.0, 0.1, 0.749_894_209_332_455_9, 1e-4] {
                let far = positions.iter().fold(1.0, |m: f64, p| m.max(p.abs())) * w;
                let limit = 4e-16 * far.max(1.0);
                let (sin, cos) = angles.sin_cos(w);
                for ((s, c), p) in sin.iter().zip(cos).zip(&positions) {
                    let (sin, cos) = (p * w).sin_cos();
                    assert!(
                        (s - sin).abs() < limit && (c - cos).abs() < limit,
                        "{p} {w}"
                    );
                }
            }
        }
    }

    #[test]
    fn a_position_has_one_value_in_every_run() {
        let all = at(-100..200);
        let mut whole = Angles::new(&all);
        let (sin, _) = whole.sin_cos(0.3);
        for start in 0..all.len() {
            for length in [1, 2, 40] {
                let part = &all[start..(start + length).min(all.len())];
                assert_eq!(
                    Angles::new(part).sin_cos(0.3).0,
                    &sin[start..start + part.len()]
                );
            }
        }
    }

    #[test]
    fn fractions_gaps_and_nothing() {
        assert!(Angles::new(&[]).sin_cos(1.0).0.is_empty());
        for positions in [vec![0.5, 1.5], vec![0.0, 2.0], vec![3.0, 2.0], vec![1e17]] {
            let mut angles = Angles::new(&positions);
            let (sin, cos) = angles.sin_cos(0.7);
            for ((s, c), p) in sin.iter().zip(cos).zip(&positions) {
                assert_eq!((*s, *c), (p * 0.7).sin_cos());
            }
        }
    }
}
