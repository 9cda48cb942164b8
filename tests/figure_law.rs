//! The law of all figures: a picture depends on nothing but what its figure says that it reads.
//!
//! [`Figure::reads`] gives a figure the parameters it lists and leaves all others as the page opens.
//! Here each figure is computed from all parameters of a random address as well, and both must draw
//! and say the same. A parameter that a figure uses and does not list shows as a difference.

use posenc_lab::core::encoding::SCHEME_IDS;
use posenc_lab::figure::kit::colour::Colours;
use posenc_lab::figure::{Computed, FIGURES, Figure, View, page_of};
use posenc_lab::state::{Key, Kind, Lang, Page, Params, SPECS, decode, resolve};

/// Random addresses a figure; few without optimisation, where they take minutes.
const CASES: u64 = if cfg!(debug_assertions) { 3 } else { 60 };

/// A stream of numbers that is the same on every machine (Numerical Recipes' LCG).
struct Dice(u64);

impl Dice {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % n.max(1)
    }

    fn one<'a>(&mut self, all: &[&'a str]) -> &'a str {
        all[self.below(all.len() as u64) as usize]
    }
}

/// A legal value of a parameter, of a size that is quick to compute.
fn value(key: Key, dice: &mut Dice) -> Option<String> {
    let spec = key.spec();
    Some(match (key, spec.kind) {
        (Key::V | Key::Page | Key::Embed | Key::Lock | Key::Hide | Key::Rows, _) => return None,
        (Key::Blocks, _) => {
            let all = [
                "text:3,image:2x3,text:2",
                "video:2x2x2,audio:5,text:4",
                "image:3x3",
            ];
            dice.one(&all).to_owned()
        }
        (Key::BiasEdits, _) => dice.one(&["0:1:2.5", "1:2:-3,0:0:1", "0:31:4"]).to_owned(),
        (Key::ModBias, _) => dice.one(&["text:image:2", "image:text:-1.5"]).to_owned(),
        (Key::Scheme, _) => dice.one(SCHEME_IDS).to_owned(),
        (Key::DModel, _) => (8 * (1 + dice.below(12))).to_string(),
        (Key::Heads, _) => dice.one(&["1", "2", "4"]).to_owned(),
        (Key::Base, _) => dice.one(&["10000", "500", "1000000"]).to_owned(),
        (_, Kind::Int { min, max, step }) => {
            let span = ((max - min) / step + 1).min(90) as u64;
            (min + step * dice.below(span) as i64).to_string()
        }
        (_, Kind::Place) => dice.below(40).to_string(),
        (_, Kind::Real { min, max }) => {
            let low = min.max(0.5);
            (low + dice.below(60) as f64 * (max.min(64.0) - low) / 60.0).to_string()
        }
        (_, Kind::Words(words)) => dice.one(words).to_owned(),
        (_, Kind::Flag) => dice.below(2).to_string(),
        (_, Kind::Grid { max }) => {
            let most = max.min(10) as u64;
            format!("{}x{}", 1 + dice.below(most), 1 + dice.below(most))
        }
        (_, Kind::Text) => dice.one(&["我爱你", "你爱我", "天地人/和"]).to_owned(),
        _ => return None,
    })
}

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
            lang,
            colours: Colours::of(dark),
            reveal: true,
        };
        out += &format!("{:?}", picture.draw(p, &view));
        out += &format!("{:?}", picture.readouts(p, lang));
        out += &picture.sentence(p, lang);
        out += &format!("{}", picture.height(width));
    }
    out + &picture.table(p).csv()
}

/// A random address of a figure's page, and which parameters it gives.
fn address(figure: &Figure, dice: &mut Dice) -> String {
    let mut query = format!("page={}", figure.page.id());
    for spec in SPECS {
        if dice.below(3) == 0
            && let Some(value) = value(spec.key, dice)
        {
            query += &format!("&{}={value}", spec.name);
        }
    }
    query
}

#[test]
fn a_picture_depends_on_nothing_but_what_its_figure_reads() {
    let mut wrong = Vec::new();
    for (at, figure) in FIGURES.iter().enumerate() {
        let mut dice = Dice(7 + at as u64);
        for _ in 0..CASES {
            let query = address(figure, &mut dice);
            let p = params(&query);
            let shows = figure.shows(&p);
            let restricted = seen(&(figure.compute)(&figure.reads(&p)), &shows);
            let whole = seen(&(figure.compute)(&p), &p);
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
        let listed = |key: &Key| figure.controls.contains(key) || figure.listens.contains(key);
        let mut dice = Dice(3);
        for spec in SPECS.iter().filter(|s| !listed(&s.key)) {
            let Some(value) = value(spec.key, &mut dice) else {
                continue;
            };
            let page = format!("page={}", figure.page.id());
            let with = params(&format!("{page}&{}={value}", spec.name));
            let plain = params(&page);
            // Some parameters carry others with them.
            let carries = [Key::DModel, Key::Preset, Key::Tokens, Key::Grid, Key::Window];
            if carries.contains(&spec.key) || spec.key == Key::SeqLen {
                continue;
            }
            assert!(
                figure.reads(&with) == figure.reads(&plain),
                "{} {}",
                figure.id,
                spec.name
            );
        }
    }
}

#[test]
fn every_live_page_has_a_figure() {
    for page in Page::LIVE {
        assert!(FIGURES.iter().any(|f| f.page == *page), "{}", page.id());
    }
}
