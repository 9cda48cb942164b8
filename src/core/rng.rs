//! The only source of random numbers: streams that are named, so that a value depends on the
//! seed and on what it stands for, never on the order in which things are asked for. Growing a
//! table therefore keeps the rows that it already had.

use rand_distr::{Distribution, StandardNormal, StandardUniform};
use rand_seeder::Seeder;
use rand_xoshiro::Xoshiro256PlusPlus;

use super::Matrix;

/// An endless stream of N(0, 1) numbers for `what` and `index` under `seed`.
///
/// Only fixed-size integers and text are hashed: `usize` would differ between wasm and native.
pub(crate) fn normals(seed: u32, what: &str, index: u64) -> impl Iterator<Item = f64> + use<> {
    let mut rng = stream(seed, what, index);
    std::iter::repeat_with(move || StandardNormal.sample(&mut rng))
}

/// An endless stream of numbers spread evenly over 0..1, as [`normals`].
pub(crate) fn uniforms(seed: u32, what: &str, index: u64) -> impl Iterator<Item = f64> + use<> {
    let mut rng = stream(seed, what, index);
    std::iter::repeat_with(move || StandardUniform.sample(&mut rng))
}

fn stream(seed: u32, what: &str, index: u64) -> Xoshiro256PlusPlus {
    Seeder::from((seed, what, index)).into_rng()
}

/// Row `row` of [`random_vectors`], `[width]`, which does not depend on their number.
pub fn random_vector(seed: u32, what: &str, row: usize, width: usize) -> Vec<f64> {
    normals(seed, what, row as u64).take(width).collect()
}

/// Vectors N(0, 1) `[n, width]` from a seed, for figures that need some queries or keys.
pub fn random_vectors(seed: u32, what: &str, n: usize, width: usize) -> Matrix {
    let mut columns = Matrix::zeros(width, n);
    for (row, mut column) in columns.column_iter_mut().enumerate() {
        let normals = normals(seed, what, row as u64);
        column.iter_mut().zip(normals).for_each(|(x, z)| *x = z);
    }
    columns.transpose()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_of_its_own_is_that_of_all_rows() {
        let all = random_vectors(7, "q", 5, 4);
        for row in 0..5 {
            let one: Vec<f64> = all.row(row).iter().copied().collect();
            assert_eq!(random_vector(7, "q", row, 4), one);
        }
        assert_eq!(
            random_vector(7, "q", 2, 9)[..4],
            random_vector(7, "q", 2, 4)
        );
    }
}
