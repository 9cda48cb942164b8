//! Where in a text the language model stands, and its rope parameters.

use serde_json::{Map, Value as Json};

use super::Reader;
use super::classes::{self, Class};
use super::fields::{Entry, cut};
use super::names::{self, What};
use crate::state::json_real;

/// Names of the language model's part, the surest first.
const LANGUAGE: &[&str] = &[
    "text_config",
    "llm_config",
    "language_config",
    "lm_config",
    "thinker_config",
    "language_model",
    "text_model_config",
    "model_config",
    "vlm_config",
    "decoder_config",
    "decoder",
];
/// What a part of another kind has in its name.
const OTHERS: &[&str] = &[
    "vision", "visual", "audio", "image", "speech", "talker", "code", "quant",
];
/// Names of rope parameters.
const BLOCKS: &[&str] = &["rope_parameters", "rope_scaling", "rotary"];
/// Parts whose fields are the model's own.
const FLAT: &[&str] = &["attn_config", "attention_config"];

/// Whether a field holds rope parameters: `rotary` may also be a flag.
fn is_block(name: &str, value: &Json) -> bool {
    BLOCKS.contains(&name) && (name != "rotary" || value.is_object())
}

/// How much a part says about a language model's positions: 2 if of the scheme, 1 if of the width or the class.
fn weight(part: &Map<String, Json>) -> u8 {
    let of = |(name, value): (&String, &Json)| {
        if value.is_null() {
            return 0;
        }
        if is_block(name, value) {
            return 2;
        }
        let Some(known) = names::find(name, false, false) else {
            return 0;
        };
        match known.what {
            What::Base
            | What::Rotated
            | What::RotatedApart
            | What::Share
            | What::Scheme
            | What::Alibi
            | What::MetaScaled
            | What::BaseTimes => 2,
            What::Hidden | What::Heads | What::HeadDim | What::MaxLen => 1,
            What::ModelType => {
                u8::from(value.as_str().is_some_and(|m| classes::scheme(m).is_some()))
            }
            _ => 0,
        }
    };
    part.iter().map(of).max().unwrap_or(0)
}

/// The language model's part, with the names that lead to it.
fn language<'a>(
    r: &mut Reader,
    whole: &'a Map<String, Json>,
    path: &str,
) -> (String, &'a Map<String, Json>) {
    let parts = || whole.iter().filter_map(|(n, v)| Some((n, v.as_object()?)));
    let deep = |part: &Map<String, Json>| {
        let inner = part
            .values()
            .filter_map(Json::as_object)
            .map(weight)
            .max()
            .unwrap_or(0);
        weight(part).max(inner)
    };
    let own = weight(whole);
    let named = LANGUAGE
        .iter()
        .find_map(|l| parts().find(|(n, p)| n == l && deep(p) > 0));
    let chosen = match named {
        Some((n, p)) if deep(p) >= own => Some((n, p)),
        Some(_) => None,
        None if own > 0 => None,
        None => {
            let is_known = |n: &str| BLOCKS.contains(&n) || FLAT.contains(&n);
            let all: Vec<_> = parts()
                .filter(|(n, p)| !is_known(n) && deep(p) > 0)
                .collect();
            let text = |n: &str| !OTHERS.iter().any(|o| n.contains(o));
            let texts: Vec<_> = all.iter().copied().filter(|(n, _)| text(n)).collect();
            let few = if texts.is_empty() { all } else { texts };
            if few.len() > 1 {
                let list: Vec<&str> = few.iter().map(|(n, _)| n.as_str()).collect();
                r.problem(true, "which-part", ("", &list.join(", "), ""));
            }
            few.first().copied()
        }
    };
    let Some((name, part)) = chosen else {
        return (path.to_owned(), whole);
    };
    let path = format!("{path}{name}");
    r.out.read.push(super::Field {
        name: path.clone(),
        value: Json::from("{…}"),
        about: "text_config",
    });
    let others = whole
        .keys()
        .filter(|k| *k != name && !["model_type", "architectures"].contains(&k.as_str()));
    r.out.left.extend(others.cloned());
    if r.model_type.is_empty() {
        class_of(r, whole, &path);
    }
    language(r, part, &format!("{path}."))
}

/// Takes the class that a part names.
fn class_of(r: &mut Reader, part: &Map<String, Json>, _path: &str) {
    let given = part
        .get("model_type")
        .and_then(Json::as_str)
        .filter(|m| !m.is_empty());
    let told = || {
        let name = part.get("architectures")?.as_array()?.first()?.as_str()?;
        classes::of_architecture(name)
    };
    if let Some(model_type) = given.filter(|m| classes::scheme(m).is_some()) {
        model_type.clone_into(&mut r.model_type);
    } else if let Some(model_type) = told() {
        model_type.clone_into(&mut r.model_type);
        r.assume("model_type", Json::from(model_type), "architecture");
    } else if let Some(model_type) = given {
        model_type.clone_into(&mut r.model_type);
    }
    r.class = Class::of(&r.model_type);
}

