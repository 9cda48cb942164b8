//! The tables of both READMEs are those that the program writes, and name all that there is.

#[path = "../examples/readme/tables.rs"]
mod tables;

use std::collections::BTreeSet;
use std::fs;

use posenc_lab::state::{Page, SPECS};
use serde_json::Value as Json;

use tables::READMES;

rust_i18n::i18n!("src/locales");

fn read(file: &str) -> String {
    fs::read_to_string(file).unwrap_or_else(|e| panic!("{file}: {e}"))
}

#[test]
fn the_tables_are_those_of_the_program() {
    for (file, lang) in READMES {
        let now = read(file);
        let wanted = tables::filled(&now, lang).unwrap_or_else(|e| panic!("{file}: {e}"));
        let rows = wanted.lines().filter(|l| !now.lines().any(|n| n == *l));
        let rows: Vec<&str> = rows.collect();
        assert!(
            now == wanted,
            "{file}: ./dev fmt writes\n{}",
            rows.join("\n")
        );
    }
}

/// The words of the tables are of parameters that there are; what is missing fails above.
#[test]
fn the_words_of_the_tables_are_of_what_there_is() {
    let words: Json = serde_saphyr::from_str(&read("docs/tables.yml")).expect("YAML");
    let names = words["parameters"].as_object().expect("parameters");
    for name in names.keys() {
        assert!(SPECS.iter().any(|s| s.name == name), "there is no {name}");
    }
    let told: BTreeSet<String> = words["notices"]
        .as_object()
        .expect("notices")
        .keys()
        .cloned()
        .collect();
    assert_eq!(told, notice_codes());
}

/// The codes that have words; another test sees to it that these are all.
fn notice_codes() -> BTreeSet<String> {
    // The lines below the heading.
    read("src/locales/app.yml")
        .lines()
        .skip_while(|line| *line != "notice:")
        .skip(1)
        .take_while(|line| line.starts_with("  "))
        .filter_map(|line| line.trim().split_once(": {"))
        .map(|(code, _)| code.to_owned())
        .collect()
}

#[test]
fn every_page_is_named() {
    for (file, _) in READMES {
        let text = read(file);
        for id in Page::IDS {
            assert!(text.contains(&format!("`{id}`")), "{file}: {id}");
        }
    }
}

/// The script that shows the first screen of a page knows the pages that there are.
#[test]
fn the_first_screens_are_those_of_the_pages() {
    let index = read("index.html");
    let list = index.split("const pages = [").nth(1).expect("a list");
    let (list, _) = list.split_once(']').expect("its end");
    let named: Vec<&str> = list.split(", ").map(|id| id.trim_matches('"')).collect();
    let pages: Vec<&str> = Page::LIVE.iter().map(|page| page.id()).collect();
    assert_eq!(named, pages);
}
