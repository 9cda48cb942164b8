//! Every figure of the list, drawn to SVG natively in both languages, light and dark, wide and
//! narrow. A new figure is tested without anyone remembering.
//!
//! `FIGURES_DIR=folder cargo test --test figures` also writes the pictures there, to be looked at.

#[path = "../src/bin/lesson/png.rs"]
mod png_of;

use png_of::png_url;
use posenc_lab::core::Matrix;
use posenc_lab::core::analysis::cosine;
use posenc_lab::core::grid::Grid;
use posenc_lab::core::grid::resample::{Interpolation, resample};
use posenc_lab::core::grid::window::{swin_index, table_rows};
use posenc_lab::figure::kit::colour::Colours;
use posenc_lab::figure::kit::scene::Hit;
use posenc_lab::figure::kit::svg::svg;
use posenc_lab::figure::put::start;
use posenc_lab::figure::{FIGURES, Figure, Table, View, by_id, page_of};
use posenc_lab::state::{Lang, Page, Params, Value, decode, resolve};

fn params(query: &str) -> Params {
    resolve(&decode(query).0, page_of).0
}

fn drawn(figure: &Figure, query: &str, view: &View) -> String {
    let p = params(&format!("embed={}&{query}", figure.id));
    let picture = figure
        .compute(&p)
        .unwrap_or_else(|e| panic!("{}: {e}", figure.id));
    let view = View {
        height: picture.height(view.width),
        ..*view
    };
    let scene = picture.draw(&p, &view);
    let dark = view.colours.dark;
    let marks = format!("{:?}", scene.marks);
    for wrong in ["NaN", "(inf", "-inf", ", inf"] {
        assert!(!marks.contains(wrong), "{} {query}: {wrong}", figure.id);
    }
    svg(&scene, (view.width, view.height), dark, |raster| {
        png_url(raster, dark)
    })
    .expect("an SVG")
}

/// Parameters that figures must survive: usual, smallest, large, at the edges.
const QUERIES: &[&str] = &[
    "",
    "d_model=2&seq_len=1&max_rel_dist=1&heads=1&grid=1x1&window=1x1&trained=64x64&pos=9&patch=1",
    "d_model=512&seq_len=512&max_rel_dist=64&heads=8",
    "d_model=4096&seq_len=8192&max_rel_dist=4096&heads=64&base=1e9&pos=8191&dim=4095&grid=64x64&window=16x16&trained=64x1&i=255",
    "base=1.0001&layout=t2t&pairing=half&causal=1&bias=decay",
    "scheme=learned&seq_len=300&i=299&j=7&grid=20x20&pos=210&window=2x3&bias=decay&image=cat",
    "scheme=t5&causal=1&seq_len=200&i=150&j=3&bias_edits=0:3:-20,1:2:900",
    "scheme=alibi&d_model=96&heads=6&seq_len=12&shift=-8191&layout=concatenated&head=5&grid=64x1&window=16x1&trained=1x1",
    "scheme=rope&scaling=yarn&factor=64&orig_len=16&seq_len=80&i=70&j=2",
    "scheme=rope&scaling=longrope&orig_len=16&d_model=8&heads=2&pairing=half&grid=1x64&window=1x16&trained=3x2&image=rings&pos=63",
    "blocks=text:1&seconds=1&rate=1&bpm=30&mod_bias=text:text:-1000&q=0&k=0",
    "blocks=image:64x64&seconds=7200&rate=200&bpm=240&mrope=qwen3vl&q=4095&k=4000&head=3",
    "blocks=audio:9,video:40x3x5,text:2&mrope=qwen25vl&fps=0.01&seconds=31&q=3&k=44&mod_bias=audio:video:2.5",
    "layout=concatenated&d_model=512&shift=100&max_rel_dist=2&seq_len=10&i=1&j=9",
];

/// More for the page of long contexts.
const FAR: &[&str] = &[
    "scaling=ntk&factor=3&d_model=128&heads=1&orig_len=4096&target_len=16384&dim=90",
    "scaling=yarn&factor=16&preset=llama-2-7b&target_len=65536&dim=76",
    "preset=llama-3.1-8b&dim=70",
    "scaling=dynamic&orig_len=1048576&target_len=16&base=1e9&factor=1",
    "scaling=longrope&target_len=16777216&d_model=4096&heads=1&factor=128",
];

fn queries(figure: &Figure) -> impl Iterator<Item = &'static str> {
    let far = if figure.page == Page::Context {
        FAR
    } else {
        &[]
    };
    QUERIES.iter().chain(far).copied()
}

#[test]
fn every_figure_draws_at_every_size_in_every_language_and_theme() {
    for figure in FIGURES {
        for query in queries(figure) {
            for (width, lang, dark) in [
                (1040.0, Lang::Zh, false),
                (358.0, Lang::En, true),
                (240.0, Lang::Zh, true),
            ] {
                let view = View {
                    width,
                    height: 0.0,
                    lang,
                    colours: Colours::of(dark),
                    reveal: true,
                    guess: None,
                };
                let picture = drawn(figure, query, &view);
                assert!(
                    picture.contains("<text"),
                    "{} {query} has no words",
                    figure.id
                );
                if let Ok(folder) = std::env::var("FIGURES_DIR") {
                    let at = queries(figure).position(|q| q == query).unwrap_or_default();
                    let name = format!("{folder}/{}-{at}-{width}.svg", figure.id);
                    std::fs::write(name, picture).expect("the folder can be written");
                }
            }
        }
    }
}

