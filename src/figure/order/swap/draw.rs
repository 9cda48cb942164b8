//! How `order-swap` is drawn: the words of both sentences with a line from each to itself, and below
//! them the attention maps with the outputs of their rows.

use super::places::Places;
use super::{OUTPUT, OrderSwap, ROUNDING, Sentence};
use crate::figure::View;
use crate::figure::kit::colour::{Colour, Scale, ink_on};
use crate::figure::kit::panel::{HEADING, TICK, fitted, headline, legend, trace_cell};
use crate::figure::kit::scene::{Align, Placed, Rect, Scene, Stand, Target, text_width};
use crate::figure::kit::veil::veil;
use crate::say;
use crate::state::Params;
use crate::words::short;

const LETTERS: [&str; 2] = ["A", "B"];
/// Targets: the maps are 0 and 1, then the words of A and B, then their outputs.
pub(super) const WORDS: usize = 2;
/// The outputs of A; those of B follow.
pub(super) const OUTPUTS: usize = 4;

impl OrderSwap {
    fn sentence_of(&self, which: usize) -> &Sentence {
        if which == 0 { &self.a } else { &self.b }
    }

    /// Tokens of the longer sentence.
    fn longest(&self) -> usize {
        self.a.tokens.len().max(self.b.tokens.len())
    }

    /// The places of the traced query and key in A or B.
    fn traced_in(&self, which: usize, p: &Params) -> [Option<usize>; 2] {
        let last = self.a.tokens.len() - 1;
        [p.i, p.j].map(|at| {
            let at = at.min(last);
            if which == 0 {
                Some(at)
            } else {
                self.partner[at]
            }
        })
    }

    /// The colour of a token: that of its first appearance in A, then in B.
    fn colour(&self, token: &str, view: &View) -> Colour {
        let all = self.a.tokens.iter().chain(&self.b.tokens);
        let mut seen: Vec<&String> = Vec::new();
        for t in all {
            if !seen.contains(&t) {
                seen.push(t);
            }
        }
        let k = seen.iter().position(|t| *t == token).unwrap_or(0);
        view.colours.series(k)
    }

    /// A word on its colour, in letters of at most `size`; without letters where none fit.
    fn chip(&self, scene: &mut Scene, view: &View, token: &str, rect: Rect, size: f64) {
        let colour = self.colour(token, view);
        scene.fill(rect, colour);
        let room = rect.w - 4.0;
        let size = size.min((size * room / text_width(token, size)).max(TICK));
        let text = shortened(token, size, room);
        if !text.is_empty() && rect.h >= size + 1.0 {
            let middle = (rect.x + rect.w / 2.0, rect.y + rect.h / 2.0);
            let place = (Align::Middle, Stand::Centre);
            scene.text(middle, text, size, ink_on(colour), place);
        }
    }

