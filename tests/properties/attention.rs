//! Softmax, attention, and what a model without, and with, positions can tell.

use posenc_lab::core::Matrix;
use posenc_lab::core::attention::{MultiHead, attend, softmax_rows};
use posenc_lab::core::encoding::relative::BiasStart;
use posenc_lab::core::encoding::sinusoidal::positions;
use posenc_lab::core::encoding::{Prepared, SCHEMES, Setting, alibi};
use posenc_lab::core::toy::{Pool, pooled, random_vectors};
use proptest::prelude::*;

use crate::draw::{any_scheme, cases, difference, distinct, run, scheme, setting, shuffled};

proptest! {
    #![proptest_config(cases())]
    // Softmax and attention.

    #[test]
    fn weights_are_a_distribution_and_a_mask_is_exact(
        n in 1usize..8, extra in 0usize..3, size in prop_oneof![Just(1.0), Just(1e6)],
        causal: bool, seed: u32,
    ) {
        let scores = random_vectors(seed, "scores", n, n + extra) * size;
        let weights = softmax_rows(&scores, causal);
        for i in 0..n {
            prop_assert!((weights.row(i).sum() - 1.0).abs() < 1e-14);
            for j in 0..n + extra {
                prop_assert!(weights[(i, j)] >= 0.0 && weights[(i, j)].is_finite());
                prop_assert!(!causal || j <= i || weights[(i, j)] == 0.0);
            }
        }
    }

    #[test]
    fn a_constant_added_to_a_row_changes_no_weight(n in 1usize..8, by in -1e3..1e3, causal: bool, seed: u32) {
        let scores = random_vectors(seed, "scores", n, n);
        let moved = softmax_rows(&scores.add_scalar(by), causal);
        prop_assert!((moved - softmax_rows(&scores, causal)).amax() < 1e-12);
    }

    #[test]
    fn alibi_by_key_alone_is_the_same_under_a_causal_mask(n in 1usize..9, slope in 0.001..2.0, seed: u32) {
        let q = random_vectors(seed, "q", n, 4);
        let with = |bias: &dyn Fn(usize, usize) -> f64| {
            let bias = Matrix::from_fn(n, n, bias);
            attend(&q, &q, &q, 0.5, Some(&bias), true).expect("shapes fit").weights
        };
        let paper = with(&|i, j| alibi::bias(slope, i, j));
        let bloom = with(&|_, j| alibi::bias_from_first_key(slope, j));
        let mpt = with(&|_, j| alibi::bias_from_last_key(slope, j, n));
        prop_assert!((&paper - bloom).amax() < 1e-12 && (paper - mpt).amax() < 1e-12);
    }

    // Order: what a model without, and with, positions can tell.

    #[test]
    fn without_position_outputs_follow_their_tokens(
        (a, b) in shuffled(), s in setting(), layers in 1usize..4,
    ) {
        let s = Setting { causal: false, ..s };
        prop_assert!(difference(&a, &b, scheme("none"), &s, layers) < 1e-10);
        let mean = |t: &[String]| pooled(&run(t, scheme("none"), &s, layers), Pool::Mean);
        for (x, y) in mean(&a).into_iter().flatten().zip(mean(&b).into_iter().flatten()) {
            prop_assert!((x - y).abs() < 1e-10);
        }
    }

    #[test]
    fn with_position_outputs_do_not_follow_their_tokens(n in 3usize..7, s in setting()) {
        let a = distinct(n);
        let mut b = a.clone();
        b.rotate_left(1);
        let s = Setting {
            causal: false, base: 10000.0, d_model: 8, heads: 2, bias: BiasStart::Random, ..s
        };
        for scheme in SCHEMES.iter().filter(|s| s.id() != "none") {
            prop_assert!(difference(&a, &b, *scheme, &s, 1) > 1e-6, "{:?}", scheme);
        }
    }

    #[test]
    fn added_and_averaged_with_no_attention_between_keeps_no_order((a, b) in shuffled(), s in setting()) {
        let (x, y) = (run(&a, scheme("sinusoidal"), &s, 0), run(&b, scheme("sinusoidal"), &s, 0));
        prop_assert!((x.row_mean() - y.row_mean()).amax() < 1e-12);
    }

    #[test]
    fn causal_last_token_ignores_the_order_before_it_in_one_layer((a, b) in shuffled(), s in setting()) {
        let s = Setting { causal: true, ..s };
        let last = |tokens: &[String]| {
            let tokens = [tokens, &["z".to_owned()][..]].concat();
            pooled(&run(&tokens, scheme("none"), &s, 1), Pool::Last).expect("a token")
        };
        for (x, y) in last(&a).iter().zip(last(&b)) {
            prop_assert!((x - y).abs() < 1e-11);
        }
    }

    #[test]
    fn a_causal_mask_alone_breaks_equivariance(n in 3usize..7, s in setting()) {
        let s = Setting { causal: true, d_model: 8, heads: 2, ..s };
        let a = distinct(n);
        let mut b = a.clone();
        b.swap(0, 1);
        prop_assert!(difference(&a, &b, scheme("none"), &s, 1) > 1e-9);
        // And with two layers the last token does see the order before it.
        let last = |t: &[String]| run(t, scheme("none"), &s, 2).row(n - 1).into_owned();
        prop_assert!((last(&a) - last(&b)).amax() > 1e-12);
    }

    #[test]
    fn identical_tokens_have_equal_outputs_unless_a_distinct_one_stands_first(
        n in 2usize..7, s in setting(), layers in 1usize..4,
    ) {
        let s = Setting { d_model: 8, heads: 2, ..s };
        let same = vec!["我".to_owned(); n];
        for id in ["none", "rope", "relative", "t5", "alibi"] {
            let out = run(&same, scheme(id), &s, layers);
            for row in out.row_iter() {
                prop_assert!((row - out.row(0)).amax() < 1e-10, "{}", id);
            }
        }
        // Weights differ by position, so a distinct first token is noticed.
        let mut begun = same;
        begun.insert(0, "<s>".to_owned());
        for id in ["rope", "alibi"] {
            let s = Setting { causal: true, base: 10000.0, ..s.clone() };
            let out = run(&begun, scheme(id), &s, 1);
            prop_assert!((out.row(1) - out.row(n)).amax() > 1e-12, "{}", id);
        }
    }

    #[test]
    fn a_symmetric_bias_cannot_tell_a_sentence_from_its_mirror_image(
        n in 3usize..8, s in setting(), layers in 1usize..4,
    ) {
        let s = Setting { causal: false, d_model: 8, heads: 2, bias: BiasStart::Decay, ..s };
        let a = distinct(n);
        let b: Vec<String> = a.iter().rev().cloned().collect();
        for id in ["alibi", "relative", "t5"] {
            // T5's first bucket holds 0 and its other side starts at 1, so its start is symmetric.
            prop_assert!(difference(&a, &b, scheme(id), &s, layers) < 1e-10, "{}", id);
        }
        let causal = Setting { causal: true, ..s };
        prop_assert!(difference(&a, &b, scheme("alibi"), &causal, 1) > 1e-9);
    }

    #[test]
    fn an_additive_encoding_enters_once_and_a_bias_or_rotation_in_every_layer(
        s in setting(), scheme in any_scheme(), n in 1usize..6,
    ) {
        let layer = MultiHead {
            w_q: Matrix::identity(s.d_model, s.d_model),
            w_k: Matrix::identity(s.d_model, s.d_model),
            w_v: Matrix::identity(s.d_model, s.d_model),
            w_o: Matrix::identity(s.d_model, s.d_model),
            biases: None,
            heads: s.heads,
        };
        let x = random_vectors(s.seed, "x", n, s.d_model);
        let prepared = scheme.prepare(&s, n).expect("a valid setting");
        let out = layer.forward(&x, &prepared, s.causal).expect("shapes fit");
        let plain = layer.forward(&x, &Prepared::None, s.causal).expect("shapes fit");
        if matches!(prepared, Prepared::None | Prepared::Additive(_)) {
            prop_assert_eq!(&out, &plain);
        }
        // Second way: head by head.
        let d = s.head_dim();
        for h in 0..s.heads {
            let v = x.columns(h * d, d).into_owned();
            let scale = 1.0 / (d as f64).sqrt();
            let at = positions(0..n);
            let (q, k, bias) = match &prepared {
                Prepared::Rotary(r) => {
                    let turn = |x: Result<Matrix, _>| x.expect("fits");
                    (turn(r.queries(&v, &at)), turn(r.keys(&v, &at)), None)
                }
                Prepared::ScoreBias(b) => (v.clone(), v.clone(), Some(b[h].clone())),
                // One vector a pair: q_i·a_ij/√d, pair by pair.
                Prepared::Keys(keys) => {
                    let of = |i, j| v.row(i).dot(&keys.tables[h].row(keys.rows[(i, j)])) * scale;
                    (v.clone(), v.clone(), Some(Matrix::from_fn(n, n, of)))
                }
                _ => (v.clone(), v.clone(), None),
            };
            let head = attend(&q, &k, &v, scale, bias.as_ref(), s.causal).expect("shapes fit");
            prop_assert!((out.output.columns(h * d, d) - head.output).amax() < 1e-12);
            prop_assert!((&out.weights[h] - head.weights).amax() < 1e-13);
        }
    }
}
