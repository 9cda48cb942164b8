//! `ctx-wavelengths`: how many positions each pair takes for a turn, against the lengths; and what
//! a larger base does to the slowest pair.

use std::f64::consts::TAU;
use std::sync::Arc;

use super::parts::{
    CONTROLS, Pairs, Stroke, legend, legend_room, level, name, plot, powers, readout, trace_pair,
    two, upright,
};
use crate::core::analysis::{rotations, wavelength};
use crate::core::encoding::rope_scaling::Remedy;
use crate::figure::kit::panel::Chart;
use crate::figure::kit::scene::{Align, Hit, Rect, Scene, Target};
use crate::figure::{Arrows, Computed, Figure, Picture, Readout, Special, Table, Tool, View};
use crate::say;
use crate::state::{Key, Lang, Page, Params, Value};
use crate::words::short;

/// Points of the curve over the base.
const POINTS: usize = 121;
const PAIRS: usize = 0;
const BASES: usize = 1;

pub(crate) const FIGURE: Figure = Figure {
    id: "ctx-wavelengths",
    page: Page::Context,
    controls: CONTROLS,
    listens: &[Key::Pairing],
    arrows: Arrows::Each(None, Some(Key::Dim)),
    film: None,
    special: &[Special::ArrowsByPairs, Special::ToolBefore(Tool::Config)],
    compute,
};

struct Wavelengths {
    pairs: Pairs,
    plain: Vec<f64>,
    now: Vec<f64>,
}

fn compute(p: &Params) -> Computed {
    let pairs = Pairs::of(p)?;
    let of = |all: &[f64]| all.iter().map(|w| wavelength(*w)).collect();
    Ok(Arc::new(Wavelengths {
        plain: of(&pairs.plain),
        now: of(pairs.scaled()),
        pairs,
    }))
}

impl Wavelengths {
    fn changed(&self) -> bool {
        self.pairs.context.remedy != Remedy::None
    }

    fn last(&self) -> usize {
        self.pairs.count() - 1
    }

    /// Pairs that turn at least once within the original length, without a remedy.
    fn whole(&self) -> usize {
        let length = self.pairs.context.orig_len as f64;
        let turns = |w: &&f64| rotations(**w, length) >= 1.0;
        self.pairs.plain.iter().filter(turns).count()
    }

    /// Wavelength of the last pair under a base, without a remedy.
    fn of_base(&self, base: f64) -> f64 {
        let d = self.pairs.rope.rotary_dim() as f64;
        TAU * base.powf((d - 2.0) / d)
    }

    fn charts(&self, width: f64) -> (Chart, Chart, f64) {
        let (a, b, below) = two(width, 0.58);
        let lengths = [self.pairs.context.orig_len, self.pairs.context.target_len];
        let lengths = lengths.map(|n| n as f64);
        let ends = |values: &mut dyn Iterator<Item = f64>| {
            let (low, high) = values.fold((TAU, TAU), |(a, b), v| (a.min(v), b.max(v)));
            low.log10() - 0.15..high.log10() + 0.3
        };
        let all = self.plain.iter().chain(&self.now).chain(&lengths).copied();
        let base = self.pairs.base.log10();
        let from = base.floor().clamp(0.0, 3.0);
        let curve = [10f64.powf(from), 1e9].map(|b| self.of_base(b));
        let slow = [self.now[self.last()]];
        let mut values = curve.into_iter().chain(slow).chain(lengths);
        let y = ends(&mut values);
        let first = Chart {
            rect: a,
            x: self.pairs.across(),
            y: ends(&mut all.clone()),
        };
        (
            first,
            Chart {
                rect: b,
                x: from..9.0,
                y,
            },
            below,
        )
    }

    fn entries(&self, lang: Lang) -> Vec<String> {
        let mut out = vec![say!(lang, "figure.ctx-wavelengths.plain")];
        if self.changed() {
            let name = name(self.pairs.context.remedy, lang);
            out.push(say!(lang, "figure.ctx.present", name = name));
        }
        out.push(say!(lang, "figure.ctx-wavelengths.whole"));
        out
    }

