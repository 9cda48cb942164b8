//! Every answer recomputed: each number that a question's answers and explanations say is computed
//! from the core, given in the question, or part of a name; the wrong answers are wrong; and the
//! number that a check asks for is computed here without the page's own numbers.

use std::fs;

use posenc_lab::core::encoding::rope::Pairing;
use posenc_lab::core::encoding::sinusoidal::Sinusoidal;
use posenc_lab::lesson::live::Live;
use posenc_lab::lesson::piece;
use posenc_lab::state::{Lang, Page, Params};
use posenc_lab::vectors::vectors;

use super::addresses::Dice;
use super::questions::known;
use super::{made, params};

/// The lines of a question, as written: what is asked, and its answers or its explanation.
fn written(page: &str, lang: Lang, id: &str) -> (String, Vec<String>) {
    let path = format!("src/lesson/{page}.{}.md", lang.id());
    let text = fs::read_to_string(&path).expect("a text");
    let mut lines = text.lines().skip_while(|l| {
        let words: Vec<&str> = l.split_whitespace().collect();
        let head = words.first() == Some(&":::");
        !(head
            && matches!(words.get(1), Some(&"predict" | &"put" | &"check"))
            && words.contains(&id))
    });
    lines
        .next()
        .unwrap_or_else(|| panic!("{path}: no question {id}"));
    let (mut ask, mut answers) = (String::new(), Vec::new());
    for line in lines.take_while(|l| *l != ":::") {
        if line.starts_with("- [") || line.starts_with("| ") {
            answers.push(line.to_owned());
        } else {
            ask.push_str(line);
            ask.push('\n');
        }
    }
    (ask, answers)
}

/// Numbers of a text that stand alone: not those of names (`T5`, `GPT-3`), of symbols (`2R`, `x_2`),
/// nor live ones.
fn numbers(text: &str) -> Vec<String> {
    let chars: Vec<char> = text.chars().collect();
    let mut out = Vec::new();
    let mut at = 0;
    while at < chars.len() {
        if chars[at] == '{'
            && chars
                .get(at + 1)
                .is_some_and(|c| c.is_ascii_lowercase() || *c == '?')
        {
            // A live number; in `\hole{name}` as well.
            at += chars[at..].iter().position(|c| *c == '}').unwrap_or(0) + 1;
            continue;
        }
        if !chars[at].is_ascii_digit() {
            at += 1;
            continue;
        }
        let start = at;
        let digit = |k: usize| chars.get(k).is_some_and(char::is_ascii_digit);
        while digit(at) || (chars.get(at) == Some(&'.') && digit(at + 1)) {
            at += 1;
        }
        let before = start.checked_sub(1).map(|k| chars[k]);
        let second = start.checked_sub(2).map(|k| chars[k]);
        let letter = |c: Option<char>| c.is_some_and(|c| c.is_ascii_alphabetic());
        let name = letter(before)
            || before == Some('_')
            || (before == Some('-') && letter(second))
            || chars
                .get(at)
                .is_some_and(|c| c.is_ascii_alphabetic() || "πω".contains(*c));
        if !name {
            out.push(chars[start..at].iter().collect());
        }
    }
    out
}

/// Whether a number is said as it is written: rounded to its last digit.
fn rounded(written: &str, value: f64) -> bool {
    let decimals = written.split_once('.').map_or(0, |(_, d)| d.len());
    format!("{:.decimals$}", value.abs()) == written
}

