//! Makes the pieces of the lesson: `src/lesson/<page>.<lang>.md` to `<page>.<lang>.json`, and the
//! words of the page: `src/locales/*.yml` to `words.<lang>.json`; what can be looked for: `index.<lang>.json`; what
//! stands there before the program has come: `first.<page>.<lang>.<size>.<theme>.html`.
//!
//! `cargo run --features lesson --bin lesson [FOLDER]`; without a folder, `target/lesson`. Trunk runs it before
//! each build (see `Trunk.toml`). An error names the file and the line.

mod first;
mod glossary;
mod index;
mod inline;
mod links;
mod math;
mod pages;
mod parse;
mod png;
mod sources;

use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;

use posenc_lab::lesson::search::Entry;
use posenc_lab::state::Lang;
use rust_i18n_support::try_load_locales;
use serde_json::json;

fn main() -> ExitCode {
    let folder = std::env::args().nth(1);
    let folder = PathBuf::from(folder.unwrap_or_else(|| "target/lesson".to_owned()));
    match pages::all().and_then(|all| write(&folder, &all)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

/// Writes the pieces, and removes those of texts that are gone.
fn write(folder: &PathBuf, all: &[pages::Made]) -> Result<(), String> {
    let told = |e: std::io::Error| format!("{}: {e}", folder.display());
    fs::create_dir_all(folder).map_err(told)?;
    for entry in fs::read_dir(folder).map_err(told)? {
        fs::remove_file(entry.map_err(told)?.path()).map_err(told)?;
    }
    for made in all {
        let name = format!("{}.{}.json", made.page.id(), made.lang.id());
        let text = made.piece.to_json().to_string();
        fs::write(folder.join(name), text).map_err(told)?;
        for (name, html) in first::all(made)? {
            fs::write(folder.join(name), html).map_err(told)?;
        }
    }
    let glossary = pages::glossary()?;
    for lang in [Lang::Zh, Lang::En] {
        let list = index::index(all, &glossary, lang);
        let list: Vec<_> = list.iter().map(Entry::to_json).collect();
        let name = format!("index.{}.json", lang.id());
        fs::write(folder.join(name), json!(list).to_string()).map_err(told)?;
    }
    for (lang, words) in try_load_locales("src/locales", |_| false, true)? {
        let text = json!(words).to_string();
        fs::write(folder.join(format!("words.{lang}.json")), text).map_err(told)?;
    }
    Ok(())
}
