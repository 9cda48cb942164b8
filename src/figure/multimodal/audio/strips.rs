//! What becomes of each scheme beyond the training.

use crate::core::CoreError;
use crate::core::encoding::{Beyond, Scheme};
use crate::core::exposure::{best_fit, unmet_frequencies};
use crate::figure::kit::scene::text_width;
use crate::say;
use crate::state::{Lang, Params};

/// What becomes of one scheme.
pub(super) struct Strip {
    pub(super) scheme: Scheme,
    pub(super) beyond: Beyond,
    /// Frequencies in all, and those that reach angles never met.
    pub(super) pairs: (usize, usize),
    /// What it adds to the score of the farthest frame, if distance alone decides that.
    pub(super) last: Option<f64>,
}

/// The strip of a scheme; nothing for one that says nothing of position.
pub(super) fn strip(
    scheme: Scheme,
    p: &Params,
    (frames, trained): (usize, usize),
) -> Result<Option<Strip>, CoreError> {
    let s = &p.setting;
    let beyond = scheme.beyond(s)?;
    let pairs = match &beyond {
        Beyond::Nothing => return Ok(None),
        Beyond::Angles(f) => (f.len(), unmet_frequencies(f, trained, frames)),
        _ => (0, 0),
    };
    let by_offset = scheme.by_offset(s)?.filter(|b| !b.needs_query());
    let farthest = frames.saturating_sub(1) as i64;
    let last = by_offset.map(|b| b.bias(p.head, farthest, &[]));
    Ok(Some(Strip {
        scheme,
        beyond,
        pairs,
        last,
    }))
}

/// What a scheme makes of each distance, at its best, and whether that is a table that can be learned;
/// nothing where it is no function of the distance alone.
pub(super) fn curve(
    scheme: Scheme,
    p: &Params,
    likeness: &[f64],
) -> Result<Option<(Vec<f64>, bool)>, CoreError> {
    let s = &p.setting;
    let by_offset = scheme.by_offset(s)?.filter(|b| !b.needs_query());
    Ok(match (&by_offset, scheme.rotation(s)?) {
        (Some(b), _) if b.numbers().is_some() => {
            Some((best_fit(likeness, |d| b.index(d as i64)), true))
        }
        (Some(b), _) => {
            let at = |d: usize| b.bias(p.head, d as i64, &[]);
            Some(((0..likeness.len()).map(at).collect(), false))
        }
        (None, Some(rotation)) => {
            let distances: Vec<f64> = (0..likeness.len()).map(|d| d as f64).collect();
            Some((rotation.similarity(&distances), false))
        }
        (None, None) => None,
    })
}

impl Strip {
    /// A text of this scheme.
    pub(super) fn key(&self, part: &str) -> String {
        format!("figure.audio-frames.{}.{part}", self.scheme.id())
    }

    pub(super) fn name(&self, lang: Lang) -> String {
        say!(lang, format!("word.scheme.{}", self.scheme.id()))
    }
}

/// A name without what explains it, where there is no room for that.
pub(super) fn fitting(name: String, room: f64, size: f64) -> String {
    if text_width(&name, size) <= room {
        return name;
    }
    let end = name.find(" (").or_else(|| name.find('：'));
    end.map_or(name.clone(), |end| name[..end].to_owned())
}

/// The distance from which on a scheme has one number for all, if there is one.
pub(super) fn reach(strip: &Strip) -> Option<usize> {
    match strip.beyond {
        Beyond::Shared { from } => Some(from),
        _ => None,
    }
}