    /// Both sentences, and a line from each word of A to the same word of B.
    fn words(&self, scene: &mut Scene, view: &View, l: &Places, p: &Params) {
        let c = view.colours;
        let traced = self.traced_in(0, p)[0];
        let fine = l.pitch < 14.0;
        for (i, j) in self.partner.iter().enumerate() {
            let Some(j) = *j else {
                continue;
            };
            let (from, to) = (l.word(0, i), l.word(1, j));
            let colour = self.colour(&self.a.tokens[i], view);
            let (alpha, width) = match (traced == Some(i), fine) {
                (true, _) => (1.0, 4.0),
                (false, true) => (0.5, 1.0),
                (false, false) => (0.55, 2.5),
            };
            let (x0, x1) = (from.x + from.w / 2.0, to.x + to.w / 2.0);
            let (y0, y1) = (from.bottom() + 3.0, to.y - 3.0);
            let at = |t: f64| {
                let ease = t * t * (3.0 - 2.0 * t);
                (x0 + (x1 - x0) * ease, y0 + (y1 - y0) * t)
            };
            let points = (0..=24).map(|k| at(f64::from(k) / 24.0));
            scene.line(points.collect(), colour.fade(alpha), width);
        }
        for (which, letter) in LETTERS.into_iter().enumerate() {
            let s = self.sentence_of(which);
            let n = s.tokens.len();
            let at = (0.0, l.rows[which] + l.chip / 2.0);
            let place = (Align::Start, Stand::Centre);
            scene.text(at, letter, 16.0, c.ink, place);
            for (k, token) in s.tokens.iter().enumerate() {
                let size = if l.small { 17.0 } else { 26.0 };
                self.chip(scene, view, token, l.word(which, k), size);
            }
            if let Some(k) = self.traced_in(which, p)[0] {
                let r = l.word(which, k);
                let around = Rect::new(r.x - 2.0, r.y - 2.0, r.w + 4.0, r.h + 4.0);
                scene.frame(around, c.traced, 2.5);
            }
            let (first, last) = (l.word(which, 0), l.word(which, n - 1));
            scene.targets.push(Target {
                id: WORDS + which,
                // Whole steps, so that each word has its own part.
                rect: Rect::new(first.x, first.y, last.x - first.x + l.pitch, first.h),
                rows: 1,
                columns: n,
            });
        }
    }

    /// In a film the traced word goes from its place in A to that in B, and so does its row of weights.
    fn travels(&self, scene: &mut Scene, view: &View, l: &Places, p: &Params) {
        let ([Some(i), _], [Some(j), _]) = (self.traced_in(0, p), self.traced_in(1, p)) else {
            return;
        };
        if p.between == 0.0 {
            return;
        }
        let ease = p.between * p.between * (3.0 - 2.0 * p.between);
        let on_way = |a: Rect, b: Rect| {
            let at = |a: f64, b: f64| a + (b - a) * ease;
            Rect::new(at(a.x, b.x), at(a.y, b.y), at(a.w, b.w), at(a.h, b.h))
        };
        let word = on_way(l.word(0, i), l.word(1, j));
        let size = if l.small { 17.0 } else { 26.0 };
        self.chip(scene, view, &self.a.tokens[i], word, size);
        scene.frame(word, view.colours.traced, 2.0);
        let row = |which: usize, k: usize| {
            let r = l.maps[which];
            let cell = r.h / self.sentence_of(which).tokens.len() as f64;
            Rect::new(r.x, r.y + k as f64 * cell, r.w, cell)
        };
        let moving = on_way(row(0, i), row(1, j));
        scene.frame(moving, self.colour(&self.a.tokens[i], view), 3.0);
    }

    /// The largest difference, in large figures.
    fn number(&self, scene: &mut Scene, view: &View, l: &Places) {
        let c = view.colours;
        let r = l.number;
        let (x, y) = (r.right() - 2.0, r.y + r.h / 2.0);
        let size = if l.small { 28.0 } else { 46.0 };
        let caption = say!(view.lang, "figure.order-swap.difference");
        let above = (x, y - 0.7 * size);
        let place = (Align::End, Stand::Above);
        fitted(scene, above, r.w, &caption, HEADING, c.muted, place);
        let (text, verdict, colour) = match self.max_difference {
            _ if !view.reveal => ("?".to_owned(), None, c.accent),
            None => ("—".to_owned(), None, c.muted),
            Some(d) if d <= ROUNDING => ("0".to_owned(), Some("unseen"), c.ink),
            Some(d) => (short(d), Some("seen"), c.accent),
        };
        let place = (Align::End, Stand::Centre);
        fitted(scene, (x, y), r.w, &text, size, colour, place);
        if let Some(part) = verdict {
            let text = say!(view.lang, format!("figure.order-swap.{part}"));
            let below = (x, y + 0.7 * size);
            let place = (Align::End, Stand::Below);
            fitted(scene, below, r.w, &text, HEADING, colour, place);
        }
    }

