//! `audio-frames`: a recording cut into frames, what each scheme has met of it in half a minute of
//! training, and which of them can follow a rhythm.

mod draw;

use std::sync::Arc;

use crate::core::CoreError;
use crate::core::encoding::{Beyond, SCHEMES, Scheme};
use crate::core::exposure::{best_fit, unmet_frequencies};
use crate::core::sound::{LOUDNESS_RATE, Rhythm, autocorrelation};
use crate::figure::kit::scene::{Hit, Scene};
use crate::figure::{Arrows, Computed, Figure, Picture, Readout, Special, Table, View};
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
    listens: &[
        Key::Base,
        Key::Causal,
        Key::Layout,
        Key::Seed,
        Key::BiasEdits,
        Key::Scaling,
        Key::Factor,
        Key::OrigLen,
        Key::TargetLen,
        Key::BetaFast,
        Key::BetaSlow,
        Key::LowFreqFactor,
        Key::HighFreqFactor,
    ],
    arrows: Arrows::None,
    film: None,
    special: &[Special::Sound],
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

/// What becomes of one scheme.
struct Strip {
    scheme: Scheme,
    beyond: Beyond,
    /// Frequencies in all, and those that reach angles never met.
    pairs: (usize, usize),
    /// What it adds to the score of the farthest frame, if distance alone decides that.
    last: Option<f64>,
    /// What it makes of each distance of the chart; nothing where it is not a function of distance
    /// alone, or goes by position.
    curve: Option<Vec<f64>>,
}

struct AudioFrames {
    sound: Sound,
    /// Frames of the recording, and of the training.
    frames: usize,
    trained: usize,
    head: usize,
    /// How alike the loudness is to itself, by distance in frames.
    likeness: Vec<f64>,
    strips: Vec<Strip>,
}

fn compute(p: &Params) -> Computed {
    let sound = p.sound.clone();
    let (frames, trained) = (sound.seconds * sound.rate, TRAINED_SECONDS * sound.rate);
    let likeness = likeness(&sound);
    let mut strips = Vec::new();
    for scheme in SCHEMES {
        if let Some(strip) = strip(*scheme, p, (frames, trained), &likeness)? {
            strips.push(strip);
        }
    }
    Ok(Arc::new(AudioFrames {
        frames,
        trained,
        head: p.head,
        likeness,
        strips,
        sound,
    }))
}

fn strip(
    scheme: Scheme,
    p: &Params,
    (frames, trained): (usize, usize),
    likeness: &[f64],
) -> Result<Option<Strip>, CoreError> {
    let s = &p.setting;
    let beyond = scheme.beyond(s)?;
    let pairs = match &beyond {
        Beyond::Nothing => return Ok(None),
        Beyond::Angles(f) => (f.len(), unmet_frequencies(f, trained, frames)),
        _ => (0, 0),
    };
    let by_offset = scheme.by_offset(s)?.filter(|b| !b.needs_query());
    let curve = match (&by_offset, scheme.rotation(s)?) {
        // A table can be learned: its best.
        (Some(b), _) if b.numbers().is_some() => Some(best_fit(likeness, |d| b.index(d as i64))),
        (Some(b), _) => {
            let at = |d: usize| b.bias(p.head, d as i64, &[]);
            Some((0..likeness.len()).map(at).collect())
        }
        (None, Some(rotation)) => {
            let distances: Vec<f64> = (0..likeness.len()).map(|d| d as f64).collect();
            Some(rotation.similarity(&distances))
        }
        (None, None) => None,
    };
    let farthest = frames.saturating_sub(1) as i64;
    let last = by_offset.map(|b| b.bias(p.head, farthest, &[]));
    Ok(Some(Strip {
        scheme,
        beyond,
        pairs,
        last,
        curve,
    }))
}

fn rhythm(sound: &Sound) -> Rhythm {
    Rhythm {
        beat: 60.0 / sound.bpm as f64,
    }
}

fn likeness(sound: &Sound) -> Vec<f64> {
    let rhythm = rhythm(sound);
    let count = (BEATS * rhythm.beat * sound.rate as f64) as usize + 2;
    let per_frame = LOUDNESS_RATE as f64 / sound.rate as f64;
    let lags = (count as f64 * per_frame) as usize + 2;
    let fine = match &sound.recording {
        Some(recording) => autocorrelation(&recording.loudness(), lags),
        None => autocorrelation(&rhythm.loudness(), lags),
    };
    (0..count)
        .map(|d| {
            let at = d as f64 * per_frame;
            let (left, part) = (at as usize, at.fract());
            let of = |k: usize| fine.get(k).copied().unwrap_or(0.0);
            of(left) * (1.0 - part) + of(left + 1) * part
        })
        .collect()
}

impl Strip {
    /// A text of this scheme.
    fn key(&self, part: &str) -> String {
        format!("figure.audio-frames.{}.{part}", self.scheme.id())
    }

