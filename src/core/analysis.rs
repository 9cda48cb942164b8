//! What can be read off an encoding: wavelengths, similarity by distance, scores by distance.

use super::angles::Angles;
use super::encoding::rope::Rope;

/// Positions per turn of an angular frequency, `2π / ω`.
pub fn wavelength(frequency: f64) -> f64 {
    std::f64::consts::TAU / frequency
}

/// `PE(p)·PE(p + k) / (d/2) = mean_i cos(k ω_i)` for each k in `distances`: a function of k alone,
/// symmetric, 1 at k = 0.
pub fn similarity_by_distance(
    frequencies: &[f64],
    distances: impl Iterator<Item = f64>,
) -> Vec<f64> {
    let n = frequencies.len().max(1) as f64;
    let distances: Vec<f64> = distances.collect();
    let mut angles = Angles::new(&distances);
    let mut sums = vec![0.0; distances.len()];
    for &w in frequencies {
        let (_, cos) = angles.sin_cos(w);
        for (sum, c) in sums.iter_mut().zip(cos) {
            *sum += c;
        }
    }
    sums.iter_mut().for_each(|sum| *sum /= n);
    sums
}

/// Cosine of the angle between two vectors; 0 if one of them is zero.
pub fn cosine(a: &[f64], b: &[f64]) -> f64 {
    let norm = dot(a, a).sqrt() * dot(b, b).sqrt();
    if norm == 0.0 { 0.0 } else { dot(a, b) / norm }
}

/// Dot product of two vectors of the same length (of the shorter one, if they differ).
pub fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}

fn at(vector: &[f64], i: usize) -> f64 {
    vector.get(i).copied().unwrap_or(0.0)
}

/// ⟨R_m q, R_n k⟩ without a scale, for each distance δ = m − n in `distances`:
/// `Σ_i (q·k)_i cos(δ θ_i) + (q×k)_i sin(δ θ_i)`, where (q×k) is `q_x k_y − q_y k_x` of the pair.
///
/// m is the query's position and n the key's. q and k are `[head_dim]` (a shorter one counts as
/// filled up with zeros); dimensions that are not rotated add their product.
pub fn rope_score_by_distance(
    rope: &Rope,
    q: &[f64],
    k: &[f64],
    distances: impl Iterator<Item = f64>,
) -> Vec<f64> {
    let (q, k) = (|i| at(q, i), |i| at(k, i));
    let factor = rope.attention_factor() * rope.attention_factor();
    let fixed: f64 = (rope.rotary_dim()..rope.head_dim())
        .map(|i| q(i) * k(i))
        .sum();
    let distances: Vec<f64> = distances.collect();
    let mut angles = Angles::new(&distances);
    let mut scores = vec![fixed; distances.len()];
    for (i, &w) in rope.inv_freq().iter().enumerate() {
        let (a, b) = rope.pairing().columns(i, rope.rotary_dim());
        let dot = factor * (q(a) * k(a) + q(b) * k(b));
        let cross = factor * (q(a) * k(b) - q(b) * k(a));
        let (sin, cos) = angles.sin_cos(w);
        for ((score, s), c) in scores.iter_mut().zip(sin).zip(cos) {
            *score += dot * c + cross * s;
        }
    }
    scores
}
