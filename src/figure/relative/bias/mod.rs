//! `rel-bias`: the biases of one head by offset, as bars that can be dragged.

mod draw;
mod edit;

use draw::Marked;
pub use edit::{Editable, editable, edited, takes};

use std::sync::Arc;

use super::{pair_with, reach};
use crate::core::encoding::{ByOffset, Scheme};
use crate::core::toy::random_vector;
use crate::figure::kit::panel::{Chart, whole_ticks};
use crate::figure::kit::scene::{Hit, Rect, Scene};
use crate::figure::kit::veil::veil;
use crate::figure::{Arrows, Computed, Figure, Film, Picture, Readout, Table, View, place};
use crate::say;
use crate::state::{Key, Lang, Page, Params, Value};
use crate::words::short;

/// Room above the chart for its heading, and for what its sides are.
const ABOVE: f64 = 44.0;
/// The largest height of the plotting area.
const HEIGHT: f64 = 400.0;
/// The table for reading shows no more columns than this.
const MAX_TABLE_ROWS: usize = 513;

pub(crate) const FIGURE: Figure = Figure {
    id: "rel-bias",
    page: Page::Relative,
    controls: &[
        Key::Scheme,
        Key::BiasEdits,
        Key::Head,
        Key::Bias,
        Key::MaxRelDist,
        Key::Causal,
        Key::Heads,
        Key::Seed,
    ],
    listens: &[Key::DModel, Key::SeqLen, Key::BiasEdits],
    arrows: Arrows::Each(Some(Key::Head), Some(Key::I)),
    film: Film::of_positions(Key::I),
    special: &[],
};

struct RelBias {
    scheme: Scheme,
    by_offset: Box<dyn ByOffset>,
    head: usize,
    heads: usize,
    head_dim: usize,
    seq_len: usize,
    causal: bool,
    seed: u32,
    /// What is shown where the query does not matter.
    fixed: Option<Arc<Shown>>,
}

/// What the chart shows of the head: one bias a column, the first at `first`.
struct Shown {
    values: Vec<f64>,
    first: i64,
    low: f64,
    high: f64,
}

pub(crate) fn compute(p: &Params) -> Computed {
    let s = &p.setting;
    let mut figure = RelBias {
        scheme: p.scheme,
        by_offset: p.scheme.offsets(s)?,
        head: p.head,
        heads: s.heads,
        head_dim: s.head_dim(),
        seq_len: p.seq_len,
        causal: s.causal,
        seed: s.seed,
        fixed: None,
    };
    if !figure.by_offset.needs_query() {
        figure.fixed = Some(Arc::new(figure.of_query(&[])));
    }
    Ok(Arc::new(figure))
}

impl RelBias {
    /// What is shown: of the traced query where that matters.
    fn shown(&self, p: &Params) -> Arc<Shown> {
        match &self.fixed {
            Some(shown) => shown.clone(),
            None => Arc::new(self.of_query(&self.query(p))),
        }
    }

    /// The query of the traced position, as `attention` has it; empty where it does not matter.
    fn query(&self, p: &Params) -> Vec<f64> {
        if self.fixed.is_some() {
            return Vec::new();
        }
        random_vector(self.seed, "q", p.i, self.head_dim)
    }

    fn of_query(&self, query: &[f64]) -> Shown {
        let last = self.seq_len as i64 - 1;
        let (first, columns) = match self.by_offset.numbers() {
            Some(table) => (table.first.unwrap_or(0), table.columns as i64),
            None => (-last, 2 * last + 1),
        };
        let values: Vec<f64> = (first..first + columns)
            .map(|at| self.value(self.head, at, query))
            .collect();
        let (low, high) = reach(values.iter().copied(), self.editable());
        Shown {
            values,
            first,
            low,
            high,
        }
    }

    /// The bias of a head at a place of the chart: a column of the table, or an offset.
    fn value(&self, head: usize, at: i64, query: &[f64]) -> f64 {
        match self.by_offset.numbers() {
            Some(table) => {
                let column = at - table.first.unwrap_or(0);
                self.by_offset.column(head, column.max(0) as usize)
            }
            None => self.by_offset.bias(head, at, query),
        }
    }

    fn by_bucket(&self) -> bool {
        self.by_offset.numbers().is_some_and(|t| t.first.is_none())
    }

    fn chart(shown: &Shown, width: f64, height: f64) -> Chart {
        let (left, _, right, bottom) = Chart::MARGIN;
        let first = shown.first as f64;
        let room = (height - ABOVE - bottom - 4.0).clamp(40.0, HEIGHT);
        Chart {
            rect: Rect::new(left, ABOVE, width - left - right, room),
            x: first - 0.5..first + shown.values.len() as f64 - 0.5,
            y: shown.low..shown.high,
        }
    }

