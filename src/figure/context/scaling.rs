//! `ctx-scaling`: what each remedy does to the frequency of each pair, all remedies at once.

use std::sync::Arc;

use super::parts::{
    CONTROLS, Pairs, Stroke, foot, last, legend_room, name, plot, powers, readout, stroke,
    trace_pair, two, upright,
};
use crate::core::encoding::rope_scaling::{
    Frequencies, Ramp, Remedy, RopeScaling, YarnRamp, dynamic_factor,
};
use crate::figure::kit::note::room;
use crate::figure::kit::panel::{Chart, ticks};
use crate::figure::kit::scene::{Hit, Rect, Scene, Target};
use crate::figure::{Arrows, Computed, Figure, Picture, Readout, Special, Table, View};
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
    special: &[Special::AllRemedies, Special::ArrowsByPairs],
    compute,
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

fn compute(p: &Params) -> Computed {
    let pairs = Pairs::of(p)?;
    let (mut remedies, mut undefined) = (Vec::new(), Vec::new());
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
    fn charts(&self, width: f64) -> (Chart, Chart, f64) {
        let (a, b, below) = two(width, 0.56);
        let all = self.remedies.iter().flat_map(|(_, f)| &f.ratios);
        let low = all.copied().fold(0.5, f64::min).log10();
        let ratio = Chart {
            rect: a,
            x: self.pairs.across(),
            y: low * 1.06..0.03,
        };
        let share = Chart {
            rect: b,
            x: self.pairs.across(),
            y: -0.04..1.08,
        };
        (ratio, share, below)
    }

    fn thin(view: &View) -> Stroke {
        Stroke {
            colour: view.colours.series(3),
            width: 1.3,
            dash: Some((1.5, 3.0)),
        }
    }

    fn entries(&self, view_lang: Lang) -> Vec<(Remedy, bool, String)> {
        let mut out: Vec<_> = self
            .remedies
            .iter()
            .map(|(r, _)| {
                let text = name(*r, view_lang);
                let present = *r == self.pairs.context.remedy;
                let key = "figure.ctx.present";
                let text = if present {
                    say!(view_lang, key, name = text)
                } else {
                    text
                };
                (*r, false, text)
            })
            .collect();
        if self.paper.is_some() {
            out.push((
                Remedy::Yarn,
                true,
                say!(view_lang, "figure.ctx-scaling.paper"),
            ));
        }
        out
    }

    fn texts(&self, lang: Lang) -> Vec<String> {
        self.entries(lang).into_iter().map(|e| e.2).collect()
    }

    fn below(&self, lang: Lang) -> String {
        let mut text = say!(lang, "figure.ctx-scaling.bounds");
        if !self.undefined.is_empty() {
            let names: Vec<String> = self.undefined.iter().map(|r| name(*r, lang)).collect();
            let list = names.join(if lang == Lang::Zh { "、" } else { ", " });
            text.push_str(&say!(lang, "figure.ctx-scaling.undefined", names = list));
        }
        text
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
        let inner = width - 24.0;
        self.charts(width).2
            + legend_room(inner, |lang| self.texts(lang))
            + 6.0
            + room(inner, |lang| self.below(lang))
    }

    fn draw(&self, p: &Params, view: &View) -> Scene {
        let mut scene = Scene::default();
        let c = view.colours;
        let (ratio, share, below) = self.charts(view.width);
        let word = |key: &str| say!(view.lang, format!("figure.ctx-scaling.{key}"));
        let pair = say!(view.lang, "figure.ctx.pairs");
        let across = self.pairs.pair_ticks(ratio.rect.w);
        let up = powers(ratio.y.clone(), 7);
        let head = word("chart");
        ratio.axes_with(&mut scene, view, (&across, &up), (&head, &pair, &word("y")));
        let across = self.pairs.pair_ticks(share.rect.w);
        let up: Vec<_> = ticks(0.0..1.0, 5)
            .into_iter()
            .map(|y| (y, short(y)))
            .collect();
        let head = word("ramp");
        share.axes_with(
            &mut scene,
            view,
            (&across, &up),
            (&head, &pair, &word("share")),
        );
        let context = &self.pairs.context;
        let line = |f: &[f64]| -> Vec<(f64, f64)> {
            f.iter().enumerate().map(|(k, y)| (k as f64, *y)).collect()
        };
        let logs = |f: &[f64]| line(&f.iter().map(|r| r.log10()).collect::<Vec<_>>());
        // The one in force is drawn last, on top.
        for (r, f) in last(&self.remedies, |r| r.0 == context.remedy) {
            plot(
                &mut scene,
                &ratio,
                logs(&f.ratios).into_iter(),
                stroke(*r, context, view),
            );
        }
        if let Some(f) = &self.paper {
            plot(
                &mut scene,
                &ratio,
                logs(&f.ratios).into_iter(),
                Self::thin(view),
            );
        }
        let ramps = [
            (&self.yarn_ramp, stroke(Remedy::Yarn, context, view), true),
            (&self.paper_ramp, Self::thin(view), false),
            (
                &self.llama_ramp,
                stroke(Remedy::Llama3, context, view),
                true,
            ),
        ];
        for (ramp, s, bounds) in ramps {
            let Some(ramp) = ramp else { continue };
            plot(&mut scene, &share, line(&ramp.interpolated).into_iter(), s);
            if bounds {
                for (k, x) in [ramp.low, ramp.high].into_iter().enumerate() {
                    let row = usize::from(s.dash.is_some()) * 2 + k;
                    let text = short((x * 10.0).round() / 10.0);
                    if x.is_finite() {
                        upright(&mut scene, &share, x, (&text, row), s.colour.fade(0.8));
                    }
                }
            }
        }
        let traced = self.pairs.traced(p);
        trace_pair(&mut scene, &ratio, traced, view);
        trace_pair(&mut scene, &share, traced, view);
        if context.remedy != Remedy::None {
            let at = ratio.at(traced as f64, self.pairs.ratio(traced).log10());
            scene.disc(at, 6.0, c.surface);
            scene.disc(at, 4.2, c.traced);
        }
        for (id, chart) in [&ratio, &share].into_iter().enumerate() {
            let Rect { x, y, w, h } = chart.rect;
            let rect = Rect::new(x, y, w, h);
            scene.targets.push(Target {
                id,
                rect,
                rows: 1,
                columns: self.pairs.count(),
            });
        }
        let items: Vec<_> = self
            .entries(view.lang)
            .into_iter()
            .map(|(r, thin, text)| {
                let s = if thin {
                    Self::thin(view)
                } else {
                    stroke(r, context, view)
                };
                (s, text)
            })
            .collect();
        let inner = view.width - 24.0;
        let room = legend_room(inner, |lang| self.texts(lang)) + 6.0;
        foot(
            &mut scene,
            view,
            (below, room),
            &items,
            &self.below(view.lang),
        );
        scene
    }

    fn describe(&self, hit: Hit, _: &Params, lang: Lang) -> String {
        let pair = hit.column.min(self.pairs.count() - 1);
        self.words(pair, "figure.ctx-scaling.cell", lang)
    }

    fn picked(&self, hit: Hit, p: &Params) -> Vec<(Key, Value)> {
        self.pairs.pick(hit.column, p)
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
mod tests {
    use super::*;
    use crate::state::{decode, resolve};

    fn picture(query: &str) -> (Arc<dyn Picture>, Params) {
        let p = resolve(
            &decode(&format!("embed=ctx-scaling&{query}")).0,
            crate::figure::page_of,
        )
        .0;
        ((FIGURE.compute)(&p).expect("computed"), p)
    }

    fn numbers(query: &str) -> std::collections::BTreeMap<String, f64> {
        let (picture, p) = picture(query);
        let all = picture.readouts(&p, Lang::En);
        all.into_iter()
            .filter_map(|r| Some((r.name.into_owned(), r.number?)))
            .collect()
    }

    #[test]
    fn ctx_ntk_keeps_the_first_pair_and_divides_the_last_by_s_exactly() {
        for s in [2.0, 3.0, 4.0, 7.5, 16.0] {
            let query = format!("scaling=ntk&factor={s}&d_model=128&heads=1");
            let n = numbers(&query);
            assert_eq!((n["first-ratio"], n["last-ratio"]), (1.0, 1.0 / s));
            let (picture, p) = picture(&query);
            let sentence = picture.sentence(&p, Lang::En);
            assert!(
                sentence.contains("exactly 1 ÷ s") && sentence.contains("exactly 1)"),
                "{sentence}"
            );
        }
        let (picture, p) = picture("scaling=linear");
        assert!(!picture.sentence(&p, Lang::En).contains("exactly 1)"));
    }

    #[test]
    fn ctx_both_ramps_of_yarn() {
        // d = 128, L = 4096, s = 16, pair 38: ÷ 2.85 with the index, ÷ 8.67 with the rotations.
        let n = numbers("scaling=yarn&d_model=128&heads=1&orig_len=4096&factor=16&dim=76");
        assert!(
            (1.0 / n["pair-ratio"] - 2.85).abs() < 0.01,
            "{}",
            1.0 / n["pair-ratio"]
        );
        assert!(
            (1.0 / n["paper-ratio"] - 8.67).abs() < 0.01,
            "{}",
            1.0 / n["paper-ratio"]
        );
        assert_eq!(n["attention-factor"], 0.1 * 16f64.ln() + 1.0);
    }

    #[test]
    fn ctx_dynamic_is_none_up_to_the_original_length() {
        let n = numbers("scaling=dynamic&orig_len=4096&target_len=4096");
        assert_eq!((n["first-ratio"], n["last-ratio"]), (1.0, 1.0));
    }
}
