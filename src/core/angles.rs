//! Sines and cosines of one frequency at many positions.
//!
//! Consecutive whole positions are the common case and can do with few calls of sine and cosine:
//! a position is `anchor + offset`, anchors stand at the multiples of [`BLOCK`], and
//! `sin(a + b) = sin a cos b + cos a sin b`. Two exact values are combined once, so errors do not
//! add up along the sequence as they would if each position were turned into the next. A
//! position's value is the same in whatever run of consecutive positions it stands.

/// Distance between anchors.
const BLOCK: usize = 32;

/// sin and cos of `position · frequency`, with the digits that the product loses: far out these are more than what
/// sine and cosine lose, 6e-11 at the angle 10⁶.
pub(crate) fn sin_cos(position: f64, frequency: f64) -> (f64, f64) {
    let angle = position * frequency;
    let (sin, cos) = angle.sin_cos();
    match lost(position, frequency, angle) {
        lost if lost.is_finite() => (sin + lost * cos, cos - lost * sin),
        // Numbers so large that halving them overflows have no digits left to mend.
        _ => (sin, cos),
    }
}

/// What the product `ab` of a and b has lost, by cutting both into halves whose products are exact (Dekker).
/// WebAssembly has no fused multiplication and addition.
fn lost(a: f64, b: f64, ab: f64) -> f64 {
    let halves = |x: f64| {
        let far = 134_217_729.0 * x;
        let high = far - (far - x);
        (high, x - high)
    };
    let ((a1, a2), (b1, b2)) = (halves(a), halves(b));
    a2 * b2 - (((ab - a1 * b1) - a2 * b1) - a1 * b2)
}

/// Sines and cosines at even steps, for one frequency after another, without a list of either: each is two numbers of
/// its anchor times two of its offset.
pub(crate) struct Steps {
    step: f64,
    offsets: [(f64, f64); BLOCK],
}

impl Steps {
    /// Steps of this many positions.
    pub(crate) fn new(step: f64) -> Self {
        Self {
            step,
            offsets: [(0.0, 1.0); BLOCK],
        }
    }

    /// Adds `of_sin · sin + of_cos · cos` at `start`, `start + step`, … to the numbers of `out`.
    pub(crate) fn add(
        &mut self,
        (start, frequency): (f64, f64),
        (of_sin, of_cos): (f64, f64),
        out: &mut [f64],
    ) {
        for (k, offset) in self.offsets.iter_mut().take(out.len()).enumerate().skip(1) {
            *offset = sin_cos(k as f64 * self.step, frequency);
        }
        for (k, block) in out.chunks_mut(BLOCK).enumerate() {
            let anchor = start + (k * BLOCK) as f64 * self.step;
            let (sin, cos) = sin_cos(anchor, frequency);
            let (along, across) = (of_sin * sin + of_cos * cos, of_sin * cos - of_cos * sin);
            for (out, (sin, cos)) in block.iter_mut().zip(&self.offsets) {
                *out += along * cos + across * sin;
            }
        }
    }
}

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
                    (*sin, *cos) = sin_cos(*p, frequency);
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
            (sin_of[b], cos_of[b]) = sin_cos(b as f64, frequency);
        }
        let (mut at, mut offset) = (0, first_offset);
        while at < self.positions.len() {
            let length = (BLOCK - offset).min(self.positions.len() - at);
            let anchor = self.positions[at] - offset as f64;
            let (s, c) = sin_cos(anchor, frequency);
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

    /// sin and cos of a whole position's angle, by as many turns of the angles of powers of two as it has digits, each
    /// in twice the digits of an `f64`.
    fn in_many_digits(position: u64, frequency: f64) -> (f64, f64) {
        // The angle itself is exact as a sum of two numbers; a whole turn is known to three.
        const TURN: [f64; 3] = [
            std::f64::consts::TAU,
            2.449_293_598_294_706_4e-16,
            -5.989_539_619_436_679e-33,
        ];
        let p = position as f64;
        let angle = p * frequency;
        let mut low = lost(p, frequency, angle);
        let turns = (angle / TURN[0]).round();
        let whole = turns * TURN[0];
        low -= lost(turns, TURN[0], whole) + turns * TURN[1] + turns * TURN[2];
        let rest = (angle - whole) + low;
        rest.sin_cos()
    }

    #[test]
    fn values_far_out_have_all_their_digits() {
        for w in [1.0, 0.749_894_209_332_455_9, 0.1, 0.5f64.powf(0.37)] {
            for far in [1u64, 31, 32, 8191, 99_999, 999_968, 1_000_000] {
                let (sin, cos) = in_many_digits(far, w);
                let single = sin_cos(far as f64, w);
                let error = (single.0 - sin).abs().max((single.1 - cos).abs());
                assert!(error < 1e-15, "{far} {w}: {error:e}");
                let positions = at(far as i64 - 40..far as i64 + 1);
                let mut angles = Angles::new(&positions);
                let (s, c) = angles.sin_cos(w);
                let error = (s[40] - sin).abs().max((c[40] - cos).abs());
                assert!(error < 1e-14, "{far} {w}: {error:e}");
            }
        }
    }

    #[test]
    fn steps_are_the_single_values_with_their_weights() {
        for (step, w) in [(1.0, 1.0), (7.0, 0.3), (2441.0, 0.01), (20.0, 1e-4)] {
            let mut steps = Steps::new(step);
            for count in [0, 1, 31, 32, 33, 410] {
                let mut out = vec![0.25; count];
                steps.add((9.5, w), (2.0, -3.0), &mut out);
                for (k, value) in out.iter().enumerate() {
                    let (sin, cos) = sin_cos(9.5 + k as f64 * step, w);
                    let wanted = 0.25 + 2.0 * sin - 3.0 * cos;
                    assert!((value - wanted).abs() < 1e-13, "{step} {w} {k}");
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
        let far = [1e17, -1e300];
        for positions in [&[0.5, 1.5], &[0.0, 2.0], &[3.0, 2.0], &far].map(|p: &[f64; 2]| p) {
            let mut angles = Angles::new(positions);
            let (sin, cos) = angles.sin_cos(0.7);
            for ((s, c), p) in sin.iter().zip(cos).zip(positions) {
                assert_eq!((*s, *c), sin_cos(*p, 0.7));
            }
        }
    }
}
