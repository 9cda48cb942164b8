//! The two charts of `ctx-precision`: words that fall onto steps, and the errors of their cosines.

use super::{FLOOR, Precision};
use crate::core::precision::Format;
use crate::figure::View;
use crate::figure::context::lines::{Name, name_lines, plot};
use crate::figure::context::parts::powers;
use crate::figure::kit::panel::{Chart, TICK, fitted, whole_ticks};
use crate::figure::kit::scene::{Align, Rect, Scene, Stand, text_width};
use crate::figure::kit::veil::{cover, question};
use crate::say;
use crate::state::number;

impl Precision {
    /// True positions across, the numbers that they become upwards: words fall onto steps, `fallen` of the way.
    pub(super) fn draw_stairs(&self, scene: &mut Scene, view: &View, chart: &Chart, fallen: f64) {
        let c = view.colours;
        let r = chart.rect;
        let word = |key: &str| say!(view.lang, format!("figure.ctx-precision.{key}"));
        let steps = self.steps_shown();
        let here = self.position;
        let own = |s: &(f64, usize, usize)| (s.1..=s.2).contains(&here);
        // Where steps begin; a tick as often as there is room.
        let wide = text_width(&number(here as f64), TICK) + 8.0;
        let mut across: Vec<(f64, String)> = Vec::new();
        let firsts = steps.iter().filter(|s| own(s)).chain(&steps);
        for x in firsts.map(|s| s.1 as f64) {
            let px = chart.at(x, 0.0).0;
            let free = across
                .iter()
                .all(|(x, _)| (chart.at(*x, 0.0).0 - px).abs() > wide);
            if free {
                across.push((x, number(x)));
            }
        }
        let mut up: Vec<(f64, String)> = Vec::new();
        for (to, _, _) in steps.iter().filter(|s| own(s)).chain(&steps) {
            let py = chart.at(0.0, *to).1;
            let free = up
                .iter()
                .all(|(y, _)| (chart.at(0.0, *y).1 - py).abs() > TICK + 3.0);
            if to.is_finite() && free {
                up.push((*to, number(*to)));
            }
        }
        if !view.reveal {
            // How far steps are apart tells how many words share one.
            let count = ((r.w / (wide + 20.0)) as usize).max(2);
            across = whole_ticks(chart.x.clone(), count)
                .into_iter()
                .map(|x| (x, number(x)))
                .collect();
            let to = Format::Bfloat16.round(here as f64);
            up = vec![(to, number(to))];
        }
        let words = (&*word("chart"), &*word("x"), &*word("becomes"));
        chart.axes_with(scene, view, (&across, &up), words);
        let [bf16, _, exact] = Self::strokes(view);
        let ends = [chart.x.start, chart.x.end];
        plot(scene, chart, ends.map(|x| (x, x)).into_iter(), exact);
        if !view.reveal {
            // All steps: how far its neighbours reach tells where that of the position ends.
            cover(scene, view, r);
            plot(scene, chart, ends.map(|x| (x, x)).into_iter(), exact);
            match &view.guess {
                Some(guess) => self.draw_guess(scene, view, chart, guess),
                None => {
                    let middle = (r.x + r.w / 2.0, r.y + r.h / 2.0);
                    question(scene, view, middle, 34.0);
                }
            }
            return;
        }
        // Each word falls from where it is to the step; what becomes the same number has one colour.
        let every = (3.0 * self.window.len() as f64 / r.w).ceil().max(1.0) as usize;
        for (k, &n) in self
            .window
            .iter()
            .enumerate()
            .filter(|(k, _)| k % every == 0)
        {
            let to = Format::Bfloat16.round(n as f64);
            let mine = steps.iter().any(|s| own(s) && s.0 == to);
            let colour = if mine {
                c.traced
            } else {
                bf16.colour.fade(0.55)
            };
            let from = chart.at(n as f64, n as f64);
            let to = chart.at(n as f64, n as f64 + (to - n as f64) * fallen);
            scene.line(vec![from, to], colour.fade(0.7 * colour.alpha), 1.0);
            if k % (2 * every) == 0 {
                scene.disc(from, 1.4, colour);
            }
            // While they fall, the words themselves.
            if fallen < 1.0 {
                scene.disc(to, 2.2, colour);
            }
        }
        for step in &steps {
            let (a, b) = (
                chart.at(step.1 as f64 - 0.5, step.0),
                chart.at(step.2 as f64 + 0.5, step.0),
            );
            let (left, right) = (a.0.max(r.x), b.0.min(r.right()));
            let colour = if own(step) { c.traced } else { bf16.colour };
            let solid = colour.fade(colour.alpha * fallen.powi(4));
            scene.line(vec![(left, a.1), (right, a.1)], solid, 3.0);
        }
        if fallen == 1.0 {
            self.draw_count(scene, view, chart);
        }
        if let Some(guess) = &view.guess {
            self.draw_guess(scene, view, chart, guess);
        }
        let (x, to) = (here as f64, Format::Bfloat16.round(here as f64));
        let at = chart.at(x, x + (to - x) * fallen);
        scene.disc(at, 6.0, c.surface);
        scene.disc(at, 4.2, c.traced);
    }

    /// How many words share the step of the position.
    fn draw_count(&self, scene: &mut Scene, view: &View, chart: &Chart) {
        let c = view.colours;
        let r = chart.rect;
        let to = Format::Bfloat16.round(self.position as f64);
        let (first, last) = self.own_step();
        let (left, y) = chart.at(first as f64, to);
        let right = chart.at(last as f64, to).0;
        let text = self.words(0, "figure.ctx-precision.onto", view.lang);
        let wide = text_width(&text, TICK);
        let x = ((left + right) / 2.0).clamp(
            r.x + wide / 2.0,
            (r.right() - wide / 2.0).max(r.x + wide / 2.0),
        );
        let ground = Rect::new(x - wide / 2.0 - 4.0, y - 24.0, wide + 8.0, 18.0);
        scene.fill(ground, c.surface.fade(0.85));
        let place = (Align::Middle, Stand::Centre);
        fitted(scene, (x, y - 15.0), r.w, &text, TICK, c.traced, place);
    }

    /// |error| of cos by pair.
    pub(super) fn draw_errors(&self, scene: &mut Scene, view: &View, chart: &Chart) {
        let word = |key: &str| say!(view.lang, format!("figure.ctx-precision.{key}"));
        let across = self.pairs.pair_ticks(chart.rect.w);
        let up = powers(chart.y.clone(), 6);
        let pair = say!(view.lang, "figure.ctx.pairs");
        let words = (&*word("errors"), &*pair, &*word("error"));
        chart.axes_with(scene, view, (&across, &up), words);
        let mut names = Vec::new();
        let names_of = self.names(view.lang);
        let strokes = Self::strokes(view);
        for (k, text) in [2, 0, 1].map(|k| (k, names_of[k].clone())) {
            let values = self.errors.iter().enumerate();
            let points: Vec<(f64, f64)> = values
                .filter_map(|(pair, e)| Some((pair as f64, e[k]?.max(FLOOR).log10())))
                .collect();
            let Some(&(_, last)) = points.last() else {
                continue;
            };
            names.push(Name {
                y: chart.at(0.0, last.max(chart.y.start)).1,
                text,
                colour: strokes[k].colour,
            });
            plot(scene, chart, points.into_iter(), strokes[k]);
        }
        name_lines(scene, chart.rect, names);
    }
}
