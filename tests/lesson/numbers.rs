//! Live numbers and conditions against the core.

use posenc_lab::core::encoding::Prepared;
use posenc_lab::core::encoding::sinusoidal::Sinusoidal;
use posenc_lab::figure::by_id;
use posenc_lab::lesson::live::{Live, LiveNumber, live, names};
use posenc_lab::state::{Lang, Page, Params};

use super::params;

fn number(p: &Params, name: &str) -> f64 {
    let found = Live::new(p, None).number(name);
    found.unwrap_or_else(|| panic!("no {name}")).number
}

#[test]
fn numbers_of_absolute_are_those_of_the_core() {
    for query in [
        "pos=3&dim=5",
        "pos=60&dim=40&layout=concatenated&base=500&shift=-7",
        "pos=9&dim=63&layout=t2t&d_model=64",
    ] {
        let p = params(&format!("page=absolute&{query}"));
        let s = &p.setting;
        let pe = Sinusoidal::new(s.d_model, s.base, s.layout).expect("valid");
        let m = pe.matrix(&[p.pos as f64, (p.pos as i64 + p.shift) as f64]);
        assert!((number(&p, "cell") - m[(0, p.dim)]).abs() < 1e-14);
        let half = s.d_model as f64 / 2.0;
        let product = m.row(0).dot(&m.row(1)) / half;
        assert!((number(&p, "similarity") - product).abs() < 1e-12);
        let angle = number(&p, "angle");
        let (sin, cos) = angle.sin_cos();
        let func = Live::new(&p, None).number("func").expect("there").text;
        let value = if func == "sin" { sin } else { cos };
        assert!((value - m[(0, p.dim)]).abs() < 1e-12, "{query} {func}");
        let turns = number(&p, "last_turns") * number(&p, "last_wavelength");
        assert!((turns - 2048.0).abs() < 1e-9);
    }
}

#[test]
fn numbers_of_relative_and_rope_are_those_of_their_figures() {
    let same = |query: &str, figure: &str, pairs: &[(&str, &str)]| {
        let p = params(query);
        let picture = by_id(figure)
            .expect("a figure")
            .compute(&p)
            .expect("computed");
        let readouts = picture.readouts(&p, Lang::En);
        for (name, value) in pairs {
            let shown = readouts.iter().find(|r| r.name == *value).expect(value);
            let own = Live::new(&p, None).number(name).map(|n| n.number);
            match (own, shown.number) {
                (Some(a), Some(b)) => assert!((a - b).abs() < 1e-12, "{query} {name}: {a} {b}"),
                (a, b) => assert_eq!(a, b, "{query} {name}"),
            }
        }
    };
    for query in [
        "page=relative&i=7&j=2",
        "page=relative&i=1&j=7&max_rel_dist=5&bias=decay&head=3",
        "page=relative&scheme=t5&i=6&j=3&causal=1&bias_edits=0:3:3.5",
        "page=relative&scheme=alibi&heads=2&head=1&i=5&j=4&seq_len=6",
        "page=relative&causal=1&i=3&j=6",
        "page=relative&seq_len=300&i=200&j=5",
    ] {
        let pairs = [
            ("score_before", "score-before"),
            ("score", "score"),
            ("weight", "weight"),
        ];
        same(query, "attention", &pairs);
        let p = params(query);
        let Ok(Prepared::ScoreBias(all)) = p.scheme.prepare(&p.setting, p.seq_len) else {
            panic!("a bias");
        };
        assert_eq!(number(&p, "bias"), all[p.head][(p.i, p.j)], "{query}");
    }
    for query in [
        "page=multimodal",
        "page=multimodal&grid=5x9&d_model=64&base=77&patch=14&window=3x4&i=10&j=2",
    ] {
        let pairs = [
            ("patches", "patches"),
            ("image_height", "image-height"),
            ("image_width", "image-width"),
            ("right_1d", "right-1d"),
            ("below_1d", "below-1d"),
            ("next_2d", "right-sincos"),
            ("next_2d", "below-sincos"),
        ];
        same(query, "img-patches", &pairs);
        let pairs = [
            ("delta_row", "delta-row"),
            ("delta_column", "delta-column"),
            ("swin_index", "index"),
            ("swin_rows", "table-rows"),
        ];
        same(query, "swin-index", &pairs);
    }
    for query in [
        "page=rope&i=30&j=4",
        "page=rope&pairing=half&base=500&d_model=96&heads=2&i=1&j=50&seed=7",
    ] {
        same(query, "rope-rotate", &[("rope_score", "score")]);
        same(query, "rope-score", &[("mean_cosine", "mean-cosine")]);
    }
}