    /// The words of the rows and the columns of a map; their numbers where words are too small.
    fn names(&self, scene: &mut Scene, view: &View, which: usize, l: &Places) {
        let (s, rect, c) = (self.sentence_of(which), l.maps[which], view.colours);
        let n = s.tokens.len();
        let cell = rect.w / n as f64;
        if cell < 14.0 {
            let step = [2, 4, 8, 16, 32, 64];
            let step = step.into_iter().find(|k| *k as f64 * cell >= 22.0);
            for k in (0..n).step_by(step.unwrap_or(n)) {
                let along = (k as f64 + 0.5) * cell;
                let left = (rect.x - 5.0, rect.y + along);
                let below = (rect.x + along, rect.bottom() + 4.0);
                let text = k.to_string();
                let place = (Align::End, Stand::Centre);
                scene.text(left, text.clone(), TICK, c.muted, place);
                scene.text(below, text, TICK, c.muted, (Align::Middle, Stand::Below));
            }
            return;
        }
        for (k, token) in s.tokens.iter().enumerate() {
            let from = k as f64 * cell;
            let h = (cell - 3.0).min(26.0);
            let w = l.names - 6.0;
            let y = rect.y + from + (cell - h) / 2.0;
            let row = Rect::new(rect.x - l.names, y, w, h);
            self.chip(scene, view, token, row, HEADING);
            let w = (cell - 3.0).min(64.0);
            let x = rect.x + from + (cell - w) / 2.0;
            let column = Rect::new(x, rect.bottom() + 4.0, w, 20.0);
            self.chip(scene, view, token, column, HEADING);
        }
    }

    fn map(&self, scene: &mut Scene, view: &View, which: usize, l: &Places, p: &Params) {
        let c = view.colours;
        let (s, rect) = (self.sentence_of(which), l.maps[which]);
        let n = s.tokens.len();
        let wide = rect.w + l.names;
        let [short, long] = ["map", "map_axes"].map(|part| {
            let key = format!("figure.order-swap.{part}");
            say!(view.lang, key, which = LETTERS[which])
        });
        let fits = text_width(&long, HEADING) <= wide;
        let heading = if fits { long } else { short };
        let at = (rect.x - l.names, rect.y - 7.0);
        headline(scene, view, at, wide, &heading);
        scene.rasters.push(Placed {
            rect,
            raster: s.raster.clone(),
        });
        scene.frame(rect, c.grid, 1.0);
        scene.targets.push(Target {
            id: which,
            rect,
            rows: n,
            columns: n,
        });
        self.names(scene, view, which, l);
        let cell = rect.w / n as f64;
        if cell >= 32.0 {
            let w = &s.run.weights[self.layer][self.head];
            for (r, k) in (0..n).flat_map(|r| (0..n).map(move |k| (r, k))) {
                let text = if self.causal && k > r {
                    "—".to_owned()
                } else {
                    format!("{:.2}", w[(r, k)])
                };
                let (x, y) = ((k as f64 + 0.5) * cell, (r as f64 + 0.5) * cell);
                let ink = ink_on(Scale::Unit.colour(w[(r, k)], c.dark));
                let size = if cell >= 56.0 { 15.0 } else { TICK };
                let place = (Align::Middle, Stand::Centre);
                scene.text((rect.x + x, rect.y + y), text, size, ink, place);
            }
        }
        if let [Some(query), Some(key)] = self.traced_in(which, p) {
            trace_cell(scene, view, rect, (n, n), (query, key));
        }
    }

