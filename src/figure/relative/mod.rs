//! The figures of the page `relative`.

pub(crate) mod attention;
pub(crate) mod bias;
pub(crate) mod index;

use super::kit::panel::round_up;
use crate::state::{Key, Params};

/// The smallest range upwards and downwards of biases that can be edited.
const REACH: f64 = 3.0;

/// The lowest and the highest bias that a chart has room for.
fn reach(biases: impl Iterator<Item = f64>, editable: bool) -> (f64, f64) {
    let (least, most) = biases.fold((0.0, 0.0), |(a, b): (f64, f64), x| (a.min(x), b.max(x)));
    if !editable && most <= 0.0 && least < 0.0 {
        // A formula that only falls: all the room below.
        let low = -round_up(-least);
        return (low, -0.06 * low);
    }
    let reach = |x: f64| if x > REACH { round_up(x) } else { REACH };
    (-reach(-least), reach(most))
}

/// A pair of positions below `n` with an offset i − j: of the traced query, or else of the traced key.
fn pair_with(offset: i64, p: &Params, n: usize) -> Vec<(Key, usize)> {
    let inside = |x: i64| usize::try_from(x).ok().filter(|x| *x < n);
    let of_query = inside(p.i as i64 - offset).map(|j| (p.i, j));
    let of_key = inside(p.j as i64 + offset).map(|i| (i, p.j));
    let first = || (offset.max(0) as usize, (-offset).max(0) as usize);
    let (i, j) = of_query
        .filter(|_| p.i < n)
        .or(of_key.filter(|_| p.j < n))
        .unwrap_or_else(first);
    vec![(Key::I, i), (Key::J, j)]
}
