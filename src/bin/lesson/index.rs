//! What can be looked for, in each language.

use posenc_lab::figure::FIGURES;
use posenc_lab::lesson::search::{Entry, Kind};
use posenc_lab::say;
use posenc_lab::state::Lang;

use super::glossary::Glossary;
use super::pages::Made;

/// Pages with their headings, figures, and terms by their names.
pub fn index(made: &[Made], glossary: &Glossary, lang: Lang) -> Vec<Entry> {
    let mut out = Vec::new();
    for Made { page, piece, .. } in made.iter().filter(|m| m.lang == lang) {
        let entry = |kind, title: &str, text: String, place: &str| Entry {
            kind,
            title: title.to_owned(),
            text,
            page: page.id().to_owned(),
            place: place.to_owned(),
        };
        let word = |part: &str| say!(lang, format!("page.{}.{part}", page.id()));
        out.push(entry(Kind::Page, &word("title"), word("lead"), ""));
        let headings = piece.contents.iter();
        out.extend(headings.map(|(id, title)| entry(Kind::Heading, title, String::new(), id)));
        for figure in FIGURES.iter().filter(|f| f.page == *page) {
            let word = |part: &str| say!(lang, format!("figure.{}.{part}", figure.id));
            out.push(entry(Kind::Figure, &word("title"), word("text"), figure.id));
        }
    }
    let mut terms: Vec<Entry> = glossary
        .all()
        .map(|e| Entry {
            kind: Kind::Term,
            title: named(&e.term, lang),
            text: e.text[lang as usize].clone(),
            page: String::new(),
            place: String::new(),
        })
        .collect();
    terms.sort_by_key(|e| e.title.to_lowercase());
    out.extend(terms);
    out
}

/// A term with its name in the other language, by which it may be looked for as well.
fn named(term: &[String; 2], lang: Lang) -> String {
    let (own, other) = match lang {
        Lang::Zh => (&term[0], &term[1]),
        Lang::En => (&term[1], &term[0]),
    };
    if lang == Lang::En || own == other {
        own.clone()
    } else {
        format!("{own} · {other}")
    }
}