#[test]
fn pointing_anywhere_is_safe_and_says_something() {
    for figure in FIGURES {
        for query in queries(figure) {
            let p = params(&format!("embed={}&{query}", figure.id));
            let picture = figure.compute(&p).expect("computed");
            let view = View {
                width: 700.0,
                height: picture.height(700.0),
                lang: Lang::En,
                colours: Colours::of(false),
                reveal: true,
                guess: None,
            };
            let scene = picture.draw(&p, &view);
            assert!(
                !scene.targets.is_empty(),
                "{} has nothing to point at",
                figure.id
            );
            let height = picture.height(view.width);
            for k in 0..400 {
                let point = (f64::from(k % 20) * 35.0, f64::from(k / 20) * height / 20.0);
                if let Some(hit) = scene.hit(point) {
                    assert!(
                        !picture.describe(hit, &p, Lang::Zh).is_empty(),
                        "{}",
                        figure.id
                    );
                    picture.picked(hit, &p);
                }
            }
        }
    }
}

#[test]
fn figures_say_what_they_show_and_have_numbers() {
    for figure in FIGURES {
        for query in queries(figure) {
            let p = params(&format!("embed={}&{query}", figure.id));
            let picture = figure.compute(&p).expect("computed");
            for lang in [Lang::Zh, Lang::En] {
                let sentence = picture.sentence(&p, lang);
                assert!(
                    !sentence.is_empty() && !sentence.contains("%{"),
                    "{sentence}"
                );
                assert!(!sentence.contains("figure."), "no such words: {sentence}");
            }
            let table = picture.table(&p);
            assert!(!table.rows.is_empty(), "{}", figure.id);
            for row in &table.rows {
                assert_eq!(row.len(), table.columns.len(), "{}", figure.id);
                assert!(row.iter().all(|x| x.is_finite()), "{}", figure.id);
            }
            for r in picture.readouts(&p, Lang::En) {
                assert!(
                    r.number.is_none_or(f64::is_finite),
                    "{} {}",
                    figure.id,
                    r.name
                );
            }
        }
    }
}

/// Figures that rotate compute anew when a parameter of the scaling changes, and say that it is
/// in force.
#[test]
fn figures_that_rotate_follow_the_scaling() {
    let rotates = |f: &&Figure| f.id.starts_with("rope-") || f.id == "order-swap";
    assert_eq!(FIGURES.iter().filter(rotates).count(), 5);
    for figure in FIGURES.iter().filter(rotates) {
        let of = |query: &str| params(&format!("embed={}&scheme=rope&{query}", figure.id));
        let plain = figure.reads(&of(""));
        for query in [
            "scaling=linear",
            "factor=2",
            "orig_len=64",
            "target_len=64",
            "beta_fast=8",
            "beta_slow=2",
            "low_freq_factor=2",
            "high_freq_factor=8",
        ] {
            assert!(figure.reads(&of(query)) != plain, "{} {query}", figure.id);
        }
        if figure.id == "order-swap" {
            continue;
        }
        let factor = |query: &str| {
            let p = of(query);
            let picture = figure.compute(&p).expect("computed");
            let readouts = picture.readouts(&p, Lang::En);
            let found = readouts.iter().find(|r| r.name == "attention-factor");
            found.and_then(|r| r.number)
        };
        assert_eq!(factor(""), None, "{}", figure.id);
        assert_eq!(factor("scaling=ntk"), Some(1.0), "{}", figure.id);
        let yarn = 0.1 * 4f64.ln() + 1.0;
        assert_eq!(factor("scaling=yarn"), Some(yarn), "{}", figure.id);
    }
}

/// A tap on the table of a window, square or not, chooses a pair that uses that row.
#[test]
fn a_row_of_the_table_leads_to_a_pair_that_uses_it() {
    for (rows, columns) in [(7, 7), (2, 3), (1, 5), (4, 1)] {
        let window = Grid::of(rows, columns);
        let p = params(&format!("embed=swin-index&window={rows}x{columns}"));
        let picture = by_id("swin-index")
            .expect("a figure")
            .compute(&p)
            .expect("computed");
        let across = 2 * columns - 1;
        for index in 0..table_rows(window) {
            let hit = Hit {
                target: 2,
                row: index / across,
                column: index % across,
                down: 0.0,
            };
            let pair: Vec<usize> = picture
                .picked(hit, &p)
                .into_iter()
                .map(|(_, value)| match value {
                    Value::Int(at) => at as usize,
                    other => panic!("{other:?}"),
                })
                .collect();
            assert!(pair.iter().all(|at| *at < window.cells()));
            assert_eq!(swin_index(window, pair[0], pair[1]), index);
        }
    }
}

