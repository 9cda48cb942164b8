//! How `attention` is drawn: the bias, the scores with it and their weights side by side, and below
//! them the weights of the traced row before and after.

use super::{Attention, Maps};
use crate::figure::View;
use crate::figure::kit::colour::{Scale, ink_on};
use crate::figure::kit::panel::{
    Chart, HEADING, Spot, TICK, fitted, headline, legend, round_up, trace_cell,
};
use crate::figure::kit::scene::{Align, Mark, Placed, Rect, Scene, Stand, Target, text_width};
use crate::figure::kit::veil::veil;
use crate::say;
use crate::state::Params;
use crate::words::short;

/// Room left of the maps for the words of their rows.
const NAMES: f64 = 50.0;
/// Room above the maps and the bars for their headings.
const ABOVE: f64 = 24.0;
/// Room below the maps for the numbers and the words of their columns.
const BELOW: f64 = 38.0;
/// Room that a legend takes.
const LEGEND: f64 = 36.0;
/// Room below the bars for the words of the keys.
const FEET: f64 = 22.0;
/// Room for the legend of the bars where it does not fit beside their heading.
const KEYS: f64 = 16.0;
/// The target of the bars; those of the maps are their numbers.
pub(super) const BARS: usize = 3;

/// Which map it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Map {
    Bias,
    Scores,
    Weights,
}

impl Map {
    const ALL: [Self; 3] = [Self::Bias, Self::Scores, Self::Weights];
}

/// Where the parts stand in a box.
struct Places {
    small: bool,
    maps: Vec<(Map, Rect)>,
    legend: Option<f64>,
    /// The biases by offset, and the weights of the traced row.
    strip: Option<(Rect, Rect)>,
}

impl Places {
    fn of(width: f64, height: f64) -> Self {
        let small = width < 700.0;
        let shown: &[Map] = if small {
            &[Map::Bias, Map::Weights]
        } else {
            &Map::ALL
        };
        let gap = if width < 460.0 { 14.0 } else { 26.0 };
        let legend = height >= 420.0;
        let n = shown.len() as f64;
        let side = (width - NAMES - 4.0 - gap * (n - 1.0)) / n;
        let fixed = ABOVE + BELOW + if legend { LEGEND } else { 0.0 };
        let least = ABOVE + 60.0 + FEET;
        let side = side.min((height - fixed - least).max(0.55 * (height - fixed)));
        let side = side.clamp(20.0, 300.0);
        let maps = shown.iter().enumerate().map(|(k, map)| {
            let x = NAMES + k as f64 * (side + gap);
            (*map, Rect::new(x, ABOVE, side, side))
        });
        let under = ABOVE + side + BELOW;
        let top = fixed + side + ABOVE + if small { KEYS } else { 0.0 };
        let room = (height - top - FEET).min(130.0);
        let strip = (room >= 36.0).then(|| {
            let left = if small { 34.0 } else { Chart::MARGIN.0 };
            let biases = ((width - 2.0 * left - 8.0) * if small { 0.42 } else { 0.36 }).floor();
            let x = left + biases + left;
            let row = Rect::new(x, top, width - x - 8.0, room);
            (Rect::new(left, top, biases, room), row)
        });
        Self {
            small,
            maps: maps.collect(),
            legend: legend.then_some(under),
            strip,
        }
    }
}

impl Attention {
    /// The words of the sentence.
    pub(super) fn sentence_words(&self, lang: crate::state::Lang) -> Vec<String> {
        let text = say!(lang, "figure.attention.words");
        let mut words: Vec<String> = text.split(' ').map(str::to_owned).collect();
        words.truncate(self.shown());
        words
    }

    /// Height in CSS pixels at a width.
    pub(super) fn drawn_height(width: f64) -> f64 {
        let l = Places::of(width, f64::INFINITY);
        l.strip.map_or(0.0, |(r, _)| r.bottom()) + FEET
    }

    /// The whole scene.
    pub(super) fn scene(&self, p: &Params, view: &View) -> Scene {
        let mut scene = Scene::default();
        let l = Places::of(view.width, view.height);
        for (k, (map, rect)) in l.maps.iter().enumerate() {
            self.map(&mut scene, view, (*map, *rect), (k == 0, l.small), p);
        }
        if let Some(y) = l.legend {
            for (map, rect) in &l.maps {
                let (scale, key) = match map {
                    Map::Bias => (self.scales.signed, "figure.attention.signed"),
                    Map::Scores => continue,
                    Map::Weights => (self.scales.weight, "legend.weight"),
                };
                let name = say!(view.lang, key);
                legend(&mut scene, view, (rect.x, y), rect.w, scale, &name);
            }
        }
        if let Some((biases, row)) = l.strip {
            self.draw_biases(&mut scene, view, biases, p);
            self.bars(&mut scene, view, row, p);
        }
        scene
    }

