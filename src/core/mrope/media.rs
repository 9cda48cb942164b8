//! What stands in a batch of prompts beside text.

use super::ids::{Grid, PositionIds};
use crate::core::CoreError;

/// What the placeholders of a batch stand for. Lists run through all rows of the batch.
#[derive(Debug, Clone, Copy)]
pub struct Media<'a> {
    /// The token that stands for a piece of an image.
    pub image_token: i64,
    /// The token that stands for a piece of a video.
    pub video_token: i64,
    /// Size of each image, before merging.
    pub images: &'a [Grid],
    /// Size of each video, before merging. Qwen3-VL has one a temporal patch, with t = 1.
    pub videos: &'a [Grid],
    /// Patches merged into one token, along each side.
    pub merge: usize,
    /// Ids a second, where t of a video follows real time; else t counts temporal patches.
    pub ids_per_second: Option<f64>,
    /// Seconds between temporal patches of each video; 1 for a video without.
    pub seconds_per_grid: &'a [f64],
}

/// One row of a batch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    /// Ids of the tokens that are no padding.
    pub ids: PositionIds,
    /// What the position of a token that is generated later exceeds its index by: the largest id
    /// + 1 − the length of the row, padding included (of the tokens that are none, with audio).
    pub delta: i64,
}

/// The audio of a batch.
#[derive(Debug, Clone, Copy)]
pub struct Audio<'a> {
    /// The token that stands for a piece of audio.
    pub token: i64,
    /// The token before a piece of audio.
    pub start_token: i64,
    /// The token before an image or a video.
    pub vision_start_token: i64,
    /// Length of each piece in frames of the spectrogram (10 ms each).
    pub lengths: &'a [usize],
    /// Seconds of a chunk, where a video has sound.
    pub seconds_per_chunk: f64,
    /// Whether the audio behind a start marker of vision belongs to the video after it.
    pub in_video: bool,
}

impl Audio<'_> {
    /// Tokens of a piece of `length` frames: two convolutions of stride 2, the second a pooling,
    /// `((length − 1) / 2 + 1 − 2) / 2 + 1` with divisions rounded down.
    ///
    /// # Errors
    /// If `length` is 0.
    pub fn tokens(&self, length: usize) -> Result<usize, CoreError> {
        if length == 0 {
            return Err(CoreError::OutOfRange {
                name: "audio_seqlens",
                given: 0.0,
                allowed: "at least 1",
            });
        }
        // (x + 1 − 2) / 2 + 1 rounded down is x / 2 rounded up.
        Ok(((length - 1) / 2).div_ceil(2))
    }

    /// Whether a video with sound begins here: both start markers, then video.
    pub(super) fn starts_film(&self, tokens: &[i64], at: usize, media: &Media) -> bool {
        let wanted = [self.vision_start_token, self.start_token, media.video_token];
        self.in_video && tokens[at..].starts_with(&wanted)
    }
}
