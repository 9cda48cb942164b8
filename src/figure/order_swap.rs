//! `order-swap`: the same tokens in two orders through the toy model. Does the order matter?

use std::cell::RefCell;
use std::sync::Arc;

use super::colour::{Colour, Scale, ink_on};
use super::panel::{HEADING, TICK, legend, trace_cell};
use super::scene::{Align, Hit, Placed, Raster, Rect, Scene, Stand, Target, text_width};
use super::{Computed, Figure, Picture, Readout, Table, View, place};
use crate::core::Matrix;
use crate::core::tokens::occurrences;
use crate::core::toy::{Pool, ToyModel, ToyRun, max_difference, pooled_difference};
use crate::say;
use crate::state::{Key, Lang, Page, Params, Value};
use crate::words::short;

/// Below this a difference is rounding: sums taken in another order.
pub const ROUNDING: f64 = 1e-9;
/// No strip has more cells across than this.
const MAX_CELLS: usize = 256;
const OUTPUT: Scale = Scale::Signed { limit: 3.0 };

pub(super) const FIGURE: Figure = Figure {
    id: "order-swap",
    page: Page::Order,
    controls: &[
        Key::TextA,
        Key::TextB,
        Key::Tokens,
        Key::Scheme,
        Key::Causal,
        Key::Layers,
        Key::Pool,
        Key::Heads,
        Key::Head,
        Key::Layer,
        Key::DModel,
        Key::Base,
        Key::Layout,
        Key::Pairing,
        Key::MaxRelDist,
        Key::Bias,
        Key::Seed,
    ],
    listens: &[Key::BiasEdits],
    arrows: (Some(Key::I), Some(Key::J)),
    plays: None,
    compute,
};

struct Sentence {
    tokens: Vec<String>,
    run: ToyRun,
    /// Attention weights of the layer and head shown.
    raster: Arc<Raster>,
}

struct OrderSwap {
    a: Sentence,
    b: Sentence,
    /// For each token of A, the place of the same occurrence in B, if B has it.
    partner: Vec<Option<usize>>,
    /// One strip a token of A: its output in A above its output in B.
    strips: Vec<Arc<Raster>>,
    max_difference: Option<f64>,
    pooled_difference: Option<f64>,
    pool: Pool,
    layer: usize,
    head: usize,
    /// Whether B is A read backwards.
    mirrored: bool,
    scheme: &'static str,
    causal: bool,
}

fn compute(p: &Params) -> Computed {
    let s = &p.setting;
    let model = model(p);
    let sentence = |tokens: &[String]| {
        let run = model.run(tokens, p.scheme, s)?;
        let w = &run.weights[p.layer][p.head];
        let raster = Raster::from_fn(w.ncols(), w.nrows(), Scale::Unit, |r, c| w[(r, c)]);
        Ok(Sentence {
            tokens: tokens.to_vec(),
            run,
            raster,
        })
    };
    let (a, b) = (sentence(&p.tokens_a)?, sentence(&p.tokens_b)?);
    let partner = occurrences(&a.tokens, &b.tokens);
    let strips = (0..a.tokens.len())
        .map(|i| strip(&a.run.output, i, &b.run.output, partner[i]))
        .collect();
    let max_difference = max_difference((&a.tokens, &a.run.output), (&b.tokens, &b.run.output));
    let pooled_difference = pooled_difference(&a.run.output, &b.run.output, p.pool);
    let mirrored = a.tokens.iter().eq(b.tokens.iter().rev());
    Ok(Arc::new(OrderSwap {
        a,
        b,
        partner,
        strips,
        max_difference,
        pooled_difference,
        pool: p.pool,
        layer: p.layer,
        head: p.head,
        mirrored,
        scheme: p.scheme.id(),
        causal: s.causal,
    }))
}

/// The toy model, kept while only sentences, scheme or mask change: drawing four layers of
/// d_model 512 takes longer than running them.
fn model(p: &Params) -> Arc<ToyModel> {
    type Drawn = (u32, usize, usize, usize);
    thread_local! {
        static LAST: RefCell<Option<(Drawn, Arc<ToyModel>)>> = const { RefCell::new(None) };
    }
    let s = &p.setting;
    let wanted = (s.seed, s.d_model, s.heads, p.layers);
    LAST.with_borrow_mut(|last| match last {
        Some((drawn, model)) if *drawn == wanted => model.clone(),
        _ => {
            let model = Arc::new(ToyModel::new(s.seed, s.d_model, s.heads, p.layers));
            *last = Some((wanted, model.clone()));
            model
        }
    })
}