    fn map(
        &self,
        scene: &mut Scene,
        view: &View,
        (map, r): (Map, Rect),
        (first, small): (bool, bool),
        p: &Params,
    ) {
        let c = view.colours;
        let n = self.shown();
        let Maps {
            bias,
            scores,
            weights,
        } = &self.rasters;
        let (raster, scale, key) = match map {
            Map::Bias => (bias, self.scales.signed, "figure.attention.bias_map"),
            Map::Scores => (scores, self.scales.signed, "figure.attention.scores"),
            Map::Weights if small => {
                let key = "figure.attention.weights_after";
                (weights, self.scales.weight, key)
            }
            Map::Weights => (weights, self.scales.weight, "figure.attention.weights"),
        };
        let heading = say!(view.lang, key, head = self.head);
        let above = (r.x, r.y - 6.0);
        headline(scene, view, above, r.w + 6.0, &heading);
        scene.rasters.push(Placed {
            rect: r,
            raster: raster.clone(),
        });
        scene.targets.push(Target {
            id: map as usize,
            rect: r,
            rows: n,
            columns: n,
        });
        self.names(scene, view, r, first);
        let hidden = map == Map::Weights && !view.reveal;
        if hidden {
            veil(scene, view, r);
        } else {
            self.cells(scene, view, r, map, scale);
        }
        if self.causal {
            self.mask(scene, view, r);
        }
        scene.frame(r, c.grid, 1.0);
        let size = r.w / n as f64;
        let offset = p.i as i64 - p.j as i64;
        // All that share what the traced pair adds.
        for i in (0..n).filter(|_| !hidden) {
            let j = i as i64 - offset;
            if (0..n as i64).contains(&j) && !self.hidden(i, j as usize) {
                let (x, y) = (r.x + j as f64 * size, r.y + i as f64 * size);
                let cell = Rect::new(x + 1.0, y + 1.0, size - 2.0, size - 2.0);
                scene.frame(cell, c.accent, 1.5);
            }
        }
        let spot = Spot(p.passing(p.i, n), p.j as f64);
        trace_cell(scene, view, r, (n, n), spot);
    }

    /// The numbers and, where there is room, the words of the rows and columns of a map.
    fn names(&self, scene: &mut Scene, view: &View, r: Rect, first: bool) {
        let c = view.colours;
        let words = self.sentence_words(view.lang);
        let size = r.w / words.len().max(1) as f64;
        let fit = words.iter().all(|w| text_width(w, TICK) <= size);
        let axis = say!(view.lang, "axis.key");
        for (k, word) in words.iter().enumerate() {
            let along = (k as f64 + 0.5) * size;
            if first {
                let left = (r.x - 5.0, r.y + along);
                let place = (Align::End, Stand::Centre);
                fitted(
                    scene,
                    left,
                    NAMES - 4.0,
                    &format!("{word} {k}"),
                    TICK,
                    c.muted,
                    place,
                );
            }
            let place = (Align::Middle, Stand::Below);
            let below = (r.x + along, r.bottom() + 3.0);
            scene.text(below, k.to_string(), TICK, c.muted, place);
            if fit {
                let below = (r.x + along, r.bottom() + 18.0);
                scene.text(below, word.clone(), TICK, c.muted, place);
            }
        }
        if !fit {
            let middle = (r.x + r.w / 2.0, r.bottom() + 18.0);
            let place = (Align::Middle, Stand::Below);
            fitted(scene, middle, r.w, &axis, TICK, c.muted, place);
        }
    }

    /// The number of each cell, where there is room for it.
    fn cells(&self, scene: &mut Scene, view: &View, r: Rect, map: Map, scale: Scale) {
        let n = self.shown();
        let size = r.w / n as f64;
        if size < 28.0 {
            return;
        }
        for (i, j) in (0..n).flat_map(|i| (0..n).map(move |j| (i, j))) {
            if self.hidden(i, j) {
                continue;
            }
            let (value, text) = match map {
                Map::Bias => (self.bias[(i, j)], format!("{:.1}", self.bias[(i, j)])),
                Map::Scores => {
                    let score = self.plain[(i, j)] + self.bias[(i, j)];
                    (score, format!("{score:.1}"))
                }
                Map::Weights => {
                    let weight = self.weights[1][(i, j)];
                    (weight, format!("{weight:.2}"))
                }
            };
            let text = if text == "-0.0" {
                "0.0".to_owned()
            } else {
                text.replace('-', "−")
            };
            let at = (r.x + (j as f64 + 0.5) * size, r.y + (i as f64 + 0.5) * size);
            let ink = ink_on(scale.colour(value, view.colours.dark));
            scene.text(at, text, TICK, ink, (Align::Middle, Stand::Centre));
        }
    }

