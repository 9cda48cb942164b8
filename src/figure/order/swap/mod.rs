//! `order-swap`: the same tokens in two orders through the toy model. Does the order matter?

mod draw;
mod places;

use std::cell::RefCell;
use std::sync::Arc;

use crate::core::Matrix;
use crate::core::encoding::Entry;
use crate::core::tokens::{joined, occurrences};
use crate::core::toy::{Pool, ToyModel, ToyRun, max_difference, pooled_difference};
use crate::figure::kit::colour::Scale;
use crate::figure::kit::scene::{Hit, Raster, Scene};
use crate::figure::{
    Arrows, Computed, Figure, Film, Picture, Readout, Special, Table, View, place,
};
use crate::say;
use crate::state::{Key, Lang, Page, Params, Value};
use crate::words::short;
use draw::{OUTPUTS, WORDS};

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
        Key::Scheme,
        Key::Causal,
        Key::Tokens,
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
    listens: crate::state::and_scaling!(Key: BiasEdits),
    arrows: Arrows::Each(Some(Key::I), Some(Key::J)),
    film: Film {
        key: Some(Key::I),
        frames: |p| p.tokens_a.len(),
    },
    special: &[Special::Tells("max-difference")],
};

struct Sentence {
    tokens: Vec<String>,
    run: ToyRun,
    /// Attention weights of the layer and head shown.
    raster: Arc<Raster>,
    /// The output of each token, one row of cells.
    strips: Vec<Arc<Raster>>,
}

