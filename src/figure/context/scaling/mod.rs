//! `ctx-scaling`: what each remedy does to the frequency of each pair, all remedies at once.

mod asked;

use std::ops::Range;
use std::sync::Arc;

use super::lines::{
    Name, Stroke, compared, gutter, halves, inner, name_lines, plot, side_by_side, stroke, upright,
};
use super::parts::{CONTROLS, Pairs, name, powers, readout, short_name, trace_pair};
use crate::core::encoding::rope_scaling::{
    Frequencies, Ramp, Remedy, RopeScaling, YarnRamp, dynamic_factor,
};
use crate::figure::kit::panel::{Chart, ticks};
use crate::figure::kit::scene::{Hit, Rect, Scene, Target};
use crate::figure::kit::veil::{cover, veil};
use crate::figure::put::Handle;
use crate::figure::{Arrows, Computed, Figure, Picture, Readout, Special, Table, Tool, View};
use crate::say;
use crate::state::{Key, Lang, Page, Params, Value};
use crate::words::short;

pub(crate) const FIGURE: Figure = Figure {
    id: "ctx-scaling",
    page: Page::Context,
    controls: CONTROLS,
    listens: &[Key::Pairing],
    arrows: Arrows::Each(None, Some(Key::Dim)),
    film: None,
    special: &[
        Special::AllRemedies,
        Special::ArrowsByPairs,
        Special::ToolBefore(Tool::Presets),
    ],
};

struct Scaling {
    pairs: Pairs,
    /// Each remedy but none, where it is defined.
    remedies: Vec<(Remedy, Frequencies)>,
    undefined: Vec<Remedy>,
    /// YaRN with the ramp of its paper.
    paper: Option<Frequencies>,
    yarn_ramp: Option<Ramp>,
    paper_ramp: Option<Ramp>,
    llama_ramp: Option<Ramp>,
}

pub(crate) fn compute(p: &Params) -> Computed {
    let pairs = Pairs::of(p)?;
    let (mut remedies, mut undefined) = (Vec::new(), Vec::new());
    // The first is none.
    for remedy in Remedy::ALL.into_iter().skip(1) {
        match pairs.under(remedy) {
            Some(f) => remedies.push((remedy, f)),
            None => undefined.push(remedy),
        }
    }
    let (d, base) = (pairs.rope.rotary_dim(), pairs.base);
    let ramp = |s: &RopeScaling| s.ramp(d, base).ok().flatten();
    let paper = match pairs.scaling(Remedy::Yarn) {
        RopeScaling::Yarn(mut yarn) => {
            yarn.ramp = YarnRamp::Rotations;
            RopeScaling::Yarn(yarn)
        }
        other => other,
    };
    Ok(Arc::new(Scaling {
        remedies,
        undefined,
        paper: paper.at(d, base, None).ok(),
        yarn_ramp: ramp(&pairs.scaling(Remedy::Yarn)),
        paper_ramp: ramp(&paper),
        llama_ramp: ramp(&pairs.scaling(Remedy::Llama3)),
        pairs,
    }))
}

impl Scaling {
    /// The remedies drawn and named; while the question is open, without the one asked for and
    /// without the one that is the same at another length.
    fn named(&self, reveal: bool) -> Vec<(Remedy, &Frequencies)> {
        let asked = |r: Remedy| !reveal && matches!(r, Remedy::Ntk | Remedy::Dynamic);
        let all = compared(&self.pairs.context).into_iter();
        all.filter(|r| !asked(*r))
            .filter_map(|r| self.remedies.iter().find(|(x, _)| *x == r))
            .map(|(r, f)| (*r, f))
            .collect()
    }

    /// The ramp of the remedy in force, if it has one: the share of each pair that is interpolated.
    fn ramp(&self) -> Option<&Ramp> {
        match self.pairs.context.remedy {
            Remedy::Yarn => self.yarn_ramp.as_ref(),
            Remedy::Llama3 => self.llama_ramp.as_ref(),
            _ => None,
        }
    }

    /// YaRN by the formula of its paper, where YaRN is in force.
    fn papers(&self) -> Option<&Frequencies> {
        let yarn = self.pairs.context.remedy == Remedy::Yarn;
        self.paper.as_ref().filter(|_| yarn)
    }

