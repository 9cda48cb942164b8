//! What the figures of the page `context` share.

use std::ops::Range;

use crate::core::CoreError;
use crate::core::encoding::rope::Rope;
use crate::core::encoding::rope_scaling::{
    Frequencies, LongContext, Remedy, RopeScaling, plain_frequencies,
};
use crate::figure::kit::colour::Colour;
use crate::figure::kit::note::note;
use crate::figure::kit::panel::{Chart, TICK};
use crate::figure::kit::scene::{Align, Mark, Rect, Scene, Stand, text_width};
use crate::figure::rope::parts::{pick_pair, rotation_of};
use crate::figure::{Readout, View};
use crate::say;
use crate::state::{Key, Lang, Params, Value};
use crate::words::short;

/// The controls of the figures that show a remedy.
pub(crate) const CONTROLS: &[Key] = &[
    Key::Scaling,
    Key::Factor,
    Key::OrigLen,
    Key::TargetLen,
    Key::Base,
    Key::DModel,
    Key::Heads,
    Key::BetaFast,
    Key::BetaSlow,
    Key::LowFreqFactor,
    Key::HighFreqFactor,
    Key::Truncate,
    Key::AttentionFactor,
];
/// Panels stand side by side from this width on.
pub(crate) const WIDE: f64 = 720.0;
/// Room left of a chart for its ticks and the name of its axis.
pub(crate) const LEFT: f64 = 58.0;
/// Height of a row of a legend.
const LEGEND_ROW: f64 = 19.0;

/// Frequencies under the parameters of the page, and what a traced dimension means.
pub(crate) struct Pairs {
    pub rope: Rope,
    pub base: f64,
    pub context: LongContext,
    /// θ without a remedy.
    pub plain: Vec<f64>,
}

impl Pairs {
    pub fn of(p: &Params) -> Result<Self, CoreError> {
        let rope = rotation_of(p)?.rope().clone();
        let base = p.setting.base;
        Ok(Self {
            plain: plain_frequencies(rope.rotary_dim(), base),
            context: p.setting.context,
            base,
            rope,
        })
    }

    pub fn count(&self) -> usize {
        self.plain.len()
    }

    /// θ under the remedy in force.
    pub fn scaled(&self) -> &[f64] {
        self.rope.inv_freq()
    }

    /// Scaled over plain θ under the remedy in force.
    pub fn ratio(&self, pair: usize) -> f64 {
        self.scaled()[pair] / self.plain[pair]
    }

    pub fn scaling(&self, remedy: Remedy) -> RopeScaling {
        self.context.with(remedy).scaling(self.count())
    }

    /// The frequencies of a remedy at the length looked at; none where it is not defined.
    pub fn under(&self, remedy: Remedy) -> Option<Frequencies> {
        let now = Some(self.context.target_len);
        let scaling = self.scaling(remedy);
        scaling.at(self.rope.rotary_dim(), self.base, now).ok()
    }

    pub fn traced(&self, p: &Params) -> usize {
        self.rope.pairing().pair_of(self.rope.head_dim(), p.dim)
    }

    pub fn pick(&self, pair: usize, p: &Params) -> Vec<(Key, Value)> {
        pick_pair(&self.rope, pair.min(self.count() - 1), p)
    }

    /// The axis of pairs.
    pub fn across(&self) -> Range<f64> {
        -0.5..self.count() as f64 - 0.5
    }

    /// Ticks of the axis of pairs.
    pub fn pair_ticks(&self, width: f64) -> Vec<(f64, String)> {
        let ticks = crate::figure::kit::panel::cell_ticks(self.count(), width / 40.0);
        ticks
            .into_iter()
            .map(|k| (k as f64, k.to_string()))
            .collect()
    }
}

/// At most `most` of `count` things, evenly spread, the first, the last and one more among them.
pub(crate) fn spread(count: usize, most: usize, also: usize) -> Vec<usize> {
    if count <= most {
        return (0..count).collect();
    }
    let step = (count - 1) as f64 / (most - 1) as f64;
    let mut all: Vec<usize> = (0..most)
        .map(|k| (k as f64 * step).round() as usize)
        .collect();
    if !all.contains(&also) {
        let inner = 1..most - 1;
        if let Some(near) = inner.min_by_key(|&k| all[k].abs_diff(also)) {
            // The nearest: the order stays.
            all[near] = also;
        }
    }
    all
}

