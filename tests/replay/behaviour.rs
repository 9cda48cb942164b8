//! File 08: what real code does at the edges, and the advice that follows for the core. Each
//! advice is a test with its name; the numbers in the name are read, so that other ones work too.

use posenc_lab::core::attention::{attend, attend_where, softmax_rows_where};
use posenc_lab::core::encoding::learned::LearnedTable;
use posenc_lab::core::encoding::relative::{BiasStart, BiasTable, relative_index, shaw_index};
use posenc_lab::core::encoding::rope::{Pairing, Rope};
use posenc_lab::core::encoding::rope_scaling::{LongContext, RopeScaling, Yarn};
use posenc_lab::core::encoding::sinusoidal::{Layout, OddRule, Sinusoidal, positions};
use posenc_lab::core::encoding::t5::T5Buckets;
use posenc_lab::core::encoding::{Prepared, Scheme, Setting};
use posenc_lab::core::grid::Grid;
use posenc_lab::core::grid::sincos::{
    Blocks, Sincos2d, interleaved_pairs, interleaved_pairs_of_any_width,
};
use posenc_lab::core::{CoreError, Matrix};

use super::Replay;
use super::case::Case;

/// An advice: its id with `#` for every number that may change, and its test.
const ADVICE: &[(&str, Replay)] = &[
    ("seed/relbias/n=M", bias_of_any_length),
    ("seed/relbias/n=M+#/slice", bias_of_any_length),
    ("seed/relbias/n=M+#/slice_then_add", bias_of_any_length),
    ("seed/relbias/n=M+#/gather_view", bias_of_any_length),
    ("seed/relbias/M=#_n=#", short_table_does_not_broadcast),
    ("seed/relbias/clamp_is_noop", the_clamp_acts),
    ("wanted/relbias/n=#", wanted_index),
    ("seed/sin/d#", odd_width),
    ("seed/sin/len#_max#", no_longest_length),
    ("seed/sin/len#_max#_broadcast", one_row_a_token),
    ("seed/sin/time_first_bug", position_indexes_the_sequence),
    ("learned/len#_max#", past_the_learned_table),
    ("learned/negative", no_negative_row),
    ("rope/half/head_dim#", rope_width),
    ("rope/interleaved/head_dim#/cohere", rope_width),
    ("rope/interleaved/head_dim#/gptj", rope_width),
    ("rope/rotary_embedding_torch/dim#", rope_width),
    ("rope/config/head_dim#", rope_width),
    ("rope/partial/rotary_dim#_of_#", partial_rope_width),
    ("rope/dynamic/dim#", ntk_width),
    ("rope/yarn/base#", yarn_base),
    ("rope/llama3/hi_equals_lo", llama3_bounds),
    ("sin/whisper/channels#", t2t_width),
    ("sin/t2t/d#", t2t_width_odd_allowed),
    ("t5/num_buckets#", too_few_buckets),
    ("t5/max_distance_equals_max_exact", max_distance_too_small),
    ("alibi/heads#", alibi_heads),
    ("softmax/all_masked_row", all_masked),
    ("softmax/all_masked_row_plain", all_masked),
    ("bert_relative_key/max#_len#", shaw_clips),
    ("sincos2d/dim#", grid_width),
    ("sincos2d/dim#_positional_encodings", grid_width_cut),
];

/// The pattern of an id, or the id itself.
pub fn kind(id: &str) -> String {
    let patterns = ADVICE
        .iter()
        .map(|(pattern, _)| *pattern)
        .chain(crate::PENDING.iter().copied());
    let mut patterns = patterns.filter(|pattern| numbers(pattern, id).is_some());
    patterns.next().unwrap_or(id).to_owned()
}

/// The test of a pattern.
pub fn find(kind: &str) -> Option<Replay> {
    ADVICE
        .iter()
        .find(|(pattern, _)| *pattern == kind)
        .map(|(_, run)| *run)
}

