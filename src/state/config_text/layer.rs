//! Width, base and scaling of each kind of layer, and its frequencies.

use serde_json::Value as Json;

use super::names::What;
use super::{Layer, Reader};
use crate::core::encoding::rope_scaling::{RopeParameters, RopeScaling};

/// Base in transformers where neither a text nor a class has one.
const DEFAULT_BASE: f64 = 10_000.0;
/// Widest head whose frequencies are computed: the widest model of the page.
const MAX_WIDTH: usize = 4096;
/// Meta's `apply_scaling`: factor, bounds in turns, original length (llama_models/llama3/model.py).
const META: (f64, f64, f64, usize) = (8.0, 1.0, 4.0, 8192);

/// The rotated width, and that of the head it belongs to.
#[derive(Clone, Copy)]
pub(super) struct Width {
    pub head: usize,
    pub rotated: usize,
    /// Whether hidden size and heads alone give it.
    pub whole: Option<(usize, usize)>,
}

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
        let windows = self.windows(&layers);
        let named = layers.len() == 1 && windows.is_some();
        for (name, scopes) in &layers {
            let name = if named { "full_attention" } else { name };
            self.layer(name, scopes, false);
        }
        if let Some(scopes) = windows {
            self.layer("sliding_attention", &scopes, true);
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

    fn width(&mut self, layer: &str, scopes: &[usize], proportional: bool) -> Option<Width> {
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

    /// The base of a layer as the text or its class has it.
    fn base(&mut self, scopes: &[usize], local: bool, known: bool) -> Option<f64> {
        let class = self.class;
        if local {
            if self.has(What::LocalBase, &[0]) {
                return self.positive(What::LocalBase, &[0]);
            }
            if let Some(base) = class.and_then(|c| c.local_base) {
                self.assume_class("rope_local_base_freq", Json::from(base));
                return Some(base);
            }
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

    fn parameters(&mut self, kind: &str, scopes: &[usize]) -> RopeParameters {
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

    fn longest(&mut self, scopes: &[usize]) -> Option<usize> {
        let outside = self.length(What::MaxLen, &[0]);
        outside.or_else(|| self.length(What::MaxLen, scopes))
    }

    /// Llama 3.1's scaling as Meta's own params.json switches it on.
    fn meta(&mut self) -> Option<RopeParameters> {
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

    fn layer(&mut self, name: &str, scopes: &[usize], local: bool) {
        let meta = self.meta();
        let kind = match (&meta, local) {
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
        let base = self.base(scopes, local, known);
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
            p.part = match self.number(What::Share, scopes) {
                None => self
                    .class
                    .and_then(|c| c.share)
                    .inspect(|s| self.assume_class("partial_rotary_factor", Json::from(*s))),
                given => given,
            };
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

    /// Phi's own names for the attention factor, one for each list.
    fn other_mscales(&mut self, scopes: &[usize], length: Option<usize>, p: &mut RopeParameters) {
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
    fn multiplied(&mut self, scopes: &[usize], scaling: &RopeScaling, p: &mut RopeParameters) {
        if let RopeScaling::Yarn(y) = scaling
            && p.attention_factor.is_none()
            && let Some(times) = self.positive(What::AttentionTimes, scopes)
        {
            p.attention_factor = Some(y.attention_factor() * times);
        }
    }

    /// DeepSeek multiplies the softmax scale by the square of 0.1 · mscale_all_dim · ln s + 1; classes without a
    /// part that rotates apart do not.
    fn softmax(&mut self, p: &RopeParameters) -> f64 {
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

    fn sections(&mut self, scopes: &[usize], width: Option<Width>) -> Option<Vec<usize>> {
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
    fn kind(&mut self, scopes: &[usize]) -> Option<String> {
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
    fn remedy(&mut self, kind: &str) -> Option<&'static str> {
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

fn with_top(scopes: &[usize]) -> Vec<usize> {
    let mut all = scopes.to_vec();
    if !all.contains(&1) {
        all.push(1);
    }
    all
}

/// Former names: Phi-3's, Qwen2-VL's, DeepSeek's and InternLM's.
fn modern(kind: &str) -> &str {
    match kind {
        "su" => "longrope",
        "mrope" | "none" | "origin" => "default",
        "deepseek_yarn" => "yarn",
        _ => kind,
    }
}

/// The length of the first training, and the one to be looked at.
fn lengths(word: &str, p: &RopeParameters, factor: Option<f64>) -> (Option<usize>, Option<usize>) {
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
fn own_factor(scaling: &RopeScaling) -> f64 {
    match scaling {
        RopeScaling::Yarn(y) => y.attention_factor(),
        RopeScaling::LongRope(l) => l.attention_factor(),
        _ => 1.0,
    }
}