    fn words(&self, pair: usize, key: &str, lang: Lang) -> String {
        let c = &self.pairs.context;
        say!(
            lang,
            key,
            pair = pair,
            pairs = self.pairs.count(),
            plain = short(self.plain[pair]),
            now = short(self.now[pair]),
            turns = short(rotations(self.pairs.plain[pair], c.orig_len as f64)),
            orig = c.orig_len,
            target = c.target_len,
            last = short(self.now[self.last()]),
            last_pair = self.last(),
            whole = self.whole(),
            part = self.pairs.count() - self.whole(),
            base = short(self.pairs.base),
            remedy = name(c.remedy, lang)
        )
    }

    /// The base at a column of the second chart.
    fn base_at(&self, column: usize) -> f64 {
        let from = self.charts(super::parts::WIDE).1.x.start;
        let x = from + (9.0 - from) * (column as f64 + 0.5) / POINTS as f64;
        let unit = 10f64.powf(x.floor() - 1.0);
        ((10f64.powf(x) / unit).round() * unit).clamp(1.0001, 1e9)
    }
}

impl Picture for Wavelengths {
    fn height(&self, width: f64) -> f64 {
        self.charts(width).2 + legend_room(width - 24.0, |lang| self.entries(lang)) + 4.0
    }

    fn draw(&self, p: &Params, view: &View) -> Scene {
        let mut scene = Scene::default();
        let c = view.colours;
        let (first, second, below) = self.charts(view.width);
        let word = |key: &str| say!(view.lang, format!("figure.ctx-wavelengths.{key}"));
        // What turns whole within the original length has a ground of its own.
        let edge = first.at(self.whole() as f64 - 0.5, 0.0).0;
        let ground = Rect::new(
            first.rect.x,
            first.rect.y,
            edge - first.rect.x,
            first.rect.h,
        );
        scene.fill(ground, c.series(0).fade(0.13));
        let pair = say!(view.lang, "figure.ctx.pairs");
        let across = self.pairs.pair_ticks(first.rect.w);
        let up = powers(first.y.clone(), 8);
        first.axes_with(
            &mut scene,
            view,
            (&across, &up),
            (&word("chart"), &pair, &word("y")),
        );
        let across = powers(second.x.clone(), (second.rect.w / 40.0) as usize);
        let up = powers(second.y.clone(), 8);
        let names = (&*word("bases"), &*word("base"), &*word("y_last"));
        second.axes_with(&mut scene, view, (&across, &up), names);
        let context = &self.pairs.context;
        let (orig, target) = (context.orig_len as f64, context.target_len as f64);
        for (chart, align) in [(&first, Align::Start), (&second, Align::End)] {
            let text = format!("orig_len {}", context.orig_len);
            level(&mut scene, chart, orig.log10(), (&text, align), c.key);
            let text = format!("target_len {}", context.target_len);
            level(&mut scene, chart, target.log10(), (&text, align), c.query);
        }
        let plain = Stroke {
            colour: c.muted,
            width: 1.6,
            dash: Some((6.0, 3.0)),
        };
        let now = Stroke {
            colour: c.accent,
            width: 2.4,
            dash: None,
        };
        let line = |all: &[f64]| -> Vec<(f64, f64)> {
            all.iter()
                .enumerate()
                .map(|(k, w)| (k as f64, w.log10()))
                .collect()
        };
        plot(&mut scene, &first, line(&self.plain).into_iter(), plain);
        if self.changed() {
            plot(&mut scene, &first, line(&self.now).into_iter(), now);
        }
        if first.rect.w / self.pairs.count() as f64 > 6.0 {
            for (k, w) in self.now.iter().enumerate() {
                let colour = if self.changed() { c.accent } else { c.muted };
                let at = first.at(k as f64, w.log10());
                if k < self.whole() {
                    scene.disc(at, 3.0, colour);
                } else {
                    scene.disc(at, 3.4, c.surface);
                    scene.ring(at, 3.0, colour, 1.4);
                }
            }
        }
        let traced = self.pairs.traced(p);
        trace_pair(&mut scene, &first, traced, view);
        let at = first.at(traced as f64, self.now[traced].log10());
        scene.disc(at, 6.0, c.surface);
        scene.disc(at, 4.2, c.traced);
        let step = (9.0 - second.x.start) / (POINTS - 1) as f64;
        let curve = (0..POINTS).map(|k| {
            let x = second.x.start + k as f64 * step;
            (x, self.of_base(10f64.powf(x)).log10())
        });
        plot(
            &mut scene,
            &second,
            curve,
            Stroke {
                dash: None,
                ..plain
            },
        );
        let base = self.pairs.base.log10();
        let text = format!("base {}", short(self.pairs.base));
        upright(&mut scene, &second, base, (&text, 0), c.accent);
        if self.changed() {
            let at = second.at(base, self.now[self.last()].log10());
            scene.disc(at, 6.0, c.surface);
            scene.disc(at, 4.2, c.accent);
        }
        let at = second.at(base, self.plain[self.last()].log10());
        scene.disc(at, 5.4, c.surface);
        scene.ring(at, 4.2, c.ink, 2.0);
        let columns = self.pairs.count();
        scene.targets.push(Target {
            id: PAIRS,
            rect: first.rect,
            rows: 1,
            columns,
        });
        scene.targets.push(Target {
            id: BASES,
            rect: second.rect,
            rows: 1,
            columns: POINTS,
        });
        let whole = Stroke {
            colour: c.series(0).fade(0.3),
            width: 11.0,
            dash: None,
        };
        let mut strokes = vec![plain];
        if self.changed() {
            strokes.push(now);
        }
        strokes.push(whole);
        let items: Vec<_> = strokes.into_iter().zip(self.entries(view.lang)).collect();
        legend(&mut scene, view, (12.0, below), view.width - 24.0, &items);
        scene
    }

