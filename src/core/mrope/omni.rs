//! TMRoPE of Qwen2.5-Omni: audio and video on one clock (arXiv 2503.20215, §2.2; transformers,
//! `Qwen2_5OmniPreTrainedModelForConditionalGeneration.get_rope_index`).
//!
//! An audio token has t = h = w and stands for 40 ms, one id at 25 ids a second. Where a video has
//! sound, both start at the same id, and their tokens alternate in chunks of some seconds, video
//! first; both start markers share one id, and so do both end markers, which follow the last chunk
//! in the list, even where an earlier one reaches further.

use std::ops::Range;

use super::ids::PositionIds;
use super::media::{Audio, Media, Row};
use super::prompt::{Left, real, run};
use crate::core::CoreError;

/// Ids of a batch with audio. Rows as for [`super::rope_index`]; `delta` counts the tokens that are no
/// padding.
///
/// # Errors
/// As [`super::rope_index`], also if a piece of audio has no length or its run is shorter than that, or
/// if a chunk spends no id.
pub fn omni_index(
    rows: &[(&[i64], &[bool])],
    media: &Media,
    audio: &Audio,
) -> Result<Vec<Row>, CoreError> {
    let mut left = Left::new(media, Some(audio));
    let row = |(tokens, mask): &(&[i64], &[bool])| {
        let tokens = real(tokens, mask)?;
        let ids = left.ids(&tokens)?;
        let delta = ids.spent() - tokens.len() as i64;
        Ok(Row { ids, delta })
    };
    rows.iter().map(row).collect()
}

impl Left<'_> {
    /// A video with sound, from its start markers to its end markers; gives the number of tokens.
    pub(super) fn film(
        &mut self,
        audio: &Audio,
        tokens: &[i64],
        ids: &mut PositionIds,
    ) -> Result<usize, CoreError> {
        let markers = ids.next();
        ids.line(markers, 1);
        ids.line(markers, 1);
        let start = ids.next();
        let sound = self.sound(audio)?;
        let (grid, times) = self.video(tokens.len() - 2)?;
        let video_token = tokens[2];
        let of_film = |t| t == video_token || t == audio.token;
        let inside = run(tokens, 2, of_film, grid.tokens().saturating_add(sound))?;

        let mut seen = PositionIds::default();
        seen.vision(start, &times, grid.h, grid.w);
        let mut heard = PositionIds::default();
        heard.line(start, sound);
        let each = self.ids_per_chunk(audio)?;
        let chunks = [&seen, &heard].map(|of| chunks(of, start, each));
        for k in 0..chunks[0].len().max(chunks[1].len()) {
            for (of, chunks) in [&seen, &heard].into_iter().zip(&chunks) {
                if let Some(range) = chunks.get(k) {
                    ids.append(of, range.clone());
                }
            }
        }
        let after = (tokens.len() - 2 - inside).min(2);
        let markers = ids.next();
        (0..after).for_each(|_| ids.line(markers, 1));
        Ok(2 + inside + after)
    }

    fn ids_per_chunk(&self, audio: &Audio) -> Result<i64, CoreError> {
        let each = self.ids_per_second() * audio.seconds_per_chunk;
        crate::core::error::at_least("ids of a chunk", each, 1.0)?;
        Ok(each as i64)
    }
}

/// Cuts tokens where t has advanced by another `each` ids since `start`; at least one token a chunk.
fn chunks(ids: &PositionIds, start: i64, each: i64) -> Vec<Range<usize>> {
    let mut out = Vec::new();
    let (mut from, mut bound) = (0, each);
    for (at, t) in ids.axes()[0].iter().enumerate() {
        if t - start >= bound {
            out.push(from..at);
            from = at;
            bound = bound.saturating_add(each);
        }
    }
    if from < ids.len() {
        out.push(from..ids.len());
    }
    out
}
