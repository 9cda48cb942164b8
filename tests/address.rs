//! The address: forgiving on the way in, canonical on the way out, and what `vectors` makes of it.

use posenc_lab::core::encoding::rope_scaling::{LongContext, Remedy};
use posenc_lab::figure::page_of;
use posenc_lab::state::{
    Key, Kind, MODELS, Notice, Page, Params, Requested, SPECS, blocks_text, decode, encode,
    legal_heads, open, type_size, typed_number,
};
use posenc_lab::vectors::vectors;
use proptest::prelude::*;
use serde_json::Value as Json;

fn read(query: &str) -> (Params, Vec<Notice>) {
    let (requested, mut notices) = decode(query);
    let params = open(&requested, page_of, &mut notices);
    (params, notices)
}

/// The notices as `code name given used`.
fn told(query: &str) -> Vec<String> {
    let notices = read(query).1;
    notices
        .iter()
        .map(|n| format!("{} {} {} {}", n.code, n.name, n.given, n.used))
        .collect()
}

#[test]
fn a_size_typed_goes_to_the_nearest_that_keeps_the_sequence_legal() {
    let (p, _) = read("page=multimodal&blocks=text:96,image:2x4,video:2x5x10");
    let all = "text:96,image:2x4,video:2x5x10";
    assert_eq!(blocks_text(&p.sequence.blocks), all);
    // (4096 - 96 - 100) / 4 and (4096 - 96 - 8) / 20, rounded down.
    for (at, side, typed, wanted, told) in [
        (1, 0, "2000", "image:975x4", Some(("out-of-range", "975"))),
        (1, 0, "99999", "image:975x4", Some(("out-of-range", "975"))),
        (1, 0, "975", "image:975x4", None),
        (1, 0, "", "image:2x4", Some(("not-a-number", "2"))),
        (1, 1, "-1", "image:2x1", Some(("out-of-range", "1"))),
        (1, 1, "３", "image:2x3", None),
        (0, 0, "1e999", "text:3988", Some(("out-of-range", "3988"))),
        (2, 1, "200", "video:2x199x10", Some(("out-of-range", "199"))),
        (2, 2, "2.7", "video:2x5x3", Some(("not-whole", "3"))),
        (2, 3, "7", "video:2x5x10", None),
        (9, 0, "7", "text:96", None),
    ] {
        let mut blocks = p.sequence.blocks.clone();
        let notice = type_size(&mut blocks, at, side, typed);
        let said = notice.as_ref().map(|n| (n.code, n.used.as_str()));
        assert_eq!(said, told, "{at} {side} {typed}");
        let text = blocks_text(&blocks);
        assert!(text.contains(wanted), "{at} {side} {typed}: {text}");
        // It reads back without a word.
        assert_eq!(read(&format!("page=multimodal&blocks={text}")).1, []);
    }
}

#[test]
fn an_answer_may_be_written_in_full_width_and_with_spaces() {
    for (text, wanted) in [
        ("２２", Some(22.0)),
        (" －０．２５ ", Some(-0.25)),
        ("−1e−3", Some(-1e-3)),
        ("１ ０００　", Some(1000.0)),
        ("", None),
        ("二", None),
        ("inf", None),
        ("NaN", None),
    ] {
        assert_eq!(typed_number(text), wanted, "{text}");
    }
}

#[test]
fn nothing_given_is_the_defaults_without_a_word() {
    for query in ["", "?", "utm_source=notes&foo=1&__proto__=x", "v=1"] {
        let (p, notices) = read(query);
        assert!(notices.is_empty(), "{notices:?}");
        assert_eq!((p.page, p.scheme.id()), (Page::Order, "none"));
        assert_eq!((p.setting.d_model, p.seq_len, p.setting.heads), (64, 64, 4));
        assert_eq!((p.setting.base, p.setting.seed), (10000.0, 42));
        assert_eq!(p.tokens_a, ["我", "爱", "中国"]);
        assert_eq!(encode(&decode(query).0), "");
    }
}

