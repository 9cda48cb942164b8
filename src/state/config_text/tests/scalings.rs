//! Kinds D and E: equal bounds of llama3, and what "Apply" keeps.

use super::*;
use crate::state::{Page, Requested, resolve};

/// Kind D: equal bounds are a step, only the wrong order is refused.
#[test]
fn kind_d_equal_bounds_are_a_step() {
    let text = r#"{"head_dim":128,"rope_theta":500000,"rope_scaling":{"rope_type":"llama3","factor":16,"low_freq_factor":1,
        "high_freq_factor":1,"original_max_position_embeddings":8192}}"#;
    let l = layer(text);
    let f = l.frequencies.as_ref().expect("computed");
    let count = |r: f64| f.ratios.iter().filter(|x| **x == r).count();
    assert_eq!((count(1.0), count(1.0 / 16.0)), (35, 29));
    assert_eq!(f.ratios[34], 1.0);
    let wrong = text.replace("\"low_freq_factor\":1", "\"low_freq_factor\":2");
    assert_eq!(codes(&wrong), ["low-above-high"]);
}

/// Frequencies and attention factor that the page shows after "Apply".
fn applied(l: &Layer) -> (Vec<f64>, f64) {
    let mut requested = Requested::default();
    requested.set(Key::Page, Value::Word("context"));
    requested.set(Key::Scheme, Value::Word("rope"));
    for (key, value) in &l.values {
        requested.set(*key, value.clone());
    }
    // As an address, and back.
    let (requested, notices) = crate::state::decode(&crate::state::encode(&requested));
    assert_eq!(notices, []);
    let (p, _) = resolve(&requested, |_| Some(Page::Context));
    let rope = crate::core::encoding::rope::Rope::of(&p.setting).expect("a rotation");
    (rope.inv_freq().to_vec(), rope.attention_factor())
}

/// Kind E: what was computed with is what the page shows.
#[test]
fn kind_e_apply_keeps_truncate_and_the_attention_factor() {
    let yarn = |more: &str| {
        format!(
            r#"{{"head_dim":64,"rope_theta":150000,"rope_scaling":{{"rope_type":"yarn","factor":32,
            "original_max_position_embeddings":4096{more}}}}}"#
        )
    };
    let l = layer(&yarn(r#","truncate":false"#));
    let f = l.frequencies.as_ref().expect("computed");
    approx::assert_relative_eq!(f.ratios[17], 0.0726875, max_relative = 1e-5);
    for more in [
        "",
        r#","truncate":false"#,
        r#","attention_factor":1.5"#,
        r#","mscale":0.707,"mscale_all_dim":1.0"#,
        r#","attn_factor":0.5,"beta_fast":40"#,
    ] {
        let l = layer(&yarn(more));
        let f = l.frequencies.as_ref().expect("computed");
        assert_eq!(
            applied(&l),
            (f.inv_freq.clone(), f.attention_factor),
            "{more}"
        );
    }
    // Lists are not in an address: what is lost is said.
    let long = layer(
        r#"{"head_dim":4,"rope_theta":10000,"rope_scaling":{"rope_type":"longrope","factor":4,"original_max_position_embeddings":16,
        "short_factor":[1,1],"long_factor":[2,3]}}"#,
    );
    assert_eq!(long.lost, ["short_factor", "long_factor"]);
    assert_eq!(inv_freq(&long)[0], 0.5);
    approx::assert_relative_eq!(inv_freq(&long)[1], 0.01 / 3.0, max_relative = 1e-15);
}

/// Kind E: DeepSeek's second factor is said.
#[test]
fn kind_e_the_softmax_factor_of_deepseek() {
    for (m, wanted) in [("0.707", 1.5896), ("1.0", 1.8739)] {
        let text = scaling(&format!(
            r#"{{"type":"yarn","factor":40,"original_max_position_embeddings":4096,"mscale":{m},"mscale_all_dim":{m}}}"#
        ));
        let l = layer(&text);
        approx::assert_relative_eq!(l.softmax_factor, wanted, max_relative = 1e-4);
        assert_eq!(l.attention_factor, 1.0);
    }
    // Mistral's attention does not look at it.
    let mistral = r#"{"model_type":"mistral","head_dim":8,"rope_scaling":{"type":"yarn","factor":40,"mscale":1,"mscale_all_dim":1,
        "original_max_position_embeddings":4096}}"#;
    assert_eq!(layer(mistral).softmax_factor, 1.0);
}
