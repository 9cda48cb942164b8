//! Every figure is drawn whole, with letters of a readable size that do not cover each other, in the boxes
//! that a page gives it: beside its controls on a laptop and a projector, above them on a phone, in a frame.
//!
//! `BOXES_DIR=folder cargo test --test boxes` also writes the pictures there, to be looked at;
//! `BOXES=pe-matrix` tries one figure alone.

#[path = "../src/bin/lesson/png.rs"]
mod png_of;

use png_of::png_url;
use posenc_lab::figure::kit::colour::Colours;
use posenc_lab::figure::kit::panel::TICK;
use posenc_lab::figure::kit::scene::{Align, Label, Mark, Rect, Scene, Stand, text_width};
use posenc_lab::figure::kit::svg::svg;
use posenc_lab::figure::put::start;
use posenc_lab::figure::{FIGURES, Figure, View, page_of};
use posenc_lab::state::{Lang, decode, resolve};

/// Beside the controls on a laptop, on a smaller one, in frames of 640 x 400 and 800 x 600; on a phone.
const BOXES: [(f64, f64); 5] = [
    (880.0, 540.0),
    (640.0, 500.0),
    (420.0, 360.0),
    (540.0, 540.0),
    (358.0, 360.0),
];

/// The defaults of the page, and what needs more room.
const QUERIES: [&str; 4] = [
    "",
    "scheme=alibi&seq_len=12&d_model=32&causal=1&step=6",
    "scheme=t5&seq_len=512&d_model=512&heads=8&max_rel_dist=64&bias=decay&scaling=yarn&factor=16&step=5",
    "scheme=rope&seq_len=5&d_model=8&heads=2&pairing=half&scaling=llama3&factor=8&step=2",
];

/// Room that a label takes for certain: [`text_width`] allows for wider letters than there are.
fn room(l: &Label) -> Rect {
    let (w, h) = (0.86 * text_width(&l.text, l.size), 0.74 * l.size);
    if l.turned {
        return Rect::new(l.at.0 - h, l.at.1 - w / 2.0, h, w);
    }
    let x = match l.align {
        Align::Start => l.at.0,
        Align::Middle => l.at.0 - w / 2.0,
        Align::End => l.at.0 - w,
    };
    let y = match l.stand {
        Stand::Below => l.at.1 + 0.13 * l.size,
        Stand::Centre => l.at.1 - h / 2.0,
        Stand::Above => l.at.1 - h - 0.13 * l.size,
    };
    Rect::new(x, y, w, h)
}

fn around(points: impl Iterator<Item = (f64, f64)>) -> Rect {
    let (mut a, mut b) = ((f64::MAX, f64::MAX), (f64::MIN, f64::MIN));
    for (x, y) in points {
        a = (a.0.min(x), a.1.min(y));
        b = (b.0.max(x), b.1.max(y));
    }
    Rect::new(a.0, a.1, b.0 - a.0, b.1 - a.1)
}

fn extent(mark: &Mark) -> Rect {
    match mark {
        Mark::Line { points, .. } | Mark::Area { points, .. } => around(points.iter().copied()),
        Mark::Fill { rect, .. } | Mark::Frame { rect, .. } => *rect,
        Mark::Circle {
            centre, radius: r, ..
        } => Rect::new(centre.0 - r, centre.1 - r, 2.0 * r, 2.0 * r),
        Mark::Label(l) => room(l),
    }
}

fn meet(a: Rect, b: Rect) -> bool {
    a.x < b.right() && b.x < a.right() && a.y < b.bottom() && b.y < a.bottom()
}

/// What is wrong with a scene in a box.
fn faults(scene: &Scene, (w, h): (f64, f64)) -> Vec<String> {
    let mut out = Vec::new();
    let outside = |r: Rect| r.x < -2.5 || r.y < -2.5 || r.right() > w + 2.5 || r.bottom() > h + 2.5;
    for mark in &scene.marks {
        let r = extent(mark);
        if outside(r) {
            let what = match mark {
                Mark::Label(l) => format!("{:?}", l.text),
                other => format!("{other:?}").chars().take(24).collect(),
            };
            out.push(format!(
                "outside: {what} {:.0},{:.0} {:.0}x{:.0}",
                r.x, r.y, r.w, r.h
            ));
        }
    }
    out.extend(
        scene
            .rasters
            .iter()
            .map(|p| p.rect)
            .filter(|r| outside(*r))
            .map(|r| format!("outside: raster {r:?}")),
    );
    out.extend(
        scene
            .targets
            .iter()
            .filter(|t| outside(t.rect))
            .map(|t| format!("outside: {t:?}")),
    );
    let labels: Vec<&Label> = scene
        .marks
        .iter()
        .filter_map(|m| {
            if let Mark::Label(l) = m {
                Some(l)
            } else {
                None
            }
        })
        .collect();
    for (k, a) in labels.iter().enumerate() {
        if a.size < TICK {
            out.push(format!("small: {:?} {}", a.text, a.size));
        }
        let over = labels[..k]
            .iter()
            .find(|b| !a.text.is_empty() && !b.text.is_empty() && meet(room(a), room(b)));
        out.extend(over.map(|b| format!("over each other: {:?} {:?}", b.text, a.text)));
    }
    out
}

fn tried(figure: &Figure) -> bool {
    std::env::var("BOXES").is_ok_and(|only| only == figure.id)
        || std::env::var_os("BOXES").is_none()
}

#[test]
fn every_figure_fits_every_box() {
    let mut wrong = Vec::new();
    for figure in FIGURES.iter().filter(|f| tried(f)) {
        for (k, query) in QUERIES.iter().enumerate() {
            let p = resolve(&decode(&format!("embed={}&{query}", figure.id)).0, page_of).0;
            let p = figure.shows(&p);
            let picture = figure.compute(&p).expect("computed");
            for (width, height) in BOXES {
                // With and without what a visitor has put in as an answer, before it is given and after.
                let handles = picture.handles(&p);
                let put = Some(start(&handles)).filter(|_| !handles.is_empty());
                let cases = [
                    (Lang::Zh, true, None),
                    (Lang::En, true, put),
                    (Lang::Zh, false, None),
                    (Lang::En, false, put),
                ];
                for (lang, reveal, guess) in cases {
                    let colours = Colours::of(lang == Lang::En);
                    let height = height.min(picture.height(width));
                    let view = View {
                        width,
                        height,
                        lang,
                        colours,
                        reveal,
                        guess,
                    };
                    let scene = picture.draw(&p, &view);
                    let all = faults(&scene, (width, height));
                    let name = format!("{} {width}x{height} {} {query}", figure.id, lang.id());
                    wrong.extend(all.into_iter().take(4).map(|f| format!("{name}: {f}")));
                    if let Ok(folder) = std::env::var("BOXES_DIR") {
                        let veil = if reveal { "" } else { "-veiled" };
                        let file =
                            format!("{folder}/{}-{k}-{width}-{}{veil}.svg", figure.id, lang.id());
                        let dark = colours.dark;
                        let picture = svg(&scene, (width, height), dark, |raster| {
                            png_url(raster, dark)
                        });
                        std::fs::write(file, picture.expect("an SVG"))
                            .expect("the folder can be written");
                    }
                }
            }
        }
    }
    assert!(
        wrong.is_empty(),
        "{} faults\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}
