//! The text of the lesson: both languages alike, every name in it known, every figure in its
//! place; and the live numbers against the core.

#[path = "../src/bin/lesson/glossary.rs"]
mod glossary;
#[path = "../src/bin/lesson/index.rs"]
mod index;
#[path = "../src/bin/lesson/inline.rs"]
mod inline;
#[path = "../src/bin/lesson/links.rs"]
mod links;
#[path = "../src/bin/lesson/math.rs"]
mod math;
#[path = "../src/bin/lesson/pages.rs"]
mod pages;
#[path = "../src/bin/lesson/parse.rs"]
mod parse;
#[path = "../src/bin/lesson/sources.rs"]
mod sources;

mod addresses;
#[path = "lesson/answers.rs"]
mod answers;
#[path = "lesson/claims.rs"]
mod claims;
#[path = "lesson/numbers.rs"]
mod numbers;
#[path = "lesson/put.rs"]
mod put;
#[path = "lesson/questions/mod.rs"]
mod questions;
#[path = "lesson/shown.rs"]
mod shown;
#[path = "lesson/texts.rs"]
mod texts;

use std::collections::BTreeSet;

use posenc_lab::figure::page_of;
use posenc_lab::lesson::piece::{Block, Piece, fixtures};
use posenc_lab::lesson::search::{Entry, Kind, find};
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
        assert!(!m.piece.works().is_empty(), "{}", m.page.id());
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
            for wrong in ["{?", "[[", "]]", ":::", "hole{", "$", "\u{E000}"] {
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

#[test]
fn what_can_be_looked_for_is_there() {
    let all = made();
    let glossary = pages::glossary().expect("the glossary");
    let [zh, en] = [Lang::Zh, Lang::En].map(|lang| index::index(&all, &glossary, lang));
    let kinds = |list: &[Entry]| {
        let count = |k: Kind| list.iter().filter(|e| e.kind == k).count();
        Kind::ALL.map(count)
    };
    assert_eq!(kinds(&zh), kinds(&en));
    for (lang, list) in [(Lang::Zh, &zh), (Lang::En, &en)] {
        for e in list {
            assert!(!e.title.is_empty(), "{e:?}");
            match e.kind {
                Kind::Page => assert!(Page::by_id(&e.page).is_some_and(|p| p.is_live()), "{e:?}"),
                Kind::Figure => assert_eq!(page_of(&e.place).map(|p| p.id()), Some(&*e.page)),
                Kind::Heading => {
                    let page = Page::by_id(&e.page).expect("a page");
                    let ids = &piece(&all, page, lang).contents;
                    assert!(ids.iter().any(|(id, _)| *id == e.place), "{e:?}");
                }
                Kind::Term => assert!(!e.text.is_empty(), "{e:?}"),
            }
        }
    }
    // A term is found by its name in either language.
    assert_eq!(find(&zh, "softmax")[0].kind, Kind::Term);
    assert!(
        find(&zh, "self-attention")
            .iter()
            .any(|e| e.title.contains("自注意力"))
    );
}
