//! Lengths: sequences longer than a table, masks, indices beyond an end.

use crate::replay::case::Case;
use posenc_lab::core::attention::{attend, attend_where, softmax_rows_where};
use posenc_lab::core::encoding::learned::LearnedTable;
use posenc_lab::core::encoding::relative::{BiasTable, relative_index, shaw_index};
use posenc_lab::core::encoding::{Prepared, Setting};
use posenc_lab::core::{CoreError, Matrix};

use super::{is_error, open, prepare, setting};

fn relative_bias(setting: &Setting, n: usize) -> Result<Vec<Matrix>, String> {
    match prepare("relative", setting, n)? {
        Prepared::ScoreBias(bias) => Ok(bias),
        _ => Err("the relative scheme is no bias".into()),
    }
}

fn sines(n: usize) -> Result<Matrix, String> {
    match prepare("sinusoidal", &setting(), n)? {
        Prepared::Additive(pe) => Ok(pe),
        _ => Err("the sinusoidal scheme adds nothing".into()),
    }
}

fn rows_differ(m: &Matrix) -> bool {
    (0..m.nrows()).all(|i| (0..i).all(|j| (m.row(i) - m.row(j)).amax() > 1e-6))
}

/// The index is built from the length at hand and clamped, so the bias fits the scores.
pub(super) fn bias_of_any_length(case: &mut Case) -> Result<(), String> {
    let more = if case.id.contains("M+") {
        open::<1>(case)?[0]
    } else {
        open::<0>(case).map(|_| 0)?
    };
    let s = setting();
    let n = s.max_rel_dist + more;
    let table = BiasTable::clipped(&s);
    let r = s.max_rel_dist as i64;
    for (h, bias) in relative_bias(&s, n)?.iter().enumerate() {
        let wanted = Matrix::from_fn(n, n, |i, j| {
            table.get(h, ((i as i64 - j as i64).clamp(-r, r) + r) as usize)
        });
        case.must(*bias == wanted, format!("head {h}: not the clipped table"));
        let x = Matrix::identity(n, 4);
        let scores = attend(&x, &x, &x, 0.5, Some(bias), false)
            .map_err(|e| e.to_string())?
            .scores;
        case.must(scores.shape() == (n, n), "the bias does not fit the scores");
        // What the notes' code has after slicing: one row too few.
        let cut = bias.view((0, 0), (n - 1, n - 1)).into_owned();
        let cut = attend(&x, &x, &x, 0.5, Some(&cut), false);
        case.must(is_error(cut), "a bias of another length is not refused");
    }
    Ok(())
}

/// With a table shorter than the sequence, biases still differ by distance.
pub(super) fn short_table_does_not_broadcast(case: &mut Case) -> Result<(), String> {
    let [max_rel_dist, n] = open(case)?;
    let s = Setting {
        max_rel_dist,
        ..setting()
    };
    for bias in relative_bias(&s, n)? {
        case.must(bias.shape() == (n, n), "the bias is not [n, n]");
        case.must(
            bias[(0, 0)] != bias[(0, 1)] && bias[(0, 1)] != bias[(1, 0)],
            "it is constant",
        );
    }
    let one = Matrix::zeros(1, 1);
    let x = Matrix::zeros(n, 4);
    case.must(
        is_error(attend(&x, &x, &x, 0.5, Some(&one), false)),
        "a 1 × 1 bias broadcasts",
    );
    Ok(())
}

/// Distances beyond the table share its last column; up to its end all differ.
pub(super) fn the_clamp_acts(case: &mut Case) -> Result<(), String> {
    open::<0>(case)?;
    let r = 8;
    let n = r + 2;
    let index = |i: usize, j: usize| relative_index(i, j, r);
    case.must(
        index(0, r + 1) == index(0, r) && index(r + 1, 0) == index(r, 0),
        "no clamp",
    );
    let mut used: Vec<usize> = (0..n * n).map(|c| index(c / n, c % n)).collect();
    used.sort_unstable();
    used.dedup();
    case.must(
        used.into_iter().eq(0..2 * r + 1),
        "not every column of the table is used",
    );
    Ok(())
}