/// Two rows of cells: token i of A, and its partner of B (zero if it has none).
fn strip(a: &Matrix, i: usize, b: &Matrix, j: Option<usize>) -> Arc<Raster> {
    let d = a.ncols();
    let cells = d.min(MAX_CELLS);
    Raster::from_fn(cells, 2, OUTPUT, |row, c| {
        let dim = c * d / cells;
        match (row, j) {
            (0, _) => a[(i, dim)],
            (_, Some(j)) => b[(j, dim)],
            (_, None) => 0.0,
        }
    })
}

/// Sizes that depend on the width and the number of tokens.
struct Layout {
    stacked: bool,
    /// Between maps that stand side by side.
    gap: f64,
    /// Room for the names of the rows.
    names: f64,
    map: f64,
    row: f64,
}

const TOP: f64 = 24.0;
const UNDER_MAP: f64 = 52.0;
const LEGEND: f64 = 44.0;

impl OrderSwap {
    fn layout(&self, width: f64) -> Layout {
        let n = self.a.tokens.len().max(self.b.tokens.len());
        let narrow = width < 520.0;
        let stacked = narrow && n > 6;
        let names = if n > 24 || (narrow && !stacked) {
            38.0
        } else {
            64.0
        };
        let gap = if narrow { 10.0 } else { 24.0 };
        let room = if stacked { width } else { (width - gap) / 2.0 } - names;
        // Few tokens need no huge map.
        let map = room
            .min(118.0 * n as f64)
            .clamp(60.0, 340.0)
            .min(room.max(60.0));
        let row = if n <= 16 { 34.0 } else { 22.0 };
        Layout {
            stacked,
            gap,
            names,
            map,
            row,
        }
    }

