//! Width of a head, and which part of it rotates.

use serde_json::Value as Json;

use super::Reader;
use super::names::What;

/// Widest head whose frequencies are computed: the widest model of the page.
const MAX_WIDTH: usize = 4096;

/// The rotated width, and that of the head it belongs to.
#[derive(Clone, Copy)]
pub(super) struct Width {
    pub head: usize,
    pub rotated: usize,
    /// Whether hidden size and heads alone give it.
    pub whole: Option<(usize, usize)>,
}

impl Reader {
    /// A number of the text, or of its class.
    fn or_class(
        &mut self,
        what: What,
        name: &'static str,
        scopes: &[usize],
        class: Option<f64>,
    ) -> Option<usize> {
        if self.has(what, scopes) {
            return self.length(what, scopes);
        }
        let x = class?;
        self.assume_class(name, Json::from(x as u64));
        Some(x as usize)
    }

    pub(super) fn width(
        &mut self,
        layer: &str,
        scopes: &[usize],
        proportional: bool,
    ) -> Option<Width> {
        if self.has(What::RotatedApart, &[0]) {
            let apart = self.length(What::RotatedApart, &[0])?;
            return self.even(apart, apart, None);
        }
        let global = layer == "full_attention" && self.has(What::GlobalHeadDim, &[0]);
        let class = self.class;
        let (head, whole) = if global {
            (self.length(What::GlobalHeadDim, &[0])?, None)
        } else if self.has(What::HeadDim, &[0]) {
            let head = self.length(What::HeadDim, &[0])?;
            let given = self.has(What::Hidden, &[0]) && self.has(What::Heads, &[0]);
            let both = if given {
                self.length(What::Hidden, &[0])
                    .zip(self.length(What::Heads, &[0]))
            } else {
                None
            };
            (
                head,
                both.filter(|(d, h)| d.is_multiple_of(*h) && d / h == head),
            )
        } else if let Some(head) = class.and_then(|c| c.head_dim) {
            let head = self.or_class(What::HeadDim, "head_dim", &[0], Some(head))?;
            (head, None)
        } else {
            let hidden = self.or_class(
                What::Hidden,
                "hidden_size",
                &[0],
                class.and_then(|c| c.hidden),
            )?;
            let heads = self.or_class(
                What::Heads,
                "num_attention_heads",
                &[0],
                class.and_then(|c| c.heads),
            )?;
            if !hidden.is_multiple_of(heads) {
                let (d, h) = (hidden.to_string(), heads.to_string());
                self.problem(true, "heads-do-not-divide", ("num_attention_heads", &h, &d));
                return None;
            }
            (hidden / heads, Some((hidden, heads)))
        };
        if proportional {
            return self.even(head, head, whole);
        }
        let rotated = self.rotated(head, scopes)?;
        self.even(head, rotated, whole.filter(|_| rotated == head))
    }

    /// Which part of a head rotates.
    fn rotated(&mut self, head: usize, scopes: &[usize]) -> Option<usize> {
        let dims = if self.has(What::Rotated, scopes) {
            Some(self.length(What::Rotated, scopes)?)
        } else {
            None
        };
        let share = if self.has(What::Share, scopes) {
            Some(self.positive(What::Share, scopes)?)
        } else {
            None
        };
        let part = match share {
            Some(share) if share > 1.0 => {
                let name = self.name_of(What::Share, scopes, "");
                self.problem(true, "part-above-one", (&name, &share.to_string(), ""));
                return None;
            }
            Some(share) => Some((head as f64 * share) as usize),
            None => None,
        };
        match (dims, part) {
            (Some(a), Some(b)) if a != b => {
                let (name, other) = (
                    self.name_of(What::Rotated, scopes, ""),
                    self.name_of(What::Share, scopes, ""),
                );
                self.problem(
                    true,
                    "disagree",
                    (&name, &a.to_string(), &format!("{other}: {b}")),
                );
                None
            }
            (Some(dims), _) | (None, Some(dims)) => Some(dims),
            (None, None) => match self.class.and_then(|c| c.share) {
                Some(dims) if dims > 1.0 => {
                    self.assume_class("rotary_dim", Json::from(dims as u64));
                    Some(dims as usize)
                }
                Some(share) => {
                    self.assume_class("partial_rotary_factor", Json::from(share));
                    Some((head as f64 * share) as usize)
                }
                None => Some(head),
            },
        }
    }

    fn even(
        &mut self,
        head: usize,
        rotated: usize,
        whole: Option<(usize, usize)>,
    ) -> Option<Width> {
        if rotated > MAX_WIDTH {
            let most = MAX_WIDTH.to_string();
            self.problem(true, "too-wide", ("head_dim", &rotated.to_string(), &most));
            return None;
        }
        if rotated < 2 || !rotated.is_multiple_of(2) || rotated > head {
            self.problem(
                true,
                "odd-width",
                ("head_dim", &rotated.to_string(), &head.to_string()),
            );
            return None;
        }
        Some(Width {
            head,
            rotated,
            whole,
        })
    }
}
