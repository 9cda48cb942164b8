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

/// Kind J: DeepSeek V4's two bases, beside the rope parameters as its first files have them.
#[test]
fn kind_j_compressed_layers_have_a_base_of_their_own() {
    let text = r#"{"model_type":"deepseek_v4","head_dim":512,"qk_rope_head_dim":64,"rope_theta":10000,"compress_rope_theta":160000,
        "rope_scaling":{"type":"yarn","factor":16,"original_max_position_embeddings":65536}}"#;
    let r = read(text);
    let of = |l: &Layer| {
        (
            l.name.clone(),
            l.base,
            l.scaling,
            l.attention_factor,
            inv_freq(l).len(),
        )
    };
    let wanted = [
        ("main".to_owned(), Some(1e4), "none", 1.0, 32),
        ("compress".to_owned(), Some(1.6e5), "yarn", 1.0, 32),
    ];
    assert_eq!(r.layers.iter().map(of).collect::<Vec<_>>(), wanted);
    // Two widths and two rules (Gemma 4).
    let text = r#"{"head_dim":16,"global_head_dim":32,"rope_parameters":{"full_attention":{"rope_type":"proportional",
        "partial_rotary_factor":0.25,"rope_theta":1000000},"sliding_attention":{"rope_type":"default","rope_theta":10000}}}"#;
    let r = read(text);
    let turning = |l: &Layer| inv_freq(l).iter().filter(|w| **w > 0.0).count();
    assert_eq!(
        r.layers
            .iter()
            .map(|l| (inv_freq(l).len(), turning(l)))
            .collect::<Vec<_>>(),
        [(16, 4), (8, 8)]
    );
    assert!(!r.applies(0) && r.applies(1));
}

/// What has two axes, or a whole block of an unknown scaling, is not claimed.
#[test]
fn kind_j_what_cannot_be_said() {
    for (text, code) in [
        (
            r#"{"model_type":"chatglm","position_encoding_2d":true,"hidden_size":64,"num_attention_heads":4}"#,
            "axial",
        ),
        (
            r#"{"model_type":"pixtral","hidden_size":64,"num_attention_heads":4,"rope_theta":10000}"#,
            "axial",
        ),
        (
            r#"{"head_dim":8,"rope_theta":10000,"yarn":{"factor":16}}"#,
            "not-understood",
        ),
        (
            r#"{"model_type":"roberta","head_dim":8,"rope_theta":10000}"#,
            "schemes-disagree",
        ),
    ] {
        let r = read(text);
        assert!(
            r.layers.is_empty() && r.problems.iter().any(|p| p.code == code && p.fatal),
            "{text}: {:?}",
            r.problems
        );
    }
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

/// Kind J: a part with widths alone is not taken for the language model when what the positions come
/// from stands above it.
#[test]
fn kind_j_what_tells_of_positions_outweighs_widths() {
    for told in [
        r#""rope_theta":500000"#,
        r#""rotary_dim":64"#,
        r#""qk_rope_head_dim":64"#,
        r#""partial_rotary_factor":0.5"#,
        r#""position_embedding_type":"rope""#,
        r#""alibi":true"#,
        r#""use_scaled_rope":true"#,
        r#""rope_ratio":50"#,
        r#""rope_parameters":{"rope_type":"default","rope_theta":500000}"#,
    ] {
        let r = read(&format!(
            r#"{{{told},"head_dim":128,"text_config":{{"hidden_size":64,"num_attention_heads":2}}}}"#
        ));
        let name = told.split('"').nth(1).expect("a name");
        let read = names(&r.read);
        assert!(read.iter().any(|n| n.starts_with(name)), "{told}: {read:?}");
        assert!(!read.contains(&"text_config"), "{told}: {read:?}");
    }
    // Where nothing above tells of them, the part is the model.
    let r = read(r#"{"head_dim":128,"text_config":{"hidden_size":64,"num_attention_heads":2}}"#);
    assert!(names(&r.read).contains(&"text_config"));
}
