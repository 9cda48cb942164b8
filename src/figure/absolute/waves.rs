//! `pe-waves`: a few pairs of dimensions, fast to slow, as sine and cosine waves over positions.

use std::f64::consts::TAU;
use std::sync::Arc;

use crate::core::analysis::wavelength;
use crate::core::encoding::sinusoidal::Sinusoidal;
use crate::figure::kit::colour::Colour;
use crate::figure::kit::panel::{NAME, TICK, cell_ticks, fitted, swatches};
use crate::figure::kit::scene::{Align, Hit, Rect, Scene, Stand, Target, text_width};
use crate::figure::kit::veil::{cover, veil};
use crate::figure::{Arrows, Computed, Figure, Film, Picture, Readout, Table, View, place};
use crate::say;
use crate::state::{Key, Lang, Page, Params, Value};
use crate::words::short;

/// Waves shown at once, at most; fewer in a low box.
const STRIPS: usize = 6;
/// Height of a wave with its name, at least and at best.
const LEAST: f64 = 56.0;
const BEST: f64 = 79.0;
/// Height of the name above a wave.
const NAMES: f64 = 18.0;
/// Room left and right of the waves, above the first, below the last.
const MARGIN: (f64, f64, f64, f64) = (34.0, 12.0, 24.0, 40.0);
/// Wide figures have a binary number of this width at their right.
const WIDE: f64 = 600.0;
const DIGITS: f64 = 126.0;
/// Of a strip's height, the amplitude of its wave.
const AMPLITUDE: f64 = 0.4;
/// A wave that is shorter than this many pixels cannot be drawn as a line.
const SHORTEST: f64 = 12.0;
/// Waves that turn less than 1/8 within the sequence are told apart by nothing: one stands for all.
const MOVING: f64 = 8.0;
/// The strip that stays while the others are asked for.
const SHOWN_WHILE_ASKED: usize = 2;
/// The table for reading shows no more positions than this.
const MAX_TABLE_ROWS: usize = 512;

pub(crate) const FIGURE: Figure = Figure {
    id: "pe-waves",
    page: Page::Absolute,
    controls: &[Key::SeqLen, Key::DModel, Key::Base, Key::Layout],
    listens: &[],
    arrows: Arrows::Each(Some(Key::Dim), Some(Key::Pos)),
    film: Film::of_positions(Key::Pos),
    special: &[],
};

struct Waves {
    pe: Sinusoidal,
    seq_len: usize,
}

