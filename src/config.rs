//! What a `config.json` says about positions, as one JSON object: what `examples/config` prints. The page shows the
//! same [`Reading`].

use serde_json::{Value as Json, json};

use crate::say;
use crate::state::Lang;
use crate::state::config_text::{Assumed, Field, Layer, Problem, Reading};

/// The JSON object of a reading; explanations in a language of the page.
pub fn object(reading: &Reading, lang: Lang) -> Json {
    let all = |fields: &[Field]| -> Vec<Json> { fields.iter().map(|f| field(f, lang)).collect() };
    json!({
        "scheme": reading.scheme,
        "layers": reading.layers.iter().map(layer).collect::<Vec<_>>(),
        "read": all(&reading.read),
        "assumed": reading.assumed.iter().map(|a| assumed(a, lang)).collect::<Vec<_>>(),
        "unused": all(&reading.unused),
        "problems": reading.problems.iter().map(|p| problem(p, lang)).collect::<Vec<_>>(),
    })
}

fn layer(l: &Layer) -> Json {
    let frequencies = l.frequencies.as_ref();
    json!({
        "name": l.name,
        "base": l.base,
        "pairs": frequencies.map(|f| f.inv_freq.len()),
        "head_dim": l.head_dim,
        "inv_freq": frequencies.map(|f| &f.inv_freq),
        "attention_factor": l.attention_factor,
        "softmax_factor": l.softmax_factor,
        "sections": l.sections,
        "interleaved": l.in_turn,
        "scaling": l.scaling,
        "factor": l.factor,
        "original_length": l.orig_len,
        "length": l.length,
    })
}

fn field(f: &Field, lang: Lang) -> Json {
    json!({"name": f.name, "value": f.value, "about": about(f, lang)})
}

/// What a field means.
pub fn about(f: &Field, lang: Lang) -> String {
    say!(lang, format!("config.field.{}", f.about))
}

fn assumed(a: &Assumed, lang: Lang) -> Json {
    json!({"name": a.name, "value": a.value, "why": why(a, lang)})
}

/// Why something is assumed.
pub fn why(a: &Assumed, lang: Lang) -> String {
    say!(lang, format!("config.why.{}", a.why), class = a.class)
}

fn problem(p: &Problem, lang: Lang) -> Json {
    json!({"code": p.code, "name": p.name, "given": p.given, "fatal": p.fatal, "text": told(p, lang)})
}

/// A problem in words.
pub fn told(p: &Problem, lang: Lang) -> String {
    let key = format!("config.problem.{}", p.code);
    say!(lang, key, name = p.name, given = p.given, other = p.other)
}
