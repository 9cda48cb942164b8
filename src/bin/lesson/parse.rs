//! A text of the lesson to a [`Piece`], as `docs/lesson-format.md` says.

use posenc_lab::figure::page_of;
use posenc_lab::lesson::piece::{Answer, Block, Mark, Piece, SCHEME_SHOWN, fixtures};
use posenc_lab::lesson::{code, live};
use posenc_lab::state::Page;

use super::glossary::Glossary;
use super::inline::{Inline, only_if};
use super::sources::Titles;

/// Parses a page. An error begins with the number of the line.
pub fn parse(
    text: &str,
    page: Page,
    chinese: bool,
    glossary: &Glossary,
    titles: &Titles,
) -> Result<Piece, String> {
    let mut inline = Inline::new(page, chinese, glossary, titles);
    let mut blocks = Vec::new();
    let mut plain = String::new();
    let mut began = 1;
    let mut lines = text.lines().enumerate();
    while let Some((at, line)) = lines.next() {
        let Some(head) = line.strip_prefix(":::") else {
            if plain.trim().is_empty() {
                plain.clear();
                began = at + 1;
            }
            plain.push_str(line);
            plain.push('\n');
            continue;
        };
        flush(&mut plain, began, &mut inline, &mut blocks)?;
        let mut content = Vec::new();
        loop {
            match lines.next() {
                Some((_, line)) if line.trim() == ":::" => break,
                Some((at, line)) if line.starts_with(":::") => {
                    return Err(format!("{}: a block within a block", at + 1));
                }
                Some((_, line)) => content.push(line),
                None => return Err(format!("{}: no end of {line}", at + 1)),
            }
        }
        let made = block(head.trim(), &content, page, &mut inline);
        blocks.push(made.map_err(|e| format!("{}: {e}", at + 1))?);
    }
    flush(&mut plain, began, &mut inline, &mut blocks)?;
    Ok(Piece {
        blocks,
        contents: inline.contents,
    })
}

/// Ordinary text before a block.
fn flush(
    plain: &mut String,
    began: usize,
    inline: &mut Inline,
    blocks: &mut Vec<Block>,
) -> Result<(), String> {
    if !plain.trim().is_empty() {
        let html = inline.html(plain).map_err(|e| format!("{began}: {e}"))?;
        blocks.push(Block::Text(html));
    }
    plain.clear();
    Ok(())
}

fn block(head: &str, content: &[&str], page: Page, inline: &mut Inline) -> Result<Block, String> {
    let words: Vec<&str> = head.split_whitespace().collect();
    let empty = || match content.iter().find(|l| !l.trim().is_empty()) {
        Some(line) => Err(format!("{head} has no content, but here is {line}")),
        None => Ok(()),
    };
    let figure = |id: &str| match page_of(id) {
        Some(of) if of == page => Ok(id.to_owned()),
        _ => Err(format!("no figure {id} on this page")),
    };
    Ok(match words.as_slice() {
        ["predict", id, shown] => {
            let (ask, answers) = question(content, inline)?;
            Block::Predict {
                id: (*id).to_owned(),
                figure: figure(shown)?,
                ask,
                answers,
            }
        }
        ["put", id, shown] => {
            let (ask, why) = explained(content, inline)?;
            Block::Predict {
                id: (*id).to_owned(),
                figure: figure(shown)?,
                ask,
                answers: vec![Answer {
                    text: String::new(),
                    why,
                    right: true,
                }],
            }
        }
        ["figure", id] => {
            empty()?;
            Block::Figure(figure(id)?)
        }
        ["tool", id] => {
            empty()?;
            if !fixtures(page).iter().any(|f| f.id() == *id) {
                return Err(format!("no tool {id} on this page"));
            }
            Block::Tool((*id).to_owned())
        }
        ["formula", id] => Block::Formula {
            id: (*id).to_owned(),
            lines: formulas(content, inline)?,
        },
        ["steps", shown] => {
            let numbered = |l: &&&str| l.starts_with(|c: char| c.is_ascii_digit());
            let count = content.iter().filter(numbered).count();
            if !(3..=6).contains(&count) {
                return Err("three to six steps".to_owned());
            }
            Block::Steps {
                figure: figure(shown)?,
                count: count as u64,
                html: inline.html(&content.join("\n"))?,
            }
        }
        ["code", id, shown] => {
            empty()?;
            // One panel, or that of each scheme of the page.
            let wanted: Vec<&str> = if *id == SCHEME_SHOWN {
                page.schemes().map(|s| s.id()).collect()
            } else {
                vec![id]
            };
            let template = |id: &str| {
                let panel = code::CODE.iter().find(|(known, _)| *known == id);
                let (_, template) = panel.ok_or_else(|| format!("no code {id}"))?;
                Ok::<_, String>((id.to_owned(), (*template).to_owned()))
            };
            Block::Code {
                id: (*id).to_owned(),
                templates: wanted.into_iter().map(template).collect::<Result<_, _>>()?,
                figure: figure(shown)?,
            }
        }
        ["claim", letter, ..] => {
            let sources = head.splitn(3, char::is_whitespace).nth(2).unwrap_or("");
            let mark = Mark::of(letter);
            let mark = mark.ok_or_else(|| format!("no mark {letter}: E, M, S, C or F"))?;
            Block::Claim {
                mark,
                sources: inline.titles.of_claim(mark, sources)?,
                text: inline.html(&content.join("\n"))?,
            }
        }
        ["summary"] => {
            if content.iter().filter(|l| l.starts_with("- ")).count() != 3 {
                return Err("a summary has three sentences".to_owned());
            }
            Block::Summary(inline.html(&content.join("\n"))?)
        }
        ["limits"] => Block::Limits(inline.html(&content.join("\n"))?),
        ["check", "choice", id] => {
            let (ask, answers) = question(content, inline)?;
            Block::Choice {
                id: (*id).to_owned(),
                ask,
                answers,
            }
        }
        ["check", "number", id, value, tolerance] => {
            if !live::names(page).any(|n| n == *value) {
                return Err(format!("no live number {value} on this page"));
            }
            let (ask, why) = explained(content, inline)?;
            Block::Number {
                id: (*id).to_owned(),
                ask,
                value: (*value).to_owned(),
                tolerance: tolerance
                    .parse()
                    .ok()
                    .filter(|t| (0.0..1.0).contains(t))
                    .ok_or_else(|| format!("{tolerance} is no tolerance"))?,
                why,
            }
        }
        ["check", "figure", id, condition] => {
            if !live::CONDITIONS.contains(&(*condition, page)) {
                return Err(format!("no condition {condition} on this page"));
            }
            let (ask, why) = explained(content, inline)?;
            Block::Setting {
                id: (*id).to_owned(),
                ask,
                condition: (*condition).to_owned(),
                why,
            }
        }
        _ => return Err(format!("unknown block: {head}")),
    })
}

