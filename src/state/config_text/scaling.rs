//! The scaling of a kind of layer: its kind, its parameters, and what else multiplies scores.

use serde_json::Value as Json;

use super::Reader;
use super::names::What;
use super::width::Width;
use crate::core::encoding::rope_scaling::{RopeParameters, RopeScaling};

/// Meta's `apply_scaling`: factor, bounds in turns, original length (llama_models/llama3/model.py).
const META: (f64, f64, f64, usize) = (8.0, 1.0, 4.0, 8192);

impl Reader {
    pub(super) fn parameters(&mut self, kind: &str, scopes: &[usize]) -> RopeParameters {
        RopeParameters {
            rope_type: Some(kind.to_owned()),
            factor: self.positive(What::Factor, scopes),
            orig_len: self.length(What::OrigLen, scopes),
            max_len: self.longest(scopes),
            attention_factor: self.positive(What::AttentionFactor, scopes),
            beta_fast: self.positive(What::BetaFast, scopes),
            beta_slow: self.positive(What::BetaSlow, scopes),
            mscale: self.number(What::Mscale, scopes),
            mscale_all_dim: self.number(What::MscaleAllDim, scopes),
            truncate: self.flag(What::Truncate, scopes),
            low_freq_factor: self.positive(What::LowFreq, scopes),
            high_freq_factor: self.positive(What::HighFreq, scopes),
            short_factor: self.list(What::ShortList, scopes),
            long_factor: self.list(What::LongList, scopes),
            part: None,
        }
    }

    pub(super) fn longest(&mut self, scopes: &[usize]) -> Option<usize> {
        let outside = self.length(What::MaxLen, &[0]);
        outside.or_else(|| self.length(What::MaxLen, scopes))
    }

    /// Llama 3.1's scaling as Meta's own params.json switches it on.
    pub(super) fn meta(&mut self) -> Option<RopeParameters> {
        if !self.has(What::MetaScaled, &[0]) || self.flag(What::MetaScaled, &[0]) != Some(true) {
            return None;
        }
        let (factor, low, high, orig) = META;
        let or = |r: &mut Self, what, name, usual: f64| {
            if r.has(what, &[0]) {
                return r.positive(what, &[0]);
            }
            r.assume(name, Json::from(usual), "meta");
            Some(usual)
        };
        let factor = or(self, What::MetaFactor, "rope_scaling_factor", factor);
        let high = or(self, What::MetaHigh, "rope_high_freq_factor", high);
        self.assume("low_freq_factor", Json::from(low), "meta");
        self.assume("original_max_position_embeddings", Json::from(orig), "meta");
        Some(RopeParameters {
            rope_type: Some("llama3".to_owned()),
            factor,
            orig_len: Some(orig),
            low_freq_factor: Some(low),
            high_freq_factor: high,
            max_len: self.longest(&[0]),
            ..RopeParameters::default()
        })
    }

    /// Phi's own names for the attention factor, one for each list.
    pub(super) fn other_mscales(
        &mut self,
        scopes: &[usize],
        length: Option<usize>,
        p: &mut RopeParameters,
    ) {
        if p.rope_type.as_deref() != Some("longrope") {
            return;
        }
        let (short, long) = (
            self.positive(What::ShortMscale, scopes),
            self.positive(What::LongMscale, scopes),
        );
        let is_long = length.zip(p.orig_len).is_some_and(|(n, l)| n > l);
        p.attention_factor = p.attention_factor.or(if is_long { long } else { short });
    }

    /// The YaRN authors' `attn_factor` multiplies the attention factor.
    pub(super) fn multiplied(
        &mut self,
        scopes: &[usize],
        scaling: &RopeScaling,
        p: &mut RopeParameters,
    ) {
        if let RopeScaling::Yarn(y) = scaling
            && p.attention_factor.is_none()
            && let Some(times) = self.positive(What::AttentionTimes, scopes)
        {
            p.attention_factor = Some(y.attention_factor() * times);
        }
    }

    /// DeepSeek multiplies the softmax scale by the square of 0.1 · mscale_all_dim · ln s + 1; classes without a
    /// part that rotates apart do not.
    pub(super) fn softmax(&mut self, p: &RopeParameters) -> f64 {
        let apart = self.has(What::RotatedApart, &[0]);
        let yarn = p.rope_type.as_deref() == Some("yarn");
        match (yarn, p.factor, p.mscale_all_dim) {
            (true, Some(s), Some(m)) if m != 0.0 && (apart || self.class.is_none()) => {
                if !apart {
                    self.assume("softmax_factor", Json::from("mscale_all_dim"), "model");
                }
                crate::core::encoding::rope_scaling::deepseek_softmax_factor(s, m)
            }
            _ => 1.0,
        }
    }

