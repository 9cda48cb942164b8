//! `ctx-angles`: which angles each pair saw in training, and where a far position falls.

mod draw;

use std::f64::consts::TAU;
use std::sync::Arc;

use draw::{beyond, mark, seen_colour};

use super::lines::{LEFT, Stroke};
use super::parts::{CONTROLS, Pairs, growing, name, readout, short_name, spread};
use crate::core::CoreError;
use crate::core::analysis::rotations;
use crate::core::encoding::rope_scaling::Remedy;
use crate::figure::kit::panel::TICK;
use crate::figure::kit::scene::{Align, Hit, Rect, Scene, Stand, text_width};
use crate::figure::{Arrows, Computed, Figure, Film, Picture, Readout, Special, Table, View};
use crate::say;
use crate::state::{Key, Lang, Page, Params, Value};
use crate::words::short;

/// Most rows that are drawn.
const ROWS: usize = 32;
/// Height of a row: of the least that is drawn, and of the most.
const ROW: (f64, f64) = (13.0, 42.0);
/// Height of a line of the legend.
const LINE: f64 = 20.0;
/// Room below the rows for ticks and the name of the axis.
const BELOW: f64 = 42.0;

pub(crate) const FIGURE: Figure = Figure {
    id: "ctx-angles",
    page: Page::Context,
    controls: CONTROLS,
    listens: &[Key::Pairing],
    arrows: Arrows::Each(Some(Key::Dim), Some(Key::Dim)),
    film: Film::of_drawing(),
    special: &[Special::ArrowsByPairs],
};

/// One pair, angles in radians.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Row {
    /// The largest angle of training, (L − 1)·θ.
    seen: f64,
    /// θ·L: an angle below it is less than one position beyond what was seen.
    edge: f64,
    /// Of the last position, without a remedy.
    plain: f64,
    /// The same with the remedy.
    now: f64,
}

impl Row {
    /// Whether an angle, as a direction, was never met in training.
    fn unseen(self, angle: f64) -> bool {
        self.edge < TAU && angle.rem_euclid(TAU) > self.edge
    }

    /// Whether some position before the last one turns beyond what was seen.
    fn reaches_further(self) -> bool {
        self.edge < TAU && self.now > self.edge
    }
}

struct Angles {
    pairs: Pairs,
    rows: Vec<Row>,
}

pub(crate) fn compute(p: &Params) -> Computed {
    Ok(Arc::new(angles(p)?))
}

fn angles(p: &Params) -> Result<Angles, CoreError> {
    let pairs = Pairs::of(p)?;
    let (orig, target) = (
        pairs.context.orig_len as f64,
        pairs.context.target_len as f64,
    );
    let rows = pairs.plain.iter().zip(pairs.scaled());
    let rows = rows
        .map(|(plain, scaled)| Row {
            seen: (orig - 1.0) * plain,
            edge: orig * plain,
            plain: (target - 1.0) * plain,
            now: (target - 1.0) * scaled,
        })
        .collect();
    Ok(Angles { pairs, rows })
}

/// One entry of the legend: what stands before its words.
#[derive(Clone, Copy)]
enum Sign {
    /// What was met in training.
    Arc,
    /// What is run through beyond it.
    Beyond,
    /// A ring: an angle that was met.
    Met,
    /// A cross: an angle that was never met.
    Never,
    /// The colour of what is not scaled.
    Plain,
    /// The colour of the remedy in force.
    Now,
}

impl Angles {
    /// How many rows there are room for.
    fn rows(&self, height: f64, legend: f64) -> usize {
        let room = ((height - legend - BELOW) / ROW.0).floor().max(4.0) as usize;
        self.rows.len().min(ROWS).min(room)
    }

    fn shown(&self, p: &Params, rows: usize) -> Vec<usize> {
        spread(self.rows.len(), rows, self.pairs.traced(p))
    }

    /// Where the rows stand in a box.
    fn area(&self, width: f64, height: f64) -> Rect {
        let top = self.legend_height(width);
        let rows = self.rows(height, top) as f64;
        let high = ((height - top - BELOW) / rows).clamp(4.0, ROW.1);
        Rect::new(LEFT, top, width - LEFT - 16.0, rows * high)
    }

    /// The legend, whose words name the position once.
    fn legend(&self, lang: Lang) -> Vec<(Sign, String)> {
        let word = |key: &str| {
            let at = self.pairs.context.target_len - 1;
            say!(lang, format!("figure.ctx-angles.{key}"), at = at)
        };
        let mut out = vec![
            (Sign::Arc, word("seen")),
            (Sign::Beyond, word("beyond")),
            (Sign::Met, word("ring")),
            (Sign::Never, word("cross")),
        ];
        let remedy = self.pairs.context.remedy;
        if remedy != Remedy::None {
            out.push((Sign::Plain, short_name(Remedy::None, lang)));
            out.push((Sign::Now, short_name(remedy, lang)));
        }
        out
    }

    /// Where the entries of a legend begin, from its corner on.
    fn places(entries: &[(Sign, String)], width: f64) -> Vec<(f64, f64)> {
        let (mut x, mut y) = (0.0, 0.0);
        let mut out = Vec::new();
        for (_, text) in entries {
            let wide = 20.0 + text_width(text, TICK);
            if x + wide > width && x > 0.0 {
                (x, y) = (0.0, y + LINE);
            }
            out.push((x, y));
            x += wide + 14.0;
        }
        out
    }

    /// Height of the legend in the language that needs more.
    fn legend_height(&self, width: f64) -> f64 {
        let lines = [Lang::Zh, Lang::En].map(|lang| {
            let places = Self::places(&self.legend(lang), width - 16.0);
            places.last().map_or(0.0, |p| p.1)
        });
        lines[0].max(lines[1]) + LINE + 8.0
    }

