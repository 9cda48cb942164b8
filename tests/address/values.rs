//! What is asked for, and what is used and told instead.

use posenc_lab::core::encoding::rope::Rope;
use posenc_lab::core::encoding::rope_scaling::{LongContext, Remedy};
use posenc_lab::state::{
    Key, Kind, Page, Requested, blocks_text, decode, encode, legal_heads, type_size, typed_bias,
    typed_number,
};
use posenc_lab::vectors::vectors;

use crate::read::{numbers, read, told};

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
        ("trained=axb", "not-a-grid trained axb 7x7"),
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
fn tokens_of_a_sequence_are_clamped_to_its_last() {
    let (p, notices) = read("page=multimodal&blocks=text:3,image:2x2&q=7&k=99");
    assert_eq!((p.q, p.k), (6, 6));
    assert_eq!(notices, []);
    let (p, _) = read("page=multimodal&blocks=text:3,image:2x2&q=6&k=0");
    assert_eq!((p.q, p.k), (6, 0));
}

#[test]
fn a_bias_typed_is_taken_within_its_limits() {
    for (text, wanted, told) in [
        ("-2.5", Some(-2.5), None),
        (" 1e3 ", Some(1000.0), None),
        ("1001", Some(1000.0), Some("out-of-range")),
        ("-1e9", Some(-1000.0), Some("out-of-range")),
        ("two", None, Some("not-a-number")),
    ] {
        let (value, notice) = typed_bias(text);
        assert_eq!(value, wanted, "{text}");
        assert_eq!(notice.map(|n| n.code), told, "{text}");
    }
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

#[test]
fn the_scaling_of_the_core_and_of_the_address_have_the_same_words_and_defaults() {
    let Kind::Words(words) = Key::Scaling.spec().kind else {
        panic!("scaling is a word");
    };
    assert_eq!(Remedy::ALL.map(Remedy::id), *words);
    assert_eq!(read("").0.setting.context, LongContext::default());
}

/// A control is shown if and only if what it sets turns a pair otherwise, or stretches it.
#[test]
fn a_parameter_of_the_scaling_is_used_where_it_changes_the_rotation() {
    let rotation = |query: &str| {
        let rope = Rope::of(&read(query).0.setting).expect("legal");
        (rope.inv_freq().to_vec(), rope.attention_factor())
    };
    for remedy in Remedy::ALL {
        let plain = format!(
            "page=rope&d_model=256&heads=2&orig_len=4096&target_len=20000&scaling={}",
            remedy.id()
        );
        for (key, value) in [
            (Key::Factor, "9"),
            (Key::BetaFast, "64"),
            (Key::BetaSlow, "3"),
            (Key::Truncate, "0"),
            (Key::AttentionFactor, "2.5"),
            (Key::LowFreqFactor, "2"),
            (Key::HighFreqFactor, "9"),
        ] {
            let changed = format!("{plain}&{}={value}", key.name());
            let uses = rotation(&plain) != rotation(&changed);
            let p = read(&changed).0;
            assert_eq!(p.scaling_uses(key, false), uses, "{changed}");
            // A view of all remedies has the factor always.
            let compared = uses || key == Key::Factor;
            assert_eq!(p.scaling_uses(key, true), compared, "{changed}");
        }
    }
}

/// YaRN's 0.1 · ln s + 1 (arXiv 2309.00071, section 3.4), and what Phi-3's 128k of 4k come to: √(1 + ln 32 / ln 4096)
/// = √(17/12), since both are powers of two.
#[test]
fn the_factor_of_attention_that_is_shown_is_the_published_one() {
    let shown = |query: &str| {
        read(query)
            .0
            .number(Key::AttentionFactor)
            .expect("a number")
    };
    for (query, wanted) in [
        ("scaling=yarn&factor=4", 0.1 * 4f64.ln() + 1.0),
        (
            "scaling=longrope&factor=32&orig_len=4096",
            (17f64 / 12.0).sqrt(),
        ),
        ("scaling=yarn&attention_factor=2.5", 2.5),
        ("scaling=longrope&attention_factor=2.5", 2.5),
        ("scaling=linear&attention_factor=2.5", 1.0),
        ("scaling=llama3", 1.0),
        ("", 1.0),
    ] {
        let factor = shown(&format!("page=context&{query}"));
        assert!((factor - wanted).abs() < 1e-12, "{query}: {factor}");
    }
}

#[test]
fn setting_a_default_forgets_it() {
    let mut r = Requested::default();
    r.set_text(Key::SeqLen, "128").expect("legal");
    assert_eq!(encode(&r), "v=1&seq_len=128");
    r.set_text(Key::SeqLen, "64").expect("legal");
    assert_eq!(encode(&r), "");
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
