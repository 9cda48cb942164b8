//! `attention-steps`: one head of the toy model, step by step, every number of it.

mod blocks;
mod draw;
mod map;
mod told;

pub use map::map_of_course;

use std::sync::Arc;

use blocks::Rows;

use super::swap::model;
use crate::core::CoreError;
use crate::core::encoding::{Rotation, Scheme};
use crate::core::head::{HeadSteps, Stage};
use crate::core::toy::token_vectors;
use crate::figure::kit::scene::{Hit, Scene};
use crate::figure::{Arrows, Computed, Figure, Film, Picture, Readout, Table, View, place};
use crate::state::{Key, Lang, Page, Params, Value};

/// Words that are shown; further ones are left out of the computation too, so that all sums add up.
const MOST: usize = 4;

pub(crate) const FIGURE: Figure = Figure {
    id: "attention-steps",
    page: Page::Order,
    controls: &[
        Key::Step,
        Key::Scheme,
        Key::TextA,
        Key::Causal,
        Key::Head,
        Key::Heads,
        Key::DModel,
        Key::Base,
        Key::Layout,
        Key::Pairing,
        Key::MaxRelDist,
        Key::Bias,
        Key::Seed,
    ],
    listens: crate::state::and_scaling!(Key: BiasEdits),
    arrows: Arrows::Each(Some(Key::I), Some(Key::Step)),
    film: Film {
        key: Some(Key::Step),
        frames: |_| Stage::ALL.len(),
    },
    special: &[],
};

struct AttentionSteps {
    /// The words shown, the first of the sentence.
    words: Vec<String>,
    /// How many the sentence has.
    all: usize,
    scheme: Scheme,
    head: usize,
    causal: bool,
    steps: HeadSteps,
    /// The first row of the head's query projection, `[d_model]`.
    query_row: Vec<f64>,
    rotation: Option<Rotation>,
}

pub(crate) fn compute(p: &Params) -> Computed {
    let s = &p.setting;
    let words = p.tokens_a[..p.tokens_a.len().min(MOST)].to_vec();
    let model = model(p, 1);
    let layer = model.first().ok_or(CoreError::PastTheEnd {
        rows: 0,
        position: 0,
    })?;
    let x = token_vectors(s.seed, &words, s.d_model);
    let prepared = p.scheme.prepare(s, words.len())?;
    let steps = layer.steps(&x, &prepared, s.causal, p.head)?;
    let first = p.head * s.head_dim();
    Ok(Arc::new(AttentionSteps {
        all: p.tokens_a.len(),
        scheme: p.scheme,
        head: p.head,
        causal: s.causal,
        query_row: layer.w_q.row(first).iter().copied().collect(),
        rotation: p.scheme.rotation(s)?,
        steps,
        words,
    }))
}

impl AttentionSteps {
    fn n(&self) -> usize {
        self.words.len()
    }

    fn head_dim(&self) -> usize {
        self.steps.v.ncols()
    }

    /// The traced query and key.
    fn traced(&self, p: &Params) -> (usize, usize) {
        let last = self.n() - 1;
        (p.i.min(last), p.j.min(last))
    }

    fn stage(p: &Params) -> Stage {
        Stage::ALL[p.step.min(Stage::ALL.len() - 1)]
    }

    fn hidden(&self, i: usize, j: usize) -> bool {
        self.causal && j > i
    }
}

impl Picture for AttentionSteps {
    fn height(&self, width: f64) -> f64 {
        self.drawn_height(width)
    }

    fn draw(&self, p: &Params, view: &View) -> Scene {
        self.scene(p, view)
    }

    fn describe(&self, hit: Hit, p: &Params, lang: Lang) -> String {
        self.described(hit, p, lang)
    }

    fn picked(&self, hit: Hit, _: &Params) -> Vec<(Key, Value)> {
        let (query, key) = (Key::I, Key::J);
        match Rows::of_target(hit.target) {
            // Four stages a row, or all eight in one: the column tells which.
            None => vec![(Key::Step, place(4 * hit.row + hit.column))],
            Some((_, Rows::Queries)) => vec![(query, place(hit.row))],
            Some((_, Rows::Keys)) => vec![(key, place(hit.row))],
            Some((_, Rows::Pairs)) => vec![(query, place(hit.row)), (key, place(hit.column))],
        }
    }