#[test]
fn bad_values_get_the_default_or_the_nearest_and_a_notice() {
    for (query, wanted) in [
        ("d_model=7", "not-even d_model 7 6"),
        ("d_model=abc", "not-a-number d_model abc 64"),
        ("d_model=", "not-a-number d_model  64"),
        ("seq_len=-3", "out-of-range seq_len -3 1"),
        ("seq_len=1e999", "out-of-range seq_len 1e999 8192"),
        ("base=NaN", "not-a-number base NaN 10000"),
        ("base=-inf", "out-of-range base -inf 1.0001"),
        ("page=nope", "unknown-word page nope order"),
        ("page=train", "not-built page train order"),
        ("causal=yes", "unknown-word causal yes 0"),
        ("text_a=", "empty text_a  我爱中国"),
        ("text_b=%2F%20%2F", "empty text_b / / 中国爱我"),
        ("layers=2.5", "not-whole layers 2.5 2"),
        ("embed=nothing", "unknown-figure embed nothing "),
        ("page=rope&scheme=alibi", "not-on-page scheme alibi rope"),
        ("page=order&d_model=1024", "out-of-range d_model 1024 512"),
        ("d_model=10&heads=4&scheme=rope", "not-a-divisor heads 4 5"),
        (
            "page=absolute&d_model=2&layout=t2t",
            "undefined layout t2t interleaved",
        ),
        (
            "scheme=rope&page=rope&d_model=8&heads=4&scaling=ntk",
            "undefined scaling ntk none",
        ),
        (
            "scheme=rope&page=rope&d_model=8&heads=4&scaling=dynamic&target_len=16",
            "undefined scaling dynamic none",
        ),
        (
            "page=rope&scaling=llama3&low_freq_factor=5",
            "out-of-order low_freq_factor 5 4",
        ),
        (
            "page=multimodal&sections=16,24,25",
            "sections-sum sections 16,24,25 16,24,24",
        ),
        (
            "page=multimodal&sections=16,24",
            "bad-sections sections 16,24 16,24,24",
        ),
        (
            "page=rope&scaling=yarn&beta_fast=2&beta_slow=3.5",
            "out-of-order beta_slow 3.5 2",
        ),
        (
            "page=rope&scaling=longrope",
            "toy-factors scaling longrope ",
        ),
        ("page=rope&scaling=yarn&factor=0", "out-of-range factor 0 1"),
        ("page=rope&scaling=su", "unknown-word scaling su none"),
        ("grid=0x5", "out-of-range grid 0x5 1x5"),
        ("grid=14x900", "out-of-range grid 14x900 14x64"),
        ("grid=14x", "not-a-grid grid 14x 14x14"),
        ("grid=2x3x4", "not-a-grid grid 2x3x4 14x14"),
        ("grid=", "not-a-grid grid  14x14"),
        ("grid=3.5x2", "not-whole grid 3.5x2 3x2"),
        ("window=17", "out-of-range window 17 16x16"),
        ("trained=axb", "not-a-grid trained axb 14x14"),
        ("patch=0", "out-of-range patch 0 1"),
        ("patch=big", "not-a-number patch big 16"),
        ("image=dog", "unknown-word image dog hills"),
        ("page=multimodal&scheme2d=3d", "unknown-word scheme2d 3d 1d"),
        (
            "page=multimodal&scheme2d=sincos&d_model=6",
            "undefined scheme2d sincos 1d",
        ),
        (
            "page=multimodal&scheme2d=rope&d_model=24&heads=4",
            "undefined scheme2d rope 1d",
        ),
        (
            "page=multimodal&scheme2d=rope&d_model=6",
            "undefined scheme2d rope 1d",
        ),
        (
            "page=multimodal&scheme2d=relative&d_model=512&heads=3",
            "not-a-divisor heads 3 2",
        ),
        (
            "page=multimodal&blocks=image:0x5",
            "out-of-range blocks image:0x5 image:1x5",
        ),
        (
            "page=multimodal&blocks=picture:3,text:2,image:5",
            "bad-block blocks picture:3,text:2,image:5 text:2",
        ),
        (
            "page=multimodal&blocks=video:2",
            "no-block blocks video:2 text:3,image:4x4,text:4,video:3x2x2,audio:6,text:2",
        ),
        (
            "page=multimodal&blocks=image:100x100",
            "no-block blocks image:100x100 text:3,image:4x4,text:4,video:3x2x2,audio:6,text:2",
        ),
        (
            "page=multimodal&blocks=image:99999x99999",
            "no-block blocks image:99999x99999 text:3,image:4x4,text:4,video:3x2x2,audio:6,text:2",
        ),
        (
            "page=multimodal&blocks=,",
            "empty blocks , text:3,image:4x4,text:4,video:3x2x2,audio:6,text:2",
        ),
        (
            "page=multimodal&blocks=text:4000,image:64x64,audio:96",
            "too-many-blocks blocks text:4000,image:64x64,audio:96 text:4000,audio:96",
        ),
        (
            "page=multimodal&blocks=text:1e999,text:1",
            "out-of-range blocks text:1e999,text:1 text:4096",
        ),
        (
            "page=multimodal&blocks=text:1.5",
            "not-whole blocks text:1.5 text:1",
        ),
        (
            "page=multimodal&mrope=qwen4",
            "unknown-word mrope qwen4 qwen2vl",
        ),
        ("page=multimodal&fps=0", "out-of-range fps 0 0.01"),
        ("page=multimodal&base=x", "not-a-number base x 1000000"),
        ("page=multimodal&heads=3", "not-a-divisor heads 3 2"),
        (
            "page=multimodal&mod_bias=text:image:0.5,text:smell:1",
            "bad-pair mod_bias text:image:0.5,text:smell:1 text:image:0.5",
        ),
        (
            "page=multimodal&mod_bias=text:image:2000",
            "out-of-range mod_bias text:image:2000 text:image:1000",
        ),
        ("seconds=0&rate=50", "out-of-range seconds 0 1"),
        ("seconds=7201", "out-of-range seconds 7201 7200"),
        ("rate=fast", "not-a-number rate fast 50"),
        (
            "bias_edits=0:1:2,zero",
            "bad-edit bias_edits 0:1:2,zero 0:1:2",
        ),
    ] {
        assert_eq!(told(query), [wanted], "{query}");
    }
    let all = told("d_model=abc&seq_len=-3&base=NaN&heads=5");
    assert_eq!(all.len(), 3, "heads are not used by `none`: {all:?}");
}

