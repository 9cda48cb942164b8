//! `compare-scores`: what each scheme makes of an offset, one small chart a scheme.

use std::sync::Arc;

use super::effects::{CONTROLS, Effect, LISTENS, columns, effects, positions, traced};
use crate::figure::kit::panel::Chart;
use crate::figure::kit::scene::{Hit, Rect, Scene};
use crate::figure::{Arrows, Computed, Figure, Picture, Readout, Table, View, place};
use crate::say;
use crate::state::{Key, Lang, Page, Params, Value};
use crate::words::short;

/// Height of one chart with its axes.
const ROW: f64 = 210.0;

pub(crate) const FIGURE: Figure = Figure {
    id: "compare-scores",
    page: Page::Compare,
    controls: CONTROLS,
    listens: LISTENS,
    arrows: Arrows::Each(Some(Key::I), Some(Key::J)),
    film: None,
    special: &[],
    compute,
};

struct Scores {
    n: usize,
    effects: Vec<Effect>,
    causal: bool,
}

fn compute(p: &Params) -> Computed {
    Ok(Arc::new(Scores {
        n: positions(p),
        effects: effects(p)?,
        causal: p.setting.causal,
    }))
}

impl Scores {
    fn chart(&self, k: usize, width: f64) -> Chart {
        let columns = columns(width);
        let cell = width / columns as f64;
        let (left, top, right, bottom) = Chart::MARGIN;
        let (row, column) = (k / columns, k % columns);
        let last = (self.n - 1).max(1) as f64;
        let e = &self.effects[k];
        Chart {
            rect: Rect::new(
                column as f64 * cell + left,
                row as f64 * ROW + top,
                cell - left - right,
                ROW - top - bottom - 8.0,
            ),
            x: -last..last,
            y: -e.limit..e.limit,
        }
    }

    fn offset(&self, hit: Hit) -> i64 {
        hit.column as i64 - (self.n as i64 - 1)
    }

    fn offsets(&self) -> std::ops::RangeInclusive<i64> {
        let last = self.n as i64 - 1;
        -last..=last
    }
}

impl Picture for Scores {
    fn height(&self, width: f64) -> f64 {
        self.effects.len().div_ceil(columns(width)) as f64 * ROW
    }

    fn draw(&self, p: &Params, view: &View) -> Scene {
        let mut scene = Scene::default();
        let c = view.colours;
        let (i, j) = traced(p, self.n);
        let offset = i as f64 - j as f64;
        for (k, e) in self.effects.iter().enumerate() {
            let chart = self.chart(k, view.width);
            let r = chart.rect;
            let (heading, unit) = (e.name(view.lang), e.unit_word(view.lang));
            let x_name = say!(view.lang, "axis.offset");
            chart.axes(&mut scene, view, &heading, &x_name, &unit);
            if self.causal {
                let ahead = Rect::new(r.x, r.y, chart.at(0.0, 0.0).0 - r.x, r.h);
                scene.fill(ahead, c.muted.fade(0.14));
            }
            let colour = c.series(k);
            let ranges: Vec<_> = self.offsets().map(|d| (d as f64, e.at_offset(d))).collect();
            if e.by_pair {
                // Not a function of the offset: from the smallest to the largest value.
                let upper = ranges.iter().map(|(x, (_, high))| chart.at(*x, *high));
                let lower = ranges.iter().rev().map(|(x, (low, _))| chart.at(*x, *low));
                scene.marks.push(crate::figure::kit::scene::Mark::Area {
                    points: upper.chain(lower).collect(),
                    colour: colour.fade(0.45),
                });
            }
            let means = ranges
                .iter()
                .map(|(x, (low, high))| (*x, (low + high) / 2.0));
            chart.curve(&mut scene, means, colour, 1.8);
            chart.upright(&mut scene, offset, c.traced);
            let (low, high) = e.at_offset(offset as i64);
            scene.disc(chart.at(offset, (low + high) / 2.0), 3.5, c.traced);
            scene.targets.push(chart.target(k, 2 * self.n - 1));
        }
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
