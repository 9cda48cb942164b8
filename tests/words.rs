//! Every word that the page can say exists in both languages.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use posenc_lab::core::encoding::{Beyond, SCHEMES, Scheme};
use posenc_lab::core::mrope::MODALITIES;
use posenc_lab::figure::kit::colour::Colours;
use posenc_lab::figure::{FIGURES, View, page_of};
use posenc_lab::lesson::piece::Mark;
use posenc_lab::say;
use posenc_lab::state::{Key, Kind, Lang, Page, SPECS, decode, resolve};

fn sources(folder: &Path, out: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            sources(&path, out);
        } else if path.extension().is_some_and(|e| e == "rs") {
            out.push(path);
        }
    }
}

/// Keys that the sources name as whole literals: `"app.title"`.
fn literal_keys() -> BTreeSet<String> {
    let roots = [
        "app", "axis", "legend", "figure", "page", "lesson", "key", "word", "notice", "config",
        "presets",
    ];
    let mut files = Vec::new();
    sources(Path::new("src"), &mut files);
    let mut keys = BTreeSet::new();
    for file in files {
        let text = fs::read_to_string(&file).expect("a source");
        for part in text.split('"') {
            let first = part.split('.').next().unwrap_or_default();
            let plain = part
                .chars()
                .all(|c| c.is_ascii_alphanumeric() || "._-".contains(c));
            if plain && part.contains('.') && roots.contains(&first) {
                keys.insert(part.to_owned());
            }
        }
    }
    keys
}

/// Keys that are put together from the lists of figures, parameters and pages.
fn composed_keys() -> BTreeSet<String> {
    let mut keys = BTreeSet::new();
    for f in FIGURES {
        for part in ["title", "text", "how"] {
            keys.insert(format!("figure.{}.{part}", f.id));
        }
        for key in f.controls {
            keys.insert(format!("key.{}", key.name()));
        }
    }
    for page in Page::LIVE {
        for part in ["tab", "title", "lead"] {
            keys.insert(format!("page.{}.{part}", page.id()));
        }
    }
    let shown = |key: Key| FIGURES.iter().any(|f| f.controls.contains(&key)) || key == Key::Theme;
    for spec in SPECS.iter().filter(|s| shown(s.key)) {
        if let Kind::Words(words) = spec.kind {
            for word in words {
                keys.insert(format!("word.{}.{word}", spec.name));
            }
        }
    }
    for kind in MODALITIES {
        keys.insert(format!("word.modality.{}", kind.id()));
    }
    for mark in Mark::ALL.map(Mark::letter) {
        for part in ["name", "meaning"] {
            keys.insert(format!("lesson.mark.{mark}.{part}"));
        }
    }
    keys
}

/// Codes of notices, as the sources spell them.
fn notice_codes() -> BTreeSet<String> {
    let mut codes = BTreeSet::new();
    for file in [
        "src/state/blocks.rs",
        "src/state/query.rs",
        "src/state/blocks.rs",
        "src/state/resolve.rs",
        "src/vectors.rs",
    ] {
        let text = fs::read_to_string(file).expect("a source");
        // Every other part stands between quotes.
        for part in text.split('"').skip(1).step_by(2) {
            let plain =
                !part.is_empty() && part.chars().all(|c| c.is_ascii_lowercase() || c == '-');
            if plain && part.contains('-') && part.len() > 3 {
                codes.insert(format!("notice.{part}"));
            }
        }
    }
    codes.insert("notice.empty".to_owned());
    codes.insert("notice.undefined".to_owned());
    codes
}

#[test]
fn every_word_is_there_in_both_languages() {
    let literal = literal_keys();
    assert!(literal.len() > 40, "the search found only {literal:?}");
    let codes = notice_codes();
    assert!(codes.contains("notice.out-of-range"));
    let mut missing = Vec::new();
    let config = posenc_lab::state::config_text::words();
    for key in literal
        .into_iter()
        .chain(config)
        .chain(composed_keys())
        .chain(codes)
    {
        for lang in [Lang::Zh, Lang::En] {
            // What is missing comes back as its key, or as the other language's fallback.
            let text = say!(lang, key.as_str());
            if text.is_empty() || text.contains(&key) {
                missing.push(format!("{}: {key}", lang.id()));
            }
        }
    }
    assert!(missing.is_empty(), "{missing:#?}");
}