    fn names(&self, lang: Lang) -> Vec<String> {
        // With room for the question mark of what is hidden.
        let all = compared(&self.pairs.context).map(|r| format!("{} ?", short_name(r, lang)));
        let paper = self
            .papers()
            .map(|_| say!(lang, "figure.ctx-scaling.paper"));
        all.into_iter().chain(paper).collect()
    }

    /// Whether the other remedies are drawn too, faintly.
    fn others(view: &View) -> bool {
        view.reveal && view.width >= 600.0 && view.height >= 360.0
    }

    /// Where the ratios are drawn, and the shares where there is room for them.
    fn charts(&self, view: &View) -> (Chart, Option<Chart>) {
        let (w, h) = (view.width, view.height);
        let right = gutter(|lang| self.names(lang));
        let whole = Rect::new(0.0, 0.0, w, h);
        let two = self.ramp().is_some() && (side_by_side(w) || h >= 440.0);
        let (a, b) = if two {
            let (a, b) = halves(w, h, 0.6);
            (
                inner(a, right),
                Some(inner(b, if side_by_side(w) { 16.0 } else { right })),
            )
        } else {
            (inner(whole, right), None)
        };
        let ratio = Chart {
            rect: a,
            x: self.pairs.across(),
            y: self.logs_shown(Self::others(view)),
        };
        let share = b.map(|rect| Chart {
            rect,
            x: self.pairs.across(),
            y: -0.04..1.08,
        });
        (ratio, share)
    }

    /// The logarithms of ratios that there are to draw, with all remedies or with those compared.
    fn logs_shown(&self, all_of_them: bool) -> Range<f64> {
        let of = |r: Remedy| all_of_them || compared(&self.pairs.context).contains(&r);
        let all = self.remedies.iter().filter(|(r, _)| of(*r));
        let all = all.flat_map(|(_, f)| &f.ratios);
        let all = all.chain(self.papers().into_iter().flat_map(|f| &f.ratios));
        let low = all.copied().fold(0.5, f64::min).log10();
        low * 1.25..0.03
    }

    fn thin(view: &View) -> Stroke {
        Stroke::dashed(view.colours.series(3), 1.6, (1.5, 3.0))
    }

    /// s of the remedy in force.
    fn factor(&self) -> f64 {
        let c = &self.pairs.context;
        match c.remedy {
            Remedy::None => 1.0,
            Remedy::Dynamic => dynamic_factor(c.factor, c.orig_len, Some(c.target_len)),
            _ => c.factor,
        }
    }

    fn ends(&self) -> (f64, f64) {
        let last = self.pairs.count() - 1;
        // Of the remedy itself: a quotient of frequencies would have a rounding error.
        let f = self.pairs.under(self.pairs.context.remedy);
        f.map_or((1.0, 1.0), |f| (f.ratios[0], f.ratios[last]))
    }

    fn words(&self, pair: usize, key: &str, lang: Lang) -> String {
        let (first, last) = self.ends();
        let s = self.factor();
        let exact = |holds: bool, key: &str| {
            if holds {
                say!(lang, key, s = short(s))
            } else {
                String::new()
            }
        };
        let list: Vec<String> = self
            .remedies
            .iter()
            .map(|(r, f)| format!("{} {}", name(*r, lang), short(f.ratios[pair])))
            .collect();
        let paper = self.paper.as_ref().map_or(1.0, |f| f.ratios[pair]);
        let of = |remedy: Remedy| {
            let found = self.remedies.iter().find(|(r, _)| *r == remedy);
            found.map_or(1.0, |(_, f)| f.ratios[pair])
        };
        say!(
            lang,
            key,
            pair = pair,
            remedy = name(self.pairs.context.remedy, lang),
            first = short(first),
            last = short(last),
            first_exact = exact(first == 1.0, "figure.ctx-scaling.exactly_one"),
            last_exact = exact(last == 1.0 / s && s > 1.0, "figure.ctx-scaling.exactly_s"),
            factor = short(self.pairs.rope.attention_factor()),
            square = short(self.pairs.rope.attention_factor().powi(2)),
            ratio = short(self.pairs.ratio(pair)),
            divided = short(1.0 / of(Remedy::Yarn)),
            paper = short(1.0 / paper),
            list = list.join(if lang == Lang::Zh { "，" } else { ", " })
        )
    }
}