    /// The columns of keys before the query (and of itself), and of keys after it, in whole columns.
    fn sides(&self, shown: &Shown) -> [std::ops::Range<usize>; 2] {
        let n = shown.values.len();
        if !self.by_bucket() {
            let zero = (-shown.first).clamp(0, n as i64) as usize;
            return [zero..n, 0..zero];
        }
        let after = |column: &usize| {
            let held = self.by_offset.held(*column);
            held.is_none_or(|(from, _)| from < 0)
        };
        let first = (0..n).find(after).unwrap_or(n);
        [0..first, first..n]
    }

    /// What columns take of the plotting area.
    fn part(chart: &Chart, n: usize, columns: &std::ops::Range<usize>) -> Rect {
        let r = chart.rect;
        let x = |column: usize| r.x + column as f64 * r.w / n as f64;
        let (from, to) = (x(columns.start), x(columns.end));
        Rect::new(from, r.y, to - from, r.h)
    }

    fn editable(&self) -> bool {
        self.by_offset.numbers().is_some()
    }

    /// A text of the scheme shown.
    fn key(&self, part: &str) -> String {
        format!("figure.rel-bias.{}.{part}", self.scheme.id())
    }

    fn heading(&self, lang: Lang) -> String {
        say!(
            lang,
            "figure.rel-bias.heading",
            head = self.head,
            heads = self.heads
        )
    }

    fn words(&self, lang: Lang) -> String {
        let numbers = self.by_offset.named(self.head);
        let texts: Vec<(&str, String)> = numbers.iter().map(|(n, x)| (*n, short(*x))).collect();
        let values: Vec<(&str, &dyn std::fmt::Display)> = texts
            .iter()
            .map(|(name, text)| (*name, text as &dyn std::fmt::Display))
            .collect();
        let part = if self.causal { "note_causal" } else { "note" };
        crate::words::say(lang, &self.key(part), &values)
    }

    /// The column of the chart of the traced pair.
    fn traced(&self, shown: &Shown, p: &Params) -> usize {
        self.column_of(shown, p.i as i64 - p.j as i64)
    }

    /// The column of the chart of the opposite offset; nothing at 0, or where one of the two is masked.
    fn opposite(&self, shown: &Shown, p: &Params) -> Option<usize> {
        (p.i != p.j && !self.causal).then(|| self.column_of(shown, p.j as i64 - p.i as i64))
    }

    fn column_of(&self, shown: &Shown, offset: i64) -> usize {
        let at = if self.editable() {
            self.by_offset.index(offset)
        } else {
            (offset - shown.first).max(0) as usize
        };
        at.min(shown.values.len() - 1)
    }

    /// Says what stands at a column of the chart.
    fn column(&self, shown: &Shown, column: usize, lang: Lang) -> String {
        let value = short(shown.values[column]);
        if !self.by_bucket() {
            let at = column as i64 + shown.first;
            return say!(
                lang,
                "figure.rel-bias.cell",
                offset = short(at as f64),
                head = self.head,
                value = value
            );
        }
        let (key, from, to) = match self.by_offset.held(column) {
            None => ("figure.rel-bias.unused", 0, 0),
            Some((from, None)) => ("figure.rel-bias.bucket_open", from, from),
            Some((from, Some(to))) if from == to => ("figure.rel-bias.bucket_one", from, to),
            Some((from, Some(to))) => ("figure.rel-bias.bucket", from, to),
        };
        say!(
            lang,
            key,
            column = column,
            from = short(from as f64),
            to = short(to as f64),
            value = value
        )
    }
}

impl Picture for RelBias {
    fn height(&self, width: f64) -> f64 {
        ABOVE + (0.62 * width).clamp(240.0, HEIGHT) + Chart::MARGIN.3 + 4.0
    }

