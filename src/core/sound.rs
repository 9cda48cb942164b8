//! A recording as what can be drawn of it: the smallest and the largest sample of a stretch of time,
//! and its loudness. A two-hour recording needs no more room than a short one, and the rhythm that the
//! page makes up itself needs none: it is a formula.

use std::f64::consts::TAU;

/// Stretches that a recording is kept in.
const COLUMNS: usize = 4096;
/// Seconds at the beginning that are kept in milliseconds too.
const CLOSE: f64 = 8.0;
/// Values of loudness a second.
pub const LOUDNESS_RATE: usize = 100;
/// Seconds whose loudness is kept.
const LOUD_SECONDS: usize = 30;
/// How fast a beat dies away, in seconds.
const DECAY: f64 = 0.08;
/// Pitch of a beat in hertz.
const PITCH: f64 = 180.0;
/// Beats with one loudness.
const PHRASE: f64 = 16.0;

/// Smallest and largest sample of each of some stretches of equal length.
#[derive(Debug, Clone, PartialEq)]
struct Stretches {
    each: f64,
    ends: Vec<(f32, f32)>,
}

impl Stretches {
    /// `samples` at `rate` a second, at most `count` stretches.
    fn of(samples: &[f32], rate: f64, count: usize) -> Self {
        let size = samples.len().div_ceil(count.max(1)).max(1);
        let ends = samples.chunks(size).map(|part| {
            let low = part.iter().copied().fold(f32::INFINITY, f32::min);
            (low, part.iter().copied().fold(f32::NEG_INFINITY, f32::max))
        });
        Self {
            each: size as f64 / rate,
            ends: ends.collect(),
        }
    }

    fn between(&self, from: f64, to: f64) -> Option<(f64, f64)> {
        let first = (from / self.each) as usize;
        let last = ((to / self.each).ceil() as usize).max(first + 1);
        let part = self.ends.get(first..last.min(self.ends.len()))?;
        let low = part.iter().map(|e| e.0).fold(f32::INFINITY, f32::min);
        let high = part.iter().map(|e| e.1).fold(f32::NEG_INFINITY, f32::max);
        (low <= high).then_some((f64::from(low), f64::from(high)))
    }
}

/// What is kept of a recording.
#[derive(Debug, Clone, PartialEq)]
pub struct Envelope {
    seconds: f64,
    whole: Stretches,
    close: Stretches,
    loudness: Vec<f64>,
}

impl Envelope {
    /// Of samples at `rate` a second; the largest is made 1. `None` if there is no sound to show.
    pub fn of(samples: &[f32], rate: f64) -> Option<Self> {
        let finite = |x: &f32| if x.is_finite() { x.abs() } else { 0.0 };
        let peak = samples.iter().map(finite).fold(0.0, f32::max);
        if peak == 0.0 || !(rate.is_finite() && rate > 0.0) {
            return None;
        }
        let samples: Vec<f32> = samples
            .iter()
            .map(|x| if x.is_finite() { x / peak } else { 0.0 })
            .collect();
        let beginning = ((CLOSE * rate) as usize).min(samples.len());
        let window = ((rate / LOUDNESS_RATE as f64) as usize).max(1);
        let loudness = samples.chunks(window).take(LOUD_SECONDS * LOUDNESS_RATE);
        let loudness = loudness.map(|part| {
            let sum: f64 = part.iter().map(|x| f64::from(*x).powi(2)).sum();
            (sum / part.len() as f64).sqrt()
        });
        Some(Self {
            seconds: samples.len() as f64 / rate,
            loudness: loudness.collect(),
            close: Stretches::of(&samples[..beginning], rate, (CLOSE * 1000.0) as usize),
            whole: Stretches::of(&samples, rate, COLUMNS),
        })
    }

    /// Its length.
    pub fn seconds(&self) -> f64 {
        self.seconds
    }

    /// Smallest and largest sample between two times, −1 to 1; nothing behind its end.
    pub fn between(&self, from: f64, to: f64) -> Option<(f64, f64)> {
        let near = to <= CLOSE.min(self.seconds);
        let kept = if near { &self.close } else { &self.whole };
        kept.between(from, to)
    }

    /// Loudness, [`LOUDNESS_RATE`] values a second, of the first half minute.
    pub fn loudness(&self) -> &[f64] {
        &self.loudness
    }
}

/// A drum: four beats a bar, the first of them loud, phrases of different loudness.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rhythm {
    /// Seconds between beats.
    pub beat: f64,
}

impl Rhythm {
    /// Loudness at a time: each beat dies away until the next.
    pub fn level(&self, t: f64) -> f64 {
        let beat = (t / self.beat).floor();
        self.strength(beat) * (-(t - beat * self.beat) / DECAY).exp()
    }

    fn strength(&self, beat: f64) -> f64 {
        let accent = if beat.rem_euclid(4.0) == 0.0 {
            1.0
        } else {
            0.5
        };
        accent * Self::phrase((beat / PHRASE).floor())
    }