/// The index that a clipping core should give; the file's M − 1 is `max_rel_dist`.
pub(super) fn wanted_index(case: &mut Case) -> Result<(), String> {
    let [n] = open(case)?;
    let first = case.expected.tensor("first_row")?.integers();
    let last = case.expected.tensor("last_row")?.integers();
    let unique = case.expected.size("unique")?;
    // Distance 0 lies in the middle of the table.
    let r = first.first().copied().unwrap_or_default() as usize;
    let row = |i: usize| -> Vec<i64> { (0..n).map(|j| relative_index(i, j, r) as i64).collect() };
    case.must(row(0) == first, "first row");
    case.must(row(n - 1) == last, "last row");
    let mut all: Vec<i64> = (0..n).flat_map(row).collect();
    all.sort_unstable();
    all.dedup();
    case.must(all.len() == unique, "number of different indices");
    Ok(())
}

/// The formula has no longest length.
pub(super) fn no_longest_length(case: &mut Case) -> Result<(), String> {
    let [n, shorter] = open(case)?;
    let (long, short) = (sines(n)?, sines(shorter)?);
    case.must(
        long.nrows() == n && rows_differ(&long),
        "rows are missing or repeated",
    );
    let same = (long.rows(0, shorter) - short).amax();
    case.must(same <= 1e-15, "a longer sequence changes the first rows");
    Ok(())
}

/// Every token gets a row of its own.
pub(super) fn one_row_a_token(case: &mut Case) -> Result<(), String> {
    let [n, _] = open(case)?;
    let pe = sines(n)?;
    case.must(
        pe.shape() == (n, 8) && rows_differ(&pe),
        "tokens share a row",
    );
    Ok(())
}

/// Position counts along the sequence, whatever the batch.
pub(super) fn position_indexes_the_sequence(case: &mut Case) -> Result<(), String> {
    open::<0>(case)?;
    let pe = sines(6)?;
    case.must(rows_differ(&pe), "tokens of one sequence share a row");
    case.must(
        pe == sines(6)?,
        "two sequences of a batch get different rows",
    );
    Ok(())
}

/// The error past a table's end names the position and the number of rows.
pub(super) fn past_the_learned_table(case: &mut Case) -> Result<(), String> {
    let [n, rows] = open(case)?;
    let table = LearnedTable::new(7, rows, 8);
    for position in 0..n {
        let row = table.lookup(position);
        let wanted = position < rows || row == Err(CoreError::PastTheEnd { rows, position });
        case.must(
            wanted && row.is_ok() == (position < rows),
            format!("position {position}"),
        );
    }
    Ok(())
}

/// A position is unsigned; what −1 becomes when forced does not wrap round to the last row.
pub(super) fn no_negative_row(case: &mut Case) -> Result<(), String> {
    open::<0>(case)?;
    case.must(
        is_error(LearnedTable::new(7, 5, 8).lookup(-1i64 as usize)),
        "−1 has a row",
    );
    Ok(())
}

/// The core's decision: a query that sees nothing takes nothing, its row is zero, never NaN.
pub(super) fn all_masked(case: &mut Case) -> Result<(), String> {
    open::<0>(case)?;
    let x = Matrix::from_fn(3, 4, |i, j| (i + 2 * j) as f64);
    let out = attend_where(&x, &x, &x, 0.5, None, |i, _| i != 1).map_err(|e| e.to_string())?;
    case.must(
        out.weights.row(1).amax() == 0.0 && out.output.row(1).amax() == 0.0,
        "not zero",
    );
    case.must(out.output.iter().all(|v| v.is_finite()), "not finite");
    let hidden = Matrix::from_element(2, 3, f64::NEG_INFINITY);
    case.must(
        softmax_rows_where(&hidden, |_, _| true).amax() == 0.0,
        "a row of −∞ is not zero",
    );
    Ok(())
}

/// Shaw clips, so a longer sequence never leaves the table.
pub(super) fn shaw_clips(case: &mut Case) -> Result<(), String> {
    let [max, n] = open(case)?;
    for i in 0..n as i64 {
        for j in 0..n as i64 {
            case.must(
                shaw_index(j - i, max, max) <= 2 * max,
                format!("({i}, {j}) leaves the table"),
            );
        }
    }
    Ok(())
}