/// The legend at the height `top`, and a note below the `room` that it takes in either language.
pub(crate) fn foot(
    scene: &mut Scene,
    view: &View,
    (top, room): (f64, f64),
    items: &[(Stroke, String)],
    text: &str,
) {
    let inner = view.width - 24.0;
    legend(scene, view, (12.0, top), inner, items);
    note(scene, (12.0, top + room), inner, text, view.colours.muted);
}

/// All, those that hold last: they are drawn on top.
pub(crate) fn last<T>(all: &[T], holds: impl Fn(&T) -> bool + Copy) -> impl Iterator<Item = &T> {
    let others = all.iter().filter(move |x| !holds(x));
    others.chain(all.iter().filter(move |x| holds(x)))
}

/// What a remedy is called.
pub(crate) fn name(remedy: Remedy, lang: Lang) -> String {
    say!(lang, format!("word.scaling.{}", remedy.id()))
}

/// Round values of an axis of powers of ten, as logarithms with their texts: 1, 2, 5, 10, … over
/// a short range, decades over a longer one.
pub(crate) fn powers(range: Range<f64>, most: usize) -> Vec<(f64, String)> {
    let most = most.max(2) as f64;
    let span = range.end - range.start;
    let (from, to) = (range.start.floor() as i32, range.end.ceil() as i32);
    let factors: &[f64] = match () {
        () if span * 3.0 <= most => &[1.0, 2.0, 5.0],
        () if span * 2.0 <= most => &[1.0, 3.0],
        () => &[1.0],
    };
    let step = (span / most).ceil().max(1.0) as i32;
    let mut out = Vec::new();
    for e in (from..=to).filter(|e| e.rem_euclid(step) == 0) {
        for &f in factors {
            let x = f64::from(e) + f.log10();
            if x >= range.start - 1e-9 && x <= range.end + 1e-9 {
                out.push((x, power(f, e)));
            }
        }
    }
    out
}

fn power(factor: f64, exponent: i32) -> String {
    if (-3..4).contains(&exponent) {
        return short(factor * 10f64.powi(exponent));
    }
    // `short` writes 10⁴ out; a tick has no room for it.
    let power = short(10f64.powi(if exponent > 0 {
        exponent + 6
    } else {
        exponent - 6
    }));
    let raised: String = exponent
        .to_string()
        .chars()
        .map(|c| match c {
            '-' => '⁻',
            '1' => '¹',
            '2' => '²',
            '3' => '³',
            d => char::from_u32('⁰' as u32 + d as u32 - '0' as u32).unwrap_or(d),
        })
        .collect();
    debug_assert!(power.starts_with("10"));
    if factor == 1.0 {
        format!("10{raised}")
    } else {
        format!("{factor}×10{raised}")
    }
}

/// How a line is drawn, in a chart and in its legend.
#[derive(Clone, Copy)]
pub(crate) struct Stroke {
    pub colour: Colour,
    pub width: f64,
    pub dash: Option<(f64, f64)>,
}