/// The logarithms of ratios, by pair.
fn logs(all: &[f64]) -> impl Iterator<Item = (f64, f64)> {
    all.iter().enumerate().map(|(k, r)| (k as f64, r.log10()))
}

impl Scaling {
    fn draw_ratios(&self, scene: &mut Scene, view: &View, chart: &Chart) {
        let c = view.colours;
        let context = &self.pairs.context;
        if Self::others(view) {
            for (_, f) in &self.remedies {
                let faint = Stroke::solid(c.muted.fade(0.3), 1.2);
                plot(scene, chart, logs(&f.ratios), faint);
            }
        }
        let last = self.pairs.count() as f64 - 1.0;
        let end = |ratio: f64| chart.at(last, ratio.log10()).1;
        let plain = stroke(Remedy::None, context, view);
        plot(scene, chart, [(0.0, 0.0), (last, 0.0)].into_iter(), plain);
        let mut names = vec![Name {
            y: end(1.0),
            text: short_name(Remedy::None, view.lang),
            colour: plain.colour,
        }];
        for (remedy, f) in self.named(view.reveal) {
            let s = stroke(remedy, context, view);
            plot(scene, chart, logs(&f.ratios), s);
            names.push(Name {
                y: end(f.ratios[f.ratios.len() - 1]),
                text: short_name(remedy, view.lang),
                colour: s.colour,
            });
        }
        if let Some(f) = self.papers().filter(|_| view.reveal) {
            plot(scene, chart, logs(&f.ratios), Self::thin(view));
            names.push(Name {
                y: end(f.ratios[f.ratios.len() - 1]),
                text: say!(view.lang, "figure.ctx-scaling.paper"),
                colour: Self::thin(view).colour,
            });
        }
        if !view.reveal {
            names.push(Name {
                y: chart.rect.y + chart.rect.h / 2.0,
                text: format!("{} ?", short_name(Remedy::Ntk, view.lang)),
                colour: c.accent,
            });
        }
        name_lines(scene, chart.rect, names);
    }

    /// The shares, with the ends of the ramp as pair numbers.
    fn draw_shares(&self, scene: &mut Scene, view: &View, chart: &Chart, ramp: &Ramp) {
        let word = |key: &str| say!(view.lang, format!("figure.ctx-scaling.{key}"));
        let across = self.pairs.pair_ticks(chart.rect.w);
        let up: Vec<_> = ticks(0.0..1.0, 4)
            .into_iter()
            .map(|y| (y, short(y)))
            .collect();
        let pair = say!(view.lang, "figure.ctx.pairs");
        let words = (&*word("ramp"), &*pair, &*word("share"));
        chart.axes_with(scene, view, (&across, &up), words);
        let context = &self.pairs.context;
        let s = stroke(context.remedy, context, view);
        let line = |ramp: &Ramp| -> Vec<(f64, f64)> {
            let all = ramp.interpolated.iter().enumerate();
            all.map(|(k, y)| (k as f64, *y)).collect()
        };
        if let Some(paper) = self.paper_ramp.as_ref().filter(|_| self.papers().is_some()) {
            plot(scene, chart, line(paper).into_iter(), Self::thin(view));
        }
        plot(scene, chart, line(ramp).into_iter(), s);
        // The curve has the upper left corner of the one and the upper right of the other.
        for (row, x) in [(0, ramp.low), (3, ramp.high)] {
            let text = short((x * 10.0).round() / 10.0);
            if x.is_finite() {
                upright(scene, chart, x, (&text, row), s.colour.fade(0.8));
            }
        }
    }

    /// Hides the two ends that are asked for.
    fn veil_ends(&self, scene: &mut Scene, view: &View, chart: &Chart) {
        let r = chart.rect;
        let wide = (r.w / self.pairs.count() as f64).max(26.0).min(r.w / 2.0);
        for x in [r.x + 1.0, r.right() - wide] {
            let end = Rect::new(x, r.y, wide, r.h);
            match view.guess {
                Some(_) => cover(scene, view, end),
                None => veil(scene, view, end),
            }
        }
    }
}

impl Picture for Scaling {
    fn height(&self, width: f64) -> f64 {
        if side_by_side(width) {
            440.0
        } else if width < 480.0 {
            360.0
        } else {
            500.0
        }
    }