    /// The weights of the traced row, before and after.
    fn bars(&self, scene: &mut Scene, view: &View, r: Rect, p: &Params) {
        let c = view.colours;
        let n = self.shown();
        let i = p.i.min(n - 1);
        let words = self.sentence_words(view.lang);
        let word = words.get(i).cloned().unwrap_or_default();
        let hue = c.series(self.head);
        let [long, short_one, before, after] =
            ["row", "row_short", "without", "with"].map(|part| {
                let key = format!("figure.attention.{part}");
                say!(view.lang, key, i = i, word = word)
            });
        let keys = 60.0 + text_width(&before, TICK) + text_width(&after, TICK);
        let fits = |heading: &str| text_width(heading, HEADING) + keys <= r.w + 8.0;
        let heading = if fits(&long) { long } else { short_one };
        let (above, mut x) = if fits(&heading) {
            (6.0, r.x + text_width(&heading, HEADING) + 14.0)
        } else {
            (6.0 + KEYS, r.x)
        };
        let at = (r.x, r.y - above);
        headline(scene, view, at, r.w + 8.0, &heading);
        for (text, colour) in [(before, c.muted.fade(0.55)), (after, hue)] {
            scene.fill(Rect::new(x, r.y - 17.0, 12.0, 10.0), colour);
            let at = (x + 16.0, r.y - 12.0);
            let wide = 28.0 + text_width(&text, TICK);
            scene.text(at, text, TICK, c.ink, (Align::Start, Stand::Centre));
            x += wide;
        }
        // A film runs from row to row.
        let next = (i + 1).min(n - 1);
        let of = |k: usize, j: usize| {
            let (a, b) = (self.weights[k][(i, j)], self.weights[k][(next, j)]);
            a + (b - a) * p.between
        };
        let rows = if p.between > 0.0 {
            vec![i, next]
        } else {
            vec![i]
        };
        let most = self
            .weights
            .iter()
            .flat_map(|w| rows.iter().map(|i| w.row(*i).max()));
        let most = most.fold(0.0, f64::max);
        // Room for the number over the highest bar.
        let top = round_up(1.12 * most);
        let chart = Chart {
            rect: r,
            x: -0.5..n as f64 - 0.5,
            y: 0.0..top,
        };
        for y in [0.0, top / 2.0, top] {
            let py = chart.at(0.0, y).1;
            scene.fill(Rect::new(r.x, py, r.w, 1.0), c.grid);
            let at = (r.x - 6.0, py);
            scene.text(at, short(y), TICK, c.muted, (Align::End, Stand::Centre));
        }
        let group = r.w / n as f64;
        let wide = (0.38 * group).min(34.0);
        for (j, word) in words.iter().enumerate() {
            let middle = r.x + (j as f64 + 0.5) * group;
            let below = (middle, r.bottom() + 6.0);
            let name = if text_width(word, TICK) <= group {
                word.clone()
            } else {
                j.to_string()
            };
            scene.text(below, name, TICK, c.muted, (Align::Middle, Stand::Below));
            if self.hidden(i, j) {
                continue;
            }
            for (k, x) in [middle - wide, middle + 1.0].into_iter().enumerate() {
                let value = of(k, j);
                let y = chart.at(0.0, value).1;
                let bar = Rect::new(x, y, wide - 1.0, (r.bottom() - y).max(1.0));
                if k == 1 && !view.reveal {
                    let at = (x + wide / 2.0, r.bottom() - 4.0);
                    scene.text(at, "?", HEADING, c.accent, (Align::Middle, Stand::Above));
                    continue;
                }
                scene.fill(bar, if k == 0 { c.muted.fade(0.55) } else { hue });
                if group >= 76.0 {
                    let at = (x + wide / 2.0, (y - 2.0).max(r.y + 11.0));
                    let text = format!("{value:.2}");
                    scene.text(at, text, TICK, c.ink, (Align::Middle, Stand::Above));
                }
            }
        }
        if p.j < n {
            let x = r.x + p.j as f64 * group;
            let around = Rect::new(x + 1.0, r.y - 2.0, group - 2.0, r.h + 3.0);
            scene.frame(around, c.traced, 2.0);
        }
        scene.targets.push(Target {
            id: BARS,
            rect: r,
            rows: 1,
            columns: n,
        });
    }

    /// Covers and hatches the keys after each query.
    fn mask(&self, scene: &mut Scene, view: &View, r: Rect) {
        let n = self.shown();
        let size = r.w / n as f64;
        let mut stairs = vec![(r.right(), r.y)];
        for i in 0..n {
            let x = r.x + (i + 1) as f64 * size;
            let y = r.y + i as f64 * size;
            stairs.extend([(x, y), (x, y + size)]);
        }
        let c = view.colours;
        scene.marks.push(Mark::Area {
            points: stairs,
            colour: c.surface,
        });
        // Strokes at right angles to the diagonal, from it to the edge.
        let step = 9.0;
        let cut = size / r.w;
        let mut along = step / r.w;
        while along < 2.0 {
            // On u + v = along, from u − v = cut to the upper or the right edge.
            let far = along.min(2.0 - along);
            if far > cut {
                let at = |apart: f64| {
                    let (u, v) = ((along + apart) / 2.0, (along - apart) / 2.0);
                    (r.x + u * r.w, r.y + v * r.h)
                };
                scene.line(vec![at(cut), at(far)], c.muted.fade(0.45), 1.0);
            }
            along += step / r.w;
        }
    }
}
