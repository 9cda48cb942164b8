//! `compare-scores`: what each scheme makes of an offset, one small chart a scheme.

use std::sync::Arc;

use super::effects::{CONTROLS, Effect, LISTENS, Places, effects, positions, title, traced};
use crate::core::encoding::Unit;
use crate::figure::kit::colour::Colour;
use crate::figure::kit::panel::{Chart, NAME, TICK, fitted, swatches};
use crate::figure::kit::scene::{Align, Hit, Mark, Rect, Scene, Stand};
use crate::figure::kit::veil::veil;
use crate::figure::{Arrows, Computed, Figure, Film, Picture, Readout, Table, View, place};
use crate::say;
use crate::state::{Key, Lang, Page, Params, Value};
use crate::words::short;

/// Room above a chart for its name.
const ABOVE: f64 = 20.0;
/// Room below all charts for the name of their axis and for what the colours mean.
const FOOT: f64 = 42.0;
/// In places narrower than this the range stands below the chart, not left of it.
const TIGHT: f64 = 130.0;

pub(crate) const FIGURE: Figure = Figure {
    id: "compare-scores",
    page: Page::Compare,
    controls: CONTROLS,
    listens: LISTENS,
    arrows: Arrows::Each(Some(Key::I), Some(Key::J)),
    film: Film {
        key: Some(Key::I),
        frames: positions,
    },
    special: &[],
};

struct Scores {
    n: usize,
    effects: Vec<Effect>,
    causal: bool,
}

pub(crate) fn compute(p: &Params) -> Computed {
    Ok(Arc::new(Scores {
        n: positions(p),
        effects: effects(p)?,
        causal: p.setting.causal,
    }))
}

/// A number in two digits.
fn brief(x: f64) -> String {
    let unit = 10f64.powf(x.abs().max(1e-9).log10().floor() - 1.0);
    short((x / unit).round() * unit)
}

/// The colour of what is added to scores, and of what is a cosine.
fn colour(unit: Option<Unit>, view: &View) -> Colour {
    let c = view.colours;
    match unit {
        Some(Unit::Cosine) => c.series(0),
        Some(Unit::Added) => c.series(1),
        Some(Unit::AddedForQuery) => c.series(3),
        None => c.muted,
    }
}

impl Scores {
    /// The chart of a scheme, and whether its place is narrow.
    fn chart(&self, k: usize, (width, height): (f64, f64)) -> (Chart, bool) {
        let places = Places::of(self.effects.len(), (width, height - FOOT), (12.0, 40.0));
        let place = places.at(k);
        let tight = place.w < TIGHT;
        let (left, below) = if tight { (6.0, 18.0) } else { (40.0, 8.0) };
        let last = (self.n - 1).max(1) as f64;
        let e = &self.effects[k];
        let (low, high) = self
            .offsets()
            .map(|d| e.at_offset(d))
            .fold((f64::MAX, f64::MIN), |(a, b), (low, high)| {
                (a.min(low), b.max(high))
            });
        let pad = (0.08 * (high - low)).max(1e-3 * high.abs()).max(1e-3);
        let chart = Chart {
            rect: Rect::new(
                place.x + left,
                place.y + ABOVE,
                place.w - left - 6.0,
                place.h - ABOVE - below,
            ),
            x: -last..last,
            y: low - pad..high + pad,
        };
        (chart, tight)
    }

    fn offset(&self, hit: Hit) -> i64 {
        hit.column as i64 - (self.n as i64 - 1)
    }

    fn offsets(&self) -> std::ops::RangeInclusive<i64> {
        let last = self.n as i64 - 1;
        -last..=last
    }
}

impl Scores {
    /// The axes of a small chart: its range, and where 0 is.
    fn draw_axes(scene: &mut Scene, view: &View, chart: &Chart, e: &Effect, tight: bool) {
        let c = view.colours;
        let r = chart.rect;
        scene.frame(r, c.grid, 1.0);
        let pad = (chart.y.end - chart.y.start) * 0.08 / 1.16;
        let (low, high) = (chart.y.start + pad, chart.y.end - pad);
        if chart.y.start < 0.0 && chart.y.end > 0.0 {
            let y = chart.at(0.0, 0.0).1;
            scene.fill(Rect::new(r.x, y, r.w, 1.0), c.muted);
        }
        let x = chart.at(0.0, 0.0).0;
        scene.fill(Rect::new(x, r.y, 1.0, r.h), c.grid);
        let ends = if e.unit.is_some() {
            [low, high]
        } else {
            [0.0; 2]
        };
        if !tight {
            let place = (Align::End, Stand::Centre);
            for v in ends.into_iter().take(if e.unit.is_some() { 2 } else { 1 }) {
                let at = (r.x - 4.0, chart.at(0.0, v).1);
                scene.text(at, brief(v), TICK, c.muted, place);
            }
        } else if e.unit.is_some() {
            let at = (r.x + r.w / 2.0, r.bottom() + 2.0);
            let text = format!("{} … {}", brief(low), brief(high));
            let place = (Align::Middle, Stand::Below);
            fitted(scene, at, r.w + 10.0, &text, TICK, c.muted, place);
        }
    }

    fn draw_curve(&self, scene: &mut Scene, view: &View, chart: &Chart, e: &Effect) {
        let colour = colour(e.unit, view);
        let ranges: Vec<_> = self.offsets().map(|d| (d as f64, e.at_offset(d))).collect();
        if e.by_pair {
            // Not a function of the offset: from the smallest to the largest value.
            let upper = ranges.iter().map(|(x, (_, high))| chart.at(*x, *high));
            let lower = ranges.iter().rev().map(|(x, (low, _))| chart.at(*x, *low));
            scene.marks.push(Mark::Area {
                points: upper.chain(lower).collect(),
                colour: colour.fade(0.45),
            });
        }
        let means = ranges
            .iter()
            .map(|(x, (low, high))| (*x, (low + high) / 2.0));
        chart.curve(scene, means, colour, 1.8);
    }
}

