//! `ctx-score`: the score by distance, within and beyond the length of training, for each remedy.

use std::sync::Arc;

use super::lines::{
    Name, compared, gutter, halves, inner, name_lines, plot, side_by_side, stroke, upright,
};
use super::parts::{CONTROLS, Pairs, growing_by_factor, name, powers, readout, short_name};
use crate::core::CoreError;
use crate::core::analysis::similarity_by_distance;
use crate::core::encoding::rope_scaling::{Frequencies, Remedy};
use crate::figure::kit::panel::{Chart, TICK, ticks, whole_ticks};
use crate::figure::kit::scene::{Align, Hit, Mark, Rect, Scene, Stand, text_width};
use crate::figure::kit::veil::veil;
use crate::figure::{Arrows, Computed, Figure, Film, Picture, Readout, Special, Table, View};
use crate::say;
use crate::state::{Key, Lang, Page, Params, Value};
use crate::words::short;

/// Columns of the curves, if the budget allows.
const COLUMNS: usize = 240;
/// Consecutive distances of a column.
const TOGETHER: usize = 12;
/// The near range: every distance up to this one is drawn.
const NEAR: usize = 24;
const NEARBY: usize = 0;
const FAR: usize = 1;
/// No more cosines than this.
const BUDGET: usize = 1_500_000;

pub(crate) const FIGURE: Figure = Figure {
    id: "ctx-score",
    page: Page::Context,
    controls: CONTROLS,
    listens: &[Key::Pairing],
    arrows: Arrows::None,
    film: Film::of_drawing(),
    special: &[Special::AllRemedies],
};

/// Lowest, mean and highest value over the distances of a column.
type Band = (f64, f64, f64);

struct Score {
    pairs: Pairs,
    /// First distance of each column and how many are taken.
    columns: Vec<(usize, usize)>,
    together: usize,
    curves: Vec<(Remedy, Frequencies, Vec<Band>)>,
    /// Of the remedies that are drawn: the scores at distances 0..=[`NEAR`].
    near: Vec<(Remedy, Vec<f64>)>,
}

pub(crate) fn compute(p: &Params) -> Computed {
    Ok(Arc::new(score(p)?))
}

fn score(p: &Params) -> Result<Score, CoreError> {
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
    let curves: Vec<_> = found
        .into_iter()
        .map(|(r, f)| {
            let bands = bands(&f, &columns);
            (r, f, bands)
        })
        .collect();
    let near = compared(&pairs.context).into_iter().filter_map(|remedy| {
        let (_, f, _) = curves.iter().find(|(r, _, _)| *r == remedy)?;
        let mut scores = similarity_by_distance(&f.inv_freq, (0..=NEAR).map(|d| d as f64));
        for score in &mut scores {
            *score *= f.attention_factor.powi(2);
        }
        Some((remedy, scores))
    });
    Ok(Score {
        near: near.collect(),
        pairs,
        columns,
        together,
        curves,
    })
}

