//! `rel-bias`: the biases of one head by offset, as bars that can be dragged.

use std::sync::Arc;

use super::offset::{Biases, Family, Offsets};
use crate::core::encoding::relative::BiasEdit;
use crate::figure::kit::colour::Colour;
use crate::figure::kit::note::{self, note};
use crate::figure::kit::panel::{Chart, TICK, round_up, whole_ticks};
use crate::figure::kit::scene::{Align, Hit, Rect, Scene, Stand};
use crate::figure::{Computed, Figure, Picture, Readout, Table, View, place};
use crate::say;
use crate::state::{Key, Lang, MAX_EDITS, Page, Params, Value};
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
    arrows: (Some(Key::Head), Some(Key::I)),
    plays: None,
    compute,
};

struct RelBias {
    offsets: Offsets,
    biases: Biases,
    head: usize,
    heads: usize,
    seq_len: usize,
    /// What the chart shows of the head: one bias a column, the first at `first`.
    values: Vec<f64>,
    first: i64,
    low: f64,
    high: f64,
}

fn compute(p: &Params) -> Computed {
    let offsets = Offsets::of(p);
    let biases = Biases::of(p);
    let head = p.head;
    let (first, values): (i64, Vec<f64>) = match offsets.columns() {
        Some(columns) => {
            let first = match offsets.family {
                Family::Clipped => -(p.setting.max_rel_dist as i64),
                _ => 0,
            };
            (first, (0..columns).map(|c| biases.at(head, c)).collect())
        }
        None => {
            let last = p.seq_len as i64 - 1;
            let at = |offset: i64| biases.at(head, offsets.index(offset));
            (-last, (-last..=last).map(at).collect())
        }
    };
    let least = values.iter().copied().fold(0.0, f64::min);
    let most = values.iter().copied().fold(0.0, f64::max);
    let (low, high) = if offsets.family == Family::Slope {
        let low = -round_up(-least);
        (low, -0.06 * low)
    } else {
        let reach = |x: f64| if x > REACH { round_up(x) } else { REACH };
        (-reach(-least), reach(most))
    };
    Ok(Arc::new(RelBias {
        offsets,
        biases,
        head,
        heads: p.setting.heads,
        seq_len: p.seq_len,
        values,
        first,
        low,
        high,
    }))
}

impl RelBias {
    fn chart(&self, width: f64) -> Chart {
        let (left, top, right, _) = Chart::MARGIN;
        let first = self.first as f64;
        Chart {
            rect: Rect::new(left, top, width - left - right, HEIGHT),
            x: first - 0.5..first + self.values.len() as f64 - 0.5,
            y: self.low..self.high,
        }
    }

    fn editable(&self) -> bool {
        self.offsets.family != Family::Slope
    }

    fn notes_at(width: f64) -> (f64, f64, f64) {
        let (_, top, _, bottom) = Chart::MARGIN;
        (10.0, top + HEIGHT + bottom + 6.0, width - 20.0)
    }

    fn words(&self, lang: Lang) -> String {
        let mut text = match self.offsets.family {
            Family::Clipped => say!(lang, "figure.rel-bias.clipped"),
            Family::Buckets if self.offsets.causal => say!(lang, "figure.rel-bias.buckets_causal"),
            Family::Buckets => say!(lang, "figure.rel-bias.buckets"),
            Family::Slope => say!(
                lang,
                "figure.rel-bias.slope",
                slope = short(-self.biases.at(self.head, 1))
            ),
        };
        if self.offsets.causal && self.offsets.family != Family::Buckets {
            text += &say!(lang, "figure.rel-bias.masked");
        }
        text
    }

    /// The column of the chart of the traced pair.
    fn traced(&self, p: &Params) -> usize {
        let offset = p.i as i64 - p.j as i64;
        match self.offsets.family {
            Family::Slope => (offset - self.first).max(0) as usize,
            _ => self.offsets.index(offset),
        }
    }

    /// Says what stands at a column of the chart.
    fn column(&self, column: usize, lang: Lang) -> String {
        let value = short(self.values[column]);
        let at = column as i64 + self.first;
        match self.offsets.family {
            Family::Buckets => match self.offsets.held(column) {
                None => say!(lang, "figure.rel-bias.unused", column = column),
                Some((from, None)) => say!(
                    lang,
                    "figure.rel-bias.bucket_open",
                    column = column,
                    from = short(from as f64),
                    value = value
                ),
                Some((from, Some(to))) if from == to => say!(
                    lang,
                    "figure.rel-bias.bucket_one",
                    column = column,
                    from = short(from as f64),
                    value = value
                ),
                Some((from, Some(to))) => say!(
                    lang,
                    "figure.rel-bias.bucket",
                    column = column,
                    from = short(from as f64),
                    to = short(to as f64),
                    value = value
                ),
            },
            _ => say!(
                lang,
                "figure.rel-bias.cell",
                offset = short(at as f64),
                head = self.head,
                value = value
            ),
        }
    }

