//! The texts in `src/lesson`.

use std::fs;
use std::path::Path;

use posenc_lab::lesson::piece::Piece;
use posenc_lab::state::{Lang, Page};

use super::glossary::Glossary;
use super::parse::parse;

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

/// Every text that is there. All errors at once, a line each: `file:line: what`.
pub fn all() -> Result<Vec<Made>, String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(FOLDER);
    let read = |name: &str| {
        let path = folder.join(name);
        fs::read_to_string(path).map_err(|e| format!("{FOLDER}/{name}: {e}"))
    };
    let glossary = Glossary::parse(&read("glossary.yml")?)?;
    let (mut out, mut errors) = (Vec::new(), Vec::new());
    for page in Page::IDS.iter().filter_map(|id| Page::by_id(id)) {
        for lang in [Lang::Zh, Lang::En] {
            let name = format!("{}.{}.md", page.id(), lang.id());
            if !folder.join(&name).exists() {
                continue;
            }
            match parse(&read(&name)?, page, lang == Lang::Zh, &glossary) {
                Ok(piece) => out.push(Made { page, lang, piece }),
                Err(error) => errors.push(format!("{FOLDER}/{name}:{error}")),
            }
        }
    }
    if errors.is_empty() {
        Ok(out)
    } else {
        Err(errors.join("\n"))
    }
}
