//! The first screen of each page as HTML, drawn by the figures themselves: what stands there before the program has
//! come. It has the elements and the classes that the page's own components have, so that the style sheet lays out both
//! alike and nothing moves when one takes the place of the other. `index.html` says when it is shown.

use posenc_lab::figure::kit::colour::Colours;
use posenc_lab::figure::kit::svg::svg;
use posenc_lab::figure::put::start;
use posenc_lab::figure::{
    Figure, MAP_FIGURE, MAP_SIZE, Picture, View, map_of_course, of_page, on_map, page_of,
};
use posenc_lab::lesson::piece::{Answer, Block};
use posenc_lab::say;
use posenc_lab::state::{Params, decode, resolve};

use super::inline::escaped;
use super::pages::Made;
use super::png::png_url;

/// Widths of the drawing in CSS pixels, in a window where the rail stands beside it and on a phone, and the height that
/// there is.
const SIZES: [(&str, f64, f64); 2] = [("wide", 817.0, 620.0), ("narrow", 356.0, 354.0)];
/// Widths for which the height of the drawing is told: from, to, step.
const TOLD: (usize, usize, usize) = (280, 820, 20);
/// So many controls are shown.
const CONTROLS: usize = 4;

/// Every first screen of a page: the name of its file and what it has.
pub fn all(made: &Made) -> Result<Vec<(String, String)>, String> {
    let query = format!("page={}&lang={}", made.page.id(), made.lang.id());
    let (p, _) = resolve(&decode(&query).0, page_of);
    let figure = of_page(made.page)
        .next()
        .ok_or_else(|| format!("{query}: no figure"))?;
    let picture = figure.compute(&p).map_err(|e| format!("{query}: {e}"))?;
    let screen = Screen {
        made,
        p,
        figure,
        picture: &*picture,
    };
    let mut out = Vec::new();
    for (size, width, most) in SIZES {
        for (theme, dark) in [("light", false), ("dark", true)] {
            let name = format!(
                "first.{}.{}.{size}.{theme}.html",
                made.page.id(),
                made.lang.id()
            );
            let html = screen
                .html((width, most), dark)
                .ok_or_else(|| format!("{name} cannot be drawn"))?;
            out.push((name, html));
        }
    }
    Ok(out)
}

/// What a first screen is made from.
struct Screen<'a> {
    made: &'a Made,
    p: Params,
    figure: &'static Figure,
    picture: &'a dyn Picture,
}

impl Screen<'_> {
    fn word(&self, key: &str) -> String {
        escaped(&say!(self.made.lang, key))
    }

    /// The question that a figure answers on this page.
    fn question(&self, figure: &str) -> Option<(&str, &[Answer])> {
        self.made.piece.blocks.iter().find_map(|b| match b {
            Block::Predict {
                figure: of,
                ask,
                answers,
                ..
            } if of == figure => Some((&**ask, &**answers)),
            _ => None,
        })
    }

    fn view(&self, (width, height): (f64, f64), dark: bool, figure: &str) -> View {
        View {
            width,
            height,
            lang: self.made.lang,
            colours: Colours::of(dark),
            reveal: self.question(figure).is_none(),
            guess: None,
        }
    }

    fn html(&self, (width, most): (f64, f64), dark: bool) -> Option<String> {
        let page = self.made.page.id();
        let tag = self.made.lang.tag();
        let (title, lead) = (
            self.word(&format!("page.{page}.title")),
            self.word(&format!("page.{page}.lead")),
        );
        let map = self.view(MAP_SIZE, dark, MAP_FIGURE);
        let map = svg(
            &map_of_course(&map, on_map(&self.p)),
            MAP_SIZE,
            dark,
            |_| None,
        )?;
        let id = self.figure.id;
        let height = self.picture.height(width).min(most);
        let mut view = self.view((width, height), dark, id);
        let handles = self.picture.handles(&self.p);
        if !view.reveal && !handles.is_empty() {
            view.guess = Some(start(&handles));
        }
        let drawing = svg(
            &self.picture.draw(&self.p, &view),
            (width, height),
            dark,
            |raster| png_url(raster, dark),
        )?;
        let heights: Vec<String> = (TOLD.0..=TOLD.1)
            .step_by(TOLD.2)
            .map(|w| format!("{w}:{:.1}", self.picture.height(w as f64)))
            .collect();
        let name = self.word(&format!("figure.{id}.title"));
        Some(format!(
            "<header lang=\"{tag}\"><p class=\"brand\">{brand}</p></header>\
             <main lang=\"{tag}\"><div class=\"map\">{map}</div><h1>{title}</h1><p class=\"lead\">{lead}</p>\
             <section class=\"figure first\" data-figure=\"{id}\"><h2>{name}</h2>\
             <div class=\"picture\"><div class=\"stage\" data-heights=\"{heights}\">\
             <span class=\"room\"></span>{drawing}</div><p class=\"tip\">{soon}</p></div>\
             <div class=\"rail\">{question}{controls}</div></section></main>",
            brand = self.word("app.title"),
            heights = heights.join(" "),
            soon = self.word("app.soon"),
            question = self.asked(),
            controls = self.controls(),
        ))
    }

    /// The question and its answers, which cannot be given yet.
    fn asked(&self) -> String {
        let Some((ask, answers)) = self.question(self.figure.id) else {
            return String::new();
        };
        let answer = |a: &Answer| format!("<button type=\"button\" disabled>{}</button>", a.text);
        // A single answer is put into the drawing: it has no words.
        let answers: String = answers
            .iter()
            .filter(|_| answers.len() > 1)
            .map(answer)
            .collect();
        format!(
            "<section class=\"predict\"><p class=\"kicker\">{}</p><div class=\"ask\">{ask}</div>\
             <div class=\"answers\">{answers}</div></section>",
            self.word("lesson.predict"),
        )
    }

    /// The first controls, which move nothing yet.
    fn controls(&self) -> String {
        let one = |name: &str| {
            let label = self.word(&format!("key.{name}"));
            format!(
                "<div class=\"field\"><label>{label}<input type=\"range\" disabled></label></div>"
            )
        };
        let keys = self.figure.controls.iter().take(CONTROLS);
        let all: String = keys.map(|key| one(key.name())).collect();
        format!("<div class=\"controls\">{all}</div>")
    }
}
