//! How `audio-frames` is drawn.

use super::{
    AudioFrames, CURVES, FRAMES, Met, STEPS, STRIPS, TRAINED_SECONDS, WAVE, met_word, rhythm,
};
use crate::figure::View;
use crate::figure::kit::colour::Colour;
use crate::figure::kit::note::{self, note};
use crate::figure::kit::panel::{Chart, HEADING, NAME, TICK, fitted, swatches, ticks};
use crate::figure::kit::scene::{Align, Rect, Scene, Stand, Target};
use crate::say;
use crate::state::Lang;
use crate::words::short;

/// Room left and right of all panels.
const SIDE: f64 = 12.0;
/// Height of the waveform.
const HIGH: f64 = 96.0;
/// Height of a strip.
const STRIP: f64 = 14.0;
/// Height of the chart.
const CHART: f64 = 230.0;
/// Least width of a frame.
const FRAME: f64 = 58.0;

pub(super) struct Layout {
    wave: Rect,
    frames: Rect,
    strips: Vec<Rect>,
    legend: (f64, f64),
    chart: Rect,
    pub(super) height: f64,
}

impl AudioFrames {
    pub(super) fn layout(&self, width: f64) -> Layout {
        let inner = width - 2.0 * SIDE;
        let wave = Rect::new(SIDE, 26.0, inner, HIGH);
        let frames = Rect::new(SIDE, wave.bottom() + 70.0, inner, 64.0);
        let mut y = frames.bottom() + 62.0;
        let mut strips = Vec::new();
        for strip in &self.strips {
            y += 20.0 + note::room(inner, |lang| self.fate(strip, lang));
            strips.push(Rect::new(SIDE, y + 3.0, inner, STRIP));
            y += STRIP + 14.0;
        }
        let legend = (SIDE, y + 2.0);
        let room = if width < 500.0 { 84.0 } else { 40.0 };
        let (left, top, right, bottom) = Chart::MARGIN;
        let left = left + 8.0;
        let chart = Rect::new(
            left,
            legend.1 + room + top + 8.0,
            width - left - right,
            CHART,
        );
        // The names of the curves take one line, two or more.
        let words = match width {
            w if w < 500.0 => 106.0,
            w if w < 860.0 => 54.0,
            _ => 34.0,
        };
        Layout {
            wave,
            frames,
            strips,
            legend,
            chart,
            height: chart.bottom() + bottom + words,
        }
    }

    pub(super) fn scene(&self, view: &View) -> Scene {
        let mut scene = Scene::default();
        let at = self.layout(view.width);
        self.draw_wave(&mut scene, view, at.wave);
        self.draw_frames(&mut scene, view, at.frames);
        self.draw_strips(&mut scene, view, &at);
        self.draw_curves(&mut scene, view, at.chart);
        scene
    }

    /// Smallest and largest sample between two times; silence behind the end of a recording.
    fn between(&self, from: f64, to: f64) -> (f64, f64) {
        match &self.sound.recording {
            Some(recording) => recording.between(from, to).unwrap_or((0.0, 0.0)),
            None => rhythm(&self.sound).between(from, to),
        }
    }

    /// The curve of a stretch of time: one upright line a pixel, whatever its length.
    fn trace(&self, r: Rect, (from, to): (f64, f64), step: f64) -> Vec<(f64, f64)> {
        let middle = r.y + r.h / 2.0;
        let high = 0.46 * r.h;
        let columns = (r.w / step).max(1.0) as usize;
        let each = (to - from) / columns as f64;
        let mut points = Vec::with_capacity(2 * columns);
        for k in 0..columns {
            let start = from + k as f64 * each;
            let (low, top) = self.between(start, start + each);
            let x = r.x + (k as f64 + 0.5) * r.w / columns as f64;
            let ends = [middle - high * top, middle - high * low];
            // Up and down in turn, so that the line does not cross itself.
            let [a, b] = if k % 2 == 0 { ends } else { [ends[1], ends[0]] };
            points.extend([(x, a), (x, b)]);
        }
        points
    }