#[test]
fn places_are_clamped_silently() {
    let (p, notices) = read("page=absolute&seq_len=4&d_model=8&pos=9000&dim=-5&i=77&j=3");
    assert!(notices.is_empty(), "{notices:?}");
    assert_eq!((p.pos, p.dim, p.i, p.j), (3, 0, 3, 3));
}

#[test]
fn heads_go_to_the_nearest_legal_number_ties_down_and_come_back() {
    assert_eq!(legal_heads(6), [1, 3]);
    let (p, notices) = read("d_model=6&heads=2");
    assert_eq!(p.setting.heads, 1);
    assert!(notices.is_empty(), "`none` does not use heads");
    assert_eq!(read("d_model=12&heads=6").0.setting.heads, 6);
    let requested = decode("d_model=6&heads=2&scheme=alibi").0;
    assert!(encode(&requested).contains("heads=2"));
    assert_eq!(read("d_model=2").0.setting.heads, 1);
    assert_eq!(read("d_model=4").0.setting.heads, 2);
}

#[test]
fn long_and_strange_sentences_are_cut_and_never_break() {
    let long = "爱".repeat(500);
    let (p, notices) = read(&format!("text_a={long}&tokens=char"));
    assert_eq!(p.tokens_a.len(), 64);
    assert_eq!(notices[0].code, "too-long");
    let (p, _) = read("tokens=char&text_a=%F0%9F%91%A9%E2%80%8D%F0%9F%9A%80e%CC%81");
    assert_eq!(p.tokens_a.len(), 2);
    read("text_a=%FF%FE%00%zz&text_b=%");
}

#[test]
fn full_width_digits_are_digits() {
    assert_eq!(read("seq_len=１２８").0.seq_len, 128);
    assert!(told("seq_len=１２８").is_empty());
}

#[test]
fn the_first_of_a_name_given_twice_counts() {
    assert_eq!(read("seq_len=5&seq_len=9").0.seq_len, 5);
}

/// A query with a legal or nearly legal value for some parameters.
fn queries() -> impl Strategy<Value = String> {
    let one = (0..SPECS.len()).prop_flat_map(|at| {
        let spec = &SPECS[at];
        let value = match spec.kind {
            Kind::Int { min, max, .. } => (min - 1..=max + 1).prop_map(|x| x.to_string()).boxed(),
            Kind::Place => (-1..10_000i64).prop_map(|x| x.to_string()).boxed(),
            Kind::Real { min, max } => (min..max).prop_map(|x| x.to_string()).boxed(),
            Kind::Words(words) => proptest::sample::select(words.to_vec())
                .prop_map(str::to_owned)
                .boxed(),
            Kind::Flag => "[01]".boxed(),
            Kind::Edits => "([0-9]:[0-9]{1,2}:-?[0-9]\\.[0-9],?){0,4}".boxed(),
            Kind::Rows => "[0-9]-[0-9]{2}".boxed(),
            Kind::Grid { max } => (0..=max + 1, 1..=max)
                .prop_map(|(r, c)| format!("{r}x{c}"))
                .boxed(),
            Kind::Blocks => "(text:[0-9]{1,3},|image:[0-9]x[0-9]{1,2},|video:[0-9]x[0-9]x[0-9],|audio:[0-9]{1,4},?){0,5}".boxed(),
            Kind::ModBias => "((text|image|video|audio|x):(text|image|audio):-?[0-9]\\.[0-9],?){0,4}".boxed(),
            Kind::Sections => "[0-9]{1,2},[0-9]{1,2},[0-9]{1,2}".boxed(),
            Kind::Names => "[a-z_]{1,8}(,[a-z_]{1,8}){0,2}".boxed(),
            _ => "\\PC{0,12}".boxed(),
        };
        value.prop_map(move |v| {
            form_urlencoded::Serializer::new(String::new())
                .append_pair(spec.name, &v)
                .finish()
        })
    });
    proptest::collection::vec(one, 0..8).prop_map(|parts| parts.join("&"))
}

