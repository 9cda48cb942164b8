//! Each kind of layer: its base, and its frequencies from width, base and scaling.

use serde_json::Value as Json;

use super::names::What;
use super::scaling::{lengths, own_factor, with_top};
use super::width::Width;
use super::{Layer, Reader};
use crate::core::encoding::rope_scaling::RopeParameters;

/// Base in transformers where neither a text nor a class has one.
const DEFAULT_BASE: f64 = 10_000.0;

impl Reader {
    /// The scheme, and each kind of layer.
    pub(super) fn answer(&mut self, layers: Vec<(String, Vec<usize>)>) {
        let scopes: Vec<usize> = layers.iter().flat_map(|(_, s)| s.clone()).collect();
        self.out.scheme = self.scheme(&scopes);
        match self.out.scheme {
            Some("rope") => {}
            Some(other) => {
                self.length(What::MaxLen, &[0]);
                self.problem(false, "not-rope", ("", other, ""));
                return;
            }
            None => return,
        }
        if let Some(class) = self.class.filter(|c| c.scales)
            && !self.has(What::Kind, &scopes)
            && !self.has(What::OldKind, &scopes)
        {
            self.problem(true, "class-scales", ("rope_scaling", class.name, ""));
            return;
        }
        self.some_layers();
        let top = layers.first().map(|(_, s)| s.clone()).unwrap_or_default();
        if layers.len() == 1 && self.has(What::CompressedBase, &[0]) {
            // DeepSeek V4: what is compressed has a base of its own, and alone is scaled.
            self.layer("main", &[0], What::Base, true);
            return self.layer("compress", &top, What::CompressedBase, false);
        }
        let windows = self.windows(&layers);
        let named = layers.len() == 1 && windows.is_some();
        for (name, scopes) in &layers {
            let name = if named { "full_attention" } else { name };
            self.layer(name, scopes, What::Base, false);
        }
        if let Some(scopes) = windows {
            self.layer("sliding_attention", &scopes, What::LocalBase, true);
        }
    }

    /// Scopes of a second kind of layer, which sees a window and has a base of its own or no scaling.
    fn windows(&mut self, layers: &[(String, Vec<usize>)]) -> Option<Vec<usize>> {
        let [(name, _)] = layers else { return None };
        if name != "all" {
            return None;
        }
        let own_base =
            self.has(What::LocalBase, &[0]) || self.class.is_some_and(|c| c.local_base.is_some());
        let plain = self.class.is_some_and(|c| c.scales_globally()) && self.has(What::Factor, &[1]);
        (own_base || plain).then(|| vec![0])
    }

    /// Layers without RoPE among those with it are told of.
    fn some_layers(&mut self) {
        let told = self
            .entries
            .iter()
            .find(|e| e.about == "nope_layers" && !matches!(e.value, Json::Null | Json::Bool(_)));
        if let Some(e) = told {
            let (path, value) = (e.path.clone(), e.value.to_string());
            self.problem(false, "some-layers", (&path, &value, ""));
        } else if self.model_type == "cohere2"
            || (self.model_type == "exaone4" && self.has_name("sliding_window"))
        {
            let class = self.model_type.clone();
            self.problem(false, "some-layers", ("full_attention", &class, ""));
        }
    }

    fn has_name(&self, name: &str) -> bool {
        self.entries
            .iter()
            .any(|e| e.name == name && !e.value.is_null())
    }

    /// The base of a layer as the text or its class has it.
    fn base(&mut self, scopes: &[usize], what: What, known: bool) -> Option<f64> {
        let class = self.class;
        if what != What::Base && self.has(what, &[0]) {
            return self.positive(what, &[0]);
        }
        if what == What::LocalBase
            && let Some(base) = class.and_then(|c| c.local_base)
        {
            self.assume_class("rope_local_base_freq", Json::from(base));
            return Some(base);
        }
        let inner: Vec<usize> = scopes
            .iter()
            .copied()
            .filter(|s| *s > 1 && self.has(What::Base, &[*s]))
            .collect();
        // A kind of layer goes by its own base.
        let from = if inner.is_empty() {
            scopes.to_vec()
        } else {
            inner
        };
        if self.has(What::Base, &from) {
            return self.positive(What::Base, &from);
        }
        let (base, why) = match class.and_then(|c| c.base) {
            Some(base) => (base, "class"),
            None if known => (DEFAULT_BASE, "transformers"),
            None => return None,
        };
        if why == "class" {
            self.assume_class("rope_theta", Json::from(base));
        } else {
            self.assume("rope_theta", Json::from(base), why);
        }
        Some(base)
    }

