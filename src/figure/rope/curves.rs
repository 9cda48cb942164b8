//! The numbers of `rope-score`: scores by distance, fast, and the matrix that proves them.

use crate::core::encoding::Rotation;
use crate::core::{CoreError, Matrix};

/// No more cosines than this are computed for the curves.
pub(crate) const BUDGET: usize = 2 << 20;
/// The rotation from one distance to the next is multiplied up; anew from here every so often, so
/// that rounding errors stay below 1e-13.
const ANCHOR: usize = 64;

/// Every distance below `n` if that is no more than the budget; else the near half of what can be
/// had without a gap and the far half evenly, with the step between the latter.
pub(crate) fn sampled(n: usize, pairs: usize) -> (Vec<usize>, usize) {
    let most = BUDGET / pairs.max(1);
    if n <= most {
        return ((0..n).collect(), 1);
    }
    let near = most / 2;
    let step = (n - near).div_ceil(most - near);
    let far = (near..n).step_by(step);
    ((0..near).chain(far).chain([n - 1]).collect(), step)
}

/// Mean cosine and ⟨R_m q, R_n k⟩ at each distance m − n, in order.
pub(crate) fn curves(
    rotation: &Rotation,
    q: &[f64],
    k: &[f64],
    distances: &[usize],
) -> (Vec<f64>, Vec<f64>) {
    let count = distances.len();
    let rope = rotation.rope();
    let scaled = rotation.is_scaled();
    let (mut even, mut random) = (vec![0.0; count], vec![0.0; count]);
    let factor = rope.attention_factor().powi(2);
    let weight = 1.0 / rope.inv_freq().len() as f64;
    for (i, &theta) in rope.inv_freq().iter().enumerate() {
        let (a, b) = rope.pairing().columns(i, rope.rotary_dim());
        let (along, across) = (q[a] * k[a] + q[b] * k[b], q[a] * k[b] - q[b] * k[a]);
        let (mut cos, mut sin) = (1.0, 0.0);
        let (mut gap, mut turn) = (usize::MAX, (0.0, 1.0));
        for (at, &d) in distances.iter().enumerate() {
            let next = d - distances[at.saturating_sub(1)];
            if next != gap {
                gap = next;
                turn = (gap as f64 * theta).sin_cos();
            }
            (sin, cos) = if at % ANCHOR == 0 {
                (d as f64 * theta).sin_cos()
            } else {
                (sin * turn.1 + cos * turn.0, cos * turn.1 - sin * turn.0)
            };
            let scale = if scaled {
                rotation.scale(i, d as f64)
            } else {
                1.0
            };
            even[at] += weight * scale * cos;
            random[at] += factor * scale * (along * cos + across * sin);
        }
    }
    (even, random)
}

/// ⟨R_m q, R_n k⟩/√head_dim with the same q at each m and the same k at each n, by rotating.
pub(crate) fn scores(
    rotation: &Rotation,
    q: &[f64],
    k: &[f64],
    side: usize,
) -> Result<Matrix, CoreError> {
    let positions: Vec<f64> = (0..side).map(|m| m as f64).collect();
    let rows = |x: &[f64]| Matrix::from_fn(side, x.len(), |_, c| x[c]);
    let q_at = rotation.queries(&rows(q), &positions)?;
    let k_at = rotation.keys(&rows(k), &positions)?;
    Ok(q_at * k_at.transpose() / (q.len() as f64).sqrt())
}

/// The largest difference between two cells of one diagonal.
pub(crate) fn diagonal_spread(s: &Matrix) -> f64 {
    let n = s.nrows() as i64;
    (1 - n..n)
        .map(|d| {
            let cells = (d.max(0)..n.min(n + d)).map(|m| s[(m as usize, (m - d) as usize)]);
            let (low, high) = ends(cells);
            high - low
        })
        .fold(0.0, f64::max)
}

pub(crate) fn ends(values: impl Iterator<Item = f64>) -> (f64, f64) {
    let start = (f64::INFINITY, f64::NEG_INFINITY);
    values.fold(start, |(a, b), v| (a.min(v), b.max(v)))
}

