//! Kind J: where the language model and its kinds of layers stand.

use super::*;

fn bases(text: &str) -> Vec<(String, Option<f64>)> {
    read(text)
        .layers
        .into_iter()
        .map(|l| (l.name, l.base))
        .collect()
}

/// Kind J: each kind of layer by its name.
#[test]
fn kind_j_each_kind_of_layer_is_named() {
    let text = |a: &str, b: &str| {
        format!(
            r#"{{"head_dim":64,"rope_parameters":{{"{a}":{{"rope_type":"default","rope_theta":10000}},
            "{b}":{{"rope_type":"linear","factor":8,"rope_theta":1000000}}}}}}"#
        )
    };
    for (a, b) in [
        ("sliding_attention", "chunked_attention"),
        ("main", "compress"),
        ("full_attention", "sliding_attention"),
    ] {
        let r = read(&text(a, b));
        assert_eq!(
            bases(&text(a, b)),
            [(a.to_owned(), Some(1e4)), (b.to_owned(), Some(1e6))]
        );
        assert_eq!(
            (r.layers[0].scaling, r.layers[1].scaling),
            ("none", "linear")
        );
        assert_eq!(r.read[1].name, format!("rope_parameters.{a}.rope_type"));
    }
    // A kind without RoPE is told of.
    let r = read(
        r#"{"head_dim":8,"rope_parameters":{"full_attention":null,"sliding_attention":{"rope_theta":10000,"rope_type":"default"}}}"#,
    );
    assert_eq!(
        (r.layers.len(), names(&r.unused)),
        (1, vec!["rope_parameters.full_attention"])
    );
    // The bare contents of rope_parameters.
    assert_eq!(bases(r#"{"a":{"rope_theta":10,"rope_type":"default"},"b":{"rope_theta":20,"rope_type":"default"}}"#).len(), 2);
}

/// Kind J: any one wrapper.
#[test]
fn kind_j_any_one_wrapper() {
    let inner = r#"{"head_dim":8,"rope_theta":500}"#;
    for name in [
        "text_config",
        "llm_config",
        "lm_config",
        "language_config",
        "some_model",
    ] {
        let text = format!(
            r#"{{"model_type":"x","vision_config":{{"head_dim":6,"rope_theta":3}},"{name}":{inner}}}"#
        );
        assert_eq!(bases(&text), [("all".to_owned(), Some(500.0))], "{name}");
        assert_eq!(read(&text).read[1].name, format!("{name}.head_dim"));
    }
    let omni = format!(
        r#"{{"talker_config":{{"rope_theta":7,"head_dim":4}},"thinker_config":{{"text_config":{inner},"audio_config":{{"d_model":4}}}}}}"#
    );
    assert_eq!(bases(&omni), [("all".to_owned(), Some(500.0))]);
    assert_eq!(
        codes(&format!(r#"{{"one":{inner},"two":{inner}}}"#)),
        ["which-part"]
    );
    // The class of the wrapper counts where the part names none.
    let r = read(r#"{"model_type":"gemma3","text_config":{"hidden_size":64}}"#);
    assert_eq!(r.layers.len(), 2);
}
