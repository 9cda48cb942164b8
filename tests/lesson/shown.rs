//! No sentence that is shown has a number that there is not.

use std::collections::BTreeMap;

use posenc_lab::figure::by_id;
use posenc_lab::lesson::live::{Live, names};
use posenc_lab::lesson::piece::{Block, Piece};
use posenc_lab::state::{Lang, Page, Params};

use super::addresses::Dice;
use super::{made, params, piece};

/// Everything of a page that is shown, as HTML.
fn texts(piece: &Piece) -> Vec<String> {
    let mut out = Vec::new();
    for block in &piece.blocks {
        match block {
            Block::Text(html)
            | Block::Limits(html)
            | Block::Summary(html)
            | Block::Steps { html, .. }
            | Block::Claim { text: html, .. } => out.push(html.clone()),
            Block::Formula { lines, .. } => out.extend(lines.iter().cloned()),
            Block::Predict { ask, answers, .. } | Block::Choice { ask, answers, .. } => {
                out.push(ask.clone());
                out.extend(answers.iter().flat_map(|a| [a.text.clone(), a.why.clone()]));
            }
            Block::Setting { ask, why, .. } => {
                out.extend([ask.clone(), why.clone()]);
            }
            // The page shows the explanation of a number only while there is one.
            Block::Number {
                ask, why, value, ..
            } => out.extend([
                ask.clone(),
                format!(r#"<p class="why" data-if="{value}">{why}</p>"#),
            ]),
            Block::Figure(_) | Block::Tool(_) | Block::Code { .. } => {}
        }
    }
    out
}

/// Names of the numbers of a text that are shown while `known` says which numbers there are.
fn shown<'t>(html: &'t str, known: &dyn Fn(&str) -> bool) -> Vec<&'t str> {
    let mut out = Vec::new();
    // Open elements, and whether each is hidden.
    let mut open: Vec<(&str, bool)> = Vec::new();
    // What stands before the first tag is in no element.
    for piece in html.split('<').skip(1) {
        let (tag, _) = piece.split_once('>').unwrap_or((piece, ""));
        let name = tag
            .split([' ', '/'])
            .find(|n| !n.is_empty())
            .unwrap_or_default();
        if tag.starts_with('/') {
            let (opened, _) = open.pop().expect("an open element");
            assert_eq!(opened, name, "{html}");
            continue;
        }
        let value = |of: &str| {
            let (_, rest) = tag.split_once(&format!(" {of}=\""))?;
            Some(rest.split_once('"')?.0)
        };
        let within = open.last().is_some_and(|(_, hidden)| *hidden);
        let off = value("data-if").is_some_and(|names| !names.split(' ').all(known));
        let hidden = within || off;
        if !hidden {
            out.extend(value("data-live"));
        }
        if !["br", "hr", "img", "input"].contains(&name) && !tag.ends_with('/') {
            open.push((name, hidden));
        }
    }
    assert!(open.is_empty(), "{html}");
    out
}

/// What a page with these parameters says without having it.
fn missing(piece: &Piece, p: &Params) -> Vec<String> {
    let difference = (p.page == Page::Order).then(|| {
        let figure = by_id("order-swap").expect("a figure");
        let picture = figure.compute(p).ok()?;
        let all = picture.readouts(p, Lang::En);
        all.iter().find(|r| r.name == "max-difference")?.number
    });
    let live = Live::new(p, difference.flatten());
    let mut known: Vec<(&str, bool)> = Vec::new();
    known.extend(names(p.page).map(|n| (n, live.number(n).is_some())));
    let known = |name: &str| known.iter().any(|(n, there)| *n == name && *there);
    let mut out: Vec<String> = Vec::new();
    for text in texts(piece) {
        let missing = shown(&text, &known).into_iter().filter(|n| !known(n));
        out.extend(missing.map(str::to_owned));
    }
    out.sort();
    out.dedup();
    out
}

#[test]
fn no_sentence_that_is_shown_lacks_its_number() {
    let all = made();
    // One address for each number that is missing on a page.
    let mut wrong = BTreeMap::new();
    let mut dice = Dice::new(9);
    for page in Page::LIVE {
        let mut queries: Vec<String> = vec![format!("page={}", page.id())];
        queries.extend(
            page.schemes()
                .map(|s| format!("page={}&scheme={}", page.id(), s.id())),
        );
        // The difference on the page `order` takes a whole model each time.
        let random = if *page == Page::Order { 10 } else { 150 };
        queries.extend((0..random).map(|_| dice.query(*page, "", 300)));
        for query in queries {
            let p = params(&query);
            for lang in [Lang::Zh, Lang::En] {
                for name in missing(piece(&all, *page, lang), &p) {
                    wrong.insert((page.id(), lang.id(), name), query.clone());
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn what_is_hidden_is_not_shown() {
    let html = r#"<p data-if="a b" hidden>x <span data-live="a">…</span><br /></p><p><span data-live="c">…</span></p>"#;
    assert_eq!(shown(html, &|n| n != "b"), ["c"]);
    assert_eq!(shown(html, &|_| true), ["a", "c"]);
}
