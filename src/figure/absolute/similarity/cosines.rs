//! Mean cosines by distance, fast, and their means over blocks.

/// Distances between which cosines are computed anew, so that rounding does not grow.
const ANCHOR: usize = 64;

/// `mean_i cos(k ω_i)` for k in 0..n, every distance, by `cos (k+1)ω = 2 cos ω cos kω − cos (k−1)ω`.
pub(super) fn mean_cosines(frequencies: &[f64], n: usize) -> Vec<f64> {
    let twice: Vec<f64> = frequencies.iter().map(|w| 2.0 * w.cos()).collect();
    let mut out = Vec::with_capacity(n);
    let at = |k: usize| -> Vec<f64> { frequencies.iter().map(|w| (k as f64 * w).cos()).collect() };
    for start in (0..n).step_by(ANCHOR) {
        // cos(−ω) = cos ω, so the first block begins with the distance 1 as the one before 0.
        let (mut now, mut before) = (at(start), at(start.abs_diff(1)));
        for _ in start..(start + ANCHOR).min(n) {
            out.push(sum(&now) / frequencies.len() as f64);
            for ((now, before), twice) in now.iter_mut().zip(&mut before).zip(&twice) {
                let next = twice * *now - *before;
                *before = *now;
                *now = next;
            }
        }
    }
    out
}

/// A sum in four lanes, which a compiler can do at once.
fn sum(values: &[f64]) -> f64 {
    let chunks = values.chunks_exact(4);
    let rest: f64 = chunks.remainder().iter().sum();
    let lanes = chunks.fold([0.0; 4], |mut lanes, chunk| {
        for (lane, x) in lanes.iter_mut().zip(chunk) {
            *lane += x;
        }
        lanes
    });
    lanes.iter().sum::<f64>() + rest
}

/// Means of the map over blocks of `block` × `block` positions, by distance in blocks: picking
/// single positions instead would turn the fast pairs into stripes that are not there.
pub(super) fn block_means(by_distance: &[f64], block: usize, side: usize) -> Vec<f64> {
    let b = block as i64;
    let last = by_distance.len() - 1;
    (0..side)
        .map(|apart| {
            let total: f64 = (1 - b..b)
                .map(|t| {
                    let k = (apart as i64 * b + t).unsigned_abs() as usize;
                    (b - t.abs()) as f64 * by_distance[k.min(last)]
                })
                .sum();
            total / (b * b) as f64
        })
        .collect()
}