/// The numbers that stand for `#`, if the id has the pattern.
fn numbers(pattern: &str, id: &str) -> Option<Vec<usize>> {
    let mut parts = pattern.split('#');
    let mut rest = id.strip_prefix(parts.next()?)?;
    let mut found = Vec::new();
    for part in parts {
        let digits = rest.chars().take_while(char::is_ascii_digit).count();
        found.push(rest[..digits].parse().ok()?);
        rest = rest[digits..].strip_prefix(part)?;
    }
    rest.is_empty().then_some(found)
}

/// Takes what the libraries did, which is no specification, and gives the numbers in the id.
fn open<const N: usize>(case: &mut Case) -> Result<[usize; N], String> {
    let seen = [
        "outcome", "type", "message", "shape", "dtype", "has_nan", "value",
    ];
    for field in seen.iter().chain(&["rows_used", "table_rows"]) {
        case.expected.optional(field);
    }
    let id = case.id.clone();
    let found = numbers(&kind(&id), &id).unwrap_or_default();
    found
        .try_into()
        .map_err(|_| format!("{id}: not {N} numbers"))
}

fn setting() -> Setting {
    Setting {
        d_model: 8,
        heads: 2,
        base: 10000.0,
        max_rel_dist: 8,
        layout: Layout::Interleaved,
        pairing: Pairing::Interleaved,
        context: LongContext::default(),
        causal: false,
        seed: 7,
        bias: BiasStart::Random,
        bias_edits: Vec::new(),
    }
}

fn prepare(scheme: &str, setting: &Setting, n: usize) -> Result<Prepared, String> {
    let scheme = Scheme::by_id(scheme).ok_or_else(|| format!("there is no scheme {scheme}"))?;
    scheme.prepare(setting, n).map_err(|e| e.to_string())
}

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

fn is_error<T>(result: Result<T, CoreError>) -> bool {
    result.is_err()
}

fn rows_differ(m: &Matrix) -> bool {
    (0..m.nrows()).all(|i| (0..i).all(|j| (m.row(i) - m.row(j)).amax() > 1e-6))
}

