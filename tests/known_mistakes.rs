//! Mistakes that real implementations made, each tried on the core. Each test is named after what
//! went wrong and says where it was reported; where a wrong number is known, the core's number is
//! shown to differ from it.

use approx::{assert_abs_diff_eq, assert_relative_eq};
use posenc_lab::core::Matrix;
use posenc_lab::core::encoding::learned::LearnedTable;
use posenc_lab::core::encoding::relative::{BiasStart, BiasTable, relative_index};
use posenc_lab::core::encoding::rope::{Pairing, Rope, half_from_interleaved};
use posenc_lab::core::encoding::sinusoidal::{
    Layout, OddRule, Sinusoidal, fairseq_position_ids, positions,
};
use posenc_lab::core::encoding::t5::T5Buckets;
use posenc_lab::core::encoding::{Prepared, SCHEMES, Scheme, Setting, alibi};
use posenc_lab::core::precision::{to_bfloat16, to_float16};
use posenc_lab::core::{CoreError, toy};

fn setting() -> Setting {
    Setting {
        d_model: 8,
        heads: 2,
        base: 10000.0,
        max_rel_dist: 8,
        layout: Layout::Interleaved,
        pairing: Pairing::Interleaved,
        causal: false,
        seed: 7,
        bias: BiasStart::Random,
        bias_edits: Vec::new(),
    }
}

fn rope(head_dim: usize, pairing: Pairing) -> Rope {
    Rope::new(head_dim, 10000.0, pairing).expect("an even width")
}

fn rotated(rope: &Rope, x: &Matrix, at: &[f64]) -> Matrix {
    rope.apply(x, at).expect("shapes fit")
}

fn scores(rope: &Rope, q: &Matrix, k: &Matrix) -> Matrix {
    let at = positions(0..q.nrows());
    rotated(rope, q, &at) * rotated(rope, k, &at).transpose()
}

/// huggingface/transformers#25199, Dao-AILab/flash-attention#288: half split in one, interleaved
/// in the other. The weights' columns are permuted when a model moves between them.
#[test]
fn pairings_mixed_up_without_permuting_the_columns() {
    let q = toy::random_vectors(1, "q", 4, 8);
    let k = toy::random_vectors(1, "k", 4, 8);
    let half = scores(&rope(8, Pairing::Half), &q, &k);
    let interleaved = scores(&rope(8, Pairing::Interleaved), &q, &k);
    assert!((&half - &interleaved).amax() > 0.1);

    let perm = half_from_interleaved(8);
    let (q, k) = (q.select_columns(&perm), k.select_columns(&perm));
    let permuted = scores(&rope(8, Pairing::Interleaved), &q, &k);
    assert_abs_diff_eq!(half, permuted, epsilon = 1e-13);
}

/// As above: with two dimensions there is one pair, and nothing to mix up.
#[test]
fn a_test_with_two_dimensions_cannot_tell_the_pairings_apart() {
    let q = toy::random_vectors(1, "q", 4, 2);
    let k = toy::random_vectors(1, "k", 4, 2);
    let half = scores(&rope(2, Pairing::Half), &q, &k);
    assert_eq!(half, scores(&rope(2, Pairing::Interleaved), &q, &k));
}

/// NeuraLegion/shainet#111: the wrong pairing looked right at first, as nothing turns at 0.
#[test]
fn a_test_at_position_0_cannot_tell_the_pairings_apart() {
    let x = toy::random_vectors(1, "x", 1, 8);
    let at = |p: f64, pairing| rotated(&rope(8, pairing), &x, &[p]);
    assert_eq!(at(0.0, Pairing::Half), x);
    assert_eq!(at(0.0, Pairing::Interleaved), x);
    let apart = at(3.0, Pairing::Half) - at(3.0, Pairing::Interleaved);
    assert!(apart.amax() > 0.1);
}

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

/// pie-project/pie#603, ml-explore/mlx-lm#1698: frequencies of the whole head, or all rotated.
#[test]
fn partial_rope_with_the_frequencies_of_the_whole_head() {
    let partial = Rope::partial(8, 4, 10000.0, Pairing::Half).expect("an even width");
    assert_relative_eq!(partial.inv_freq()[1], 0.01, max_relative = 1e-15);
    assert_relative_eq!(
        rope(8, Pairing::Half).inv_freq()[1],
        0.1,
        max_relative = 1e-15
    );
    let pairs = [0, 1].map(|i| partial.pairing().columns(i, partial.rotary_dim()));
    assert_eq!(pairs, [(0, 2), (1, 3)]);
    let x = toy::random_vectors(1, "x", 3, 8);
    let turned = rotated(&partial, &x, &[1.0, 2.0, 5.0]);
    assert_eq!(
        turned.columns(4, 4),
        x.columns(4, 4),
        "the rest is untouched"
    );
    assert!((turned.columns(0, 4) - x.columns(0, 4)).amax() > 0.1);
}

/// vllm-project/vllm#16904: a shared object halved its width once a layer.
#[test]
fn rotary_dim_halved_once_per_layer() {
    let build = || Rope::partial(8, 4, 10000.0, Pairing::Half).expect("an even width");
    let (first, second) = (build(), build());
    assert_eq!(first, second);
    rotated(&first, &Matrix::zeros(2, 8), &[0.0, 1.0]);
    assert_eq!(first.rotary_dim(), 4, "using it changes nothing");
}

/// huggingface/transformers#48101, #35233, lucidrains/rotary-embedding-torch#45.
#[test]
fn odd_head_or_rotary_dim_fails_late() {
    for head_dim in [7, 65] {
        let name = "head_dim";
        let refused = Rope::new(head_dim, 10000.0, Pairing::Half);
        assert_eq!(
            refused,
            Err(CoreError::OddDimension {
                name,
                given: head_dim
            })
        );
    }
    let rotary_dim = (4.0 * 0.75) as usize;
    let name = "rotary_dim";
    let refused = Rope::partial(4, rotary_dim, 10000.0, Pairing::Half);
    assert_eq!(refused, Err(CoreError::OddDimension { name, given: 3 }));
    // A width that the heads do not share out evenly is no head width at all.
    let s = Setting {
        d_model: 10,
        heads: 4,
        ..setting()
    };
    let scheme = Scheme::by_id("rope").expect("a scheme of the list");
    let refused = scheme.prepare(&s, 3).expect_err("10 / 4");
    assert_eq!(
        refused,
        CoreError::HeadsDoNotDivide {
            d_model: 10,
            heads: 4
        }
    );
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
