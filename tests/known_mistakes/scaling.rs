//! RoPE beyond the training length.

use approx::{assert_abs_diff_eq, assert_relative_eq};
use posenc_lab::core::encoding::Setting;
use posenc_lab::core::encoding::rope::{Pairing, Rope};
use posenc_lab::core::encoding::rope_scaling::{
    LongContext, LongRope, Remedy, RopeCache, RopeScaling, Yarn, YarnAttention, plain_frequencies,
    stale_angles, stale_scores,
};
use posenc_lab::core::encoding::sinusoidal::positions;
use posenc_lab::core::toy;

use crate::common::{frequencies, rope, rotated, setting};

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
