//! The arrays that `vectors` makes of an address.

use posenc_lab::vectors::vectors;
use serde_json::Value as Json;

use crate::read::{array, numbers};

/// A query, and the names and shapes of arrays that it must give.
type Promise = (&'static str, &'static [(&'static str, &'static [u64])]);

#[test]
fn vectors_have_the_promised_arrays_and_shapes() {
    let cases: &[Promise] = &[
        (
            "scheme=sinusoidal&d_model=8&seq_len=4",
            &[("frequencies", &[4]), ("pe", &[4, 8])],
        ),
        ("scheme=learned&d_model=6&seq_len=3", &[("pe", &[3, 6])]),
        (
            "scheme=relative&heads=2&d_model=8&seq_len=5&max_rel_dist=2",
            &[("index", &[5, 5]), ("bias", &[2, 5, 5])],
        ),
        (
            "scheme=t5&seq_len=3",
            &[("index", &[3, 3]), ("bias", &[4, 3, 3])],
        ),
        (
            "scheme=alibi&heads=3&d_model=12&seq_len=2",
            &[("index", &[2, 2]), ("bias", &[3, 2, 2]), ("slopes", &[3])],
        ),
        (
            "scheme=rope&d_model=8&seq_len=4&heads=1",
            &[
                ("inv_freq", &[4]),
                ("attention_factor", &[1]),
                ("cos", &[4, 4]),
                ("sin", &[4, 4]),
            ],
        ),
        (
            "page=multimodal&blocks=text:3,image:2x3,text:2,video:2x2x2,audio:8",
            &[
                ("position_ids", &[3, 27]),
                ("cos", &[27, 64]),
                ("sin", &[27, 64]),
            ],
        ),
        (
            "page=multimodal&blocks=text:5&d_model=24&heads=2&mrope=qwen3vl&rows=1-2",
            &[
                ("position_ids", &[3, 2]),
                ("cos", &[2, 6]),
                ("sin", &[2, 6]),
            ],
        ),
        (
            "page=order&layers=2",
            &[
                ("a_x", &[3, 64]),
                ("b_weights", &[2, 4, 3, 3]),
                ("a_output", &[3, 64]),
                ("max_difference", &[1]),
                ("pooled_difference", &[1]),
            ],
        ),
        (
            "scheme=rope&d_model=4096&heads=1&seq_len=2",
            &[("cos", &[2, 2048])],
        ),
        (
            "scheme=sinusoidal&seq_len=8192&rows=8190-8191",
            &[("pe", &[2, 64])],
        ),
        (
            "scheme=alibi&seq_len=8192&rows=5-5",
            &[("bias", &[4, 1, 8192])],
        ),
        (
            "page=multimodal&scheme2d=1d&grid=2x3",
            &[("frequencies", &[256]), ("pe", &[6, 512])],
        ),
        (
            "page=multimodal&scheme2d=sincos&grid=3x4&d_model=8",
            &[("frequencies", &[2]), ("pe", &[12, 8])],
        ),
        (
            "page=multimodal&scheme2d=relative&grid=2x3",
            &[("index", &[6, 6]), ("bias", &[4, 6, 6])],
        ),
        (
            "page=multimodal&scheme2d=rope&grid=2x3&d_model=8",
            &[("positions", &[6, 2]), ("cos", &[6, 2]), ("sin", &[6, 2])],
        ),
        (
            "page=multimodal&scheme2d=rope",
            &[
                ("positions", &[196, 2]),
                ("cos", &[196, 64]),
                ("sin", &[196, 64]),
            ],
        ),
        (
            "page=multimodal&scheme2d=relative&grid=64x64&rows=9-10",
            &[("index", &[2, 4096]), ("bias", &[4, 2, 4096])],
        ),
        (
            "page=multimodal&scheme2d=sincos&grid=64x64",
            &[("pe", &[4096, 512])],
        ),
    ];
    for (query, wanted) in cases {
        let object = vectors(query);
        assert_eq!(object["version"], 1);
        for (name, shape) in *wanted {
            let (found, data) = array(&object, name);
            assert_eq!(&found, shape, "{query} {name}");
            assert_eq!(data.len() as u64, shape.iter().product::<u64>());
            assert!(data.iter().all(|x| x.as_f64().is_some_and(f64::is_finite)));
        }
        let canonical = object["query"].as_str().expect("a query");
        assert_eq!(vectors(canonical)["arrays"], object["arrays"], "{query}");
    }
}

