//! `pe-waves`: a few pairs of dimensions, fast to slow, as sine and cosine waves over positions.

use std::f64::consts::TAU;
use std::sync::Arc;

use crate::core::analysis::wavelength;
use crate::core::encoding::sinusoidal::Sinusoidal;
use crate::figure::kit::colour::Colour;
use crate::figure::kit::note::{self, LINE, note, wrapped};
use crate::figure::kit::panel::{NAME, TICK, cell_ticks, swatches};
use crate::figure::kit::scene::{Align, Hit, Rect, Scene, Stand, Target};
use crate::figure::{Arrows, Computed, Figure, Film, Picture, Readout, Table, View, place};
use crate::say;
use crate::state::{Key, Lang, Page, Params, Value};
use crate::words::short;

/// Waves shown at once.
const STRIPS: usize = 6;
/// Height of one wave.
const WAVE: f64 = 54.0;
/// Room left and right of the waves, above the first, below the last.
const MARGIN: (f64, f64, f64, f64) = (34.0, 12.0, 26.0, 42.0);
/// A wave that is shorter than this many pixels cannot be drawn as a line.
const SHORTEST: f64 = 12.0;
/// The table for reading shows no more positions than this.
const MAX_TABLE_ROWS: usize = 512;

pub(crate) const FIGURE: Figure = Figure {
    id: "pe-waves",
    page: Page::Absolute,
    controls: &[Key::SeqLen, Key::DModel, Key::Base, Key::Layout],
    listens: &[],
    arrows: Arrows::Each(Some(Key::Dim), Some(Key::Pos)),
    film: Some(Film::of_positions(Key::Pos)),
    special: &[],
    compute,
};

struct Waves {
    pe: Sinusoidal,
    seq_len: usize,
}

fn compute(p: &Params) -> Computed {
    let s = &p.setting;
    Ok(Arc::new(Waves {
        pe: Sinusoidal::new(s.d_model, s.base, s.layout)?,
        seq_len: p.seq_len,
    }))
}

impl Waves {
    /// The pair of a dimension, and whether the dimension is its sine.
    fn pair(&self, dim: usize) -> (usize, bool) {
        self.pe.pair(dim).unwrap_or((0, true))
    }

    /// The pairs shown: evenly spread from the fastest to the slowest, both ends always, the
    /// traced one in place of its nearest neighbour.
    fn pairs(&self, dim: usize) -> Vec<usize> {
        let all = self.pe.frequencies().len();
        let shown = self.strips();
        let mut pairs: Vec<usize> = (0..shown)
            .map(|k| k * (all - 1) / (shown - 1).max(1))
            .collect();
        let traced = self.pair(dim).0;
        if !pairs.contains(&traced)
            && let Some(between) = pairs.get_mut(1..shown - 1)
            && let Some(nearest) = between.iter_mut().min_by_key(|q| q.abs_diff(traced))
        {
            *nearest = traced;
        }
        pairs
    }

    fn strips(&self) -> usize {
        self.pe.frequencies().len().min(STRIPS)
    }

    /// Lines that the name of a wave may take.
    fn name_lines(width: f64) -> f64 {
        match width {
            w if w >= 620.0 => 1.0,
            w if w >= 330.0 => 2.0,
            _ => 3.0,
        }
    }

    /// Where the names of waves begin, and how wide they may be.
    fn names(width: f64) -> (f64, f64) {
        let left = if width < 400.0 { 4.0 } else { MARGIN.0 };
        (left, width - left - 4.0)
    }

    fn strip_height(width: f64) -> f64 {
        Self::name_lines(width) * LINE + WAVE + 10.0
    }

    fn name(&self, pair: usize, lang: Lang) -> String {
        let (a, b) = self.pe.columns(pair);
        let frequency = self.pe.frequencies()[pair];
        say!(
            lang,
            "figure.pe-waves.pair",
            pair = pair,
            a = a,
            b = b,
            omega = short(frequency),
            wavelength = short(wavelength(frequency))
        )
    }

