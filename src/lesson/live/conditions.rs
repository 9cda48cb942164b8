//! The conditions of `check figure`.

use super::Live;
use crate::core::encoding::relative::BiasStart;
use crate::core::encoding::rope_scaling::Remedy;
use crate::core::encoding::{Entry, Parameter};
use crate::core::grid::window::table_rows;
use crate::state::Page;

/// Names of conditions, with the page on which each can hold.
pub const CONDITIONS: &[(&str, Page)] = &[
    ("mask-shows-order", Page::Order),
    ("mirror-blind", Page::Order),
    ("last-pair-slow", Page::Absolute),
    ("beyond-clip", Page::Relative),
    ("symmetric-decay", Page::Relative),
    ("score-kept", Page::Rope),
    ("rope-last-pair-slow", Page::Rope),
    ("rope-negative", Page::Rope),
    ("dynamic-rests", Page::Context),
    ("swin-45", Page::Multimodal),
    ("no-direction", Page::Compare),
];

impl Live<'_> {
    /// Whether a condition holds.
    pub fn holds(&self, condition: &str) -> bool {
        let p = self.p;
        let on = CONDITIONS.contains(&(condition, p.page));
        let value = |name: &str| self.value(name);
        let distance = p.i.abs_diff(p.j);
        let uses = |parameter| p.scheme.parameters().contains(&parameter);
        on && match condition {
            "mask-shows-order" => {
                let seen = self.difference.is_some_and(|d| d > 1e-3);
                p.scheme.entry() == Entry::None && p.setting.causal && seen
            }
            "mirror-blind" => {
                let blind = self.difference.is_some_and(|d| d <= 1e-9);
                p.scheme.entry() == Entry::ScoreBias && !p.setting.causal && blind
            }
            "last-pair-slow" => value("last_turns").is_some_and(|x| x < 1.0),
            "beyond-clip" => uses(Parameter::MaxRelDist) && distance > p.setting.max_rel_dist,
            "symmetric-decay" => {
                let long = p.seq_len > p.setting.max_rel_dist;
                let decays = uses(Parameter::Bias) && p.setting.bias == BiasStart::Decay;
                uses(Parameter::MaxRelDist) && decays && long
            }
            "score-kept" => p.i == p.j + 5 && p.j >= 40,
            "rope-last-pair-slow" => value("last_rope_wavelength").is_some_and(|x| x > 1e5),
            // Of what is added to scores alone. Whatever the seed, a table drawn at random is not symmetric; under a mask T5's is not.
            "no-direction" => {
                let even = p.setting.bias != BiasStart::Random && p.setting.bias_edits.is_empty();
                even && !p.setting.causal
            }
            "swin-45" => {
                let sides = (p.window.rows(), p.window.columns());
                table_rows(p.window) == 45 && sides.0 > 1 && sides.1 > 1
            }
            "rope-negative" => value("mean_cosine").is_some_and(|x| x < 0.0),
            "dynamic-rests" => {
                let c = &p.setting.context;
                c.remedy == Remedy::Dynamic && c.target_len <= c.orig_len
            }
            _ => false,
        }
    }
}