    fn draw(&self, p: &Params, view: &View) -> Scene {
        let mut scene = Scene::default();
        let c = view.colours;
        let shown = self.shown(p);
        let chart = Self::chart(&shown, view.width, view.height);
        let x_name = if self.by_bucket() {
            say!(view.lang, "figure.rel-bias.bucket_axis")
        } else {
            say!(view.lang, "figure.rel-bias.offset")
        };
        let count = ((chart.rect.w / 52.0) as usize).max(3);
        let across = whole_ticks(chart.x.clone(), count);
        let sides = self.sides(&shown);
        let n = shown.values.len();
        // Under the mask keys after the query are never used.
        if self.causal && !self.by_bucket() {
            let part = Self::part(&chart, n, &sides[1]);
            scene.fill(part, c.grid.fade(0.7));
        }
        let y_name = say!(view.lang, "figure.rel-bias.bias");
        chart.axes_at(&mut scene, view, &across, ("", &x_name, &y_name));
        self.headings(&mut scene, view, &chart, &sides, n);
        let traced = self.traced(&shown, p);
        if self.editable() {
            let hidden = if view.reveal { 0..0 } else { sides[1].clone() };
            let marked = Marked {
                traced,
                opposite: self.opposite(&shown, p),
                hidden,
            };
            self.bars(&mut scene, view, &chart, &shown, &marked);
        } else {
            self.curves(&mut scene, view, &chart, &shown, p);
        }
        if p.between > 0.0 {
            let next = self.column_of(&shown, p.i as i64 + 1 - p.j as i64);
            Self::on_way(&mut scene, view, &chart, &shown, (traced, next), p.between);
        }
        if !view.reveal && !sides[1].is_empty() {
            veil(&mut scene, view, Self::part(&chart, n, &sides[1]));
        }
        scene.targets.push(chart.target(0, n));
        scene
    }

    fn describe(&self, hit: Hit, p: &Params, lang: Lang) -> String {
        self.column(&self.shown(p), hit.column, lang)
    }

    fn picked(&self, hit: Hit, p: &Params) -> Vec<(Key, Value)> {
        let shown = self.shown(p);
        if !self.editable() {
            let offset = hit.column as i64 + shown.first;
            let (i, j) = (offset.max(0) as usize, (-offset).max(0) as usize);
            return vec![(Key::I, place(i)), (Key::J, place(j))];
        }
        let value = shown.high - hit.down.clamp(0.0, 1.0) * (shown.high - shown.low);
        edited(p, hit.column, (value * 100.0).round() / 100.0)
    }

    fn pointed(&self, hit: Hit, p: &Params) -> Vec<(Key, usize)> {
        let shown = self.shown(p);
        let held = || self.by_offset.held(hit.column);
        let offset = if self.by_bucket() {
            held().map(|(from, _)| from)
        } else {
            Some(hit.column as i64 + shown.first)
        };
        offset.map_or_else(Vec::new, |d| pair_with(d, p, self.seq_len))
    }

    /// Bars are drawn with the pointer.
    fn dragged(&self, _: Hit, to: Hit, p: &Params) -> Vec<(Key, Value)> {
        self.picked(to, p)
    }

    fn readouts(&self, p: &Params, lang: Lang) -> Vec<Readout> {
        let offset = p.i as i64 - p.j as i64;
        let value = self.by_offset.bias(self.head, offset, &self.query(p));
        vec![Readout {
            name: "bias".into(),
            label: say!(
                lang,
                "figure.rel-bias.readout",
                head = self.head,
                offset = short(offset as f64)
            ),
            number: Some(value),
            text: short(value),
        }]
    }

    fn sentence(&self, p: &Params, lang: Lang) -> String {
        let shown = self.shown(p);
        let traced = self.traced(&shown, p);
        let heading = self.heading(lang);
        let colon = say!(lang, "figure.rel-bias.colon");
        format!("{heading}{colon}{}", self.column(&shown, traced, lang))
    }

    fn notes(&self, p: &Params, lang: Lang) -> Vec<String> {
        let query = self.query(p);
        let offset = p.i.abs_diff(p.j) as i64;
        let of = |d: i64| short(self.by_offset.bias(self.head, d, &query));
        let both = (offset > 0 && !self.causal).then(|| {
            say!(
                lang,
                "figure.rel-bias.both",
                offset = offset,
                before = of(offset),
                after = of(-offset)
            )
        });
        both.into_iter().chain([self.words(lang)]).collect()
    }

    fn table(&self, p: &Params) -> Table {
        let name = if self.by_bucket() { "bucket" } else { "offset" };
        let (shown, query) = (self.shown(p), self.query(p));
        // For one query the other heads have others.
        let heads = if self.by_offset.needs_query() {
            self.head..self.head + 1
        } else {
            0..self.heads
        };
        // The middle of what is too long: the offsets nearest to 0.
        let skip = shown.values.len().saturating_sub(MAX_TABLE_ROWS) / 2;
        let rows = (0..shown.values.len()).skip(skip).take(MAX_TABLE_ROWS);
        Table {
            columns: std::iter::once(name.to_owned())
                .chain(heads.clone().map(|h| format!("head_{h}")))
                .collect(),
            rows: rows
                .map(|column| {
                    let at = column as i64 + shown.first;
                    let values = heads.clone().map(|h| self.value(h, at, &query));
                    std::iter::once(at as f64).chain(values).collect()
                })
                .collect(),
        }
    }
}

#[cfg(test)]
mod tests;
