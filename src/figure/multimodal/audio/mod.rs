//! `audio-frames`: a recording cut into frames, what each scheme has met of it in half a minute of
//! training, and which of them can follow a rhythm.

mod draw;

use std::sync::Arc;

use crate::core::analysis::similarity_by_distance;
use crate::core::encoding::alibi;
use crate::core::encoding::rope::Rope;
use crate::core::encoding::sinusoidal::Sinusoidal;
use crate::core::encoding::t5::T5Buckets;
use crate::core::exposure::{best_fit, last_bucket_start, unmet_frequencies};
use crate::core::sound::{LOUDNESS_RATE, Rhythm, autocorrelation};
use crate::figure::kit::scene::{Hit, Scene};
use crate::figure::{Computed, Figure, Picture, Readout, Table, View};
use crate::say;
use crate::state::{Key, Lang, Page, Params, Sound, Value};
use crate::words::short;

pub(crate) const FIGURE: Figure = Figure {
    id: "audio-frames",
    page: Page::Multimodal,
    controls: &[
        Key::Seconds,
        Key::Rate,
        Key::Bpm,
        Key::MaxRelDist,
        Key::Head,
        Key::Heads,
        Key::DModel,
    ],
    listens: &[Key::Base, Key::Causal, Key::Layout],
    arrows: (None, None),
    plays: None,
    compute,
};

/// Seconds of each recording that the models were trained on (Whisper's window).
pub const TRAINED_SECONDS: usize = 30;
/// Beats that the chart of distances shows.
const BEATS: f64 = 4.2;

/// Numbers of the figure's targets.
const WAVE: usize = 0;
const FRAMES: usize = 1;
const CURVES: usize = 2;
const STRIPS: usize = 3;
/// Steps of the targets across.
const STEPS: usize = 1000;

/// The schemes of the strips, as the lesson orders them.
const SCHEMES: [&str; 6] = ["sinusoidal", "learned", "relative", "t5", "alibi", "rope"];

/// What holds for a stretch of positions or distances.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Met {
    /// Met in training, each with a number of its own.
    Seen,
    /// Shares a number with others that were met.
    Shared,
    /// The formula goes on; nothing was learned there.
    Unseen,
    /// There is no vector.
    Missing,
}

struct AudioFrames {
    sound: Sound,
    /// Frames of the recording, and of the training.
    frames: usize,
    trained: usize,
    max_rel_dist: usize,
    /// First distance of T5's last bucket.
    last_bucket: usize,
    slope: f64,
    head: usize,
    /// Pairs in all, and those that reach angles never met: sinusoidal, RoPE.
    pairs: [(usize, usize); 2],
    curves: Curves,
}

/// By distance in frames.
struct Curves {
    likeness: Vec<f64>,
    relative: Vec<f64>,
    t5: Vec<f64>,
    alibi: Vec<f64>,
    rope: Vec<f64>,
}

fn compute(p: &Params) -> Computed {
    let (s, sound) = (&p.setting, p.sound.clone());
    let (frames, trained) = (sound.seconds * sound.rate, TRAINED_SECONDS * sound.rate);
    let waves = Sinusoidal::new(s.d_model, s.base, s.layout)?;
    let rope = Rope::new(s.whole_head_dim()?, s.base, s.pairing)?;
    let pairs = [waves.frequencies(), rope.inv_freq()]
        .map(|f| (f.len(), unmet_frequencies(f, trained, frames)));
    let buckets = T5Buckets::standard(!s.causal);
    let slope = alibi::slopes(s.heads).get(p.head).copied().unwrap_or(0.0);
    let curves = curves(&sound, &rope, slope, &buckets, s.max_rel_dist);
    Ok(Arc::new(AudioFrames {
        frames,
        trained,
        max_rel_dist: s.max_rel_dist,
        last_bucket: last_bucket_start(&buckets),
        slope,
        head: p.head,
        pairs,
        curves,
        sound,
    }))
}

fn rhythm(sound: &Sound) -> Rhythm {
    Rhythm {
        beat: 60.0 / sound.bpm as f64,
    }
}

