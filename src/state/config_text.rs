//! What a model's `config.json` says about positions: read, explained, and turned into parameters
//! of the page. Nothing is dropped silently: what is not taken is listed.

use serde_json::{Map, Value as Json};

use super::json_real;
use super::query::{Value, parse_value};
use super::spec::Key;
use crate::core::encoding::rope_scaling::{Frequencies, RopeParameters};

/// rope_theta where a config gives none.
const DEFAULT_BASE: f64 = 10_000.0;
/// Widest head whose frequencies are computed: the widest model of the page.
const MAX_WIDTH: usize = 4096;
/// Longest value that is repeated in an explanation.
const SHOWN: usize = 60;

/// One field of the text and what it means; its words are `config.field.<about>`.
#[derive(Debug, Clone, PartialEq)]
pub struct Field {
    /// The name as the text has it.
    pub name: String,
    /// The value, as text.
    pub value: String,
    /// Which explanation belongs to it.
    pub about: &'static str,
}

/// What is wrong or remarkable; its words are `config.problem.<code>`.
#[derive(Debug, Clone, PartialEq)]
pub struct Problem {
    /// What kind of thing.
    pub code: &'static str,
    /// The field.
    pub name: String,
    /// What was given.
    pub given: String,
    /// What it disagrees with, or what is needed.
    pub other: String,
    /// Whether nothing can be applied.
    pub fatal: bool,
}

/// A text as it was understood.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Reading {
    /// Each field that concerns positions.
    pub fields: Vec<Field>,
    /// What is wrong.
    pub problems: Vec<Problem>,
    /// What the page would show; empty if something is wrong.
    pub values: Vec<(Key, Value)>,
    /// Names of fields that the page does not take.
    pub left: Vec<String>,
    /// The frequencies of this very configuration, lists and factors included.
    pub frequencies: Option<Frequencies>,
}

impl Reading {
    /// Whether there is something to apply.
    pub fn applies(&self) -> bool {
        !self.values.is_empty()
    }
}

/// Reads a whole `config.json`, or only its `rope_scaling` or `rope_parameters`. Of an empty text
/// there is nothing to say.
pub fn read(text: &str) -> Reading {
    let mut r = Reader::default();
    if !text.trim().is_empty()
        && let Some(config) = r.object(text)
    {
        r.config(&config);
    }
    if r.out.problems.iter().any(|p| p.fatal) {
        r.out.values.clear();
        r.out.frequencies = None;
    }
    r.out
}

#[derive(Default)]
struct Reader {
    out: Reading,
}

/// Names that concern positions at the top of a config.
const TOP: &[&str] = &[
    "hidden_size",
    "num_attention_heads",
    "head_dim",
    "max_position_embeddings",
    "original_max_position_embeddings",
    "rope_theta",
    "partial_rotary_factor",
];
/// Names within the rope parameters.
const INNER: &[&str] = &[
    "rope_type",
    "type",
    "rope_theta",
    "partial_rotary_factor",
    "factor",
    "original_max_position_embeddings",
    "attention_factor",
    "beta_fast",
    "beta_slow",
    "mscale",
    "mscale_all_dim",
    "truncate",
    "low_freq_factor",
    "high_freq_factor",
    "short_factor",
    "long_factor",
];
/// What the page computes by itself instead of taking it.
const NOT_TAKEN: &[&str] = &[
    "attention_factor",
    "mscale",
    "mscale_all_dim",
    "truncate",
    "short_factor",
    "long_factor",
];

impl Reader {
    fn problem(
        &mut self,
        fatal: bool,
        code: &'static str,
        (name, given, other): (&str, &str, &str),
    ) {
        self.out.problems.push(Problem {
            code,
            name: name.to_owned(),
            given: cut(given),
            other: cut(other),
            fatal,
        });
    }

    /// The text as an object; a bare `"rope_scaling": {…}` is taken too.
    fn object(&mut self, text: &str) -> Option<Map<String, Json>> {
        let bare = text.trim().trim_end_matches(',');
        let wrapped = bare.starts_with('"').then(|| format!("{{{bare}}}"));
        let parsed = wrapped
            .and_then(|t| serde_json::from_str::<Json>(&t).ok())
            .map_or_else(|| serde_json::from_str::<Json>(text), Ok);
        match parsed {
            Ok(Json::Object(object)) => Some(object),
            Ok(other) => {
                self.problem(true, "not-object", ("", &other.to_string(), ""));
                None
            }
            Err(e) => {
                let (line, column) = (e.line().to_string(), e.column().to_string());
                let what = e.to_string();
                let what = what.split(" at line ").next().unwrap_or_default();
                self.problem(true, "json", (&line, &column, what));
                None
            }
        }
    }