    /// Loudness of a phrase: no two neighbours alike.
    fn phrase(k: f64) -> f64 {
        0.5 + 0.5 * (0.6 + k * 0.618_034).fract()
    }

    /// Smallest and largest sample between two times. The cost does not grow with their distance
    /// beyond a few phrases.
    pub fn between(&self, from: f64, to: f64) -> (f64, f64) {
        if to - from < 0.25 / PITCH {
            let sample = |t: f64| self.level(t) * (TAU * PITCH * t).sin();
            let (a, b) = (sample(from), sample(to));
            return (a.min(b), a.max(b));
        }
        let first = (from / self.beat).ceil();
        let last = ((to / self.beat).ceil() - 1.0).max(first - 1.0);
        let mut peak = self.level(from);
        if last - first < PHRASE {
            let mut beat = first;
            while beat <= last {
                peak = peak.max(self.strength(beat));
                beat += 1.0;
            }
        } else {
            let (mut k, end) = ((first / PHRASE).floor(), (last / PHRASE).floor());
            // Louder than the loudest of 64 phrases there is hardly one.
            let end = end.min(k + 64.0);
            while k <= end {
                peak = peak.max(Self::phrase(k));
                k += 1.0;
            }
        }
        (-peak, peak)
    }

    /// Loudness, [`LOUDNESS_RATE`] values a second, of as much time as is kept of a recording.
    pub fn loudness(&self) -> Vec<f64> {
        let all = 0..LOUD_SECONDS * LOUDNESS_RATE;
        all.map(|k| self.level(k as f64 / LOUDNESS_RATE as f64))
            .collect()
    }
}

/// How alike a signal is to itself `lag` values later, for lags 0..`lags`: the mean taken off, 1 at
/// lag 0; each lag averages over the values that overlap. 0 for a signal that does not change.
pub fn autocorrelation(signal: &[f64], lags: usize) -> Vec<f64> {
    let n = signal.len().max(1) as f64;
    let mean = signal.iter().sum::<f64>() / n;
    let off: Vec<f64> = signal.iter().map(|x| x - mean).collect();
    let power = off.iter().map(|x| x * x).sum::<f64>() / n;
    let at = |lag: usize| {
        let overlap = off.len().saturating_sub(lag);
        if overlap == 0 || power < 1e-18 {
            return 0.0;
        }
        let sum: f64 = off.iter().zip(&off[lag..]).map(|(a, b)| a * b).sum();
        sum / overlap as f64 / power
    };
    (0..lags).map(at).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stretches_hold_the_smallest_and_the_largest_sample() {
        let rate = 1000.0;
        let mut samples = vec![0.0f32; 20_000];
        (samples[3_000], samples[15_000]) = (-0.5, 2.0);
        let e = Envelope::of(&samples, rate).expect("sound");
        assert_eq!(e.seconds(), 20.0);
        assert_eq!(e.between(0.0, 20.0), Some((-0.25, 1.0)));
        assert_eq!(e.between(2.9995, 3.0005), Some((-0.25, 0.0)));
        assert_eq!(e.between(4.0, 14.0), Some((0.0, 0.0)));
        assert_eq!(e.between(30.0, 31.0), None);
        assert_eq!(e.loudness().len(), 2000);
        assert_eq!(Envelope::of(&[0.0; 9], rate), None);
        assert_eq!(Envelope::of(&[], rate), None);
        assert!(Envelope::of(&[f32::NAN, 1.0], rate).is_some());
    }

    #[test]
    fn the_peaks_of_the_rhythm_are_those_of_its_levels() {
        let r = Rhythm { beat: 0.5 };
        for (from, to) in [
            (0.1, 0.3),
            (0.4, 0.6),
            (3.9, 4.2),
            (7.7, 12.4),
            (0.0, 100.0),
        ] {
            let steps = 20_000;
            let peak = (0..steps)
                .map(|k| r.level(from + (to - from) * f64::from(k) / f64::from(steps)))
                .fold(0.0, f64::max);
            let (low, high) = r.between(from, to);
            assert!(
                high >= peak && high < 1.03 * peak,
                "{from} {to}: {high} {peak}"
            );
            assert_eq!(low, -high);
        }
    }

    #[test]
    fn the_rhythm_is_like_itself_a_beat_later() {
        let r = Rhythm { beat: 0.5 };
        let a = autocorrelation(&r.loudness(), 301);
        assert!((a[0] - 1.0).abs() < 1e-12);
        let peaks = [50, 100, 200];
        assert!(peaks.iter().all(|&lag| a[lag] > a[lag - 20] + 0.3), "{a:?}");
        assert!(a[200] > a[50], "a bar is more alike than a beat");
        assert_eq!(autocorrelation(&[1.0; 4], 6), [0.0; 6]);
        // By hand: 1, −1, 1, −1.
        assert_eq!(autocorrelation(&[2.0, 0.0, 2.0, 0.0], 3), [1.0, -1.0, 1.0]);
    }
}
