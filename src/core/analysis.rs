//! What can be read off an encoding: wavelengths, similarity by distance, scores by distance.

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
    distances
        .map(|k| frequencies.iter().map(|w| (k * w).cos()).sum::<f64>() / n)
        .collect()
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
    let pairs: Vec<(f64, f64, f64)> = rope
        .inv_freq()
        .iter()
        .enumerate()
        .map(|(i, &w)| {
            let (a, b) = rope.pairing().columns(i, rope.rotary_dim());
            (
                w,
                factor * (q(a) * k(a) + q(b) * k(b)),
                factor * (q(a) * k(b) - q(b) * k(a)),
            )
        })
        .collect();
    let fixed: f64 = (rope.rotary_dim()..rope.head_dim())
        .map(|i| q(i) * k(i))
        .sum();
    distances
        .map(|d| {
            pairs
                .iter()
                .map(|&(w, dot, cross)| {
                    let (sin, cos) = (d * w).sin_cos();
                    dot * cos + cross * sin
                })
                .sum::<f64>()
                + fixed
        })
        .collect()
}