    /// One kind of layer; a `plain` one is never scaled.
    fn layer(&mut self, name: &str, scopes: &[usize], own_base: What, plain: bool) {
        let meta = self.meta();
        let kind = match (&meta, plain) {
            (Some(_), _) => "llama3".to_owned(),
            (_, true) => "default".to_owned(),
            _ => self.kind(scopes).unwrap_or_else(|| "default".to_owned()),
        };
        let Some(word) = self.remedy(&kind) else {
            return;
        };
        let width = self.width(name, scopes, kind == "proportional");
        if self.is_fatal() {
            return;
        }
        let known = width.is_some();
        let base = self.base(scopes, own_base, known);
        let mut base = match (base, self.positive(What::BaseTimes, &[0])) {
            (Some(base), Some(times)) => Some(base * times),
            (base, _) => base,
        };
        let alpha = if kind == "dynamic" {
            self.positive(What::Alpha, scopes)
        } else {
            None
        };
        let mut p = match (meta, kind.as_str(), alpha) {
            (Some(meta), ..) => meta,
            (_, "default", _) => RopeParameters {
                max_len: self.longest(scopes),
                ..RopeParameters::default()
            },
            (_, _, Some(_)) => RopeParameters {
                max_len: self.longest(scopes),
                ..RopeParameters::default()
            },
            _ => self.parameters(&kind, scopes),
        };
        if kind == "dynamic"
            && alpha.is_none()
            && p.factor.is_none()
            && self.model_type == "internlm"
        {
            self.assume_class("factor", Json::from(1));
            p.factor = Some(1.0);
        }
        if kind == "proportional" {
            p.part = self.number(What::Share, scopes);
        }
        let mut word = word;
        if let Some(alpha) = alpha {
            // A fixed base: nothing of it goes by the length (transformers, HunYuanDenseV1RotaryEmbedding).
            word = "none";
            base = match width {
                Some(w) if w.rotated > 2 => {
                    let d = w.rotated as f64;
                    base.map(|b| b * alpha.powf(d / (d - 2.0)))
                }
                _ => {
                    self.problem(true, "no-width", ("alpha", "", ""));
                    None
                }
            };
        }
        if own_base == What::CompressedBase && kind == "yarn" && p.attention_factor.is_none() {
            self.assume_class("attention_factor", Json::from(1));
            p.attention_factor = Some(1.0);
        }
        let rotated = width.map(|w| w.rotated);
        self.check(if alpha.is_some() { "default" } else { &kind }, &p, rotated);
        if self.is_fatal() {
            return;
        }
        self.finish_layer(name, scopes, (word, width, base), p);
    }

    fn finish_layer(
        &mut self,
        name: &str,
        scopes: &[usize],
        (word, width, base): (&'static str, Option<Width>, Option<f64>),
        mut p: RopeParameters,
    ) {
        let ratio = p
            .max_len
            .zip(p.orig_len)
            .map(|(max, orig)| (max as f64 / orig as f64).max(1.0));
        let factor = p.factor.or(ratio).filter(|_| word != "none");
        let (first, target) = lengths(word, &p, factor);
        let length = ["dynamic", "longrope"]
            .contains(&word)
            .then_some(target.or(first))
            .flatten();
        self.other_mscales(scopes, length, &mut p);
        let scaling = match p.scaling() {
            Ok(scaling) => scaling,
            Err(e) => return self.problem(true, "core", ("", &e.to_string(), "")),
        };
        self.multiplied(scopes, &scaling, &mut p);
        let scaling = p.scaling().unwrap_or(scaling);
        let made = width
            .zip(base)
            .map(|(w, b)| scaling.at(w.rotated, b, length));
        let frequencies = match made {
            Some(Ok(f)) => Some(f),
            Some(Err(e)) => return self.problem(true, "core", ("", &e.to_string(), "")),
            None => None,
        };
        let sections = self.sections(scopes, width);
        let mut layer = Layer {
            name: name.to_owned(),
            base,
            head_dim: width.map(|w| w.head),
            rotary_dim: width.map(|w| w.rotated),
            scaling: word,
            factor,
            orig_len: if word == "none" { p.orig_len } else { first },
            length,
            attention_factor: frequencies
                .as_ref()
                .map_or_else(|| own_factor(&scaling), |f| f.attention_factor),
            frequencies,
            softmax_factor: self.softmax(&p),
            in_turn: sections.is_some()
                && self.flag(What::SectionsInTurn, &with_top(scopes)) == Some(true),
            sections,
            values: Vec::new(),
            lost: Vec::new(),
        };
        self.page(&mut layer, width, (first, target), &p, &scaling);
        self.out.layers.push(layer);
    }
}
