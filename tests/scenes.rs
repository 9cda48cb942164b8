//! Golden scenes: what each figure draws and says at one set of parameters, as a text that can be read.
//!
//! `tests/scenes/<figure>.txt` is what it should be. A figure that differs leaves
//! `<figure>.txt.changed` beside it; look at both, and if the new one is right,
//! `UPDATE_SCENES=1 cargo test --test scenes` takes it over.
//!
//! Numbers are compared within what they are written to, so that a last digit that the optimiser or
//! another processor rounds differently is no change.

use std::fmt::Write;
use std::path::PathBuf;

use posenc_lab::figure::kit::colour::{Colour, Colours};
use posenc_lab::figure::kit::scene::{Mark, Raster, Rect, Scene};
use posenc_lab::figure::{FIGURES, Figure, Picture, View, page_of};
use posenc_lab::state::{Lang, Page, Params, decode, resolve};

const WIDTH: f64 = 700.0;

/// Parameters at which nothing is symmetric by chance: rows are no columns, queries no keys.
fn query(figure: &Figure) -> &'static str {
    match (figure.id, figure.page) {
        ("attention", _) => {
            "d_model=16&heads=2&head=1&seq_len=7&i=5&j=2&max_rel_dist=3&causal=1&bias=decay"
        }
        ("rel-bias", _) => {
            "d_model=16&heads=2&head=1&seq_len=9&i=6&j=2&max_rel_dist=4&bias_edits=1:2:1.5"
        }
        ("img-patches" | "img-resize", _) => {
            "d_model=32&heads=2&grid=3x4&trained=2x3&pos=6&image=rings"
        }
        ("swin-index", _) => "d_model=32&heads=2&head=1&window=2x3&i=4&j=2&bias=decay",
        ("audio-frames" | "audio-bias", _) => "d_model=32&heads=2&seconds=2&rate=20&bpm=90",
        ("mrope-grid" | "mrope-scores" | "modality-bias", _) => {
            "d_model=64&heads=2&blocks=text:2,image:2x3,audio:2&q=9&k=4&mod_bias=audio:image:0.5"
        }
        ("attention-steps", _) => {
            "d_model=8&heads=2&head=1&scheme=relative&max_rel_dist=2&causal=1&step=5&i=2&j=1&text_a=猫/追/狗/了"
        }
        (_, Page::Order) => {
            "d_model=8&heads=2&layers=2&scheme=rope&i=2&j=1&dim=5&text_a=猫/追/狗/了&text_b=狗/追/猫/了"
        }
        (_, Page::Relative) => "d_model=16&heads=2&head=1&seq_len=9&i=6&j=2&max_rel_dist=3",
        (_, Page::Rope) => {
            "d_model=16&heads=2&seq_len=10&pos=7&i=6&j=2&dim=11&base=100&scaling=yarn&orig_len=16"
        }
        (_, Page::Context) => {
            "d_model=32&heads=2&scaling=yarn&factor=4&orig_len=256&target_len=1024&dim=9&pos=40"
        }
        (_, Page::Compare) => "d_model=16&heads=2&head=1&seq_len=9&i=6&j=2&max_rel_dist=3&seed=7",
        _ => "d_model=16&heads=2&seq_len=12&pos=7&dim=5&i=9&j=4&shift=3",
    }
}

/// The place of a number in a drawing: tenths of a pixel.
fn px(x: f64) -> String {
    let rounded = (x * 10.0).round() / 10.0;
    format!("{}", rounded + 0.0)
}

/// A number that is stated: whole, or six digits; rounding errors as 0.
fn stated(x: f64) -> String {
    if x.abs() < 1e-9 {
        return "0".to_owned();
    }
    if x.fract() == 0.0 && x.abs() < 1e9 {
        return format!("{x}");
    }
    format!("{x:.5e}")
}

fn colour(c: Colour) -> String {
    let [r, g, b] = c.rgb;
    let alpha = (c.alpha * 100.0).round();
    if alpha == 100.0 {
        format!("#{r:02x}{g:02x}{b:02x}")
    } else {
        format!("#{r:02x}{g:02x}{b:02x}/{alpha}")
    }
}

fn rect(r: Rect) -> String {
    [r.x, r.y, r.w, r.h].map(px).join(" ")
}

