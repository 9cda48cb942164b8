//! How `audio-frames` is drawn: the recording, its first frames, and the strips on the same clock.

use super::strips::fitting;
use super::{AudioFrames, FRAMES, Met, STEPS, STRIPS, TRAINED_SECONDS, WAVE, met_word, rhythm};
use crate::figure::View;
use crate::figure::kit::colour::Colour;
use crate::figure::kit::panel::{HEADING, NAME, TICK, fitted, ticks};
use crate::figure::kit::scene::{Align, Rect, Scene, Stand, Target, text_width};
use crate::figure::kit::veil::veil;
use crate::say;
use crate::state::Lang;
use crate::words::short;

/// Room left and right of all panels.
const SIDE: f64 = 8.0;
/// Room above a panel for its heading.
const HEAD: f64 = 24.0;
/// Least width of a frame.
const FRAME: f64 = 58.0;
/// Height of a line of the legend.
const LINE: f64 = 20.0;
/// What may hold for a stretch, in the order of the legend.
const MET: [Met; 4] = [Met::Seen, Met::Shared, Met::Unseen, Met::Missing];

struct Layout {
    wave: Rect,
    frames: Option<Rect>,
    /// All strips together; their names stand at the left.
    strips: Rect,
    legend: (f64, f64),
    height: f64,
}

/// Width of an entry of the legend.
fn entry(word: &str) -> f64 {
    34.0 + text_width(word, TICK) + 12.0
}

impl AudioFrames {
    /// Lines of the legend in the language that needs more.
    fn legend_lines(width: f64) -> f64 {
        let lines = [Lang::Zh, Lang::En].map(|lang| {
            let (mut x, mut lines) = (SIDE, 1.0);
            for met in MET {
                let wide = entry(&met_word(met, lang));
                if x + wide > width && x > SIDE {
                    (x, lines) = (SIDE, lines + 1.0);
                }
                x += wide;
            }
            lines
        });
        lines.into_iter().fold(1.0, f64::max)
    }

    fn layout(&self, width: f64, height: f64) -> Layout {
        let names = if width < 500.0 { 126.0 } else { 168.0 };
        let inner = width - names - SIDE;
        let wave = Rect::new(names, HEAD, inner, (0.15 * height).clamp(36.0, 84.0));
        let mut y = wave.bottom() + 24.0;
        let frames = (width >= 500.0 && height >= 440.0)
            .then(|| Rect::new(names, y + HEAD + 2.0, inner, 44.0));
        if let Some(r) = frames {
            y = r.bottom() + 22.0;
        }
        y += HEAD + 2.0;
        let legend = LINE * Self::legend_lines(width) + 8.0;
        let count = self.strips.len() as f64;
        let row = ((height - y - legend) / count).clamp(13.0, 26.0);
        let strips = Rect::new(names, y, inner, row * count);
        Layout {
            wave,
            frames,
            strips,
            legend: (SIDE, strips.bottom() + 8.0),
            height: strips.bottom() + legend,
        }
    }

    pub(super) fn natural(&self, width: f64) -> f64 {
        let most = if width < 600.0 { 420.0 } else { 540.0 };
        self.layout(width, most).height
    }

    /// Draws all of it, and the moment that a film has come to, as a part of the recording.
    pub(super) fn scene(&self, moment: f64, view: &View) -> Scene {
        let mut scene = Scene::default();
        let at = self.layout(view.width, view.height);
        self.draw_wave(&mut scene, view, at.wave);
        if let Some(rect) = at.frames {
            self.draw_frames(&mut scene, view, rect);
        }
        self.draw_strips(&mut scene, view, &at);
        if moment > 0.0 {
            self.draw_moment(&mut scene, view, &at, moment);
        }
        scene
    }

    /// A moment of the recording: its frame, and what has been met of it in each strip.
    fn draw_moment(&self, scene: &mut Scene, view: &View, at: &Layout, moment: f64) {
        let c = view.colours;
        let (wave, all) = (at.wave, at.strips);
        let x = wave.x + moment * wave.w;
        let frame = ((moment * self.frames as f64) as usize).min(self.frames - 1);
        for r in [wave, all] {
            scene.fill(Rect::new(x - 0.75, r.y, 1.5, r.h), c.traced);
        }
        let text = say!(
            view.lang,
            "figure.audio-frames.moment",
            frame = frame,
            seconds = short((moment * self.seconds() * 10.0).round() / 10.0)
        );
        let wide = text_width(&text, TICK) + 8.0;
        let left = (x + 4.0).min(wave.right() - wide);
        let ground = Rect::new(left - 2.0, wave.y + 2.0, wide, 18.0);
        scene.fill(ground, c.surface.fade(0.9));
        let place = (Align::Start, Stand::Centre);
        scene.text((left + 2.0, wave.y + 11.0), text, TICK, c.traced, place);
        let hidden = !view.reveal && frame >= self.trained;
        let row = all.h / self.strips.len() as f64;
        for (k, strip) in self.strips.iter().enumerate().filter(|_| !hidden) {
            let stretches = self.stretches(strip);
            let met = stretches.iter().find(|(end, _)| frame < *end);
            let at = (x, all.y + (k as f64 + 0.5) * row);
            scene.disc(at, 5.5, c.surface);
            match met.map(|(_, met)| *met) {
                Some(Met::Seen | Met::Shared) => scene.disc(at, 4.0, c.traced),
                Some(Met::Unseen) => scene.ring(at, 3.6, c.traced, 1.6),
                Some(Met::Missing) | None => {
                    for d in [-3.0, 3.0] {
                        let ends = vec![(x - 3.0, at.1 - d), (x + 3.0, at.1 + d)];
                        scene.line(ends, c.traced, 1.6);
                    }
                }
            }
        }
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
        head(scene, view, r, &self.source(view.lang));
        scene.frame(r, c.grid, 1.0);
        let met = self.trained_to(r);
        scene.fill(Rect::new(r.x, r.y, met - r.x, r.h), c.accent.fade(0.10));
        let points = self.trace(r, (0.0, seconds), 1.0);
        let split = points.partition_point(|p| p.0 <= met);
        for (part, colour) in [(&points[..split], c.accent), (&points[split..], c.muted)] {
            if part.len() > 1 {
                scene.line(part.to_vec(), colour, 1.0);
            }
        }
        time_axis(scene, view, r, seconds);
        scene.targets.push(target(WAVE, r, STEPS));
    }

