//! `ctx-wavelengths`: how many positions each pair takes for a turn, against the lengths, under the
//! present base, a remedy and another base.

use std::f64::consts::TAU;
use std::sync::Arc;

use super::lines::{Name, Stroke, gutter, inner, level, name_lines, plot};
use super::parts::{
    CONTROLS, Pairs, growing_by_factor, name, powers, readout, short_name, trace_pair,
};
use crate::core::CoreError;
use crate::core::analysis::{rotations, wavelength};
use crate::core::encoding::rope_scaling::{Remedy, plain_frequencies};
use crate::figure::kit::panel::{Chart, TICK, fitted};
use crate::figure::kit::scene::{Align, Hit, Rect, Scene, Stand, Target};
use crate::figure::{Arrows, Computed, Figure, Film, Picture, Readout, Special, Table, Tool, View};
use crate::say;
use crate::state::{Key, Lang, Page, Params, Value};
use crate::words::short;

pub(crate) const FIGURE: Figure = Figure {
    id: "ctx-wavelengths",
    page: Page::Context,
    controls: CONTROLS,
    listens: &[Key::Pairing],
    arrows: Arrows::Each(None, Some(Key::Dim)),
    film: Film::of_drawing(),
    special: &[Special::ArrowsByPairs, Special::ToolBefore(Tool::Config)],
};

struct Wavelengths {
    pairs: Pairs,
    plain: Vec<f64>,
    now: Vec<f64>,
    /// Under another base, without a remedy.
    other: Vec<f64>,
}

pub(crate) fn compute(p: &Params) -> Computed {
    Ok(Arc::new(wavelengths(p)?))
}

fn wavelengths(p: &Params) -> Result<Wavelengths, CoreError> {
    let pairs = Pairs::of(p)?;
    let of = |all: &[f64]| all.iter().map(|w| wavelength(*w)).collect();
    Ok(Wavelengths {
        plain: of(&pairs.plain),
        now: of(pairs.scaled()),
        other: of(&plain_frequencies(
            pairs.rope.rotary_dim(),
            other_base(pairs.base),
        )),
        pairs,
    })
}

