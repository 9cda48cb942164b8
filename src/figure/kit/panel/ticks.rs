//! Round numbers for axes.

use std::ops::Range;

use plotters::coord::ranged1d::Ranged;
use plotters::coord::types::RangedCoordf64;

/// Round numbers within a range, about `count` of them, and two if round numbers can be had.
pub fn ticks(range: Range<f64>, count: usize) -> Vec<f64> {
    if range.is_empty() || !(range.end - range.start).is_finite() {
        return vec![range.start];
    }
    let coord: RangedCoordf64 = range.clone().into();
    // −4..4 in two steps would be 0 alone.
    let counts = count.max(2)..count.max(2) + 4;
    let all = counts.map(|count| coord.key_points(count));
    let mut points = all
        .into_iter()
        .find(|points: &Vec<f64>| points.len() > 1)
        .unwrap_or_else(|| coord.key_points(count.max(2)));
    // Stepping through zero leaves a rounding error there.
    for x in &mut points {
        if x.abs() < 1e-9 * (range.end - range.start) {
            *x = 0.0;
        }
    }
    points
}

/// The whole numbers among round ticks, for an axis of positions or distances.
pub fn whole_ticks(range: Range<f64>, count: usize) -> Vec<f64> {
    let mut all: Vec<f64> = ticks(range, count)
        .into_iter()
        .filter(|x| (x - x.round()).abs() < 1e-9)
        .map(f64::round)
        .collect();
    all.dedup();
    all
}

/// The next round number at or above a positive one.
pub fn round_up(x: f64) -> f64 {
    if !(x.is_finite() && x > 0.0) {
        return 1.0;
    }
    // A negative power is divided by, so that 0.3 is the number that is written so.
    let exponent = x.log10().floor() as i32;
    let scaled = |m: f64| {
        if exponent < 0 {
            m / 10f64.powi(-exponent)
        } else {
            m * 10f64.powi(exponent)
        }
    };
    [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0]
        .into_iter()
        .map(scaled)
        .find(|&r| r >= x)
        .unwrap_or(scaled(10.0))
}

/// Numbers of cells to be written at an axis with room for so many: all, or round ones.
pub fn cell_ticks(cells: usize, room: f64) -> Vec<usize> {
    let room = (room as usize).max(2);
    if cells <= room {
        return (0..cells).collect();
    }
    // 1, 2 or 5 times a power of ten.
    let mut step = 1;
    for factor in [2, 5, 2].into_iter().cycle() {
        if cells.div_ceil(step) <= room {
            break;
        }
        step = if factor == 5 { step / 2 * 5 } else { step * 2 };
    }
    (0..cells).step_by(step).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_of_cells_are_round_and_fit() {
        assert_eq!(cell_ticks(4, 10.0), [0, 1, 2, 3]);
        assert_eq!(cell_ticks(64, 10.0), [0, 10, 20, 30, 40, 50, 60]);
        assert_eq!(cell_ticks(512, 6.0), [0, 100, 200, 300, 400, 500]);
        assert_eq!(cell_ticks(30, 20.0).len(), 15);
    }

    #[test]
    fn an_axis_has_two_numbers_at_least() {
        for limit in [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0, 20.0] {
            for count in [0, 2, 3, 5] {
                assert!(ticks(-limit..limit, count).len() > 1, "{limit} {count}");
            }
        }
    }

    #[test]
    fn whole_ticks_are_whole_and_round_numbers_are_round() {
        assert_eq!(whole_ticks(-0.5..0.5, 4), [0.0]);
        assert_eq!(whole_ticks(-1.5..1.5, 4), [-1.0, 0.0, 1.0]);
        for (x, up) in [
            (0.21, 0.3),
            (3.0, 3.0),
            (6.1, 8.0),
            (9.0, 10.0),
            (0.09, 0.1),
        ] {
            assert_eq!(round_up(x), up);
        }
        assert_eq!(round_up(0.0), 1.0);
    }
}
