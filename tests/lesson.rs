//! The text of the lesson: both languages alike, every name in it known, every figure in its
//! place; and the live numbers against the core.

#[path = "../examples/lesson/glossary.rs"]
mod glossary;
#[path = "../examples/lesson/inline.rs"]
mod inline;
#[path = "../examples/lesson/math.rs"]
mod math;
#[path = "../examples/lesson/pages.rs"]
mod pages;
#[path = "../examples/lesson/parse.rs"]
mod parse;

use std::collections::BTreeSet;

use glossary::Glossary;
use posenc_lab::core::encoding::Prepared;
use posenc_lab::core::encoding::sinusoidal::Sinusoidal;
use posenc_lab::figure::{by_id, page_of};
use posenc_lab::lesson::live::{Live, LiveNumber, live, names};
use posenc_lab::lesson::piece::{Block, Piece, fixtures, link};
use posenc_lab::state::{Lang, Page, Params, decode, resolve};

fn params(query: &str) -> Params {
    resolve(&decode(query).0, page_of).0
}

fn made() -> Vec<pages::Made> {
    pages::all().unwrap_or_else(|e| panic!("{e}"))
}

fn piece(all: &[pages::Made], page: Page, lang: Lang) -> &Piece {
    all.iter()
        .find(|m| m.page == page && m.lang == lang)
        .map(|m| &m.piece)
        .unwrap_or_else(|| panic!("no text: src/lesson/{}.{}.md", page.id(), lang.id()))
}

#[test]
fn every_live_page_has_its_text_in_both_languages_alike() {
    let all = made();
    for page in Page::LIVE {
        let [zh, en] = [Lang::Zh, Lang::En].map(|lang| piece(&all, *page, lang));
        let outline = |p: &Piece| p.blocks.iter().map(Block::outline).collect::<Vec<_>>();
        assert_eq!(outline(zh), outline(en), "{}", page.id());
        assert_eq!(zh.contents.len(), en.contents.len(), "{}", page.id());
        assert!(zh.contents.iter().all(|(_, title)| !title.is_empty()));
    }
}

#[test]
fn every_figure_stands_once_and_names_are_used_once() {
    for m in made() {
        let id = m.page.id();
        let mut stand: Vec<&str> = Vec::new();
        let mut used = BTreeSet::new();
        for block in &m.piece.blocks {
            if let Block::Figure(id) | Block::Tool(id) = block {
                stand.push(id);
            }
            let name = match block {
                Block::Predict { id, .. } => Some(id.as_str()),
                other => other.check(),
            };
            if let Some(name) = name {
                assert!(used.insert(name.to_owned()), "{id}: {name} twice");
            }
        }
        let wanted: Vec<&str> = fixtures(m.page).iter().map(|f| f.id()).collect();
        assert_eq!(
            stand, wanted,
            "{id}: figures and tools, in the order of their list"
        );
    }
}

#[test]
fn a_question_stands_before_the_figure_that_answers_it_and_checks_end_the_page() {
    for m in made() {
        let blocks = &m.piece.blocks;
        let at = |figure: &str| {
            blocks
                .iter()
                .position(|b| matches!(b, Block::Figure(f) if f == figure))
        };
        for (k, block) in blocks.iter().enumerate() {
            if let Block::Predict { id, figure, .. } = block {
                assert!(at(figure) > Some(k), "{}: {id}", m.page.id());
            }
        }
        let checks = m.piece.checks().count();
        assert_eq!(checks, 3, "{} {}", m.page.id(), m.lang.id());
        let numeric = |b: &Block| matches!(b, Block::Number { .. });
        assert!(blocks.iter().any(numeric), "{}", m.page.id());
        let set = |b: &Block| matches!(b, Block::Setting { .. });
        assert!(blocks.iter().any(set), "{}", m.page.id());
        assert!(!m.piece.sources().is_empty(), "{}", m.page.id());
    }
}

