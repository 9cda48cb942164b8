//! `audio-bias`: which scheme can follow a rhythm: what each makes of the time between two frames,
//! beside how alike the loudness is to itself that much later.

use std::sync::Arc;

use super::draw::target;
use super::rhythm;
use super::strips::{curve, fitting};
use crate::core::encoding::{SCHEMES, Scheme};
use crate::core::sound::{LOUDNESS_RATE, autocorrelation};
use crate::figure::kit::panel::{Chart, HEADING, TICK, fitted, swatches, ticks};
use crate::figure::kit::scene::{Align, Hit, Rect, Scene, Stand};
use crate::figure::{Arrows, Computed, Figure, Film, Picture, Readout, Table, View};
use crate::say;
use crate::state::{Key, Lang, Page, Params, Sound, Value};
use crate::words::short;

pub(crate) const FIGURE: Figure = Figure {
    id: "audio-bias",
    page: Page::Multimodal,
    controls: &[
        Key::Bpm,
        Key::MaxRelDist,
        Key::Rate,
        Key::Head,
        Key::Heads,
        Key::DModel,
    ],
    listens: &[
        // A recording comes with its length.
        Key::Seconds,
        Key::Base,
        Key::Causal,
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
    film: Film::of_drawing(),
    special: &[],
};

/// Beats that the charts show.
const BEATS: f64 = 4.2;
/// The charts stand in so many columns, from 500 px on.
const ACROSS: (usize, usize) = (2, 3);
/// What values lie between on the charts.
const LIMIT: f64 = 1.05;

struct AudioBias {
    sound: Sound,
    head: usize,
    /// How alike the loudness is to itself, by distance in frames.
    likeness: Vec<f64>,
    /// The schemes that go by distance alone: what each makes of these distances at its best, and
    /// whether that is a table that can be learned.
    curves: Vec<(Scheme, Vec<f64>, bool)>,
}

pub(crate) fn compute(p: &Params) -> Computed {
    let likeness = likeness(&p.sound);
    let mut curves = Vec::new();
    for scheme in SCHEMES {
        if let Some((values, learned)) = curve(*scheme, p, &likeness)? {
            curves.push((*scheme, values, learned));
        }
    }
    Ok(Arc::new(AudioBias {
        sound: p.sound.clone(),
        head: p.head,
        likeness,
        curves,
    }))
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

fn name(scheme: Scheme, lang: Lang) -> String {
    say!(lang, format!("word.scheme.{}", scheme.id()))
}

impl AudioBias {
    fn rate(&self) -> f64 {
        self.sound.rate as f64
    }

    /// Frames of a beat.
    fn beat(&self) -> f64 {
        rhythm(&self.sound).beat * self.rate()
    }

    fn at_a_beat(&self, curve: &[f64]) -> f64 {
        let at = (self.beat().round() as usize).min(curve.len() - 1);
        curve[at]
    }

    /// Where the charts stand, with room for the legend above and the axis' name below; how many
    /// there are across.
    fn charts(&self, width: f64, height: f64) -> (Vec<Rect>, usize) {
        let across = if width < 500.0 { ACROSS.0 } else { ACROSS.1 };
        let rows = self.curves.len().div_ceil(across);
        let (top, bottom, left) = (if width < 500.0 { 42.0 } else { 24.0 }, 38.0, 34.0);
        let (w, h) = (
            (width - left) / across as f64,
            (height - top - bottom) / rows as f64,
        );
        let chart = |k: usize| {
            let (row, column) = (k / across, k % across);
            let x = left + column as f64 * w + 4.0;
            Rect::new(x, top + row as f64 * h + 20.0, w - 14.0, h - 26.0)
        };
        ((0..self.curves.len()).map(chart).collect(), across)
    }

    fn chart(&self, rect: Rect) -> Chart {
        Chart {
            rect,
            x: 0.0..(self.likeness.len() - 1) as f64 / self.rate(),
            y: -LIMIT..LIMIT,
        }
    }

    /// The distance that a film has come to, as a part of the longest: what the scheme makes of it, and how alike the
    /// loudness is.
    fn draw_moment(&self, scene: &mut Scene, view: &View, (k, r): (usize, Rect), part: f64) {
        let c = view.colours;
        let chart = self.chart(r);
        let place = part * (self.likeness.len() - 1) as f64;
        let x = place / self.rate();
        chart.upright(scene, x, c.traced);
        let curves = [(&self.likeness, c.muted), (&self.curves[k].1, c.traced)];
        for (values, colour) in curves {
            let (low, high) = (
                values[place.floor() as usize],
                values[place.ceil() as usize],
            );
            let value = low + (high - low) * place.fract();
            if value.abs() <= LIMIT {
                let at = chart.at(x, value);
                scene.disc(at, 5.0, c.surface);
                scene.disc(at, 3.6, colour);
            }
        }
    }

    fn draw_one(&self, scene: &mut Scene, view: &View, k: usize, (r, across): (Rect, usize)) {
        let c = view.colours;
        let (scheme, values, _) = &self.curves[k];
        let rate = self.rate();
        let chart = self.chart(r);
        let last = chart.x.end;
        let words = say!(
            view.lang,
            format!("figure.audio-bias.{}.curve", scheme.id()),
            head = self.head
        );
        let title = if r.w < 200.0 {
            fitting(name(*scheme, view.lang), r.w, TICK)
        } else {
            words
        };
        let size = if r.w < 200.0 { TICK } else { HEADING };
        let place = (Align::Start, Stand::Above);
        fitted(scene, (r.x, r.y - 4.0), r.w, &title, size, c.ink, place);
        scene.frame(r, c.grid, 1.0);
        for y in [-1.0, 0.0, 1.0] {
            let py = chart.at(0.0, y).1;
            let colour = if y == 0.0 { c.muted } else { c.grid };
            scene.fill(Rect::new(r.x, py, r.w, 1.0), colour);
            if k.is_multiple_of(across) {
                let place = (Align::End, Stand::Centre);
                scene.text((r.x - 6.0, py), short(y), TICK, c.muted, place);
            }
        }
        let beat = rhythm(&self.sound).beat;
        let mut at = beat;
        while at < last {
            chart.upright(scene, at, c.muted.fade(0.5));
            at += beat;
        }
        if k + across >= self.curves.len() {
            for t in ticks(0.0..last, (r.w / 44.0) as usize) {
                let at = (chart.at(t, 0.0).0, r.bottom() + 3.0);
                let place = (Align::Middle, Stand::Below);
                scene.text(at, short(t), TICK, c.muted, place);
            }
        }
        let points = |values: &[f64]| -> Vec<(f64, f64)> {
            let points = values.iter().enumerate();
            // Below the chart a line would run along its edge.
            let points = points.take_while(|(_, v)| **v >= -LIMIT);
            points.map(|(d, v)| (d as f64 / rate, *v)).collect()
        };
        let thick = points(&self.likeness).into_iter();
        chart.curve(scene, thick, c.muted.fade(0.45), 4.0);
        chart.curve(scene, points(values).into_iter(), c.accent, 2.0);
        let value = self.at_a_beat(values);
        if value.abs() <= LIMIT {
            let d = self.beat().round() / rate;
            scene.disc(chart.at(d.min(last), value), 4.0, c.accent);
        }
        scene.targets.push(target(k, r, self.likeness.len()));
    }
}

impl Picture for AudioBias {
    fn height(&self, width: f64) -> f64 {
        if width < 600.0 { 420.0 } else { 500.0 }
    }

    fn draw(&self, p: &Params, view: &View) -> Scene {
        let mut scene = Scene::default();
        let c = view.colours;
        let (charts, across) = self.charts(view.width, view.height);
        let words = ["likeness", "scheme"];
        let words = words.map(|w| say!(view.lang, format!("figure.audio-bias.{w}")));
        let [likeness, scheme] = words;
        let items = [(c.muted.fade(0.6), likeness), (c.accent, scheme)];
        swatches(&mut scene, view, (4.0, 2.0), view.width - 8.0, &items);
        for (k, rect) in charts.iter().enumerate() {
            self.draw_one(&mut scene, view, k, (*rect, across));
            if p.away() > 0.0 {
                self.draw_moment(&mut scene, view, (k, *rect), p.away());
            }
        }
        let axis = say!(view.lang, "figure.audio-bias.x");
        let at = (view.width / 2.0, view.height - 4.0);
        let place = (Align::Middle, Stand::Above);
        scene.text(at, axis, TICK, c.muted, place);
        scene
    }

    fn describe(&self, hit: Hit, _: &Params, lang: Lang) -> String {
        let d = hit.column.min(self.likeness.len() - 1);
        let (scheme, values, _) = &self.curves[hit.target.min(self.curves.len() - 1)];
        say!(
            lang,
            "figure.audio-bias.distance",
            d = d,
            seconds = short(d as f64 / self.rate()),
            likeness = short(self.likeness[d]),
            scheme = name(*scheme, lang),
            value = short(values[d])
        )
    }

    fn picked(&self, _: Hit, _: &Params) -> Vec<(Key, Value)> {
        Vec::new()
    }

    fn readouts(&self, _: &Params, lang: Lang) -> Vec<Readout> {
        let readout = |name: String, label: String, number: f64| Readout {
            name: name.into(),
            label,
            number: Some(number),
            text: short(number),
        };
        let mut out = Vec::new();
        for (name, number) in [
            ("beat-frames", self.beat()),
            ("beat-likeness", self.at_a_beat(&self.likeness)),
        ] {
            let label = say!(lang, format!("figure.audio-bias.{name}"));
            out.push(readout(name.to_owned(), label, number));
        }
        for (scheme, values, _) in self.curves.iter().filter(|c| c.2) {
            let label = say!(lang, "figure.audio-bias.beat", scheme = name(*scheme, lang));
            out.push(readout(
                format!("beat-{}", scheme.id()),
                label,
                self.at_a_beat(values),
            ));
        }
        out
    }

    fn sentence(&self, _: &Params, lang: Lang) -> String {
        let learned = self.curves.iter().filter(|c| c.2);
        let parts = learned.map(|(scheme, values, _)| {
            say!(
                lang,
                "figure.audio-bias.at_a_beat",
                scheme = name(*scheme, lang),
                value = short(self.at_a_beat(values))
            )
        });
        let parts: Vec<String> = parts.collect();
        say!(
            lang,
            "figure.audio-bias.sentence",
            beat = short(self.beat()),
            seconds = short(self.beat() / self.rate()),
            likeness = short(self.at_a_beat(&self.likeness)),
            schemes = parts.concat()
        )
    }

    fn table(&self, _: &Params) -> Table {
        let names = self.curves.iter().map(|(s, ..)| s.id().to_owned());
        let first = ["distance", "seconds", "likeness"].map(str::to_owned);
        let row = |d: usize| {
            let mut row = vec![d as f64, d as f64 / self.rate(), self.likeness[d]];
            row.extend(self.curves.iter().map(|(_, curve, _)| curve[d]));
            row
        };
        Table {
            columns: first.into_iter().chain(names).collect(),
            rows: (0..self.likeness.len()).map(row).collect(),
        }
    }
}
