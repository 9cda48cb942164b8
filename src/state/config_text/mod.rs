//! What a model's `config.json` says about positions: read, explained, and turned into parameters
//! of the page. Nothing is dropped silently: what is not taken is listed.

mod check;
mod values;

use serde_json::{Map, Value as Json};

use super::json_real;
use super::query::Value;
use super::spec::Key;
use crate::core::encoding::rope_scaling::Frequencies;

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
mod tests;