fn curves(
    sound: &Sound,
    rope: &Rope,
    slope: f64,
    buckets: &T5Buckets,
    max_rel_dist: usize,
) -> Curves {
    let rhythm = rhythm(sound);
    let count = (BEATS * rhythm.beat * sound.rate as f64) as usize + 2;
    let per_frame = LOUDNESS_RATE as f64 / sound.rate as f64;
    let lags = (count as f64 * per_frame) as usize + 2;
    let fine = match &sound.recording {
        Some(recording) => autocorrelation(&recording.loudness(), lags),
        None => autocorrelation(&rhythm.loudness(), lags),
    };
    let likeness: Vec<f64> = (0..count)
        .map(|d| {
            let at = d as f64 * per_frame;
            let (left, part) = (at as usize, at.fract());
            let of = |k: usize| fine.get(k).copied().unwrap_or(0.0);
            of(left) * (1.0 - part) + of(left + 1) * part
        })
        .collect();
    let distances = (0..count).map(|d| d as f64);
    Curves {
        relative: best_fit(&likeness, |d| d.min(max_rel_dist)),
        t5: best_fit(&likeness, |d| buckets.bucket(-(d as i64))),
        alibi: distances.clone().map(|d| -slope * d).collect(),
        rope: similarity_by_distance(rope.inv_freq(), distances),
        likeness,
    }
}

impl AudioFrames {
    fn seconds(&self) -> f64 {
        self.sound.seconds as f64
    }

    fn rate(&self) -> f64 {
        self.sound.rate as f64
    }

    fn beat_frames(&self) -> f64 {
        rhythm(&self.sound).beat * self.rate()
    }

    /// What holds from 0 on, up to which frame, in order; the last reaches to the end.
    fn stretches(&self, scheme: usize) -> Vec<(usize, Met)> {
        let (n, t) = (self.frames, self.trained);
        let own = |reach: usize| {
            if reach < t {
                vec![(reach, Met::Seen), (n, Met::Shared)]
            } else {
                vec![(t, Met::Seen), (n, Met::Unseen)]
            }
        };
        let mut all = match SCHEMES[scheme] {
            "learned" => vec![(t, Met::Seen), (n, Met::Missing)],
            "relative" => own(self.max_rel_dist),
            "t5" => own(self.last_bucket),
            _ => vec![(t, Met::Seen), (n, Met::Unseen)],
        };
        let past = all.iter().position(|(end, _)| *end >= n);
        all.truncate(past.map_or(all.len(), |at| at + 1));
        if let Some(last) = all.last_mut() {
            last.0 = n;
        }
        all
    }

    /// What becomes of a scheme here, in words.
    fn fate(&self, scheme: usize, lang: Lang) -> String {
        let id = SCHEMES[scheme];
        let (pairs, unmet) = self.pairs[usize::from(id == "rope")];
        let reach = match id {
            "t5" => self.last_bucket,
            _ => self.max_rel_dist,
        };
        say!(
            lang,
            format!("figure.audio-frames.fate-{id}"),
            unseen = self.frames.saturating_sub(self.trained),
            rows = self.trained,
            pairs = pairs,
            unmet = unmet,
            reach = reach,
            seconds = short(reach as f64 / self.rate()),
            last = short(self.last_alibi()),
            head = self.head
        )
    }

    /// ALiBi's bias of the farthest frame.
    fn last_alibi(&self) -> f64 {
        alibi::bias(self.slope, self.frames.saturating_sub(1), 0)
    }

    /// A curve at one beat, between its frames.
    fn at_a_beat(&self, curve: &[f64]) -> f64 {
        let at = (self.beat_frames().round() as usize).min(curve.len() - 1);
        curve[at]
    }

    fn time_of(&self, step: usize) -> f64 {
        (step as f64 + 0.5) / STEPS as f64 * self.seconds()
    }

    fn source(&self, lang: Lang) -> String {
        match &self.sound.recording {
            Some(recording) => say!(
                lang,
                "figure.audio-frames.yours",
                seconds = short(recording.seconds())
            ),
            None => say!(lang, "figure.audio-frames.drum", bpm = self.sound.bpm),
        }
    }
}

impl Picture for AudioFrames {
    fn height(&self, width: f64) -> f64 {
        self.layout(width).height
    }

    fn draw(&self, _: &Params, view: &View) -> Scene {
        self.scene(view)
    }