    fn draw_wave(&self, scene: &mut Scene, view: &View, r: Rect) {
        let c = view.colours;
        let seconds = self.seconds();
        let title = self.source(view.lang);
        head(scene, view, r, &title);
        scene.frame(r, c.grid, 1.0);
        let x = |t: f64| r.x + t / seconds * r.w;
        let met = x((TRAINED_SECONDS as f64).min(seconds));
        scene.fill(Rect::new(r.x, r.y, met - r.x, r.h), c.accent.fade(0.10));
        let points = self.trace(r, (0.0, seconds), 1.0);
        let split = points.partition_point(|p| p.0 <= met);
        for (part, colour) in [(&points[..split], c.accent), (&points[split..], c.muted)] {
            if part.len() > 1 {
                scene.line(part.to_vec(), colour, 1.0);
            }
        }
        if seconds > TRAINED_SECONDS as f64 {
            scene.fill(Rect::new(met, r.y, 1.5, r.h), c.accent);
            let text = say!(
                view.lang,
                "figure.audio-frames.trained",
                seconds = TRAINED_SECONDS
            );
            let place = (r.right(), r.bottom() + 20.0);
            let stand = (Align::End, Stand::Below);
            scene.text(place, text, TICK, c.accent, stand);
        }
        time_axis(scene, view, r, seconds);
        scene.targets.push(target(WAVE, r, STEPS));
    }

    fn draw_frames(&self, scene: &mut Scene, view: &View, r: Rect) {
        let c = view.colours;
        let count = ((r.w / FRAME) as usize).clamp(1, 16).min(self.frames);
        let wide = r.w / count as f64;
        let span = count as f64 / self.rate();
        let title = say!(
            view.lang,
            "figure.audio-frames.first",
            count = count,
            ms = short(1000.0 / self.rate())
        );
        head(scene, view, r, &title);
        for frame in 0..count {
            let part = Rect::new(r.x + frame as f64 * wide, r.y, wide, r.h);
            if frame % 2 == 0 {
                scene.fill(part, c.muted.fade(0.10));
            }
            scene.frame(part, c.grid, 1.0);
            let at = (part.x + wide / 2.0, r.bottom() + 4.0);
            let text = frame.to_string();
            scene.text(at, text, TICK, c.ink, (Align::Middle, Stand::Below));
        }
        scene.line(self.trace(r, (0.0, span), 0.5), c.accent, 1.2);
        let at = (r.x + r.w / 2.0, r.bottom() + 20.0);
        let name = say!(view.lang, "figure.audio-frames.frame-axis");
        scene.text(at, name, NAME, c.muted, (Align::Middle, Stand::Below));
        scene.targets.push(target(FRAMES, r, count));
    }

    fn draw_strips(&self, scene: &mut Scene, view: &View, at: &Layout) {
        let c = view.colours;
        let first = at.strips[0];
        let title = say!(
            view.lang,
            "figure.audio-frames.strips",
            seconds = TRAINED_SECONDS
        );
        let above = Rect::new(first.x, at.frames.bottom() + 62.0, first.w, 0.0);
        head(scene, view, above, &title);
        for (k, (r, strip)) in at.strips.iter().copied().zip(&self.strips).enumerate() {
            let text = self.fate(strip, view.lang);
            let room = note::room(r.w, |lang: Lang| self.fate(strip, lang));
            let name = strip.name(view.lang);
            let y = r.y - room - 5.0;
            let place = (Align::Start, Stand::Above);
            scene.text((r.x, y), name, NAME, c.ink, place);
            note(scene, (r.x, y + 1.0), r.w, &text, c.muted);
            let mut from = 0;
            for (to, met) in self.stretches(strip) {
                let x = |frame: usize| r.x + frame as f64 / self.frames as f64 * r.w;
                let part = Rect::new(x(from), r.y, (x(to) - x(from)).max(2.0), r.h);
                stretch(scene, part, met, (c.accent, c.muted));
                from = to;
            }
            scene.frame(r, c.muted, 1.0);
            scene.targets.push(target(STRIPS + k, r, STEPS));
        }
        // What the patterns mean.
        let (mut x, mut y) = at.legend;
        for met in [Met::Seen, Met::Shared, Met::Unseen, Met::Missing] {
            let word = met_word(met, view.lang);
            let wide = 34.0 + crate::figure::kit::scene::text_width(&word, TICK) + 14.0;
            if x + wide > view.width - SIDE && x > at.legend.0 {
                (x, y) = (at.legend.0, y + 20.0);
            }
            let sample = Rect::new(x, y, 26.0, 12.0);
            stretch(scene, sample, met, (c.accent, c.muted));
            scene.frame(sample, c.muted, 1.0);
            let place = (x + 32.0, y + 6.0);
            scene.text(place, word, TICK, c.ink, (Align::Start, Stand::Centre));
            x += wide;
        }
    }

