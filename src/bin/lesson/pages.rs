//! The texts in `src/lesson`.

use std::fs;
use std::path::{Path, PathBuf};

use posenc_lab::lesson::piece::{Block, Piece};
use posenc_lab::state::{Lang, Page};

use serde_json::Value;

use super::glossary::Glossary;
use super::inline::escaped;
use super::parse::parse;
use super::sources::Titles;

const FOLDER: &str = "src/lesson";

/// A page in a language.
pub struct Made {
    /// The page.
    pub page: Page,
    /// The language.
    pub lang: Lang,
    /// What the page loads.
    pub piece: Piece,
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(FOLDER)
}

fn read(name: &str) -> Result<String, String> {
    fs::read_to_string(folder().join(name)).map_err(|e| format!("{FOLDER}/{name}: {e}"))
}

/// The terms.
pub fn glossary() -> Result<Glossary, String> {
    Glossary::parse(&read("glossary.yml")?)
}

/// Every text that is there. All errors at once, a line each: `file:line: what`.
pub fn all() -> Result<Vec<Made>, String> {
    let folder = folder();
    let glossary = glossary()?;
    let titles = Titles::parse(&read("sources.yml")?)?;
    let planned: Value = serde_saphyr::from_str(&read("planned.yml")?)
        .map_err(|e| format!("{FOLDER}/planned.yml: {e}"))?;
    let (mut out, mut errors, mut texts) = (Vec::new(), Vec::new(), Vec::new());
    for page in Page::IDS.iter().filter_map(|id| Page::by_id(id)) {
        for lang in [Lang::Zh, Lang::En] {
            let name = format!("{}.{}.md", page.id(), lang.id());
            if !folder.join(&name).exists() {
                continue;
            }
            texts.push(read(&name)?);
            match parse(
                texts.last().map_or("", |t| t),
                page,
                lang == Lang::Zh,
                &glossary,
                &titles,
            ) {
                Ok(mut piece) => {
                    if Page::LIVE.last() == Some(&page) {
                        announce(&mut piece, &planned, lang)?;
                    }
                    out.push(Made { page, lang, piece });
                }
                Err(error) => errors.push(format!("{FOLDER}/{name}:{error}")),
            }
        }
    }
    if let Some(id) = titles.unused(&texts) {
        errors.push(format!("{FOLDER}/sources.yml: no text names {id}"));
    }
    if errors.is_empty() {
        Ok(out)
    } else {
        Err(errors.join("\n"))
    }
}

/// The last page tells which pages are still to come.
fn announce(piece: &mut Piece, planned: &Value, lang: Lang) -> Result<(), String> {
    let title = match lang {
        Lang::Zh => "还会有的页面",
        Lang::En => "Pages still to come",
    };
    let mut list = String::new();
    for page in Page::IDS.iter().filter_map(|id| Page::by_id(id)) {
        if page.is_live() {
            continue;
        }
        let word = |name: &str| {
            let text = planned.get(page.id()).and_then(|p| p.get(name));
            let text = text.and_then(Value::as_str).map(escaped);
            text.ok_or_else(|| format!("{FOLDER}/planned.yml: {} has no {name}", page.id()))
        };
        let (name, lead) = (word(lang.id())?, word(&format!("{}_lead", lang.id()))?);
        list.push_str(&format!("<li><b>{name}</b><br>{lead}</li>"));
    }
    if !list.is_empty() {
        let id = format!("part-{}", piece.contents.len() + 1);
        let html = format!(r#"<h2 id="{id}" tabindex="-1">{title}</h2><ul>{list}</ul>"#);
        piece.contents.push((id, title.to_owned()));
        piece.blocks.push(Block::Text(html));
    }
    Ok(())
}
