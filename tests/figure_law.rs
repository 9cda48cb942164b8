//! The law of all figures: a picture depends on nothing but what its figure says that it reads.
//!
//! [`Figure::reads`] gives a figure the parameters it lists and leaves all others as the page opens.
//! Here each figure is computed from all parameters of a random address as well, and both must draw
//! and say the same. A parameter that a figure uses and does not list shows as a difference.

mod addresses;

use addresses::Dice;
use posenc_lab::figure::kit::colour::Colours;
use posenc_lab::figure::{Computed, FIGURES, View, page_of};
use posenc_lab::state::{Key, Lang, Page, Params, SPECS, decode, resolve};

/// Random addresses a figure; few without optimisation, where they take minutes.
const CASES: u64 = if cfg!(debug_assertions) { 3 } else { 60 };

fn params(query: &str) -> Params {
    resolve(&decode(query).0, page_of).0
}

/// All that a visitor sees of a figure.
fn seen(computed: &Computed, p: &Params) -> String {
    let picture = match computed {
        Ok(picture) => picture,
        Err(error) => return format!("{error:?}"),
    };
    let mut out = String::new();
    for (width, lang, dark) in [(900.0, Lang::Zh, false), (360.0, Lang::En, true)] {
        let view = View {
            width,
            height: picture.height(width),
            lang,
            colours: Colours::of(dark),
            reveal: true,
            guess: None,
        };
        out += &format!("{:?}", picture.draw(p, &view));
        out += &format!("{:?}", picture.readouts(p, lang));
        out += &picture.sentence(p, lang);
        out += &picture.notes(p, lang).concat();
        out += &format!("{}", picture.height(width));
    }
    out + &picture.table(p).csv()
}

#[test]
fn a_picture_depends_on_nothing_but_what_its_figure_reads() {
    let mut wrong = Vec::new();
    for (at, figure) in FIGURES.iter().enumerate() {
        let mut dice = Dice::new(7 + at as u64);
        for _ in 0..CASES {
            let fixed = dice.of(&["", "&text_a=天地人&text_b=人天地", "&text_a=a b/a"]);
            let query = dice.query(figure.page, fixed, 80);
            let p = params(&query);
            let shows = figure.shows(&p);
            let restricted = seen(&figure.compute(&figure.reads(&p)), &shows);
            let whole = seen(&figure.compute(&p), &p);
            if restricted != whole {
                wrong.push(format!("{}: {query}", figure.id));
                break;
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The law could not fail if restricting did nothing.
#[test]
fn what_is_not_listed_is_left_as_the_page_opens() {
    for figure in FIGURES {
        let plain = params(&format!("page={}", figure.page.id()));
        let mut dice = Dice::new(3);
        for _ in 0..20 {
            let p = params(&dice.query(figure.page, "", 80));
            let reads = figure.reads(&p);
            for key in SPECS.iter().map(|s| s.key) {
                let listed = figure.controls.contains(&key) || figure.listens.contains(&key);
                // Without sections of its own a model has those that its width gives; without an
                // attention factor, that of its scaling.
                let listed = listed || [Key::Sections, Key::AttentionFactor].contains(&key);
                if !listed {
                    let same = reads.number(key) == plain.number(key)
                        && reads.word(key) == plain.word(key);
                    assert!(same, "{} {}", figure.id, key.name());
                }
            }
        }
    }
}

#[test]
fn every_live_page_has_a_figure() {
    for page in Page::LIVE {
        assert!(FIGURES.iter().any(|f| f.page == *page), "{}", page.id());
    }
}