    fn describe(&self, hit: Hit, _: &Params, lang: Lang) -> String {
        match hit.target {
            CURVES => {
                let d = hit.column.min(self.curves.likeness.len() - 1);
                say!(
                    lang,
                    "figure.audio-frames.distance",
                    d = d,
                    seconds = short(d as f64 / self.rate()),
                    likeness = short(self.curves.likeness[d]),
                    relative = short(self.curves.relative[d]),
                    t5 = short(self.curves.t5[d]),
                    alibi = short(self.curves.alibi[d]),
                    rope = short(self.curves.rope[d])
                )
            }
            FRAMES => say!(
                lang,
                "figure.audio-frames.frame",
                frame = hit.column,
                from = short(hit.column as f64 / self.rate()),
                to = short((hit.column + 1) as f64 / self.rate())
            ),
            WAVE => {
                let time = self.time_of(hit.column);
                say!(
                    lang,
                    "figure.audio-frames.moment",
                    seconds = short(time),
                    frame = (time * self.rate()) as usize
                )
            }
            strip => {
                let scheme = (strip - STRIPS).min(SCHEMES.len() - 1);
                let frame = (self.time_of(hit.column) * self.rate()) as usize;
                let mut stretches = self.stretches(scheme).into_iter();
                let met = stretches.find(|(end, _)| frame < *end);
                let met = met.map_or(Met::Seen, |(_, met)| met);
                say!(
                    lang,
                    "figure.audio-frames.stretch",
                    scheme = say!(lang, format!("word.scheme.{}", SCHEMES[scheme])),
                    frame = frame,
                    met = met_word(met, lang)
                )
            }
        }
    }

    fn picked(&self, _: Hit, _: &Params) -> Vec<(Key, Value)> {
        Vec::new()
    }

    fn readouts(&self, _: &Params, lang: Lang) -> Vec<Readout> {
        let c = &self.curves;
        let rate = self.rate();
        let numbers = [
            ("frames", self.frames as f64),
            ("trained-frames", self.trained as f64),
            (
                "unseen-frames",
                self.frames.saturating_sub(self.trained) as f64,
            ),
            ("sinusoidal-unmet", self.pairs[0].1 as f64),
            ("rope-unmet", self.pairs[1].1 as f64),
            ("relative-reach", self.max_rel_dist as f64 / rate),
            ("t5-reach", self.last_bucket as f64 / rate),
            ("alibi-last", self.last_alibi()),
            ("beat-frames", self.beat_frames()),
            ("beat-likeness", self.at_a_beat(&c.likeness)),
            ("beat-relative", self.at_a_beat(&c.relative)),
            ("beat-t5", self.at_a_beat(&c.t5)),
        ];
        let readout = |(name, number): (&'static str, f64)| Readout {
            name,
            label: say!(
                lang,
                format!("figure.audio-frames.{name}"),
                head = self.head
            ),
            number: Some(number),
            text: short(number),
        };
        numbers.into_iter().map(readout).collect()
    }

    fn sentence(&self, _: &Params, lang: Lang) -> String {
        say!(
            lang,
            "figure.audio-frames.sentence",
            source = self.source(lang),
            seconds = self.sound.seconds,
            rate = self.sound.rate,
            frames = self.frames,
            trained = self.trained,
            unseen = self.frames.saturating_sub(self.trained),
            beat = short(self.beat_frames())
        )
    }

    fn table(&self, _: &Params) -> Table {
        let c = &self.curves;
        let columns = [
            "distance", "seconds", "likeness", "relative", "t5", "alibi", "rope",
        ];
        let row = |d: usize| {
            let at = [&c.likeness, &c.relative, &c.t5, &c.alibi, &c.rope].map(|curve| curve[d]);
            let mut row = vec![d as f64, d as f64 / self.rate()];
            row.extend(at);
            row
        };
        Table {
            columns: columns.map(str::to_owned).to_vec(),
            rows: (0..c.likeness.len()).map(row).collect(),
        }
    }
}

