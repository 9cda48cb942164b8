//! What is pointed at becomes what is traced: where a tap sets a traced place, the figure drawn
//! again marks the cell that was hit.

use std::collections::BTreeMap;

use posenc_lab::figure::kit::colour::Colours;
use posenc_lab::figure::kit::scene::{Mark, Rect, Scene, Target};
use posenc_lab::figure::{FIGURES, Figure, Picture, View, page_of};
use posenc_lab::state::{Key, Lang, Page, decode, resolve};

/// Parameters with small and with large cells, square and not. A patch of the grid that was trained
/// on has one patch of the new grid in its middle only if that is no smaller.
const QUERIES: &[&str] = &[
    "d_model=64&seq_len=24&grid=14x15&step=6",
    "d_model=16&heads=2&seq_len=9&max_rel_dist=3&i=2&j=7&grid=3x5&window=2x3&trained=3x2&pos=4&blocks=text:2,image:2x3,audio:2",
    "d_model=32&heads=2&step=3&seq_len=40&i=39&j=0&pairing=half&layout=concatenated&causal=1&bias=decay&grid=5x3&window=4x1&trained=2x2&scaling=yarn",
    "d_model=64&heads=2&seq_len=120&i=90&j=20&dim=40&max_rel_dist=8&grid=20x9&window=5x6&trained=9x9&scaling=linear&blocks=image:9x7,text:5",
    "d_model=24&heads=3&seq_len=7&dim=9&i=0&j=6&layers=2&step=7&text_a=a/b/c/d/e&text_b=e/d/c/b/a&seed=5&trained=7x7",
];

const TRACED: [Key; 6] = [Key::Pos, Key::Dim, Key::I, Key::J, Key::Q, Key::K];

/// Whether a target says in words alone what was chosen there.
fn only_in_words(figure: &Figure, target: usize) -> bool {
    // The outputs of `order-swap`: a dimension of a token's vector, whose number is told.
    figure.id == "order-swap" && target >= 4
}

fn view(picture: &dyn Picture) -> View {
    View {
        width: 760.0,
        height: picture.height(760.0),
        lang: Lang::En,
        colours: Colours::of(false),
        reveal: true,
        guess: None,
    }
}

fn cell(t: &Target, row: usize, column: usize) -> Rect {
    let (w, h) = (t.rect.w / t.columns as f64, t.rect.h / t.rows as f64);
    let (x, y) = (t.rect.x + column as f64 * w, t.rect.y + row as f64 * h);
    Rect::new(x, y, w, h)
}

fn middle(r: Rect) -> (f64, f64) {
    (r.x + r.w / 2.0, r.y + r.h / 2.0)
}

/// The smallest rectangle around points.
fn around(points: &[(f64, f64)]) -> Rect {
    let ends = |of: fn(&(f64, f64)) -> f64| {
        let low = points.iter().map(of).fold(f64::INFINITY, f64::min);
        let high = points.iter().map(of).fold(f64::NEG_INFINITY, f64::max);
        (low, high - low)
    };
    let ((x, w), (y, h)) = (ends(|p| p.0), ends(|p| p.1));
    Rect::new(x, y, w, h)
}

/// Where marks stand in the colours of what is traced, of queries and of keys; frames, and others.
fn marks(scene: &Scene) -> (Vec<Rect>, Vec<Rect>) {
    let c = Colours::of(false);
    let hues = [c.traced.rgb, c.query.rgb, c.key.rgb];
    let (mut frames, mut others) = (Vec::new(), Vec::new());
    for m in &scene.marks {
        let (colour, rect) = match m {
            Mark::Frame { rect, colour, .. } | Mark::Fill { rect, colour } => (colour, *rect),
            Mark::Line { points, colour, .. } | Mark::Area { points, colour } => {
                (colour, around(points))
            }
            Mark::Circle {
                centre: (x, y),
                radius: r,
                colour,
                ..
            } => (colour, Rect::new(x - r, y - r, 2.0 * r, 2.0 * r)),
            Mark::Label(_) => continue,
        };
        if hues.contains(&colour.rgb) {
            let is_frame = matches!(m, Mark::Frame { .. });
            if is_frame { &mut frames } else { &mut others }.push(rect);
        }
    }
    (frames, others)
}

