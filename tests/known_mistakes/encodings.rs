//! Tables, widths, indices, biases, grids, precision.

use approx::{assert_abs_diff_eq, assert_relative_eq};
use posenc_lab::core::CoreError;
use posenc_lab::core::encoding::learned::LearnedTable;
use posenc_lab::core::encoding::relative::{BiasTable, relative_index};
use posenc_lab::core::encoding::rope::Pairing;
use posenc_lab::core::encoding::sinusoidal::{
    Layout, OddRule, Sinusoidal, fairseq_position_ids, positions,
};
use posenc_lab::core::encoding::t5::T5Buckets;
use posenc_lab::core::encoding::{Prepared, SCHEMES, Scheme, Setting, alibi};
use posenc_lab::core::grid::sincos::{Blocks, Sincos2d};
use posenc_lab::core::grid::{Grid, TokenOrder, window};
use posenc_lab::core::precision::{to_bfloat16, to_float16};

use crate::common::{rope, setting};

/// codertimo/BERT-pytorch#78, thuml/Time-Series-Library#549, pytorch/pytorch#173958.
#[test]
fn odd_d_model_leaves_the_cosines_one_column_short() {
    for d_model in [7, 29] {
        for layout in [Layout::Interleaved, Layout::Concatenated, Layout::T2t] {
            let name = "d_model";
            let refused = Sinusoidal::new(d_model, 10000.0, layout);
            assert_eq!(
                refused,
                Err(CoreError::OddDimension {
                    name,
                    given: d_model
                })
            );
        }
        let named = Sinusoidal::with_odd_rule(d_model, 10000.0, OddRule::DivisorD);
        let m = named.expect("a named rule").matrix(&[0.0, 1.0]);
        assert_eq!(m.shape(), (2, d_model));
        assert_eq!(m[(0, d_model - 1)], 0.0, "the last column is a sine");
    }
    // A rule for odd widths leaves even ones as they are.
    for rule in [OddRule::DivisorD, OddRule::DivisorDPlusOne] {
        let even = Sinusoidal::with_odd_rule(8, 10000.0, rule).expect("valid");
        let plain = Sinusoidal::new(8, 10000.0, Layout::Interleaved).expect("valid");
        assert_eq!(even.frequencies(), plain.frequencies(), "{rule:?}");
    }
}

/// SamLynnEvans/Transformer#8 (230 tokens, 200 rows).
#[test]
fn a_sequence_longer_than_the_table() {
    let pe = Sinusoidal::new(8, 10000.0, Layout::Interleaved).expect("an even width");
    assert_eq!(
        pe.matrix(&positions(0..230)).nrows(),
        230,
        "a formula has no end"
    );
    let refused = LearnedTable::new(7, 200, 8).lookup(229);
    assert_eq!(
        refused,
        Err(CoreError::PastTheEnd {
            rows: 200,
            position: 229
        })
    );
    let said = refused.expect_err("past the end").to_string();
    assert!(said.contains("229") && said.contains("200"), "{said}");
}

/// karpathy/nanochat#520: the check compared the chunk's length, not offset + length.
#[test]
fn the_bound_checked_without_the_offset() {
    let table = LearnedTable::new(7, 10, 8);
    let (offset, length) = (6, 5);
    let rows: Vec<_> = (offset..offset + length).map(|p| table.lookup(p)).collect();
    assert!(rows[..4].iter().all(Result::is_ok));
    assert_eq!(
        rows[4],
        Err(CoreError::PastTheEnd {
            rows: 10,
            position: 10
        })
    );
}

/// pegainfer-project/pegainfer#220: row 4096 of 4096, read without a check.
#[test]
fn a_table_read_past_its_end() {
    let table = LearnedTable::new(7, 4096, 2);
    assert!(table.lookup(4095).is_ok());
    let refused = table.lookup(4096);
    assert_eq!(
        refused,
        Err(CoreError::PastTheEnd {
            rows: 4096,
            position: 4096
        })
    );
}

/// KasperGroesLudvigsen/influenza_transformer#9, cmu-l3/anlp-fall2025-code#1,
/// tanjimin/C.Origami#42: with batch 2 and 6 tokens every token of a sequence got one row.
#[test]
fn the_table_indexed_by_batch_instead_of_sequence() {
    for id in ["sinusoidal", "learned"] {
        let scheme = Scheme::by_id(id).expect("a scheme of the list");
        let Ok(Prepared::Additive(pe)) = scheme.prepare(&setting(), 6) else {
            panic!("{id} is added");
        };
        for i in 0..6 {
            for j in 0..i {
                assert!(
                    (pe.row(i) - pe.row(j)).amax() > 1e-3,
                    "{id}: rows {i} and {j}"
                );
            }
        }
    }
}

