//! A sequence of text, images, video and audio, in three figures: `mrope-grid`, (t, h, w) of each token
//! in the grid of its block; `mrope-scores`, what a token then makes of the patches of an image;
//! `modality-bias`, what is added by the kinds of query and key.

pub(crate) mod bias;
mod draw;
mod flow;
pub(crate) mod grid;
mod looks;
mod map;
pub(crate) mod scores;

use std::ops::Range;

use crate::core::CoreError;
use crate::core::mrope::{Block, Modality, PositionIds, Version, total_tokens};
use crate::figure::kit::colour::Colour;
use crate::figure::kit::scene::{Align, Stand};
use crate::figure::{Film, View};
use crate::say;
use crate::state::{Key, Lang, Params, Sequence};
use crate::words::short;

/// One token of the sequence after another asks.
const TOKEN_BY_TOKEN: Film = Film {
    key: Some(Key::Q),
    frames: |p| total_tokens(&p.sequence.blocks),
};

const CENTRED: (Align, Stand) = (Align::Middle, Stand::Centre);

/// The tokens of a sequence, with their numbers.
struct Tokens {
    sequence: Sequence,
    ids: PositionIds,
    /// Where each block's tokens are.
    spans: Vec<(Block, Range<usize>)>,
    kinds: Vec<Modality>,
}

impl Tokens {
    fn new(p: &Params) -> Result<Self, CoreError> {
        let sequence = p.sequence.clone();
        let ids = sequence.ids()?;
        let mut spans = Vec::new();
        let mut from = 0;
        for block in &sequence.blocks {
            spans.push((*block, from..from + block.tokens()));
            from += block.tokens();
        }
        Ok(Self {
            kinds: sequence.kinds(),
            sequence,
            ids,
            spans,
        })
    }

    fn len(&self) -> usize {
        self.ids.len()
    }

    /// q and k, within the sequence that was computed.
    fn traced(&self, p: &Params) -> (usize, usize) {
        let last = self.len() - 1;
        (p.q.min(last), p.k.min(last))
    }

    fn say(&self, at: usize, lang: Lang) -> String {
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

    /// What the published rule leaves open in this sequence.
    fn rules(&self, lang: Lang) -> Vec<String> {
        let has = |m: Modality| self.kinds.contains(&m);
        let mut out = Vec::new();
        if has(Modality::Video) {
            out.push(match self.sequence.version {
                Version::Qwen2Vl => say!(lang, "figure.mrope-grid.note-2"),
                Version::Qwen25Vl => say!(
                    lang,
                    "figure.mrope-grid.note-25",
                    seconds = short(self.sequence.seconds_per_grid())
                ),
                Version::Qwen3Vl => say!(lang, "figure.mrope-grid.note-3"),
            });
        }
        if has(Modality::Audio) {
            out.push(say!(lang, "figure.mrope-grid.note-audio"));
        }
        out
    }
}

fn kind_word(kind: Modality, lang: Lang) -> String {
    say!(lang, format!("word.modality.{}", kind.id()))
}

/// The colour of t, h or w.
fn axis_colour(view: &View, axis: usize) -> Colour {
    view.colours.series([0, 1, 3][axis])
}

/// The colour of a kind of tokens.
fn kind_colour(view: &View, kind: Modality) -> Colour {
    view.colours.series([7, 2, 4, 5][kind as usize])
}

/// Sizes of a block as people write them.
fn size_of(block: Block) -> String {
    match block {
        Block::Text(n) | Block::Audio(n) => n.to_string(),
        Block::Image(h, w) => format!("{h}×{w}"),
        Block::Video(t, h, w) => format!("{t}×{h}×{w}"),
    }
}

#[cfg(test)]
mod tests;