proptest! {
    #[test]
    fn decoding_what_was_encoded_gives_the_same(query in queries()) {
        let (requested, _) = decode(&query);
        let (again, notices) = decode(&encode(&requested));
        prop_assert!(notices.is_empty(), "{:?}", notices);
        prop_assert_eq!(&again, &requested);
        prop_assert_eq!(encode(&again), encode(&requested));
    }

    #[test]
    fn resolved_parameters_are_legal_whatever_was_asked(query in queries()) {
        let (p, _) = read(&query);
        let s = &p.setting;
        prop_assert!(s.d_model.is_multiple_of(2) && s.d_model <= 4096);
        prop_assert!(legal_heads(s.d_model).contains(&s.heads));
        prop_assert!(p.page.schemes().any(|s| s == p.scheme));
        prop_assert!(p.dim < s.d_model && p.head < s.heads);
        if p.page == Page::Multimodal {
            prop_assert!(p.pos < p.grid.cells() && p.i.max(p.j) < p.window.cells());
            let arrays = p.scheme2d.map(|of| of.arrays(s, p.grid_base, p.grid, 0..1).is_ok());
            prop_assert!(arrays.unwrap_or(true));
        } else {
            prop_assert!(p.pos < p.seq_len && p.i.max(p.j) < p.seq_len);
        }
        prop_assert!((1..=64).contains(&p.tokens_a.len()));
        prop_assert!(p.page.is_live());
        let ids = p.sequence.ids();
        prop_assert!(ids.is_ok_and(|ids| (1..=4096).contains(&ids.len())));
        prop_assert!(p.sequence.rope(s.d_model / s.heads).is_ok());
        prop_assert!(p.scheme.prepare(s, p.tokens_a.len()).is_ok());
    }

    #[test]
    fn any_string_is_safe(query in "\\PC{0,80}", bytes in proptest::collection::vec(any::<u8>(), 0..60)) {
        read(&query);
        read(&String::from_utf8_lossy(&bytes));
    }
}

/// A query, and the names and shapes of arrays that it must give.
type Promise = (&'static str, &'static [(&'static str, &'static [u64])]);

fn array<'a>(object: &'a Json, name: &str) -> (Vec<u64>, &'a Vec<Json>) {
    let array = &object["arrays"][name];
    let shape = array["shape"].as_array().expect(name);
    let shape = shape.iter().map(|x| x.as_u64().expect("a size")).collect();
    (shape, array["data"].as_array().expect("data"))
}

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