#[test]
fn vectors_give_scaled_rotations() {
    let tail = "d_model=128&heads=2&seq_len=3&factor=8&orig_len=4096&target_len=32768";
    let of = |scaling: &str| vectors(&format!("scheme=rope&scaling={scaling}&{tail}"));
    let plain = numbers(&of("none"), "inv_freq");
    for scaling in ["linear", "ntk", "dynamic", "yarn", "llama3", "longrope"] {
        let object = of(scaling);
        let notices = object["notices"].as_array().expect("a list");
        assert_eq!(
            notices.len(),
            usize::from(scaling == "longrope"),
            "{scaling}"
        );
        let inv_freq = numbers(&object, "inv_freq");
        let factor = numbers(&object, "attention_factor")[0];
        assert_eq!(inv_freq.len(), 32);
        let (cos, sin) = (numbers(&object, "cos"), numbers(&object, "sin"));
        for (at, (c, s)) in cos.iter().zip(&sin).enumerate() {
            let angle = (at / 32) as f64 * inv_freq[at % 32];
            assert!((c - factor * angle.cos()).abs() < 1e-14, "{scaling} {at}");
            assert!((s - factor * angle.sin()).abs() < 1e-14, "{scaling} {at}");
        }
        let last = plain[31] / inv_freq[31];
        let wanted = if scaling == "dynamic" { 57.0 } else { 8.0 };
        assert!(
            (last / wanted - 1.0).abs() < 1e-12,
            "{scaling}: last ÷ {last}"
        );
        let first = if scaling == "linear" { 8.0 } else { 1.0 };
        assert_eq!(plain[0] / inv_freq[0], first, "{scaling}");
        let attention = match scaling {
            "yarn" => 0.1 * 8f64.ln() + 1.0,
            "longrope" => (1.0 + 8f64.ln() / 4096f64.ln()).sqrt(),
            _ => 1.0,
        };
        assert!((factor - attention).abs() < 1e-15, "{scaling}");
        assert_eq!(object["params"]["scaling"], scaling);
        assert_eq!(object["params"]["target_len"], 32768);
    }
    // Up to the original length dynamic is none, and longrope takes its short list.
    for scaling in ["dynamic", "longrope"] {
        let short =
            vectors(&format!("scheme=rope&scaling={scaling}&{tail}").replace("32768", "4096"));
        assert_eq!(numbers(&short, "inv_freq"), plain, "{scaling}");
    }
    // At head_dim 2 the plain variant, with a notice.
    let object = vectors("scheme=rope&scaling=ntk&d_model=8&heads=4&seq_len=2");
    assert_eq!(object["notices"][0]["code"], "undefined");
    assert_eq!(object["params"]["scaling"], "none");
    assert_eq!(numbers(&object, "inv_freq"), [1.0]);
    // Every pair of two dimensions can be interpolated.
    let object = vectors("scheme=rope&scaling=yarn&d_model=8&heads=4&seq_len=2");
    assert!(object["notices"].as_array().expect("a list").is_empty());
    // Scaling is part of attention too, and only of schemes that rotate.
    let output = |query: &str| numbers(&vectors(query), "a_output");
    let page = "page=order&scheme=rope&d_model=16&heads=2";
    assert_ne!(output(&format!("{page}&scaling=yarn")), output(page));
    let page = "page=order&scheme=alibi&d_model=16&heads=8";
    assert_eq!(output(&format!("{page}&scaling=ntk")), output(page));
    let silent = vectors(&format!("{page}&scaling=ntk"));
    assert!(silent["notices"].as_array().expect("a list").is_empty());
}

#[test]
fn what_vectors_cannot_give_it_says() {
    let code = |object: &Json| object["notices"][0]["code"].as_str().map(str::to_owned);
    let large = vectors("scheme=alibi&seq_len=8192");
    assert_eq!(code(&large).as_deref(), Some("too-large"));
    assert!(large["arrays"]["bias"].is_null() && !large["arrays"]["slopes"].is_null());
    let other = vectors("page=order&text_b=hello");
    assert_eq!(code(&other).as_deref(), Some("no-permutation"));
    assert!(other["arrays"]["max_difference"].is_null());
    assert!(vectors("page=order&pool=none")["arrays"]["pooled_difference"].is_null());
}

