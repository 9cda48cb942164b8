//! Configurations as models have them, and mistakes in them.

mod kinds;
mod places;
mod scalings;

use super::*;

const LLAMA: &str = r#"{"hidden_size": 4096, "num_attention_heads": 32, "vocab_size": 128256,
    "max_position_embeddings": 131072, "rope_theta": 500000.0,
    "rope_scaling": {"factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0,
        "original_max_position_embeddings": 8192, "rope_type": "llama3"}}"#;

/// What the page would show of the first layer.
fn values(text: &str) -> Vec<(Key, Value)> {
    read(text)
        .layers
        .first()
        .map_or_else(Vec::new, |l| l.values.clone())
}

/// The only layer.
fn layer(text: &str) -> Layer {
    let r = read(text);
    assert_eq!(r.layers.len(), 1, "{text}: {:?}", r.problems);
    r.layers[0].clone()
}

fn names(fields: &[Field]) -> Vec<&str> {
    fields.iter().map(|f| f.name.as_str()).collect()
}

fn inv_freq(l: &Layer) -> &[f64] {
    l.frequencies.as_ref().map_or(&[], |f| &f.inv_freq)
}

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
            values(LLAMA).contains(&(*key, value.clone())),
            "{key:?}: {:?}",
            values(LLAMA)
        );
    }
    let f = r.layers[0].frequencies.as_ref().expect("computed");
    assert_eq!(
        (f.ratios[0], f.ratios[63], f.attention_factor),
        (1.0, 0.125, 1.0)
    );
    assert!(
        r.read
            .iter()
            .any(|f| f.about == "low_freq_factor" && f.shown() == "1.0")
    );
}

#[test]
fn a_head_of_absurd_width_is_refused_and_not_computed() {
    for text in [
        r#"{"rope_theta": 10000, "head_dim": 1000000000}"#,
        r#"{"rope_theta": 10000, "head_dim": 4098}"#,
        r#"{"rope_theta": 10000, "hidden_size": 900000000000000, "num_attention_heads": 1}"#,
    ] {
        assert_eq!(codes(text), ["too-wide"], "{text}");
        assert!(!read(text).applies(0));
    }
    assert_eq!(
        codes(r#"{"rope_theta": 10000, "head_dim": 4096}"#),
        ["one-head"]
    );
}

#[test]
fn a_config_without_a_base_has_that_of_transformers() {
    let whole = r#"{"head_dim": 128, "rope_scaling": {"rope_type": "linear", "factor": 2}}"#;
    assert!(values(whole).contains(&(Key::Base, Value::Real(10_000.0))));
    let assumed = &read(whole).assumed[0];
    assert_eq!((assumed.name, assumed.why), ("rope_theta", "transformers"));
    let piece = scaling(r#"{"rope_type": "linear", "factor": 2}"#);
    assert!(values(&piece).iter().all(|(key, _)| *key != Key::Base));
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
    assert_eq!(read(inner).problems, []);
    let wanted = values(inner);
    assert!(wanted.contains(&(Key::TargetLen, Value::Int(131_072))));
    for text in [
        bare,
        scaling(inner),
        format!(r#"{{"rope_parameters": {inner}}}"#),
    ] {
        assert_eq!(values(&text), wanted, "{text}");
    }
    let nested = format!(r#"{{"model_type": "x", "text_config": {LLAMA}}}"#);
    assert_eq!(values(&nested), values(LLAMA));
    assert_eq!(read("  "), Reading::default());
    // Without scaling: plain.
    let plain = values(
        r#"{"hidden_size": 64, "num_attention_heads": 2, "rope_scaling": null, "rope_theta": 10000}"#,
    );
    assert!(plain.contains(&(Key::Scaling, Value::Word("none"))));
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
        (LLAMA.replace("\"low_freq_factor\": 1.0", "\"low_freq_factor\": 4.5"), "low-above-high"),
        (LLAMA.replace("\"low_freq_factor\": 1.0,", ""), "missing"),
        (LLAMA.replace(": 4096,", ": 4097,"), "heads-do-not-divide"),
        (scaling(r#"{"rope_type": "longrope", "factor": 4, "original_max_position_embeddings": 4096, "short_factor": [1, 2], "long_factor": [1]}"#), "lists-differ"),
        (scaling(r#"{"rope_type": "longrope", "factor": 4, "original_max_position_embeddings": 4096, "short_factor": [1, 0], "long_factor": [1, 1]}"#), "bad-list"),
        (r#"{"head_dim": 8, "rope_scaling": {"rope_type": "longrope", "factor": 4, "original_max_position_embeddings": 4096, "short_factor": [1, 2], "long_factor": [1, 2]}}"#.to_owned(), "list-length"),
        (r#"{"head_dim": 8, "rope_theta": 10, "rope_parameters": {"rope_type": "default", "rope_theta": 20}}"#.to_owned(), "disagree"),
    ] {
        let r = read(&text);
        assert!(r.problems.iter().any(|p| p.code == code && p.fatal), "{text}: {:?}", r.problems);
        assert!(!r.applies(0), "{text}");
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
    assert_eq!(codes(text), ["not-understood", "factor-disagrees"]);
    assert!(r.applies(0));
    assert_eq!(names(&r.unused), ["rope_scaling.new_thing"]);
    assert!(values(text).contains(&(Key::TargetLen, Value::Int(131_072))));
    assert!(values(text).contains(&(Key::AttentionFactor, Value::Real(1.0))));
    let far = scaling(r#"{"rope_type": "linear", "factor": 500}"#);
    assert_eq!(codes(&far), ["out-of-range"]);
    let phi = r#"{"hidden_size": 3072, "num_attention_heads": 32, "partial_rotary_factor": 0.5,
        "rope_theta": 10000.0}"#;
    assert_eq!(codes(phi), ["one-head"]);
    assert!(values(phi).contains(&(Key::DModel, Value::Int(48))));
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
        read_bytes(&LLAMA.as_bytes()[cut..]);
    }
}

proptest::proptest! {
    #[test]
    fn no_value_of_any_known_name_makes_it_fail(
        picks in proptest::collection::vec((0..names::NAMES.len(), 0..12usize, 0..3usize), 0..9),
        bytes in proptest::collection::vec(proptest::num::u8::ANY, 0..40),
    ) {
        const VALUES: [&str; 12] = [
            "0", "1", "2", "16", "0.5", "1e6", "-3", "true", "null", "\"yarn\"", "[1, 2]", "{\"rope_type\": \"default\"}",
        ];
        let field = |&(n, v, _): &(usize, usize, usize)| format!("\"{}\": {}", names::NAMES[n].name, VALUES[v]);
        let of = |place| picks.iter().filter(|p| p.2 == place).map(field).collect::<Vec<_>>().join(", ");
        let inner = format!("\"rope_scaling\": {{{}}}", of(1));
        let parts = [of(0), inner, format!("\"text_config\": {{{}}}", of(2))];
        let text = format!("{{{}}}", parts.iter().filter(|p| !p.is_empty()).cloned().collect::<Vec<_>>().join(", "));
        let r = read(&text);
        // An answer is whole or there is none.
        proptest::prop_assert!(r.layers.is_empty() || !r.problems.iter().any(|p| p.fatal));
        for l in &r.layers {
            proptest::prop_assert!(inv_freq(l).iter().all(|w| w.is_finite()), "{}", text);
        }
        read_bytes(&bytes);
    }
}
