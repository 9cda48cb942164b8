//! What the figures of the page `context` share.

use std::ops::Range;

use crate::core::CoreError;
use crate::core::encoding::rope::Rope;
use crate::core::encoding::rope_scaling::{
    Frequencies, LongContext, Remedy, RopeScaling, plain_frequencies,
};
use crate::figure::kit::panel::Chart;
use crate::figure::kit::scene::Scene;
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

/// The parameters at a moment of a film in which the text grows from the length of training to the one looked at; none
/// at rest.
pub(crate) fn growing(p: &Params) -> Option<Params> {
    let left = 1.0 - p.away();
    (p.between > 0.0).then(|| {
        let mut p = p.clone();
        let c = &mut p.setting.context;
        let (long, short) = (c.target_len, c.orig_len.min(c.target_len));
        c.target_len = short + (left * (long - short) as f64).round() as usize;
        p
    })
}

/// The same with the factor, which grows from 1 on; both by the same part of themselves at each moment.
pub(crate) fn growing_by_factor(p: &Params) -> Option<Params> {
    let left = 1.0 - p.away();
    (p.between > 0.0).then(|| {
        let mut p = p.clone();
        let c = &mut p.setting.context;
        let ratio = c.target_len as f64 / c.orig_len as f64;
        if ratio > 1.0 {
            c.target_len = (c.orig_len as f64 * ratio.powf(left)).round() as usize;
        }
        c.factor = c.factor.powf(left);
        p
    })
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

/// What a remedy is called.
pub(crate) fn name(remedy: Remedy, lang: Lang) -> String {
    say!(lang, format!("word.scaling.{}", remedy.id()))
}

/// What a remedy is called where there is little room.
pub(crate) fn short_name(remedy: Remedy, lang: Lang) -> String {
    say!(lang, format!("figure.ctx.line.{}", remedy.id()))
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