    fn readouts(&self, p: &Params, lang: Lang) -> Vec<Readout> {
        self.numbers(p, lang)
    }

    fn sentence(&self, p: &Params, lang: Lang) -> String {
        self.said(p, lang)
    }

    fn notes(&self, p: &Params, lang: Lang) -> Vec<String> {
        self.noted(p, lang)
    }

    fn table(&self, _: &Params) -> Table {
        let s = &self.steps;
        let columns = [
            "query", "key", "product", "scaled", "bias", "score", "weight",
        ];
        let pairs = (0..self.n()).flat_map(|i| (0..self.n()).map(move |j| (i, j)));
        Table {
            columns: columns.map(str::to_owned).to_vec(),
            rows: pairs
                .map(|at| {
                    let bias = s.bias.as_ref().map_or(0.0, |b| b[at]);
                    vec![
                        at.0 as f64,
                        at.1 as f64,
                        s.products[at],
                        s.scaled[at],
                        bias,
                        s.scores[at],
                        s.weights[at],
                    ]
                })
                .collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::encoding::SCHEMES;
    use crate::figure::kit::colour::Colours;
    use crate::state::{decode, resolve};

    fn params(query: &str) -> Params {
        let query = format!("embed=attention-steps&{query}");
        resolve(&decode(&query).0, crate::figure::page_of).0
    }

    fn drawn(p: &Params, reveal: bool) -> Scene {
        let view = View {
            width: 880.0,
            height: 540.0,
            lang: Lang::En,
            colours: Colours::of(false),
            reveal,
            guess: None,
        };
        compute(p).expect("computed").draw(p, &view)
    }

    #[test]
    fn while_it_is_asked_no_stage_tells_that_a_scheme_enters_there() {
        for scheme in SCHEMES {
            for step in 0..Stage::ALL.len() {
                let of = |id: &str| drawn(&params(&format!("scheme={id}&step={step}")), false);
                let (with, without) = (of(scheme.id()), of("none"));
                assert_eq!(with.targets, without.targets, "{scheme:?} {step}");
                assert_eq!(with.marks.len(), without.marks.len(), "{scheme:?} {step}");
            }
        }
        let p = params("");
        assert_ne!(drawn(&p, true), drawn(&p, false));
    }

    #[test]
    fn the_weights_are_those_of_the_whole_model() {
        let all = [("alibi", 1), ("rope", 2), ("shaw", 0), ("sinusoidal", 3)];
        for (scheme, head) in all {
            let p = params(&format!("scheme={scheme}&head={head}&causal=1&layers=3"));
            let run = model(&p, 3).run(&p.tokens_a, p.scheme, &p.setting);
            let weights = &run.expect("valid").weights[0][head];
            let picture = compute(&p).expect("computed");
            for row in picture.table(&p).rows {
                let at = (row[0] as usize, row[1] as usize);
                assert!((row[6] - weights[at]).abs() < 1e-12, "{scheme} {at:?}");
            }
        }
    }

    #[test]
    fn a_stage_of_the_diagram_is_chosen_in_one_row_and_in_two() {
        let p = params("");
        let picture = compute(&p).expect("computed");
        for (width, height) in [(880.0, 400.0), (358.0, 360.0)] {
            let view = View {
                width,
                height,
                lang: Lang::Zh,
                colours: Colours::of(false),
                reveal: true,
                guess: None,
            };
            let scene = picture.draw(&p, &view);
            let map = scene.targets[0].rect;
            let mut chosen = Vec::new();
            for (row, column) in (0..2).flat_map(|r| (0..16).map(move |c| (r, c))) {
                let x = map.x + (f64::from(column) + 0.5) / 16.0 * map.w;
                let y = map.y + (f64::from(row) + 0.5) / 2.0 * map.h;
                let hit = scene.hit((x, y)).expect("the diagram");
                chosen.extend(picture.picked(hit, &p));
            }
            chosen.dedup();
            chosen.truncate(Stage::ALL.len());
            let all: Vec<_> = (0..Stage::ALL.len())
                .map(|k| (Key::Step, place(k)))
                .collect();
            assert_eq!(chosen, all, "{width}");
        }
    }
}