/// The index is built from the length at hand and clamped, so the bias fits the scores.
fn bias_of_any_length(case: &mut Case) -> Result<(), String> {
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
fn short_table_does_not_broadcast(case: &mut Case) -> Result<(), String> {
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
fn the_clamp_acts(case: &mut Case) -> Result<(), String> {
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
fn wanted_index(case: &mut Case) -> Result<(), String> {
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

/// An odd width is an error that says so, unless a rule for it is named.
fn odd_width(case: &mut Case) -> Result<(), String> {
    let [d] = open(case)?;
    let plain = Sinusoidal::new(d, 10000.0, Layout::Interleaved);
    if d % 2 == 1 {
        let said = plain.err().map(|e| e.to_string()).unwrap_or_default();
        case.must(
            said == format!("d_model must be even, got {d}"),
            format!("it says {said:?}"),
        );
    } else {
        case.must(plain.is_ok(), "an even width is refused");
    }
    for rule in [OddRule::DivisorD, OddRule::DivisorDPlusOne] {
        let pe = Sinusoidal::with_odd_rule(d, 10000.0, rule).map_err(|e| e.to_string())?;
        let m = pe.matrix(&positions(0..50));
        case.must(
            m.shape() == (50, d) && m[(1, 0)] == 1f64.sin(),
            "a named rule fails",
        );
    }
    Ok(())
}

/// The formula has no longest length.
fn no_longest_length(case: &mut Case) -> Result<(), String> {
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
fn one_row_a_token(case: &mut Case) -> Result<(), String> {
    let [n, _] = open(case)?;
    let pe = sines(n)?;
    case.must(
        pe.shape() == (n, 8) && rows_differ(&pe),
        "tokens share a row",
    );
    Ok(())
}

/// Position counts along the sequence, whatever the batch.
fn position_indexes_the_sequence(case: &mut Case) -> Result<(), String> {
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
fn past_the_learned_table(case: &mut Case) -> Result<(), String> {
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
fn no_negative_row(case: &mut Case) -> Result<(), String> {
    open::<0>(case)?;
    case.must(
        is_error(LearnedTable::new(7, 5, 8).lookup(-1i64 as usize)),
        "−1 has a row",
    );
    Ok(())
}

/// An odd head is refused before anything is rotated; an even one keeps its width, 2 included.
fn rope_width(case: &mut Case) -> Result<(), String> {
    let [d] = open(case)?;
    for pairing in [Pairing::Half, Pairing::Interleaved] {
        let rope = Rope::new(d, 10000.0, pairing);
        if d % 2 == 1 {
            let said = rope.err().map(|e| e.to_string()).unwrap_or_default();
            case.must(
                said == format!("head_dim must be even, got {d}"),
                format!("it says {said:?}"),
            );
        } else {
            let rotated = rope.and_then(|r| r.apply(&Matrix::zeros(3, d), &positions(0..3)));
            case.must(
                rotated.is_ok_and(|m| m.shape() == (3, d)),
                "an even head fails",
            );
        }
    }
    Ok(())
}

/// An odd number of rotated dimensions is refused, not rounded.
fn partial_rope_width(case: &mut Case) -> Result<(), String> {
    let [rotary_dim, head_dim] = open(case)?;
    let rope = Rope::partial(head_dim, rotary_dim, 10000.0, Pairing::Half);
    case.must(
        rope.is_ok() == (rotary_dim % 2 == 0),
        "odd is refused and even is not",
    );
    Ok(())
}

/// NTK-aware scaling needs more than two dimensions, at any length; plain RoPE does not.
fn ntk_width(case: &mut Case) -> Result<(), String> {
    let [d] = open(case)?;
    let fine = d > 2 && d % 2 == 0;
    let (factor, orig_len) = (2.0, 16);
    for scaling in [
        RopeScaling::Dynamic { factor, orig_len },
        RopeScaling::Ntk { factor },
    ] {
        for seq_len in [None, Some(8), Some(64)] {
            let at = scaling.at(d, 10000.0, seq_len);
            case.must(at.is_ok() == fine, format!("{scaling:?} at {seq_len:?}"));
        }
    }
    let plain = RopeScaling::None.at(d, 10000.0, None);
    case.must(plain.is_ok() == (d >= 2 && d % 2 == 0), "plain RoPE");
    Ok(())
}

/// YaRN needs a base above 1, and says so.
fn yarn_base(case: &mut Case) -> Result<(), String> {
    let [base] = open(case)?;
    let scaling = RopeScaling::Yarn(Yarn::new(4.0, 2048));
    let at = scaling.at(64, base as f64, None);
    case.must(
        at.is_ok() == (base > 1),
        "base 1 is refused, others are not",
    );
    if let Err(e) = at {
        case.must(
            e.to_string().contains("base must be"),
            format!("it says {e}"),
        );
    }
    Ok(())
}

/// The upper bound of llama3 must not lie below the lower one; equal bounds make a step, as in transformers.
fn llama3_bounds(case: &mut Case) -> Result<(), String> {
    open::<0>(case)?;
    for (low, high, fine) in [(1.0, 4.0, true), (2.0, 2.0, true), (4.0, 1.0, false)] {
        let scaling = RopeScaling::Llama3 {
            factor: 8.0,
            low_freq_factor: low,
            high_freq_factor: high,
            orig_len: 8192,
        };
        let at = scaling.at(64, 500000.0, None);
        case.must(at.is_ok() == fine, format!("{low} and {high}"));
    }
    Ok(())
}

/// Whisper's spacing needs an even width of at least 4.
fn t2t_width(case: &mut Case) -> Result<(), String> {
    let [d] = open(case)?;
    let pe = Sinusoidal::new(d, 10000.0, Layout::T2t);
    case.must(
        pe.is_ok() == (d >= 4 && d % 2 == 0),
        "wrong widths are refused",
    );
    Ok(())
}

/// fairseq's spacing needs a width of at least 4; odd ones get a column of zeros.
fn t2t_width_odd_allowed(case: &mut Case) -> Result<(), String> {
    let [d] = open(case)?;
    let pe = Sinusoidal::t2t_of_any_width(d, 10000.0);
    case.must(pe.is_ok() == (d >= 4), "wrong widths are refused");
    let finite = |pe: Sinusoidal| pe.matrix(&positions(0..4)).iter().all(|x| x.is_finite());
    case.must(pe.map_or(true, finite), "a value is not finite");
    Ok(())
}

/// At least two buckets a side.
fn too_few_buckets(case: &mut Case) -> Result<(), String> {
    let [n] = open(case)?;
    case.must(T5Buckets::new(n, 128, false).is_ok() == (n >= 2), "causal");
    case.must(
        T5Buckets::new(n, 128, true).is_ok() == (n >= 4),
        "bidirectional",
    );
    Ok(())
}

/// `max_distance` reaches beyond the distances that have a bucket each.
fn max_distance_too_small(case: &mut Case) -> Result<(), String> {
    open::<0>(case)?;
    for (max_distance, bidirectional, fine) in [
        (4, false, false),
        (5, false, true),
        (2, true, false),
        (3, true, true),
    ] {
        let buckets = T5Buckets::new(8, max_distance, bidirectional);
        case.must(
            buckets.is_ok() == fine,
            format!("{max_distance}, bidirectional {bidirectional}"),
        );
    }
    Ok(())
}

/// No heads is an error.
fn alibi_heads(case: &mut Case) -> Result<(), String> {
    let [heads] = open(case)?;
    let bias = prepare("alibi", &Setting { heads, ..setting() }, 4);
    case.must(
        bias.is_ok() == (heads > 0),
        "no heads is refused, some are not",
    );
    Ok(())
}

/// The core's decision: a query that sees nothing takes nothing, its row is zero, never NaN.
fn all_masked(case: &mut Case) -> Result<(), String> {
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
fn shaw_clips(case: &mut Case) -> Result<(), String> {
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

/// Two axes share the width evenly, or it is an error that says so.
fn grid_width(case: &mut Case) -> Result<(), String> {
    let [d] = open(case)?;
    let table = Sincos2d::new(d, 10000.0, Blocks::MAE);
    let pairs = interleaved_pairs(Grid::of(2, 2), d, 10000.0);
    let fine = d > 0 && d % 4 == 0;
    case.must(table.is_ok() == fine, "sine-cosine");
    case.must(pairs.is_ok() == fine, "interleaved pairs");
    let said = table.err().map(|e| e.to_string()).unwrap_or_default();
    case.must(
        fine || said == format!("d_model must be divisible by 4, got {d}"),
        format!("it says {said:?}"),
    );
    Ok(())
}

/// Any width only where that is asked for by name; then the column loses what is cut off.
fn grid_width_cut(case: &mut Case) -> Result<(), String> {
    let [d] = open(case)?;
    let grid = Grid::of(2, 2);
    let strict = interleaved_pairs(grid, d, 10000.0);
    case.must(strict.is_ok() == (d > 0 && d % 4 == 0), "no error");
    let whole = interleaved_pairs(grid, d.next_multiple_of(4), 10000.0);
    let cut = interleaved_pairs_of_any_width(grid, d, 10000.0);
    let (whole, cut) = (
        whole.map_err(|e| e.to_string())?,
        cut.map_err(|e| e.to_string())?,
    );
    case.must(cut.shape() == (4, d), "the width is another");
    case.must(cut == whole.columns(0, d), "it is not the wider table, cut");
    Ok(())
}
