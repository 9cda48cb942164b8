//! What can be read off an encoding: wavelengths, similarity by distance, scores by distance.

use super::angles::Angles;

/// Positions per turn of an angular frequency, `2π / ω`.
pub fn wavelength(frequency: f64) -> f64 {
    std::f64::consts::TAU / frequency
}

/// Turns that an angular frequency makes within `length` positions, `length · ω / 2π`.
pub fn rotations(frequency: f64, length: f64) -> f64 {
    length * frequency / std::f64::consts::TAU
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
