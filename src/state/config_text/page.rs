//! What the page would show of a layer.

use super::width::Width;
use super::{Layer, Reader};
use crate::core::encoding::rope_scaling::{RopeParameters, RopeScaling, Yarn};
use crate::state::{Key, Value, number, parse_value};

impl Reader {
    /// Sets the values of a layer, and names what the figures cannot take over.
    pub(super) fn page(
        &mut self,
        layer: &mut Layer,
        width: Option<Width>,
        (first, target): (Option<usize>, Option<usize>),
        p: &RopeParameters,
        scaling: &RopeScaling,
    ) {
        let Some(word) = parse_value(Key::Scaling.spec(), layer.scaling).0 else {
            self.problem(false, "not-offered", ("rope_type", layer.scaling, ""));
            return;
        };
        let mut numbers = Vec::new();
        if let Some(w) = width {
            let whole = w.whole.filter(|(d, h)| *h <= 64 && *d <= 4096);
            if whole.is_none() {
                self.problem(false, "one-head", ("head_dim", &w.rotated.to_string(), ""));
            }
            let (d, h) = whole.unwrap_or((w.rotated, 1));
            numbers.extend([(Key::DModel, d as f64), (Key::Heads, h as f64)]);
        }
        let scaled = layer.scaling != "none";
        let lengths = [(Key::OrigLen, first), (Key::TargetLen, target)];
        let given = [
            (Key::Base, layer.base),
            (Key::Factor, layer.factor),
            (Key::BetaFast, p.beta_fast),
            (Key::BetaSlow, p.beta_slow),
            (Key::LowFreqFactor, p.low_freq_factor),
            (Key::HighFreqFactor, p.high_freq_factor),
            (Key::AttentionFactor, explicit(scaling)),
        ];
        numbers.extend(given.into_iter().filter_map(|(k, x)| Some((k, x?))));
        numbers.extend(
            lengths
                .into_iter()
                .filter_map(|(k, n)| Some((k, n? as f64))),
        );
        if p.truncate == Some(false) && layer.scaling == "yarn" {
            numbers.push((Key::Truncate, 0.0));
        }
        if numbers.is_empty() && !scaled {
            self.problem(true, "nothing", ("", "", ""));
            return;
        }
        layer.values = self.taken(numbers);
        layer.values.push((Key::Scaling, word));
        if let Some(&[t, h, w]) = layer.sections.as_deref() {
            layer
                .values
                .push((Key::Sections, Value::Sections([t, h, w])));
            let version = if layer.in_turn { "qwen3vl" } else { "qwen2vl" };
            layer.values.extend(
                parse_value(Key::Mrope.spec(), version)
                    .0
                    .map(|v| (Key::Mrope, v)),
            );
        }
        if layer.scaling == "longrope" {
            layer.lost.extend(["short_factor", "long_factor"]);
        }
        if layer.softmax_factor != 1.0 {
            layer.lost.push("softmax_factor");
        }
    }

    /// Numbers as values of the page; what is out of its range is said.
    fn taken(&mut self, numbers: Vec<(Key, f64)>) -> Vec<(Key, Value)> {
        let mut out = Vec::new();
        for (key, x) in numbers {
            let text = number(x);
            let (value, notice) = parse_value(key.spec(), &text);
            if let Some(n) = notice {
                self.problem(false, "out-of-range", (key.name(), &text, &n.used));
            }
            out.extend(value.map(|v| (key, v)));
        }
        out
    }
}

/// The attention factor, if it is not the scheme's own.
fn explicit(scaling: &RopeScaling) -> Option<f64> {
    match scaling {
        RopeScaling::Yarn(y) => {
            let own = Yarn::new(y.factor, y.orig_len).attention_factor();
            Some(y.attention_factor()).filter(|a| *a != own)
        }
        RopeScaling::LongRope(l) => l.attention_factor,
        _ => None,
    }
}