/// huawei-noah/Pretrained-Language-Model#111: relative ids made for one length.
#[test]
fn relative_ids_preset_for_one_length() {
    let s = Setting {
        max_rel_dist: 511,
        ..setting()
    };
    let scheme = Scheme::by_id("relative").expect("a scheme of the list");
    let Ok(Prepared::ScoreBias(bias)) = scheme.prepare(&s, 513) else {
        panic!("longer than the table is refused");
    };
    assert_eq!(bias[0].shape(), (513, 513));
    assert_eq!(
        bias[0][(512, 0)],
        bias[0][(511, 0)],
        "beyond R a bias is shared"
    );
    assert_eq!(bias[0][(512, 0)], BiasTable::clipped(&s).get(0, 1022));
}

/// EleutherAI/gpt-neox#1003: the phase in float16.
#[test]
fn angles_in_float16() {
    let frequency = rope(32, Pairing::Half).inv_freq()[1];
    let angle = 1857.0 * frequency;
    assert_abs_diff_eq!(angle, 1044.2678, epsilon = 5e-5);
    assert_abs_diff_eq!(angle.cos(), 0.306693, epsilon = 5e-7);
    // A float16 of this size is a whole number; the product of two float16 is 1045.
    let phase = to_float16(to_float16(1857.0) * to_float16(frequency));
    assert_eq!(phase, 1045.0);
    assert_abs_diff_eq!(phase.cos(), -0.408, epsilon = 5e-4);
}

/// nkalyanv99/UNI-D2#6, huggingface/transformers#29285: above 256 not every integer is there.
#[test]
fn positions_in_bfloat16_collapse_above_256() {
    let rounded = [257.0, 259.0, 1001.0].map(to_bfloat16);
    assert_eq!(rounded, [256.0, 260.0, 1000.0]);
    assert_eq!(
        to_bfloat16(256.0),
        to_bfloat16(257.0),
        "two positions are one"
    );
    // Just above the tie between 256 and 258 is no tie; far out as well.
    assert_eq!(to_bfloat16(257.0 + 1e-10), 258.0);
    let tie = (1u64 << 40) + (1 << 32);
    assert_eq!(to_bfloat16(tie as f64), (1u64 << 40) as f64);
    assert_eq!(
        to_bfloat16((tie + 1) as f64),
        ((1u64 << 40) + (1 << 33)) as f64
    );
}

/// sgl-project/sglang-jax#1472, Modalities/modalities#462: θ rounded to bfloat16 first.
#[test]
fn frequencies_in_bfloat16() {
    let rope = rope(64, Pairing::Half);
    let off = |turn: fn(f64) -> f64| {
        let pairs = rope.inv_freq().iter();
        let errors = pairs.map(|&w| (turn(4095.0 * to_bfloat16(w)) - turn(4095.0 * w)).abs());
        errors.fold(0.0, f64::max)
    };
    assert_abs_diff_eq!(off(f64::cos), 0.59, epsilon = 5e-3);
    assert_abs_diff_eq!(off(f64::sin), 1.47, epsilon = 5e-3);
}

/// ml-explore/mlx#343, #3071, baichuan-inc/Baichuan2#225: one series for any number of heads.
#[test]
fn alibi_as_one_geometric_series_for_any_head_count() {
    assert_eq!(alibi::slopes(3), [1.0 / 16.0, 1.0 / 256.0, 1.0 / 4.0]);
    let twelve = alibi::slopes(12);
    assert_eq!(twelve[..8], alibi::slopes(8)[..]);
    for (slope, exponent) in twelve[8..].iter().zip([0.5, 1.5, 2.5, 3.5]) {
        assert_relative_eq!(*slope, f64::exp2(-exponent), max_relative = 1e-15);
    }
    let one_series = (-8.0 * 3.0 / 12.0_f64).exp2();
    assert!((twelve[2] - one_series).abs() > 0.1);
}

/// paiml/aprender#2143.
#[test]
fn alibi_slope_exponent_off_by_one() {
    let slopes = alibi::slopes(8);
    assert_eq!(slopes[0], 0.5, "not 1");
    assert_eq!(slopes[7], 0.00390625);
}

/// meta-pytorch/attention-gym#86: far keys favoured.
#[test]
fn alibi_with_the_sign_inverted() {
    let row: Vec<f64> = (0..3).map(|j| alibi::bias(0.5, 2, j)).collect();
    assert_eq!(
        row,
        [-1.0, -0.5, 0.0],
        "the nearest key has the largest bias"
    );
}

/// dmlc/gluon-nlp#1470, ml-explore/mlx-examples#113: the sign is key − query.
#[test]
fn t5_buckets_with_the_sign_swapped() {
    let buckets = T5Buckets::standard(true);
    let row = |sign: i64| -> Vec<usize> { (0..10).map(|j| buckets.bucket(sign * j)).collect() };
    assert_eq!(row(1), [0, 17, 18, 19, 20, 21, 22, 23, 24, 24]);
    assert_ne!(row(-1), row(1), "what the swapped sign gives");
}

