//! What a model's `config.json` says about positions: read, explained, and turned into frequencies
//! and parameters of the page.
//!
//! Nothing is stated as the model's that the text does not say. What a class takes where the text is
//! silent is named as assumed; a field about positions that was not needed is named as unused.
//!
//! | module | |
//! |---|---|
//! | `text` | bytes → text → JSON, with what Python reads and JSON does not have |
//! | `places` | where in it the language model and its rope parameters stand |
//! | `names` | each known name, under any family's spelling |
//! | `classes` | what the classes of models take where the text says nothing |
//! | `fields` | numbers, words and lists of the fields, each checked |
//! | `scheme` | which encoding it is |
//! | `width` | width of a head, and which part of it rotates |
//! | `scaling` | kind and parameters of the scaling |
//! | `layer` | base of each kind of layer, and its frequencies |
//! | `check` | what a scaling lacks, and contradictions |
//! | `page` | what the page would show of a layer |

mod check;
mod classes;
mod fields;
mod layer;
mod names;
mod page;
mod places;
mod scaling;
mod scheme;
mod text;
mod width;

use serde_json::Value as Json;

use super::key::Key;
use super::value::Value;
use crate::core::encoding::rope_scaling::Frequencies;
use fields::{Entry, cut};
use names::What;

/// One field of the text and what it means; its words are `config.field.<about>`.
#[derive(Debug, Clone, PartialEq)]
pub struct Field {
    /// The name as the text has it, with dots where it is nested.
    pub name: String,
    /// The value.
    pub value: Json,
    /// Which explanation belongs to it.
    pub about: &'static str,
}

impl Field {
    /// The value as a short text.
    pub fn shown(&self) -> String {
        cut(&self.value.to_string())
    }
}

/// What the text does not say; its words are `config.why.<why>`.
#[derive(Debug, Clone, PartialEq)]
pub struct Assumed {
    /// The usual name of the field.
    pub name: &'static str,
    /// What is taken.
    pub value: Json,
    /// Why.
    pub why: &'static str,
    /// Whose default it is, where it is a class's.
    pub class: String,
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
    /// Whether nothing can be said of the frequencies.
    pub fatal: bool,
}

/// One kind of layer.
#[derive(Debug, Clone, PartialEq)]
pub struct Layer {
    /// `all`, or the name of its kind in the text.
    pub name: String,
    /// Base of the frequencies before scaling, with what multiplies it; `None` if the text has
    /// neither base nor width.
    pub base: Option<f64>,
    /// Width of a head, or of its rotated part where that is kept apart.
    pub head_dim: Option<usize>,
    /// Dimensions that the frequencies are made for: twice the pairs.
    pub rotary_dim: Option<usize>,
    /// The remedy: a word of the address, or `proportional`.
    pub scaling: &'static str,
    /// s.
    pub factor: Option<f64>,
    /// L: the length of the first training.
    pub orig_len: Option<usize>,
    /// The length of sequence that the frequencies are for, where they go by it.
    pub length: Option<usize>,
    /// Frequencies, lists and factors included; `None` without a width.
    pub frequencies: Option<Frequencies>,
    /// What multiplies cos and sin.
    pub attention_factor: f64,
    /// What multiplies the softmax scale besides.
    pub softmax_factor: f64,
    /// Frequencies of t, h and w.
    pub sections: Option<Vec<usize>>,
    /// Whether they are dealt out in turn.
    pub in_turn: bool,
    /// What the page would show; empty if it cannot.
    pub values: Vec<(Key, Value)>,
    /// Names of what the page's figures cannot take over.
    pub lost: Vec<&'static str>,
}

/// A text as it was understood.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Reading {
    /// `rope`, another scheme, or `None` where the text does not tell.
    pub scheme: Option<&'static str>,
    /// Each kind of layer with RoPE.
    pub layers: Vec<Layer>,
    /// Each field that the answer rests on.
    pub read: Vec<Field>,
    /// What the text does not say.
    pub assumed: Vec<Assumed>,
    /// Fields about positions that the answer does not rest on.
    pub unused: Vec<Field>,
    /// Names of fields that are no concern of positions.
    pub left: Vec<String>,
    /// What is wrong.
    pub problems: Vec<Problem>,
}