    fn config(&mut self, whole: &Map<String, Json>) {
        // Models of several modalities have the language model's part inside.
        let inside = whole.get("text_config").and_then(Json::as_object);
        let known = |o: &Map<String, Json>| {
            let ropes = ["rope_parameters", "rope_scaling", "rope_theta"];
            ropes.iter().any(|n| o.contains_key(*n))
        };
        let top = match inside {
            Some(inner) if !known(whole) => {
                self.explain("text_config", "{…}", "text_config");
                let others = whole.keys().filter(|k| *k != "text_config");
                self.out.left.extend(others.cloned());
                inner
            }
            _ => whole,
        };
        let rope = self.rope(top);
        let alone = rope.is_some_and(|r| std::ptr::eq(r, top));
        let empty = Map::new();
        let inner = rope.unwrap_or(&empty);
        for (name, value) in top {
            if let Some(about) = TOP.iter().find(|n| *n == name) {
                self.explain(name, &value.to_string(), about);
            } else if !alone && !["rope_parameters", "rope_scaling"].contains(&name.as_str()) {
                self.out.left.push(name.clone());
            }
        }
        for (name, value) in inner {
            match INNER.iter().find(|n| *n == name) {
                Some(_) if alone && TOP.contains(&name.as_str()) => {}
                Some(about) => {
                    self.explain(name, &value.to_string(), about);
                    if NOT_TAKEN.contains(about) && !value.is_null() {
                        self.out.left.push(name.clone());
                    }
                }
                None if alone && TOP.contains(&name.as_str()) => {}
                None => self.out.left.push(name.clone()),
            }
        }
        self.values(top, inner);
    }

    fn explain(&mut self, name: &str, value: &str, about: &'static str) {
        self.out.fields.push(Field {
            name: name.to_owned(),
            value: cut(value),
            about,
        });
    }