    pub(super) fn sections(
        &mut self,
        scopes: &[usize],
        width: Option<Width>,
    ) -> Option<Vec<usize>> {
        let scopes = &with_top(scopes);
        let at = *self.all(What::Sections, scopes).first()?;
        let list = self.list(What::Sections, scopes)?;
        let name = self.entries[at].path.clone();
        let given = self.entries[at].value.to_string();
        let whole = list.iter().all(|x| x.fract() == 0.0 && *x < 1e6);
        let sizes: Vec<usize> = list.iter().map(|x| *x as usize).collect();
        let pairs = width.map(|w| w.rotated / 2);
        let sum: usize = sizes.iter().sum();
        if !whole || sizes.len() != 3 || pairs.is_some_and(|p| p != sum) {
            let pairs = pairs.map(|p| p.to_string()).unwrap_or_default();
            self.problem(false, "sections-sum", (&name, &given, &pairs));
            return None;
        }
        Some(sizes)
    }

    /// The kind of scaling, in transformers' present spelling; old and new name of one kind are no contradiction.
    pub(super) fn kind(&mut self, scopes: &[usize]) -> Option<String> {
        let mut kinds: Vec<(String, String)> = Vec::new();
        let mut mrope = false;
        for at in [
            self.all(What::Kind, scopes),
            self.all(What::OldKind, scopes),
        ]
        .concat()
        {
            self.entries[at].used = true;
            let Some(word) = self.entries[at].value.as_str().map(str::to_owned) else {
                let (path, value) = (
                    self.entries[at].path.clone(),
                    self.entries[at].value.to_string(),
                );
                self.problem(true, "not-text", (&path, &value, ""));
                return None;
            };
            mrope |= word == "mrope";
            kinds.push((modern(&word).to_owned(), word));
        }
        if mrope && !self.has(What::Sections, &with_top(scopes)) {
            self.problem(false, "mrope", ("rope_type", "mrope", ""));
        }
        let Some((first, word)) = kinds.first() else {
            let needs = [
                What::Factor,
                What::BetaFast,
                What::LowFreq,
                What::LongList,
                What::Alpha,
            ];
            let inner: Vec<usize> = scopes
                .iter()
                .copied()
                .filter(|s| *s > 0 || scopes.len() == 1)
                .collect();
            if needs.iter().any(|n| self.has(*n, &inner)) {
                self.problem(true, "no-type", ("rope_type", "", ""));
            }
            return None;
        };
        if let Some((_, other)) = kinds.iter().find(|(k, _)| k != first) {
            self.problem(true, "types-disagree", ("rope_type", word, other));
        }
        Some(first.clone())
    }

    /// The remedy's word in the address.
    pub(super) fn remedy(&mut self, kind: &str) -> Option<&'static str> {
        const KNOWN: [(&str, &str); 8] = [
            ("default", "none"),
            ("linear", "linear"),
            ("ntk", "ntk"),
            ("dynamic", "dynamic"),
            ("yarn", "yarn"),
            ("llama3", "llama3"),
            ("longrope", "longrope"),
            ("proportional", "proportional"),
        ];
        let found = KNOWN
            .iter()
            .find(|(k, _)| *k == kind)
            .map(|(_, word)| *word);
        if found.is_none() {
            let known = "default, linear, dynamic, yarn, llama3, longrope, proportional";
            self.problem(true, "unknown-type", ("rope_type", kind, known));
        }
        found
    }
}

pub(super) fn with_top(scopes: &[usize]) -> Vec<usize> {
    let mut all = scopes.to_vec();
    if !all.contains(&1) {
        all.push(1);
    }
    all
}

/// Former names: Phi-3's, Qwen2-VL's, DeepSeek's and InternLM's.
pub(super) fn modern(kind: &str) -> &str {
    match kind {
        "su" => "longrope",
        "mrope" | "none" | "origin" => "default",
        "deepseek_yarn" => "yarn",
        // HunyuanVL's name of its `dynamic` with alpha.
        "xdrope" => "dynamic",
        _ => kind,
    }
}

/// The length of the first training, and the one to be looked at.
pub(super) fn lengths(
    word: &str,
    p: &RopeParameters,
    factor: Option<f64>,
) -> (Option<usize>, Option<usize>) {
    let times = |n: usize| factor.map(|f| (n as f64 * f).round() as usize);
    match (word, p.orig_len, p.max_len) {
        ("none", _, max) => (max, None),
        // transformers' `dynamic` goes by the declared maximum.
        ("dynamic" | "linear" | "ntk", _, Some(max))
            if word == "dynamic" || p.orig_len.is_none() =>
        {
            (Some(max), times(max))
        }
        (_, Some(orig), max) => (Some(orig), max.filter(|m| *m > orig).or(times(orig))),
        (_, None, max) => (max, max.and_then(times)),
    }
}

/// The attention factor of a scaling whose width is not known.
pub(super) fn own_factor(scaling: &RopeScaling) -> f64 {
    match scaling {
        RopeScaling::Yarn(y) => y.attention_factor(),
        RopeScaling::LongRope(l) => l.attention_factor(),
        _ => 1.0,
    }
}