/// A block with one object for each kind of layer; a kind without RoPE has null.
fn by_kind(block: &Map<String, Json>) -> bool {
    let kind = |(name, value): (&String, &Json)| {
        value.is_object() && names::find(name, true, true).is_none()
    };
    block.iter().any(kind)
}

impl Reader {
    pub(super) fn whole(&mut self, whole: &Map<String, Json>) {
        // The bare contents of rope_parameters, one object a kind of layer.
        let ropes = |v: &Json| {
            v.as_object().is_some_and(|o| {
                let told = ["rope_type", "rope_theta"]
                    .iter()
                    .any(|k| o.contains_key(*k));
                told && o.keys().all(|k| names::find(k, true, false).is_some())
            })
        };
        let own = |k: &String| BLOCKS.contains(&k.as_str()) || LANGUAGE.contains(&k.as_str());
        if whole.values().any(ropes)
            && whole.values().all(|v| ropes(v) || v.is_null())
            && !whole.keys().any(own)
        {
            let mut layers = Vec::new();
            self.kinds(whole, "", &mut layers);
            return self.answer(layers);
        }
        let (path, top) = language(self, whole, "");
        if self.is_fatal() {
            return;
        }
        class_of(self, top, &path);
        let layers = self.fields(top, &path);
        if !self.is_fatal() {
            self.answer(layers);
        }
    }

    /// Takes the fields of the language model; gives the kinds of layers with their scopes.
    fn fields(&mut self, top: &Map<String, Json>, path: &str) -> Vec<(String, Vec<usize>)> {
        let blocks: Vec<(&str, &Json)> = BLOCKS
            .iter()
            .filter_map(|b| Some((*b, top.get(*b)?)))
            .filter(|(b, v)| is_block(b, v) && !v.is_null())
            .collect();
        let own = [
            "rope_type",
            "factor",
            "beta_fast",
            "low_freq_factor",
            "long_factor",
        ];
        let typed = top.get("type").is_some_and(Json::is_string)
            && weight(top) < 2
            && !top.contains_key("model_type");
        let alone = blocks.is_empty() && (typed || own.iter().any(|n| top.contains_key(*n)));
        let mut layers = Vec::new();
        for (name, value) in top {
            let path = format!("{path}{name}");
            if is_block(name, value) {
                if value.is_null() {
                    self.aside(path, value, "rope_type");
                }
                continue;
            }
            match value.as_object() {
                Some(inner) if FLAT.contains(&name.as_str()) => {
                    for (inner_name, value) in inner {
                        self.field(inner_name, format!("{path}.{inner_name}"), value, 0, alone);
                    }
                }
                _ => self.field(name, path, value, 0, alone),
            }
        }
        for (name, value) in blocks {
            let Some(block) = value.as_object() else {
                self.problem(
                    true,
                    "not-an-object",
                    (&format!("{path}{name}"), &value.to_string(), ""),
                );
                continue;
            };
            let path = format!("{path}{name}.");
            if by_kind(block) {
                self.kinds(block, &path, &mut layers);
            } else {
                for (name, value) in block {
                    self.field(name, format!("{path}{name}"), value, 1, false);
                }
            }
        }
        if alone {
            return vec![("all".to_owned(), vec![0])];
        }
        if layers.is_empty() {
            layers.push(("all".to_owned(), vec![1, 0]));
        }
        layers
    }

    /// Each kind of layer of a block has a scope of its own.
    fn kinds(
        &mut self,
        block: &Map<String, Json>,
        path: &str,
        layers: &mut Vec<(String, Vec<usize>)>,
    ) {
        for (kind, value) in block {
            let path = format!("{path}{kind}");
            let Some(inner) = value.as_object() else {
                if value.is_null() {
                    self.aside(path, value, "layer_kind");
                } else {
                    self.field(kind, path, value, 1, false);
                }
                continue;
            };
            let scope = 2 + layers.len();
            for (name, value) in inner {
                self.field(name, format!("{path}.{name}"), value, scope, false);
            }
            layers.push((kind.clone(), vec![scope, 1, 0]));
        }
    }

    fn aside(&mut self, path: String, value: &Json, about: &'static str) {
        self.out.unused.push(super::Field {
            name: path,
            value: value.clone(),
            about,
        });
    }

    fn field(&mut self, name: &str, path: String, value: &Json, scope: usize, alone: bool) {
        let mut entry = |what, about| {
            self.entries.push(Entry {
                path: path.clone(),
                name: name.to_owned(),
                value: value.clone(),
                what,
                about,
                scope,
                used: false,
            });
        };
        if let Some(known) = names::find(name, scope > 0, alone) {
            return entry(known.what, known.about);
        }
        // Within rope parameters all is about positions.
        if scope == 0 && !names::sounds(name) {
            return self.out.left.push(path);
        }
        entry(What::Aside, "aside");
        let idle = value.is_null() || *value == Json::Bool(false) || json_real(value) == Some(1.0);
        if !idle && (scope > 0 || names::turns(name)) {
            // A whole block surely changes them.
            self.problem(
                value.is_object(),
                "not-understood",
                (&path, &cut(&value.to_string()), ""),
            );
        }
    }
}
