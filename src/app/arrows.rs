//! What the arrow keys move on a figure.

use crate::core::encoding::rope::Pairing;
use crate::figure::{Arrows, Figure, Special};
use crate::state::{Key, Params, Value};

/// What an arrow key moves; with shift ten times as far.
pub fn moved(figure: &Figure, p: &Params, key: &str, far: bool) -> Option<Vec<(Key, Value)>> {
    let (vertical, horizontal) = match figure.arrows {
        Arrows::None => return None,
        Arrows::Each(vertical, horizontal) => (vertical, horizontal),
        Arrows::Grid(place) => (Some(place), Some(place)),
    };
    let (axis, step) = match key {
        "ArrowUp" => (vertical, -1),
        "ArrowDown" => (vertical, 1),
        "ArrowLeft" => (horizontal, -1),
        "ArrowRight" => (horizontal, 1),
        _ => return None,
    };
    let axis = axis?;
    let now = p.number(axis)? as i64;
    if matches!(figure.arrows, Arrows::Grid(_)) {
        return Some(vec![(axis, Value::Int(on_grid(p, now, key, step)?))]);
    }
    // Where pairs are shown, the two dimensions of one are one place.
    let pairs = figure.special.contains(&Special::ArrowsByPairs)
        && p.setting.pairing == Pairing::Interleaved;
    let step = if pairs { 2 * step } else { step };
    let step = if far { 10 * step } else { step };
    let least = if axis == Key::Shift { i64::MIN } else { 0 };
    Some(vec![(axis, Value::Int((now + step).max(least)))])
}

/// The patch one step from another, if there is one; left and right do not leave the row.
fn on_grid(p: &Params, now: i64, key: &str, step: i64) -> Option<i64> {
    let columns = p.grid.columns() as i64;
    let across = ["ArrowLeft", "ArrowRight"].contains(&key);
    let next = now + if across { step } else { step * columns };
    let inside = (0..p.grid.cells() as i64).contains(&next);
    let same_row = next.div_euclid(columns) == now / columns;
    (inside && same_row == across).then_some(next)
}