    fn outputs_top(&self, l: &Layout) -> f64 {
        let maps = TOP + l.map + UNDER_MAP;
        let maps = if l.stacked { 2.0 * maps } else { maps };
        maps + LEGEND
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

    fn chip(
        &self,
        scene: &mut Scene,
        view: &View,
        token: &str,
        centre: (f64, f64),
        room: (f64, f64),
    ) {
        let colour = self.colour(token, view);
        let size = (room.1 - 6.0).clamp(8.0, 13.0);
        let text = fitted(token, size, room.0 - 8.0);
        let w = (text_width(&text, size) + 10.0).min(room.0);
        let h = (size + 7.0).min(room.1);
        let rect = Rect::new(centre.0 - w / 2.0, centre.1 - h / 2.0, w, h);
        scene.fill(rect, colour);
        let ink = ink_on(colour);
        scene.text(centre, text, size, ink, (Align::Middle, Stand::Centre));
    }

    fn map(
        &self,
        scene: &mut Scene,
        view: &View,
        which: usize,
        (x, y): (f64, f64),
        l: &Layout,
        p: &Params,
    ) {
        let c = view.colours;
        let s = if which == 0 { &self.a } else { &self.b };
        let n = s.tokens.len();
        let rect = Rect::new(x + l.names, y + TOP, l.map, l.map);
        let key = if which == 0 {
            "figure.order-swap.map_a"
        } else {
            "figure.order-swap.map_b"
        };
        let heading = say!(view.lang, key);
        let at = (x, y + TOP - 7.0);
        scene.text(at, heading, HEADING, c.ink, (Align::Start, Stand::Above));
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
        let cell = l.map / n as f64;
        for (k, token) in s.tokens.iter().enumerate() {
            let along = (k as f64 + 0.5) * cell;
            if cell >= 12.0 {
                let left = (x + l.names / 2.0 - 2.0, rect.y + along);
                self.chip(scene, view, token, left, (l.names - 6.0, cell - 2.0));
                let below = (rect.x + along, rect.bottom() + 13.0);
                self.chip(scene, view, token, below, (cell - 2.0, 20.0));
            } else if k % 8 == 0 {
                let (row, column) = (
                    (rect.x - 6.0, rect.y + along),
                    (rect.x + along, rect.bottom() + 4.0),
                );
                scene.text(
                    row,
                    k.to_string(),
                    TICK,
                    c.muted,
                    (Align::End, Stand::Centre),
                );
                scene.text(
                    column,
                    k.to_string(),
                    TICK,
                    c.muted,
                    (Align::Middle, Stand::Below),
                );
            }
        }
        if cell >= 34.0 {
            let w = &s.run.weights[self.layer][self.head];
            for r in 0..n {
                for k in 0..n {
                    let hidden = self.causal && k > r;
                    let text = if hidden {
                        "—".to_owned()
                    } else {
                        format!("{:.2}", w[(r, k)])
                    };
                    let at = (
                        rect.x + (k as f64 + 0.5) * cell,
                        rect.y + (r as f64 + 0.5) * cell,
                    );
                    let ink = ink_on(Scale::Unit.colour(w[(r, k)], c.dark));
                    scene.text(at, text, 12.0, ink, (Align::Middle, Stand::Centre));
                }
            }
        }
        let under = (rect.x + l.map / 2.0, rect.bottom() + 28.0);
        let axes = say!(view.lang, "figure.order-swap.axes");
        scene.text(under, axes, TICK, c.muted, (Align::Middle, Stand::Below));
        trace_cell(scene, view, rect, (n, n), (p.i.min(n - 1), p.j.min(n - 1)));
    }

    fn outputs(&self, scene: &mut Scene, view: &View, y: f64, l: &Layout) {
        let c = view.colours;
        let heading = say!(view.lang, "figure.order-swap.outputs");
        let at = (0.0, y + 14.0);
        scene.text(at, heading, HEADING, c.ink, (Align::Start, Stand::Centre));
        let numbers = 76.0;
        let names = 64.0;
        let strip_width = (view.width - names - 22.0 - numbers).max(40.0);
        for (i, token) in self.a.tokens.iter().enumerate() {
            let top = y + 30.0 + i as f64 * l.row;
            let centre = (names / 2.0, top + l.row / 2.0 - 2.0);
            self.chip(scene, view, token, centre, (names - 6.0, l.row - 6.0));
            let rect = Rect::new(names + 18.0, top, strip_width, l.row - 6.0);
            scene.rasters.push(Placed {
                rect,
                raster: self.strips[i].clone(),
            });
            if l.row > 30.0 {
                for (k, name) in ["A", "B"].into_iter().enumerate() {
                    let at = (names + 10.0, top + (k as f64 + 0.5) * (l.row - 6.0) / 2.0);
                    scene.text(at, name, 10.0, c.muted, (Align::Middle, Stand::Centre));
                }
            }
            scene.targets.push(Target {
                id: 2 + i,
                rect,
                rows: 2,
                columns: self.a.run.output.ncols(),
            });
            let text = match self.token_difference(i) {
                _ if !view.reveal => "Δ ?".to_owned(),
                Some(d) if d <= ROUNDING => "Δ ≈ 0".to_owned(),
                Some(d) => format!("Δ {}", short(d)),
                None => "—".to_owned(),
            };
            let at = (view.width - 2.0, top + l.row / 2.0 - 3.0);
            scene.text(at, text, 12.0, c.ink, (Align::End, Stand::Centre));
        }
    }

    /// Largest difference of one token's output between the sentences.
    fn token_difference(&self, i: usize) -> Option<f64> {
        let j = self.partner[i]?;
        Some((self.a.run.output.row(i) - self.b.run.output.row(j)).amax())
    }

    fn difference_text(&self, d: Option<f64>, lang: Lang) -> String {
        match d {
            None => say!(lang, "figure.order-swap.absent"),
            Some(0.0) => "0".to_owned(),
            Some(d) if d <= ROUNDING => say!(lang, "figure.order-swap.rounding", value = short(d)),
            Some(d) => short(d),
        }
    }
}

/// Shortens a text to a width.
fn fitted(text: &str, size: f64, room: f64) -> String {
    if text_width(text, size) <= room {
        return text.to_owned();
    }
    let mut out = String::new();
    for c in text.chars() {
        out.push(c);
        if text_width(&out, size) + 0.6 * size > room {
            out.pop();
            break;
        }
    }
    if out.is_empty() {
        "·".to_owned()
    } else {
        out + "…"
    }
}

impl Picture for OrderSwap {
    fn height(&self, width: f64) -> f64 {
        let l = self.layout(width);
        self.outputs_top(&l) + 30.0 + self.a.tokens.len() as f64 * l.row + LEGEND
    }

    fn draw(&self, p: &Params, view: &View) -> Scene {
        let mut scene = Scene::default();
        let l = self.layout(view.width);
        self.map(&mut scene, view, 0, (0.0, 0.0), &l, p);
        let maps = TOP + l.map + UNDER_MAP;
        let (x, y) = if l.stacked {
            (0.0, maps)
        } else {
            ((view.width + l.gap) / 2.0, 0.0)
        };
        self.map(&mut scene, view, 1, (x, y), &l, p);
        let top = self.outputs_top(&l);
        let bar = (view.width - l.names - 10.0).min(280.0);
        let weight = say!(view.lang, "legend.weight");
        legend(
            &mut scene,
            view,
            (l.names, top - LEGEND + 4.0),
            bar,
            Scale::Unit,
            &weight,
        );
        self.outputs(&mut scene, view, top, &l);
        let bottom = top + 30.0 + self.a.tokens.len() as f64 * l.row + 6.0;
        let bar = (view.width - 92.0).min(280.0);
        let value = say!(view.lang, "legend.output");
        legend(&mut scene, view, (82.0, bottom), bar, OUTPUT, &value);
        scene
    }

