//! `ctx-precision`: what positions in bfloat16 and float16 become near a far token.

use std::sync::Arc;

use super::parts::{
    CONTROLS, Pairs, Stroke, legend, legend_room, plot, powers, trace_pair, two, upright,
};
use crate::core::precision::{Format, Pipeline};
use crate::figure::kit::panel::{Chart, whole_ticks};
use crate::figure::kit::scene::{Hit, Scene, Target};
use crate::figure::{Arrows, Computed, Figure, Picture, Readout, Special, Table, View};
use crate::say;
use crate::state::{Key, Lang, Page, Params, Value, number};
use crate::words::short;

/// Most points of a staircase.
const POINTS: usize = 512;
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
    film: None,
    special: &[Special::ArrowsByPairs],
    compute,
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

fn compute(p: &Params) -> Computed {
    let pairs = Pairs::of(p)?;
    // The last one of the length looked at.
    let position = pairs.context.target_len - 1;
    let formats = [Format::Bfloat16, Format::Float16];
    let steps = formats.map(|f| step(f, position + 1));
    let half = (2.0 * steps[0]).max(8.0) as usize;
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
    fn charts(&self, width: f64) -> (Chart, Chart, f64) {
        let (a, b, below) = two(width, 0.52);
        let ends = (
            self.window[0] as f64,
            self.window[self.window.len() - 1] as f64,
        );
        let pad = (ends.1 - ends.0) * 0.04;
        let stairs = Chart {
            rect: a,
            x: ends.0..ends.1,
            y: ends.0 - pad..ends.1 + pad,
        };
        let errors = Chart {
            rect: b,
            x: self.pairs.across(),
            y: FLOOR.log10() - 0.3..0.6,
        };
        (stairs, errors, below)
    }

    fn stairs(&self, format: Format) -> Vec<(f64, f64)> {
        let values = self
            .window
            .iter()
            .map(|&n| (n as f64, format.round(n as f64)));
        let mut out: Vec<(f64, f64)> = Vec::new();
        for (x, y) in values.filter(|(_, y)| y.is_finite()) {
            if let Some(&(_, before)) = out.last()
                && before != y
            {
                out.push((x, before));
            }
            out.push((x, y));
        }
        out
    }

    /// Whether float16 has the position at all.
    fn overflows(&self) -> bool {
        !Format::Float16.round(self.position as f64).is_finite()
    }

    fn entries(&self, lang: Lang) -> Vec<String> {
        let f16 = if self.overflows() { "f16_over" } else { "f16" };
        ["bf16", f16, "f32"]
            .map(|k| say!(lang, format!("figure.ctx-precision.{k}")))
            .to_vec()
    }

    fn strokes(view: &View) -> [Stroke; 3] {
        let c = view.colours;
        [
            Stroke {
                colour: c.series(1),
                width: 2.4,
                dash: None,
            },
            Stroke {
                colour: c.series(0),
                width: 1.8,
                dash: Some((6.0, 3.0)),
            },
            Stroke {
                colour: c.muted,
                width: 1.5,
                dash: Some((2.0, 3.0)),
            },
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
        self.charts(width).2 + legend_room(width - 24.0, |lang| self.entries(lang)) + 4.0
    }

    fn draw(&self, p: &Params, view: &View) -> Scene {
        let mut scene = Scene::default();
        let c = view.colours;
        let (stairs, errors, below) = self.charts(view.width);
        let word = |key: &str| say!(view.lang, format!("figure.ctx-precision.{key}"));
        // Differences from the position looked at: far positions have too many digits for ticks.
        let here = self.position as f64;
        let relative = |range: std::ops::Range<f64>, room: f64| -> Vec<(f64, String)> {
            let ticks = whole_ticks(range.start - here..range.end - here, room as usize);
            let text = |d: f64| match d {
                0.0 => self.position.to_string(),
                d if d > 0.0 => format!("+{}", short(d)),
                d => short(d),
            };
            ticks.into_iter().map(|d| (here + d, text(d))).collect()
        };
        let across = relative(stairs.x.clone(), stairs.rect.w / 62.0);
        let mut up = relative(stairs.y.clone(), 7.0);
        if let Some(zero) = up.iter_mut().find(|t| t.0 == here) {
            zero.1 = "0".to_owned();
        }
        let y_name = self.words(0, "figure.ctx-precision.y", view.lang);
        let names = (&*word("chart"), &*word("x"), &*y_name);
        stairs.axes_with(&mut scene, view, (&across, &up), names);
        let strokes = Self::strokes(view);
        let line = [stairs.x.start, stairs.x.end].map(|x| (x, x));
        plot(&mut scene, &stairs, line.into_iter(), strokes[2]);
        let shown = [
            (Format::Float16, strokes[1]),
            (Format::Bfloat16, strokes[0]),
        ];
        for (format, s) in shown {
            let values = self.stairs(format);
            if values.len() > 1 {
                plot(&mut scene, &stairs, values.into_iter(), s);
            }
        }
        upright(&mut scene, &stairs, here, ("", 0), c.traced);
        let to = Format::Bfloat16.round(here);
        let at = stairs.at(here, to.clamp(stairs.y.start, stairs.y.end));
        scene.disc(at, 6.0, c.surface);
        scene.disc(at, 4.2, c.traced);
        let across = self.pairs.pair_ticks(errors.rect.w);
        let up = powers(errors.y.clone(), 7);
        let pair = say!(view.lang, "figure.ctx.pairs");
        errors.axes_with(
            &mut scene,
            view,
            (&across, &up),
            (&word("errors"), &pair, &word("error")),
        );
        for k in [2, 1, 0] {
            let values = self.errors.iter().enumerate();
            let points: Vec<(f64, f64)> = values
                .filter_map(|(pair, e)| Some((pair as f64, e[k]?.max(FLOOR).log10())))
                .collect();
            if !points.is_empty() {
                plot(&mut scene, &errors, points.into_iter(), strokes[k]);
            }
        }
        trace_pair(&mut scene, &errors, self.pairs.traced(p), view);
        let columns = self.window.len();
        scene.targets.push(Target {
            id: STAIRS,
            rect: stairs.rect,
            rows: 1,
            columns,
        });
        let columns = self.pairs.count();
        scene.targets.push(Target {
            id: ERRORS,
            rect: errors.rect,
            rows: 1,
            columns,
        });
        let items: Vec<_> = strokes.into_iter().zip(self.entries(view.lang)).collect();
        legend(&mut scene, view, (12.0, below), view.width - 24.0, &items);
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
mod tests {
    use super::*;
    use crate::state::{decode, resolve};

    #[test]
    fn ctx_steps_and_shared_values_of_bfloat16() {
        let b = Format::Bfloat16;
        assert_eq!(
            (step(b, 255), step(b, 256), step(b, 8192)),
            (1.0, 2.0, 64.0)
        );
        for n in [16, 255, 256, 257, 1000, 1001, 4095, 8192, 131_072, 1 << 24] {
            let to = b.round(n as f64);
            let reach = 2 * step(b, n).ceil() as usize + 1;
            let near = n.saturating_sub(reach)..=n + reach;
            let counted = near.filter(|m| b.round(*m as f64) == to).count();
            assert_eq!(shared(b, n), counted, "{n}");
        }
        assert_eq!(step(Format::Float16, 4096), 4.0);
    }

    #[test]
    fn ctx_known_roundings() {
        for (n, to) in [(257, 256.0), (1001, 1000.0), (131_071, 131_072.0)] {
            let query = format!("embed=ctx-precision&target_len={}", n + 1);
            let p = resolve(&decode(&query).0, crate::figure::page_of).0;
            let picture = (FIGURE.compute)(&p).expect("computed");
            let all = picture.readouts(&p, Lang::En);
            let number = |name| all.iter().find(|r| r.name == name).and_then(|r| r.number);
            assert_eq!(number("bf16-position"), Some(to));
            assert!(number("f32-cos-error").is_some_and(|e| e < 1e-2));
        }
    }
}
