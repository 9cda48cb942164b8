//! `rel-bias`: the biases of one head by offset, as bars that can be dragged.

mod draw;
mod edit;

pub use edit::{Editable, editable, edited, takes};

use std::sync::Arc;

use crate::core::encoding::{ByOffset, Scheme};
use crate::core::toy::random_vector;
use crate::figure::kit::note::{self, note};
use crate::figure::kit::panel::{Chart, round_up, whole_ticks};
use crate::figure::kit::scene::{Hit, Rect, Scene};
use crate::figure::{Arrows, Computed, Figure, Picture, Readout, Table, View, place};
use crate::say;
use crate::state::{Key, Lang, Page, Params, Value};
use crate::words::short;

/// Height of the plotting area.
const HEIGHT: f64 = 260.0;
/// The smallest range upwards and downwards.
const REACH: f64 = 3.0;
/// The table for reading shows no more columns than this.
const MAX_TABLE_ROWS: usize = 513;

pub(crate) const FIGURE: Figure = Figure {
    id: "rel-bias",
    page: Page::Relative,
    controls: &[
        Key::Scheme,
        Key::BiasEdits,
        Key::Head,
        Key::Heads,
        Key::MaxRelDist,
        Key::Bias,
        Key::Seed,
        Key::Causal,
    ],
    listens: &[Key::DModel, Key::SeqLen, Key::BiasEdits],
    arrows: Arrows::Each(Some(Key::Head), Some(Key::I)),
    film: None,
    special: &[],
    compute,
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

fn compute(p: &Params) -> Computed {
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
        let least = values.iter().copied().fold(0.0, f64::min);
        let most = values.iter().copied().fold(0.0, f64::max);
        let (low, high) = if !self.editable() && most <= 0.0 && least < 0.0 {
            // A formula that only falls: all the room below.
            let low = -round_up(-least);
            (low, -0.06 * low)
        } else {
            let reach = |x: f64| if x > REACH { round_up(x) } else { REACH };
            (-reach(-least), reach(most))
        };
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

    fn chart(shown: &Shown, width: f64) -> Chart {
        let (left, top, right, _) = Chart::MARGIN;
        let first = shown.first as f64;
        Chart {
            rect: Rect::new(left, top, width - left - right, HEIGHT),
            x: first - 0.5..first + shown.values.len() as f64 - 0.5,
            y: shown.low..shown.high,
        }
    }

    fn editable(&self) -> bool {
        self.by_offset.numbers().is_some()
    }

    /// A text of the scheme shown.
    fn key(&self, part: &str) -> String {
        format!("figure.rel-bias.{}.{part}", self.scheme.id())
    }

    fn notes_at(width: f64) -> (f64, f64, f64) {
        let (_, top, _, bottom) = Chart::MARGIN;
        (10.0, top + HEIGHT + bottom + 6.0, width - 20.0)
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
        let offset = p.i as i64 - p.j as i64;
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
        let (_, y, wide) = Self::notes_at(width);
        let traced = if width < 330.0 { 2.0 } else { 1.0 };
        y + note::room(wide, |lang| self.words(lang)) + traced * note::LINE + 12.0
    }

    fn draw(&self, p: &Params, view: &View) -> Scene {
        let mut scene = Scene::default();
        let c = view.colours;
        let shown = self.shown(p);
        let chart = Self::chart(&shown, view.width);
        let heading = say!(
            view.lang,
            "figure.rel-bias.heading",
            head = self.head,
            heads = self.heads
        );
        let x_name = if self.by_bucket() {
            say!(view.lang, "figure.rel-bias.bucket_axis")
        } else {
            say!(view.lang, "figure.rel-bias.offset")
        };
        let count = ((chart.rect.w / 52.0) as usize).max(3);
        let across = whole_ticks(chart.x.clone(), count);
        // Under the mask keys after the query are never used.
        if self.causal && !self.by_bucket() && shown.first < 0 {
            let zero = chart.at(-0.5, 0.0).0;
            let r = chart.rect;
            scene.fill(Rect::new(r.x, r.y, zero - r.x, r.h), c.grid.fade(0.7));
        }
        let y_name = say!(view.lang, "figure.rel-bias.bias");
        chart.axes_at(&mut scene, view, &across, (&heading, &x_name, &y_name));
        let traced = self.traced(&shown, p);
        if self.editable() {
            self.bars(&mut scene, view, &chart, &shown, traced);
        } else {
            self.curves(&mut scene, view, &chart, &shown, p);
        }
        scene.targets.push(chart.target(0, shown.values.len()));
        let (x, y, wide) = Self::notes_at(view.width);
        let text = self.column(&shown, traced, view.lang);
        let taken = note(&mut scene, (x, y), wide, &text, c.traced);
        let words = self.words(view.lang);
        note(&mut scene, (x, y + taken + 4.0), wide, &words, c.ink);
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

    fn draggable(&self) -> bool {
        self.editable()
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
        let heading = say!(
            lang,
            "figure.rel-bias.heading",
            head = self.head,
            heads = self.heads
        );
        let colon = say!(lang, "figure.rel-bias.colon");
        format!("{heading}{colon}{}", self.column(&shown, traced, lang))
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
mod tests {
    use super::*;
    use crate::state::{Requested, decode, resolve};

    fn params(requested: &Requested) -> Params {
        resolve(requested, crate::figure::page_of).0
    }

    fn drag(query: &str, hit: Hit) -> (Params, Vec<(Key, Value)>) {
        let mut requested = decode(&format!("embed=rel-bias&{query}")).0;
        let p = params(&requested);
        let picked = compute(&p).expect("computed").picked(hit, &p);
        for (key, value) in picked.clone() {
            requested.set(key, value);
        }
        (params(&requested), picked)
    }

    #[test]
    fn a_drag_sets_the_bar_under_it_and_no_other() {
        let hit = |column, down| Hit {
            target: 0,
            row: 0,
            column,
            down,
        };
        // R = 2, range −3..3: a quarter down is 1.5.
        let query = "max_rel_dist=2&bias=zero&head=1&bias_edits=0:0:1,1:3:-1";
        let (p, _) = drag(query, hit(3, 0.25));
        let table = crate::core::encoding::relative::BiasTable::clipped(&p.setting);
        assert_eq!(table.head(1), [0.0, 0.0, 0.0, 1.5, 0.0]);
        assert_eq!(table.head(0), [1.0, 0.0, 0.0, 0.0, 0.0]);
        let (p, _) = drag(query, hit(4, 0.5));
        assert_eq!(p.setting.bias_edits.len(), 3);
    }

    #[test]
    fn full_edits_and_fixed_slopes_are_left_alone() {
        let edits: Vec<String> = (0..256).map(|k| format!("0:{k}:1")).collect();
        let hit = Hit {
            target: 0,
            row: 0,
            column: 300,
            down: 0.1,
        };
        let query = format!("max_rel_dist=200&bias_edits={}", edits.join(","));
        assert_eq!(drag(&query, hit).1, []);
        let again = Hit { column: 7, ..hit };
        assert_eq!(drag(&query, again).1.len(), 1);
        let (p, picked) = drag("scheme=alibi&seq_len=64", Hit { column: 60, ..hit });
        assert_eq!((p.i, p.j, picked.len()), (0, 3, 2));
    }
}
