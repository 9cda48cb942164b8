//! `ctx-score`: the score by distance, within and beyond the length of training, for each remedy.

use std::sync::Arc;

use super::parts::{
    CONTROLS, LEFT, Pairs, foot, last, legend_room, name, plot, powers, readout, stroke, upright,
};
use crate::core::analysis::similarity_by_distance;
use crate::core::encoding::rope_scaling::{Frequencies, Remedy};
use crate::figure::kit::note::room;
use crate::figure::kit::panel::{Chart, ticks};
use crate::figure::kit::scene::{Hit, Mark, Rect, Scene, Target};
use crate::figure::{Arrows, Computed, Figure, Picture, Readout, Special, Table, View};
use crate::say;
use crate::state::{Key, Lang, Page, Params, Value};
use crate::words::short;

/// Columns of the curves, if the budget allows.
const COLUMNS: usize = 240;
/// Consecutive distances of a column.
const TOGETHER: usize = 12;
/// No more cosines than this.
const BUDGET: usize = 1_500_000;

pub(crate) const FIGURE: Figure = Figure {
    id: "ctx-score",
    page: Page::Context,
    controls: CONTROLS,
    listens: &[Key::Pairing],
    arrows: Arrows::None,
    film: None,
    special: &[Special::AllRemedies],
    compute,
};

/// Lowest, mean and highest value over the distances of a column.
type Band = (f64, f64, f64);

struct Score {
    pairs: Pairs,
    /// First distance of each column and how many are taken.
    columns: Vec<(usize, usize)>,
    together: usize,
    curves: Vec<(Remedy, Frequencies, Vec<Band>)>,
}

fn compute(p: &Params) -> Computed {
    let pairs = Pairs::of(p)?;
    let found: Vec<(Remedy, Frequencies)> = Remedy::ALL
        .into_iter()
        .filter_map(|r| Some((r, pairs.under(r)?)))
        .collect();
    let most = BUDGET / (found.len().max(1) * pairs.count());
    let together = (most / COLUMNS).clamp(2, TOGETHER);
    let wanted = (most / together).clamp(8, COLUMNS);
    let last = pairs.context.orig_len.max(pairs.context.target_len) - 1;
    let columns = columns(last, wanted, together);
    let curves = found
        .into_iter()
        .map(|(r, f)| {
            let bands = bands(&f, &columns);
            (r, f, bands)
        })
        .collect();
    Ok(Arc::new(Score {
        pairs,
        columns,
        together,
        curves,
    }))
}

/// Distances 1..=last in columns that are even in the logarithm; at most `together` of each.
fn columns(last: usize, wanted: usize, together: usize) -> Vec<(usize, usize)> {
    let step = (last as f64).ln() / wanted as f64;
    let mut starts: Vec<usize> = (0..wanted)
        .map(|k| ((k as f64 * step).exp().floor() as usize).clamp(1, last))
        .collect();
    starts.dedup();
    let ends = starts
        .iter()
        .skip(1)
        .copied()
        .chain([last + 1])
        .collect::<Vec<_>>();
    let mut out: Vec<_> = starts
        .into_iter()
        .zip(ends)
        .map(|(from, to)| (from, (to - from).min(together)))
        .collect();
    // The last distance of all is there too.
    if out.last().is_some_and(|(from, n)| from + n <= last) {
        out.push((last, 1));
    }
    out
}

/// Mean cosine times the squared attention factor over the distances of each column.
fn bands(f: &Frequencies, columns: &[(usize, usize)]) -> Vec<Band> {
    let weight = f.attention_factor.powi(2) / f.inv_freq.len() as f64;
    let turns: Vec<(f64, f64)> = f.inv_freq.iter().map(|w| w.sin_cos()).collect();
    columns
        .iter()
        .map(|&(from, n)| {
            let mut sums = [0.0; TOGETHER];
            for (w, turn) in f.inv_freq.iter().zip(&turns) {
                let (mut sin, mut cos) = (from as f64 * w).sin_cos();
                for sum in &mut sums[..n] {
                    *sum += cos;
                    (sin, cos) = (sin * turn.1 + cos * turn.0, cos * turn.1 - sin * turn.0);
                }
            }
            let values = sums[..n].iter().map(|s| s * weight);
            let (low, high) = crate::figure::rope::curves::ends(values.clone());
            (low, values.sum::<f64>() / n as f64, high)
        })
        .collect()
}

impl Score {
    /// The value at one distance.
    fn at(&self, remedy: Remedy, distance: f64) -> Option<f64> {
        let (_, f, _) = self.curves.iter().find(|(r, _, _)| *r == remedy)?;
        let cos = similarity_by_distance(&f.inv_freq, std::iter::once(distance))[0];
        Some(cos * f.attention_factor.powi(2))
    }