/// What a base is compared with: that of Code Llama and Qwen2.5, or the usual one.
fn other_base(base: f64) -> f64 {
    if base < 1e6 { 1e6 } else { 1e4 }
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

    fn chart(&self, width: f64, height: f64) -> Chart {
        let right = gutter(|lang| self.names(lang));
        let c = &self.pairs.context;
        let lengths = [c.orig_len, c.target_len].map(|n| n as f64);
        let all = self.plain.iter().chain(&self.now).chain(&self.other);
        let (low, high) = all
            .chain(&lengths)
            .fold((TAU, TAU), |(a, b), v| (a.min(*v), b.max(*v)));
        Chart {
            rect: inner(Rect::new(0.0, 0.0, width, height), right),
            x: self.pairs.across(),
            y: low.log10() - 0.15..high.log10() + 0.25,
        }
    }

    /// The names of the curves: the base without a remedy, the remedy, the other base.
    fn names(&self, lang: Lang) -> Vec<String> {
        let base = |base: f64| format!("base {}", short(base));
        let remedy = self.pairs.context.remedy;
        let remedy = self.changed().then(|| short_name(remedy, lang));
        let mut out = vec![base(self.pairs.base), base(other_base(self.pairs.base))];
        out.extend(remedy);
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
            other_base = short(other_base(self.pairs.base)),
            other = short(self.other[pair]),
            other_last = short(self.other[self.last()]),
            remedy = name(c.remedy, lang)
        )
    }

    /// Tints what turns whole within the original length, and says so.
    fn draw_ground(&self, scene: &mut Scene, view: &View, chart: &Chart) {
        let c = view.colours;
        let r = chart.rect;
        let edge = chart.at(self.whole() as f64 - 0.5, 0.0).0;
        scene.fill(Rect::new(r.x, r.y, edge - r.x, r.h), c.series(0).fade(0.13));
        let word = |key: &str| say!(view.lang, format!("figure.ctx-wavelengths.{key}"));
        // Curves rise to the right: there is room below them.
        if edge - r.x > 96.0 {
            let place = (Align::End, Stand::Above);
            let at = (edge - 8.0, r.bottom() - 5.0);
            fitted(
                scene,
                at,
                edge - r.x - 12.0,
                &word("whole"),
                TICK,
                c.muted,
                place,
            );
        }
        if r.right() - edge > 96.0 {
            let place = (Align::End, Stand::Above);
            let at = (r.right() - 8.0, r.bottom() - 5.0);
            fitted(
                scene,
                at,
                r.right() - edge - 12.0,
                &word("part"),
                TICK,
                c.muted,
                place,
            );
        }
    }

    /// Draws into a chart, which stays as it is while a film runs.
    fn scene(&self, p: &Params, view: &View, chart: &Chart) -> Scene {
        let mut scene = Scene::default();
        let c = view.colours;
        let word = |key: &str| say!(view.lang, format!("figure.ctx-wavelengths.{key}"));
        self.draw_ground(&mut scene, view, chart);
        let across = self.pairs.pair_ticks(chart.rect.w);
        let up = powers(chart.y.clone(), 8);
        let pair = say!(view.lang, "figure.ctx.pairs");
        let words = (&*word("chart"), &*pair, &*word("y"));
        chart.axes_with(&mut scene, view, (&across, &up), words);
        let context = &self.pairs.context;
        for (name, length, colour) in [
            ("orig_len", context.orig_len, c.key),
            ("target_len", context.target_len, c.query),
        ] {
            let text = format!("{name} {length}");
            level(&mut scene, chart, (length as f64).log10(), &text, colour);
        }
        let curves = [
            (&self.plain, Stroke::dashed(c.ink, 1.8, (6.0, 3.0))),
            (&self.other, Stroke::dashed(c.series(2), 1.8, (2.0, 3.0))),
            (&self.now, Stroke::solid(c.accent, 2.6)),
        ];
        let mut names = Vec::new();
        // The remedy has no name, and no line, while there is none.
        for ((all, s), text) in curves.into_iter().zip(self.names(view.lang)) {
            let line = all.iter().enumerate().map(|(k, w)| (k as f64, w.log10()));
            plot(&mut scene, chart, line, s);
            names.push(Name {
                y: chart.at(0.0, all[self.last()].log10()).1,
                text,
                colour: s.colour,
            });
        }
        name_lines(&mut scene, chart.rect, names);
        if chart.rect.w / self.pairs.count() as f64 > 12.0 {
            let colour = if self.changed() { c.accent } else { c.ink };
            for (k, w) in self.now.iter().enumerate() {
                let at = chart.at(k as f64, w.log10());
                if k < self.whole() {
                    scene.disc(at, 3.4, colour);
                } else {
                    scene.disc(at, 4.0, c.surface);
                    scene.ring(at, 3.4, colour, 1.6);
                }
            }
        }
        let traced = self.pairs.traced(p);
        trace_pair(&mut scene, chart, traced, view);
        let at = chart.at(traced as f64, self.now[traced].log10());
        scene.disc(at, 6.0, c.surface);
        scene.disc(at, 4.2, c.traced);
        scene.targets.push(Target {
            id: 0,
            rect: chart.rect,
            rows: 1,
            columns: self.pairs.count(),
        });
        scene
    }

    /// The words of one pair: without a remedy there is one wavelength to be told.
    fn cell_key(&self) -> &'static str {
        match self.pairs.context.remedy {
            Remedy::None => "figure.ctx-wavelengths.cell_none",
            _ => "figure.ctx-wavelengths.cell",
        }
    }
}

impl Picture for Wavelengths {
    fn height(&self, width: f64) -> f64 {
        if width < 480.0 { 360.0 } else { 460.0 }
    }

    fn draw(&self, p: &Params, view: &View) -> Scene {
        let chart = self.chart(view.width, view.height);
        match growing_by_factor(p).map(|p| wavelengths(&p)) {
            Some(Ok(shorter)) => shorter.scene(p, view, &chart),
            _ => self.scene(p, view, &chart),
        }
    }

    fn describe(&self, hit: Hit, _: &Params, lang: Lang) -> String {
        let pair = hit.column.min(self.last());
        self.words(pair, self.cell_key(), lang)
    }

    fn picked(&self, hit: Hit, p: &Params) -> Vec<(Key, Value)> {
        self.pairs.pick(hit.column, p)
    }

    fn notes(&self, p: &Params, lang: Lang) -> Vec<String> {
        let traced = self.pairs.traced(p);
        [self.cell_key(), "figure.ctx-wavelengths.other"]
            .map(|key| self.words(traced, key, lang))
            .into()
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
        let picture = FIGURE.compute(&p).expect("computed");
        let all = picture.readouts(&p, Lang::En);
        let number = |name| all.iter().find(|r| r.name == name).and_then(|r| r.number);
        // 2π · 10000^(126/128).
        let last = number("last-wavelength").expect("a number");
        assert!((last - 54410.0).abs() < 1.0, "{last}");
        assert_eq!(number("whole-pairs"), Some(46.0));
    }
}
