//! `ctx-cache`: by how much keys in a cache are turned wrongly once dynamic NTK changes the base.

use std::f64::consts::{PI, TAU};
use std::sync::Arc;

use super::lines::Stroke;
use super::parts::{Pairs, growing, readout, spread};
use crate::core::CoreError;
use crate::core::encoding::rope::Rope;
use crate::core::encoding::rope_scaling::{Remedy, dynamic_factor, stale_angles};
use crate::figure::kit::panel::{HEADING, TICK, fitted};
use crate::figure::kit::scene::{Align, Hit, Mark, Rect, Scene, Stand, Target, text_width};
use crate::figure::rope::parts::{arc, on_circle};
use crate::figure::{Arrows, Computed, Figure, Film, Picture, Readout, Special, Table, View};
use crate::say;
use crate::state::{Key, Lang, Page, Params, Value};
use crate::words::short;

/// Most clocks that are drawn.
const CLOCKS: usize = 8;
/// Room above the clocks for the heading and the names of the hands.
const TOP: f64 = 48.0;
/// Room in the cell of a clock for its number and for how far its hands are apart.
const WORDS: f64 = 42.0;

pub(crate) const FIGURE: Figure = Figure {
    id: "ctx-cache",
    page: Page::Context,
    controls: &[
        Key::Factor,
        Key::OrigLen,
        Key::TargetLen,
        Key::Base,
        Key::DModel,
        Key::Heads,
    ],
    listens: &[Key::Pairing],
    arrows: Arrows::Each(None, Some(Key::Dim)),
    film: Film::of_drawing(),
    special: &[Special::ArrowsByPairs],
};

struct Cache {
    pairs: Pairs,
    /// Radians for each pair of a key at the last original position; none where dynamic NTK is not
    /// defined.
    errors: Option<Vec<f64>>,
    /// The angle that the cache holds of each pair.
    cached: Vec<f64>,
}

pub(crate) fn compute(p: &Params) -> Computed {
    Ok(Arc::new(cache(p)?))
}

fn cache(p: &Params) -> Result<Cache, CoreError> {
    let pairs = Pairs::of(p)?;
    let c = pairs.context;
    let scaling = pairs.scaling(Remedy::Dynamic);
    let at = |len| {
        let rope = &pairs.rope;
        Rope::scaled(
            rope.head_dim(),
            pairs.base,
            rope.pairing(),
            &scaling,
            Some(len),
        )
        .ok()
    };
    let both = at(c.orig_len).zip(at(c.target_len));
    let position = (c.orig_len - 1) as f64;
    let errors = both.map(|(then, now)| stale_angles(&then, &now, position));
    Ok(Cache {
        cached: pairs.plain.iter().map(|w| position * w).collect(),
        errors,
        pairs,
    })
}

impl Cache {
    fn error(&self, pair: usize) -> f64 {
        self.errors.as_ref().map_or(0.0, |e| e[pair].abs())
    }

    fn largest(&self) -> (usize, f64) {
        let all = (0..self.pairs.count()).map(|k| (k, self.error(k)));
        all.fold((0, 0.0), |a, b| if b.1 > a.1 { b } else { a })
    }

    /// The pairs whose clocks are drawn.
    fn shown(&self, p: &Params) -> Vec<usize> {
        spread(self.pairs.count(), CLOCKS, self.pairs.traced(p))
    }

    /// Clocks side by side in a box: as many as make them largest.
    fn columns(&self, (width, height): (f64, f64)) -> usize {
        let n = self.pairs.count().min(CLOCKS);
        let radius = |columns: usize| {
            let cell = Self::cell((width, height), n, columns);
            (cell.0 / 2.0).min((cell.1 - WORDS) / 2.0)
        };
        (1..=n).fold(1, |best, c| if radius(c) > radius(best) { c } else { best })
    }

    fn cell((width, height): (f64, f64), n: usize, columns: usize) -> (f64, f64) {
        let rows = n.div_ceil(columns) as f64;
        (width / columns as f64, (height - TOP) / rows)
    }