    fn last(&self) -> usize {
        self.pairs.context.target_len - 1
    }

    fn furthest(&self) -> f64 {
        let c = &self.pairs.context;
        (c.orig_len.max(c.target_len) - 1) as f64
    }

    fn chart(&self, width: f64) -> Chart {
        let (_, top, right, _) = Chart::MARGIN;
        let values = self.curves.iter().flat_map(|(_, _, b)| b);
        let (low, high) = values.fold((-0.2, 1.0), |(a, b): (f64, f64), v| {
            (a.min(v.0), b.max(v.2))
        });
        Chart {
            rect: Rect::new(
                LEFT,
                top,
                width - LEFT - right - 4.0,
                if width > 700.0 { 300.0 } else { 240.0 },
            ),
            x: 0.0..self.furthest().log10(),
            y: low - 0.06..high + 0.06,
        }
    }

    fn texts(&self, lang: Lang) -> Vec<String> {
        let present = self.pairs.context.remedy;
        let text = |r: Remedy| {
            let name = name(r, lang);
            if r == present {
                say!(lang, "figure.ctx.present", name = name)
            } else {
                name
            }
        };
        self.curves.iter().map(|(r, _, _)| text(*r)).collect()
    }

    fn below(&self, lang: Lang) -> String {
        let key = "figure.ctx-score.note";
        say!(
            lang,
            key,
            together = self.together,
            columns = self.columns.len()
        )
    }

    fn words(&self, distance: usize, key: &str, lang: Lang) -> String {
        let c = &self.pairs.context;
        let value = |r| self.at(r, distance as f64).map_or("–".to_owned(), short);
        say!(
            lang,
            key,
            distance = distance,
            remedy = name(c.remedy, lang),
            now = value(c.remedy),
            none = value(Remedy::None),
            orig = c.orig_len,
            square = short(self.pairs.rope.attention_factor().powi(2)),
            at_orig = self
                .at(c.remedy, (c.orig_len - 1) as f64)
                .map_or("–".to_owned(), short),
            last_orig = c.orig_len - 1
        )
    }

    fn middles(&self, bands: &[Band]) -> Vec<(f64, f64)> {
        let x = |(from, n): (usize, usize)| (from as f64 + (n - 1) as f64 / 2.0).log10();
        let columns = self.columns.iter().zip(bands);
        columns.map(|(c, b)| (x(*c), b.1)).collect()
    }
}

impl Picture for Score {
    fn height(&self, width: f64) -> f64 {
        let inner = width - 24.0;
        self.chart(width).rect.bottom()
            + Chart::MARGIN.3
            + 6.0
            + legend_room(inner, |lang| self.texts(lang))
            + 4.0
            + room(inner, |lang| self.below(lang))
    }

    fn draw(&self, _: &Params, view: &View) -> Scene {
        let mut scene = Scene::default();
        let c = view.colours;
        let chart = self.chart(view.width);
        let r = chart.rect;
        let context = &self.pairs.context;
        let word = |key: &str| say!(view.lang, format!("figure.ctx-score.{key}"));
        // What lies beyond the length of training.
        let edge = chart
            .at((context.orig_len as f64).log10().min(chart.x.end), 0.0)
            .0;
        scene.fill(
            Rect::new(edge, r.y, r.right() - edge, r.h),
            c.muted.fade(0.1),
        );
        let across = powers(chart.x.clone(), (r.w / 45.0) as usize);
        let up: Vec<_> = ticks(chart.y.clone(), 7)
            .into_iter()
            .map(|y| (y, short(y)))
            .collect();
        let names = (&*word("chart"), &*word("x"), &*word("y"));
        chart.axes_with(&mut scene, view, (&across, &up), names);
        let zero = chart.at(0.0, 0.0).1;
        scene.fill(Rect::new(r.x, zero, r.w, 1.0), c.ink);
        for (remedy, _, bands) in last(&self.curves, |c| c.0 == context.remedy) {
            let s = stroke(*remedy, context, view);
            let points = self.middles(bands);
            if *remedy == context.remedy {
                let high = points.iter().zip(bands).map(|(p, b)| chart.at(p.0, b.2));
                let low = points
                    .iter()
                    .zip(bands)
                    .rev()
                    .map(|(p, b)| chart.at(p.0, b.0));
                scene.marks.push(Mark::Area {
                    points: high.chain(low).collect(),
                    colour: s.colour.fade(0.3),
                });
            }
            plot(&mut scene, &chart, points.into_iter(), s);
        }
        let orig = format!("orig_len {}", context.orig_len);
        let at = (context.orig_len as f64).log10().min(chart.x.end);
        upright(&mut scene, &chart, at, (&orig, 0), c.key);
        let target = format!("target_len {}", context.target_len);
        let at = (context.target_len as f64).log10().min(chart.x.end);
        upright(&mut scene, &chart, at, (&target, 1), c.query);
        if let Some(now) = self.at(context.remedy, self.last() as f64) {
            let at = chart.at(
                (self.last() as f64).log10(),
                now.clamp(chart.y.start, chart.y.end),
            );
            scene.disc(at, 6.0, c.surface);
            scene.disc(at, 4.2, c.traced);
        }
        scene.targets.push(Target {
            id: 0,
            rect: r,
            rows: 1,
            columns: COLUMNS,
        });
        let texts = self.texts(view.lang);
        let items: Vec<_> = self
            .curves
            .iter()
            .zip(texts)
            .map(|((remedy, _, _), text)| (stroke(*remedy, context, view), text))
            .collect();
        let inner = view.width - 24.0;
        let y = r.bottom() + Chart::MARGIN.3 + 6.0;
        let room = legend_room(inner, |lang| self.texts(lang)) + 4.0;
        foot(&mut scene, view, (y, room), &items, &self.below(view.lang));
        scene
    }