    fn draw(&self, p: &Params, view: &View) -> Scene {
        let mut scene = Scene::default();
        let c = view.colours;
        let (ratio, share) = self.charts(view);
        let word = |key: &str| say!(view.lang, format!("figure.ctx-scaling.{key}"));
        let pair = say!(view.lang, "figure.ctx.pairs");
        let across = self.pairs.pair_ticks(ratio.rect.w);
        let up = powers(ratio.y.clone(), 6);
        let words = (&*word("chart"), &*pair, &*word("y"));
        ratio.axes_with(&mut scene, view, (&across, &up), words);
        self.draw_ratios(&mut scene, view, &ratio);
        let traced = self.pairs.traced(p);
        trace_pair(&mut scene, &ratio, traced, view);
        if self.pairs.context.remedy != Remedy::None && view.reveal {
            let at = ratio.at(traced as f64, self.pairs.ratio(traced).log10());
            scene.disc(at, 6.0, c.surface);
            scene.disc(at, 4.2, c.traced);
        }
        if let Some((chart, ramp)) = share.as_ref().zip(self.ramp()) {
            self.draw_shares(&mut scene, view, chart, ramp);
            trace_pair(&mut scene, chart, traced, view);
        }
        if !view.reveal {
            self.veil_ends(&mut scene, view, &ratio);
        }
        if let Some(guess) = &view.guess {
            self.draw_guess(&mut scene, view, &ratio, guess);
        }
        for (id, chart) in std::iter::once(&ratio).chain(&share).enumerate() {
            scene.targets.push(Target {
                id,
                rect: chart.rect,
                rows: 1,
                columns: self.pairs.count(),
            });
        }
        scene
    }

    fn describe(&self, hit: Hit, _: &Params, lang: Lang) -> String {
        let pair = hit.column.min(self.pairs.count() - 1);
        self.words(pair, "figure.ctx-scaling.cell", lang)
    }

    fn picked(&self, hit: Hit, p: &Params) -> Vec<(Key, Value)> {
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
        let (first, last) = self.ends();
        let label = |key: &str| self.words(traced, &format!("figure.ctx-scaling.{key}"), lang);
        let mut out = vec![
            readout("first-ratio", label("first"), first),
            readout("last-ratio", label("last"), last),
            readout(
                "attention-factor",
                label("attention"),
                self.pairs.rope.attention_factor(),
            ),
            readout("pair-ratio", label("ratio"), self.pairs.ratio(traced)),
        ];
        if self.pairs.context.remedy == Remedy::Yarn
            && let Some(paper) = &self.paper
        {
            out.push(readout(
                "paper-ratio",
                label("paper_ratio"),
                paper.ratios[traced],
            ));
        }
        out
    }

    fn notes(&self, p: &Params, lang: Lang) -> Vec<String> {
        let mut out = vec![self.words(self.pairs.traced(p), "figure.ctx-scaling.cell", lang)];
        if self.ramp().is_some() {
            out.push(say!(lang, "figure.ctx-scaling.bounds"));
        }
        if !self.undefined.is_empty() {
            let names: Vec<String> = self.undefined.iter().map(|r| name(*r, lang)).collect();
            let list = names.join(if lang == Lang::Zh { "、" } else { ", " });
            out.push(say!(lang, "figure.ctx-scaling.undefined", names = list));
        }
        out
    }

    fn sentence(&self, p: &Params, lang: Lang) -> String {
        let key = match self.pairs.context.remedy {
            Remedy::None => "figure.ctx-scaling.sentence_none",
            Remedy::Yarn => "figure.ctx-scaling.sentence_yarn",
            _ => "figure.ctx-scaling.sentence",
        };
        self.words(self.pairs.traced(p), key, lang)
    }

    fn table(&self, _: &Params) -> Table {
        let ids = self.remedies.iter().map(|(r, _)| r.id().to_owned());
        let mut columns: Vec<String> = ["pair", "theta"].map(str::to_owned).into();
        columns.extend(ids);
        if self.paper.is_some() {
            columns.push("yarn_paper".to_owned());
        }
        let row = |pair: usize| {
            let mut row = vec![pair as f64, self.pairs.plain[pair]];
            row.extend(self.remedies.iter().map(|(_, f)| f.ratios[pair]));
            row.extend(self.paper.iter().map(|f| f.ratios[pair]));
            row
        };
        Table {
            columns,
            rows: (0..self.pairs.count()).map(row).collect(),
        }
    }
}

#[cfg(test)]
mod tests;