#[test]
fn every_number_in_an_answer_is_computed_or_given() {
    let all = made();
    let mut wrong = Vec::new();
    for (name, names, values, _) in known() {
        let (page, id) = name.split_once('/').expect("page/id");
        let values = values();
        for lang in [Lang::Zh, Lang::En] {
            let (ask, answers) = written(page, lang, id);
            let given = numbers(&ask);
            assert!(!answers.is_empty(), "{name}");
            for number in answers.iter().flat_map(|a| numbers(a)) {
                let known = given.contains(&number)
                    || names.contains(&number.as_str())
                    || values.iter().any(|v| rounded(&number, *v));
                if !known {
                    wrong.push(format!("{name} {}: where is {number} from?", lang.id()));
                }
            }
            for value in &values {
                let said = answers
                    .iter()
                    .flat_map(|a| numbers(a))
                    .any(|n| rounded(&n, *value));
                if !said {
                    wrong.push(format!("{name} {}: {value} is not said", lang.id()));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    let mut asked: Vec<String> = Vec::new();
    for m in all.iter().filter(|m| m.lang == Lang::En) {
        for block in &m.piece.blocks {
            let id = match block {
                piece::Block::Predict { id, .. } => Some(id.as_str()),
                other => other.check(),
            };
            asked.extend(id.map(|id| format!("{}/{id}", m.page.id())));
        }
    }
    let mut known: Vec<String> = known().map(|(n, ..)| (*n).to_owned()).collect();
    asked.sort();
    known.sort();
    assert_eq!(asked, known, "questions of the lesson, and of this table");
}

#[test]
fn right_answers_hold_and_wrong_ones_do_not() {
    for (name, _, _, holds) in known() {
        println!("{name}");
        holds();
    }
}

#[test]
fn an_answer_that_is_a_number_differs_from_the_wrong_ones() {
    for (name, right) in [
        ("relative/bucket-20", "19"),
        ("multimodal/rows", "169"),
        ("multimodal/image-costs", "4"),
    ] {
        let (page, id) = name.split_once('/').expect("page/id");
        for lang in [Lang::Zh, Lang::En] {
            let (_, answers) = written(page, lang, id);
            for answer in &answers {
                let (text, _) = answer[6..].split_once(" | ").expect("a reason");
                // What it comes to: before a comma, after the last sign of equality.
                let first = text.split(['，', ',']).next().unwrap_or_default();
                let comes_to = numbers(first).last().cloned().unwrap_or_default();
                assert_eq!(
                    comes_to == right,
                    answer.starts_with("- [x]"),
                    "{name}: {answer}"
                );
            }
        }
    }
}

/// What a check asks for, computed here.
fn asked(name: &str, p: &Params) -> Option<f64> {
    let s = &p.setting;
    let width = s.d_model as f64 / s.heads as f64;
    Some(match name {
        "order/row-length" => {
            vectors(&format!("page=order&text_a={}", p.text_a))["arrays"]["a_weights"]["shape"][3]
                .as_f64()?
        }
        "absolute/wave" => {
            let pe = Sinusoidal::new(s.d_model, s.base, s.layout).ok()?;
            let (pair, _) = pe.pair(p.dim)?;
            // The angle of one step, seen in the vectors.
            let (sin, cos) = pe.columns(pair);
            let step = pe.value(1.0, sin).atan2(pe.value(1.0, cos));
            std::f64::consts::TAU / step
        }
        "relative/rows" => {
            let reach = s.max_rel_dist as i64;
            (-reach..=reach).count() as f64
        }
        "rope/turn" => {
            let rotation = p.scheme.turns(s).ok()?;
            let rope = rotation.rope();
            let within = p.dim % rope.head_dim();
            let pair = (0..rope.inv_freq().len()).find(|i| {
                let (a, b) = rope.pairing().columns(*i, rope.rotary_dim());
                a == within || b == within
            })?;
            rope.angle(p.i as f64, pair) - rope.angle(p.j as f64, pair)
        }
        "context/ntk-pair" => {
            let within = p.dim % s.head_dim();
            let pairs = s.head_dim() / 2;
            let pair = match s.pairing {
                Pairing::Interleaved => within / 2,
                Pairing::Half => within % pairs,
            };
            (pairs > 1).then(|| s.context.factor.powf(pair as f64 / (pairs as f64 - 1.0)))?
        }
        "multimodal/ids" => {
            let ids = p.sequence.ids().ok()?;
            let largest = ids.axes().iter().flatten().max()?;
            (*largest + 1) as f64
        }
        "compare/width" => width,
        _ => return None,
    })
}

#[test]
fn the_number_that_a_check_asks_for_is_right_at_any_address() {
    let mut dice = Dice::new(20);
    for m in made().iter().filter(|m| m.lang == Lang::En) {
        for block in &m.piece.blocks {
            let piece::Block::Number {
                id,
                value,
                tolerance,
                ..
            } = block
            else {
                continue;
            };
            let name = format!("{}/{id}", m.page.id());
            let random = if m.page == Page::Order { 0 } else { 40 };
            let queries = (0..random).map(|_| dice.query(m.page, "", 200));
            let first = std::iter::once(format!("page={}", m.page.id()));
            let mut compared = 0;
            for query in first.chain(queries) {
                let p = params(&query);
                let shown = Live::new(&p, None).number(value).map(|n| n.number);
                let wanted = asked(&name, &p);
                match (shown, wanted) {
                    (Some(a), Some(b)) => {
                        let off = (a - b).abs() / b.abs().max(1e-9);
                        assert!(off < tolerance.min(1e-6), "{name} {query}: {a} {b}");
                        compared += 1;
                    }
                    (a, b) => assert_eq!(a, b, "{name} {query}"),
                }
            }
            assert!(compared > random / 2, "{name}: {compared}");
        }
    }
}

#[test]
fn numbers_of_names_and_symbols_are_not_counted() {
    let found =
        numbers("T5 and GPT-3: 2R + 1 is {table_rows}, 16–18, 0.057°, $s^{2i/(d-2)}$, 1/4 and 2π.");
    assert_eq!(found, ["1", "16", "18", "0.057", "1", "4"]);
    assert!(rounded("57.3", 1f64.to_degrees()) && !rounded("57.2", 1f64.to_degrees()));
    assert!(rounded("0.106", -0.1063));
}
