//! Kinds A–C and F–I: names of other families, other schemes, the three groups, texts that Python reads.

use super::*;

/// Kind A: width and base under another family's name.
#[test]
fn kind_a_width_and_base_under_other_names() {
    for (text, pairs, base) in [
        (
            r#"{"hidden_size":256,"num_attention_heads":4,"qk_rope_head_dim":16,"rope_theta":10000}"#,
            8,
            1e4,
        ),
        (
            r#"{"hidden_size":64,"num_attention_heads":4,"rotary_pct":0.5,"rotary_emb_base":1000000}"#,
            4,
            1e6,
        ),
        (
            r#"{"head_dim":16,"rotary_dim":8,"rope_theta":10000}"#,
            4,
            1e4,
        ),
        (
            r#"{"n_embd":64,"n_head":4,"kv_channels":32,"rope_base":5000}"#,
            16,
            5e3,
        ),
        (
            r#"{"hidden_size":64,"num_attention_heads":4,"attention_head_dim":8,"rope_theta":10000}"#,
            4,
            1e4,
        ),
    ] {
        let l = layer(text);
        assert_eq!((inv_freq(&l).len(), l.base), (pairs, Some(base)), "{text}");
        let last = base.powf(-2.0 * (pairs - 1) as f64 / (2 * pairs) as f64);
        approx::assert_relative_eq!(inv_freq(&l)[pairs - 1], last, max_relative = 1e-14);
    }
    // Names that cannot all be true block the claim.
    assert_eq!(
        codes(r#"{"head_dim":16,"rotary_dim":8,"rotary_pct":0.25,"rope_theta":10000}"#),
        ["disagree"]
    );
    assert_eq!(
        codes(r#"{"head_dim":16,"kv_channels":32,"rope_theta":10000}"#),
        ["disagree"]
    );
    assert!(
        codes(r#"{"head_dim":16,"rope_theta":10000,"rope_wobble":3}"#).contains(&"not-understood")
    );
}

/// Kind B: RoPE is not asserted of a model without it, nor a default as the model's.
#[test]
fn kind_b_other_schemes_and_defaults_of_classes() {
    for (text, scheme) in [
        (
            r#"{"hidden_size":64,"num_attention_heads":4,"alibi":true}"#,
            Some("alibi"),
        ),
        (r#"{"alibi":true}"#, Some("alibi")),
        (r#"{"position_embedding_type":"absolute"}"#, Some("learned")),
        (
            r#"{"position_embedding_type":"relative_key_query","hidden_size":64}"#,
            Some("relative"),
        ),
        (r#"{"model_type":"mamba","hidden_size":64}"#, Some("none")),
        (r#"{"relative_attention_num_buckets":32}"#, Some("t5")),
        (r#"{"hidden_size":64,"num_attention_heads":4}"#, None),
    ] {
        let r = read(text);
        assert_eq!((r.scheme, r.layers.len()), (scheme, 0), "{text}");
        assert!(!r.problems.is_empty());
    }
    let l = layer(r#"{"hidden_size":64,"num_attention_heads":4,"global_rope_theta":160000}"#);
    assert_eq!(l.base, Some(160_000.0));
    // A class's own defaults, each named.
    let r = read(r#"{"model_type":"gemma3_text","hidden_size":2560,"num_attention_heads":8}"#);
    let bases: Vec<_> = r
        .layers
        .iter()
        .map(|l| (l.name.as_str(), l.base, inv_freq(l).len()))
        .collect();
    assert_eq!(
        bases,
        [
            ("full_attention", Some(1e6), 128),
            ("sliding_attention", Some(1e4), 128)
        ]
    );
    let assumed: Vec<_> = r
        .assumed
        .iter()
        .map(|a| (a.name, a.why, a.class.as_str()))
        .collect();
    assert!(
        assumed.contains(&("rope_theta", "class", "gemma3_text")),
        "{assumed:?}"
    );
    assert!(
        assumed.contains(&("head_dim", "class", "gemma3_text")),
        "{assumed:?}"
    );
    // A class that scales where the text says nothing.
    assert_eq!(
        codes(r#"{"model_type":"gpt_oss","head_dim":64,"rope_theta":150000}"#),
        ["class-scales"]
    );
}

/// Kind C: three groups of fields.
#[test]
fn kind_c_what_is_about_positions_is_never_called_something_else() {
    let about = [
        "no_rope_layers",
        "n_positions",
        "rope_local_base_freq",
        "mrope_section",
        "sliding_window",
        "alibi",
        "llama_4_scaling_beta",
        "attn_temperature_tuning",
        "relative_attention_num_buckets",
        "relative_attention_max_distance",
        "layer_types",
        "use_logn_attn",
    ];
    for name in about {
        let r = read(&format!(
            r#"{{"head_dim":8,"rope_theta":10000,"vocab_size":9,"{name}":false}}"#
        ));
        assert_eq!(r.left, ["vocab_size"], "{name}");
    }
    let r = read(
        r#"{"head_dim":8,"rope_theta":10000,"no_rope_layers":[1,0],"sliding_window":4096,"vocab_size":9}"#,
    );
    assert_eq!(names(&r.unused), ["no_rope_layers", "sliding_window"]);
    assert_eq!(names(&r.read), ["head_dim", "rope_theta"]);
    assert!(
        r.problems
            .iter()
            .any(|p| p.code == "some-layers" && !p.fatal)
    );
}

/// EXAONE 4 rotates in the layers with a window alone, where it has some (transformers, `Exaone4Attention`); a
/// window alone says nothing of the kind.
#[test]
fn kind_c_layers_without_rope_are_told_of_where_the_class_has_them() {
    let told = |text: &str| codes(text).contains(&"some-layers");
    let of = |class: &str, window: &str| {
        told(&format!(
            r#"{{"model_type":"{class}","head_dim":8,"rope_theta":10000{window}}}"#
        ))
    };
    let window = r#","sliding_window":4096"#;
    assert!(of("exaone4", window) && !of("exaone4", ""));
    assert!(of("cohere2", window) && of("cohere2", ""));
    assert!(!of("mistral", window) && !of("mistral", ""));
}

/// Kind F: the strength of a scaling under other names.
#[test]
fn kind_f_strength_under_other_names() {
    let l = layer(
        r#"{"head_dim":128,"rope_theta":10000,"rope_scaling":{"type":"dynamic","alpha":1000.0,"factor":1.0}}"#,
    );
    approx::assert_relative_eq!(l.base.expect("a base"), 11_158_839.9, max_relative = 1e-8);
    let l = layer(r#"{"model_type":"chatglm","kv_channels":128,"rope_ratio":500}"#);
    assert_eq!((l.base, inv_freq(&l).len()), (Some(5e6), 32));
    let list = "[1, 1, 1, 1]";
    let phi = format!(
        r#"{{"head_dim":8,"rope_theta":10000,"max_position_embeddings":64,"rope_scaling":{{"type":"su","short_factor":{list},
        "long_factor":{list},"short_mscale":1.1,"long_mscale":1.25,"original_max_position_embeddings":16}}}}"#
    );
    assert_eq!(layer(&phi).attention_factor, 1.25);
    assert_eq!(layer(&phi.replace(":64", ":16")).attention_factor, 1.1);
    let yarn = scaling(
        r#"{"type":"yarn","factor":4,"original_max_position_embeddings":64,"attn_factor":0.5}"#,
    );
    approx::assert_relative_eq!(
        layer(&yarn).attention_factor,
        0.5 * (0.1 * 4f64.ln() + 1.0),
        max_relative = 1e-15
    );
    let r = read(r#"{"dim":128,"n_heads":1,"rope_theta":500000.0,"use_scaled_rope":true}"#);
    let plain = layer(
        &LLAMA
            .replace("4096", "128")
            .replace("\"num_attention_heads\": 32", "\"num_attention_heads\": 1"),
    );
    assert_eq!(inv_freq(&r.layers[0]), inv_freq(&plain));
    assert!(
        r.assumed
            .iter()
            .any(|a| a.name == "rope_scaling_factor" && a.value == 8.0 && a.why == "meta")
    );
    // The length that the text declares is the one looked at, not 8 times the original 8192.
    let long = r#"{"dim":128,"n_heads":1,"rope_theta":500000.0,"use_scaled_rope":true,"max_seq_len":131072}"#;
    assert!(values(long).contains(&(Key::TargetLen, Value::Int(131_072))));
}

/// Kind G: M-RoPE is known by its sections.
#[test]
fn kind_g_sections_tell_of_mrope() {
    let l = layer(
        r#"{"head_dim":128,"rope_theta":1000000,"rope_scaling":{"rope_type":"default","mrope_section":[16,24,24]}}"#,
    );
    assert_eq!(l.sections, Some(vec![16, 24, 24]));
    assert!(
        l.values
            .contains(&(Key::Sections, Value::Sections([16, 24, 24])))
    );
    let text = r#"{"head_dim":256,"rope_parameters":{"rope_type":"default","rope_theta":10000000,"partial_rotary_factor":0.25,
        "mrope_section":[11,11,10],"mrope_interleaved":true}}"#;
    let l = layer(text);
    assert_eq!((inv_freq(&l).len(), l.in_turn), (32, true));
    assert!(l.values.contains(&(Key::Mrope, Value::Word("qwen3vl"))));
    let axes = crate::core::mrope::Sections {
        sizes: [11, 11, 10],
        interleaved: true,
    };
    assert_eq!(
        axes.axis_of_frequency(32).expect("a sum")[31],
        1,
        "pair 31 turns by h"
    );
    assert!(codes(&text.replace("11,11,10", "11,11,11")).contains(&"sections-sum"));
    assert!(
        codes(r#"{"head_dim":8,"rope_theta":10000,"rope_scaling":{"type":"mrope"}}"#)
            .contains(&"mrope")
    );
}

/// Kind H: what Python reads, or the true cause.
#[test]
fn kind_h_texts_that_python_reads() {
    let plain = r#"{"head_dim":8,"rope_theta":10000}"#;
    let wanted = layer(plain);
    let wide = |big: bool| {
        let order = |u: u16| {
            if big {
                u.to_be_bytes()
            } else {
                u.to_le_bytes()
            }
        };
        let text = format!("\u{FEFF}{plain}");
        text.encode_utf16().flat_map(order).collect::<Vec<u8>>()
    };
    let texts = [
        format!("\u{FEFF}{plain}").into_bytes(),
        wide(true),
        wide(false),
        wide(false)[2..].to_vec(),
        format!("```json\n{plain}\n```\n").into_bytes(),
        b"{\"head_dim\":8, // width\n/* base */ \"rope_theta\":10000, \"x\": NaN, \"y\": [-Infinity, Infinity,],}".to_vec(),
        b"# from a hub\n{\"head_dim\":8,\"rope_theta\":10000,\"url\":\"http://a//b, }\"}".to_vec(),
    ];
    for bytes in texts {
        let r = read_bytes(&bytes);
        assert_eq!(
            r.layers,
            std::slice::from_ref(&wanted),
            "{}: {:?}",
            String::from_utf8_lossy(&bytes),
            r.problems
        );
    }
    let r = read(r#"{"head_dim":8,"rope_theta":NaN}"#);
    assert_eq!(
        (
            r.problems[0].code,
            r.problems[0].name.as_str(),
            r.problems[0].given.as_str()
        ),
        ("not-number", "rope_theta", "\"NaN\"")
    );
    assert_eq!(read_bytes(&[0xFF, 0x80, 0x81]).problems[0].code, "not-utf");
}

/// Kind I: old and new name of one thing are no contradiction.
#[test]
fn kind_i_old_and_new_name_of_one_kind() {
    let sections = r#""mrope_section":[1,1,2]"#;
    let text = format!(
        r#"{{"head_dim":8,"rope_theta":10000,"rope_scaling":{{"type":"mrope","rope_type":"default",{sections}}}}}"#
    );
    assert_eq!(codes(&text), ["one-head"]);
    let long = scaling(
        r#"{"type":"su","rope_type":"longrope","factor":4,"original_max_position_embeddings":16,"short_factor":[1],"long_factor":[2]}"#,
    );
    assert_eq!(codes(&long), [""; 0]);
    let both = r#"{"rope_parameters":{"rope_type":"linear","factor":2},"rope_scaling":{"type":"linear","factor":2}}"#;
    assert_eq!(codes(both), [""; 0]);
    assert_eq!(
        codes(&both.replace("{\"type\":\"linear\"", "{\"type\":\"ntk\"")),
        ["types-disagree"]
    );
}

/// Classes whose code stands beside their weights, with nothing but their name: what their published
/// configuration classes take, `(pairs, base)`.
#[test]
fn defaults_of_classes_outside_of_transformers() {
    for (name, more, pairs, base) in [
        ("qwen", "", 64, 1e4),
        ("baichuan", r#", "max_position_embeddings": 4096"#, 64, 1e4),
        ("stablelm_epoch", "", 10, 1e4),
        ("gptj", "", 32, 1e4),
        ("codegen", "", 32, 1e4),
        ("roformer", "", 32, 1e4),
        ("RefinedWeb", "", 4, 1e4),
        ("RefinedWebModel", "", 4, 1e4),
        ("openelm", "", 64, 1e4),
        ("kimi_k2", "", 32, 1e4),
        ("phi3small", "", 64, 1e6),
        ("xverse", "", 64, 1e4),
        ("bailing_moe", "", 32, 1e4),
        ("hf_olmo", r#", "rope": true"#, 32, 1e4),
    ] {
        let l = layer(&format!(r#"{{"model_type": "{name}"{more}}}"#));
        assert_eq!((inv_freq(&l).len(), l.base), (pairs, Some(base)), "{name}");
    }
    // XVERSE has 40 heads: a width alone tells the width of a head.
    let l = layer(r#"{"model_type": "xverse", "hidden_size": 80}"#);
    assert_eq!(inv_freq(&l).len(), 1);
    // OLMo's class has RoPE off: without a word of it there is a table.
    assert_eq!(read(r#"{"model_type": "hf_olmo"}"#).scheme, Some("learned"));
    // InternLM's class scales by default, so a text without `rotary` does not tell the frequencies.
    assert_eq!(codes(r#"{"model_type": "internlm"}"#), ["class-scales"]);
    assert!(read(r#"{"model_type": "orion"}"#).layers.is_empty());
}
