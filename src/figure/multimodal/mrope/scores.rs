//! `mrope-scores`: the scores of a token with the patches of an image, by one number a token and by
//! (t, h, w); and which pairs of dimensions turn by which of the three.

use std::ops::Range;
use std::sync::Arc;

use super::looks::{Looker, Looks};
use super::map::{frames_in_row, place_in_map, side_of, token_of_map};
use super::{CENTRED, TOKEN_BY_TOKEN, axis_colour};
use crate::core::mrope::Block;
use crate::figure::kit::colour::{Scale, ink_on};
use crate::figure::kit::panel::{TICK, fitted, headline, legend, swatches};
use crate::figure::kit::scene::{
    Align, Hit, Placed, Raster, Rect, Scene, Stand, Target, text_width,
};
use crate::figure::{Arrows, Computed, Figure, Picture, Readout, Table, View, place};
use crate::say;
use crate::state::{Key, Lang, Page, Params, Value};
use crate::words::short;

pub(crate) const FIGURE: Figure = Figure {
    id: "mrope-scores",
    page: Page::Multimodal,
    controls: &[
        Key::Q,
        Key::K,
        Key::Mrope,
        Key::Base,
        Key::Sections,
        Key::Heads,
        Key::DModel,
    ],
    // The sequence is built beside `mrope-grid`, the bias beside `modality-bias`.
    listens: &[Key::Blocks, Key::Fps, Key::ModBias],
    arrows: Arrows::Each(Some(Key::K), Some(Key::Q)),
    // Token after token asks.
    film: TOKEN_BY_TOKEN,
    special: &[],
};

/// Room around a map: above for its heading, below for how much its scores differ.
const ABOVE: f64 = 24.0;
const BELOW: f64 = 24.0;
const LEGEND: f64 = 34.0;
/// Room for the strip of pairs.
const STRIP: f64 = 62.0;

struct MropeScores {
    looker: Looker,
    /// The block that is shown while k is in none with rows and columns.
    first: (Block, Range<usize>),
    seen: bool,
}

struct Layout {
    maps: [Rect; 2],
    side: f64,
    /// Frames side by side, and all rows and columns.
    in_row: usize,
    rows: usize,
    columns: usize,
    strip: Option<Rect>,
    height: f64,
}

fn is_seen(block: &Block) -> bool {
    matches!(block, Block::Image(..) | Block::Video(..))
}

pub(crate) fn compute(p: &Params) -> Computed {
    let looker = Looker::new(p)?;
    let spans = &looker.tokens.spans;
    let vision = spans.iter().find(|s| is_seen(&s.0)).cloned();
    let seen = vision.is_some();
    // Without an image all tokens are laid out like one.
    let n = looker.tokens.len();
    let across = (n as f64).sqrt().ceil() as usize;
    let all = (Block::Image(n.div_ceil(across), across), 0..n);
    Ok(Arc::new(MropeScores {
        looker,
        first: vision.unwrap_or(all),
        seen,
    }))
}

/// Smallest and largest of some numbers.
fn ends(numbers: impl Iterator<Item = f64>) -> (f64, f64) {
    let start = (f64::INFINITY, f64::NEG_INFINITY);
    numbers.fold(start, |(low, high), x| (low.min(x), high.max(x)))
}

impl MropeScores {
    /// The block that the maps show: that of k if it has rows and columns, else the first that has.
    fn shown(&self, k: usize) -> &(Block, Range<usize>) {
        let mut all = self.looker.tokens.spans.iter().filter(|s| is_seen(&s.0));
        all.find(|s| s.1.contains(&k)).unwrap_or(&self.first)
    }

    /// Smallest and largest score of the patches shown, of each map.
    fn ranges(&self, looks: &Looks, k: usize) -> [(f64, f64); 2] {
        let tokens = &self.shown(k).1;
        [0, 1].map(|m| ends(looks.scores[m][tokens.clone()].iter().copied()))
    }

    fn layout(&self, k: usize, width: f64, height: f64) -> Layout {
        let stripped = width >= 500.0 && height >= 440.0;
        let rest = LEGEND + if stripped { STRIP } else { 0.0 };
        let room = Rect::new(
            0.0,
            0.0,
            (width - 16.0 - 20.0) / 2.0,
            (height - ABOVE - BELOW - rest).max(10.0),
        );
        let (t, h, w) = self.shown(k).0.sizes();
        let in_row = frames_in_row((t, h, w), room);
        let (rows, columns) = (t.div_ceil(in_row) * h, in_row * w);
        let side = side_of((rows, columns), room);
        let map = |x: f64| Rect::new(x, ABOVE, side * columns as f64, side * rows as f64);
        let maps = [map(8.0), map(8.0 + room.w + 20.0)];
        let end = maps[0].bottom() + BELOW + LEGEND;
        let strip = stripped.then(|| Rect::new(8.0, end + 30.0, width - 16.0, 14.0));
        Layout {
            maps,
            side,
            in_row,
            rows,
            columns,
            strip,
            height: end + if stripped { STRIP } else { 0.0 },
        }
    }