    fn words(&self, pair: usize, key: &str, lang: Lang) -> String {
        let c = &self.pairs.context;
        let (worst, largest) = self.largest();
        let wrong = (0..self.pairs.count())
            .filter(|k| self.error(*k) > PI)
            .count();
        say!(
            lang,
            key,
            pair = pair,
            error = short(self.error(pair)),
            turns = short((self.error(pair) / TAU * 100.0).round() / 100.0),
            worst = worst,
            largest = short(largest),
            wrong = wrong,
            pairs = self.pairs.count(),
            position = c.orig_len - 1,
            orig = c.orig_len,
            target = c.target_len,
            s = short(dynamic_factor(c.factor, c.orig_len, Some(c.target_len)))
        )
    }
}

/// The hands: what the cache holds, and what it should be now.
fn hands(view: &View) -> [Stroke; 2] {
    let c = view.colours;
    [
        Stroke::solid(c.series(1), 5.0),
        Stroke::solid(c.accent, 2.4),
    ]
}

impl Cache {
    /// One pair: both hands, and how far they are apart.
    fn draw_clock(&self, scene: &mut Scene, view: &View, pair: usize, cell: Rect, traced: bool) {
        let c = view.colours;
        let radius = (cell.w / 2.0 - 7.0)
            .min((cell.h - WORDS) / 2.0 - 2.0)
            .max(6.0);
        let centre = (
            cell.x + cell.w / 2.0,
            cell.y + 21.0 + (cell.h - WORDS) / 2.0,
        );
        let ink = if traced { c.traced } else { c.ink };
        let name = say!(view.lang, "figure.ctx-cache.clock", pair = pair);
        let above = (centre.0, centre.1 - radius - 4.0);
        fitted(
            scene,
            above,
            cell.w,
            &name,
            TICK,
            ink,
            (Align::Middle, Stand::Above),
        );
        let error = self.error(pair);
        let now = self.cached[pair] - error;
        if error > TAU {
            scene.disc(centre, radius, c.series(4).fade(0.12));
        } else if error > 1e-3 {
            let mut points = vec![centre];
            points.extend(arc(centre, radius, now, error));
            let colour = c.series(4).fade(0.28);
            scene.marks.push(Mark::Area { points, colour });
        }
        scene.ring(centre, radius, c.muted, 1.2);
        let [old, new] = hands(view);
        for (angle, s) in [(self.cached[pair], old), (now, new)] {
            let tip = on_circle(centre, 0.9 * radius, angle);
            scene.line(vec![centre, tip], s.colour, s.width);
        }
        scene.disc(centre, 3.0, c.ink);
        let key = if error < 1e-3 { "same" } else { "off" };
        let text = self.words(pair, &format!("figure.ctx-cache.{key}"), view.lang);
        let below = (centre.0, centre.1 + radius + 4.0);
        fitted(
            scene,
            below,
            cell.w,
            &text,
            TICK,
            ink,
            (Align::Middle, Stand::Below),
        );
        if traced {
            scene.frame(cell, c.traced, 2.0);
        }
    }

    fn scene(&self, p: &Params, view: &View) -> Scene {
        let mut scene = Scene::default();
        let head = self.words(0, "figure.ctx-cache.chart", view.lang);
        let place = (Align::Start, Stand::Below);
        let room = view.width - 20.0;
        fitted(
            &mut scene,
            (10.0, 6.0),
            room,
            &head,
            HEADING,
            view.colours.ink,
            place,
        );
        self.draw_names(&mut scene, view);
        let shown = self.shown(p);
        let room = (view.width, view.height);
        let columns = self.columns(room);
        let (w, h) = Self::cell(room, shown.len(), columns);
        let traced = self.pairs.traced(p);
        for (k, &pair) in shown.iter().enumerate() {
            let (row, column) = (k / columns, k % columns);
            let x = column as f64 * w;
            let y = TOP + row as f64 * h;
            let cell = Rect::new(x + 2.0, y + 1.0, w - 4.0, h - 2.0);
            self.draw_clock(&mut scene, view, pair, cell, pair == traced);
            // A clock says by its number which pair it is: how they stand, the box decides.
            scene.targets.push(Target {
                id: pair,
                rect: cell,
                rows: 1,
                columns: 1,
            });
        }
        scene
    }

