//! `order-swap`: the same tokens in two orders through the toy model. Does the order matter?

mod draw;

use std::cell::RefCell;
use std::sync::Arc;

use crate::core::Matrix;
use crate::core::encoding::Entry;
use crate::core::tokens::occurrences;
use crate::core::toy::{Pool, ToyModel, ToyRun, max_difference, pooled_difference};
use crate::figure::kit::colour::Scale;
use crate::figure::kit::scene::{Hit, Raster, Scene};
use crate::figure::{Arrows, Computed, Figure, Picture, Readout, Special, Table, View, place};
use crate::say;
use crate::state::{Key, Lang, Page, Params, Value};
use crate::words::short;

/// Below this a difference is rounding: sums taken in another order.
pub const ROUNDING: f64 = 1e-9;
/// No strip has more cells across than this.
const MAX_CELLS: usize = 256;
const OUTPUT: Scale = Scale::Signed { limit: 3.0 };

pub(crate) const FIGURE: Figure = Figure {
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
    listens: &[
        Key::BiasEdits,
        Key::Scaling,
        Key::Factor,
        Key::OrigLen,
        Key::TargetLen,
        Key::BetaFast,
        Key::BetaSlow,
        Key::LowFreqFactor,
        Key::HighFreqFactor,
        Key::Truncate,
        Key::AttentionFactor,
    ],
    arrows: Arrows::Each(Some(Key::I), Some(Key::J)),
    film: None,
    special: &[Special::Tells("max-difference")],
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
    /// Whether there is an encoding at all.
    encoded: bool,
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
        encoded: p.scheme.entry() != Entry::None,
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

impl OrderSwap {
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

impl Picture for OrderSwap {
    fn height(&self, width: f64) -> f64 {
        self.drawn_height(width)
    }

    fn draw(&self, p: &Params, view: &View) -> Scene {
        self.scene(p, view)
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
            name: "max-difference".into(),
            label: say!(lang, "figure.order-swap.max_difference"),
            number: self.max_difference,
            text: self.difference_text(self.max_difference, lang),
        }];
        if self.pool != Pool::None {
            out.push(Readout {
                name: "pooled-difference".into(),
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
            Some(_) if self.mirrored && self.encoded => "figure.order-swap.mirror",
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
                for scheme in [
                    "sinusoidal",
                    "learned",
                    "relative",
                    "shaw",
                    "t5",
                    "rope",
                    "xpos",
                ] {
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
        assert!(difference("scheme=kerple&tokens=word&layers=3") <= ROUNDING);
        assert!(difference("scheme=kerple&tokens=word&causal=1") > 1e-3);
        let (picture, p) = shown("scheme=alibi&tokens=word");
        let picture = picture.expect("computed");
        assert!(difference("scheme=alibi&tokens=word&layers=3") <= ROUNDING);
        assert!(picture.sentence(&p, Lang::Zh).contains("镜像"));
        assert!(difference("scheme=alibi&tokens=char") > 1e-3);
    }
}
