//! Claims and their sources; what prose must not have.

use std::fs;

use posenc_lab::lesson::piece::{Answer, Block, Mark};
use posenc_lab::lesson::source::Source;
use posenc_lab::state::Lang;

use super::{made, pages};

/// Every file of prose with its name: the texts of the pages, and the glossary.
fn files() -> Vec<(String, String)> {
    let entries = fs::read_dir("src/lesson").expect("a folder");
    let mut out: Vec<(String, String)> = entries
        .map(|e| e.expect("an entry").path())
        .filter(|p| p.extension().is_some_and(|e| e == "md") || p.ends_with("glossary.yml"))
        .map(|p| {
            (
                p.display().to_string(),
                fs::read_to_string(&p).expect("a text"),
            )
        })
        .collect();
    out.sort();
    assert!(out.len() > 10);
    out
}

fn claims(m: &pages::Made) -> impl Iterator<Item = (Mark, &str, &[Source])> {
    m.piece.blocks.iter().filter_map(|b| match b {
        Block::Claim {
            mark,
            text,
            sources,
        } => Some((*mark, text.as_str(), sources.as_slice())),
        _ => None,
    })
}

#[test]
fn every_claim_has_the_sources_that_its_mark_asks_for() {
    for m in made() {
        for (mark, text, sources) in claims(&m) {
            let at = format!("{} {}: {text}", m.page.id(), m.lang.id());
            assert!(!sources.is_empty() && !text.is_empty(), "{at}");
            let work = sources.iter().any(|s| matches!(s, Source::Work { .. }));
            let figure = sources.iter().any(|s| matches!(s, Source::Figure(_)));
            let itself = sources.contains(&Source::Identity);
            match mark {
                Mark::Exact => {}
                Mark::Stated | Mark::Empirical => assert!(work && !itself, "{at}"),
                Mark::Contested => assert!(!itself, "{at}"),
                Mark::False => assert!(figure, "{at}"),
            }
        }
    }
}

#[test]
fn a_hypothesis_says_what_would_decide_it_and_what_is_false_is_quoted() {
    for m in made() {
        for (mark, text, _) in claims(&m) {
            let at = format!("{} {}: {text}", m.page.id(), m.lang.id());
            let decides = ["decide", "settle"].iter().any(|w| text.contains(w));
            let decides = decides
                || ["下结论", "才知道", "判断", "判定"]
                    .iter()
                    .any(|w| text.contains(w));
            match mark {
                Mark::Contested => assert!(decides, "{at}"),
                Mark::False => assert!(text.contains('“'), "{at}"),
                _ => {}
            }
        }
    }
}

/// A line without its formulas, its code, the names of its numbers and the targets of its links.
fn bare(line: &str) -> String {
    let mut out = String::new();
    for (k, part) in line.split('`').enumerate() {
        if k % 2 == 0 {
            out.push_str(part);
        }
    }
    let mut bare = String::new();
    for (k, part) in out.split('$').enumerate() {
        if k % 2 == 0 {
            bare.push_str(part);
        }
    }
    for (open, close) in [("{", '}'), ("](", ')'), ("[[", '|')] {
        let mut rest = bare.as_str();
        let mut kept = String::new();
        while let Some((before, after)) = rest.split_once(open) {
            kept.push_str(before);
            rest = after.split_once(close).map_or("", |(_, after)| after);
        }
        bare = kept + rest;
    }
    bare
}

/// Whether a text has an arXiv number: four digits, a dot, four or five digits.
fn arxiv_number(text: &str) -> bool {
    let runs: Vec<&str> = text
        .split(|c: char| !c.is_ascii_digit() && c != '.')
        .collect();
    runs.iter().any(|run| {
        let parts: Vec<&str> = run.trim_matches('.').split('.').collect();
        parts.len() == 2 && parts[0].len() == 4 && (4..=5).contains(&parts[1].len())
    })
}

/// Names of parameters that may stand in prose as they are.
const NAMES: &[&str] = &[
    "d_model",
    "seq_len",
    "max_rel_dist",
    "head_dim",
    "orig_len",
    "target_len",
];

/// A letter with an index or a power in brackets, as in `R_m`, `W_q`, `base^(`.
fn raw_notation(text: &str) -> Option<String> {
    if let Some(at) = text.find("^(") {
        return Some(text[at..].chars().take(12).collect());
    }
    let words = text.split(|c: char| !c.is_alphanumeric() && c != '_' && c != '^');
    let word = words.filter(|w| w.contains('_')).find(|w| {
        let (head, tail) = w.split_once('_').unwrap_or_default();
        let short = head.chars().count() <= 2 && tail.chars().count() <= 2;
        short && !head.is_empty() && !tail.is_empty() && !NAMES.contains(w)
    });
    word.map(str::to_owned)
}

#[test]
fn the_rules_of_prose_find_what_they_forbid() {
    assert!(arxiv_number("(2006.11477)") && arxiv_number("see 2502.0517."));
    assert!(!arxiv_number("0.1234 12345.6789 2008.1.2345"));
    for (text, found) in [
        ("⟨R_m q⟩", true),
        ("W_q unlike W_k", true),
        ("cos(kω_i)", true),
        ("base^(−2i/d)", true),
        ("d_model and head_dim", false),
        ("rope_theta", false),
    ] {
        assert_eq!(raw_notation(text).is_some(), found, "{text}");
    }
    assert_eq!(
        bare("a `W_q` $R_m$ {q_t} [b](https://c/2006.11477) [[d|e]]").trim(),
        "a    [b e]]"
    );
}

#[test]
fn prose_has_no_bare_arxiv_number_and_no_raw_notation() {
    let mut wrong = Vec::new();
    for (file, text) in files() {
        for (k, line) in text.lines().enumerate() {
            if line.starts_with(":::") || line.starts_with("$$") {
                continue;
            }
            let bare = bare(line);
            if arxiv_number(&bare) {
                wrong.push(format!("{file}:{}: a number of arXiv: {line}", k + 1));
            }
            // The glossary's ids and keys have underscores of their own.
            if let Some(raw) = raw_notation(&bare).filter(|_| file.ends_with(".md")) {
                wrong.push(format!("{file}:{}: {raw} outside of $…$", k + 1));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn no_explanation_begins_with_the_verdict_that_the_page_gives() {
    let verdicts = [
        "Right", "Wrong", "Correct", "Not so", "对。", "对，", "不对", "错。", "正确",
    ];
    for m in made() {
        for block in &m.piece.blocks {
            let whys: Vec<&str> = match block {
                Block::Predict { answers, .. } | Block::Choice { answers, .. } => {
                    answers.iter().map(|a: &Answer| a.why.as_str()).collect()
                }
                Block::Number { why, .. } | Block::Setting { why, .. } => vec![why],
                _ => continue,
            };
            for why in whys {
                let begins = verdicts.iter().find(|v| why.starts_with(**v));
                let name = (m.page.id(), m.lang.id());
                // “Right next to …” is no verdict.
                let verdict = begins.filter(|v| {
                    let after = why[v.len()..].chars().next();
                    m.lang == Lang::Zh || after.is_none_or(|c| !c.is_alphanumeric() && c != ' ')
                });
                assert!(verdict.is_none(), "{name:?}: {why}");
            }
        }
    }
}