/// Whether a frame stands around the cell: its own, that of its pair or of its column, or a small
/// one for a cell that is too small.
fn frames(frame: Rect, cell: Rect, target: &Target) -> bool {
    let fits = |frame: f64, cell: f64| frame <= 2.3 * cell || frame <= 14.0;
    frame.contains(middle(cell))
        && fits(frame.w, cell.w)
        && (fits(frame.h, cell.h) || frame.h >= target.rect.h)
}

/// Whether a mark stands over or in the cell of a chart, which is a column of it.
fn stands_in(mark: Rect, cell: Rect) -> bool {
    let x = middle(mark).0;
    mark.w <= (2.0 * cell.w).max(14.0)
        && (cell.x - 0.6..=cell.right() + 0.6).contains(&x)
        && mark.bottom() >= cell.y
        && mark.y <= cell.bottom()
}

/// Whether a scene marks a cell of a target.
fn marked(scene: &Scene, target: usize, (row, column): (usize, usize)) -> bool {
    let Some(t) = scene.targets.iter().find(|t| t.id == target) else {
        return false;
    };
    let cell = cell(t, row, column);
    let (framed, others) = marks(scene);
    if t.rows > 1 {
        return framed.into_iter().any(|f| frames(f, cell, t));
    }
    framed.into_iter().chain(others).any(|m| stands_in(m, cell))
}

#[test]
fn what_is_picked_is_then_marked() {
    // By figure and target, the first cell that was picked in vain.
    let mut unmarked = BTreeMap::new();
    // Of each figure: how many cells were tried, and how many of them were not marked before.
    let mut tried: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    for figure in FIGURES {
        // Where all schemes are shown at once, or none, one is enough.
        let one = [Page::Context, Page::Multimodal, Page::Compare].contains(&figure.page);
        let schemes: Vec<&str> = figure.page.schemes().map(|s| s.id()).collect();
        let schemes = if one { &schemes[..1] } else { &schemes };
        for query in QUERIES {
            for scheme in schemes {
                let query = format!("embed={}&scheme={scheme}&{query}", figure.id);
                let requested = decode(&query).0;
                let p = resolve(&requested, page_of).0;
                let picture = figure.compute(&p).expect("computed");
                let before = picture.draw(&p, &view(picture.as_ref()));
                for target in &before.targets {
                    for k in 0..12 {
                        // Steps that meet no row or column too often.
                        let (row, mut column) =
                            ((5 + 7 * k) % target.rows, (3 + 11 * k) % target.columns);
                        if figure.id == "pe-shift" {
                            // A pair is traced, whose block stands on the diagonal.
                            column = row;
                        }
                        let hit = before.hit(middle(cell(target, row, column)));
                        let Some(hit) = hit.filter(|h| h.target == target.id) else {
                            continue;
                        };
                        assert_eq!((hit.row, hit.column), (row, column), "{query}");
                        let picked = picture.picked(hit, &p);
                        let places = picked.iter().all(|(key, _)| TRACED.contains(key));
                        if picked.is_empty() || !places || only_in_words(figure, target.id) {
                            continue;
                        }
                        let mut requested = requested.clone();
                        for (key, value) in picked {
                            requested.set(key, value);
                        }
                        let p = resolve(&requested, page_of).0;
                        let after = picture.draw(&p, &view(picture.as_ref()));
                        let place = (row, column);
                        // A part of a long sequence that is shown moves on with what is traced.
                        if after.targets.iter().all(|t| t.id != target.id) {
                            continue;
                        }
                        if !marked(&after, target.id, place) {
                            let of = (figure.id, target.id);
                            let said = format!("{query}: row {row}, column {column}");
                            unmarked.entry(of).or_insert(said);
                        }
                        let (all, new) = tried.entry(figure.id).or_default();
                        *all += 1;
                        *new += usize::from(!marked(&before, target.id, place));
                    }
                }
            }
        }
    }
    assert!(
        unmarked.is_empty(),
        "picked, and not marked then: {unmarked:#?}"
    );
    for (figure, (all, new)) in &tried {
        // A mark that stands everywhere would prove nothing.
        assert!(
            2 * new > *all,
            "{figure}: {new} of {all} were not marked before"
        );
    }
    let silent = FIGURES
        .iter()
        .map(|f| f.id)
        .filter(|id| !tried.contains_key(id));
    // Sound is played, not picked; a length is no place.
    assert_eq!(
        silent.collect::<Vec<_>>(),
        ["ctx-score", "audio-frames", "audio-bias"]
    );
}
