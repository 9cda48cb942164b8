//! Mistakes that real implementations made, each tried on the core. Each test is named after what
//! went wrong and says where it was reported; where a wrong number is known, the core's number is
//! shown to differ from it.

use approx::{assert_abs_diff_eq, assert_relative_eq};
use posenc_lab::core::Matrix;
use posenc_lab::core::encoding::learned::LearnedTable;
use posenc_lab::core::encoding::relative::{BiasStart, BiasTable, relative_index};
use posenc_lab::core::encoding::rope::{Pairing, Rope, half_from_interleaved};
use posenc_lab::core::encoding::rope_scaling::{
    Frequencies, LongContext, LongRope, Remedy, RopeCache, RopeScaling, Yarn, YarnAttention,
    plain_frequencies, stale_angles, stale_scores,
};
use posenc_lab::core::encoding::sinusoidal::{
    Layout, OddRule, Sinusoidal, fairseq_position_ids, positions,
};
use posenc_lab::core::encoding::t5::T5Buckets;
use posenc_lab::core::encoding::{Prepared, SCHEMES, Scheme, Setting, alibi};
use posenc_lab::core::grid::sincos::{Blocks, Sincos2d};
use posenc_lab::core::grid::{Grid, TokenOrder, window};
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
        context: LongContext::default(),
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

fn frequencies(scaling: &RopeScaling, d: usize, base: f64, seq_len: Option<usize>) -> Frequencies {
    scaling.at(d, base, seq_len).expect("valid parameters")
}

/// How many pairs are kept, blended, and divided by the whole factor.
fn kept_blended_divided(ratios: &[f64], factor: f64) -> (usize, usize, usize) {
    let kept = ratios.iter().filter(|r| **r == 1.0).count();
    let divided = ratios.iter().filter(|r| **r == 1.0 / factor).count();
    (kept, ratios.len() - kept - divided, divided)
}

/// huggingface/transformers#27227: the base of a long call stayed for shorter ones. The rule by
/// length alone is plain again at 16; what transformers keeps is reset only below 16.
#[test]
fn dynamic_base_not_scaled_back_after_a_long_sequence() {
    let scaling = RopeScaling::Dynamic {
        factor: 2.0,
        orig_len: 16,
    };
    let plain = plain_frequencies(8, 10000.0);
    let mut cache = RopeCache::new(8, 10000.0, Pairing::Half, scaling.clone()).expect("valid");
    for (len, by_length, kept) in [
        (40, false, false),
        (30, false, false),
        (16, true, false),
        (15, true, true),
    ] {
        let now = frequencies(&scaling, 8, 10000.0, Some(len)).inv_freq;
        assert_eq!(now == plain, by_length, "{len}: by length");
        let held = cache.forward(len).expect("valid").inv_freq();
        assert_eq!(held == plain, kept, "{len}: held");
    }
}

/// As above: keys in a cache were rotated with the old base, queries are with the new one.
#[test]
fn keys_rotated_before_the_base_changed() {
    let scaling = RopeScaling::Dynamic {
        factor: 2.0,
        orig_len: 16,
    };
    let rope_at = |n| Rope::scaled(8, 10000.0, Pairing::Half, &scaling, Some(n)).expect("valid");
    let (then, now) = (rope_at(16), rope_at(40));
    assert_eq!(
        stale_angles(&then, &now, 15.0)[0],
        0.0,
        "the first pair is unchanged"
    );
    assert_abs_diff_eq!(
        stale_angles(&then, &now, 15.0)[3],
        15.0 * (0.001 - 0.00025),
        epsilon = 1e-15
    );
    let (q, k) = (
        toy::random_vectors(1, "q", 1, 8),
        toy::random_vectors(1, "k", 16, 8),
    );
    let at = positions(0..16);
    let scores = stale_scores(&then, &now, (&q, &[39.0]), (&k, &at)).expect("shapes fit");
    let off = &scores.stale - &scores.fresh;
    assert_abs_diff_eq!(off[(0, 0)], 0.0, epsilon = 1e-14);
    assert!(off.amax() > 0.1, "{off}");
    assert_abs_diff_eq!(
        scores.fresh,
        rotated(&now, &q, &[39.0]) * rotated(&now, &k, &at).transpose(),
        epsilon = 1e-14
    );
}

