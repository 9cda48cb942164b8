//! Words and colours beside a panel: names, headings, legends.

use super::{HEADING, NAME, TICK};
use crate::figure::View;
use crate::figure::kit::colour::{Colour, Scale};
use crate::figure::kit::scene::{Align, Placed, Raster, Rect, Scene, Stand, text_width};
use crate::words::short;

/// The names of both axes of a panel; the vertical one stands `left` of it.
pub(crate) fn name_axes(
    scene: &mut Scene,
    view: &View,
    r: Rect,
    x_name: &str,
    y_name: &str,
    left: f64,
) {
    let c = view.colours;
    let middle = (r.x + r.w / 2.0, r.bottom() + 22.0);
    scene.text(middle, x_name, NAME, c.muted, (Align::Middle, Stand::Below));
    let side = (r.x - left + 4.0, r.y + r.h / 2.0);
    scene.turned_text(side, y_name.to_owned(), NAME, c.muted);
}

/// A legend: the colour map with the values of its ends and its middle. Takes 34 px of height.
pub fn legend(
    scene: &mut Scene,
    view: &View,
    at: (f64, f64),
    width: f64,
    scale: Scale,
    name: &str,
) {
    let c = view.colours;
    let bar = Rect::new(at.0, at.1, width, 10.0);
    scene.rasters.push(Placed {
        rect: bar,
        raster: Raster::from_fn(256, 1, scale, |_, column| {
            let (low, high) = scale.ends();
            low + (high - low) * column as f64 / 255.0
        }),
    });
    scene.frame(bar, c.grid, 1.0);
    let (low, high) = scale.ends();
    let signed = matches!(scale, Scale::Signed { .. });
    let plus = match scale {
        Scale::Signed { .. } => "+",
        // Larger weights have the last colour too.
        Scale::Weight { top } if top < 1.0 => "≥ ",
        _ => "",
    };
    let y = bar.bottom() + 3.0;
    let labels = [
        (bar.x, short(low), Align::Start),
        (bar.right(), format!("{plus}{}", short(high)), Align::End),
    ];
    for (x, text, align) in labels {
        scene.text((x, y), text, TICK, c.muted, (align, Stand::Below));
    }
    let middle = if signed {
        format!("0 · {name}")
    } else {
        name.to_owned()
    };
    let at = (bar.x + width / 2.0, y);
    scene.text(at, middle, TICK, c.muted, (Align::Middle, Stand::Below));
}

/// A text of one line in at most `width`: its letters shrink, to no less than those of ticks, and what
/// still does not fit is cut off with an ellipsis.
pub fn fitted(
    scene: &mut Scene,
    at: (f64, f64),
    width: f64,
    text: &str,
    size: f64,
    colour: Colour,
    place: (Align, Stand),
) {
    let size = size.min((size * width / text_width(text, size)).max(TICK));
    scene.text(at, cut(text, size, width), size, colour, place);
}

/// As much of a text as there is room for.
fn cut(text: &str, size: f64, width: f64) -> String {
    // A size that was made to fit may be too large by a rounding error.
    if text_width(text, size) <= width + 1e-6 {
        return text.to_owned();
    }
    let mut kept = text.to_owned();
    while kept.pop().is_some() && text_width(&kept, size) + text_width("…", size) > width {}
    format!("{}…", kept.trim_end())
}

/// What stands above a panel, not wider than it; nothing for a panel that writes its own.
pub(crate) fn heading(scene: &mut Scene, view: &View, r: Rect, text: &str) {
    if text.is_empty() {
        return;
    }
    headline(scene, view, (r.x, r.y - 7.0), r.w + 8.0, text);
}

/// A heading whose lower left corner is `at`, in at most `width`.
pub fn headline(scene: &mut Scene, view: &View, at: (f64, f64), width: f64, text: &str) {
    let place = (Align::Start, Stand::Above);
    fitted(scene, at, width, text, HEADING, view.colours.ink, place);
}

/// Named colours in a row, wrapping; returns the height taken.
pub fn swatches(
    scene: &mut Scene,
    view: &View,
    at: (f64, f64),
    width: f64,
    items: &[(Colour, String)],
) -> f64 {
    let (mut x, mut y) = at;
    for (colour, text) in items {
        let wide = 18.0 + text_width(text, TICK) + 14.0;
        if x + wide > at.0 + width && x > at.0 {
            x = at.0;
            y += 18.0;
        }
        scene.fill(Rect::new(x, y + 5.0, 14.0, 4.0), *colour);
        let place = (x + 18.0, y + 7.0);
        scene.text(
            place,
            text.clone(),
            TICK,
            view.colours.ink,
            (Align::Start, Stand::Centre),
        );
        x += wide;
    }
    y + 18.0 - at.1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_legend_names_both_ends_with_their_signs() {
        let said = |scale| {
            let view = View {
                width: 300.0,
                height: 300.0,
                lang: crate::state::Lang::En,
                colours: crate::figure::kit::colour::Colours::of(false),
                reveal: true,
                guess: None,
            };
            let mut scene = Scene::default();
            legend(&mut scene, &view, (0.0, 0.0), 200.0, scale, "bias");
            let texts = scene.marks.iter().filter_map(|m| match m {
                crate::figure::kit::scene::Mark::Label(l) => Some((l.at.0, l.text.clone())),
                _ => None,
            });
            let mut texts: Vec<(f64, String)> = texts.collect();
            texts.sort_by(|a, b| a.0.total_cmp(&b.0));
            texts.into_iter().map(|(_, text)| text).collect::<Vec<_>>()
        };
        assert_eq!(
            said(Scale::Signed { limit: 2.5 }),
            ["−2.5", "0 · bias", "+2.5"]
        );
        assert_eq!(said(Scale::Weight { top: 0.5 }), ["0", "bias", "≥ 0.5"]);
        assert_eq!(said(Scale::Weight { top: 1.0 }), ["0", "bias", "1"]);
    }
}