/// A curve for a screen: all of it, or the lowest and the highest value of each column of pixels.
pub(crate) fn envelope(
    distances: &[usize],
    values: &[f64],
    width: f64,
    last: f64,
) -> impl Iterator<Item = (f64, f64)> + use<> {
    let columns = width.max(1.0);
    let mut points: Vec<(f64, f64)> = Vec::new();
    if values.len() as f64 <= 2.0 * columns {
        points.extend(
            distances
                .iter()
                .map(|&d| d as f64)
                .zip(values.iter().copied()),
        );
        return points.into_iter();
    }
    let column = |d: usize| (d as f64 / last * columns) as usize;
    let mut start = 0;
    for end in 1..=values.len() {
        if end < values.len() && column(distances[end]) == column(distances[start]) {
            continue;
        }
        let (low, high) = ends(values[start..end].iter().copied());
        let x = distances[start] as f64;
        let falling = values[start] > values[end - 1];
        let (a, b) = if falling { (high, low) } else { (low, high) };
        points.extend([(x, a), (x, b)]);
        start = end;
    }
    points.into_iter()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::analysis::similarity_by_distance;
    use crate::core::encoding::rope::{Pairing, Rope};
    use crate::figure::rope::parts::query_and_key;

    #[test]
    fn the_curves_are_those_of_cosines_one_by_one() {
        for (head_dim, n) in [(2, 10), (128, 8192), (4096, 8192)] {
            let rope = Rope::new(head_dim, 10000.0, Pairing::Half).expect("a rotation");
            let (q, k) = query_and_key(42, head_dim);
            let (distances, _) = sampled(n, head_dim / 2);
            assert!(distances.len() * head_dim / 2 <= BUDGET + head_dim);
            assert_eq!((distances[0], distances[distances.len() - 1]), (0, n - 1));
            let (even, random) = curves(&rope.clone().into(), &q, &k, &distances);
            for at in (0..distances.len()).step_by(97) {
                let d = std::iter::once(distances[at] as f64);
                let known = similarity_by_distance(rope.inv_freq(), d.clone())[0];
                assert!((even[at] - known).abs() < 1e-12);
                let known = Rotation::from(rope.clone()).scores(&q, &k, &[distances[at] as f64])[0];
                assert!((random[at] - known).abs() < 1e-9);
            }
        }
    }

    #[test]
    fn a_scale_is_in_curves_and_scores_alike() {
        let p = crate::state::resolve(
            &crate::state::decode("page=rope&scheme=xpos&d_model=32&heads=2").0,
            crate::figure::page_of,
        )
        .0;
        let rotation = p.scheme.turns(&p.setting).expect("a rotation");
        let (q, k) = query_and_key(3, 16);
        let (even, random) = curves(&rotation, &q, &k, &[0, 1, 7, 50]);
        let s = scores(&rotation, &q, &k, 64).expect("fits");
        for (at, d) in [0usize, 1, 7, 50].into_iter().enumerate() {
            let known = rotation.similarity(&[d as f64])[0];
            assert!((even[at] - known).abs() < 1e-12);
            assert!((random[at] - 4.0 * s[(d + 5, 5)]).abs() < 1e-12);
        }
    }

    #[test]
    fn published_values_of_the_mean_cosine() {
        // d = 128, base 10000: falls on the whole, not at each step, and is negative far out.
        let rope = Rope::new(128, 10000.0, Pairing::Interleaved).expect("a rotation");
        let (even, _) = curves(
            &rope.into(),
            &[1.0; 128],
            &[1.0; 128],
            &(0..8192).collect::<Vec<_>>(),
        );
        for (d, value) in [(5, 0.737), (100, 0.477), (1000, 0.159)] {
            assert!((even[d] - value).abs() < 6e-4, "{d}: {}", even[d]);
        }
        assert!(even.windows(2).any(|w| w[1] > w[0]));
    }

    #[test]
    fn the_matrix_is_constant_along_diagonals() {
        let rope = Rope::new(16, 10000.0, Pairing::Interleaved).expect("a rotation");
        let (q, k) = query_and_key(7, 16);
        let s = scores(&rope.clone().into(), &q, &k, 64).expect("scores");
        assert!(diagonal_spread(&s) < 1e-12);
        let d = Rotation::from(rope).scores(&q, &k, &[-5.0])[0] / 4.0;
        assert!((s[(3, 8)] - d).abs() < 1e-12);
        let mut bent = s;
        bent[(0, 63)] += 1.0;
        bent[(10, 9)] += 0.5;
        assert!((diagonal_spread(&bent) - 0.5).abs() < 1e-12);
    }

    #[test]
    fn an_envelope_keeps_lows_and_highs() {
        let distances: Vec<usize> = (0..1000).collect();
        let values: Vec<f64> = distances.iter().map(|d| (*d as f64).cos()).collect();
        let points: Vec<_> = envelope(&distances, &values, 100.0, 999.0).collect();
        assert!(points.len() <= 202);
        let drawn = ends(points.iter().map(|p| p.1));
        assert_eq!(drawn, ends(values.into_iter()));
    }
}