    /// What the hands are.
    fn draw_names(&self, scene: &mut Scene, view: &View) {
        let mut x = 10.0;
        let place = (Align::Start, Stand::Centre);
        for (s, key) in hands(view).into_iter().zip(["old", "new"]) {
            let text = self.words(0, &format!("figure.ctx-cache.{key}"), view.lang);
            scene.line(vec![(x, 35.0), (x + 20.0, 35.0)], s.colour, s.width);
            scene.text(
                (x + 25.0, 35.0),
                text.clone(),
                TICK,
                view.colours.ink,
                place,
            );
            x += 25.0 + text_width(&text, TICK) + 16.0;
        }
    }
}

impl Picture for Cache {
    fn height(&self, width: f64) -> f64 {
        let n = self.pairs.count().min(CLOCKS);
        let columns = n.min(4);
        let cell = width / columns as f64 + WORDS;
        (TOP + n.div_ceil(columns) as f64 * cell).min(470.0)
    }

    fn draw(&self, p: &Params, view: &View) -> Scene {
        match growing(p).map(|p| cache(&p)) {
            Some(Ok(shorter)) => shorter.scene(p, view),
            _ => self.scene(p, view),
        }
    }

    fn describe(&self, hit: Hit, _: &Params, lang: Lang) -> String {
        let key = if self.errors.is_some() {
            "cell"
        } else {
            "sentence_undefined"
        };
        self.words(hit.target, &format!("figure.ctx-cache.{key}"), lang)
    }

    fn picked(&self, hit: Hit, p: &Params) -> Vec<(Key, Value)> {
        self.pairs.pick(hit.target, p)
    }

    fn readouts(&self, p: &Params, lang: Lang) -> Vec<Readout> {
        if self.errors.is_none() {
            return Vec::new();
        }
        let traced = self.pairs.traced(p);
        let label = |key: &str| self.words(traced, &format!("figure.ctx-cache.{key}"), lang);
        vec![
            readout("stale-angle", label("stale"), self.largest().1),
            readout("pair-stale-angle", label("pair_stale"), self.error(traced)),
        ]
    }

    fn notes(&self, p: &Params, lang: Lang) -> Vec<String> {
        if self.errors.is_none() {
            return Vec::new();
        }
        vec![self.words(self.pairs.traced(p), "figure.ctx-cache.cell", lang)]
    }

    fn sentence(&self, p: &Params, lang: Lang) -> String {
        let key = match &self.errors {
            None => "sentence_undefined",
            Some(_) if self.largest().1 == 0.0 => "sentence_same",
            Some(_) => "sentence",
        };
        self.words(
            self.pairs.traced(p),
            &format!("figure.ctx-cache.{key}"),
            lang,
        )
    }

    fn table(&self, _: &Params) -> Table {
        let mut columns: Vec<String> = ["pair", "theta"].map(str::to_owned).into();
        columns.extend(self.errors.iter().map(|_| "angle_error".to_owned()));
        let row = |k: usize| {
            let mut row = vec![k as f64, self.pairs.plain[k]];
            row.extend(self.errors.iter().map(|e| e[k]));
            row
        };
        Table {
            columns,
            rows: (0..self.pairs.count()).map(row).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::{decode, resolve};

    fn stale(query: &str) -> Option<f64> {
        let query = format!("embed=ctx-cache&{query}");
        let p = resolve(&decode(&query).0, crate::figure::page_of).0;
        let picture = FIGURE.compute(&p).expect("computed");
        let all = picture.readouts(&p, Lang::En);
        all.iter()
            .find(|r| r.name == "stale-angle")
            .and_then(|r| r.number)
    }

    #[test]
    fn ctx_stale_angles() {
        assert_eq!(stale("orig_len=4096&target_len=4096"), Some(0.0));
        assert_eq!(stale("orig_len=4096&target_len=1024"), Some(0.0));
        assert_eq!(stale("d_model=2&heads=1"), None);
        // Two pairs: θ₁ = 0.01 becomes 0.01 ÷ 13 at four times 2048 positions with factor 4.
        let found = stale("d_model=4&heads=1").expect("a number");
        assert!(
            (found - 2047.0 * 0.01 * (1.0 - 1.0 / 13.0)).abs() < 1e-9,
            "{found}"
        );
    }
}
