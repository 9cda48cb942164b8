//! Lines of the figures of `context`, their names, their veils and where their charts stand.

use crate::core::encoding::rope_scaling::{LongContext, Remedy};
use crate::figure::View;
use crate::figure::kit::colour::Colour;
use crate::figure::kit::panel::{Chart, TICK};
use crate::figure::kit::scene::{Align, Mark, Rect, Scene, Stand, text_width};
use crate::state::Lang;

/// Room left of a chart for its ticks and the name of its axis.
pub(crate) const LEFT: f64 = 58.0;
/// From one name of a line to the next.
const NAME_ROW: f64 = 16.0;

/// How a line is drawn.
#[derive(Clone, Copy)]
pub(crate) struct Stroke {
    /// Its colour.
    pub colour: Colour,
    /// Its width in pixels.
    pub width: f64,
    /// Lengths of dash and gap, if it is dashed.
    pub dash: Option<(f64, f64)>,
}

impl Stroke {
    /// A whole line.
    pub const fn solid(colour: Colour, width: f64) -> Self {
        Self {
            colour,
            width,
            dash: None,
        }
    }

    /// A dashed line.
    pub const fn dashed(colour: Colour, width: f64, dash: (f64, f64)) -> Self {
        Self {
            colour,
            width,
            dash: Some(dash),
        }
    }
}

/// The stroke of a remedy: its own colour, thick where it is in force.
pub(crate) fn stroke(remedy: Remedy, context: &LongContext, view: &View) -> Stroke {
    let c = view.colours;
    let colour = match remedy {
        Remedy::None => c.muted,
        Remedy::Linear => c.series(0),
        Remedy::Ntk => c.series(1),
        Remedy::Dynamic => c.series(2),
        Remedy::Yarn => c.series(3),
        Remedy::Llama3 => c.series(4),
        Remedy::LongRope => c.series(5),
    };
    let width = if remedy == context.remedy { 3.0 } else { 1.8 };
    Stroke::solid(colour, width)
}

/// The remedies that are drawn and named: no scaling, the one in force, and one to compare it with;
/// without one in force, the two that differ most.
pub(crate) fn compared(context: &LongContext) -> [Remedy; 3] {
    match context.remedy {
        Remedy::None | Remedy::Ntk => [Remedy::None, Remedy::Linear, Remedy::Ntk],
        Remedy::Linear => [Remedy::None, Remedy::Ntk, Remedy::Linear],
        other => [Remedy::None, Remedy::Linear, other],
    }
}

/// Draws a line with a stroke, values outside a chart at its edge.
pub(crate) fn plot(
    scene: &mut Scene,
    chart: &Chart,
    values: impl Iterator<Item = (f64, f64)>,
    s: Stroke,
) {
    let points: Vec<_> = values
        .map(|(x, y)| chart.at(x, y.clamp(chart.y.start, chart.y.end)))
        .collect();
    if points.len() == 1 {
        scene.disc(points[0], s.width + 1.5, s.colour);
        return;
    }
    scene.marks.push(Mark::Line {
        points,
        colour: s.colour,
        width: s.width,
        dash: s.dash,
    });
}

/// The name of a line, at the height of its end.
pub(crate) struct Name {
    /// Where the line ends, in pixels from the top.
    pub y: f64,
    /// What it is called.
    pub text: String,
    /// The colour of the line.
    pub colour: Colour,
}

/// Room right of a chart for the names of its lines, in either language.
pub(crate) fn gutter(names: impl Fn(Lang) -> Vec<String>) -> f64 {
    let all = [Lang::Zh, Lang::En].into_iter().flat_map(names);
    8.0 + all.map(|n| text_width(&n, TICK)).fold(0.0, f64::max)
}

/// Writes the names of lines right of a chart, each as near to its line's end as the others leave it.
pub(crate) fn name_lines(scene: &mut Scene, r: Rect, mut names: Vec<Name>) {
    names.sort_by(|a, b| a.y.total_cmp(&b.y));
    let mut next = r.y + TICK / 2.0;
    for name in &mut names {
        name.y = name.y.max(next);
        next = name.y + NAME_ROW;
    }
    let mut last = r.bottom() - TICK / 2.0;
    for name in names.iter_mut().rev() {
        name.y = name.y.min(last);
        last = name.y - NAME_ROW;
    }
    let place = (Align::Start, Stand::Centre);
    for name in names {
        scene.text(
            (r.right() + 6.0, name.y),
            name.text,
            TICK,
            name.colour,
            place,
        );
    }
}

/// A level line across a chart with its name at its left end.
pub(crate) fn level(scene: &mut Scene, chart: &Chart, y: f64, text: &str, colour: Colour) {
    if y < chart.y.start || y > chart.y.end {
        return;
    }
    let r = chart.rect;
    let py = chart.at(0.0, y).1;
    scene.dashed(vec![(r.x, py), (r.right(), py)], colour, 1.3);
    let place = (Align::Start, Stand::Above);
    scene.text((r.x + 4.0, py - 1.0), text, TICK, colour, place);
}

/// An upright line with its name at the top, on the side where there is room.
pub(crate) fn upright(
    scene: &mut Scene,
    chart: &Chart,
    x: f64,
    (text, row): (&str, usize),
    colour: Colour,
) {
    if x < chart.x.start || x > chart.x.end {
        return;
    }
    let r = chart.rect;
    chart.upright(scene, x, colour);
    let px = chart.at(x, 0.0).0;
    let wide = text_width(text, TICK) + 6.0;
    let (at, align) = if px + wide > r.right() && px - wide > r.x {
        (px - 4.0, Align::End)
    } else {
        (px + 4.0, Align::Start)
    };
    let y = r.y + 3.0 + NAME_ROW * row as f64;
    scene.text((at, y), text, TICK, colour, (align, Stand::Below));
}

/// The plotting area of a chart within its place, `right` kept free beside it.
pub(crate) fn inner(place: Rect, right: f64) -> Rect {
    let (_, top, _, bottom) = Chart::MARGIN;
    Rect::new(
        place.x + LEFT,
        place.y + top,
        (place.w - LEFT - right).max(20.0),
        (place.h - top - bottom).max(20.0),
    )
}

/// Two places in a box, the first with this share of it: side by side where it is wide, else one
/// above the other.
pub(crate) fn halves(width: f64, height: f64, share: f64) -> (Rect, Rect) {
    if side_by_side(width) {
        let first = width * share;
        return (
            Rect::new(0.0, 0.0, first, height),
            Rect::new(first, 0.0, width - first, height),
        );
    }
    let first = height * share;
    (
        Rect::new(0.0, 0.0, width, first),
        Rect::new(0.0, first, width, height - first),
    )
}

/// Whether two charts of a box this wide stand side by side.
pub(crate) fn side_by_side(width: f64) -> bool {
    width >= 720.0
}
