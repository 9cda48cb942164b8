//! A figure at its parameters as a text that can be read: what it says, its table, its drawing.

use std::fmt::Write;

use posenc_lab::figure::kit::colour::{Colour, Colours};
use posenc_lab::figure::kit::scene::{Mark, Raster, Rect, Scene};
use posenc_lab::figure::{Figure, Picture, View, page_of};
use posenc_lab::state::{Lang, Params, decode, resolve};

const WIDTH: f64 = 700.0;

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

pub fn dump(figure: &Figure, query: &str) -> String {
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