    fn describe(&self, hit: Hit, _: &Params, lang: Lang) -> String {
        let s = if hit.target == 1 { &self.b } else { &self.a };
        if hit.target < 2 {
            let w = s.run.weights[self.layer][self.head][(hit.row, hit.column)];
            return say!(
                lang,
                "figure.order-swap.cell",
                query = s.tokens[hit.row],
                key = s.tokens[hit.column],
                value = short(w)
            );
        }
        let i = hit.target - 2;
        let a = self.a.run.output[(i, hit.column)];
        let b = self.partner[i].map(|j| self.b.run.output[(j, hit.column)]);
        say!(
            lang,
            "figure.order-swap.output",
            token = self.a.tokens[i],
            dim = hit.column,
            a = short(a),
            b = b.map_or("—".to_owned(), short)
        )
    }

    fn picked(&self, hit: Hit, _: &Params) -> Vec<(Key, Value)> {
        if hit.target >= 2 {
            return vec![(Key::Dim, place(hit.column))];
        }
        vec![(Key::I, place(hit.row)), (Key::J, place(hit.column))]
    }

    fn readouts(&self, _: &Params, lang: Lang) -> Vec<Readout> {
        let mut out = vec![Readout {
            name: "max-difference",
            label: say!(lang, "figure.order-swap.max_difference"),
            number: self.max_difference,
            text: self.difference_text(self.max_difference, lang),
        }];
        if self.pool != Pool::None {
            out.push(Readout {
                name: "pooled-difference",
                label: say!(lang, "figure.order-swap.pooled_difference"),
                number: self.pooled_difference,
                text: self.difference_text(self.pooled_difference, lang),
            });
        }
        out
    }

    fn sentence(&self, _: &Params, lang: Lang) -> String {
        let key = match self.max_difference {
            None => "figure.order-swap.no_permutation",
            Some(_) if self.a.tokens == self.b.tokens => "figure.order-swap.same_sentence",
            Some(d) if d > ROUNDING => "figure.order-swap.sees_order",
            Some(_) if self.mirrored && self.scheme != "none" => "figure.order-swap.mirror",
            Some(_) => "figure.order-swap.blind",
        };
        say!(
            lang,
            key,
            value = self.max_difference.map_or(String::new(), short)
        )
    }

    fn table(&self, _: &Params) -> Table {
        let d = self.a.run.output.ncols();
        let rows = |s: &Sentence, which: f64| -> Vec<Vec<f64>> {
            (0..s.tokens.len())
                .map(|i| {
                    let place = [which, i as f64];
                    place
                        .into_iter()
                        .chain(s.run.output.row(i).iter().copied())
                        .collect()
                })
                .collect()
        };
        Table {
            columns: ["sentence".to_owned(), "token".to_owned()]
                .into_iter()
                .chain((0..d).map(|k| format!("output_{k}")))
                .collect(),
            rows: [rows(&self.a, 0.0), rows(&self.b, 1.0)].concat(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::{decode, resolve};

    fn shown(query: &str) -> (Computed, Params) {
        let p = resolve(&decode(query).0, crate::figure::page_of).0;
        (compute(&p), p)
    }

    fn difference(query: &str) -> f64 {
        let (picture, p) = shown(query);
        let readouts = picture.expect("computed").readouts(&p, Lang::En);
        readouts[0].number.expect("a permutation")
    }

    #[test]
    fn which_schemes_see_the_order() {
        for tokens in ["word", "char"] {
            for layers in 1..=4 {
                let q = format!("tokens={tokens}&layers={layers}");
                assert!(difference(&q) <= ROUNDING);
                for scheme in ["sinusoidal", "learned", "relative", "t5", "rope"] {
                    let q = format!("{q}&scheme={scheme}");
                    assert!(difference(&q) > 1e-3, "{q}");
                }
                assert!(difference(&format!("{q}&scheme=alibi&causal=1")) > 1e-3);
                assert!(difference(&format!("{q}&causal=1")) > 1e-3, "{q}");
            }
        }
    }

    #[test]
    fn an_unmasked_symmetric_bias_cannot_tell_mirror_images() {
        let (picture, p) = shown("scheme=alibi&tokens=word");
        let picture = picture.expect("computed");
        assert!(difference("scheme=alibi&tokens=word&layers=3") <= ROUNDING);
        assert!(picture.sentence(&p, Lang::Zh).contains("镜像"));
        assert!(difference("scheme=alibi&tokens=char") > 1e-3);
    }

    #[test]
    fn long_names_are_shortened() {
        assert_eq!(fitted("ab", 10.0, 100.0), "ab");
        assert!(fitted("transformer", 10.0, 30.0).ends_with('…'));
        assert_eq!(fitted("wide", 10.0, 2.0), "·");
    }
}
