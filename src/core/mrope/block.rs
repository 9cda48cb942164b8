//! A sequence as blocks of merged tokens, without the markers that stand around them.

use super::ids::{PositionIds, frame_times};
use super::modality::Modality;
use crate::core::CoreError;

/// Ids that one second of video spends in Qwen2.5-VL (its configuration's `tokens_per_second`).
pub const IDS_PER_SECOND: f64 = 2.0;

/// A run of tokens of one kind; sizes count tokens, after merging.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Block {
    /// So many tokens of text.
    Text(usize),
    /// Rows and columns.
    Image(usize, usize),
    /// Temporal patches (two frames each), rows and columns.
    Video(usize, usize, usize),
    /// So many tokens of audio, each 40 ms.
    Audio(usize),
}

impl Block {
    /// What kind of tokens these are.
    pub fn modality(self) -> Modality {
        match self {
            Self::Text(_) => Modality::Text,
            Self::Image(..) => Modality::Image,
            Self::Video(..) => Modality::Video,
            Self::Audio(_) => Modality::Audio,
        }
    }

    /// Temporal patches, rows and columns; text and audio are one row.
    pub fn sizes(self) -> (usize, usize, usize) {
        match self {
            Self::Text(n) | Self::Audio(n) => (1, 1, n),
            Self::Image(h, w) => (1, h, w),
            Self::Video(t, h, w) => (t, h, w),
        }
    }

    /// Number of tokens; as many as can be counted if there are more.
    pub fn tokens(self) -> usize {
        let (t, h, w) = self.sizes();
        t.saturating_mul(h).saturating_mul(w)
    }
}

/// Number of tokens of all blocks.
pub fn total_tokens(blocks: &[Block]) -> usize {
    blocks
        .iter()
        .fold(0, |sum, b| b.tokens().saturating_add(sum))
}

/// Whose rule numbers the tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Version {
    /// t of a video counts temporal patches.
    #[default]
    Qwen2Vl,
    /// t of a video follows real time, [`IDS_PER_SECOND`] ids a second.
    Qwen25Vl,
    /// Each temporal patch is a piece of its own with one t. The text timestamps that the model
    /// puts between them are tokens, so they are given as blocks of text.
    Qwen3Vl,
}

impl Version {
    /// The words of the address, in the order of the variants.
    pub const IDS: &'static [&'static str] = &["qwen2vl", "qwen25vl", "qwen3vl"];

    /// Its word.
    pub fn id(self) -> &'static str {
        Self::IDS[self as usize]
    }

    /// The version with this word.
    pub fn by_id(id: &str) -> Option<Self> {
        [Self::Qwen2Vl, Self::Qwen25Vl, Self::Qwen3Vl]
            .into_iter()
            .find(|v| v.id() == id)
    }
}

/// (t, h, w) of every token. `seconds_per_grid` is the time between two temporal patches; only
/// Qwen2.5-VL goes by it. None of the three has audio of its own: its tokens count as in TMRoPE
/// (Qwen2.5-Omni), one id for each token of 40 ms, t = h = w.
///
/// # Errors
/// If a side is 0, or `seconds_per_grid` is not finite and above 0.
pub fn position_ids(
    blocks: &[Block],
    version: Version,
    seconds_per_grid: f64,
) -> Result<PositionIds, CoreError> {
    let mut ids = PositionIds::default();
    for block in blocks {
        if block.tokens() == 0 {
            return Err(CoreError::OutOfRange {
                name: "the side of a block",
                given: 0.0,
                allowed: "at least 1",
            });
        }
        let (t, h, w) = block.sizes();
        match (block, version) {
            (Block::Text(n) | Block::Audio(n), _) => ids.text(*n),
            (_, Version::Qwen2Vl) | (Block::Image(..), _) => {
                let times: Vec<i64> = (0..t as i64).collect();
                ids.vision(ids.next(), &times, h, w);
            }
            (_, Version::Qwen25Vl) => {
                let times = frame_times(t, seconds_per_grid, IDS_PER_SECOND)?;
                ids.vision(ids.next(), &times, h, w);
            }
            (_, Version::Qwen3Vl) => {
                for _ in 0..t {
                    ids.vision(ids.next(), &[0], h, w);
                }
            }
        }
    }
    Ok(ids)
}