/// Natively, what `img-patches` says of its maps is what the arrays of the encodings give.
#[test]
fn the_maps_of_patches_are_products_of_the_arrays() {
    let query = "grid=4x6&d_model=32&heads=2&pos=9&base=50&trained=3x5&bias_edits=0:40:2.5";
    let p = params(&format!("embed=img-patches&{query}"));
    let picture = by_id("img-patches")
        .expect("a figure")
        .compute(&p)
        .expect("computed");
    let resized = by_id("img-resize")
        .expect("a figure")
        .compute(&p)
        .expect("computed");
    let tables = [picture.table(&p), resized.table(&p)];
    let column = |name: &str| {
        let has = |t: &&Table| t.columns.iter().any(|c| c == name);
        let table = tables.iter().find(has).expect(name);
        let at = table.columns.iter().position(|c| c == name).expect(name);
        table
            .rows
            .iter()
            .map(move |row| row[at])
            .collect::<Vec<_>>()
    };
    let arrays = |scheme: &str| {
        posenc_lab::vectors::vectors(&format!("page=multimodal&scheme2d={scheme}&{query}"))
    };
    let numbers = |object: &serde_json::Value, name: &str| -> Vec<f64> {
        let data = object["arrays"][name]["data"].as_array().expect(name);
        data.iter().map(|x| x.as_f64().expect("a number")).collect()
    };
    let n = 24;
    let close = |name: &str, wanted: &dyn Fn(usize) -> f64| {
        for (patch, value) in column(name).into_iter().enumerate() {
            let wanted = wanted(patch);
            assert!(
                (value - wanted).abs() < 1e-12,
                "{name} {patch}: {value} {wanted}"
            );
        }
    };
    for scheme in ["1d", "sincos"] {
        let pe = numbers(&arrays(scheme), "pe");
        let row = |k: usize| &pe[32 * k..32 * (k + 1)];
        close(scheme, &|b| cosine(row(9), row(b)));
    }
    let bias = numbers(&arrays("relative"), "bias");
    close("relative", &|b| bias[9 * n + b]);
    // q = k with equal energy in every pair: the mean cosine of the differences of the angles.
    let object = arrays("rope");
    let (cos, sin) = (numbers(&object, "cos"), numbers(&object, "sin"));
    close("rope", &|b| {
        let pair = |i: usize| cos[72 + i] * cos[8 * b + i] + sin[72 + i] * sin[8 * b + i];
        (0..8).map(pair).sum::<f64>() / 8.0
    });
    // The whole trained table interpolated, not half by half.
    let trained =
        posenc_lab::vectors::vectors("page=multimodal&scheme2d=sincos&grid=3x5&d_model=32&base=50");
    let pe = Matrix::from_row_slice(15, 32, &numbers(&trained, "pe"));
    let (from, to) = (Grid::of(3, 5), Grid::of(4, 6));
    let new = resample(&pe, from, to, Interpolation::Bicubic, false).expect("resampled");
    let row = |k: usize| new.row(k).iter().copied().collect::<Vec<f64>>();
    close("interpolated", &|b| cosine(&row(9), &row(b)));
}

#[test]
fn figures_of_all_schemes_stand_whatever_scaling_the_chosen_one_ignores() {
    for (scaling, used) in [
        ("scaling=llama3&low_freq_factor=9&high_freq_factor=2", "2"),
        ("scaling=yarn&beta_slow=40", "32"),
        ("scaling=ntk&d_model=2&heads=1", "none"),
    ] {
        let (requested, _) = decode(&format!("page=compare&scheme=t5&{scaling}"));
        let (p, notices) = resolve(&requested, page_of);
        assert_eq!(notices[0].used, used, "{scaling}: {notices:?}");
        for figure in FIGURES.iter().filter(|f| f.page == Page::Compare) {
            assert!(figure.compute(&p).is_ok(), "{} at {scaling}", figure.id);
        }
    }
}

/// A frame may be as small as a stamp, a window smaller than a phone's.
#[test]
fn the_smallest_boxes_are_survived() {
    for figure in FIGURES {
        for query in ["", QUERIES[2], QUERIES[3], QUERIES[6]] {
            let p = params(&format!("embed={}&{query}", figure.id));
            let Ok(picture) = figure.compute(&p) else {
                continue;
            };
            let handles = picture.handles(&p);
            for width in [20.0, 80.0, 140.0, 178.0, 186.0, 200.0, 240.0] {
                for height in [40.0, 60.0, 180.0, picture.height(width)] {
                    for (reveal, asked) in [(true, false), (false, false), (false, true)] {
                        let view = View {
                            width,
                            height,
                            lang: Lang::En,
                            colours: Colours::of(true),
                            reveal,
                            guess: asked.then(|| start(&handles)),
                        };
                        let marks = format!("{:?}", picture.draw(&p, &view).marks);
                        for wrong in ["NaN", "(inf", "-inf", ", inf"] {
                            assert!(!marks.contains(wrong), "{} {width} × {height}", figure.id);
                        }
                    }
                }
            }
        }
    }
}