    /// Where the length of the training ends on the clock of a panel.
    fn trained_to(&self, r: Rect) -> f64 {
        r.x + (TRAINED_SECONDS as f64 / self.seconds()).min(1.0) * r.w
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
        axis_name(scene, view, r, "figure.audio-frames.frame-axis");
        scene.targets.push(target(FRAMES, r, count));
    }

    fn draw_strips(&self, scene: &mut Scene, view: &View, at: &Layout) {
        let c = view.colours;
        let all = at.strips;
        let title = say!(
            view.lang,
            "figure.audio-frames.strips",
            seconds = TRAINED_SECONDS
        );
        head(scene, view, all, &title);
        let row = all.h / self.strips.len() as f64;
        let high = (row - 5.0).min(16.0);
        for (k, strip) in self.strips.iter().enumerate() {
            let r = Rect::new(
                all.x,
                all.y + k as f64 * row + (row - high) / 2.0,
                all.w,
                high,
            );
            let name = fitting(strip.name(view.lang), all.x - 10.0, TICK);
            let place = (all.x - 8.0, r.y + high / 2.0);
            let stand = (Align::End, Stand::Centre);
            fitted(scene, place, all.x - 10.0, &name, NAME, c.ink, stand);
            let mut from = 0;
            for (to, met) in self.stretches(strip) {
                let x = |frame: usize| r.x + frame as f64 / self.frames as f64 * r.w;
                let end = x(to).max(x(from) + 2.0).min(r.right());
                let part = Rect::new(
                    x(from).min(end - 1.0),
                    r.y,
                    end - x(from).min(end - 1.0),
                    r.h,
                );
                stretch(scene, part, met, (c.accent, c.muted));
                from = to;
            }
            scene.frame(r, c.muted, 1.0);
            scene.targets.push(target(STRIPS + k, r, STEPS));
        }
        let met = self.trained_to(all);
        if self.seconds() > TRAINED_SECONDS as f64 {
            // One line through the wave and all strips: the training ends here.
            let line = Rect::new(met - 0.75, at.wave.y, 1.5, at.wave.h);
            scene.fill(line, c.accent);
            scene.fill(Rect::new(met - 0.75, all.y, 1.5, all.h), c.accent);
            if !view.reveal {
                let hidden = Rect::new(met + 1.0, all.y, all.right() - met, all.h);
                veil(scene, view, hidden);
            }
        }
        // What the patterns mean.
        let (mut x, mut y) = at.legend;
        for met in MET {
            let word = met_word(met, view.lang);
            let wide = entry(&word);
            if x + wide > view.width && x > at.legend.0 {
                (x, y) = (at.legend.0, y + LINE);
            }
            let sample = Rect::new(x, y, 26.0, 12.0);
            stretch(scene, sample, met, (c.accent, c.muted));
            scene.frame(sample, c.muted, 1.0);
            let place = (x + 32.0, y + 6.0);
            scene.text(place, word, TICK, c.ink, (Align::Start, Stand::Centre));
            x += wide;
        }
    }
}

pub(super) fn target(id: usize, rect: Rect, columns: usize) -> Target {
    Target {
        id,
        rect,
        rows: 1,
        columns,
    }
}

/// A heading that begins at the left edge of the figure.
fn head(scene: &mut Scene, view: &View, r: Rect, text: &str) {
    let at = (SIDE, r.y - 7.0);
    let place = (Align::Start, Stand::Above);
    let room = view.width - 2.0 * SIDE;
    fitted(scene, at, room, text, HEADING, view.colours.ink, place);
}

/// The name of a horizontal axis, left of its numbers.
fn axis_name(scene: &mut Scene, view: &View, r: Rect, key: &str) {
    let at = (r.x - 8.0, r.bottom() + 4.0);
    let place = (Align::End, Stand::Below);
    let text = say!(view.lang, key);
    fitted(
        scene,
        at,
        r.x - 10.0,
        &text,
        TICK,
        view.colours.muted,
        place,
    );
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
    axis_name(scene, view, r, key);
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