/// How many points, and up to eight of them, the ends among them.
fn points(all: &[(f64, f64)]) -> String {
    let last = all.len().saturating_sub(1);
    let shown = last.min(7);
    let some = (0..=shown).filter_map(|k| all.get(k * last / shown.max(1)));
    let texts: Vec<String> = some.map(|p| format!("{},{}", px(p.0), px(p.1))).collect();
    format!("{}: {}", all.len(), texts.join(" "))
}

fn mark(m: &Mark) -> String {
    match m {
        Mark::Line {
            points: p,
            colour: c,
            width,
            dash,
        } => {
            let dash = if dash.is_some() { " dashed" } else { "" };
            format!("line {} {width}{dash} {}", colour(*c), points(p))
        }
        Mark::Area {
            points: p,
            colour: c,
        } => format!("area {} {}", colour(*c), points(p)),
        Mark::Fill { rect: r, colour: c } => format!("fill {} {}", colour(*c), rect(*r)),
        Mark::Frame {
            rect: r,
            colour: c,
            width,
        } => format!("frame {} {width} {}", colour(*c), rect(*r)),
        Mark::Circle {
            centre,
            radius,
            colour: c,
            outline,
        } => {
            let kind = outline.map_or("disc".to_owned(), |w| format!("ring {w}"));
            let (x, y) = (px(centre.0), px(centre.1));
            format!("{kind} {} {x},{y} {}", colour(*c), px(*radius))
        }
        Mark::Label(l) => {
            let turned = if l.turned { " turned" } else { "" };
            let (x, y) = (px(l.at.0), px(l.at.1));
            let place = format!("{:?}/{:?}", l.align, l.stand);
            format!(
                "text {} {x},{y} {place}{turned} {} {}",
                colour(l.colour),
                px(l.size),
                l.text
            )
        }
    }
}

/// Means of the shades in at most 8 × 8 blocks, so that one shade more or less changes little, and
/// where things stand is seen. Of an image, of its red, green and blue together.
fn blocks(raster: &Raster) -> Vec<String> {
    let channels = raster.shades.len() / (raster.width * raster.height).max(1);
    let edge = |k: usize, size: usize| k * size / size.min(8);
    let (down, across) = (raster.height.min(8), raster.width.min(8));
    (0..down)
        .map(|row| {
            let cells = (0..across).map(|column| {
                let (mut sum, mut count) = (0.0, 0.0);
                for y in edge(row, raster.height)..edge(row + 1, raster.height) {
                    let start = channels * (y * raster.width + edge(column, raster.width));
                    let end = channels * (y * raster.width + edge(column + 1, raster.width));
                    for (k, shade) in raster.shades[start..end].iter().enumerate() {
                        // Red, green and blue count differently, or swapped they would go unseen.
                        sum += f64::from(*shade) * (1 + k % channels) as f64;
                        count += (1 + k % channels) as f64;
                    }
                }
                px(sum / count)
            });
            cells.collect::<Vec<_>>().join(" ")
        })
        .collect()
}

fn scene_text(scene: &Scene, out: &mut String) {
    for placed in &scene.rasters {
        let r = &placed.raster;
        let palette = r.palette.map_or("image".to_owned(), |p| format!("{p:?}"));
        let _ = writeln!(
            out,
            "raster {} of {}x{} {palette}",
            rect(placed.rect),
            r.height,
            r.width
        );
        for row in blocks(r) {
            let _ = writeln!(out, "  {row}");
        }
    }
    for t in &scene.targets {
        let _ = writeln!(
            out,
            "target {} {} of {}x{}",
            t.id,
            rect(t.rect),
            t.rows,
            t.columns
        );
    }
    for m in &scene.marks {
        let _ = writeln!(out, "{}", mark(m));
    }
}

fn computed(figure: &Figure, query: &str) -> (Params, std::sync::Arc<dyn Picture>) {
    let query = format!("embed={}&{query}", figure.id);
    let (p, _) = resolve(&decode(&query).0, page_of);
    let picture = figure
        .compute(&p)
        .unwrap_or_else(|e| panic!("{}: {e}", figure.id));
    (p, picture)
}