    /// The rope parameters: under either name, or the text itself.
    fn rope<'a>(&mut self, top: &'a Map<String, Json>) -> Option<&'a Map<String, Json>> {
        let of = |name: &str| top.get(name).filter(|v| !v.is_null());
        let (new, old) = (of("rope_parameters"), of("rope_scaling"));
        if let (Some(a), Some(b)) = (new, old)
            && a != b
        {
            let (a, b) = (a.to_string(), b.to_string());
            self.problem(false, "both-blocks", ("rope_parameters", &a, &b));
        }
        for (name, found) in [("rope_parameters", new), ("rope_scaling", old)] {
            let Some(found) = found else { continue };
            let Some(object) = found.as_object() else {
                self.problem(true, "not-an-object", (name, &found.to_string(), ""));
                return None;
            };
            // One block a kind of layer: those that see everything are the ones to stretch.
            if let Some(full) = object.get("full_attention").and_then(Json::as_object) {
                self.explain("full_attention", "{…}", "full_attention");
                let others = object.keys().filter(|k| *k != "full_attention");
                self.out.left.extend(others.cloned());
                return Some(full);
            }
            return Some(object);
        }
        let own = [
            "rope_type",
            "factor",
            "beta_fast",
            "low_freq_factor",
            "long_factor",
        ];
        let typed = top.get("type").is_some_and(Json::is_string);
        (typed || own.iter().any(|n| top.contains_key(*n))).then_some(top)
    }

    /// A number, if there is one; something else in its place is a problem.
    fn number(&mut self, object: &Map<String, Json>, name: &str) -> Option<f64> {
        let value = object.get(name).filter(|v| !v.is_null())?;
        let number = json_real(value);
        if number.is_none() {
            self.problem(true, "not-number", (name, &value.to_string(), ""));
        }
        number
    }

    /// True or false.
    fn flag(&mut self, object: &Map<String, Json>, name: &str) -> Option<bool> {
        let value = object.get(name).filter(|v| !v.is_null())?;
        let flag = value.as_bool();
        if flag.is_none() {
            self.problem(true, "not-flag", (name, &value.to_string(), ""));
        }
        flag
    }

    /// A number above 0.
    fn positive(&mut self, object: &Map<String, Json>, name: &str) -> Option<f64> {
        let x = self.number(object, name)?;
        if x > 0.0 {
            return Some(x);
        }
        self.problem(true, "not-positive", (name, &x.to_string(), ""));
        None
    }

    /// A length: a whole number above 0.
    fn length(&mut self, object: &Map<String, Json>, name: &str) -> Option<usize> {
        let x = self.positive(object, name)?;
        if x.fract() == 0.0 && x < 1e15 {
            return Some(x as usize);
        }
        self.problem(true, "not-whole", (name, &x.to_string(), ""));
        None
    }

    /// A name that may stand in either place.
    fn either(
        &mut self,
        (top, inner): (&Map<String, Json>, &Map<String, Json>),
        name: &str,
    ) -> Option<f64> {
        let inside = self.positive(inner, name);
        if std::ptr::eq(top, inner) {
            return inside;
        }
        let outside = self.positive(top, name);
        if let (Some(a), Some(b)) = (inside, outside)
            && a != b
        {
            self.problem(true, "disagree", (name, &a.to_string(), &b.to_string()));
        }
        inside.or(outside)
    }

    fn list(&mut self, object: &Map<String, Json>, name: &str) -> Option<Vec<f64>> {
        let value = object.get(name).filter(|v| !v.is_null())?;
        let numbers: Option<Vec<f64>> = value
            .as_array()
            .and_then(|all| all.iter().map(json_real).collect());
        match numbers {
            Some(all) if all.iter().all(|x| *x > 0.0) => Some(all),
            _ => {
                self.problem(true, "bad-list", (name, &value.to_string(), ""));
                None
            }
        }
    }

    /// The kind of scaling, in transformers' present spelling.
    fn kind(&mut self, inner: &Map<String, Json>) -> Option<String> {
        let mut word = |name: &str| {
            let value = inner.get(name).filter(|v| !v.is_null())?;
            let text = value.as_str().map(str::to_owned);
            if text.is_none() {
                self.problem(true, "not-text", (name, &value.to_string(), ""));
            }
            text
        };
        let (new, old) = (word("rope_type"), word("type"));
        if let (Some(a), Some(b)) = (&new, &old)
            && a != b
        {
            self.problem(true, "types-disagree", ("rope_type", a, b));
        }
        let Some(kind) = new.or(old) else {
            if ["factor", "beta_fast", "low_freq_factor", "long_factor"]
                .iter()
                .any(|n| inner.contains_key(*n))
            {
                self.problem(true, "no-type", ("rope_type", "", ""));
            }
            return None;
        };
        Some(match kind.as_str() {
            // The name that Phi-3 first had.
            "su" => "longrope".to_owned(),
            "mrope" => {
                self.problem(false, "mrope", ("rope_type", "mrope", ""));
                "default".to_owned()
            }
            _ => kind,
        })
    }

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
            let text = super::number(x);
            let (value, notice) = parse_value(key.spec(), &text);
            if let Some(n) = notice {
                self.problem(false, "out-of-range", (key.name(), &text, &n.used));
            }
            out.extend(value.map(|v| (key, v)));
        }
        out
    }

    fn values(&mut self, top: &Map<String, Json>, inner: &Map<String, Json>) {
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

    /// What the kind needs, and what contradicts itself.
    fn check(&mut self, kind: &str, p: &RopeParameters, rotary: Option<usize>) {
        let wrong = |r: &Self, name: &str| r.out.problems.iter().any(|q| q.name == name && q.fatal);
        let missing = |r: &mut Self, name: &str| {
            if !wrong(r, name) {
                r.problem(true, "missing", (name, kind, ""));
            }
        };
        let original = "original_max_position_embeddings";
        if ["linear", "ntk", "dynamic"].contains(&kind) && p.factor.is_none() {
            missing(self, "factor");
        }
        if kind == "dynamic" && p.max_len.is_none() {
            missing(self, "max_position_embeddings");
        }
        if ["yarn", "llama3", "longrope"].contains(&kind) {
            if p.orig_len.is_none() && !wrong(self, original) {
                self.problem(true, "missing-original", (original, kind, ""));
            }
            let derived = kind != "llama3" && p.max_len.is_some() && p.orig_len.is_some();
            if p.factor.is_none() && !derived {
                missing(self, "factor");
            }
        }
        if kind == "llama3" {
            for (name, x) in [
                ("low_freq_factor", p.low_freq_factor),
                ("high_freq_factor", p.high_freq_factor),
            ] {
                if x.is_none() {
                    missing(self, name);
                }
            }
        }
        if kind != "default"
            && let Some(f) = p.factor
            && f < 1.0
        {
            self.problem(true, "factor-below-one", ("factor", &f.to_string(), ""));
        }
        if let (Some(low), Some(high)) = (p.low_freq_factor, p.high_freq_factor)
            && low >= high
        {
            let (a, b) = (low.to_string(), high.to_string());
            self.problem(true, "low-above-high", ("low_freq_factor", &a, &b));
        }
        let (fast, slow) = (p.beta_fast.unwrap_or(32.0), p.beta_slow.unwrap_or(1.0));
        if kind == "yarn" && slow > fast {
            let (a, b) = (slow.to_string(), fast.to_string());
            self.problem(true, "slow-above-fast", ("beta_slow", &a, &b));
        }
        // Llama 3.1 itself has factor 8 with a sixteenfold length: there it is no contradiction.
        if ["yarn", "longrope"].contains(&kind)
            && let (Some(f), Some(max), Some(orig)) = (p.factor, p.max_len, p.orig_len)
        {
            let ratio = max as f64 / orig as f64;
            if (ratio - f).abs() > 1e-6 * f {
                let lengths = format!("{max} ÷ {orig} = {}", crate::words::short(ratio));
                self.problem(
                    false,
                    "factor-disagrees",
                    ("factor", &f.to_string(), &lengths),
                );
            }
        }
        if kind == "longrope" {
            let lists = [
                ("short_factor", &p.short_factor),
                ("long_factor", &p.long_factor),
            ];
            for (name, list) in lists {
                match list {
                    None => missing(self, name),
                    Some(all) => {
                        if let Some(width) = rotary
                            && all.len() != width / 2
                        {
                            let (n, want) = (all.len().to_string(), (width / 2).to_string());
                            self.problem(true, "list-length", (name, &n, &want));
                        }
                    }
                }
            }
            if rotary.is_none()
                && let (Some(a), Some(b)) = (&p.short_factor, &p.long_factor)
                && a.len() != b.len()
            {
                let (a, b) = (a.len().to_string(), b.len().to_string());
                self.problem(true, "lists-differ", ("short_factor", &a, &b));
            }
        }
    }
}