    fn strip(&self, scene: &mut Scene, p: &Params, view: &View, pair: usize, r: Rect) {
        let c = view.colours;
        let traced = self.pair(p.dim).0 == pair;
        let up = |v: f64| r.y + r.h / 2.0 - v * (r.h / 2.0 - 5.0);
        let step = r.w / self.seq_len as f64;
        let across = |pos: f64| r.x + (pos + 0.5) * step;
        if traced {
            scene.fill(r, c.traced.fade(if c.dark { 0.14 } else { 0.07 }));
        }
        for (v, name) in [(1.0, "1"), (0.0, "0"), (-1.0, "−1")] {
            let colour = if v == 0.0 { c.muted } else { c.grid };
            scene.fill(Rect::new(r.x, up(v), r.w, 1.0), colour);
            let at = (r.x - 6.0, up(v));
            scene.text(at, name, TICK, c.muted, (Align::End, Stand::Centre));
        }
        let [sin, cos] = hues(view);
        let frequency = self.pe.frequencies()[pair];
        let wave = wavelength(frequency) * step;
        let width = if traced { 2.2 } else { 1.4 };
        let marker = across(p.pos as f64);
        if wave < SHORTEST {
            let band = Rect::new(r.x, up(1.0), r.w, up(-1.0) - up(1.0));
            scene.fill(band, sin.fade(0.3));
            let text = say!(view.lang, "figure.pe-waves.band");
            let (x, align) = if marker > r.x + r.w / 2.0 {
                (r.x + 6.0, Align::Start)
            } else {
                (r.right() - 6.0, Align::End)
            };
            let at = (x, up(0.5));
            scene.text(at, text, TICK, c.ink, (align, Stand::Centre));
        } else {
            // At least 16 points a wave, so that crests are neither missed nor cut.
            let apart = (wave / 16.0).clamp(0.5, 2.0);
            let points = ((r.w - step) / apart).ceil().max(1.0) as usize;
            let curve = |phase: f64| -> Vec<(f64, f64)> {
                (0..=points)
                    .map(|k| {
                        let pos = (self.seq_len - 1) as f64 * k as f64 / points as f64;
                        (across(pos), up((pos * frequency + phase).sin()))
                    })
                    .collect()
            };
            scene.line(curve(0.0), sin, width);
            scene.dashed(curve(TAU / 4.0), cos, width);
            if traced && step >= 7.0 {
                for pos in 0..self.seq_len {
                    let (s, k) = (pos as f64 * frequency).sin_cos();
                    scene.disc((across(pos as f64), up(s)), 2.2, sin);
                    scene.disc((across(pos as f64), up(k)), 2.2, cos);
                }
            }
        }
        scene.dashed(vec![(marker, r.y), (marker, r.bottom())], c.traced, 1.2);
        let (s, k) = (p.pos as f64 * frequency).sin_cos();
        for (v, colour) in [(s, sin), (k, cos)] {
            scene.disc((marker, up(v)), 3.6, colour);
        }
        if traced {
            let v = if self.pair(p.dim).1 { s } else { k };
            scene.ring((marker, up(v)), 6.0, c.traced, 2.0);
        }
    }

    /// Where the waves are.
    fn wave(k: usize, width: f64) -> Rect {
        let (left, right, top, _) = MARGIN;
        let names = Self::name_lines(width) * LINE;
        let y = top + k as f64 * Self::strip_height(width) + names;
        Rect::new(left, y, width - left - right, WAVE)
    }

    /// The dimension whose wave passes nearest to the pointer.
    fn nearest(&self, hit: Hit, p: &Params) -> usize {
        let pairs = self.pairs(p.dim);
        let pair = pairs[hit.target.min(pairs.len() - 1)];
        let (a, b) = self.pe.columns(pair);
        let value = (0.5 - hit.down) * WAVE / (WAVE / 2.0 - 5.0);
        let gap = |dim: usize| (self.pe.value(hit.column as f64, dim) - value).abs();
        if gap(a) <= gap(b) { a } else { b }
    }
}

/// The colours of sine and cosine.
fn hues(view: &View) -> [Colour; 2] {
    [view.colours.series(0), view.colours.series(1)]
}

impl Picture for Waves {
    fn height(&self, width: f64) -> f64 {
        let (_, _, top, bottom) = MARGIN;
        top + self.strips() as f64 * Self::strip_height(width) + bottom
    }

    fn draw(&self, p: &Params, view: &View) -> Scene {
        let mut scene = Scene::default();
        let c = view.colours;
        let [sin, cos] = hues(view);
        let items = [
            (sin, say!(view.lang, "figure.pe-waves.sin")),
            (cos, say!(view.lang, "figure.pe-waves.cos")),
        ];
        let (left, room) = Self::names(view.width);
        swatches(&mut scene, view, (left, 4.0), room, &items);
        let traced = self.pair(p.dim).0;
        let mut last = Self::wave(0, view.width);
        for (k, pair) in self.pairs(p.dim).into_iter().enumerate() {
            let r = Self::wave(k, view.width);
            let text = self.name(pair, view.lang);
            let lines = wrapped(&text, note::SIZE, room).len() as f64;
            let colour = if pair == traced { c.traced } else { c.ink };
            note(&mut scene, (left, r.y - lines * LINE), room, &text, colour);
            self.strip(&mut scene, p, view, pair, r);
            scene.targets.push(Target {
                id: k,
                rect: r,
                rows: 1,
                columns: self.seq_len,
            });
            last = r;
        }
        let step = last.w / self.seq_len as f64;
        for pos in cell_ticks(self.seq_len, last.w / 44.0) {
            let at = (last.x + (pos as f64 + 0.5) * step, last.bottom());
            scene.fill(Rect::new(at.0, at.1, 1.0, 4.0), c.muted);
            scene.text(
                (at.0, at.1 + 6.0),
                pos.to_string(),
                TICK,
                c.muted,
                (Align::Middle, Stand::Below),
            );
        }
        scene.text(
            (last.x + last.w / 2.0, last.bottom() + 22.0),
            say!(view.lang, "axis.pos"),
            NAME,
            c.muted,
            (Align::Middle, Stand::Below),
        );
        scene
    }