/// lablup/mlxcel#1324: positions multiplied by the factor as well, or the base at any length.
#[test]
fn dynamic_scaling_in_force_below_the_original_length() {
    let scaling = RopeScaling::Dynamic {
        factor: 2.0,
        orig_len: 16,
    };
    for len in [None, Some(0), Some(1), Some(8), Some(16)] {
        let scaled = Rope::scaled(8, 10000.0, Pairing::Half, &scaling, len).expect("valid");
        assert_eq!(scaled, rope(8, Pairing::Half), "{len:?}");
    }
}

/// ml-explore/mlx-lm#1507, vllm-project/vllm#46280.
#[test]
fn explicit_attention_factor_ignored() {
    let plain = Yarn::new(64.0, 4096);
    let explicit = Yarn {
        attention: YarnAttention::Explicit(1.0),
        ..plain
    };
    let factor = |y| frequencies(&RopeScaling::Yarn(y), 64, 10000.0, None).attention_factor;
    assert_abs_diff_eq!(factor(plain), 1.4158883, epsilon = 5e-8);
    assert_eq!(factor(explicit), 1.0);
    let long = LongRope {
        short_factor: vec![1.0; 4],
        long_factor: vec![2.0; 4],
        factor: 4.0,
        orig_len: 16,
        attention_factor: Some(1.0),
    };
    let scaling = RopeScaling::LongRope(long);
    assert_eq!(
        frequencies(&scaling, 8, 10000.0, None).attention_factor,
        1.0
    );
}

/// turboderp-org/exllamav3#259: equal mscales give 1 in transformers; the scaling that such a
/// model was trained with is on the softmax scale instead.
#[test]
fn equal_mscales_lose_the_scaling() {
    let yarn = Yarn {
        attention: YarnAttention::Mscale {
            mscale: 1.0,
            mscale_all_dim: 1.0,
        },
        ..Yarn::new(40.0, 4096)
    };
    assert_eq!(yarn.attention_factor(), 1.0);
    let mscale = 0.1 * 40f64.ln() + 1.0;
    assert_relative_eq!(yarn.softmax_factor(), mscale * mscale, max_relative = 1e-15);
    assert!(yarn.softmax_factor() > 1.87);
    assert_eq!(Yarn::new(40.0, 4096).softmax_factor(), 1.0);
}

fn llama3(factor: f64) -> RopeScaling {
    RopeScaling::Llama3 {
        factor,
        low_freq_factor: 1.0,
        high_freq_factor: 4.0,
        orig_len: 8192,
    }
}

/// huggingface/transformers#32330: computed, and the old ones returned.
#[test]
fn llama3_frequencies_computed_and_thrown_away() {
    let scaled = frequencies(&llama3(8.0), 128, 500000.0, None);
    assert_eq!(kept_blended_divided(&scaled.ratios, 8.0), (29, 6, 29));
    let blended = |i: usize| scaled.ratios[i] < 1.0 && scaled.ratios[i] > 1.0 / 8.0;
    assert!((29..=34).all(blended));
    let rope = Rope::scaled(128, 500000.0, Pairing::Half, &llama3(8.0), None).expect("valid");
    assert_eq!(rope.inv_freq(), scaled.inv_freq);
    assert_ne!(rope.inv_freq(), plain_frequencies(128, 500000.0));
    // What the address describes is what is applied.
    let s = Setting {
        d_model: 128,
        heads: 1,
        base: 500000.0,
        context: LongContext {
            remedy: Remedy::Llama3,
            factor: 8.0,
            orig_len: 8192,
            ..LongContext::default()
        },
        ..setting()
    };
    assert_eq!(Rope::of(&s).expect("valid").inv_freq(), scaled.inv_freq);
}

