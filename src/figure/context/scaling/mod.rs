//! `ctx-scaling`: what each remedy does to the frequency of each pair, all remedies at once.

mod asked;
mod draw;

use std::ops::Range;
use std::sync::Arc;

use super::lines::{Stroke, compared, gutter, halves, inner, side_by_side};
use super::parts::{CONTROLS, Pairs, growing_by_factor, name, readout, short_name};
use crate::core::CoreError;
use crate::core::encoding::rope_scaling::{
    Frequencies, Ramp, Remedy, RopeScaling, YarnRamp, dynamic_factor,
};
use crate::figure::kit::panel::Chart;
use crate::figure::kit::scene::{Hit, Rect, Scene};
use crate::figure::put::Handle;
use crate::figure::{Arrows, Computed, Figure, Film, Picture, Readout, Special, Table, Tool, View};
use crate::say;
use crate::state::{Key, Lang, Page, Params, Value};
use crate::words::short;

pub(crate) const FIGURE: Figure = Figure {
    id: "ctx-scaling",
    page: Page::Context,
    controls: CONTROLS,
    listens: &[Key::Pairing],
    arrows: Arrows::Each(None, Some(Key::Dim)),
    film: Film::of_drawing(),
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
    Ok(Arc::new(scaling(p)?))
}

fn scaling(p: &Params) -> Result<Scaling, CoreError> {
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
    Ok(Scaling {
        remedies,
        undefined,
        paper: paper.at(d, base, None).ok(),
        yarn_ramp: ramp(&pairs.scaling(Remedy::Yarn)),
        paper_ramp: ramp(&paper),
        llama_ramp: ramp(&pairs.scaling(Remedy::Llama3)),
        pairs,
    })
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

    fn names(&self, lang: Lang, others: bool) -> Vec<String> {
        let mut all = compared(&self.pairs.context).to_vec();
        all.extend(self.remedies.iter().filter(|_| others).map(|(r, _)| *r));
        // With room for the question mark of what is hidden.
        let all = all.iter().map(|r| format!("{} ?", short_name(*r, lang)));
        let paper = self
            .papers()
            .map(|_| say!(lang, "figure.ctx-scaling.paper"));
        all.chain(paper).collect()
    }

    /// Whether there is room for the other remedies too.
    fn roomy(view: &View) -> bool {
        view.width >= 600.0 && view.height >= 360.0
    }

    /// Whether they are drawn, faintly.
    fn others(view: &View) -> bool {
        view.reveal && Self::roomy(view)
    }

    /// Where the ratios are drawn, and the shares where there is room for them.
    fn charts(&self, view: &View) -> (Chart, Option<Chart>) {
        let (w, h) = (view.width, view.height);
        let right = gutter(|lang| self.names(lang, Self::roomy(view)));
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
        // The charts stay as they are while a film runs.
        let charts = self.charts(view);
        match growing_by_factor(p).map(|p| scaling(&p)) {
            Some(Ok(shorter)) => shorter.scene(p, view, charts),
            _ => self.scene(p, view, charts),
        }
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