    fn describe(&self, hit: Hit, p: &Params, lang: Lang) -> String {
        let dim = self.nearest(hit, p);
        say!(
            lang,
            "figure.pe-waves.cell",
            pos = hit.column,
            dim = dim,
            pair = self.pair(dim).0,
            value = short(self.pe.value(hit.column as f64, dim))
        )
    }

    fn picked(&self, hit: Hit, p: &Params) -> Vec<(Key, Value)> {
        let dim = self.nearest(hit, p);
        vec![(Key::Pos, place(hit.column)), (Key::Dim, place(dim))]
    }

    fn readouts(&self, p: &Params, lang: Lang) -> Vec<Readout> {
        let pair = self.pair(p.dim).0;
        let frequency = self.pe.frequencies()[pair];
        let (length, value) = (wavelength(frequency), self.pe.value(p.pos as f64, p.dim));
        vec![
            Readout {
                name: "frequency".into(),
                label: say!(lang, "figure.pe-waves.frequency", pair = pair),
                number: Some(frequency),
                text: say!(lang, "figure.pe-waves.rad", value = short(frequency)),
            },
            Readout {
                name: "wavelength".into(),
                label: say!(lang, "figure.pe-waves.wavelength", pair = pair),
                number: Some(length),
                text: say!(lang, "figure.pe-waves.positions", value = short(length)),
            },
            Readout {
                name: "cell".into(),
                label: say!(lang, "figure.pe-matrix.readout", pos = p.pos, dim = p.dim),
                number: Some(value),
                text: short(value),
            },
        ]
    }

    fn sentence(&self, p: &Params, lang: Lang) -> String {
        let pair = self.pair(p.dim).0;
        let frequency = self.pe.frequencies()[pair];
        say!(
            lang,
            "figure.pe-waves.sentence",
            shown = self.strips(),
            all = self.pe.frequencies().len(),
            pair = pair,
            wavelength = short(wavelength(frequency)),
            turns = short((self.seq_len - 1) as f64 / wavelength(frequency))
        )
    }

    fn table(&self, p: &Params) -> Table {
        let pairs = self.pairs(p.dim);
        let dims: Vec<usize> = pairs
            .iter()
            .flat_map(|&k| <[usize; 2]>::from(self.pe.columns(k)))
            .collect();
        Table {
            columns: std::iter::once("pos".to_owned())
                .chain(dims.iter().map(|d| format!("dim_{d}")))
                .collect(),
            rows: (0..self.seq_len.min(MAX_TABLE_ROWS))
                .map(|pos| {
                    let values = dims.iter().map(|&d| self.pe.value(pos as f64, d));
                    std::iter::once(pos as f64).chain(values).collect()
                })
                .collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::encoding::sinusoidal::Layout;

    #[test]
    fn the_traced_pair_is_among_those_shown_in_order() {
        for layout in [Layout::Interleaved, Layout::Concatenated] {
            for d in [2, 4, 10, 64, 512] {
                let waves = Waves {
                    pe: Sinusoidal::new(d, 1e4, layout).expect("valid"),
                    seq_len: 9,
                };
                for dim in 0..d {
                    let pairs = waves.pairs(dim);
                    assert_eq!(pairs.len(), (d / 2).min(STRIPS));
                    assert!(pairs.contains(&waves.pair(dim).0));
                    assert!(pairs.windows(2).all(|w| w[0] < w[1]), "{pairs:?}");
                }
            }
        }
    }

    #[test]
    fn names_of_waves_fit_their_room() {
        let waves = Waves {
            pe: Sinusoidal::new(4096, 1e9, Layout::Concatenated).expect("valid"),
            seq_len: 8192,
        };
        for lang in [Lang::Zh, Lang::En] {
            for width in [240.0, 300.0, 330.0, 358.0, 560.0, 620.0, 900.0] {
                for pair in [0, 1000, 2047] {
                    let name = waves.name(pair, lang);
                    let lines = wrapped(&name, note::SIZE, Waves::names(width).1);
                    assert!(lines.len() as f64 <= Waves::name_lines(width), "{lines:?}");
                }
            }
        }
    }
}
