//! RoPE: which dimensions are paired, and how many are turned.

use approx::{assert_abs_diff_eq, assert_relative_eq};
use posenc_lab::core::encoding::rope::{Pairing, Rope, half_from_interleaved};
use posenc_lab::core::encoding::rope_scaling::{RopeCache, RopeScaling};
use posenc_lab::core::encoding::{Scheme, Setting};
use posenc_lab::core::{CoreError, toy};

use crate::common::{rope, rotated, scores, setting};

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