pub(crate) fn compute(p: &Params) -> Computed {
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

    /// The pairs shown in so many strips: all, or the fastest, the slowest and, evenly between them, those
    /// that move within the sequence; the traced one in place of its nearest neighbour.
    fn pairs(&self, dim: usize, strips: usize) -> Vec<usize> {
        let frequencies = self.pe.frequencies();
        let all = frequencies.len();
        if all <= strips {
            return (0..all).collect();
        }
        let longest = MOVING * self.seq_len as f64;
        let moving = frequencies.iter().filter(|w| wavelength(**w) <= longest);
        // The slowest has a strip of its own.
        let (rest, last) = (strips - 1, moving.count().clamp(strips - 1, all - 1));
        let mut pairs: Vec<usize> = (0..rest)
            .map(|k| k * (last - 1) / (rest - 1).max(1))
            .collect();
        pairs.push(all - 1);
        let traced = self.pair(dim).0;
        if !pairs.contains(&traced)
            && let Some(between) = pairs.get_mut(1..strips - 1)
            && let Some(nearest) = between.iter_mut().min_by_key(|q| q.abs_diff(traced))
        {
            *nearest = traced;
        }
        pairs.sort_unstable();
        pairs
    }

    /// How many strips a height has room for.
    fn strips(&self, height: f64) -> usize {
        let (_, _, top, bottom) = MARGIN;
        let room = ((height - top - bottom) / LEAST) as usize;
        self.pe.frequencies().len().min(room.clamp(3, STRIPS))
    }

    /// Where the wave of strip `k` is, below its name.
    fn wave(&self, k: usize, width: f64, height: f64) -> Rect {
        let (left, right, top, bottom) = MARGIN;
        let each = ((height - top - bottom) / self.strips(height) as f64).min(BEST + 12.0);
        let digits = if width >= WIDE { DIGITS } else { 0.0 };
        let y = top + k as f64 * each + NAMES;
        let tall = (each - NAMES - 8.0).max(8.0);
        Rect::new(left, y, (width - left - right - digits).max(20.0), tall)
    }

    /// The names of pairs, all as long as there is room for; without what is asked.
    fn names(&self, pairs: &[usize], view: &View, room: f64) -> Vec<String> {
        let of = |key: &str| -> Vec<String> {
            let name = |pair: &usize| {
                let (a, b) = self.pe.columns(*pair);
                let frequency = self.pe.frequencies()[*pair];
                say!(
                    view.lang,
                    key,
                    pair = pair,
                    a = a,
                    b = b,
                    omega = short(frequency),
                    wavelength = short(wavelength(frequency))
                )
            };
            pairs.iter().map(name).collect()
        };
        if !view.reveal {
            return of("figure.pe-waves.pair_only");
        }
        let long = of("figure.pe-waves.pair");
        if long.iter().all(|text| text_width(text, TICK) <= room) {
            return long;
        }
        of("figure.pe-waves.pair_short")
    }

    fn strip(&self, scene: &mut Scene, p: &Params, view: &View, pair: usize, r: Rect) {
        let c = view.colours;
        let traced = self.pair(p.dim).0 == pair;
        let up = |v: f64| r.y + r.h * (0.5 - v * AMPLITUDE);
        let step = r.w / self.seq_len as f64;
        let across = |pos: f64| r.x + (pos + 0.5) * step;
        if traced {
            scene.fill(r, c.traced.fade(if c.dark { 0.14 } else { 0.07 }));
        }
        for (v, name) in [(1.0, "1"), (0.0, "0"), (-1.0, "−1")] {
            let colour = if v == 0.0 { c.muted } else { c.grid };
            scene.fill(Rect::new(r.x, up(v), r.w, 1.0), colour);
            let at = (r.x - 6.0, up(v));
            if v != 0.0 || r.h * AMPLITUDE >= 14.0 {
                scene.text(at, name, TICK, c.muted, (Align::End, Stand::Centre));
            }
        }
        let [sin, cos] = hues(view);
        let frequency = self.pe.frequencies()[pair];
        let wave = wavelength(frequency) * step;
        let width = if traced { 2.2 } else { 1.4 };
        let place = p.pos as f64 + p.between;
        let marker = across(place);
        if wave < SHORTEST {
            let band = Rect::new(r.x, up(1.0), r.w, up(-1.0) - up(1.0));
            scene.fill(band, sin.fade(0.3));
            let text = say!(view.lang, "figure.pe-waves.band");
            let (x, align) = if marker > r.x + r.w / 2.0 {
                (r.x + 6.0, Align::Start)
            } else {
                (r.right() - 6.0, Align::End)
            };
            let at = (x, up(0.45));
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
        let (s, k) = (place * frequency).sin_cos();
        for (v, colour) in [(s, sin), (k, cos)] {
            scene.disc((marker, up(v)), 3.6, colour);
        }
        if traced {
            let v = if self.pair(p.dim).1 { s } else { k };
            scene.ring((marker, up(v)), 6.0, c.traced, 2.0);
        }
    }

    /// Bit `k` of the traced position, beside a strip: the same idea with switches.
    fn digit(scene: &mut Scene, p: &Params, view: &View, k: usize, strip: Rect) {
        let c = view.colours;
        let x = strip.right() + 14.0;
        let room = DIGITS - 14.0;
        let side = strip.h.min(40.0);
        let cell = Rect::new(x, strip.y + (strip.h - side) / 2.0, side, side);
        let on = p.pos >> k & 1 == 1;
        scene.fill(cell, if on { c.accent } else { c.grid.fade(0.6) });
        let ink = if on { c.surface } else { c.muted };
        let middle = (cell.x + side / 2.0, cell.y + side / 2.0);
        let place = (Align::Middle, Stand::Centre);
        scene.text(middle, if on { "1" } else { "0" }, 16.0, ink, place);
        let text = say!(view.lang, "figure.pe-waves.bit", every = 1usize << k);
        let at = (cell.right() + 6.0, cell.y + side / 2.0);
        let place = (Align::Start, Stand::Centre);
        fitted(scene, at, room - side - 6.0, &text, TICK, c.muted, place);
    }

    /// The dimension whose wave passes nearest to the pointer.
    fn nearest(&self, hit: Hit, p: &Params) -> usize {
        let pairs = self.pairs(p.dim, hit.target / STRIPS + 1);
        let pair = pairs[(hit.target % STRIPS).min(pairs.len() - 1)];
        let (a, b) = self.pe.columns(pair);
        let value = (0.5 - hit.down) / AMPLITUDE;
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
        let (strips, each) = if width < 500.0 {
            (5, 66.0)
        } else {
            (STRIPS, BEST)
        };
        let strips = self.pe.frequencies().len().min(strips);
        top + strips as f64 * each + bottom
    }

    fn draw(&self, p: &Params, view: &View) -> Scene {
        let mut scene = Scene::default();
        let c = view.colours;
        let [sin, cos] = hues(view);
        let items = [
            (sin, say!(view.lang, "figure.pe-waves.sin")),
            (cos, say!(view.lang, "figure.pe-waves.cos")),
        ];
        let (left, top) = (MARGIN.0, 4.0);
        let strips = self.strips(view.height);
        let first = self.wave(0, view.width, view.height);
        swatches(&mut scene, view, (left, top), first.w, &items);
        let wide = view.width >= WIDE;
        if wide {
            let at = (first.right() + 14.0, 3.0);
            let text = say!(view.lang, "figure.pe-waves.binary", pos = p.pos);
            let place = (Align::Start, Stand::Below);
            fitted(&mut scene, at, DIGITS - 6.0, &text, TICK, c.muted, place);
        }
        let traced = self.pair(p.dim).0;
        let mut last = first;
        let (pairs, room) = (self.pairs(p.dim, strips), first.w);
        let names = self.names(&pairs, view, room);
        for (k, (pair, text)) in pairs.into_iter().zip(names).enumerate() {
            let r = self.wave(k, view.width, view.height);
            let colour = if pair == traced { c.traced } else { c.ink };
            let (at, place) = ((left, r.y - 3.0), (Align::Start, Stand::Above));
            fitted(&mut scene, at, room, &text, TICK, colour, place);
            if view.reveal || k == SHOWN_WHILE_ASKED.min(strips - 1) {
                self.strip(&mut scene, p, view, pair, r);
            } else {
                veil(&mut scene, view, r);
            }
            if wide && view.reveal {
                Self::digit(&mut scene, p, view, k, r);
            } else if wide {
                cover(
                    &mut scene,
                    view,
                    Rect::new(r.right() + 14.0, r.y, r.h.min(40.0), r.h),
                );
            }
            scene.targets.push(Target {
                // As many strips, and which of them.
                id: (strips - 1) * STRIPS + k,
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
            pair = pair,
            wavelength = short(wavelength(frequency)),
            turns = short((self.seq_len - 1) as f64 / wavelength(frequency))
        )
    }

    fn notes(&self, p: &Params, lang: Lang) -> Vec<String> {
        let (pair, sine) = self.pair(p.dim);
        let frequency = self.pe.frequencies()[pair];
        let all = self.pe.frequencies().len();
        let mut out = vec![say!(
            lang,
            "figure.pe-waves.traced",
            pos = p.pos,
            dim = p.dim,
            func = if sine { "sin" } else { "cos" },
            omega = short(frequency),
            angle = short(p.pos as f64 * frequency),
            value = short(self.pe.value(p.pos as f64, p.dim))
        )];
        if all > STRIPS {
            out.push(say!(lang, "figure.pe-waves.chosen", all = all));
        }
        out
    }

    fn table(&self, p: &Params) -> Table {
        let pairs = self.pairs(p.dim, STRIPS);
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
            for (d, seq_len) in [(2, 1), (4, 64), (10, 64), (64, 64), (64, 8192), (512, 9)] {
                let waves = Waves {
                    pe: Sinusoidal::new(d, 1e4, layout).expect("valid"),
                    seq_len,
                };
                for (dim, strips) in (0..d).flat_map(|dim| (3..=STRIPS).map(move |n| (dim, n))) {
                    let pairs = waves.pairs(dim, strips);
                    assert_eq!(pairs.len(), (d / 2).min(strips));
                    assert!(pairs.contains(&waves.pair(dim).0));
                    assert!(pairs.windows(2).all(|w| w[0] < w[1]), "{pairs:?}");
                    assert_eq!((pairs[0], pairs[pairs.len() - 1]), (0, d / 2 - 1));
                }
            }
        }
    }
}