    /// The output of each row's token, and how far it is from that of the same token in A.
    fn outputs(&self, scene: &mut Scene, view: &View, which: usize, rect: Rect, p: &Params) {
        let c = view.colours;
        let s = self.sentence_of(which);
        let n = s.tokens.len();
        let heading = say!(view.lang, "figure.order-swap.outputs");
        let above = (rect.x, rect.y - 7.0);
        headline(scene, view, above, rect.w + 52.0, &heading);
        let cell = rect.h / n as f64;
        let gap = (0.16 * cell).min(8.0);
        let strip = |k: usize| {
            let y = rect.y + k as f64 * cell + gap / 2.0;
            Rect::new(rect.x, y, rect.w, cell - gap)
        };
        for (k, raster) in s.strips.iter().enumerate() {
            scene.rasters.push(Placed {
                rect: strip(k),
                raster: raster.clone(),
            });
        }
        scene.targets.push(Target {
            id: OUTPUTS + which,
            rect,
            rows: n,
            columns: s.run.output.ncols(),
        });
        if which == 0 {
            self.frame_output(scene, view, which, p, &strip);
            return;
        }
        if !view.reveal {
            veil(scene, view, rect);
            return;
        }
        self.frame_output(scene, view, which, p, &strip);
        if cell < 15.0 {
            return;
        }
        for k in 0..n {
            let r = strip(k);
            let text = match self.origin[k].and_then(|i| self.token_difference(i)) {
                Some(d) if d <= ROUNDING => "Δ 0".to_owned(),
                Some(d) => format!("Δ {d:.2}"),
                None => continue,
            };
            let at = (r.right() + 6.0, r.y + r.h / 2.0);
            let place = (Align::Start, Stand::Centre);
            scene.text(at, text, TICK, c.ink, place);
        }
    }

    /// A frame around the output of the traced token.
    fn frame_output(
        &self,
        scene: &mut Scene,
        view: &View,
        which: usize,
        p: &Params,
        strip: &dyn Fn(usize) -> Rect,
    ) {
        if let Some(k) = self.traced_in(which, p)[0] {
            scene.frame(strip(k), view.colours.traced, 2.0);
        }
    }

    /// Height in CSS pixels at a width.
    pub(super) fn drawn_height(&self, width: f64) -> f64 {
        Places::of(width, f64::INFINITY, self.longest()).bottom()
    }

    /// The whole scene.
    pub(super) fn scene(&self, p: &Params, view: &View) -> Scene {
        let mut scene = Scene::default();
        let l = Places::of(view.width, view.height, self.longest());
        self.words(&mut scene, view, &l, p);
        self.number(&mut scene, view, &l);
        for which in [0, 1] {
            self.map(&mut scene, view, which, &l, p);
            if let Some(strips) = l.strips {
                self.outputs(&mut scene, view, which, strips[which], p);
            }
        }
        self.travels(&mut scene, view, &l, p);
        if let Some(y) = l.legend {
            let wide = l.maps[0].w.clamp(100.0, 280.0);
            for (which, scale, key) in [
                (0, Scale::Unit, "legend.weight"),
                (1, OUTPUT, "legend.output"),
            ] {
                let name = say!(view.lang, key);
                let at = (l.maps[which].x, y);
                legend(&mut scene, view, at, wide, scale, &name);
            }
        }
        scene
    }
}

/// As much of a word as there is room for: all of it, its beginning and an ellipsis, its first sign, or
/// nothing.
fn shortened(text: &str, size: f64, room: f64) -> String {
    if text_width(text, size) <= room {
        return text.to_owned();
    }
    let mut kept = text.to_owned();
    while kept.pop().is_some() {
        let with = format!("{kept}…");
        if !kept.is_empty() && text_width(&with, size) <= room {
            return with;
        }
    }
    let first: String = text.chars().take(1).collect();
    if text_width(&first, size) <= room {
        first
    } else {
        String::new()
    }
}

#[cfg(test)]
mod tests {
    use super::shortened;

    #[test]
    fn long_names_are_shortened() {
        assert_eq!(shortened("ab", 10.0, 100.0), "ab");
        assert!(shortened("transformer", 10.0, 30.0).ends_with('…'));
        assert_eq!(shortened("爱好", 12.0, 13.0), "爱");
        assert_eq!(shortened("wide", 10.0, 2.0), "");
    }
}
