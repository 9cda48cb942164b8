//! `ctx-precision`: what positions in bfloat16 and float16 become near a far token.

mod asked;
mod draw;

use std::sync::Arc;

use super::lines::{LEFT, Stroke, gutter, halves, inner, side_by_side};
use super::parts::{CONTROLS, Pairs, trace_pair};
use crate::core::precision::{Format, Pipeline};
use crate::figure::kit::panel::{Chart, TICK};
use crate::figure::kit::scene::{Hit, Rect, Scene, text_width};
use crate::figure::put::Handle;
use crate::figure::{Arrows, Computed, Figure, Film, Picture, Readout, Special, Table, View};
use crate::say;
use crate::state::{Key, Lang, Page, Params, Value, number};
use crate::words::short;

/// Most points of a staircase.
const POINTS: usize = 512;
/// Room right of the staircase for the number that each step is.
const NUMBERS: f64 = 20.0;
/// Errors of a cosine below this are drawn at it.
const FLOOR: f64 = 1e-10;
const STAIRS: usize = 0;
const ERRORS: usize = 1;

/// Only the position is rounded to bfloat16, the rest is float32.
const BF16_POSITION: Pipeline = Pipeline {
    position: Format::Bfloat16,
    ..Pipeline::all(Format::Float32)
};
/// Only the position is rounded to float16.
const F16_POSITION: Pipeline = Pipeline {
    position: Format::Float16,
    ..Pipeline::all(Format::Float32)
};

pub(crate) const FIGURE: Figure = Figure {
    id: "ctx-precision",
    page: Page::Context,
    controls: CONTROLS,
    listens: &[Key::Pairing],
    arrows: Arrows::Each(None, Some(Key::Dim)),
    film: Film::of_drawing(),
    special: &[Special::ArrowsByPairs],
};

struct Precision {
    pairs: Pairs,
    position: usize,
    /// True positions of the window.
    window: Vec<usize>,
    /// How far the neighbours of the position are apart in bfloat16 and in float16.
    steps: [f64; 2],
    /// How many whole positions become the same number.
    shared: [usize; 2],
    /// |error| of cos per pair: bfloat16 positions, float16 positions, float32 throughout.
    errors: Vec<[Option<f64>; 3]>,
}

/// Significand bits behind the first.
fn fraction_bits(format: Format) -> i32 {
    if format == Format::Bfloat16 { 7 } else { 10 }
}

/// From a number of the size of `position` to the next.
fn step(format: Format, position: usize) -> f64 {
    let power = position.max(1).ilog2() as i32;
    2f64.powi(power - fraction_bits(format))
}

