//! The two charts of `ctx-scaling`: what is left of each frequency, and how much of it is interpolated.

use super::Scaling;
use crate::core::encoding::rope_scaling::{Ramp, Remedy};
use crate::figure::View;
use crate::figure::context::lines::{Name, Stroke, name_lines, plot, stroke, upright};
use crate::figure::context::parts::{powers, short_name, trace_pair};
use crate::figure::kit::panel::{Chart, ticks};
use crate::figure::kit::scene::{Rect, Scene, Target};
use crate::figure::kit::veil::{cover, veil};
use crate::say;
use crate::state::Params;
use crate::words::short;
/// The logarithms of ratios, by pair.
fn logs(all: &[f64]) -> impl Iterator<Item = (f64, f64)> {
    all.iter().enumerate().map(|(k, r)| (k as f64, r.log10()))
}

impl Scaling {
    fn draw_ratios(&self, scene: &mut Scene, view: &View, chart: &Chart) {
        let c = view.colours;
        let context = &self.pairs.context;
        let last = self.pairs.count() as f64 - 1.0;
        let end = |ratio: f64| chart.at(last, ratio.log10()).1;
        let named = self.named(view.reveal);
        let mut names = Vec::new();
        for (remedy, f) in self.remedies.iter().filter(|_| Self::others(view)) {
            if named.iter().all(|(r, _)| r != remedy) {
                let faint = Stroke::solid(c.muted.fade(0.3), 1.2);
                plot(scene, chart, logs(&f.ratios), faint);
                names.push(Name {
                    y: end(f.ratios[f.ratios.len() - 1]),
                    text: short_name(*remedy, view.lang),
                    colour: c.muted.fade(0.75),
                });
            }
        }
        let plain = stroke(Remedy::None, context, view);
        plot(scene, chart, [(0.0, 0.0), (last, 0.0)].into_iter(), plain);
        names.push(Name {
            y: end(1.0),
            text: short_name(Remedy::None, view.lang),
            colour: plain.colour,
        });
        for (remedy, f) in named {
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

    /// Draws into the charts of the ratios and of the shares.
    pub(super) fn scene(
        &self,
        p: &Params,
        view: &View,
        (ratio, share): (Chart, Option<Chart>),
    ) -> Scene {
        let mut scene = Scene::default();
        let c = view.colours;
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
}
