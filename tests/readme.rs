//! What both READMEs list is what the program has: figures, parameters, notices, arrays.
//!
//! A table that is out of date fails with the rows that should stand there.

use std::collections::BTreeSet;
use std::fs;

use posenc_lab::figure::{FIGURES, page_of};
use posenc_lab::say;
use posenc_lab::state::{Kind, Lang, Page, SPECS, Spec, Start, decode, number, resolve};
use posenc_lab::vectors::vectors;

rust_i18n::i18n!("src/locales");

/// The READMEs, with the first heading of their tables of figures, parameters and notices.
const READMES: [(&str, Lang, [&str; 3]); 2] = [
    ("README.md", Lang::En, ["figure", "parameter", "code"]),
    ("README.zh.md", Lang::Zh, ["图", "参数", "代码"]),
];

fn read(file: &str) -> String {
    fs::read_to_string(file).unwrap_or_else(|e| panic!("{file}: {e}"))
}

/// The rows below the heading of a table, as cells.
fn table(text: &str, first_heading: &str) -> Vec<Vec<String>> {
    let heading = format!("| {first_heading} |");
    let rows: Vec<Vec<String>> = text
        .lines()
        .skip_while(|line| !line.starts_with(&heading))
        .skip(2)
        .take_while(|line| line.starts_with('|'))
        .map(|line| {
            let cells = line.trim_matches('|').split('|');
            cells.map(|c| c.trim().to_owned()).collect()
        })
        .collect();
    assert!(!rows.is_empty(), "no table that begins with {heading}");
    rows
}

/// The row of each figure: id, page, title, names of its numbers.
fn figure_rows(lang: Lang) -> Vec<Vec<String>> {
    let row = |id: &str, page: Page| {
        let (p, _) = resolve(&decode(&format!("embed={id}")).0, page_of);
        let figure = posenc_lab::figure::by_id(id).expect("a figure of the list");
        let picture = (figure.compute)(&p).expect("computed at the defaults");
        let names: Vec<String> = picture
            .readouts(&p, lang)
            .iter()
            .map(|r| format!("`{}`", r.name))
            .collect();
        let title = say!(lang, format!("figure.{id}.title"));
        vec![
            format!("`{id}`"),
            format!("`{}`", page.id()),
            title,
            names.join(", "),
        ]
    };
    FIGURES.iter().map(|f| row(f.id, f.page)).collect()
}

#[test]
fn every_figure_is_listed_with_its_page_title_and_numbers() {
    for (file, lang, [heading, ..]) in READMES {
        let wanted = figure_rows(lang);
        let shown: Vec<String> = wanted
            .iter()
            .map(|row| format!("| {} |", row.join(" | ")))
            .collect();
        let got = table(&read(file), heading);
        assert!(got == wanted, "{file}: should have\n{}\n", shown.join("\n"));
    }
}

/// The numbers in a cell such as "1.0001–1e9".
fn numbers(cell: &str) -> Vec<f64> {
    let part_of_a_number = |c: char| c.is_ascii_digit() || ".e-".contains(c);
    cell.replace('−', "-")
        .split(|c| !part_of_a_number(c))
        .filter_map(|part| part.parse().ok())
        .collect()
}

fn check_values(spec: &Spec, cell: &str) {
    let limits = match spec.kind {
        Kind::Int { min, max, .. } => vec![min as f64, max as f64],
        Kind::Real { min, max } => vec![min, max],
        Kind::Flag => vec![0.0, 1.0],
        _ => Vec::new(),
    };
    for limit in limits {
        assert!(numbers(cell).contains(&limit), "{}: {limit}", spec.name);
    }
    if let Kind::Words(words) = spec.kind {
        for word in words {
            assert!(cell.contains(&format!("`{word}`")), "{}: {word}", spec.name);
        }
    }
}

#[test]
fn every_parameter_is_listed_with_its_values_and_its_default() {
    for (file, _, [_, heading, _]) in READMES {
        let rows = table(&read(file), heading);
        let names: Vec<&str> = rows.iter().map(|r| r[0].trim_matches('`')).collect();
        let wanted: Vec<&str> = SPECS.iter().map(|s| s.name).collect();
        assert_eq!(names, wanted, "{file}");
        for (spec, row) in SPECS.iter().zip(&rows) {
            check_values(spec, &row[1]);
            let default = match spec.default {
                Start::Number(x) => format!("`{}`", number(x)),
                Start::Word(w) => format!("`{w}`"),
                Start::Depends => {
                    assert!(!row[2].is_empty(), "{file}: default of {}", spec.name);
                    continue;
                }
            };
            assert_eq!(row[2], default, "{file}: default of {}", spec.name);
        }
    }
}

/// The codes that have words; another test sees to it that these are all.
fn notice_codes() -> BTreeSet<String> {
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
fn every_notice_is_listed() {
    let wanted = notice_codes();
    assert!(wanted.contains("out-of-range"), "{wanted:?}");
    for (file, _, [.., heading]) in READMES {
        let rows = table(&read(file), heading);
        let codes = rows.iter().map(|r| r[0].trim_matches('`').to_owned());
        assert_eq!(codes.collect::<BTreeSet<_>>(), wanted, "{file}");
    }
}

#[test]
fn every_page_and_every_array_is_named() {
    let mut names: BTreeSet<String> = Page::IDS.iter().map(|id| (*id).to_owned()).collect();
    for spec in SPECS.iter().filter(|s| s.name == "scheme") {
        let Kind::Words(schemes) = spec.kind else {
            panic!("schemes are words");
        };
        for scheme in schemes {
            let object = vectors(&format!("scheme={scheme}&d_model=8&seq_len=4"));
            let arrays = object["arrays"].as_object().expect("arrays");
            names.extend(arrays.keys().cloned());
        }
    }
    for (file, ..) in READMES {
        let text = read(file);
        for name in &names {
            assert!(text.contains(&format!("`{name}`")), "{file}: {name}");
        }
    }
}