    fn draw_legend(&self, scene: &mut Scene, view: &View) {
        let c = view.colours;
        let entries = self.legend(view.lang);
        let places = Self::places(&entries, view.width - 16.0);
        for ((sign, text), (x, y)) in entries.into_iter().zip(places) {
            let (x, middle) = (x + 10.0, y + 4.0 + LINE / 2.0);
            let bar = Rect::new(x, middle - 6.0, 14.0, 12.0);
            match sign {
                Sign::Arc => scene.fill(bar, seen_colour(view)),
                Sign::Beyond => beyond(scene, view, bar),
                Sign::Met => mark(scene, (x + 7.0, middle), false, Stroke::solid(c.ink, 1.8)),
                Sign::Never => mark(scene, (x + 7.0, middle), true, Stroke::solid(c.ink, 1.8)),
                Sign::Plain => scene.disc((x + 7.0, middle), 4.5, c.muted),
                Sign::Now => scene.disc((x + 7.0, middle), 4.5, c.accent),
            }
            let place = (Align::Start, Stand::Centre);
            scene.text((x + 19.0, middle), text, TICK, c.ink, place);
        }
    }

    fn unseen(&self, angle: impl Fn(&Row) -> f64) -> usize {
        self.rows.iter().filter(|r| r.unseen(angle(r))).count()
    }

    fn words(&self, pair: usize, key: &str, lang: Lang) -> String {
        let r = self.rows[pair];
        let c = &self.pairs.context;
        let of = |angle: f64| {
            let key = if r.unseen(angle) { "never" } else { "met" };
            say!(lang, format!("figure.ctx-angles.{key}"))
        };
        say!(
            lang,
            key,
            pair = pair,
            seen = short(r.seen.min(TAU)),
            turns = short(rotations(self.pairs.plain[pair], c.orig_len as f64)),
            at = c.target_len - 1,
            last = c.orig_len - 1,
            plain = short(r.plain.rem_euclid(TAU)),
            now = short(r.now.rem_euclid(TAU)),
            plain_is = of(r.plain),
            now_is = of(r.now),
            remedy = name(c.remedy, lang),
            unseen = self.unseen(|r| r.now),
            before = self.unseen(|r| r.plain),
            further = self.rows.iter().filter(|r| r.reaches_further()).count(),
            pairs = self.rows.len()
        )
    }
}

impl Picture for Angles {
    fn height(&self, width: f64) -> f64 {
        let rows = self.rows.len().min(ROWS) as f64;
        let row = match self.rows.len() {
            0..=10 => 42.0,
            11..=16 => 24.0,
            _ => 14.0,
        };
        let most = if width < 480.0 { 380.0 } else { 520.0 };
        (self.legend_height(width) + rows * row + BELOW).min(most)
    }

    fn draw(&self, p: &Params, view: &View) -> Scene {
        match growing(p).map(|p| angles(&p)) {
            Some(Ok(shorter)) => shorter.scene(p, view),
            _ => self.scene(p, view),
        }
    }

    fn describe(&self, hit: Hit, _: &Params, lang: Lang) -> String {
        self.words(hit.target, "figure.ctx-angles.cell", lang)
    }

    fn picked(&self, hit: Hit, p: &Params) -> Vec<(Key, Value)> {
        self.pairs.pick(hit.target, p)
    }

    fn readouts(&self, p: &Params, lang: Lang) -> Vec<Readout> {
        let traced = self.pairs.traced(p);
        let row = self.rows[traced];
        let further = self.rows.iter().filter(|r| r.reaches_further()).count();
        let label = |key: &str| self.words(traced, &format!("figure.ctx-angles.{key}"), lang);
        vec![
            readout(
                "unseen-pairs",
                label("unseen_pairs"),
                self.unseen(|r| r.now) as f64,
            ),
            readout(
                "unseen-none",
                label("unseen_none"),
                self.unseen(|r| r.plain) as f64,
            ),
            readout("longer-arcs", label("longer_arcs"), further as f64),
            readout("pair", label("traced"), traced as f64),
            readout("angle", label("angle"), row.now.rem_euclid(TAU)),
        ]
    }

    fn notes(&self, p: &Params, lang: Lang) -> Vec<String> {
        vec![self.words(self.pairs.traced(p), "figure.ctx-angles.cell", lang)]
    }

    fn sentence(&self, p: &Params, lang: Lang) -> String {
        let none = self.pairs.context.remedy == Remedy::None;
        let key = if none { "sentence_none" } else { "sentence" };
        let key = format!("figure.ctx-angles.{key}");
        self.words(self.pairs.traced(p), &key, lang)
    }

    fn table(&self, _: &Params) -> Table {
        let columns = [
            "pair",
            "seen_up_to",
            "angle_none",
            "angle_remedy",
            "unseen_none",
            "unseen_remedy",
        ];
        let flag = |b: bool| f64::from(u8::from(b));
        let row = |(k, r): (usize, &Row)| {
            let turn = |a: f64| a.rem_euclid(TAU);
            let marks = [flag(r.unseen(r.plain)), flag(r.unseen(r.now))];
            let seen = if r.edge >= TAU { TAU } else { r.seen };
            vec![
                k as f64,
                seen,
                turn(r.plain),
                turn(r.now),
                marks[0],
                marks[1],
            ]
        };
        Table {
            columns: columns.map(str::to_owned).to_vec(),
            rows: self.rows.iter().enumerate().map(row).collect(),
        }
    }
}

#[cfg(test)]
mod tests;