fn dump(figure: &Figure) -> String {
    let query = query(figure);
    let (p, picture) = computed(figure, query);
    let mut out = format!("{} {query}\n", figure.id);
    let view = View {
        width: WIDTH,
        height: picture.height(WIDTH),
        lang: Lang::En,
        colours: Colours::of(false),
        reveal: true,
        guess: None,
    };
    let _ = writeln!(out, "height {}", px(picture.height(WIDTH)));
    for lang in [Lang::Zh, Lang::En] {
        let _ = writeln!(out, "say {}", picture.sentence(&p, lang).replace('\n', " "));
        for note in picture.notes(&p, lang) {
            let _ = writeln!(out, "note {note}");
        }
        for r in picture.readouts(&p, lang) {
            let number = r.number.map_or("none".to_owned(), stated);
            let _ = writeln!(
                out,
                "number {} {number} say {}: {}",
                r.name, r.label, r.text
            );
        }
    }
    let table = picture.table(&p);
    let _ = writeln!(
        out,
        "table {} rows: {}",
        table.rows.len(),
        table.columns.join(", ")
    );
    for row in table.rows.iter().take(4) {
        let row: Vec<String> = row.iter().take(12).map(|x| stated(*x)).collect();
        let _ = writeln!(out, "number row {}", row.join(" "));
    }
    scene_text(&picture.draw(&p, &view), &mut out);
    out
}

/// A piece of a line: a number, or what stands between numbers.
#[derive(Debug, PartialEq)]
enum Piece {
    Number(f64),
    Text(String),
}

/// Powers of ten as figures write them, "1.5 × 10⁻³", as "1.5e-3".
fn plain(line: &str) -> String {
    let mut out = String::new();
    let raised = "⁰¹²³⁴⁵⁶⁷⁸⁹";
    let mut in_power = false;
    for c in line.chars() {
        let digit = raised.chars().position(|r| r == c);
        if c == '⁻' || digit.is_some() {
            if !in_power {
                let mantissa = out.strip_suffix(" × 10").map(str::to_owned);
                let bare = out.strip_suffix("10").map(|o| format!("{o}1"));
                out = mantissa.or(bare).unwrap_or(out);
                out.push('e');
            }
            in_power = true;
            match digit {
                Some(d) => out.push_str(&d.to_string()),
                None => out.push('-'),
            }
        } else {
            in_power = false;
            out.push(if c == '−' { '-' } else { c });
        }
    }
    out
}

fn pieces(line: &str) -> Vec<Piece> {
    let line = plain(line);
    let chars: Vec<char> = line.chars().collect();
    let mut out = Vec::new();
    let mut text = String::new();
    let mut at = 0;
    while at < chars.len() {
        // A colour is no number.
        let hex = chars[at] == '#';
        let minus = chars[at] == '-' && chars.get(at + 1).is_some_and(char::is_ascii_digit);
        if !hex && (chars[at].is_ascii_digit() || minus) {
            let mut end = at + 1;
            while end < chars.len() {
                let c = chars[end];
                let next_is_digit = |k: usize| chars.get(k).is_some_and(char::is_ascii_digit);
                let goes_on = c.is_ascii_digit()
                    || (c == '.' && next_is_digit(end + 1))
                    || (c == 'e' && next_is_digit(end + 1))
                    || (c == 'e' && chars.get(end + 1) == Some(&'-') && next_is_digit(end + 2))
                    || (c == '-' && chars[end - 1] == 'e');
                if !goes_on {
                    break;
                }
                end += 1;
            }
            let number: String = chars[at..end].iter().collect();
            match number.parse() {
                Ok(x) => {
                    out.push(Piece::Text(std::mem::take(&mut text)));
                    out.push(Piece::Number(x));
                }
                Err(_) => text.push_str(&number),
            }
            at = end;
            continue;
        }
        let end = if hex {
            (at + 7).min(chars.len())
        } else {
            at + 1
        };
        text.extend(&chars[at..end]);
        at = end;
    }
    out.push(Piece::Text(text));
    out
}

/// Whether two numbers of a line of this kind are the same but for rounding.
fn same(kind: &str, a: f64, b: f64) -> bool {
    let off = (a - b).abs();
    let size = a.abs().max(b.abs());
    match kind {
        "number" => off <= 2e-5 * size + 1e-9,
        // Counts are exact.
        "say" if a.fract() == 0.0 && b.fract() == 0.0 => off == 0.0,
        "say" => off <= 2e-3 * size + 1e-9,
        // A shade more in some of the cells.
        "" => off <= 0.6,
        _ => off <= 0.15,
    }
}