    fn describe(&self, hit: Hit, _: &Params, lang: Lang) -> String {
        let x = (hit.column as f64 + 0.5) / COLUMNS as f64 * self.furthest().log10();
        let distance = (10f64.powf(x).round() as usize).max(1);
        let values: Vec<String> = self
            .curves
            .iter()
            .filter_map(|(r, _, _)| {
                Some(format!(
                    "{} {}",
                    name(*r, lang),
                    short(self.at(*r, distance as f64)?)
                ))
            })
            .collect();
        let list = values.join(if lang == Lang::Zh { "，" } else { ", " });
        say!(
            lang,
            "figure.ctx-score.cell",
            distance = distance,
            list = list
        )
    }

    fn picked(&self, _: Hit, _: &Params) -> Vec<(Key, Value)> {
        Vec::new()
    }

    fn readouts(&self, _: &Params, lang: Lang) -> Vec<Readout> {
        let last = self.last();
        let label = |key: &str| self.words(last, &format!("figure.ctx-score.{key}"), lang);
        let c = &self.pairs.context;
        let mut out = Vec::new();
        if let Some(x) = self.at(c.remedy, last as f64) {
            out.push(readout("score", label("score"), x));
        }
        if let Some(x) = self.at(Remedy::None, last as f64) {
            out.push(readout("score-none", label("score_none"), x));
        }
        out
    }

    fn sentence(&self, _: &Params, lang: Lang) -> String {
        let none = self.pairs.context.remedy == Remedy::None;
        let key = if none { "sentence_none" } else { "sentence" };
        self.words(self.last(), &format!("figure.ctx-score.{key}"), lang)
    }

    fn table(&self, _: &Params) -> Table {
        let ids = self.curves.iter().map(|(r, _, _)| r.id().to_owned());
        let mut columns: Vec<String> = vec!["first_distance".to_owned(), "distances".to_owned()];
        columns.extend(ids);
        let row = |k: usize| {
            let (from, n) = self.columns[k];
            let mut row = vec![from as f64, n as f64];
            row.extend(self.curves.iter().map(|(_, _, b)| b[k].1));
            row
        };
        Table {
            columns,
            rows: (0..self.columns.len()).map(row).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ctx_columns_cover_near_distances_and_reach_the_last() {
        for last in [15, 100, 8191, 131_071, (1 << 24) - 1] {
            let all = columns(last, 240, 12);
            assert_eq!(all[0].0, 1);
            let (from, n) = all[all.len() - 1];
            assert_eq!(from + n - 1, last);
            assert!(all.windows(2).all(|w| w[0].0 + w[0].1 <= w[1].0));
            assert!(all.iter().all(|(_, n)| (1..=12).contains(n)));
        }
    }

    #[test]
    fn ctx_bands_are_those_of_cosines_one_by_one() {
        let f = Frequencies {
            inv_freq: (0..64)
                .map(|i| 10000f64.powf(-f64::from(i) / 64.0))
                .collect(),
            ratios: vec![1.0; 64],
            attention_factor: 1.2,
        };
        let all = columns(131_071, 240, 12);
        for (&(from, n), band) in all.iter().zip(bands(&f, &all)).step_by(17) {
            let d = (from..from + n).map(|d| d as f64);
            let known: Vec<f64> = similarity_by_distance(&f.inv_freq, d)
                .iter()
                .map(|c| 1.44 * c)
                .collect();
            let (low, high) = crate::figure::rope::curves::ends(known.iter().copied());
            let mean = known.iter().sum::<f64>() / n as f64;
            let wrong = (band.0 - low)
                .abs()
                .max((band.1 - mean).abs())
                .max((band.2 - high).abs());
            assert!(wrong < 1e-12, "{from}: {wrong}");
        }
    }
}