    fn draw_map(
        &self,
        scene: &mut Scene,
        view: &View,
        (m, at): (usize, &Layout),
        (q, k, between): (usize, usize, f64),
        (looks, scale): (&Looks, Scale),
    ) {
        let c = view.colours;
        let span = self.shown(k);
        let (t, h, w) = span.0.sizes();
        let (side, in_row, r) = (at.side, at.in_row, at.maps[m]);
        let room = (view.width - 36.0) / 2.0;
        let keys = ["figure.mrope-scores.map-flat", "figure.mrope-scores.map"];
        let title = say!(view.lang, keys[m], q = q);
        headline(scene, view, (r.x, r.y - 7.0), room, &title);
        let cell = |row: usize, column: usize| {
            let (x, y) = (r.x + side * column as f64, r.y + side * row as f64);
            Rect::new(x, y, side, side)
        };
        let score = |row, column| looks.scores[m][token_of_map(span, in_row, (row, column))];
        scene.rasters.push(Placed {
            rect: r,
            raster: Raster::from_fn(at.columns, at.rows, scale, score),
        });
        let (low, high) = self.ranges(looks, k)[m];
        // Enough digits that cells of different colours say different numbers.
        let digits = if high - low < 0.05 && side >= 48.0 {
            4
        } else {
            2
        };
        for token in span.1.clone().filter(|_| side >= 34.0) {
            let Some((row, column)) = place_in_map(span, in_row, token) else {
                continue;
            };
            let ink = ink_on(scale.colour(looks.scores[m][token], c.dark));
            let c = cell(row, column);
            let middle = (c.x + side / 2.0, c.y + side / 2.0);
            let text = format!("{:.digits$}", looks.scores[m][token]).replace('-', "−");
            fitted(scene, middle, side - 2.0, &text, TICK, ink, CENTRED);
        }
        let gap = if side * w as f64 > 6.0 { 4.0 } else { 0.0 };
        for frame in 1..in_row {
            let x = r.x + side * (frame * w) as f64 - gap / 2.0;
            scene.fill(Rect::new(x, r.y, gap, r.h), c.surface);
        }
        for line in 1..t.div_ceil(in_row) {
            let y = r.y + side * (line * h) as f64 - gap / 2.0;
            scene.fill(Rect::new(r.x, y, r.w, gap), c.surface);
        }
        if t % in_row > 0 {
            let from = cell(at.rows - h, t % in_row * w);
            let empty = Rect::new(from.x, from.y, r.right() - from.x, r.bottom() - from.y);
            scene.fill(empty, c.surface);
        }
        // A query among the patches is marked too.
        let place = |token: usize| place_in_map(span, in_row, token).map(|(r, c)| cell(r, c));
        for (token, colour, way) in [(q, c.query, between), (k, c.key, 0.0)] {
            if let Some(from) = place(token) {
                // A film goes on to the next token.
                let to = place(token + 1).unwrap_or(from);
                let (x, y) = (
                    from.x + (to.x - from.x) * way,
                    from.y + (to.y - from.y) * way,
                );
                let size = side.max(5.0);
                scene.frame(Rect::new(x, y, size, size), colour, 2.5);
            }
        }
        let text = say!(
            view.lang,
            "figure.mrope-scores.differ",
            spread = short(high - low)
        );
        let place = (r.x, r.bottom() + 4.0);
        let stand = (Align::Start, Stand::Below);
        fitted(scene, place, room, &text, TICK, c.muted, stand);
        let axes = say!(view.lang, "figure.mrope-scores.axes");
        if text_width(&text, TICK) + text_width(&axes, TICK) + 16.0 < r.w {
            let (at, place) = ((r.right(), place.1), (Align::End, Stand::Below));
            scene.text(at, axes, TICK, c.muted, place);
        }
        scene.targets.push(Target {
            id: 2 * in_row + m,
            rect: r,
            rows: at.rows,
            columns: at.columns,
        });
    }

    /// Each pair of dimensions in the colour of the number by which it turns.
    fn draw_strip(&self, scene: &mut Scene, view: &View, r: Rect) {
        let c = view.colours;
        let axes = self.looker.rope.axis_of_frequency();
        let title = say!(view.lang, "figure.mrope-scores.pairs", n = axes.len());
        let room = r.w - 240.0;
        headline(scene, view, (r.x, r.y - 7.0), room, &title);
        let colours = [0, 1, 2].map(|axis| axis_colour(view, axis).rgb);
        scene.rasters.push(Placed {
            rect: r,
            raster: Raster::image(axes.len(), 1, |_, pair| colours[axes[pair]]),
        });
        if r.w / axes.len() as f64 >= 4.0 {
            for pair in 1..axes.len() {
                let x = r.x + pair as f64 * r.w / axes.len() as f64;
                scene.fill(Rect::new(x - 0.5, r.y, 1.0, r.h), c.surface);
            }
        }
        let count = |axis: usize| axes.iter().filter(|a| **a == axis).count();
        let items = [0, 1, 2].map(|axis| {
            let name = ["t", "h", "w"][axis];
            (axis_colour(view, axis), format!("{name}: {}", count(axis)))
        });
        swatches(scene, view, (r.right() - 230.0, r.y - 21.0), 240.0, &items);
    }