    fn describe(&self, hit: Hit, _: &Params, lang: Lang) -> String {
        if hit.target == BASES {
            let base = self.base_at(hit.column);
            let wave = short(self.of_base(base));
            let key = "figure.ctx-wavelengths.at_base";
            return say!(lang, key, base = short(base), wave = wave);
        }
        let pair = hit.column.min(self.last());
        self.words(pair, "figure.ctx-wavelengths.cell", lang)
    }

    fn picked(&self, hit: Hit, p: &Params) -> Vec<(Key, Value)> {
        if hit.target == BASES {
            return vec![(Key::Base, Value::Real(self.base_at(hit.column)))];
        }
        self.pairs.pick(hit.column, p)
    }

    fn readouts(&self, p: &Params, lang: Lang) -> Vec<Readout> {
        let traced = self.pairs.traced(p);
        let label = |key: &str| self.words(traced, &format!("figure.ctx-wavelengths.{key}"), lang);
        vec![
            readout("last-wavelength", label("last"), self.now[self.last()]),
            readout("whole-pairs", label("whole_pairs"), self.whole() as f64),
            readout("wavelength", label("wave"), self.now[traced]),
        ]
    }

    fn sentence(&self, p: &Params, lang: Lang) -> String {
        let key = if self.changed() {
            "sentence"
        } else {
            "sentence_none"
        };
        self.words(
            self.pairs.traced(p),
            &format!("figure.ctx-wavelengths.{key}"),
            lang,
        )
    }

    fn table(&self, _: &Params) -> Table {
        let length = self.pairs.context.orig_len as f64;
        let columns = [
            "pair",
            "wavelength_none",
            "wavelength_remedy",
            "turns_in_orig_len",
        ];
        let row = |k: usize| {
            let turns = rotations(self.pairs.plain[k], length);
            vec![k as f64, self.plain[k], self.now[k], turns]
        };
        Table {
            columns: columns.map(str::to_owned).to_vec(),
            rows: (0..self.pairs.count()).map(row).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::{decode, resolve};

    #[test]
    fn ctx_wavelengths_of_llama_2() {
        let query = "embed=ctx-wavelengths&preset=llama-2-7b";
        let p = resolve(&decode(query).0, crate::figure::page_of).0;
        let picture = (FIGURE.compute)(&p).expect("computed");
        let all = picture.readouts(&p, Lang::En);
        let number = |name| all.iter().find(|r| r.name == name).and_then(|r| r.number);
        // 2π · 10000^(126/128).
        let last = number("last-wavelength").expect("a number");
        assert!((last - 54410.0).abs() < 1.0, "{last}");
        assert_eq!(number("whole-pairs"), Some(46.0));
    }
}