    fn draw_curves(&self, scene: &mut Scene, view: &View, rect: Rect) {
        let c = view.colours;
        let last = (self.likeness.len() - 1) as f64;
        let rate = self.rate();
        let chart = Chart {
            rect,
            x: 0.0..last / rate,
            y: -1.05..1.05,
        };
        let words =
            ["chart", "x", "y"].map(|w| say!(view.lang, format!("figure.audio-frames.{w}")));
        chart.axes(scene, view, &words[0], &words[1], &words[2]);
        let beat = rhythm(&self.sound).beat;
        let mut at = beat;
        while at < last / rate {
            chart.upright(scene, at, c.muted.fade(0.5));
            at += beat;
        }
        let likeness = "figure.audio-frames.likeness".to_owned();
        let thick = (&self.likeness, c.muted.fade(0.45), 5.0, likeness);
        let schemes = self.curves().enumerate().map(|(k, (strip, values))| {
            // What the best table could do stands out.
            let width = if super::reach(strip).is_some() {
                2.2
            } else {
                1.6
            };
            (values, c.series(k), width, strip.key("curve"))
        });
        let mut items = Vec::new();
        for (values, colour, width, key) in std::iter::once(thick).chain(schemes) {
            let points = values.iter().enumerate();
            // Below the chart a line would run along its edge.
            let points = points.take_while(|(_, v)| **v >= -1.05);
            let points = points.map(|(d, v)| (d as f64 / rate, *v));
            chart.curve(scene, points, colour, width);
            items.push((colour, say!(view.lang, key, head = self.head)));
        }
        let y = rect.bottom() + Chart::MARGIN.3 + 6.0;
        swatches(scene, view, (SIDE, y), view.width - 2.0 * SIDE, &items);
        let half = rect.w / last / 2.0;
        let wide = Rect::new(rect.x - half, rect.y, rect.w + 2.0 * half, rect.h);
        scene
            .targets
            .push(target(CURVES, wide, self.likeness.len()));
    }
}

fn target(id: usize, rect: Rect, columns: usize) -> Target {
    Target {
        id,
        rect,
        rows: 1,
        columns,
    }
}

fn head(scene: &mut Scene, view: &View, r: Rect, text: &str) {
    let at = (r.x, r.y - 7.0);
    let place = (Align::Start, Stand::Above);
    fitted(scene, at, r.w, text, HEADING, view.colours.ink, place);
}

/// Seconds, or minutes where there are many, below a panel.
fn time_axis(scene: &mut Scene, view: &View, r: Rect, seconds: f64) {
    let c = view.colours;
    let (unit, key) = if seconds > 300.0 {
        (60.0, "figure.audio-frames.minutes")
    } else {
        (1.0, "figure.audio-frames.seconds-axis")
    };
    for t in ticks(0.0..seconds / unit, (r.w / 70.0) as usize) {
        let x = r.x + t * unit / seconds * r.w;
        scene.fill(Rect::new(x, r.bottom(), 1.0, 4.0), c.muted);
        let at = (x.min(r.right() - 8.0), r.bottom() + 6.0);
        scene.text(at, short(t), TICK, c.muted, (Align::Middle, Stand::Below));
    }
    let at = (r.x + r.w / 2.0, r.bottom() + 20.0);
    let name = say!(view.lang, key);
    scene.text(at, name, NAME, c.muted, (Align::Middle, Stand::Below));
}

/// A part of a strip: a pattern for each case, so that colour is not all that tells them apart.
fn stretch(scene: &mut Scene, r: Rect, met: Met, (strong, weak): (Colour, Colour)) {
    let (middle, step) = (r.y + r.h / 2.0, 9.0);
    match met {
        Met::Seen => scene.fill(r, strong),
        Met::Shared => {
            scene.fill(r, strong.fade(0.22));
            let ends = vec![(r.x, middle), (r.right(), middle)];
            scene.line(ends, strong, 3.0);
        }
        Met::Unseen => {
            scene.fill(r, weak.fade(0.14));
            let mut x = r.x;
            while x + r.h < r.right() {
                scene.line(vec![(x, r.bottom()), (x + r.h, r.y)], weak, 1.0);
                x += step;
            }
        }
        Met::Missing => {
            let mut x = r.x + 3.0;
            while x + 6.0 < r.right() {
                for (from, to) in [(-3.0, 3.0), (3.0, -3.0)] {
                    let line = vec![(x, middle + from), (x + 6.0, middle + to)];
                    scene.line(line, weak, 1.0);
                }
                x += 2.0 * step;
            }
        }
    }
}
