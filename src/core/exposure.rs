//! What a model that was trained on `trained` positions has met of a longer sequence.

use std::f64::consts::TAU;

/// How many of the frequencies had not made a full turn within the training, and so reach angles in
/// `n` positions that were never met; 0 where `n` is no longer than the training.
pub fn unmet_frequencies(frequencies: &[f64], trained: usize, n: usize) -> usize {
    if n <= trained {
        return 0;
    }
    let widest = trained.saturating_sub(1) as f64;
    frequencies.iter().filter(|w| widest * **w < TAU).count()
}

/// Best values of a table that has one number for all distances with the same `column`: the mean of
/// `wanted` over them. Columns rise with the distance.
pub fn best_fit(wanted: &[f64], column: impl Fn(usize) -> usize) -> Vec<f64> {
    let mut out = Vec::with_capacity(wanted.len());
    let mut from = 0;
    while from < wanted.len() {
        let same = (from..wanted.len()).take_while(|d| column(*d) == column(from));
        let count = same.count();
        let mean = wanted[from..from + count].iter().sum::<f64>() / count as f64;
        out.extend(std::iter::repeat_n(mean, count));
        from += count;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slow_frequencies_reach_angles_that_were_never_met() {
        let frequencies = [1.0, 0.1, 0.01];
        // Positions count from 0: 63 of them reach 6.2 at ω = 0.1, 64 reach 6.3, and 2π is 6.283.
        assert_eq!(unmet_frequencies(&frequencies, 63, 100), 2);
        assert_eq!(unmet_frequencies(&frequencies, 64, 100), 1);
        assert_eq!(unmet_frequencies(&frequencies, 64, 64), 0);
        assert_eq!(unmet_frequencies(&frequencies, 63, 64), 2);
        assert_eq!(unmet_frequencies(&frequencies, 0, 9), 3);
    }

    #[test]
    fn a_table_fits_the_mean_of_what_shares_a_column() {
        let fit = best_fit(&[1.0, 3.0, 5.0, 7.0, 0.0], |d| d.min(2));
        assert_eq!(fit, [1.0, 3.0, 4.0, 4.0, 4.0]);
        assert!(best_fit(&[], |d| d).is_empty());
    }
}
