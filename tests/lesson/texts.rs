//! What the build makes of a text, and what it says of one that is wrong.

use posenc_lab::lesson::piece::{Block, Piece};
use posenc_lab::lesson::source::Source;
use posenc_lab::state::Page;

use super::glossary::Glossary;
use super::parse::parse;
use super::sources::Titles;

fn titles() -> Titles {
    let yaml = r#"{"arXiv:1706.03762": "Attention Is <All> You Need", "https://a.example/b": "B"}"#;
    Titles::parse(yaml).expect("titles")
}

fn terms() -> Glossary {
    let yaml = r#"
key: {zh: 键, en: "key <k>", zh_def: 供人比对, en_def: offered for comparison}
"#;
    Glossary::parse(yaml).expect("a glossary")
}

fn parsed(text: &str) -> Result<Piece, String> {
    parse(text, Page::Absolute, false, &terms(), &titles())
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
        ("::: claim S identity\nA\n:::\n", "1", "identity"),
        (
            "::: claim M identity; arXiv:1706.03762\nA\n:::\n",
            "1",
            "identity",
        ),
        ("::: claim C identity\nA\n:::\n", "1", "identity"),
        (
            "::: claim M figure: pe-waves\nA\n:::\n",
            "1",
            "needs a paper",
        ),
        (
            "\n\n::: claim F identity\nA\n:::\n",
            "3",
            "needs the figure",
        ),
        ("::: claim F figure: pe-nope\nA\n:::\n", "1", "pe-nope"),
        ("::: claim S file: a/b\nA\n:::\n", "1", "a/b"),
        (
            "::: claim S arXiv:1234.56789\nA\n:::\n",
            "1",
            "no title for arXiv:1234.56789",
        ),
        ("A\n\n[a](page:train)\n", "1", "no page train"),
        ("[a](page:nope)", "1", "nope"),
        ("[a](figure:nope)", "1", "nope"),
        ("[a](http://a.example)", "1", "http://a.example"),
        ("[](page:rope)", "1", "without words"),
        ("[](arXiv:1234.56789)", "1", "no title"),
        ("![a](https://a.example/b.png)", "1", "image"),
        ("{?nothing}A", "1", "nothing"),
        ("A {?cell}B", "1", "?cell"),
        (
            "::: predict a pe-waves\nQ\n- [x] a | {?cell}b\n- [ ] c | d\n:::\n",
            "1",
            "whole paragraphs",
        ),
        (
            "::: predict a pe-waves\nQ\n- [x] [a](page:rope) | b\n- [ ] c | d\n:::\n",
            "1",
            "link within",
        ),
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

fn text(markdown: &str) -> String {
    match parsed(markdown).expect(markdown).blocks.swap_remove(0) {
        Block::Text(html) => html,
        other => panic!("{other:?}"),
    }
}

#[test]
fn links_lead_out_in_a_tab_of_their_own_and_within_the_lab_by_name() {
    let out = r#"rel="noreferrer" target="_blank">"#;
    for (markdown, html) in [
        ("[a](https://a.example)", format!(r#"<a href="https://a.example" {out}a</a>"#)),
        ("[](https://a.example/b)", format!(r#"<a href="https://a.example/b" {out}B</a>"#)),
        (
            "[](arXiv:1706.03762)",
            format!(r#"<a href="https://arxiv.org/abs/1706.03762" {out}Attention Is &lt;All&gt; You Need</a>"#),
        ),
        (
            "[the **turn**](page:rope)",
            r#"<a href="?page=rope" data-page="rope">the <strong>turn</strong></a>"#.to_owned(),
        ),
        (
            "[{pos}](figure:rope-score)",
            r##"<a href="?page=rope#rope-score" data-page="rope" data-to="rope-score"><span class="live" data-live="pos">…</span></a>"##
                .to_owned(),
        ),
    ] {
        assert_eq!(text(markdown), format!("<p>{html}</p>"), "{markdown}");
    }
}

#[test]
fn what_has_a_condition_is_hidden_until_there_is_a_number() {
    let only = r#"data-if="cell" hidden"#;
    assert_eq!(
        text("A\n\n{?cell}B **c**"),
        format!("<p>A</p>\n<p {only}>B <strong>c</strong></p>")
    );
    assert_eq!(
        text("{?cell}{?pos} B"),
        r#"<p data-if="cell pos" hidden>B</p>"#
    );
    let list = text("- {?cell}a\n- b");
    assert!(
        list.contains(&format!("<li {only}>a</li>")) && list.contains("<li>b</li>"),
        "{list}"
    );
    let loose = text("- {?cell}a\n\n- b");
    assert!(loose.contains(&format!("<li {only}><p>a</p>")), "{loose}");
    let formula = parsed("::: formula f\n$$1$$\n{?cell}$$\\hole{cell}$$\n:::\n").expect("parsed");
    let Block::Formula { lines, .. } = &formula.blocks[0] else {
        panic!("{formula:?}");
    };
    let starts = [
        r#"<div class="scroll" tabindex="0">"#.to_owned(),
        format!(r#"<div class="scroll" tabindex="0" {only}>"#),
    ];
    for (line, start) in lines.iter().zip(&starts) {
        assert!(
            line.starts_with(start.as_str()) && line.ends_with("</math></div>"),
            "{line}"
        );
    }
}

#[test]
fn sources_are_titles_with_addresses_and_stand_once_in_the_list() {
    let claims = "::: claim S arXiv:1706.03762 §3.5; file: a/b c/d.py\nA\n:::\n\n\
        ::: claim F figure: pe-waves; arXiv:1706.03762 §3.5\nB\n:::\n\n\
        ::: claim M file: a/b issues/7; arXiv:1706.03762 §4; https://a.example/b\nC\n:::\n";
    let piece = parsed(claims).expect("parsed");
    let Block::Claim { sources, .. } = &piece.blocks[1] else {
        panic!("{piece:?}");
    };
    assert_eq!(sources[0], Source::Figure("pe-waves".to_owned()));
    let listed: Vec<(String, String)> = piece
        .works()
        .iter()
        .map(|s| match s {
            Source::Work { href, .. } => (s.name(), href.clone()),
            other => panic!("{other:?}"),
        })
        .collect();
    let wanted = [
        (
            "Attention Is <All> You Need, §3.5; §4",
            "https://arxiv.org/abs/1706.03762",
        ),
        ("a/b: c/d.py", "https://github.com/a/b/blob/HEAD/c/d.py"),
        ("a/b: issues/7", "https://github.com/a/b/issues/7"),
        ("B", "https://a.example/b"),
    ];
    let wanted: Vec<_> = wanted.map(|(a, b)| (a.to_owned(), b.to_owned())).into();
    assert_eq!(listed, wanted);
    for wrong in [
        r#"{"1706.03762": A}"#,
        r#"{"arXiv:1706.3": A}"#,
        r#"{"arXiv:1706.03762": ""}"#,
    ] {
        assert!(Titles::parse(wrong).is_err(), "{wrong}");
    }
}
