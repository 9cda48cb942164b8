//! `audio-frames`: a recording cut into frames, and what each scheme has met of it in half a minute of
//! training. `audio-bias`: which of them can follow a rhythm.

pub(crate) mod bias;
mod draw;
mod strips;

use std::sync::Arc;

use strips::{Strip, reach, strip};

use crate::core::encoding::{Beyond, SCHEMES};
use crate::core::sound::Rhythm;
use crate::figure::kit::scene::{Hit, Scene};
use crate::figure::{Arrows, Computed, Figure, Film, Picture, Readout, Special, Table, View};
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
    listens: crate::state::and_scaling!(Key: Base, Causal, Layout, Seed, BiasEdits),
    arrows: Arrows::None,
    film: Film::of_drawing(),
    special: &[Special::Sound],
};

/// Seconds of each recording that the models were trained on (Whisper's window).
pub const TRAINED_SECONDS: usize = 30;

/// Numbers of the figure's targets.
const WAVE: usize = 0;
const FRAMES: usize = 1;
const STRIPS: usize = 2;
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

struct AudioFrames {
    sound: Sound,
    /// Frames of the recording, and of the training.
    frames: usize,
    trained: usize,
    head: usize,
    strips: Vec<Strip>,
}

pub(crate) fn compute(p: &Params) -> Computed {
    let sound = p.sound.clone();
    let (frames, trained) = (sound.seconds * sound.rate, TRAINED_SECONDS * sound.rate);
    let mut strips = Vec::new();
    for scheme in SCHEMES {
        if let Some(strip) = strip(*scheme, p, (frames, trained))? {
            strips.push(strip);
        }
    }
    Ok(Arc::new(AudioFrames {
        frames,
        trained,
        head: p.head,
        strips,
        sound,
    }))
}

fn rhythm(sound: &Sound) -> Rhythm {
    Rhythm {
        beat: 60.0 / sound.bpm as f64,
    }
}

impl AudioFrames {
    fn seconds(&self) -> f64 {
        self.sound.seconds as f64
    }

    fn rate(&self) -> f64 {
        self.sound.rate as f64
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
        self.natural(width)
    }

    fn draw(&self, p: &Params, view: &View) -> Scene {
        self.scene(p.away(), view)
    }

    fn describe(&self, hit: Hit, _: &Params, lang: Lang) -> String {
        match hit.target {
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
            unseen = self.frames.saturating_sub(self.trained)
        )
    }

    fn notes(&self, _: &Params, lang: Lang) -> Vec<String> {
        let fate = |s: &Strip| {
            format!(
                "{}{}",
                say!(lang, "figure.audio-frames.of", scheme = s.name(lang)),
                self.fate(s, lang)
            )
        };
        self.strips.iter().map(fate).collect()
    }

    fn table(&self, _: &Params) -> Table {
        let names = ["scheme", "from_frame", "to_frame", "met"];
        let mut rows = Vec::new();
        for (k, strip) in self.strips.iter().enumerate() {
            let mut from = 0;
            for (to, met) in self.stretches(strip) {
                rows.push(vec![k as f64, from as f64, to as f64, met as usize as f64]);
                from = to;
            }
        }
        Table {
            columns: names.map(str::to_owned).to_vec(),
            rows,
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
mod tests;
