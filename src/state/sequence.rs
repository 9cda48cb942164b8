//! The sequence and the recording of the page `multimodal`.

use std::sync::Arc;

use crate::core::mrope::{
    Block, MRope, Modality, ModalityBias, PositionIds, Sections, Version, position_ids,
};
use crate::core::{CoreError, sound::Envelope};

/// A sequence of several modalities, and how its tokens are numbered.
#[derive(Debug, Clone, PartialEq)]
pub struct Sequence {
    /// Its blocks; at least one.
    pub blocks: Vec<Block>,
    /// Whose rule numbers the tokens.
    pub version: Version,
    /// Frames of a video a second.
    pub fps: f64,
    /// Base of the frequencies of M-RoPE.
    pub base: f64,
    /// Frequencies of t, h and w, where they are not those of the version.
    pub sections: Option<[usize; 3]>,
    /// What is added to scores by the kinds of query and key.
    pub bias: ModalityBias,
}

impl Sequence {
    /// Seconds between two temporal patches, of two frames each.
    pub fn seconds_per_grid(&self) -> f64 {
        2.0 / self.fps
    }

    /// What each token is a piece of.
    pub fn kinds(&self) -> Vec<Modality> {
        let of = |b: &Block| std::iter::repeat_n(b.modality(), b.tokens());
        self.blocks.iter().flat_map(of).collect()
    }

    /// What is added to the score of a query and a key, by their places in the sequence.
    pub fn bias_of(&self, query: usize, key: usize) -> f64 {
        let kinds = self.kinds();
        match (kinds.get(query), kinds.get(key)) {
            (Some(query), Some(key)) => self.bias.get(*query, *key),
            _ => 0.0,
        }
    }

    /// (t, h, w) of each token.
    ///
    /// # Errors
    /// As [`position_ids`]; a valid sequence has none.
    pub fn ids(&self) -> Result<PositionIds, CoreError> {
        position_ids(&self.blocks, self.version, self.seconds_per_grid())
    }

    /// How many of `pairs` frequencies t, h and w have.
    pub fn sections(&self, pairs: usize) -> Sections {
        let of_version = Sections::of(self.version, pairs);
        Sections {
            sizes: self.sections.unwrap_or(of_version.sizes),
            ..of_version
        }
    }

    /// The rotation of a head.
    ///
    /// # Errors
    /// As [`MRope::new`].
    pub fn rope(&self, head_dim: usize) -> Result<MRope, CoreError> {
        MRope::new(head_dim, self.base, self.sections(head_dim / 2))
    }
}

/// A recording, cut into frames.
#[derive(Debug, Clone, PartialEq)]
pub struct Sound {
    /// Its length.
    pub seconds: usize,
    /// Frames a second.
    pub rate: usize,
    /// Beats a minute of the rhythm.
    pub bpm: usize,
    /// What the visitor recorded or opened; the rhythm is shown without. Not in the address.
    pub recording: Option<Arc<Envelope>>,
}