    fn name(&self, lang: Lang) -> String {
        say!(lang, format!("word.scheme.{}", self.scheme.id()))
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
    fn stretches(&self, strip: &Strip) -> Vec<(usize, Met)> {
        let (n, t) = (self.frames, self.trained);
        let mut all = match strip.beyond {
            Beyond::Missing => vec![(t, Met::Seen), (n, Met::Missing)],
            Beyond::Shared { from } if from < t => vec![(from, Met::Seen), (n, Met::Shared)],
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
    fn fate(&self, strip: &Strip, lang: Lang) -> String {
        let (pairs, unmet) = strip.pairs;
        let reach = reach(strip).unwrap_or(0);
        say!(
            lang,
            strip.key("fate"),
            unseen = self.frames.saturating_sub(self.trained),
            rows = self.trained,
            pairs = pairs,
            unmet = unmet,
            reach = reach,
            seconds = short(reach as f64 / self.rate()),
            last = short(strip.last.unwrap_or(0.0)),
            head = self.head
        )
    }

    /// The schemes that have a curve.
    fn curves(&self) -> impl Iterator<Item = (&Strip, &Vec<f64>)> {
        self.strips
            .iter()
            .filter_map(|s| Some((s, s.curve.as_ref()?)))
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
                let d = hit.column.min(self.likeness.len() - 1);
                let mut text = say!(
                    lang,
                    "figure.audio-frames.distance",
                    d = d,
                    seconds = short(d as f64 / self.rate()),
                    likeness = short(self.likeness[d])
                );
                for (strip, curve) in self.curves() {
                    let (name, value) = (strip.name(lang), short(curve[d]));
                    text += &say!(
                        lang,
                        "figure.audio-frames.at_distance",
                        scheme = name,
                        value = value
                    );
                }
                text
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
                let strip = &self.strips[(strip - STRIPS).min(self.strips.len() - 1)];
                let frame = (self.time_of(hit.column) * self.rate()) as usize;
                let mut stretches = self.stretches(strip).into_iter();
                let met = stretches.find(|(end, _)| frame < *end);
                let met = met.map_or(Met::Seen, |(_, met)| met);
                say!(
                    lang,
                    "figure.audio-frames.stretch",
                    scheme = strip.name(lang),
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
        let unseen = self.frames.saturating_sub(self.trained);
        let whole = [
            ("frames", self.frames as f64),
            ("trained-frames", self.trained as f64),
            ("unseen-frames", unseen as f64),
            ("beat-frames", self.beat_frames()),
            ("beat-likeness", self.at_a_beat(&self.likeness)),
        ];
        let mut out: Vec<Readout> = whole
            .into_iter()
            .map(|(name, number)| Readout {
                name: name.into(),
                label: say!(lang, format!("figure.audio-frames.{name}")),
                number: Some(number),
                text: short(number),
            })
            .collect();
        let mut of_scheme = |strip: &Strip, name: String, part: &str, number: f64| {
            let key = format!("figure.audio-frames.{part}");
            out.push(Readout {
                name: name.into(),
                label: say!(lang, key, scheme = strip.name(lang), head = self.head),
                number: Some(number),
                text: short(number),
            });
        };
        for strip in &self.strips {
            let id = strip.scheme.id();
            match &strip.beyond {
                Beyond::Angles(_) => {
                    of_scheme(strip, format!("{id}-unmet"), "unmet", strip.pairs.1 as f64);
                }
                Beyond::Shared { from } => {
                    let seconds = *from as f64 / self.rate();
                    of_scheme(strip, format!("{id}-reach"), "reach", seconds);
                }
                Beyond::Formula => {
                    if let Some(last) = strip.last {
                        of_scheme(strip, format!("{id}-last"), "last", last);
                    }
                }
                Beyond::Missing | Beyond::Nothing => {}
            }
        }
        for (strip, curve) in self.curves().filter(|(s, _)| reach(s).is_some()) {
            let name = format!("beat-{}", strip.scheme.id());
            of_scheme(strip, name, "beat", self.at_a_beat(curve));
        }
        out
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
        let names = self.curves().map(|(s, _)| s.scheme.id().to_owned());
        let first = ["distance", "seconds", "likeness"].map(str::to_owned);
        let row = |d: usize| {
            let mut row = vec![d as f64, d as f64 / self.rate(), self.likeness[d]];
            row.extend(self.curves().map(|(_, curve)| curve[d]));
            row
        };
        Table {
            columns: first.into_iter().chain(names).collect(),
            rows: (0..self.likeness.len()).map(row).collect(),
        }
    }
}

/// The distance from which on a scheme has one number for all, if there is one.
fn reach(strip: &Strip) -> Option<usize> {
    match strip.beyond {
        Beyond::Shared { from } => Some(from),
        _ => None,
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
            let (frames, trained) = (p.sound.seconds * p.sound.rate, 30 * p.sound.rate);
            let scheme = Scheme::by_id(scheme).expect("a scheme");
            let strip = strip(scheme, &p, (frames, trained), &[0.0]).expect("valid");
            let figure = AudioFrames {
                frames,
                trained,
                head: 0,
                likeness: vec![0.0],
                strips: Vec::new(),
                sound: p.sound,
            };
            figure.stretches(&strip.expect("something to say"))
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
        let other = FIGURE.reads(&params("seconds=4&bpm=200"));
        assert!(FIGURE.reads(&p) != other);
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