    fn pair(&self, (q, k): (usize, usize), lang: Lang) -> String {
        let looks = self.looker.looks(q);
        say!(
            lang,
            "figure.mrope-scores.pair",
            q = q,
            k = self.looker.tokens.say(k, lang),
            flat = short(looks.scores[0][k]),
            score = short(looks.scores[1][k])
        )
    }

    fn token_at(&self, hit: Hit, p: &Params) -> usize {
        let span = self.shown(self.looker.tokens.traced(p).1);
        token_of_map(span, hit.target / 2, (hit.row, hit.column))
    }
}

impl Picture for MropeScores {
    fn height(&self, width: f64) -> f64 {
        let most = if width < 600.0 { 420.0 } else { 540.0 };
        self.layout(self.first.1.start, width, most).height
    }

    fn draw(&self, p: &Params, view: &View) -> Scene {
        let mut scene = Scene::default();
        let (q, k) = self.looker.tokens.traced(p);
        let at = self.layout(k, view.width, view.height);
        let looks = self.looker.passing(q, p.between);
        let name = say!(view.lang, "figure.mrope-scores.legend");
        for (m, (low, high)) in self.ranges(&looks, k).into_iter().enumerate() {
            // Each over the range that it has: the legend and the line above it tell how wide that is.
            let scale = Scale::Span {
                first: low,
                last: high.max(low + 1e-9),
            };
            self.draw_map(
                &mut scene,
                view,
                (m, &at),
                (q, k, p.between),
                (&looks, scale),
            );
            let r = at.maps[m];
            let wide = (0.5 * view.width - 30.0).clamp(90.0, 300.0);
            let place = (r.x, r.bottom() + BELOW);
            legend(&mut scene, view, place, wide, scale, &name);
        }
        if let Some(rect) = at.strip {
            self.draw_strip(&mut scene, view, rect);
        }
        scene
    }

    fn describe(&self, hit: Hit, p: &Params, lang: Lang) -> String {
        let q = self.looker.tokens.traced(p).0;
        self.pair((q, self.token_at(hit, p)), lang)
    }

    fn picked(&self, hit: Hit, p: &Params) -> Vec<(Key, Value)> {
        vec![(Key::K, place(self.token_at(hit, p)))]
    }

    fn readouts(&self, p: &Params, lang: Lang) -> Vec<Readout> {
        let (q, k) = self.looker.tokens.traced(p);
        let looks = self.looker.looks(q);
        let [flat, ids] = self.ranges(&looks, k);
        let numbers = [
            ("score-flat", looks.scores[0][k]),
            ("score", looks.scores[1][k]),
            ("spread-flat", flat.1 - flat.0),
            ("spread", ids.1 - ids.0),
        ];
        let readout = |(name, number): (&'static str, f64)| Readout {
            name: name.into(),
            label: say!(lang, format!("figure.mrope-scores.{name}"), q = q, k = k),
            number: Some(number),
            text: short(number),
        };
        numbers.into_iter().map(readout).collect()
    }

    fn sentence(&self, p: &Params, lang: Lang) -> String {
        let (q, k) = self.looker.tokens.traced(p);
        let [flat, ids] = self.ranges(&self.looker.looks(q), k);
        say!(
            lang,
            "figure.mrope-scores.sentence",
            q = q,
            flat = short(flat.1 - flat.0),
            ids = short(ids.1 - ids.0)
        )
    }

    fn notes(&self, p: &Params, lang: Lang) -> Vec<String> {
        let (q, k) = self.looker.tokens.traced(p);
        let mut out = vec![self.pair((q, k), lang)];
        if !self.seen {
            out.push(say!(lang, "figure.mrope-scores.no-image"));
        }
        out.push(say!(lang, "figure.mrope-scores.ones"));
        out
    }

    fn table(&self, p: &Params) -> Table {
        let looks = self.looker.looks(self.looker.tokens.traced(p).0);
        let columns = ["token", "t", "h", "w", "score_flat", "score"];
        let row = |at: usize| {
            let [t, h, w] = self.looker.tokens.ids.at(at).map(|id| id as f64);
            let [flat, score] = [0, 1].map(|m| looks.scores[m][at]);
            vec![at as f64, t, h, w, flat, score]
        };
        Table {
            columns: columns.map(str::to_owned).to_vec(),
            rows: (0..self.looker.tokens.len()).map(row).collect(),
        }
    }
}