    /// Bars; where they are finer than pixels, each pixel from the lowest to the highest.
    fn bars(&self, scene: &mut Scene, view: &View, chart: &Chart, traced: usize) {
        let c = view.colours;
        let n = self.values.len();
        let r = chart.rect;
        let colour = self.colour(view);
        let zero = chart.at(0.0, 0.0).1;
        let pixel = r.w / n as f64;
        let bar = |scene: &mut Scene, x: f64, w: f64, low: f64, high: f64, colour: Colour| {
            let (top, foot) = (chart.at(0.0, high).1, chart.at(0.0, low).1);
            scene.fill(Rect::new(x, top, w, (foot - top).max(1.0)), colour);
        };
        if pixel >= 3.0 {
            let gap = (pixel * 0.18).min(4.0);
            for (k, &v) in self.values.iter().enumerate() {
                let x = r.x + k as f64 * pixel + gap / 2.0;
                let fade = match k {
                    _ if k == traced => 1.0,
                    _ if self.offsets.unused(k) => 0.2,
                    _ => 0.78,
                };
                let hue = if k == traced { c.traced } else { colour };
                bar(
                    scene,
                    x,
                    pixel - gap,
                    v.min(0.0),
                    v.max(0.0),
                    hue.fade(fade),
                );
                if pixel >= 12.0 {
                    // A grip says that the bar can be moved.
                    let y = chart.at(0.0, v).1;
                    scene.disc((x + (pixel - gap) / 2.0, y), 3.5, hue);
                }
                if pixel >= 34.0 {
                    let (y, stand) = if v >= 0.0 {
                        (chart.at(0.0, v).1 - 6.0, Stand::Above)
                    } else {
                        (chart.at(0.0, v).1 + 6.0, Stand::Below)
                    };
                    let at = (
                        x + (pixel - gap) / 2.0,
                        y.clamp(r.y + 12.0, r.bottom() - 12.0),
                    );
                    let text = format!("{v:.2}").replace('-', "−");
                    scene.text(at, text, TICK, c.ink, (Align::Middle, stand));
                }
            }
            return;
        }
        for px in 0..r.w as usize {
            let from = (px as f64 / r.w * n as f64) as usize;
            let to = (((px + 1) as f64 / r.w * n as f64) as usize).clamp(from + 1, n);
            let here = &self.values[from.min(n - 1)..to];
            let low = here.iter().copied().fold(0.0, f64::min);
            let high = here.iter().copied().fold(0.0, f64::max);
            bar(scene, r.x + px as f64, 1.0, low, high, colour);
        }
        let x = r.x + (traced as f64 + 0.5) * pixel;
        scene.dashed(vec![(x, r.y), (x, r.bottom())], c.traced, 1.5);
        let y = chart.at(0.0, self.values[traced]).1;
        scene.line(vec![(x, zero), (x, y)], c.traced, 2.0);
        scene.disc((x, y), 4.0, c.traced);
    }

    /// One line a head, each until it leaves the chart.
    fn slopes(&self, scene: &mut Scene, view: &View, chart: &Chart, traced: usize) {
        let c = view.colours;
        let reach = (self.seq_len - 1) as f64;
        let line = |scene: &mut Scene, head: usize, colour: Colour, width: f64| {
            let slope = -self.biases.at(head, 1);
            let far = reach.min(-self.low / slope.max(f64::MIN_POSITIVE));
            let ends = [-far, 0.0, far].map(|x| chart.at(x, -slope * x.abs()));
            scene.line(ends.to_vec(), colour, width);
        };
        for head in (0..self.heads).filter(|&h| h != self.head) {
            line(scene, head, c.muted.fade(0.45), 1.0);
        }
        line(scene, self.head, self.colour(view), 2.6);
        let x = traced as f64 + self.first as f64;
        chart.upright(scene, x, c.traced);
        scene.disc(chart.at(x, self.values[traced]), 4.5, c.traced);
    }

    fn colour(&self, view: &View) -> Colour {
        view.colours.series(self.head)
    }
}

