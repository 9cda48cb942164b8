//! `mrope-grid`: a sequence of text, images, video and audio; (t, h, w) of each token beside its
//! number in one dimension, and what a token then makes of the patches of an image.

mod draw;
mod scores;

use std::ops::Range;
use std::sync::{Arc, Mutex};

use crate::core::mrope::{Block, MODALITIES, MRope, Modality, PositionIds, Version};
use crate::figure::kit::scene::{Hit, Scene};
use crate::figure::{Arrows, Computed, Figure, Picture, Readout, Table, View, place};
use crate::say;
use crate::state::{Key, Lang, Page, Params, Sequence, Value};
use crate::words::short;

pub(crate) const FIGURE: Figure = Figure {
    id: "mrope-grid",
    page: Page::Multimodal,
    controls: &[
        Key::Blocks,
        Key::Mrope,
        Key::Fps,
        Key::Q,
        Key::K,
        Key::ModBias,
        Key::Base,
        Key::DModel,
        Key::Heads,
        Key::Sections,
    ],
    listens: &[],
    arrows: Arrows::Each(Some(Key::K), Some(Key::Q)),
    film: None,
    special: &[],
    compute,
};

/// Numbers of the figure's targets.
const SEQUENCE: usize = 0;
const CHART: usize = 1;
/// The maps; twice the number of frames in a row of them is added, and 1 for the second map.
const MAPS: usize = 2;
/// The table; the number of its first token is added.
const TOKENS: usize = 1 << 16;

struct MropeGrid {
    sequence: Sequence,
    ids: PositionIds,
    rope: MRope,
    head_dim: usize,
    /// Where each block's tokens are.
    spans: Vec<(Block, Range<usize>)>,
    kinds: Vec<Modality>,
    last: Mutex<Option<(usize, Arc<Looks>)>>,
}

/// What one token makes of all others, by plain 1D numbers and by (t, h, w).
struct Looks {
    scores: [Vec<f64>; 2],
    weights: [Vec<f64>; 2],
}

fn compute(p: &Params) -> Computed {
    let sequence = p.sequence.clone();
    let ids = sequence.ids()?;
    let head_dim = p.setting.whole_head_dim()?;
    let rope = sequence.rope(head_dim)?;
    let mut spans = Vec::new();
    let mut from = 0;
    for block in &sequence.blocks {
        spans.push((*block, from..from + block.tokens()));
        from += block.tokens();
    }
    Ok(Arc::new(MropeGrid {
        kinds: sequence.kinds(),
        sequence,
        ids,
        rope,
        head_dim,
        spans,
        last: Mutex::new(None),
    }))
}

fn softmax(scores: &[f64]) -> Vec<f64> {
    let most = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let parts: Vec<f64> = scores.iter().map(|s| (s - most).exp()).collect();
    let sum: f64 = parts.iter().sum();
    parts.into_iter().map(|p| p / sum).collect()
}

impl MropeGrid {
    fn len(&self) -> usize {
        self.ids.len()
    }

    /// q and k, within the sequence that was computed.
    fn traced(&self, p: &Params) -> (usize, usize) {
        let last = self.len() - 1;
        (p.q.min(last), p.k.min(last))
    }

    /// Scores of a query and keys whose numbers are all 1: √head_dim times the mean cosine, and
    /// the bias of their kinds.
    fn looks(&self, q: usize) -> Arc<Looks> {
        let mut last = match self.last.lock() {
            Ok(last) => last,
            Err(broken) => broken.into_inner(),
        };
        if let Some((of, looks)) = &*last
            && *of == q
        {
            return looks.clone();
        }
        let scale = (self.head_dim as f64).sqrt();
        let flat = |token: usize| [token as i64; 3];
        let score = |query, key, k: usize| {
            let bias = self.sequence.bias.get(self.kinds[q], self.kinds[k]);
            scale * self.rope.similarity(query, key) + bias
        };
        let all = 0..self.len();
        let plain = all.clone().map(|k| score(flat(q), flat(k), k)).collect();
        let ids = all.map(|k| score(self.ids.at(q), self.ids.at(k), k));
        let scores: [Vec<f64>; 2] = [plain, ids.collect()];
        let weights = scores.each_ref().map(|s| softmax(s));
        let looks = Arc::new(Looks { scores, weights });
        *last = Some((q, looks.clone()));
        looks
    }

    /// The block that the maps show: that of k if it has rows and columns, else the first that has.
    fn shown(&self, k: usize) -> Option<&(Block, Range<usize>)> {
        let vision =
            |s: &&(Block, Range<usize>)| matches!(s.0, Block::Image(..) | Block::Video(..));
        let all = || self.spans.iter().filter(vision);
        all().find(|s| s.1.contains(&k)).or_else(|| all().next())
    }