/// A question and two to four answers, exactly one of them right, each with its reason.
fn question(content: &[&str], inline: &mut Inline) -> Result<(String, Vec<Answer>), String> {
    let first = content.iter().position(|l| l.starts_with("- ["));
    let (ask, list) = content.split_at(first.ok_or("a question without answers")?);
    let ask = inline.html(&ask.join("\n"))?;
    let mut items: Vec<String> = Vec::new();
    for line in list.iter().filter(|l| !l.trim().is_empty()) {
        match (line.starts_with("- ["), items.last_mut()) {
            (false, Some(item)) => {
                item.push(' ');
                item.push_str(line.trim());
            }
            _ => items.push((*line).to_owned()),
        }
    }
    let mut answers = Vec::new();
    for item in &items {
        let (right, text) = match (item.strip_prefix("- [x] "), item.strip_prefix("- [ ] ")) {
            (Some(text), _) => (true, text),
            (_, Some(text)) => (false, text),
            _ => return Err(format!("neither - [ ] nor - [x]: {item}")),
        };
        let (text, why) = halves(text).ok_or_else(|| format!("no reason: {item}"))?;
        // An answer is a button, and so is a term; a link within a button cannot be followed.
        if text.contains("[[") || text.contains("](") {
            return Err(format!("a term or a link within an answer: {text}"));
        }
        answers.push(Answer {
            text: inline.line(text)?,
            why: inline.line(why)?,
            right,
        });
    }
    let right = answers.iter().filter(|a| a.right).count();
    if right != 1 || !(2..=4).contains(&answers.len()) {
        return Err("two to four answers, exactly one of them right".to_owned());
    }
    Ok((ask, answers))
}

/// An answer and its reason, parted by a bar that belongs to neither a term nor a formula.
fn halves(text: &str) -> Option<(&str, &str)> {
    let mut bars = text.match_indices(" | ");
    let (at, _) = bars.find(|(at, _)| text[..*at].matches('$').count().is_multiple_of(2))?;
    let (text, why) = (text[..at].trim(), text[at + 3..].trim());
    (!text.is_empty() && !why.is_empty()).then_some((text, why))
}

/// A task, and the explanation in the last paragraph, which begins with a bar.
fn explained(content: &[&str], inline: &mut Inline) -> Result<(String, String), String> {
    let bar = content.iter().rposition(|l| l.starts_with("| "));
    let (ask, why) = content.split_at(bar.ok_or("no explanation: a last line | …")?);
    let why = why.join(" ");
    let ask = inline.html(&ask.join("\n"))?;
    if ask.is_empty() {
        return Err("no question".to_owned());
    }
    Ok((ask, inline.line(why.trim_start_matches("| "))?))
}

fn formulas(content: &[&str], inline: &Inline) -> Result<Vec<String>, String> {
    let mut out = Vec::new();
    for line in content.iter().filter(|l| !l.trim().is_empty()) {
        let (names, rest) = inline.conditions(line.trim())?;
        let inner = rest.strip_prefix("$$").and_then(|l| l.strip_suffix("$$"));
        let latex = inner.ok_or_else(|| format!("not $$…$$ on one line: {line}"))?;
        let math = inline.formula(latex, true)?;
        let only = names.map(|n| only_if(&n)).unwrap_or_default();
        out.push(format!(
            r#"<div class="scroll" tabindex="0"{only}>{math}</div>"#
        ));
    }
    if (1..=2).contains(&out.len()) {
        return Ok(out);
    }
    Err("one or two formulas".to_owned())
}
