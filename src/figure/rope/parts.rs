//! What the figures of the page `rope` share.

use std::f64::consts::TAU;

use crate::core::encoding::rope::Rope;
use crate::core::encoding::rope_scaling::Remedy;
use crate::core::encoding::{Parameter, Rotation};
use crate::core::{CoreError, toy};
use crate::figure::kit::scene::{Rect, Scene};
use crate::figure::{Readout, place};
use crate::say;
use crate::state::{Key, Lang, Params, Value};
use crate::words::short;

/// The rotation of one head under the scheme shown.
pub(crate) fn rotation_of(p: &Params) -> Result<Rotation, CoreError> {
    p.scheme.turns(&p.setting)
}

/// Says which scaling is in force, and its attention factor; nothing without scaling.
pub(crate) fn scaling_readout(p: &Params, lang: Lang) -> Option<Readout> {
    let remedy = p.setting.context.remedy;
    let scales = p.scheme.parameters().contains(&Parameter::Scaling) && remedy != Remedy::None;
    let rotation = rotation_of(p).ok().filter(|_| scales)?;
    let factor = rotation.rope().attention_factor();
    Some(Readout {
        name: "attention-factor".into(),
        label: say!(lang, "figure.scaled", remedy = remedy.id()),
        number: Some(factor),
        text: short(factor),
    })
}

/// The query and the key of the page's seed, each `[head_dim]`.
pub(crate) fn query_and_key(seed: u32, head_dim: usize) -> (Vec<f64>, Vec<f64>) {
    let row = |what| {
        toy::random_vectors(seed, what, 1, head_dim)
            .as_slice()
            .to_vec()
    };
    (row("q"), row("k"))
}

/// Traces the first dimension of a pair, in the head that is traced.
pub(crate) fn pick_pair(rope: &Rope, pair: usize, p: &Params) -> Vec<(Key, Value)> {
    let width = rope.head_dim();
    let (first, _) = rope.pairing().columns(pair, rope.rotary_dim());
    vec![(Key::Dim, place(p.dim / width * width + first))]
}

/// The point at an angle on a circle; y points down on the screen, so it is turned over here.
pub(crate) fn on_circle((x, y): (f64, f64), radius: f64, angle: f64) -> (f64, f64) {
    (x + radius * angle.cos(), y - radius * angle.sin())
}

/// Points of an arc that begins at `from` and sweeps anticlockwise by `sweep`.
pub(crate) fn arc(centre: (f64, f64), radius: f64, from: f64, sweep: f64) -> Vec<(f64, f64)> {
    let steps = (sweep.abs() / 0.08).ceil().clamp(1.0, 200.0) as usize;
    (0..=steps)
        .map(|k| on_circle(centre, radius, from + sweep * k as f64 / steps as f64))
        .collect()
}

/// An angle brought to 0..2π.
pub(crate) fn within_a_turn(angle: f64) -> f64 {
    angle.rem_euclid(TAU)
}

/// A faint cross through the middle of a square, for the axes of a pair's plane.
pub(crate) fn cross(
    scene: &mut Scene,
    (x, y): (f64, f64),
    radius: f64,
    view: &crate::figure::View,
) {
    let colour = view.colours.grid;
    scene.fill(Rect::new(x - radius, y - 0.5, 2.0 * radius, 1.0), colour);
    scene.fill(Rect::new(x - 0.5, y - radius, 1.0, 2.0 * radius), colour);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positive_angles_go_up_on_the_screen() {
        let (x, y) = on_circle((10.0, 10.0), 5.0, TAU / 4.0);
        assert!((x - 10.0).abs() < 1e-12 && (y - 5.0).abs() < 1e-12);
    }
}