#[test]
fn pieces_survive_being_written_and_read() {
    for m in made() {
        let text = m.piece.to_json().to_string();
        assert_eq!(Piece::parse(&text).as_ref(), Some(&m.piece));
        let texts = m.piece.blocks.iter();
        let texts = texts.filter(|b| !matches!(b, Block::Code { .. }));
        for block in texts.map(|b| format!("{b:?}")) {
            for wrong in ["[[", "]]", ":::", "hole{", "$", "\u{E000}"] {
                assert!(!block.contains(wrong), "{}: {block}", m.page.id());
            }
        }
    }
    assert_eq!(Piece::parse("<html>"), None);
    assert_eq!(
        Piece::parse(r#"{"contents":[],"blocks":[{"kind":"?"}]}"#),
        None
    );
}

#[test]
fn english_texts_have_no_chinese_but_quotations() {
    let han = |c: char| ('\u{4E00}'..='\u{9FFF}').contains(&c);
    for page in Page::LIVE {
        let path = format!("src/lesson/{}.en.md", page.id());
        let text = std::fs::read_to_string(&path).expect("a text");
        for (k, line) in text.lines().enumerate() {
            let mut quoted = false;
            for c in line.chars() {
                quoted = c == '“' || quoted && c != '”';
                assert!(quoted || !han(c), "{path}:{}: {line}", k + 1);
            }
        }
    }
}

fn terms() -> Glossary {
    let yaml = r#"
key: {zh: 键, en: "key <k>", zh_def: 供人比对, en_def: offered for comparison}
"#;
    Glossary::parse(yaml).expect("a glossary")
}

fn parsed(text: &str) -> Result<Piece, String> {
    parse::parse(text, Page::Absolute, false, &terms())
}

#[test]
fn terms_numbers_and_formulas_within_texts() {
    let text =
        "A [[key]] or [[key|Keys]], at {pos}: $\\q{q} \\cdot \\hole{cell}$.\n\n## On [[key]]\n";
    let piece = parsed(text).expect("parsed");
    let Block::Text(html) = &piece.blocks[0] else {
        panic!("{piece:?}");
    };
    assert!(
        html.contains(r#"aria-describedby="term-1">key &lt;k&gt;</button>"#),
        "{html}"
    );
    assert!(html.contains(">Keys</button>"), "{html}");
    assert!(
        html.contains("<b>key &lt;k&gt;</b> <span lang=\"zh-CN\">键</span>"),
        "{html}"
    );
    assert!(
        html.contains(r#"<span class="live" data-live="pos">…</span>:"#),
        "{html}"
    );
    assert!(
        html.contains(r#"<mn class="live hue-traced" data-live="cell">…</mn>"#),
        "{html}"
    );
    assert!(html.contains(r#"class="hue-query""#), "{html}");
    let heading = ("part-1".to_owned(), "On key &lt;k&gt;".to_owned());
    assert_eq!(piece.contents, [heading]);
}

#[test]
fn what_is_wrong_with_a_text_is_told_with_its_line() {
    for (text, line, told) in [
        ("A\n\n{nothing}\n", "1", "nothing"),
        ("A\n\n::: figure nope\n:::\n", "3", "nope"),
        ("::: figure order-swap\n:::\n", "1", "order-swap"),
        ("::: limits\n- a\n", "1", "no end"),
        ("\n::: claim X identity\nA\n:::\n", "2", "X"),
        ("::: claim E a book\nA\n:::\n", "1", "a book"),
        ("::: claim E\nA\n:::\n", "1", "not a source"),
        ("::: code cobol\n:::\n", "1", "cobol"),
        ("::: formula f\n$$\\hole{nope}$$\n:::\n", "1", "nope"),
        ("::: formula f\n$$\\frac{1$$\n:::\n", "1", "frac"),
        (
            "::: predict a pe-waves\nQ\n- [x] a | b\n:::\n",
            "1",
            "two to four",
        ),
        (
            "::: predict a pe-waves\nQ\n- [x] a | b\n- [ ] c\n:::\n",
            "1",
            "no reason",
        ),
        (
            "::: check number a cell 2\nQ\n\n| why\n:::\n",
            "1",
            "tolerance",
        ),
        ("::: check number a cell 0.1\nQ\n:::\n", "1", "explanation"),
        (
            "::: check figure a score-kept\nQ\n\n| why\n:::\n",
            "1",
            "score-kept",
        ),
        ("::: what\n:::\n", "1", "what"),
        ("[[unknown]]", "1", "unknown"),
        ("<b>a</b>", "1", "HTML"),
    ] {
        let error = parsed(text).expect_err(text);
        assert!(error.starts_with(&format!("{line}: ")), "{text}: {error}");
        assert!(error.contains(told), "{text}: {error}");
    }
}

#[test]
fn sources_with_an_address_are_links() {
    let address = link("arXiv:1706.03762 §3.5");
    assert_eq!(address.as_deref(), Some("https://arxiv.org/abs/1706.03762"));
    assert_eq!(link("identity"), None);
    assert_eq!(link("file: a/b c.py"), None);
}

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
        let picture = (by_id(figure).expect("a figure").compute)(&p).expect("computed");
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
        "page=relative&i=9&j=2",
        "page=relative&i=2&j=40&max_rel_dist=5&bias=decay&head=3",
        "page=relative&scheme=t5&i=50&j=3&causal=1&bias_edits=0:24:3.5",
        "page=relative&scheme=alibi&heads=2&head=1&i=20&j=4",
        "page=relative&causal=1&i=3&j=9",
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