struct OrderSwap {
    a: Sentence,
    b: Sentence,
    /// For each token of A, the place of the same occurrence in B, if B has it.
    partner: Vec<Option<usize>>,
    /// For each token of B, the place of the same occurrence in A, if A has it.
    origin: Vec<Option<usize>>,
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

pub(crate) fn compute(p: &Params) -> Computed {
    let s = &p.setting;
    let model = model(p, p.layers);
    let sentence = |tokens: &[String]| {
        let run = model.run(tokens, p.scheme, s)?;
        let w = &run.weights[p.layer][p.head];
        let raster = Raster::from_fn(w.ncols(), w.nrows(), Scale::Unit, |r, c| w[(r, c)]);
        let strips = (0..tokens.len()).map(|i| strip(&run.output, i)).collect();
        Ok(Sentence {
            tokens: tokens.to_vec(),
            run,
            raster,
            strips,
        })
    };
    let (a, b) = (sentence(&p.tokens_a)?, sentence(&p.tokens_b)?);
    let partner = occurrences(&a.tokens, &b.tokens);
    let origin = occurrences(&b.tokens, &a.tokens);
    let max_difference = max_difference((&a.tokens, &a.run.output), (&b.tokens, &b.run.output));
    let pooled_difference = pooled_difference(&a.run.output, &b.run.output, p.pool);
    let mirrored = a.tokens.iter().eq(b.tokens.iter().rev());
    Ok(Arc::new(OrderSwap {
        a,
        b,
        partner,
        origin,
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

/// The toy model of so many layers, kept while only sentences, scheme or mask change: drawing four layers
/// of d_model 512 takes longer than running them.
pub(super) fn model(p: &Params, layers: usize) -> Arc<ToyModel> {
    type Drawn = (u32, usize, usize, usize);
    thread_local! {
        static LAST: RefCell<Vec<(Drawn, Arc<ToyModel>)>> = const { RefCell::new(Vec::new()) };
    }
    let s = &p.setting;
    let wanted = (s.seed, s.d_model, s.heads, layers);
    LAST.with_borrow_mut(|last| {
        if let Some((_, model)) = last.iter().find(|(drawn, _)| *drawn == wanted) {
            return model.clone();
        }
        let model = Arc::new(ToyModel::new(s.seed, s.d_model, s.heads, layers));
        // One for each figure of the page.
        last.truncate(1);
        last.insert(0, (wanted, model.clone()));
        model
    })
}

/// The output of token i as a row of cells.
fn strip(output: &Matrix, i: usize) -> Arc<Raster> {
    let d = output.ncols();
    let cells = d.min(MAX_CELLS);
    Raster::from_fn(cells, 1, OUTPUT, |_, c| output[(i, c * d / cells)])
}

impl OrderSwap {
    /// Largest difference of one token's output between the sentences.
    fn token_difference(&self, i: usize) -> Option<f64> {
        let j = self.partner[i]?;
        Some((self.a.run.output.row(i) - self.b.run.output.row(j)).amax())
    }

    /// The place in A of a token of A (0) or B (1), if A has it.
    fn in_a(&self, which: usize, at: usize) -> Option<usize> {
        if which == 0 {
            Some(at)
        } else {
            self.origin[at]
        }
    }

    /// How far the outputs of a token of A are from each other.
    fn of_word(&self, i: Option<usize>, lang: Lang) -> Option<String> {
        let i = i?;
        let difference = self.token_difference(i)?;
        Some(say!(
            lang,
            "figure.order-swap.moved",
            token = self.a.tokens[i],
            value = self.difference_text(Some(difference), lang)
        ))
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
        let which = hit.target % 2;
        let s = if which == 0 { &self.a } else { &self.b };
        match hit.target {
            0 | 1 => {
                let w = s.run.weights[self.layer][self.head][(hit.row, hit.column)];
                say!(
                    lang,
                    "figure.order-swap.cell",
                    query = s.tokens[hit.row],
                    key = s.tokens[hit.column],
                    value = short(w)
                )
            }
            WORDS..OUTPUTS => self
                .of_word(self.in_a(which, hit.column), lang)
                .unwrap_or_else(|| {
                    say!(
                        lang,
                        "figure.order-swap.alone",
                        token = s.tokens[hit.column]
                    )
                }),
            _ => say!(
                lang,
                "figure.order-swap.output",
                token = s.tokens[hit.row],
                which = ["A", "B"][which],
                dim = hit.column,
                value = short(s.run.output[(hit.row, hit.column)])
            ),
        }
    }

    fn picked(&self, hit: Hit, _: &Params) -> Vec<(Key, Value)> {
        let which = hit.target % 2;
        let word = |key: Key, at: usize| self.in_a(which, at).map(|i| (key, place(i)));
        let dim = (Key::Dim, place(hit.column));
        let all = match hit.target {
            0 | 1 => vec![word(Key::I, hit.row), word(Key::J, hit.column)],
            WORDS..OUTPUTS => vec![word(Key::I, hit.column)],
            _ => vec![word(Key::I, hit.row), Some(dim)],
        };
        // A word that is in B alone has no number in A.
        all.into_iter()
            .collect::<Option<Vec<_>>>()
            .unwrap_or_default()
    }

    /// A word is dragged to another place of its sentence.
    fn dragged(&self, from: Hit, to: Hit, p: &Params) -> Vec<(Key, Value)> {
        let words = (WORDS..OUTPUTS).contains(&from.target);
        if !words || from.target != to.target || from.column == to.column {
            return Vec::new();
        }
        let (key, tokens) = match from.target - WORDS {
            0 => (Key::TextA, &self.a.tokens),
            _ => (Key::TextB, &self.b.tokens),
        };
        let mut tokens = tokens.clone();
        let token = tokens.remove(from.column);
        tokens.insert(to.column, token);
        vec![(key, Value::Text(joined(&tokens, p.tokens)))]
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

    fn notes(&self, p: &Params, lang: Lang) -> Vec<String> {
        let last = self.a.tokens.len() - 1;
        let (i, j) = (p.i.min(last), p.j.min(last));
        let weight =
            |s: &Sentence, i: usize, j: usize| short(s.run.weights[self.layer][self.head][(i, j)]);
        let pair = self.partner[i].zip(self.partner[j]).map(|(k, l)| {
            say!(
                lang,
                "figure.order-swap.pair",
                query = self.a.tokens[i],
                key = self.a.tokens[j],
                a = weight(&self.a, i, j),
                b = weight(&self.b, k, l)
            )
        });
        pair.into_iter()
            .chain(self.of_word(Some(i), lang))
            .collect()
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