fn met_word(met: Met, lang: Lang) -> String {
    let keys = [
        "figure.audio-frames.seen",
        "figure.audio-frames.shared",
        "figure.audio-frames.unseen",
        "figure.audio-frames.missing",
    ];
    say!(lang, keys[met as usize])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::sound::Envelope;
    use crate::state::{decode, resolve};

    fn params(query: &str) -> Params {
        let query = format!("embed=audio-frames&{query}");
        resolve(&decode(&query).0, crate::figure::page_of).0
    }

    fn number(p: &Params, name: &str) -> f64 {
        let readouts = compute(p).expect("computed").readouts(p, Lang::En);
        let found = readouts.iter().find(|r| r.name == name);
        found.and_then(|r| r.number).expect(name)
    }

    #[test]
    fn an_hour_has_180000_frames_of_which_training_met_1500() {
        let p = params("seconds=3600");
        assert_eq!(number(&p, "frames"), 180_000.0);
        assert_eq!(number(&p, "trained-frames"), 1500.0);
        assert_eq!(number(&p, "unseen-frames"), 178_500.0);
        assert_eq!(number(&params("seconds=1"), "unseen-frames"), 0.0);
        assert_eq!(number(&params("seconds=30"), "rope-unmet"), 0.0);
        // 2π · 10000^(i/64) > 1499 from i = 39 on, of 64 pairs.
        assert_eq!(number(&p, "rope-unmet"), 25.0);
    }

    #[test]
    fn a_table_follows_the_beat_only_within_its_reach() {
        let short = params("max_rel_dist=16");
        let long = params("max_rel_dist=64");
        let beat = number(&long, "beat-likeness");
        assert_eq!(number(&long, "beat-relative"), beat);
        assert!(beat - number(&short, "beat-relative") > 0.2, "{beat}");
        assert!(beat - number(&short, "beat-t5") > 0.1, "{beat}");
        assert_eq!(number(&long, "beat-frames"), 25.0);
    }

    #[test]
    fn stretches_end_at_the_end_and_follow_the_schemes() {
        let of = |query: &str, scheme: &str| {
            let p = params(query);
            let s = &p.setting;
            let rope = Rope::new(8, 1e4, s.pairing).expect("a rotation");
            let buckets = T5Buckets::standard(true);
            let figure = AudioFrames {
                frames: p.sound.seconds * p.sound.rate,
                trained: TRAINED_SECONDS * p.sound.rate,
                max_rel_dist: s.max_rel_dist,
                last_bucket: last_bucket_start(&buckets),
                slope: 0.5,
                head: 0,
                pairs: [(1, 1); 2],
                curves: curves(&p.sound, &rope, 0.5, &buckets, 4),
                sound: p.sound,
            };
            let at = SCHEMES.iter().position(|s| *s == scheme).expect(scheme);
            figure.stretches(at)
        };
        assert_eq!(of("seconds=1", "learned"), [(50, Met::Seen)]);
        let whole = [(1500, Met::Seen), (3000, Met::Missing)];
        assert_eq!(of("seconds=60", "learned"), whole);
        let clipped = [(16, Met::Seen), (3000, Met::Shared)];
        assert_eq!(of("seconds=60", "relative"), clipped);
        let beyond = [(30, Met::Seen), (60, Met::Unseen)];
        assert_eq!(of("seconds=60&rate=1", "t5"), beyond);
        assert_eq!(of("seconds=60&rate=1&max_rel_dist=99", "relative"), beyond);
    }

    #[test]
    fn a_recording_takes_the_place_of_the_rhythm() {
        let mut p = params("seconds=4");
        let clicks = |k: usize| if k % 600 < 20 { 1.0 } else { 0.0 };
        let samples: Vec<f32> = (0..8000).map(clicks).collect();
        let mut recording = Envelope::new(samples.len(), 2000.0);
        recording.push(&samples);
        p.sound.recording = Some(Arc::new(recording));
        // Clicks 0.3 s apart: 200 beats a minute.
        p.sound.bpm = 200;
        assert!(number(&p, "beat-likeness") > 0.5);
        let other = FIGURE.fingerprint(&params("seconds=4&bpm=200"));
        assert_ne!(FIGURE.fingerprint(&p), other);
    }

    #[test]
    fn two_hours_are_drawn_with_no_more_than_a_second() {
        let view = View {
            width: 900.0,
            lang: Lang::En,
            colours: crate::figure::kit::colour::Colours::of(false),
            reveal: true,
        };
        let size = |query: &str| {
            let p = params(query);
            let scene = compute(&p).expect("computed").draw(&p, &view);
            format!("{:?}", scene.marks).len()
        };
        let (short, long) = (size("seconds=1"), size("seconds=7200&rate=200"));
        assert!(long < 2 * short, "{short} {long}");
    }
}