impl Reading {
    /// Whether a layer can be shown on the page.
    pub fn applies(&self, layer: usize) -> bool {
        self.layers.get(layer).is_some_and(|l| !l.values.is_empty())
    }
}

/// Reads a whole `config.json`, or only its `rope_scaling` or `rope_parameters`. Of an empty text
/// there is nothing to say.
pub fn read(text: &str) -> Reading {
    let mut r = Reader::default();
    if !text::is_empty(text) {
        match text::object(text) {
            Ok(whole) => r.whole(&whole),
            Err(wrong) => r.no_object(wrong),
        }
    }
    r.finish()
}

/// [`read`] for the bytes of a file.
pub fn read_bytes(bytes: &[u8]) -> Reading {
    match text::decode(bytes) {
        Ok(text) => read(&text),
        Err(wrong) => {
            let mut r = Reader::default();
            r.no_object(wrong);
            r.finish()
        }
    }
}

#[derive(Default)]
struct Reader {
    entries: Vec<Entry>,
    class: Option<classes::Class>,
    /// `model_type`, given or told by the architecture.
    model_type: String,
    out: Reading,
}

impl Reader {
    fn problem(
        &mut self,
        fatal: bool,
        code: &'static str,
        (name, given, other): (&str, &str, &str),
    ) {
        let problem = Problem {
            code,
            name: name.to_owned(),
            given: cut(given),
            other: cut(other),
            fatal,
        };
        if !self.out.problems.contains(&problem) {
            self.out.problems.push(problem);
        }
    }

    fn no_object(&mut self, wrong: text::Wrong) {
        match wrong {
            text::Wrong::NotObject(given) => self.problem(true, "not-object", ("", &given, "")),
            text::Wrong::NotText => self.problem(true, "not-utf", ("", "", "")),
            text::Wrong::Json { line, column, what } => {
                let (line, column) = (line.to_string(), column.to_string());
                self.problem(true, "json", (&line, &column, &what));
            }
        }
    }

    fn is_fatal(&self) -> bool {
        self.out.problems.iter().any(|p| p.fatal)
    }

    fn assume(&mut self, name: &'static str, value: Json, why: &'static str) {
        let class = self.class.map_or("", |c| c.name).to_owned();
        let assumed = Assumed {
            name,
            value,
            why,
            class,
        };
        if !self.out.assumed.contains(&assumed) {
            self.out.assumed.push(assumed);
        }
    }

    /// Sorts the fields into those that counted and those that did not.
    fn finish(mut self) -> Reading {
        if self.is_fatal() {
            self.out.layers.clear();
        }
        for e in self.entries {
            // A width or a class that was not needed is no concern of positions.
            let idle = [What::Hidden, What::Heads, What::ModelType].contains(&e.what);
            if idle && !e.used {
                self.out.left.push(e.path);
                continue;
            }
            let field = Field {
                name: e.path,
                value: e.value,
                about: e.about,
            };
            if e.used {
                self.out.read.push(field);
            } else {
                self.out.unused.push(field);
            }
        }
        self.out
    }
}

/// Codes of problems.
const CODES: &[&str] = &[
    "json",
    "not-utf",
    "not-object",
    "not-an-object",
    "which-part",
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
    "sections-sum",
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
    "no-width",
    "no-scheme",
    "not-rope",
    "axial",
    "schemes-disagree",
    "class-scales",
    "not-understood",
    "some-layers",
    "nothing",
    "core",
];
/// Reasons of assumptions.
const WHYS: &[&str] = &[
    "class",
    "architecture",
    "transformers",
    "meta",
    "model",
    "scheme-class",
    "scheme-fields",
    "baichuan",
];

/// Every explanation and every code, so that their words can be checked.
pub fn words() -> impl Iterator<Item = String> {
    let mut abouts: Vec<&str> = names::NAMES.iter().map(|n| n.about).collect();
    abouts.extend(["text_config", "layer_kind", "aside", "architectures"]);
    abouts.sort_unstable();
    abouts.dedup();
    let fields = abouts.into_iter().map(|f| format!("config.field.{f}"));
    let codes = CODES.iter().map(|c| format!("config.problem.{c}"));
    let whys = WHYS.iter().map(|w| format!("config.why.{w}"));
    fields.chain(codes).chain(whys)
}

#[cfg(test)]
mod tests;