#[test]
fn every_name_has_a_number_where_it_means_something_and_only_on_its_page() {
    for page in Page::LIVE {
        for name in names(*page) {
            let there = page.schemes().any(|scheme| {
                let p = params(&format!("page={}&scheme={}", page.id(), scheme.id()));
                Live::new(&p, Some(0.5)).number(name).is_some()
            });
            assert!(there, "{} {name}", page.id());
        }
    }
    let p = params("page=order");
    let live = live(&p, Some(0.25));
    let value = |name: &str| {
        live.iter()
            .find(|(n, _)| *n == name)
            .map(|(_, l)| l.clone())
    };
    let three = LiveNumber {
        number: 3.0,
        text: "3".to_owned(),
    };
    assert_eq!(value("n_tokens"), Some(three));
    assert_eq!(value("max_difference").map(|l| l.number), Some(0.25));
    assert_eq!(value("cell"), None);
}

#[test]
fn extreme_parameters_give_numbers_or_none() {
    for page in Page::LIVE {
        for query in [
            "d_model=2&seq_len=1&heads=1&max_rel_dist=1",
            "d_model=4096&seq_len=8192&heads=1&pos=8191&dim=4095&i=8191&j=0&base=1e9",
            "d_model=2&layout=t2t&base=1.0001&shift=-8192",
        ] {
            let p = params(&format!("page={}&{query}", page.id()));
            for (name, n) in live(&p, None) {
                assert!(n.number.is_finite() && !n.text.is_empty(), "{query} {name}");
                assert!(!n.text.contains(['-', 'N']), "{name}: {}", n.text);
            }
        }
    }
}

#[test]
fn conditions_hold_when_they_are_said_to() {
    let holds = |query: &str, difference, name| Live::new(&params(query), difference).holds(name);
    for (name, query, difference) in [
        ("mask-shows-order", "page=order&causal=1", Some(0.3)),
        ("mirror-blind", "page=order&scheme=alibi", Some(1e-16)),
        ("last-pair-slow", "page=absolute&base=393", None),
        ("beyond-clip", "page=relative&i=40&j=3", None),
        ("symmetric-decay", "page=relative&bias=decay", None),
        ("score-kept", "page=rope&i=45&j=40", None),
        ("rope-last-pair-slow", "page=rope&base=1000000", None),
        ("rope-negative", "page=rope&base=2&i=4&j=0", None),
        ("no-direction", "page=compare&bias=zero", None),
        ("swin-45", "page=multimodal&window=3x5", None),
        ("swin-45", "page=multimodal&window=8x2", None),
    ] {
        assert!(holds(query, difference, name), "{name}");
    }
    for (name, query, difference) in [
        ("mask-shows-order", "page=order&causal=1", None),
        ("mask-shows-order", "page=order", Some(0.3)),
        (
            "mask-shows-order",
            "page=order&causal=1&scheme=rope",
            Some(0.3),
        ),
        ("mirror-blind", "page=order&scheme=alibi", Some(0.3)),
        (
            "mirror-blind",
            "page=order&scheme=alibi&causal=1",
            Some(0.0),
        ),
        ("last-pair-slow", "page=absolute&base=392", None),
        ("last-pair-slow", "page=rope", None),
        ("beyond-clip", "page=relative&i=19&j=3", None),
        ("beyond-clip", "page=relative&scheme=alibi&i=40&j=3", None),
        ("symmetric-decay", "page=relative", None),
        (
            "symmetric-decay",
            "page=relative&bias=decay&seq_len=9",
            None,
        ),
        ("score-kept", "page=rope&i=44&j=39", None),
        ("score-kept", "page=rope&i=40&j=45", None),
        ("rope-last-pair-slow", "page=rope", None),
        ("rope-negative", "page=rope", None),
        ("swin-45", "page=multimodal", None),
        ("swin-45", "page=multimodal&window=5x4", None),
        ("no-direction", "page=compare", None),
        ("no-direction", "page=compare&bias=decay&causal=1", None),
        ("nothing", "page=rope", None),
    ] {
        assert!(!holds(query, difference, name), "{name} {query}");
    }
}