    /// By how much the scores of the patches shown differ; 0 if there are none.
    fn spread(&self, scores: &[f64], k: usize) -> f64 {
        let Some((_, tokens)) = self.shown(k) else {
            return 0.0;
        };
        let (low, high) = ends(scores[tokens.clone()].iter().copied());
        high - low
    }

    /// Part of a query's attention that each kind of token gets.
    fn share(&self, weights: &[f64], kind: Modality) -> f64 {
        let of_kind = weights.iter().zip(&self.kinds).filter(|(_, k)| **k == kind);
        of_kind.map(|(w, _)| w).sum()
    }

    fn token(&self, at: usize, lang: Lang) -> String {
        let [t, h, w] = self.ids.at(at);
        let kind = kind_word(self.kinds[at], lang);
        say!(
            lang,
            "figure.mrope-grid.token",
            at = at,
            kind = kind,
            t = t,
            h = h,
            w = w
        )
    }

    /// What k is to q.
    fn pair(&self, (q, k): (usize, usize), lang: Lang) -> String {
        let looks = self.looks(q);
        say!(
            lang,
            "figure.mrope-grid.pair",
            q = q,
            k = self.token(k, lang),
            flat = short(looks.scores[0][k]),
            score = short(looks.scores[1][k])
        )
    }

    fn token_at(&self, hit: Hit, p: &Params) -> usize {
        let at = match hit.target {
            SEQUENCE | CHART => hit.column,
            target if target >= TOKENS => target - TOKENS + hit.column,
            target => {
                let in_row = (target - MAPS) / 2;
                let span = self.shown(self.traced(p).1);
                span.map_or(0, |s| token_of_map(s, in_row, (hit.row, hit.column)))
            }
        };
        at.min(self.len() - 1)
    }
}

fn kind_word(kind: Modality, lang: Lang) -> String {
    say!(lang, format!("word.modality.{}", kind.id()))
}

fn version_word(version: Version, lang: Lang) -> String {
    say!(lang, format!("word.mrope.{}", version.id()))
}

impl Picture for MropeGrid {
    fn height(&self, width: f64) -> f64 {
        self.layout(width).height
    }

    fn draw(&self, p: &Params, view: &View) -> Scene {
        self.scene(p, view)
    }

    fn describe(&self, hit: Hit, p: &Params, lang: Lang) -> String {
        let token = self.token_at(hit, p);
        if on_map(hit) {
            return self.pair((self.traced(p).0, token), lang);
        }
        self.token(token, lang)
    }

    fn picked(&self, hit: Hit, p: &Params) -> Vec<(Key, Value)> {
        let key = if on_map(hit) { Key::K } else { Key::Q };
        vec![(key, place(self.token_at(hit, p)))]
    }