/// Of 6 buckets 3 are exact, and 375 = 3·5³: in whole numbers the logarithmic ones begin at 3, 15 and
/// 75. Logarithms in floating point can leave 15 and 75 a rounding error short of theirs.
#[test]
fn t5_boundaries_left_to_rounded_logarithms() {
    let buckets = T5Buckets::new(6, 375, false).expect("valid");
    for (distance, bucket) in [(14, 3), (15, 4), (74, 4), (75, 5)] {
        assert_eq!(buckets.bucket(-distance), bucket, "{distance}");
    }
}

/// facebookresearch/fairseq#1177, huggingface/transformers#20761.
#[test]
fn positions_that_start_after_the_padding_index() {
    assert_eq!(fairseq_position_ids(&[5, 6, 7, 1, 1], 1), [2, 3, 4, 1, 1]);
    assert_eq!(fairseq_position_ids(&[1, 1, 5, 6, 7], 1), [1, 1, 2, 3, 4]);
}

/// espnet/espnet#2684, #2816: an entry ahead of the query held another row's offset.
#[test]
fn relative_offsets_wrong_ahead_of_the_query() {
    let n = 5;
    for i in 0..n {
        for j in 0..n {
            let offset = relative_index(i, j, n - 1) as i64 - (n as i64 - 1);
            assert_eq!(offset, i as i64 - j as i64);
        }
    }
    assert_eq!(relative_index(0, 2, 4) as i64 - 4, -2);
}

/// No scheme of the list panics at the edges: no tokens, one token, odd widths, no heads.
#[test]
fn a_scheme_panics_on_odd_input() {
    for scheme in SCHEMES {
        for (d_model, heads) in [
            (8, 2),
            (8, 0),
            (0, 0),
            (0, 1),
            (7, 1),
            (6, 4),
            (2, 2),
            (4, 4),
        ] {
            for (n, max_rel_dist) in [(0, 1), (1, 0), (3, 1), (3, 50)] {
                let s = Setting {
                    d_model,
                    heads,
                    max_rel_dist,
                    ..setting()
                };
                let prepared = scheme.prepare(&s, n);
                let arrays = scheme.arrays(&s, n, 0..n + 2);
                assert_eq!(prepared.is_ok(), arrays.is_ok(), "{scheme:?} {s:?}");
                for array in arrays.into_iter().flatten() {
                    let size: usize = array.shape.iter().product();
                    let data = (array.data)();
                    assert_eq!(data.len(), size, "{scheme:?} {}", array.name);
                    assert!(
                        data.iter().all(|x| x.is_finite()),
                        "{scheme:?} {}",
                        array.name
                    );
                }
            }
        }
    }
}

/// microsoft/Swin-Transformer#367, #75: 2W − 2 in place of 2W − 1, or the rows' size in place of the
/// columns'. Differences then share a row of the table.
#[test]
fn window_index_with_the_wrong_factor() {
    let distinct = |window: Grid, factor: i64| {
        let (last_row, last) = (window.rows() as i64 - 1, window.columns() as i64 - 1);
        let all = (0..window.cells()).flat_map(|i| (0..window.cells()).map(move |j| (i, j)));
        let mut seen: Vec<i64> = all
            .map(|(i, j)| {
                let (down, across) = window::difference(window, i, j);
                (down + last_row) * factor + across + last
            })
            .collect();
        seen.sort_unstable();
        seen.dedup();
        seen.len()
    };
    let square = Grid::of(7, 7);
    assert_eq!(distinct(square, 13), 169);
    assert_eq!(distinct(square, 12), 157);
    assert_eq!(window::table_rows(square), 169);
    // On a square window the rows' factor does no harm; on another it does.
    let (rows, columns) = (3, 5);
    let window = Grid::of(rows, columns);
    assert_eq!(distinct(window, 2 * columns as i64 - 1), 45);
    assert!(distinct(window, 2 * rows as i64 - 1) < 45);
}

/// facebookresearch/mae#18, huggingface/diffusers#10877: the half named h holds the width. On a
/// square grid the two readings are transposes of one another, elsewhere not even that.
#[test]
fn the_half_named_h_holds_the_width() {
    let (mae, rows_first) = (
        Sincos2d::new(8, 10000.0, Blocks::MAE).expect("valid"),
        Sincos2d::new(8, 10000.0, Blocks::ROW_FIRST).expect("valid"),
    );
    let grid = Grid::of(3, 4);
    let table = mae.table(grid, TokenOrder::RowMajor);
    let other = rows_first.table(grid, TokenOrder::RowMajor);
    assert!((&table - &other).amax() > 0.5);
    // Token 1 is one to the right: in MAE's table the first half has moved.
    assert_eq!(table[(1, 0)], 1f64.sin());
    assert_eq!(other[(1, 0)], 0.0);
    let halves: Vec<usize> = (4..8).chain(0..4).collect();
    assert_eq!(table.select_columns(&halves), other);
}