/// A map of `src/locales`, by the keys that lead to it.
fn words_of(figure: &str) -> BTreeSet<(String, String)> {
    let mut out = BTreeSet::new();
    for file in fs::read_dir("src/locales").expect("the words") {
        let text = fs::read_to_string(file.expect("a file").path()).expect("the words");
        let (mut path, mut within) = (Vec::new(), false);
        for line in text.lines().filter(|l| !l.trim_start().starts_with('#')) {
            let depth = (line.len() - line.trim_start().len()) / 2;
            let Some((key, _)) = line.trim_start().split_once(':') else {
                continue;
            };
            path.truncate(depth);
            path.push(key.to_owned());
            if depth == 1 {
                within = path[0] == "figure" && path[1] == figure;
            }
            if within && depth == 3 {
                out.insert((path[2].clone(), path[3].clone()));
            }
        }
    }
    out
}

/// Words of a figure that are chosen by the scheme are there for every scheme that it can show.
#[test]
fn what_a_figure_says_of_one_scheme_it_says_of_all() {
    let mut missing = Vec::new();
    let s = resolve(&decode("").0, page_of).0.setting;
    let all = SCHEMES.iter().copied();
    let placed: Vec<Scheme> = all
        .filter(|x| x.beyond(&s).expect("legal") != Beyond::Nothing)
        .collect();
    for (figure, shown) in [
        ("rel-index", schemes_of(Page::Relative)),
        ("rel-bias", schemes_of(Page::Relative)),
        ("attention-steps", schemes_of(Page::Order)),
        ("audio-frames", placed.clone()),
        ("audio-bias", placed),
    ] {
        let said = words_of(figure);
        let all: BTreeSet<&str> = shown.iter().map(|x| x.id()).collect();
        let named = said
            .iter()
            .filter(|(scheme, _)| all.contains(scheme.as_str()));
        let parts: BTreeSet<&String> = named.map(|(_, part)| part).collect();
        assert!(!parts.is_empty(), "{figure}");
        for scheme in &shown {
            for part in &parts {
                // A curve is drawn of what is a function of the distance alone.
                let by_offset = scheme.by_offset(&s).expect("legal");
                let curve = by_offset.is_some_and(|b| !b.needs_query())
                    || scheme.rotation(&s).expect("legal").is_some();
                if *part == "curve" && !curve {
                    continue;
                }
                let key = format!("figure.{figure}.{}.{part}", scheme.id());
                for lang in [Lang::Zh, Lang::En] {
                    let text = say!(lang, key.as_str());
                    if text.is_empty() || text.contains(&key) {
                        missing.push(format!("{}: {key}", lang.id()));
                    }
                }
            }
        }
    }
    assert!(missing.is_empty(), "{}", missing.join("\n"));
}

fn schemes_of(page: Page) -> Vec<Scheme> {
    page.schemes().collect()
}

#[test]
fn english_has_no_chinese_but_quotations() {
    let han = |c: char| ('\u{4E00}'..='\u{9FFF}').contains(&c);
    for file in fs::read_dir("src/locales").expect("the words") {
        let text = fs::read_to_string(file.expect("a file").path()).expect("the words");
        for line in text.lines() {
            let Some((_, en)) = line.split_once(" en: ") else {
                continue;
            };
            let mut quoted = false;
            for c in en.chars() {
                quoted = if c == '“' {
                    true
                } else if c == '”' {
                    false
                } else {
                    quoted
                };
                assert!(quoted || !han(c), "{line}");
            }
        }
    }
}

/// What a text leaves open is filled: no figure says `%{name}`, whatever the scheme.
#[test]
fn no_figure_leaves_a_hole_in_its_words() {
    let mut wrong = BTreeSet::new();
    for figure in FIGURES {
        for scheme in figure.page.schemes() {
            for causal in [0, 1] {
                let query = format!(
                    "page={}&scheme={}&causal={causal}&max_rel_dist=4",
                    figure.page.id(),
                    scheme.id()
                );
                let p = resolve(&decode(&query).0, page_of).0;
                let Ok(picture) = figure.compute(&p) else {
                    continue;
                };
                for lang in [Lang::Zh, Lang::En] {
                    let view = View {
                        width: 700.0,
                        height: picture.height(700.0),
                        lang,
                        colours: Colours::of(false),
                        reveal: true,
                        guess: None,
                    };
                    let drawn = format!("{:?}", picture.draw(&p, &view).marks);
                    if drawn.contains("%{") || picture.sentence(&p, lang).contains("%{") {
                        wrong.insert(format!("{} {query} {}", figure.id, lang.id()));
                    }
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