/// Distances 1..=last in columns that are even in the logarithm; at most `together` of each.
fn columns(last: usize, wanted: usize, together: usize) -> Vec<(usize, usize)> {
    let step = (last as f64).ln() / wanted as f64;
    let mut starts: Vec<usize> = (0..wanted)
        .map(|k| ((k as f64 * step).exp().floor() as usize).clamp(1, last))
        .collect();
    starts.dedup();
    // A column ends where the next one begins.
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

    fn names(&self, lang: Lang) -> Vec<String> {
        let all = self.near.iter();
        // With room for the question mark of those that are hidden.
        all.map(|(r, _)| format!("{} ?", short_name(*r, lang)))
            .collect()
    }

    /// What is drawn over all distances: no scaling, and the remedy in force.
    fn far(&self) -> impl Iterator<Item = &(Remedy, Frequencies, Vec<Band>)> {
        let now = self.pairs.context.remedy;
        let of = move |r: Remedy| r == Remedy::None || r == now;
        self.curves.iter().filter(move |(r, _, _)| of(*r))
    }

    /// The near range, and all distances.
    fn charts(&self, width: f64, height: f64) -> (Chart, Chart) {
        let right = gutter(|lang| self.names(lang));
        let (a, b) = halves(width, height, if side_by_side(width) { 0.52 } else { 0.57 });
        let ends = |values: &mut dyn Iterator<Item = f64>| {
            let (low, high) = values.fold((1.0, 1.0), |(a, b): (f64, f64), v| (a.min(v), b.max(v)));
            low - 0.06..high + 0.06
        };
        let near = Chart {
            rect: inner(a, right),
            x: 0.0..NEAR as f64 + 0.4,
            y: ends(&mut self.near.iter().flat_map(|(_, all)| all).copied()),
        };
        let far = self.far().flat_map(|(_, _, b)| b);
        let far = Chart {
            rect: inner(b, if side_by_side(width) { 16.0 } else { right }),
            x: 0.0..self.furthest().log10(),
            y: ends(&mut far.flat_map(|b| [b.0, b.2])),
        };
        (near, far)
    }

    fn sampled(&self, lang: Lang) -> String {
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

/// Where the score is 0, if that is in sight.
fn zero_line(scene: &mut Scene, view: &View, chart: &Chart) {
    let r = chart.rect;
    if chart.y.contains(&0.0) {
        let y = chart.at(0.0, 0.0).1;
        scene.fill(Rect::new(r.x, y, r.w, 1.0), view.colours.ink);
    }
}

/// Ticks of an axis of scores.
fn levels(chart: &Chart) -> Vec<(f64, String)> {
    let all = ticks(chart.y.clone(), (chart.rect.h / 34.0) as usize);
    all.into_iter().map(|y| (y, short(y))).collect()
}

impl Score {
    fn draw_both(&self, scene: &mut Scene, view: &View, (near, far): (&Chart, &Chart)) {
        self.draw_near(scene, view, near);
        self.draw_far(scene, view, far);
    }

    /// The near range: a point for each distance, and what is asked for veiled.
    fn draw_near(&self, scene: &mut Scene, view: &View, chart: &Chart) {
        let context = &self.pairs.context;
        let r = chart.rect;
        let word = |key: &str| say!(view.lang, format!("figure.ctx-score.{key}"));
        let across = whole_ticks(0.0..NEAR as f64, (r.w / 60.0) as usize).into_iter();
        let across: Vec<_> = across.map(|x| (x, short(x))).collect();
        let words = (&*word("near"), &*word("x_near"), &*word("y"));
        chart.axes_with(scene, view, (&across, &levels(chart)), words);
        zero_line(scene, view, chart);
        let shown = |r: Remedy| view.reveal || !matches!(r, Remedy::Linear | Remedy::Ntk);
        let mut names = Vec::new();
        for (remedy, scores) in self.near.iter().filter(|(r, _)| shown(*r)) {
            let s = stroke(*remedy, context, view);
            let points = scores.iter().enumerate().map(|(d, y)| (d as f64, *y));
            plot(scene, chart, points.clone(), s);
            for (x, y) in points {
                scene.disc(chart.at(x, y), 1.2 + 0.6 * s.width, s.colour);
            }
            names.push(Name {
                y: chart.at(0.0, scores[NEAR]).1,
                text: short_name(*remedy, view.lang),
                colour: s.colour,
            });
        }
        if !view.reveal {
            let hidden = self.near.iter().filter(|(r, _)| !shown(*r));
            names.extend(hidden.map(|(remedy, _)| Name {
                y: r.y + r.h / 2.0,
                text: format!("{} ?", short_name(*remedy, view.lang)),
                colour: view.colours.accent,
            }));
            let (left, right) = (chart.at(1.0, 0.0).0, chart.at(10.0, 0.0).0);
            veil(scene, view, Rect::new(left, r.y, right - left, r.h));
        }
        name_lines(scene, r, names);
    }

    /// All distances: no scaling, and the remedy in force with its band.
    fn draw_far(&self, scene: &mut Scene, view: &View, chart: &Chart) {
        let c = view.colours;
        let context = &self.pairs.context;
        let r = chart.rect;
        let word = |key: &str| say!(view.lang, format!("figure.ctx-score.{key}"));
        // What lies beyond the length of training.
        let orig = (context.orig_len as f64).log10().min(chart.x.end);
        let edge = chart.at(orig, 0.0).0;
        let beyond = Rect::new(edge, r.y, r.right() - edge, r.h);
        scene.fill(beyond, c.muted.fade(0.1));
        let across = powers(chart.x.clone(), (r.w / 45.0) as usize);
        let words = (&*word("chart"), &*word("x"), &*word("y"));
        chart.axes_with(scene, view, (&across, &levels(chart)), words);
        zero_line(scene, view, chart);
        for (remedy, _, bands) in self.far() {
            let s = stroke(*remedy, context, view);
            let points = self.middles(bands);
            if *remedy == context.remedy {
                let all = || points.iter().zip(bands);
                let high = all().map(|(p, b)| chart.at(p.0, b.2));
                let low = all().rev().map(|(p, b)| chart.at(p.0, b.0));
                scene.marks.push(Mark::Area {
                    points: high.chain(low).collect(),
                    colour: s.colour.fade(0.3),
                });
            }
            let thin = s.width.min(2.0);
            plot(
                scene,
                chart,
                points.into_iter(),
                super::lines::Stroke::solid(s.colour, thin),
            );
        }
        // Curves begin high up at the left: below them is room.
        let text = say!(view.lang, "figure.ctx-score.band");
        let at = (r.x + 22.0, r.bottom() - 10.0);
        if text_width(&text, TICK) + 30.0 < r.w {
            let colour = stroke(context.remedy, context, view).colour;
            let sample = Rect::new(r.x + 6.0, at.1 - 5.0, 12.0, 10.0);
            scene.fill(sample, colour.fade(0.3));
            scene.text(at, text, TICK, c.muted, (Align::Start, Stand::Centre));
        }
        let text = format!("orig_len {}", context.orig_len);
        upright(scene, chart, orig, (&text, 0), c.key);
        let last = (self.last() as f64).log10();
        if let Some(now) = self.at(context.remedy, self.last() as f64) {
            let at = chart.at(last, now.clamp(chart.y.start, chart.y.end));
            scene.disc(at, 6.0, c.surface);
            scene.disc(at, 4.2, c.traced);
        }
    }
}

impl Picture for Score {
    fn height(&self, width: f64) -> f64 {
        // One above the other, where there is room for more height.
        if (480.0..720.0).contains(&width) {
            520.0
        } else {
            400.0
        }
    }

    fn draw(&self, p: &Params, view: &View) -> Scene {
        // The charts stay as they are while a film runs.
        let (near, far) = self.charts(view.width, view.height);
        let mut scene = Scene::default();
        match growing_by_factor(p).map(|p| score(&p)) {
            Some(Ok(shorter)) => shorter.draw_both(&mut scene, view, (&near, &far)),
            _ => self.draw_both(&mut scene, view, (&near, &far)),
        }
        scene.targets.push(near.target(NEARBY, NEAR + 1));
        scene.targets.push(far.target(FAR, COLUMNS));
        scene
    }

    fn describe(&self, hit: Hit, _: &Params, lang: Lang) -> String {
        let distance = if hit.target == NEARBY {
            hit.column
        } else {
            let x = (hit.column as f64 + 0.5) / COLUMNS as f64 * self.furthest().log10();
            (10f64.powf(x).round() as usize).max(1)
        };
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

    fn notes(&self, _: &Params, lang: Lang) -> Vec<String> {
        vec![self.sampled(lang)]
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
mod tests;