fn numbers(object: &Json, name: &str) -> Vec<f64> {
    let (_, data) = array(object, name);
    data.iter().map(|x| x.as_f64().expect("a number")).collect()
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
fn the_scaling_of_the_core_and_of_the_address_have_the_same_words_and_defaults() {
    let Kind::Words(words) = Key::Scaling.spec().kind else {
        panic!("scaling is a word");
    };
    assert_eq!(Remedy::ALL.map(Remedy::id), *words);
    assert_eq!(read("").0.setting.context, LongContext::default());
}

#[test]
fn setting_a_default_forgets_it() {
    let mut r = Requested::default();
    r.set_text(Key::SeqLen, "128").expect("legal");
    assert_eq!(encode(&r), "v=1&seq_len=128");
    r.set_text(Key::SeqLen, "64").expect("legal");
    assert_eq!(encode(&r), "");
}

#[test]
fn a_model_sets_what_is_not_given_otherwise() {
    let (p, notices) = read("page=context&preset=llama-3.1-8b");
    assert!(notices.is_empty(), "{notices:?}");
    let c = p.setting.context;
    assert_eq!(
        (p.setting.d_model, p.setting.heads, p.setting.base),
        (4096, 32, 500_000.0)
    );
    assert_eq!((c.remedy, c.factor), (Remedy::Llama3, 8.0));
    assert_eq!((c.orig_len, c.target_len), (8192, 131_072));
    // One given value, a default among them, keeps the others, on either side of the model.
    for query in [
        "preset=llama-3.1-8b&factor=4",
        "factor=4&preset=llama-3.1-8b",
    ] {
        let (p, _) = read(&format!("page=context&{query}"));
        assert_eq!(
            (p.setting.context.factor, p.setting.context.remedy),
            (4.0, Remedy::Llama3)
        );
        let requested = decode(&format!("page=context&{query}")).0;
        let again = encode(&requested);
        assert_eq!(again, "v=1&page=context&factor=4&preset=llama-3.1-8b");
        assert_eq!(decode(&again).0, requested);
    }
    let same = decode("preset=llama-3.1-8b&factor=8&scaling=llama3").0;
    assert_eq!(encode(&same), "v=1&preset=llama-3.1-8b");
    assert_eq!(
        told("page=context&preset=gpt-9"),
        ["unknown-word preset gpt-9 "]
    );
}

#[test]
fn choosing_and_leaving_a_model() {
    let model = |id: &str| posenc_lab::state::MODELS.iter().find(|m| m.id == id);
    let mut r = decode("page=context&base=777&pos=5").0;
    r.choose(model("qwen2.5-7b"));
    assert_eq!(encode(&r), "v=1&page=context&pos=5&preset=qwen2.5-7b");
    r.set_text(Key::Base, "10000").expect("legal");
    assert_eq!(
        encode(&r),
        "v=1&page=context&base=10000&pos=5&preset=qwen2.5-7b"
    );
    r.choose(model("llama-2-7b"));
    assert_eq!(encode(&r), "v=1&page=context&pos=5&preset=llama-2-7b");
    r.choose(None);
    assert_eq!(encode(&r), "v=1&page=context&pos=5");
    // What the address says without its model is still canonical.
    let mut r = decode("preset=llama-3.1-8b&factor=4&heads=8").0;
    r.clear(Key::Preset);
    assert_eq!(encode(&r), "v=1&heads=8");
}

/// Whatever was changed under one model, another starts as it is.
#[test]
fn a_model_chosen_after_another_leaves_nothing_of_it() {
    for before in MODELS {
        for after in MODELS.iter().map(Some).chain([None]) {
            let mut r = decode(&format!("page=context&pos=5&preset={}", before.id)).0;
            for (key, _) in before.values {
                let text = match key.spec().kind {
                    Kind::Words(_) => "dynamic",
                    Kind::Int { .. } => "24",
                    _ => "7",
                };
                r.set_text(*key, text).expect("legal");
                assert!(r.get(*key).is_some(), "{key:?} is changed");
            }
            r.choose(after);
            let preset = after.map_or(String::new(), |m| format!("&preset={}", m.id));
            assert_eq!(encode(&r), format!("v=1&page=context&pos=5{preset}"));
        }
    }
}

/// A table has the columns 0 to 2R, or T5's 32, and as many rows as there are heads.
#[test]
fn changes_outside_the_table_are_told_from_its_end_on() {
    let of = "page=relative&d_model=16&heads=2&max_rel_dist=3";
    for (scheme, last) in [("relative", 6), ("t5", 31)] {
        for (head, index, outside) in [
            (0, last, false),
            (1, last, false),
            (0, last + 1, true),
            (1, last + 1, true),
            (2, 0, true),
            (2, last, true),
        ] {
            let edit = format!("{head}:{index}:1.5");
            let query = format!("{of}&scheme={scheme}&bias_edits={edit}");
            let wanted = outside.then(|| format!("edit-outside bias_edits {edit} "));
            assert_eq!(told(&query), Vec::from_iter(wanted), "{query}");
            let bias = numbers(&vectors(&format!("{query}&bias=zero&seq_len=200")), "bias");
            assert_eq!(bias.contains(&1.5), !outside, "{query}");
        }
    }
}

#[test]
fn grids_may_be_written_in_several_ways() {
    for text in [
        "20x20",
        "20X20",
        "20×20",
        "２０x２０",
        "20*20",
        "20",
        " 20 x 20 ",
    ] {
        let query = format!("grid={text}");
        let (p, notices) = read(&query);
        assert!(notices.is_empty(), "{text}: {notices:?}");
        assert_eq!((p.grid.rows(), p.grid.columns()), (20, 20), "{text}");
        assert_eq!(encode(&decode(&query).0), "v=1&grid=20x20");
    }
    assert_eq!(encode(&decode("grid=14x14&window=7").0), "");
    let (p, _) = read("page=multimodal&grid=3x5&pos=99&window=2x3&i=99&j=4");
    assert_eq!((p.pos, p.i, p.j), (14, 5, 4));
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