impl Picture for Scores {
    fn height(&self, width: f64) -> f64 {
        if width < 480.0 {
            400.0
        } else {
            (0.6 * width + 100.0).clamp(400.0, 500.0)
        }
    }

    fn draw(&self, p: &Params, view: &View) -> Scene {
        let mut scene = Scene::default();
        let c = view.colours;
        let (i, j) = traced(p, self.n);
        let offset = p.passing(i, self.n) - j as f64;
        for (k, e) in self.effects.iter().enumerate() {
            let (chart, tight) = self.chart(k, (view.width, view.height));
            let r = chart.rect;
            title(
                &mut scene,
                view,
                e,
                Rect::new(r.x - 5.0, r.y, r.w + 10.0, r.h),
            );
            Self::draw_axes(&mut scene, view, &chart, e, tight);
            let zero = chart.at(0.0, 0.0).0;
            if self.causal {
                let ahead = Rect::new(r.x, r.y, zero - r.x, r.h);
                scene.fill(ahead, c.muted.fade(0.14));
            }
            self.draw_curve(&mut scene, view, &chart, e);
            let middle = |offset: f64| {
                let (low, high) = e.at_offset(offset as i64);
                (low + high) / 2.0
            };
            // A film goes along the curve from one offset to the next.
            let (from, to) = (middle(offset.floor()), middle(offset.ceil()));
            let value = from + (to - from) * (offset - offset.floor());
            chart.upright(&mut scene, offset, c.traced);
            scene.disc(chart.at(offset, value), 3.5, c.traced);
            if !view.reveal {
                // Whether the left side is like the right one is asked; no end of a line shows.
                let left = Rect::new(r.x - 2.0, r.y, zero - r.x + 2.0, r.h);
                veil(&mut scene, view, left);
            }
            scene.targets.push(chart.target(k, 2 * self.n - 1));
        }
        let y = view.height - FOOT + 4.0;
        let middle = (Align::Middle, Stand::Below);
        let last = self.n - 1;
        let name = say!(view.lang, "figure.compare-scores.x", last = last);
        scene.text((view.width / 2.0, y), name, NAME, c.muted, middle);
        let items = [
            (Unit::Cosine, say!(view.lang, "legend.cosine")),
            (Unit::Added, say!(view.lang, "legend.added")),
            (
                Unit::AddedForQuery,
                say!(view.lang, "legend.added_for_query"),
            ),
        ]
        .map(|(unit, text)| (colour(Some(unit), view), text));
        swatches(&mut scene, view, (8.0, y + 18.0), view.width - 8.0, &items);
        scene
    }

    fn describe(&self, hit: Hit, _: &Params, lang: Lang) -> String {
        let e = &self.effects[hit.target];
        let offset = self.offset(hit);
        let (low, high) = e.at_offset(offset);
        let name = e.name(lang);
        let value = if high - low < 1e-12 {
            short(low)
        } else {
            format!("{} … {}", short(low), short(high))
        };
        say!(
            lang,
            "figure.compare-scores.cell",
            scheme = name,
            offset = short(offset as f64),
            value = value
        )
    }

    fn picked(&self, hit: Hit, p: &Params) -> Vec<(Key, Value)> {
        // The key stays where it is if it can; else both move into the sequence.
        let offset = self.offset(hit);
        let (_, j) = traced(p, self.n);
        let last = self.n as i64 - 1;
        let j = (j as i64).clamp((-offset).max(0), last - offset.max(0));
        vec![
            (Key::I, place((j + offset) as usize)),
            (Key::J, place(j as usize)),
        ]
    }

    fn readouts(&self, p: &Params, lang: Lang) -> Vec<Readout> {
        let (i, j) = traced(p, self.n);
        self.effects
            .iter()
            .filter(|e| e.unit.is_some())
            .map(|e| Readout {
                name: e.scheme.id().into(),
                label: e.name(lang),
                number: Some(e.values[(i, j)]),
                text: short(e.values[(i, j)]),
            })
            .collect()
    }

    fn sentence(&self, p: &Params, lang: Lang) -> String {
        let (i, j) = traced(p, self.n);
        let directed: Vec<String> = self
            .effects
            .iter()
            .filter(|e| e.directed)
            .map(|e| e.name(lang))
            .collect();
        let key = if directed.is_empty() {
            "figure.compare-scores.none_directed"
        } else {
            "figure.compare-scores.sentence"
        };
        let list = directed.join(if lang == Lang::Zh { "、" } else { ", " });
        say!(
            lang,
            key,
            i = i,
            j = j,
            offset = short(i as f64 - j as f64),
            directed = list
        )
    }

    fn table(&self, _: &Params) -> Table {
        let names = self.effects.iter().map(|e| e.scheme.id().to_owned());
        Table {
            columns: std::iter::once("offset".to_owned()).chain(names).collect(),
            rows: self
                .offsets()
                .map(|d| {
                    let middle = |e: &Effect| {
                        let (low, high) = e.at_offset(d);
                        (low + high) / 2.0
                    };
                    std::iter::once(d as f64)
                        .chain(self.effects.iter().map(middle))
                        .collect()
                })
                .collect(),
        }
    }
}