/// How many whole positions are rounded as `position` is; rounding never goes down as they go up.
fn shared(format: Format, position: usize) -> usize {
    let to = format.round(position as f64);
    let reach = 2 * step(format, position).ceil() as usize + 1;
    let first = |low: usize, high: usize, beyond: &dyn Fn(f64) -> bool| {
        let (mut low, mut high) = (low, high);
        while low < high {
            let middle = low + (high - low) / 2;
            if beyond(format.round(middle as f64)) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        low
    };
    let (low, high) = (position.saturating_sub(reach), position + reach);
    first(low, high, &|x| x > to) - first(low, high, &|x| x >= to)
}

pub(crate) fn compute(p: &Params) -> Computed {
    let pairs = Pairs::of(p)?;
    // The last one of the length looked at.
    let position = pairs.context.target_len - 1;
    let formats = [Format::Bfloat16, Format::Float16];
    let steps = formats.map(|f| step(f, position + 1));
    // The step that the position falls onto and its neighbours.
    let half = (1.8 * steps[0]).max(6.0) as usize;
    let from = position.saturating_sub(half);
    let every = (2 * half).div_ceil(POINTS);
    let pipelines = [BF16_POSITION, F16_POSITION, Pipeline::all(Format::Float32)];
    let errors = pairs
        .scaled()
        .iter()
        .map(|w| {
            let exact = (position as f64 * w).cos();
            pipelines.map(|line| {
                let error = (line.cos(position as f64, *w) - exact).abs();
                error.is_finite().then_some(error)
            })
        })
        .collect();
    Ok(Arc::new(Precision {
        window: (from..=position + half).step_by(every).collect(),
        shared: formats.map(|f| {
            if f.round(position as f64).is_finite() {
                shared(f, position)
            } else {
                0
            }
        }),
        steps,
        position,
        errors,
        pairs,
    }))
}

impl Precision {
    /// The staircase, and the errors where there is room for them.
    fn charts(&self, width: f64, height: f64) -> (Chart, Option<Chart>) {
        let whole = Rect::new(0.0, 0.0, width, height);
        let two = side_by_side(width) || height >= 440.0;
        let names = gutter(|lang| self.names(lang).to_vec());
        let (a, b) = if two {
            let (a, b) = halves(width, height, 0.56);
            (a, Some(inner(b, names)))
        } else {
            (whole, None)
        };
        let ends = (
            self.window[0] as f64,
            self.window[self.window.len() - 1] as f64,
        );
        let step = self.steps[0].max(1.0);
        // Numbers of far positions are long.
        let left = 22.0 + text_width(&number(ends.1), TICK);
        let mut rect = inner(a, NUMBERS);
        rect = Rect::new(a.x + left.max(LEFT), rect.y, 0.0, rect.h);
        rect.w = (a.right() - NUMBERS - rect.x).max(20.0);
        let stairs = Chart {
            rect,
            x: ends.0..ends.1,
            y: ends.0 - 0.6 * step..ends.1 + 0.6 * step,
        };
        let errors = b.map(|rect| Chart {
            rect,
            x: self.pairs.across(),
            y: FLOOR.log10() - 0.3..0.6,
        });
        (stairs, errors)
    }

    /// The steps of bfloat16 in the window: the number, and the first and the last position that
    /// become it.
    fn steps_shown(&self) -> Vec<(f64, usize, usize)> {
        let mut out: Vec<(f64, usize, usize)> = Vec::new();
        for &n in &self.window {
            let to = Format::Bfloat16.round(n as f64);
            match out.last_mut() {
                Some(step) if step.0 == to => step.2 = n,
                _ => out.push((to, n, n)),
            }
        }
        out
    }

    /// Whether float16 has the position at all.
    fn overflows(&self) -> bool {
        !Format::Float16.round(self.position as f64).is_finite()
    }

    /// The names of the lines of errors, as [`Self::errors`] has them.
    fn names(&self, lang: Lang) -> [String; 3] {
        ["bf16", "f16", "f32"].map(|k| say!(lang, format!("figure.ctx-precision.{k}")))
    }

    fn strokes(view: &View) -> [Stroke; 3] {
        let c = view.colours;
        [
            Stroke::solid(c.series(1), 2.6),
            Stroke::dashed(c.series(0), 1.8, (6.0, 3.0)),
            Stroke::dashed(c.muted, 1.5, (2.0, 3.0)),
        ]
    }

    fn words(&self, pair: usize, key: &str, lang: Lang) -> String {
        let to = |f: Format| {
            let x = f.round(self.position as f64);
            if x.is_finite() {
                number(x)
            } else {
                "∞".to_owned()
            }
        };
        let error = |k: usize| self.errors[pair][k].map_or("∞".to_owned(), short);
        let first = |k: usize| self.errors[0][k].map_or("∞".to_owned(), short);
        let next = |f: Format| {
            let x = f.round(self.position as f64 + 1.0);
            if x.is_finite() {
                number(x)
            } else {
                "∞".to_owned()
            }
        };
        say!(
            lang,
            key,
            position = self.position,
            next_position = self.position + 1,
            pair = pair,
            bf16 = to(Format::Bfloat16),
            bf16_next = next(Format::Bfloat16),
            f16 = to(Format::Float16),
            bf16_step = short(self.steps[0]),
            f16_step = short(self.steps[1]),
            bf16_shared = self.shared[0],
            f16_shared = self.shared[1],
            bf16_error = error(0),
            f16_error = error(1),
            f32_error = error(2),
            first_bf16 = first(0),
            first_f32 = first(2)
        )
    }
}

impl Picture for Precision {
    fn height(&self, width: f64) -> f64 {
        if side_by_side(width) {
            400.0
        } else if width < 480.0 {
            370.0
        } else {
            520.0
        }
    }

    fn draw(&self, p: &Params, view: &View) -> Scene {
        let mut scene = Scene::default();
        let (stairs, errors) = self.charts(view.width, view.height);
        self.draw_stairs(&mut scene, view, &stairs, 1.0 - p.away());
        scene.targets.push(stairs.target(STAIRS, self.window.len()));
        if let Some(chart) = errors {
            self.draw_errors(&mut scene, view, &chart);
            trace_pair(&mut scene, &chart, self.pairs.traced(p), view);
            scene.targets.push(chart.target(ERRORS, self.pairs.count()));
        }
        scene
    }

    fn describe(&self, hit: Hit, _: &Params, lang: Lang) -> String {
        if hit.target == STAIRS {
            let n = self.window[hit.column.min(self.window.len() - 1)];
            let to = |f: Format| {
                let x = f.round(n as f64);
                if x.is_finite() {
                    number(x)
                } else {
                    "∞".to_owned()
                }
            };
            let (a, b) = (to(Format::Bfloat16), to(Format::Float16));
            return say!(
                lang,
                "figure.ctx-precision.at",
                position = n,
                bf16 = a,
                f16 = b
            );
        }
        let pair = hit.column.min(self.pairs.count() - 1);
        self.words(pair, "figure.ctx-precision.cell", lang)
    }

    fn picked(&self, hit: Hit, p: &Params) -> Vec<(Key, Value)> {
        if hit.target == STAIRS {
            let n = self.window[hit.column.min(self.window.len() - 1)];
            return vec![(
                Key::TargetLen,
                Value::Int((n + 1).clamp(16, 1 << 24) as i64),
            )];
        }
        self.pairs.pick(hit.column, p)
    }

    fn handles(&self, _: &Params) -> Vec<Handle> {
        self.ends_to_set()
    }

    fn put(&self, hit: Hit, _: &Params) -> Option<(usize, f64)> {
        self.set_end(hit)
    }

    fn readouts(&self, p: &Params, lang: Lang) -> Vec<Readout> {
        let traced = self.pairs.traced(p);
        let label = |key: &str| self.words(traced, &format!("figure.ctx-precision.{key}"), lang);
        let maybe = |name: &'static str, key, x: Option<f64>| Readout {
            name: name.into(),
            label: label(key),
            number: x,
            text: x.map_or("∞".to_owned(), short),
        };
        let whole = |name: &'static str, key, x: f64| Readout {
            name: name.into(),
            label: label(key),
            number: Some(x),
            text: number(x),
        };
        let mut out = vec![
            whole(
                "bf16-position",
                "bf16_position",
                Format::Bfloat16.round(self.position as f64),
            ),
            whole("bf16-step", "bf16_step", self.steps[0]),
            whole("bf16-shared", "bf16_shared", self.shared[0] as f64),
        ];
        if !self.overflows() {
            out.push(whole("f16-step", "f16_step", self.steps[1]));
        }
        out.push(maybe("bf16-cos-error", "bf16_cos", self.errors[0][0]));
        out.push(maybe("f32-cos-error", "f32_cos", self.errors[0][2]));
        out
    }

    fn notes(&self, p: &Params, lang: Lang) -> Vec<String> {
        vec![self.words(self.pairs.traced(p), "figure.ctx-precision.cell", lang)]
    }

    fn sentence(&self, p: &Params, lang: Lang) -> String {
        let key = if self.shared[0] > 1 {
            "sentence"
        } else {
            "sentence_apart"
        };
        self.words(
            self.pairs.traced(p),
            &format!("figure.ctx-precision.{key}"),
            lang,
        )
    }

    fn table(&self, _: &Params) -> Table {
        Table {
            columns: ["position", "bfloat16"].map(str::to_owned).to_vec(),
            rows: self
                .window
                .iter()
                .map(|&n| vec![n as f64, Format::Bfloat16.round(n as f64)])
                .collect(),
        }
    }
}

#[cfg(test)]
mod tests;
