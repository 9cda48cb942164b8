//! Rope parameters of real models, with their sources.

use super::key::Key;
use super::value::Value;

/// A model whose configuration can be looked at.
#[derive(Debug)]
pub struct Model {
    /// The word of the address.
    pub id: &'static str,
    /// Its name.
    pub name: &'static str,
    /// Where the values are from.
    pub source: &'static str,
    /// What it sets; everything else stays as it is.
    pub values: &'static [(Key, Value)],
}

/// Every model, oldest first.
pub static MODELS: &[Model] = &[
    Model {
        id: "llama-2-7b",
        name: "Llama 2 7B",
        source: "Llama 2: Open Foundation and Fine-Tuned Chat Models, §2.2; meta-llama/llama: llama/model.py",
        values: &[
            (Key::DModel, Value::Int(4096)),
            (Key::Base, Value::Real(10_000.0)),
            (Key::Heads, Value::Int(32)),
            (Key::Scaling, Value::Word("none")),
            (Key::OrigLen, Value::Int(4096)),
            (Key::TargetLen, Value::Int(8192)),
        ],
    },
    Model {
        id: "code-llama-7b",
        name: "Code Llama 7B",
        source: "Code Llama: Open Foundation Models for Code, §2.4",
        values: &[
            (Key::DModel, Value::Int(4096)),
            (Key::Base, Value::Real(1_000_000.0)),
            (Key::Heads, Value::Int(32)),
            (Key::Scaling, Value::Word("none")),
            (Key::OrigLen, Value::Int(16_384)),
            (Key::TargetLen, Value::Int(100_000)),
        ],
    },
    Model {
        id: "llama-3.1-8b",
        name: "Llama 3.1 8B",
        source: "The Llama 3 Herd of Models, §3.2; meta-llama/llama-models: models/llama3/reference_impl/model.py",
        values: &[
            (Key::DModel, Value::Int(4096)),
            (Key::Base, Value::Real(500_000.0)),
            (Key::Heads, Value::Int(32)),
            (Key::Scaling, Value::Word("llama3")),
            (Key::Factor, Value::Real(8.0)),
            (Key::OrigLen, Value::Int(8192)),
            (Key::TargetLen, Value::Int(131_072)),
            (Key::LowFreqFactor, Value::Real(1.0)),
            (Key::HighFreqFactor, Value::Real(4.0)),
        ],
    },
    Model {
        id: "qwen2.5-7b",
        name: "Qwen2.5 7B Instruct",
        source: "Qwen2.5 Technical Report, §2 and §3; the model card of Qwen/Qwen2.5-7B-Instruct",
        values: &[
            (Key::DModel, Value::Int(3584)),
            (Key::Base, Value::Real(1_000_000.0)),
            (Key::Heads, Value::Int(28)),
            (Key::Scaling, Value::Word("yarn")),
            (Key::Factor, Value::Real(4.0)),
            (Key::OrigLen, Value::Int(32_768)),
            (Key::TargetLen, Value::Int(131_072)),
            (Key::BetaFast, Value::Real(32.0)),
            (Key::BetaSlow, Value::Real(1.0)),
        ],
    },
];

/// The words of the address, in the order of [`MODELS`].
pub const IDS: &[&str] = &["llama-2-7b", "code-llama-7b", "llama-3.1-8b", "qwen2.5-7b"];

/// The model with this id.
pub fn by_id(id: &str) -> Option<&'static Model> {
    MODELS.iter().find(|m| m.id == id)
}

/// The id as a word of the address.
pub(super) fn word(id: &str) -> &'static str {
    by_id(id).map_or("", |m| m.id)
}

impl Model {
    /// What it sets for a parameter.
    pub fn value(&self, key: Key) -> Option<&'static Value> {
        self.values.iter().find(|(k, _)| *k == key).map(|(_, v)| v)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::{Kind, parse_value};

    #[test]
    fn ids_are_those_of_the_list() {
        let listed: Vec<&str> = MODELS.iter().map(|m| m.id).collect();
        assert_eq!(listed, IDS);
        assert!(IDS.iter().all(|id| by_id(id).is_some()));
    }

    #[test]
    fn ctx_values_of_models_are_legal_and_heads_are_128_wide() {
        for m in MODELS {
            for (key, value) in m.values {
                let text = match (key.spec().kind, value) {
                    (Kind::Int { .. }, Value::Int(v)) => v.to_string(),
                    (Kind::Real { .. }, Value::Real(v)) => v.to_string(),
                    (Kind::Words(_), Value::Word(w)) => (*w).to_owned(),
                    other => panic!("{}: {other:?}", m.id),
                };
                assert_eq!(parse_value(key.spec(), &text), (Some(value.clone()), None));
            }
            let number = |key| match m.value(key) {
                Some(Value::Int(v)) => *v,
                other => panic!("{other:?}"),
            };
            assert_eq!(number(Key::DModel) / number(Key::Heads), 128, "{}", m.id);
        }
    }
}