/// jmaczan/tiny-vllm#1, unslothai/unsloth#6197: left out; short texts look fine.
#[test]
fn llama3_scaling_left_out() {
    let scaled = frequencies(&llama3(32.0), 64, 500000.0, None);
    assert_eq!(kept_blended_divided(&scaled.ratios, 32.0), (15, 3, 14));
    assert!((0..15).all(|i| scaled.ratios[i] == 1.0));
    assert!((18..32).all(|i| scaled.ratios[i] == 1.0 / 32.0));
    let plain = plain_frequencies(64, 500000.0);
    let off = |m: f64| {
        let pairs = plain.iter().zip(&scaled.inv_freq);
        pairs.map(|(a, b)| (m * (a - b)).abs()).fold(0.0, f64::max)
    };
    assert!(off(10.0) < 0.02, "{}", off(10.0));
    assert!(off(20000.0) > 6.0, "{}", off(20000.0));
}

fn longrope() -> RopeScaling {
    RopeScaling::LongRope(LongRope {
        short_factor: vec![1.0; 4],
        long_factor: vec![1.0, 2.0, 4.0, 8.0],
        factor: 4.0,
        orig_len: 16,
        attention_factor: None,
    })
}

/// unslothai/unsloth#10681: switched at exactly the original length.
#[test]
fn longrope_switched_one_token_early() {
    let at = |n| frequencies(&longrope(), 8, 10000.0, Some(n)).ratios;
    assert_eq!(at(16), [1.0; 4]);
    assert_eq!(at(17), [1.0, 0.5, 0.25, 0.125]);
    let long = LongRope {
        orig_len: 4096,
        short_factor: vec![1.0],
        long_factor: vec![2.0],
        factor: 32.0,
        attention_factor: None,
    };
    assert_eq!([4096, 4097].map(|n| long.is_long(Some(n))), [false, true]);
}

/// trymirai/uzu#604, vllm-project/vllm#27431: short and long factors within one cache. A rotation
/// has one set, and keys of the other set would be wrong by this much.
#[test]
fn longrope_lists_mixed_within_one_cache() {
    let mut cache = RopeCache::new(8, 10000.0, Pairing::Half, longrope()).expect("valid");
    let short = cache.forward(16).expect("valid").clone();
    let long = cache.forward(17).expect("valid").clone();
    assert_eq!(short.inv_freq()[0], long.inv_freq()[0]);
    let off = stale_angles(&short, &long, 15.0);
    assert_abs_diff_eq!(off[1], 15.0 * 0.05, epsilon = 1e-15);
    assert_eq!(cache.forward(16).expect("valid"), &short);
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

/// vllm-project/vllm#16904: a shared object halved its width once a layer. What layers share here is
/// the cache of the scaled rotation, which each of them asks anew.
#[test]
fn rotary_dim_halved_once_per_layer() {
    let scaling = RopeScaling::Dynamic {
        factor: 2.0,
        orig_len: 16,
    };
    let (q, k) = (
        toy::random_vectors(1, "q", 3, 8),
        toy::random_vectors(1, "k", 3, 8),
    );
    let mut cache = RopeCache::new(8, 10000.0, Pairing::Half, scaling.clone()).expect("valid");
    let once = Rope::scaled(8, 10000.0, Pairing::Half, &scaling, Some(40)).expect("valid");
    for layer in 0..4 {
        let shared = cache.forward(40).expect("valid");
        assert_eq!(shared, &once, "layer {layer}");
    }
    let halved = Rope::scaled_partial((8, 4), 10000.0, Pairing::Half, &scaling, Some(40));
    let wrong = scores(&halved.expect("valid"), &q, &k) - scores(&once, &q, &k);
    assert!(wrong.amax() > 0.1, "{wrong}");
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
