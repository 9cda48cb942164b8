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
    /// Samples of a stretch.
    size: usize,
    ends: Vec<(f32, f32)>,
}

impl Stretches {
    fn new(samples: usize, count: usize) -> Self {
        Self {
            size: samples.div_ceil(count).max(1),
            ends: Vec::new(),
        }
    }

    /// Takes the sample with a number; they come in order.
    fn push(&mut self, at: usize, x: f32) {
        match self.ends.get_mut(at / self.size) {
            Some((low, high)) => (*low, *high) = (low.min(x), high.max(x)),
            None => self.ends.push((x, x)),
        }
    }

    fn between(&self, from: f64, to: f64, rate: f64) -> Option<(f64, f64)> {
        let each = self.size as f64 / rate;
        let first = (from / each) as usize;
        let last = ((to / each).ceil() as usize).max(first + 1);
        let part = self.ends.get(first..last.min(self.ends.len()))?;
        let low = part.iter().map(|e| e.0).fold(f32::INFINITY, f32::min);
        let high = part.iter().map(|e| e.1).fold(f32::NEG_INFINITY, f32::max);
        (low <= high).then_some((f64::from(low), f64::from(high)))
    }
}

/// What is kept of a recording.
#[derive(Debug, Clone, PartialEq)]
pub struct Envelope {
    rate: f64,
    samples: usize,
    /// The largest sample, which is shown as 1.
    peak: f64,
    whole: Stretches,
    close: Stretches,
    loudness: Vec<f64>,
}

impl Envelope {
    /// For a recording of `samples` samples, `rate` a second, which are given piece by piece to
    /// [`Self::push`].
    pub fn new(samples: usize, rate: f64) -> Self {
        let close = ((CLOSE * rate) as usize).min(samples);
        Self {
            rate,
            samples: 0,
            peak: 0.0,
            whole: Stretches::new(samples, COLUMNS),
            close: Stretches::new(close, (CLOSE * 1000.0) as usize),
            loudness: Vec::new(),
        }
    }

    /// The next samples. What is no number counts as silence.
    pub fn push(&mut self, samples: &[f32]) {
        let window = ((self.rate / LOUDNESS_RATE as f64) as usize).max(1);
        for x in samples {
            let x = if x.is_finite() { *x } else { 0.0 };
            let at = self.samples;
            self.peak = self.peak.max(f64::from(x.abs()));
            self.whole.push(at, x);
            if (at as f64) < CLOSE * self.rate {
                self.close.push(at, x);
            }
            let square = f64::from(x).powi(2) / window as f64;
            let room = self.loudness.len() < LOUD_SECONDS * LOUDNESS_RATE;
            match self.loudness.get_mut(at / window) {
                Some(sum) => *sum += square,
                None if room => self.loudness.push(square),
                None => {}
            }
            self.samples += 1;
        }
    }

    /// Whether there is anything to be heard.
    pub fn is_silent(&self) -> bool {
        self.peak == 0.0
    }

    /// Its length.
    pub fn seconds(&self) -> f64 {
        self.samples as f64 / self.rate
    }

    /// Smallest and largest sample between two times, −1 to 1; nothing behind its end.
    pub fn between(&self, from: f64, to: f64) -> Option<(f64, f64)> {
        let near = to <= CLOSE.min(self.seconds());
        let kept = if near { &self.close } else { &self.whole };
        let (low, high) = kept.between(from, to, self.rate)?;
        let peak = self.peak.max(f64::MIN_POSITIVE);
        Some((low / peak, high / peak))
    }

    /// Loudness, [`LOUDNESS_RATE`] values a second, of the first half minute: root mean squares.
    pub fn loudness(&self) -> Vec<f64> {
        self.loudness.iter().map(|mean| mean.sqrt()).collect()
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
        let mut e = Envelope::new(samples.len(), rate);
        // In pieces that end anywhere.
        samples.chunks(777).for_each(|piece| e.push(piece));
        assert_eq!(e.seconds(), 20.0);
        assert_eq!(e.between(0.0, 20.0), Some((-0.25, 1.0)));
        assert_eq!(e.between(2.9995, 3.0005), Some((-0.25, 0.0)));
        assert_eq!(e.between(4.0, 14.0), Some((0.0, 0.0)));
        assert_eq!(e.between(30.0, 31.0), None);
        assert_eq!(e.loudness().len(), 2000);
        assert_eq!(e.loudness()[300], (0.25f64 / 10.0).sqrt());
        assert!(!e.is_silent());
        let mut silent = Envelope::new(2, rate);
        silent.push(&[0.0, f32::NAN]);
        assert!(silent.is_silent());
        assert_eq!(silent.between(0.0, 0.001), Some((0.0, 0.0)));
        assert_eq!(Envelope::new(0, rate).between(0.0, 1.0), None);
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
            // Two phrases that are not among the loud ones.
            (300.0, 310.0),
            (300.0, 317.0),
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