fn cut(text: &str) -> String {
    if text.chars().count() <= SHOWN {
        return text.to_owned();
    }
    text.chars().take(SHOWN).chain(['…']).collect()
}

/// Every explanation and every code, so that their words can be checked.
pub fn words() -> impl Iterator<Item = String> {
    let fields = TOP
        .iter()
        .chain(INNER)
        .chain(&["text_config", "full_attention"]);
    let codes = [
        "json",
        "not-object",
        "not-an-object",
        "both-blocks",
        "not-number",
        "not-positive",
        "too-wide",
        "not-flag",
        "not-whole",
        "not-text",
        "bad-list",
        "disagree",
        "types-disagree",
        "no-type",
        "unknown-type",
        "not-offered",
        "mrope",
        "heads-do-not-divide",
        "part-above-one",
        "odd-width",
        "one-head",
        "out-of-range",
        "missing",
        "missing-original",
        "factor-below-one",
        "low-above-high",
        "slow-above-fast",
        "factor-disagrees",
        "list-length",
        "lists-differ",
        "nothing",
        "core",
    ];
    let fields = fields.map(|f| format!("config.field.{f}"));
    fields.chain(codes.map(|c| format!("config.problem.{c}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    const LLAMA: &str = r#"{"hidden_size": 4096, "num_attention_heads": 32, "vocab_size": 128256,
        "max_position_embeddings": 131072, "rope_theta": 500000.0,
        "rope_scaling": {"factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0,
            "original_max_position_embeddings": 8192, "rope_type": "llama3"}}"#;

    fn codes(text: &str) -> Vec<&'static str> {
        read(text).problems.iter().map(|p| p.code).collect()
    }

    fn scaling(inner: &str) -> String {
        format!(r#"{{"rope_scaling": {inner}}}"#)
    }

    #[test]
    fn ctx_a_whole_config_is_the_preset() {
        let r = read(LLAMA);
        assert_eq!(r.problems, []);
        assert_eq!(r.left, ["vocab_size"]);
        let model = crate::state::MODELS
            .iter()
            .find(|m| m.id == "llama-3.1-8b")
            .expect("a model");
        for (key, value) in model.values {
            assert!(
                r.values.contains(&(*key, value.clone())),
                "{key:?}: {:?}",
                r.values
            );
        }
        let f = r.frequencies.expect("computed");
        assert_eq!(
            (f.ratios[0], f.ratios[63], f.attention_factor),
            (1.0, 0.125, 1.0)
        );
        assert!(
            r.fields
                .iter()
                .any(|f| f.about == "low_freq_factor" && f.value == "1.0")
        );
    }

    #[test]
    fn a_head_of_absurd_width_is_refused_and_not_computed() {
        for text in [
            r#"{"head_dim": 1000000000}"#,
            r#"{"head_dim": 4098}"#,
            r#"{"hidden_size": 900000000000000, "num_attention_heads": 1}"#,
        ] {
            assert_eq!(codes(text), ["too-wide"], "{text}");
            assert!(!read(text).applies());
        }
        assert_eq!(codes(r#"{"head_dim": 4096}"#), ["one-head"]);
    }

    #[test]
    fn a_config_without_a_base_has_that_of_transformers() {
        let whole = r#"{"head_dim": 128, "rope_scaling": {"rope_type": "linear", "factor": 2}}"#;
        assert!(
            read(whole)
                .values
                .contains(&(Key::Base, Value::Real(10_000.0)))
        );
        let piece = scaling(r#"{"rope_type": "linear", "factor": 2}"#);
        assert!(read(&piece).values.iter().all(|(key, _)| *key != Key::Base));
    }

    #[test]
    fn a_flag_that_is_a_text_is_told() {
        let text = scaling(
            r#"{"rope_type": "yarn", "factor": 2, "original_max_position_embeddings": 64, "truncate": "false"}"#,
        );
        assert_eq!(codes(&text), ["not-flag"]);
    }

    #[test]
    fn ctx_pieces_of_a_config_are_read_too() {
        let inner = r#"{"type": "yarn", "factor": 4.0, "original_max_position_embeddings": 32768}"#;
        let bare = format!(r#""rope_scaling": {inner},"#);
        let wanted = read(inner);
        assert_eq!(wanted.problems, []);
        assert!(
            wanted
                .values
                .contains(&(Key::TargetLen, Value::Int(131_072)))
        );
        for text in [
            bare,
            scaling(inner),
            format!(r#"{{"rope_parameters": {inner}}}"#),
        ] {
            assert_eq!(read(&text).values, wanted.values, "{text}");
        }
        let nested = format!(r#"{{"model_type": "x", "text_config": {LLAMA}}}"#);
        assert_eq!(read(&nested).values, read(LLAMA).values);
        assert_eq!(read("  "), Reading::default());
        // Without scaling: plain.
        let plain = read(
            r#"{"hidden_size": 64, "num_attention_heads": 2, "rope_scaling": null, "rope_theta": 10000}"#,
        );
        assert!(plain.values.contains(&(Key::Scaling, Value::Word("none"))));
    }

    #[test]
    fn ctx_what_is_wrong_is_explained() {
        let yarn = |more: &str| scaling(&format!(r#"{{"rope_type": "yarn", {more}}}"#));
        for (text, code) in [
            ("{\"rope_scaling\": {".to_owned(), "json"),
            ("{'factor': 2}".to_owned(), "json"),
            ("[1]".to_owned(), "not-object"),
            ("3".to_owned(), "not-object"),
            ("{}".to_owned(), "nothing"),
            (scaling("7"), "not-an-object"),
            (yarn(r#""factor": 0, "original_max_position_embeddings": 4096"#), "not-positive"),
            (yarn(r#""factor": -2, "original_max_position_embeddings": 4096"#), "not-positive"),
            (yarn(r#""factor": 0.5, "original_max_position_embeddings": 4096"#), "factor-below-one"),
            (yarn(r#""factor": "4", "original_max_position_embeddings": 4096"#), "not-number"),
            (yarn(r#""factor": 4"#), "missing-original"),
            (yarn(r#""original_max_position_embeddings": 4096"#), "missing"),
            (yarn(r#""factor": 4, "original_max_position_embeddings": 4096, "beta_slow": 64"#), "slow-above-fast"),
            (yarn(r#""type": "linear", "factor": 4, "original_max_position_embeddings": 4096"#), "types-disagree"),
            (scaling(r#"{"rope_type": "magic", "factor": 4}"#), "unknown-type"),
            (scaling(r#"{"rope_type": 5, "factor": 4}"#), "not-text"),
            (scaling(r#"{"factor": 4}"#), "no-type"),
            (scaling(r#"{"rope_type": "linear"}"#), "missing"),
            (LLAMA.replace("\"low_freq_factor\": 1.0", "\"low_freq_factor\": 4.0"), "low-above-high"),
            (LLAMA.replace("\"low_freq_factor\": 1.0,", ""), "missing"),
            (LLAMA.replace(": 4096,", ": 4097,"), "heads-do-not-divide"),
            (scaling(r#"{"rope_type": "longrope", "factor": 4, "original_max_position_embeddings": 4096, "short_factor": [1, 2], "long_factor": [1]}"#), "lists-differ"),
            (scaling(r#"{"rope_type": "longrope", "factor": 4, "original_max_position_embeddings": 4096, "short_factor": [1, 0], "long_factor": [1, 1]}"#), "bad-list"),
            (r#"{"head_dim": 8, "rope_scaling": {"rope_type": "longrope", "factor": 4, "original_max_position_embeddings": 4096, "short_factor": [1, 2], "long_factor": [1, 2]}}"#.to_owned(), "list-length"),
            (r#"{"rope_theta": 10, "rope_parameters": {"rope_type": "default", "rope_theta": 20}}"#.to_owned(), "disagree"),
        ] {
            let r = read(&text);
            assert!(r.problems.iter().any(|p| p.code == code && p.fatal), "{text}: {:?}", r.problems);
            assert!(!r.applies(), "{text}");
        }
        let broken = read("{\n  \"factor\": 4,,\n}");
        assert_eq!(
            (broken.problems[0].name.as_str(), broken.problems[0].code),
            ("2", "json")
        );
    }

    #[test]
    fn ctx_what_is_only_odd_is_said_and_taken() {
        let text = r#"{"max_position_embeddings": 32768, "rope_scaling": {"rope_type": "yarn", "factor": 4.0,
            "original_max_position_embeddings": 32768, "attention_factor": 1.0, "new_thing": 3}}"#;
        let r = read(text);
        assert_eq!(codes(text), ["factor-disagrees"]);
        assert!(r.applies());
        assert_eq!(r.left, ["attention_factor", "new_thing"]);
        assert!(r.values.contains(&(Key::TargetLen, Value::Int(131_072))));
        let far = scaling(r#"{"rope_type": "linear", "factor": 500}"#);
        assert_eq!(codes(&far), ["out-of-range"]);
        let phi = r#"{"hidden_size": 3072, "num_attention_heads": 32, "partial_rotary_factor": 0.5,
            "rope_theta": 10000.0}"#;
        assert_eq!(codes(phi), ["one-head"]);
        assert!(read(phi).values.contains(&(Key::DModel, Value::Int(48))));
    }

    #[test]
    fn ctx_no_text_makes_it_fail() {
        let pieces = [
            "{",
            "}",
            "[",
            "]",
            ":",
            ",",
            "\"rope_scaling\"",
            "\"rope_type\"",
            "\"yarn\"",
            "\"factor\"",
            "1e999",
            "-0",
            "null",
            "\"\"",
            "\"head_dim\"",
            "0",
            "1",
            "\"longrope\"",
            "\"long_factor\"",
            "\u{1F600}",
            "\n",
        ];
        let mut state = 7u32;
        for length in 0..3000 {
            let mut text = String::new();
            for _ in 0..length % 25 {
                state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                text.push_str(pieces[(state >> 16) as usize % pieces.len()]);
            }
            read(&text);
        }
        read(&"[".repeat(100_000));
        for cut in 0..LLAMA.len() {
            read(&LLAMA[..cut]);
        }
    }
}
