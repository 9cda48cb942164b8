//! The ids of prompts in which placeholder tokens stand for images and video.

use super::ids::{Grid, PositionIds, frame_times};
use super::media::{Audio, Media, Row};
use crate::core::CoreError;

/// Ids by the published rule: each piece starts at the largest id so far + 1. Every row is a list of
/// tokens and a mask, which is true where a token is no padding.
///
/// # Errors
/// If a placeholder has no grid, or its run is shorter than its grid; if `merge` does not divide a
/// grid; if a mask has another length than its row; if a time is not finite and above 0.
pub fn rope_index(rows: &[(&[i64], &[bool])], media: &Media) -> Result<Vec<Row>, CoreError> {
    let mut left = Left::new(media, None);
    let row = |(tokens, mask): &(&[i64], &[bool])| {
        let ids = left.ids(&real(tokens, mask)?)?;
        let delta = ids.spent() - tokens.len() as i64;
        Ok(Row { ids, delta })
    };
    rows.iter().map(row).collect()
}

/// The tokens that are no padding.
pub(super) fn real(tokens: &[i64], mask: &[bool]) -> Result<Vec<i64>, CoreError> {
    crate::core::error::same_size("attention_mask", tokens.len(), mask.len())?;
    let kept = tokens.iter().zip(mask).filter(|(_, real)| **real);
    Ok(kept.map(|(token, _)| *token).collect())
}

/// What is left of the media while the rows are gone through.
pub(super) struct Left<'a> {
    media: &'a Media<'a>,
    audio: Option<&'a Audio<'a>>,
    images: std::slice::Iter<'a, Grid>,
    videos: std::slice::Iter<'a, Grid>,
    seconds: std::slice::Iter<'a, f64>,
    sounds: std::slice::Iter<'a, usize>,
}

impl<'a> Left<'a> {
    pub(super) fn new(media: &'a Media, audio: Option<&'a Audio>) -> Self {
        Self {
            media,
            audio,
            images: media.images.iter(),
            videos: media.videos.iter(),
            seconds: media.seconds_per_grid.iter(),
            sounds: audio.map_or(&[][..], |a| a.lengths).iter(),
        }
    }

    /// Ids of one row without padding.
    pub(super) fn ids(&mut self, tokens: &[i64]) -> Result<PositionIds, CoreError> {
        let mut ids = PositionIds::default();
        let mut at = 0;
        while at < tokens.len() {
            let token = tokens[at];
            if token == self.media.image_token {
                let grid = self.images.next().ok_or(missing("an image"))?;
                let grid = grid.merged(self.media.merge)?;
                let n = run(tokens, at, |t| t == token, grid.tokens())?;
                // t of an image does not follow the clock: it has one temporal patch.
                let times: Vec<i64> = (0..grid.t as i64).collect();
                ids.vision(ids.next(), &times, grid.h, grid.w);
                at += n;
            } else if token == self.media.video_token {
                let (grid, times) = self.video(tokens.len() - at)?;
                let n = run(tokens, at, |t| t == token, grid.tokens())?;
                ids.vision(ids.next(), &times, grid.h, grid.w);
                at += n;
            } else if let Some(audio) = self.audio.filter(|a| token == a.token) {
                let n = self.sound(audio)?;
                ids.text(run(tokens, at, |t| t == token, n)?);
                at += n;
            } else if let Some(audio) = self.audio.filter(|a| a.starts_film(tokens, at, self.media))
            {
                at += self.film(audio, &tokens[at..], &mut ids)?;
            } else {
                ids.text(1);
                at += 1;
            }
        }
        Ok(ids)
    }

    /// Ids a second of the clock; 1 without one.
    pub(super) fn ids_per_second(&self) -> f64 {
        self.media.ids_per_second.unwrap_or(1.0)
    }

    /// Size of the next video after merging, which must fit in `room` tokens, and the t of its
    /// temporal patches from 0.
    pub(super) fn video(&mut self, room: usize) -> Result<(Grid, Vec<i64>), CoreError> {
        let grid = self.videos.next().ok_or(missing("a video"))?;
        let grid = grid.merged(self.media.merge)?;
        if grid.tokens() > room {
            return Err(CoreError::Shape {
                what: "a run of placeholders",
                expected: grid.tokens(),
                given: room,
            });
        }
        let seconds = self.seconds.next().copied().unwrap_or(1.0);
        let times = match self.media.ids_per_second {
            Some(rate) => frame_times(grid.t, seconds, rate)?,
            None => (0..grid.t as i64).collect(),
        };
        Ok((grid, times))
    }

    /// Tokens of the next piece of audio.
    pub(super) fn sound(&mut self, audio: &Audio) -> Result<usize, CoreError> {
        let length = self.sounds.next().ok_or(missing("a piece of audio"))?;
        audio.tokens(*length)
    }
}

fn missing(of: &'static str) -> CoreError {
    CoreError::Missing {
        of,
        name: "its size",
    }
}

/// Checks that `n` tokens of the kind stand from `at` on; gives `n`.
pub(super) fn run(
    tokens: &[i64],
    at: usize,
    kind: impl Fn(i64) -> bool,
    n: usize,
) -> Result<usize, CoreError> {
    let there = tokens[at..].iter().take_while(|t| kind(**t)).take(n);
    crate::core::error::same_size("a run of placeholders", n, there.count())?;
    Ok(n)
}