/// Column of the table and bias of the traced pair of positions in the head shown, if the scheme
/// has a table that can be edited.
pub fn traced_bias(p: &Params) -> Option<(usize, f64)> {
    let offsets = Offsets::of(p);
    if offsets.family == Family::Slope {
        return None;
    }
    let column = offsets.index(p.i as i64 - p.j as i64);
    Some((column, Biases::of(p).at(p.head, column)))
}

/// What to ask for so that one column of the head shown has a new bias; nothing if there are as
/// many edits as an address may hold.
pub fn edited(p: &Params, column: usize, value: f64) -> Vec<(Key, Value)> {
    let edit = BiasEdit {
        head: p.head,
        index: column,
        // −0 would be written with its sign.
        value: value + 0.0,
    };
    let mut edits = p.setting.bias_edits.clone();
    let same = |e: &BiasEdit| (e.head, e.index) == (edit.head, edit.index);
    match edits.iter().position(same) {
        Some(at) => edits[at] = edit,
        None if edits.len() < MAX_EDITS => edits.push(edit),
        None => return Vec::new(),
    }
    vec![(Key::BiasEdits, Value::Edits(edits))]
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
        let chart = self.chart(view.width);
        let heading = say!(
            view.lang,
            "figure.rel-bias.heading",
            head = self.head,
            heads = self.heads
        );
        let x_name = match self.offsets.family {
            Family::Buckets => say!(view.lang, "figure.rel-index.bucket"),
            _ => say!(view.lang, "figure.rel-bias.offset"),
        };
        let count = ((chart.rect.w / 52.0) as usize).max(3);
        let across = whole_ticks(chart.x.clone(), count);
        // Under the mask keys after the query are never used.
        if self.offsets.causal && self.offsets.family != Family::Buckets && self.first < 0 {
            let zero = chart.at(-0.5, 0.0).0;
            let r = chart.rect;
            scene.fill(Rect::new(r.x, r.y, zero - r.x, r.h), c.grid.fade(0.7));
        }
        let y_name = say!(view.lang, "figure.rel-bias.bias");
        chart.axes_at(&mut scene, view, &across, (&heading, &x_name, &y_name));
        let traced = self.traced(p).min(self.values.len() - 1);
        if self.editable() {
            self.bars(&mut scene, view, &chart, traced);
        } else {
            self.slopes(&mut scene, view, &chart, traced);
        }
        scene.targets.push(chart.target(0, self.values.len()));
        let (x, y, wide) = Self::notes_at(view.width);
        let text = self.column(traced, view.lang);
        let taken = note(&mut scene, (x, y), wide, &text, c.traced);
        let words = self.words(view.lang);
        note(&mut scene, (x, y + taken + 4.0), wide, &words, c.ink);
        scene
    }

    fn describe(&self, hit: Hit, _: &Params, lang: Lang) -> String {
        self.column(hit.column, lang)
    }

    fn picked(&self, hit: Hit, p: &Params) -> Vec<(Key, Value)> {
        if !self.editable() {
            let offset = hit.column as i64 + self.first;
            let (i, j) = (offset.max(0) as usize, (-offset).max(0) as usize);
            return vec![(Key::I, place(i)), (Key::J, place(j))];
        }
        let value = self.high - hit.down.clamp(0.0, 1.0) * (self.high - self.low);
        edited(p, hit.column, (value * 100.0).round() / 100.0)
    }

    fn draggable(&self) -> bool {
        self.editable()
    }

    fn readouts(&self, p: &Params, lang: Lang) -> Vec<Readout> {
        let offset = p.i as i64 - p.j as i64;
        let value = self.biases.at(self.head, self.offsets.index(offset));
        vec![Readout {
            name: "bias",
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
        let traced = self.traced(p).min(self.values.len() - 1);
        let heading = say!(
            lang,
            "figure.rel-bias.heading",
            head = self.head,
            heads = self.heads
        );
        let colon = say!(lang, "figure.rel-bias.colon");
        format!("{heading}{colon}{}", self.column(traced, lang))
    }

    fn table(&self, _: &Params) -> Table {
        let name = match self.offsets.family {
            Family::Buckets => "bucket",
            _ => "offset",
        };
        let skip = self.values.len().saturating_sub(MAX_TABLE_ROWS) / 2;
        let rows = (0..self.values.len()).skip(skip).take(MAX_TABLE_ROWS);
        Table {
            columns: std::iter::once(name.to_owned())
                .chain((0..self.heads).map(|h| format!("head_{h}")))
                .collect(),
            rows: rows
                .map(|column| {
                    let at = column as i64 + self.first;
                    let index = if self.editable() {
                        column
                    } else {
                        self.offsets.index(at)
                    };
                    let values = (0..self.heads).map(|h| self.biases.at(h, index));
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
