//! What the page would show of a configuration.

use serde_json::{Map, Value as Json};

use super::{DEFAULT_BASE, MAX_WIDTH, Reader};
use crate::core::encoding::rope_scaling::RopeParameters;
use crate::state::{Key, Value, number, parse_value};

impl Reader {
    /// Width of what rotates, and how the page is to be set for it.
    fn width(
        &mut self,
        top: &Map<String, Json>,
        part: Option<f64>,
    ) -> (Option<usize>, Vec<(Key, Value)>) {
        let hidden = self.length(top, "hidden_size");
        let heads = self.length(top, "num_attention_heads");
        let given = self.length(top, "head_dim");
        let divided = hidden.zip(heads).and_then(|(d, h)| {
            if d.is_multiple_of(h) {
                return Some(d / h);
            }
            if given.is_none() {
                let (d, h) = (d.to_string(), h.to_string());
                self.problem(true, "heads-do-not-divide", ("num_attention_heads", &h, &d));
            }
            None
        });
        let Some(head) = given.or(divided) else {
            return (None, Vec::new());
        };
        let rotary = match part {
            Some(part) if part > 1.0 => {
                self.problem(
                    true,
                    "part-above-one",
                    ("partial_rotary_factor", &part.to_string(), ""),
                );
                return (None, Vec::new());
            }
            Some(part) => (head as f64 * part) as usize,
            None => head,
        };
        if rotary > MAX_WIDTH {
            let most = MAX_WIDTH.to_string();
            self.problem(true, "too-wide", ("head_dim", &rotary.to_string(), &most));
            return (None, Vec::new());
        }
        if rotary < 2 || !rotary.is_multiple_of(2) {
            self.problem(true, "odd-width", ("head_dim", &rotary.to_string(), ""));
            return (None, Vec::new());
        }
        let whole = divided == Some(rotary)
            && heads.is_some_and(|h| h <= 64)
            && hidden.is_some_and(|d| d <= 4096);
        let (d_model, heads) = if whole {
            (hidden.unwrap_or(rotary), heads.unwrap_or(1))
        } else {
            self.problem(false, "one-head", ("head_dim", &rotary.to_string(), ""));
            (rotary, 1)
        };
        let values = vec![(Key::DModel, d_model as f64), (Key::Heads, heads as f64)];
        (Some(rotary), self.taken(values))
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

    pub(super) fn values(&mut self, top: &Map<String, Json>, inner: &Map<String, Json>) {
        let both = (top, inner);
        let kind = self.kind(inner);
        let base = self.either(both, "rope_theta");
        let part = self.either(both, "partial_rotary_factor");
        let (rotary, mut values) = self.width(top, part);
        let max_len = self.length(top, "max_position_embeddings");
        let orig = {
            let mut find = |o| self.length(o, "original_max_position_embeddings");
            let inside = find(inner);
            let outside = if std::ptr::eq(top, inner) {
                None
            } else {
                find(top)
            };
            if let (Some(a), Some(b)) = (inside, outside)
                && a != b
            {
                let name = "original_max_position_embeddings";
                self.problem(true, "disagree", (name, &a.to_string(), &b.to_string()));
            }
            inside.or(outside)
        };
        let parameters = RopeParameters {
            rope_type: kind.clone(),
            factor: self.positive(inner, "factor"),
            orig_len: orig,
            max_len,
            attention_factor: self.positive(inner, "attention_factor"),
            beta_fast: self.positive(inner, "beta_fast"),
            beta_slow: self.positive(inner, "beta_slow"),
            mscale: self.number(inner, "mscale"),
            mscale_all_dim: self.number(inner, "mscale_all_dim"),
            truncate: self.flag(inner, "truncate"),
            low_freq_factor: self.positive(inner, "low_freq_factor"),
            high_freq_factor: self.positive(inner, "high_freq_factor"),
            short_factor: self.list(inner, "short_factor"),
            long_factor: self.list(inner, "long_factor"),
            part: None,
        };
        let kind = kind.as_deref().unwrap_or("default");
        self.check(kind, &parameters, rotary);
        let word = match kind {
            "default" => "none",
            "linear" => "linear",
            "ntk" => "ntk",
            "dynamic" => "dynamic",
            "yarn" => "yarn",
            "llama3" => "llama3",
            "longrope" => "longrope",
            "proportional" => {
                self.problem(true, "not-offered", ("rope_type", kind, ""));
                return;
            }
            _ => {
                let known = "default, linear, dynamic, yarn, llama3, longrope";
                self.problem(true, "unknown-type", ("rope_type", kind, known));
                return;
            }
        };
        if self.out.problems.iter().any(|p| p.fatal) {
            return;
        }
        let ratio = || Some((max_len? as f64 / orig? as f64).max(1.0));
        let factor = parameters
            .factor
            .or_else(ratio)
            .filter(|_| kind != "default");
        // The length of the first training, and the one to be looked at.
        let (first, target) = match (kind, orig, max_len) {
            ("default", _, max) => (max, None),
            (_, Some(orig), max) => {
                let scaled = factor.map(|f| (orig as f64 * f).round() as usize);
                (Some(orig), max.filter(|m| *m > orig).or(scaled))
            }
            // transformers' `dynamic` has the original length in it; that of `linear` and `ntk` is
            // of no account for the frequencies.
            (_, None, max) => (
                max,
                max.zip(factor)
                    .map(|(m, f)| (m as f64 * f).round() as usize),
            ),
        };
        // A model that gives none has the base of transformers.
        let base = base.or(rotary.map(|_| DEFAULT_BASE));
        let numbers = [
            (Key::Base, base),
            (Key::Factor, factor),
            (Key::OrigLen, first.map(|n| n as f64)),
            (Key::TargetLen, target.map(|n| n as f64)),
            (Key::BetaFast, parameters.beta_fast),
            (Key::BetaSlow, parameters.beta_slow),
            (Key::LowFreqFactor, parameters.low_freq_factor),
            (Key::HighFreqFactor, parameters.high_freq_factor),
        ];
        let given = numbers
            .into_iter()
            .filter_map(|(k, x)| Some((k, x?)))
            .collect();
        values.extend(self.taken(given));
        if kind != "default" || !values.is_empty() {
            values.push((
                Key::Scaling,
                parse_value(Key::Scaling.spec(), word)
                    .0
                    .unwrap_or(Value::Word("none")),
            ));
        }
        if values.is_empty() {
            self.problem(true, "nothing", ("", "", ""));
            return;
        }
        // What the core makes of it, the lists and factors that the page does not take included.
        if let Some(width) = rotary {
            let made = parameters
                .scaling()
                .and_then(|s| s.at(width, base.unwrap_or(DEFAULT_BASE), target.or(first)));
            match made {
                Ok(f) => self.out.frequencies = Some(f),
                Err(e) => self.problem(true, "core", ("", &e.to_string(), "")),
            }
        }
        self.out.values = values;
    }
}