/// The stroke of a remedy: its own colour and its own dashes, thick and whole where it is in force.
pub(crate) fn stroke(remedy: Remedy, context: &LongContext, view: &View) -> Stroke {
    let c = view.colours;
    let present = remedy == context.remedy;
    let (colour, dash) = match remedy {
        Remedy::None => (c.muted, None),
        Remedy::Linear => (c.series(0), None),
        Remedy::Ntk => (c.series(1), Some((9.0, 4.0))),
        Remedy::Dynamic => (c.series(2), Some((2.0, 3.0))),
        Remedy::Yarn => (c.series(3), None),
        Remedy::Llama3 => (c.series(4), Some((6.0, 3.0))),
        Remedy::LongRope => (c.series(5), Some((12.0, 3.0))),
    };
    Stroke {
        colour: if present { colour } else { colour.fade(0.75) },
        width: if present { 3.0 } else { 1.4 },
        dash: dash.filter(|_| !present),
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

/// Where the entries of a legend stand, and its height.
fn legend_places(width: f64, texts: &[String]) -> (Vec<(f64, f64)>, f64) {
    let (mut x, mut y) = (0.0, 0.0);
    let mut places = Vec::new();
    for text in texts {
        let wide = 32.0 + text_width(text, TICK) + 14.0;
        if x + wide > width && x > 0.0 {
            (x, y) = (0.0, y + LEGEND_ROW);
        }
        places.push((x, y));
        x += wide;
    }
    (places, y + LEGEND_ROW)
}

/// The height of a legend in the language that needs more.
pub(crate) fn legend_room(width: f64, texts: impl Fn(Lang) -> Vec<String>) -> f64 {
    let heights = [Lang::Zh, Lang::En].map(|lang| legend_places(width, &texts(lang)).1);
    heights[0].max(heights[1])
}

/// Strokes with their names, wrapping.
pub(crate) fn legend(
    scene: &mut Scene,
    view: &View,
    at: (f64, f64),
    width: f64,
    items: &[(Stroke, String)],
) {
    let texts: Vec<String> = items.iter().map(|i| i.1.clone()).collect();
    let (places, _) = legend_places(width, &texts);
    for ((s, text), (x, y)) in items.iter().zip(places) {
        let (x, y) = (at.0 + x, at.1 + y + LEGEND_ROW / 2.0);
        scene.marks.push(Mark::Line {
            points: vec![(x, y), (x + 26.0, y)],
            colour: s.colour,
            width: s.width,
            dash: s.dash,
        });
        let place = (Align::Start, Stand::Centre);
        scene.text((x + 32.0, y), text.clone(), TICK, view.colours.ink, place);
    }
}

/// A level line across a chart with its name at one end.
pub(crate) fn level(
    scene: &mut Scene,
    chart: &Chart,
    y: f64,
    (text, align): (&str, Align),
    colour: Colour,
) {
    if y < chart.y.start || y > chart.y.end {
        return;
    }
    let r = chart.rect;
    let py = chart.at(0.0, y).1;
    scene.dashed(vec![(r.x, py), (r.right(), py)], colour, 1.3);
    let x = match align {
        Align::End => r.right() - 4.0,
        _ => r.x + 4.0,
    };
    scene.text((x, py - 1.0), text, TICK, colour, (align, Stand::Above));
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
    let y = r.y + 3.0 + 14.0 * row as f64;
    scene.text((at, y), text, TICK, colour, (align, Stand::Below));
}

/// Two charts: side by side if there is room, else one below the other; and where what comes
/// below them begins.
pub(crate) fn two(width: f64, share: f64) -> (Rect, Rect, f64) {
    let (_, top, right, bottom) = Chart::MARGIN;
    let (right, height) = (right + 4.0, 240.0);
    if width >= WIDE {
        let first = (width - 2.0 * (LEFT + right)) * share;
        let second = width - 2.0 * (LEFT + right) - first;
        let a = Rect::new(LEFT, top, first, height);
        let b = Rect::new(a.right() + right + LEFT, top, second, height);
        return (a, b, a.bottom() + bottom + 6.0);
    }
    let a = Rect::new(LEFT, top, width - LEFT - right, 210.0);
    let b = Rect::new(LEFT, a.bottom() + bottom + top + 8.0, a.w, 190.0);
    (a, b, b.bottom() + bottom + 6.0)
}

/// Frames the column of the traced pair.
pub(crate) fn trace_pair(scene: &mut Scene, chart: &Chart, pair: usize, view: &View) {
    chart.upright(scene, pair as f64, view.colours.traced);
}

/// A readout of one number.
pub(crate) fn readout(name: &'static str, label: String, number: f64) -> Readout {
    Readout {
        name: name.into(),
        label,
        number: Some(number),
        text: short(number),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ctx_spread_keeps_the_ends_and_one_more() {
        assert_eq!(spread(8, 32, 3), (0..8).collect::<Vec<_>>());
        for also in [0, 1, 17, 62, 63] {
            let all = spread(64, 32, also);
            assert_eq!((all.len(), all[0], all[31]), (32, 0, 63));
            assert!(
                all.contains(&also) && all.windows(2).all(|w| w[0] < w[1]),
                "{also}"
            );
        }
    }

    #[test]
    fn ctx_powers_are_round_and_fit() {
        let texts =
            |range, most| -> Vec<String> { powers(range, most).into_iter().map(|t| t.1).collect() };
        assert_eq!(texts(0.0..2.0, 8), ["1", "2", "5", "10", "20", "50", "100"]);
        assert_eq!(
            texts(3.0..9.0, 7),
            ["1000", "10⁴", "10⁵", "10⁶", "10⁷", "10⁸", "10⁹"]
        );
        assert_eq!(texts(-10.0..0.0, 5).len(), 6);
        assert_eq!(texts(4.0..5.0, 9)[1], "2×10⁴");
    }
}