#[test]
fn vectors_of_grids_are_what_the_formulas_say() {
    let close = |a: f64, b: f64| (a - b).abs() < 1e-13;
    let page = "page=multimodal&grid=3x5&d_model=16&heads=2";
    let of = |more: &str| vectors(&format!("{page}&{more}"));
    // 1d: the patch's number; the base may be given.
    for (base, given) in [(10000.0, ""), (300.0, "&base=300")] {
        let object = of(&format!("scheme2d=1d{given}"));
        let pe = numbers(&object, "pe");
        for (at, x) in pe.iter().enumerate() {
            let (patch, dim) = (at / 16, at % 16);
            let angle = patch as f64 * f64::powf(base, -((dim / 2 * 2) as f64) / 16.0);
            let wanted = if dim % 2 == 0 {
                angle.sin()
            } else {
                angle.cos()
            };
            assert!(close(*x, wanted), "{base} {at}");
        }
        // sincos: the column's half first, sines before cosines.
        let object = of(&format!("scheme2d=sincos{given}"));
        for (at, x) in numbers(&object, "pe").iter().enumerate() {
            let (patch, dim) = (at / 16, at % 16);
            let place = if dim < 8 { patch % 5 } else { patch / 5 };
            let angle = place as f64 * f64::powf(base, -((dim % 4) as f64) / 4.0);
            let wanted = if dim % 8 < 4 {
                angle.sin()
            } else {
                angle.cos()
            };
            assert!(close(*x, wanted), "{base} {at}");
        }
        // rope: the row's angles, then the column's.
        let object = of(&format!("scheme2d=rope{given}"));
        let positions = numbers(&object, "positions");
        let (cos, sin) = (numbers(&object, "cos"), numbers(&object, "sin"));
        for at in 0..15 * 4 {
            let (patch, pair) = (at / 4, at % 4);
            assert_eq!(positions[2 * patch], (patch / 5) as f64);
            assert_eq!(positions[2 * patch + 1], (patch % 5) as f64);
            let angle =
                positions[2 * patch + pair / 2] * f64::powf(base, -((pair % 2) as f64) / 2.0);
            assert!(close(cos[at], angle.cos()) && close(sin[at], angle.sin()));
        }
    }
    assert_eq!(of("scheme2d=rope")["params"]["base"], 10000.0);
    assert_eq!(of("scheme2d=rope&base=300")["params"]["base"], 300.0);
    // relative: one number a head and (Δrow, Δcolumn).
    let object = of("scheme2d=relative");
    let (index, bias) = (numbers(&object, "index"), numbers(&object, "bias"));
    let mut of_row = std::collections::BTreeMap::new();
    for (at, index) in index.iter().enumerate() {
        let (i, j) = (at / 15, at % 15);
        let (down, across) = (
            (i / 5) as f64 - (j / 5) as f64,
            (i % 5) as f64 - (j % 5) as f64,
        );
        assert_eq!(*index, (down + 2.0) * 9.0 + across + 4.0);
        for head in 0..2 {
            let b = bias[head * 225 + at];
            let kept = of_row.entry((head, *index as usize)).or_insert(b);
            assert_eq!(*kept, b);
        }
    }
    assert_eq!(of_row.len(), 2 * 45);
    let mut values: Vec<f64> = of_row.into_values().collect();
    values.sort_by(f64::total_cmp);
    values.dedup();
    assert_eq!(values.len(), 90, "every number of the table is its own");
    let edited = numbers(
        &of("scheme2d=relative&bias=zero&bias_edits=1:22:3.5"),
        "bias",
    );
    assert_eq!(edited.iter().filter(|b| **b == 3.5).count(), 15);
    let other = numbers(&of("scheme2d=relative&seed=7"), "bias");
    assert_ne!(other, bias);
    // What is too large is left out, its notice told, and the rest is there.
    let large = vectors("page=multimodal&scheme2d=relative&grid=64x64");
    assert_eq!(large["notices"][0]["code"], "too-large");
    // Where two axes cannot share a head or the width: the plain variant.
    let plain = vectors("page=multimodal&scheme2d=sincos&d_model=6&grid=2x2");
    assert_eq!(numbers(&plain, "frequencies").len(), 3);
    assert_eq!(plain["params"]["scheme2d"], "1d");
    assert_eq!(plain["params"]["grid"], "2x2");
}