    fn readouts(&self, p: &Params, lang: Lang) -> Vec<Readout> {
        let (q, k) = self.traced(p);
        let looks = self.looks(q);
        let [t, h, w] = self.ids.at(q);
        let bias = self.sequence.bias.get(self.kinds[q], self.kinds[k]);
        let numbers = [
            ("tokens", self.len() as f64),
            ("ids", self.ids.spent() as f64),
            ("t", t as f64),
            ("h", h as f64),
            ("w", w as f64),
            ("score-flat", looks.scores[0][k]),
            ("score", looks.scores[1][k]),
            ("modality-bias", bias),
            ("weight", looks.weights[1][k]),
            ("spread-flat", self.spread(&looks.scores[0], k)),
            ("spread", self.spread(&looks.scores[1], k)),
        ];
        let labels = [
            "figure.mrope-grid.tokens",
            "figure.mrope-grid.ids",
            "figure.mrope-grid.t",
            "figure.mrope-grid.h",
            "figure.mrope-grid.w",
            "figure.mrope-grid.score-flat",
            "figure.mrope-grid.score",
            "figure.mrope-grid.modality-bias",
            "figure.mrope-grid.weight",
            "figure.mrope-grid.spread-flat",
            "figure.mrope-grid.spread",
        ];
        let readout = |((name, number), label): ((&'static str, f64), &str)| Readout {
            name: name.into(),
            label: say!(lang, label, q = q, k = k),
            number: Some(number),
            text: short(number),
        };
        numbers.into_iter().zip(labels).map(readout).collect()
    }

    fn sentence(&self, p: &Params, lang: Lang) -> String {
        let (q, k) = self.traced(p);
        let looks = self.looks(q);
        say!(
            lang,
            "figure.mrope-grid.sentence",
            version = version_word(self.sequence.version, lang),
            n = self.len(),
            ids = self.ids.spent(),
            token = self.token(q, lang),
            k = k,
            flat = short(looks.scores[0][k]),
            score = short(looks.scores[1][k])
        )
    }

    fn table(&self, p: &Params) -> Table {
        let looks = self.looks(self.traced(p).0);
        let columns = [
            "token",
            "modality",
            "t",
            "h",
            "w",
            "score_flat",
            "score",
            "weight",
        ];
        let row = |at: usize| {
            let [t, h, w] = self.ids.at(at).map(|id| id as f64);
            let kind = self.kinds[at] as usize as f64;
            let [flat, score] = [0, 1].map(|m| looks.scores[m][at]);
            vec![at as f64, kind, t, h, w, flat, score, looks.weights[1][at]]
        };
        Table {
            columns: columns.map(str::to_owned).to_vec(),
            rows: (0..self.len()).map(row).collect(),
        }
    }
}

fn on_map(hit: Hit) -> bool {
    (MAPS..TOKENS).contains(&hit.target)
}

/// The token that stands at a row and a column of a map with so many frames side by side; past the
/// last frame the last token.
fn token_of_map(
    (block, tokens): &(Block, Range<usize>),
    in_row: usize,
    (row, column): (usize, usize),
) -> usize {
    let (_, h, w) = block.sizes();
    let frame = row / h * in_row + column / w;
    (tokens.start + (frame * h + row % h) * w + column % w).min(tokens.end - 1)
}

/// Where a token stands in the map of its block.
fn place_in_map(
    (block, tokens): &(Block, Range<usize>),
    in_row: usize,
    token: usize,
) -> Option<(usize, usize)> {
    let at = tokens.contains(&token).then(|| token - tokens.start)?;
    let (_, h, w) = block.sizes();
    let frame = at / (h * w);
    Some((frame / in_row * h + at / w % h, frame % in_row * w + at % w))
}

/// Smallest and largest of some numbers.
fn ends(numbers: impl Iterator<Item = f64>) -> (f64, f64) {
    let start = (f64::INFINITY, f64::NEG_INFINITY);
    numbers.fold(start, |(low, high), x| (low.min(x), high.max(x)))
}

/// The kinds that the sequence has, in their order.
fn present(kinds: &[Modality]) -> Vec<Modality> {
    let mut all = MODALITIES.to_vec();
    all.retain(|m| kinds.contains(m));
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::{decode, resolve};

    fn of(query: &str) -> (Params, Arc<dyn Picture>) {
        let query = format!("embed=mrope-grid&{query}");
        let p = resolve(&decode(&query).0, crate::figure::page_of).0;
        let picture = compute(&p).expect("computed");
        (p, picture)
    }

    fn number(query: &str, name: &str) -> f64 {
        let (p, picture) = of(query);
        let readouts = picture.readouts(&p, Lang::En);
        let found = readouts.iter().find(|r| r.name == name);
        found.and_then(|r| r.number).expect(name)
    }

    #[test]
    fn a_large_image_spends_few_ids_and_numbers_are_those_of_the_rule() {
        let query = "blocks=image:32x32,text:2&q=1024";
        assert_eq!(number(query, "tokens"), 1026.0);
        assert_eq!(number(query, "ids"), 34.0);
        assert_eq!(number(query, "t"), 32.0);
        assert_eq!(number("q=999&k=4", "w"), number("q=42&k=4", "w"));
    }

    #[test]
    fn for_text_alone_both_scores_are_alike_and_the_bias_is_added() {
        let query = "blocks=text:30&q=20&k=3";
        assert_eq!(number(query, "score"), number(query, "score-flat"));
        let biased = format!("{query}&mod_bias=text:text:1.5");
        let more = number(&biased, "score") - number(query, "score");
        assert!((more - 1.5).abs() < 1e-12);
        // A bias that all keys get changes no weight.
        assert!((number(&biased, "weight") - number(query, "weight")).abs() < 1e-12);
    }

    #[test]
    fn the_score_is_that_of_rotated_vectors_of_ones() {
        for version in Version::IDS {
            let query = format!("mrope={version}&d_model=96&heads=2&q=21&k=30");
            let (p, _) = of(&query);
            let rope = p.sequence.rope(48).expect("a rotation");
            let ids = p.sequence.ids().expect("ids");
            let ones = crate::core::Matrix::from_element(ids.len(), 48, 1.0);
            let turned = rope.apply(&ones, &ids).expect("turned");
            let dot = turned.row(21).dot(&turned.row(30)) / 48f64.sqrt();
            assert!((number(&query, "score") - dot).abs() < 1e-10, "{version}");
        }
    }

    #[test]
    fn places_in_a_map_and_tokens_are_the_same_in_both_directions() {
        let span = (Block::Video(5, 3, 4), 5..65);
        for in_row in 1..6 {
            for token in 5..65 {
                let place = place_in_map(&span, in_row, token).expect("in the map");
                assert_eq!(token_of_map(&span, in_row, place), token);
            }
        }
        // The second frame beside the first, its second row.
        assert_eq!(place_in_map(&span, 5, 5 + 12 + 4), Some((1, 4)));
        assert_eq!(place_in_map(&span, 1, 5 + 12 + 4), Some((4, 0)));
        assert_eq!(place_in_map(&span, 5, 4), None);
        assert_eq!(token_of_map(&span, 2, (8, 7)), 64);
    }
}
