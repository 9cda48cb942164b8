//! `ctx-cache`: by how much keys in a cache are turned wrongly once dynamic NTK changes the base.

use std::f64::consts::PI;
use std::sync::Arc;

use super::parts::{LEFT, Pairs, Stroke, level, plot, powers, readout, trace_pair};
use crate::core::encoding::rope::Rope;
use crate::core::encoding::rope_scaling::{Remedy, dynamic_factor, stale_angles};
use crate::figure::kit::panel::Chart;
use crate::figure::kit::scene::{Align, Hit, Rect, Scene, Target};
use crate::figure::{Arrows, Computed, Figure, Picture, Readout, Special, Table, View};
use crate::say;
use crate::state::{Key, Lang, Page, Params, Value};
use crate::words::short;

/// Errors below this are drawn at it.
const FLOOR: f64 = 1e-4;

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
    film: None,
    special: &[Special::ArrowsByPairs],
    compute,
};

struct Cache {
    pairs: Pairs,
    /// Radians for each pair of a key at the last original position; none where dynamic NTK is not
    /// defined.
    errors: Option<Vec<f64>>,
}

fn compute(p: &Params) -> Computed {
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
    Ok(Arc::new(Cache { errors, pairs }))
}

impl Cache {
    fn error(&self, pair: usize) -> f64 {
        self.errors.as_ref().map_or(0.0, |e| e[pair].abs())
    }

    fn largest(&self) -> (usize, f64) {
        let all = (0..self.pairs.count()).map(|k| (k, self.error(k)));
        all.fold((0, 0.0), |a, b| if b.1 > a.1 { b } else { a })
    }

    fn chart(&self, width: f64) -> Chart {
        let (_, top, right, _) = Chart::MARGIN;
        let high = self.largest().1.max(10.0).log10() + 0.4;
        Chart {
            rect: Rect::new(LEFT, top, width - LEFT - right - 4.0, 200.0),
            x: self.pairs.across(),
            y: FLOOR.log10()..high,
        }
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
            turns = short(self.error(pair) / (2.0 * PI)),
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

impl Picture for Cache {
    fn height(&self, width: f64) -> f64 {
        self.chart(width).rect.bottom() + Chart::MARGIN.3 + 6.0
    }

    fn draw(&self, p: &Params, view: &View) -> Scene {
        let mut scene = Scene::default();
        let c = view.colours;
        let chart = self.chart(view.width);
        let r = chart.rect;
        let word = |key: &str| say!(view.lang, format!("figure.ctx-cache.{key}"));
        let pair = say!(view.lang, "figure.ctx.pairs");
        let across = self.pairs.pair_ticks(r.w);
        let up = powers(chart.y.clone(), 7);
        let head = self.words(0, "figure.ctx-cache.chart", view.lang);
        chart.axes_with(&mut scene, view, (&across, &up), (&head, &pair, &word("y")));
        let wide = (r.w / self.pairs.count() as f64 * 0.6).clamp(1.0, 26.0);
        let traced = self.pairs.traced(p);
        let points: Vec<(f64, f64)> = (0..self.pairs.count())
            .map(|k| (k as f64, self.error(k).max(FLOOR).log10()))
            .collect();
        if wide >= 3.0 {
            for &(x, y) in &points {
                let at = chart.at(x, y);
                let bar = Rect::new(at.0 - wide / 2.0, at.1, wide, r.bottom() - at.1);
                let is_traced = x as usize == traced;
                scene.fill(
                    bar,
                    if is_traced {
                        c.traced
                    } else {
                        c.series(2).fade(0.75)
                    },
                );
            }
        } else {
            let s = Stroke {
                colour: c.series(2),
                width: 2.0,
                dash: None,
            };
            plot(&mut scene, &chart, points.into_iter(), s);
            trace_pair(&mut scene, &chart, traced, view);
        }
        let text = word("half_turn");
        level(&mut scene, &chart, PI.log10(), (&text, Align::End), c.key);
        scene.targets.push(Target {
            id: 0,
            rect: r,
            rows: 1,
            columns: self.pairs.count(),
        });
        scene
    }

    fn describe(&self, hit: Hit, _: &Params, lang: Lang) -> String {
        let pair = hit.column.min(self.pairs.count() - 1);
        let key = if self.errors.is_some() {
            "cell"
        } else {
            "sentence_undefined"
        };
        self.words(pair, &format!("figure.ctx-cache.{key}"), lang)
    }

    fn picked(&self, hit: Hit, p: &Params) -> Vec<(Key, Value)> {
        self.pairs.pick(hit.column, p)
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
        let picture = (FIGURE.compute)(&p).expect("computed");
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