/// The first line in which two texts differ.
fn difference(wanted: &str, got: &str) -> Option<String> {
    let (mut a, mut b) = (wanted.lines(), got.lines());
    for at in 1.. {
        let (x, y) = match (a.next(), b.next()) {
            (None, None) => return None,
            (x, y) => (x.unwrap_or("(nothing)"), y.unwrap_or("(nothing)")),
        };
        let kind = x.split(' ').next().unwrap_or_default();
        // What stands behind `say` is for reading.
        let (x_parts, y_parts) = (pieces(x), pieces(y));
        let mut spoken = kind == "text" || kind == "say";
        let alike = x_parts.len() == y_parts.len()
            && x_parts.iter().zip(&y_parts).all(|(p, q)| match (p, q) {
                (Piece::Number(p), Piece::Number(q)) => same(
                    if spoken && kind != "text" {
                        "say"
                    } else {
                        kind
                    },
                    *p,
                    *q,
                ),
                (Piece::Text(p), Piece::Text(q)) => {
                    spoken |= p.contains(" say ");
                    p == q
                }
                _ => false,
            });
        if !alike {
            return Some(format!("line {at}:\n  - {x}\n  + {y}"));
        }
    }
    None
}

fn file(figure: &Figure) -> PathBuf {
    PathBuf::from(format!("tests/scenes/{}.txt", figure.id))
}

#[test]
fn figures_draw_and_say_what_they_did() {
    let update = std::env::var_os("UPDATE_SCENES").is_some();
    let mut changed = Vec::new();
    for figure in FIGURES {
        let (file, got) = (file(figure), dump(figure));
        assert!(got.len() < 30_000, "{}: {} bytes", figure.id, got.len());
        let wanted = std::fs::read_to_string(&file).unwrap_or_default();
        let beside = file.with_extension("txt.changed");
        let Some(off) = difference(&wanted, &got) else {
            let _ = std::fs::remove_file(beside);
            continue;
        };
        let to = if update { &file } else { &beside };
        std::fs::write(to, &got).expect("tests/scenes can be written");
        if update {
            let _ = std::fs::remove_file(beside);
        } else {
            changed.push(format!("{}, {off}", file.display()));
        }
    }
    assert!(
        changed.is_empty(),
        "{}\nIf that is right: UPDATE_SCENES=1 cargo test --test scenes",
        changed.join("\n")
    );
}

#[test]
fn every_golden_scene_is_of_a_figure() {
    let ids: Vec<String> = FIGURES.iter().map(|f| format!("{}.txt", f.id)).collect();
    for entry in std::fs::read_dir("tests/scenes").expect("the golden scenes") {
        let name = entry
            .expect("a file")
            .file_name()
            .to_string_lossy()
            .into_owned();
        let known = ids.contains(&name) || name.ends_with(".changed");
        assert!(known, "tests/scenes/{name} is of no figure");
    }
}

/// The comparison sees what it is for, and only that.
#[test]
fn rounding_is_no_change_and_a_sign_is_one() {
    let same = |a: &str, b: &str| difference(a, b).is_none();
    assert!(same(
        "line #aa12ff 2 2: 1.1,2 3,4",
        "line #aa12ff 2 2: 1.2,2 3,4"
    ));
    assert!(!same(
        "line #aa12ff 2 2: 1.1,2 3,4",
        "line #aa12ff 2 2: 1.3,2 3,4"
    ));
    assert!(!same("line #aa12ff 2 2: 1,2", "line #aa13ff 2 2: 1,2"));
    assert!(!same(
        "text #000000 1,2 Start/Below 11 +1",
        "text #000000 1,2 Start/Below 11 −1"
    ));
    assert!(same(
        "say the error is 2.2 × 10⁻¹⁶",
        "say the error is 4.44 × 10⁻¹⁶"
    ));
    assert!(!same(
        "say the error is 2.2 × 10⁻³",
        "say the error is 2.2 × 10⁻²"
    ));
    assert!(!same(
        "number score 1.23456e-1 say score: 0.12",
        "number score 1.23556e-1 say score: 0.12"
    ));
    assert!(same(
        "number score 1.23456e-1 say a: 0.1235",
        "number score 1.23457e-1 say a: 0.1234"
    ));
    assert!(!same("say 8192 pairs", "say 8193 pairs"));
    assert!(!same("say a", "say b") && !same("say a", ""));
    assert!(same("  12 13.5", "  12.5 13.1") && !same("  12 13", "  13 12"));
}
