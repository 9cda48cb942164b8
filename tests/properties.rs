//! The identities that the lesson calls exact, each for any input within its conditions.

use posenc_lab::core::Matrix;
use posenc_lab::core::analysis::{dot, rope_score_by_distance, similarity_by_distance};
use posenc_lab::core::attention::{MultiHead, attend, softmax_rows};
use posenc_lab::core::encoding::deberta::DebertaBuckets;
use posenc_lab::core::encoding::learned;
use posenc_lab::core::encoding::relative::{
    BiasStart, BiasTable, asymmetric_index, relative_index, shaw_index,
};
use posenc_lab::core::encoding::rope::{Pairing, Rope, half_from_interleaved};
use posenc_lab::core::encoding::rope_scaling::{
    Frequencies, LongContext, LongRope, Remedy, RopeCache, RopeParameters, RopeScaling, Yarn,
    YarnAttention, YarnRamp, dynamic_factor, ntk_base, plain_frequencies, toy_long_factor,
};
use posenc_lab::core::encoding::sinusoidal::{Layout, Sinusoidal, positions};
use posenc_lab::core::encoding::t5::T5Buckets;
use posenc_lab::core::encoding::{Prepared, SCHEMES, Scheme, Setting, alibi, row_major};
use posenc_lab::core::grid::axial::{AxialRope, Variant};
use posenc_lab::core::grid::resample::{Interpolation, axis_weights, resample};
use posenc_lab::core::grid::scheme::bias_table;
use posenc_lab::core::grid::sincos::{
    Blocks, DetrSine, Sincos2d, interleaved_pairs, interleaved_pairs_of_any_width,
};
use posenc_lab::core::grid::{Grid, TokenOrder, window};
use posenc_lab::core::precision::{to_bfloat16, to_float16};
use posenc_lab::core::tokens::{TokenKind, matching, tokenize};
use posenc_lab::core::toy::{Pool, ToyModel, max_difference, pooled, random_vectors};
use posenc_lab::state::real;
use proptest::prelude::*;

// What is drawn.

fn layout() -> impl Strategy<Value = Layout> {
    prop_oneof![
        Just(Layout::Interleaved),
        Just(Layout::Concatenated),
        Just(Layout::T2t)
    ]
}

fn pairing() -> impl Strategy<Value = Pairing> {
    prop_oneof![Just(Pairing::Interleaved), Just(Pairing::Half)]
}

fn base() -> impl Strategy<Value = f64> {
    prop_oneof![Just(10000.0), Just(1.0), 1.0..1e6]
}

fn sinusoidal() -> impl Strategy<Value = Sinusoidal> {
    let parts = (2usize..20, base(), layout());
    parts.prop_map(|(half, base, layout)| {
        Sinusoidal::new(2 * half, base, layout).expect("an even width of at least 4")
    })
}

/// A rotation of a head, or of a part of it.
fn rope() -> impl Strategy<Value = Rope> {
    let parts = (1usize..10, 0usize..6, base(), pairing());
    parts.prop_map(|(pairs, more, base, pairing)| {
        Rope::partial(2 * pairs + more, 2 * pairs, base, pairing).expect("an even width")
    })
}

fn position() -> impl Strategy<Value = f64> {
    prop_oneof![-500.0..500.0, (-500i32..500).prop_map(f64::from)]
}

fn setting() -> impl Strategy<Value = Setting> {
    let shape = (1usize..4, 1usize..3, 1usize..6);
    let bias = prop_oneof![
        Just(BiasStart::Random),
        Just(BiasStart::Decay),
        Just(BiasStart::Zero)
    ];
    let rest = (
        base(),
        layout(),
        pairing(),
        any::<bool>(),
        any::<u32>(),
        bias,
    );
    (shape, rest).prop_map(|((heads, quarter, max_rel_dist), rest)| {
        let (base, layout, pairing, causal, seed, bias) = rest;
        Setting {
            d_model: heads * quarter * 4,
            heads,
            base,
            max_rel_dist,
            layout,
            pairing,
            context: LongContext {
                remedy: [Remedy::None, Remedy::Linear, Remedy::LongRope][seed as usize % 3],
                orig_len: 16,
                ..LongContext::default()
            },
            causal,
            seed,
            bias,
            bias_edits: Vec::new(),
        }
    })
}

fn any_scheme() -> impl Strategy<Value = Scheme> {
    (0..SCHEMES.len()).prop_map(|i| SCHEMES[i])
}

/// A sentence of single letters, and a permutation of it.
fn shuffled() -> impl Strategy<Value = (Vec<String>, Vec<String>)> {
    let letters = proptest::collection::vec(0u8..6, 1..7);
    let sentence =
        letters.prop_map(|l| l.iter().map(|b| char::from(b'a' + b).to_string()).collect());
    sentence.prop_flat_map(|s: Vec<String>| (Just(s.clone()), Just(s).prop_shuffle()))
}

/// Different letters in order.
fn distinct(n: usize) -> Vec<String> {
    ('a'..='z').take(n).map(String::from).collect()
}

fn scheme(id: &str) -> Scheme {
    Scheme::by_id(id).expect("a scheme of the list")
}

/// Outputs of the toy model `[tokens, d_model]`.
fn run(tokens: &[String], scheme: Scheme, s: &Setting, layers: usize) -> Matrix {
    let model = ToyModel::new(s.seed, s.d_model, s.heads, layers);
    model
        .run(tokens, scheme, s)
        .expect("a valid setting")
        .output
}

fn difference(a: &[String], b: &[String], scheme: Scheme, s: &Setting, layers: usize) -> f64 {
    let (x, y) = (run(a, scheme, s, layers), run(b, scheme, s, layers));
    max_difference((a, &x), (b, &y)).expect("a permutation")
}

/// Without optimisation the toy model is slow, so fewer cases; PROPTEST_CASES overrides both.
fn cases() -> ProptestConfig {
    let mut config = ProptestConfig::default();
    if cfg!(debug_assertions) && std::env::var_os("PROPTEST_CASES").is_none() {
        config.cases = 48;
    }
    config
}

proptest! {
    #![proptest_config(cases())]

    // Sinusoidal.

    #[test]
    fn a_shift_is_a_matrix_that_depends_on_the_distance_alone(
        pe in sinusoidal(), p in position(), k in position(),
    ) {
        let at = |p| pe.matrix(&[p]).transpose();
        prop_assert!((pe.shift_matrix(k) * at(p) - at(p + k)).amax() < 1e-10);
    }

    #[test]
    fn shifts_compose(pe in sinusoidal(), j in position(), k in position()) {
        let both = pe.shift_matrix(j) * pe.shift_matrix(k);
        prop_assert!((both - pe.shift_matrix(j + k)).amax() < 1e-10);
    }

    #[test]
    fn similarity_is_a_symmetric_function_of_the_distance(
        pe in sinusoidal(), p in position(), k in position(),
    ) {
        let at = |p| row_major(&pe.matrix(&[p]));
        let pairs = pe.frequencies().len() as f64;
        let by_distance = similarity_by_distance(pe.frequencies(), [k, -k, 0.0].into_iter());
        prop_assert!((dot(&at(p), &at(p + k)) / pairs - by_distance[0]).abs() < 1e-11);
        prop_assert!((by_distance[0] - by_distance[1]).abs() < 1e-13);
        prop_assert_eq!(by_distance[2], 1.0);
    }

    #[test]
    fn similarity_by_distance_agrees_with_the_whole_matrix(pe in sinusoidal(), n in 1usize..200) {
        let m = pe.matrix(&positions(0..n));
        let gram = &m * m.transpose() / pe.frequencies().len() as f64;
        let by_distance = similarity_by_distance(pe.frequencies(), positions(0..n).into_iter());
        for i in 0..n {
            for j in 0..n {
                prop_assert!((gram[(i, j)] - by_distance[i.abs_diff(j)]).abs() < 1e-11);
            }
        }
    }

    #[test]
    fn the_matrix_holds_the_single_values(pe in sinusoidal(), start in -300i64..300, n in 1usize..200) {
        let at: Vec<f64> = (0..n as i64).map(|i| (start + i) as f64).collect();
        let m = pe.matrix(&at);
        for (r, &p) in at.iter().enumerate() {
            for j in 0..pe.d_model() {
                prop_assert!((m[(r, j)] - pe.value(p, j)).abs() < 1e-13);
            }
        }
    }

    #[test]
    fn layouts_are_column_permutations(half in 2usize..20, base in base(), p in position()) {
        let of = |layout| Sinusoidal::new(2 * half, base, layout).expect("an even width");
        let (a, b) = (of(Layout::Interleaved), of(Layout::Concatenated));
        for i in 0..half {
            let ((s, c), (t, d)) = (a.columns(i), b.columns(i));
            prop_assert_eq!(a.value(p, s), b.value(p, t));
            prop_assert_eq!(a.value(p, c), b.value(p, d));
            prop_assert_eq!((a.pair(s), a.pair(c)), (Some((i, true)), Some((i, false))));
            prop_assert_eq!((b.pair(t), b.pair(d)), (Some((i, true)), Some((i, false))));
        }
    }

    #[test]
    fn position_0_is_sines_of_0_and_cosines_of_1(pe in sinusoidal()) {
        let first = pe.matrix(&[0.0]);
        for j in 0..pe.d_model() {
            let is_sine = pe.pair(j).expect("a column").1;
            prop_assert_eq!(first[(0, j)], if is_sine { 0.0 } else { 1.0 });
        }
    }

    // RoPE.

    #[test]
    fn rotations_compose_and_undo(rope in rope(), m in position(), n in position(), seed: u32) {
        let x = random_vectors(seed, "x", 1, rope.head_dim());
        let turn = |x: &Matrix, p: f64| rope.apply(x, &[p]).expect("shapes fit");
        prop_assert!((turn(&turn(&x, m), n) - turn(&x, m + n)).amax() < 1e-10);
        let back = rope.inverse(&turn(&x, m), &[m]).expect("shapes fit");
        prop_assert!((back - &x).amax() < 1e-12);
        prop_assert_eq!(turn(&x, 0.0), x);
    }

    #[test]
    fn rotation_keeps_the_norm_of_every_pair(rope in rope(), p in position(), seed: u32) {
        let x = random_vectors(seed, "x", 1, rope.head_dim());
        let y = rope.apply(&x, &[p]).expect("shapes fit");
        prop_assert!((y.norm() - x.norm()).abs() < 1e-12);
        for i in 0..rope.inv_freq().len() {
            let (a, b) = rope.pairing().columns(i, rope.rotary_dim());
            let norm = |m: &Matrix| m[a].hypot(m[b]);
            prop_assert!((norm(&x) - norm(&y)).abs() < 1e-13 * norm(&x).max(1.0));
        }
    }

    #[test]
    fn a_score_depends_on_the_offset_alone(
        rope in rope(), m in position(), n in position(), shift in position(), seed: u32,
    ) {
        let q = random_vectors(seed, "q", 1, rope.head_dim());
        let k = random_vectors(seed, "k", 1, rope.head_dim());
        let turn = |x: &Matrix, p: f64| rope.apply(x, &[p]).expect("shapes fit");
        let score = |m, n| turn(&q, m).dot(&turn(&k, n));
        prop_assert!((score(m, n) - score(m + shift, n + shift)).abs() < 1e-9);
        let by_distance = rope_score_by_distance(&rope, q.as_slice(), k.as_slice(), [m - n].into_iter());
        prop_assert!((score(m, n) - by_distance[0]).abs() < 1e-9);
    }

    #[test]
    fn scores_by_distance_agree_at_every_distance(rope in rope(), n in 1usize..150, seed: u32) {
        let q = random_vectors(seed, "q", 1, rope.head_dim());
        let k = random_vectors(seed, "k", 1, rope.head_dim());
        let at = positions(0..n);
        let by_distance = rope_score_by_distance(&rope, q.as_slice(), k.as_slice(), at.iter().copied());
        let many = Matrix::from_fn(n, rope.head_dim(), |_, j| q[j]);
        let turned = rope.apply(&many, &at).expect("shapes fit");
        for (row, score) in turned.row_iter().zip(by_distance) {
            prop_assert!((row.dot(&k) - score).abs() < 1e-11);
        }
    }

    #[test]
    fn pairings_agree_after_permuting_the_columns(half in 1usize..10, base in base(), seed: u32) {
        let d = 2 * half;
        let of = |pairing| Rope::new(d, base, pairing).expect("an even width");
        let perm = half_from_interleaved(d);
        let x = random_vectors(seed, "x", 5, d);
        let at = [-2.0, 0.0, 0.5, 1.0, 77.0];
        let a = of(Pairing::Half).apply(&x, &at).expect("shapes fit").select_columns(&perm);
        let b = of(Pairing::Interleaved).apply(&x.select_columns(&perm), &at).expect("shapes fit");
        prop_assert_eq!(&a, &b);
        if d == 2 {
            prop_assert_eq!(a, of(Pairing::Interleaved).apply(&x, &at).expect("shapes fit"));
        }
    }

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

    // Relative indices and tables.

    #[test]
    fn distances_beyond_the_table_share_its_ends(r in 0usize..20, i in 0usize..60, j in 0usize..60) {
        let index = relative_index(i, j, r);
        prop_assert!(index <= 2 * r);
        prop_assert_eq!(index as i64, (i as i64 - j as i64).clamp(-(r as i64), r as i64) + r as i64);
        prop_assert_eq!(index, 2 * r - shaw_index(i as i64 - j as i64, r, r).abs_diff(2 * r));
        prop_assert_eq!(relative_index(i, j, r) + relative_index(j, i, r), 2 * r);
    }

    #[test]
    fn rows_of_bias_are_shared_beyond_the_longest_distance(s in setting(), more in 2usize..6) {
        let n = s.max_rel_dist + more;
        let Ok(Prepared::ScoreBias(all)) = scheme("relative").prepare(&s, n) else {
            return Err(TestCaseError::fail("no bias"));
        };
        for bias in all {
            for d in s.max_rel_dist..n {
                prop_assert_eq!(bias[(d, 0)], bias[(s.max_rel_dist, 0)]);
                prop_assert_eq!(bias[(0, d)], bias[(0, s.max_rel_dist)]);
            }
        }
    }

    #[test]
    fn any_index_is_in_its_table(d: i64, left in 0usize..100, right in 0usize..100) {
        prop_assert!(shaw_index(d, left, right) <= left + right);
        prop_assert!(asymmetric_index(d, left) < (2 * left).max(1));
    }

    #[test]
    fn buckets_never_fall_with_distance(
        n in 4usize..64, more in 1usize..200, bidirectional: bool, d: i64, near in 0i64..400,
    ) {
        let buckets = T5Buckets::new(n, n + more, bidirectional).expect("valid");
        prop_assert!(buckets.bucket(d) < n);
        prop_assert!(buckets.bucket(-near) <= buckets.bucket(-near - 1));
        let side = if bidirectional { n / 2 } else { 0 };
        if near > 0 {
            let behind = buckets.bucket(-near);
            let ahead = buckets.bucket(near);
            prop_assert_eq!(ahead, if bidirectional { behind + side } else { 0 });
        }
        let last = if bidirectional { side - 1 } else { n - 1 };
        prop_assert_eq!(buckets.bucket(-((n + more) as i64)), last);
    }

    /// Second way, in whole numbers: bucket `exact + j` starts where
    /// `(distance / exact)^m ≥ (max_distance / exact)^j`, with m logarithmic buckets.
    #[test]
    fn buckets_agree_with_whole_numbers(n in 2usize..17, more in 1u128..200, distance in 0u128..400) {
        let (exact, m) = ((n / 2) as u128, (n - n / 2) as u32);
        let reach = exact + more;
        let buckets = T5Buckets::new(n, reach as usize, false).expect("valid");
        let opens = |j: u32| distance.pow(m) * exact.pow(j) >= reach.pow(j) * exact.pow(m);
        let wanted = if distance < exact {
            distance as usize
        } else {
            let last = (0..m).rev().find(|&j| opens(j)).expect("bucket `exact` starts at `exact`");
            n / 2 + last as usize
        };
        prop_assert_eq!(buckets.bucket(-(distance as i64)), wanted);
    }

    #[test]
    fn slopes_fall_within_each_series(heads in 1usize..200) {
        let slopes = alibi::slopes(heads);
        prop_assert_eq!(slopes.len(), heads);
        let power = 1 << heads.ilog2();
        prop_assert!(slopes[..power].windows(2).all(|w| w[0] > w[1]));
        prop_assert!(slopes[power..].windows(2).all(|w| w[0] > w[1]));
        prop_assert!(slopes.iter().all(|m| *m > 0.0 && *m < 1.0));
        // The series ends at 2^-8 for a power of two, whatever the power.
        prop_assert!((slopes[power - 1] - 2f64.powi(-8)).abs() < 1e-15);
    }

    #[test]
    fn growing_a_table_keeps_what_it_had(s in setting(), more in 1usize..5) {
        let small = learned::row(s.seed, 3, s.d_model);
        let wide = learned::row(s.seed, 3, s.d_model + more);
        prop_assert_eq!(&small[..], &wide[..s.d_model]);
        let larger = Setting { max_rel_dist: s.max_rel_dist + more, heads: s.heads + more, ..s.clone() };
        let larger = Setting { bias: BiasStart::Random, ..larger };
        let smaller = Setting { bias: BiasStart::Random, ..s };
        let (a, b) = (BiasTable::clipped(&smaller), BiasTable::clipped(&larger));
        for h in 0..smaller.heads {
            for c in 0..a.columns() {
                prop_assert_eq!(a.get(h, c), b.get(h, c + more));
            }
        }
        prop_assert_eq!(a.get(0, a.columns()), 0.0, "a column that is not there belongs to no head");
    }

    #[test]
    fn a_longer_sequence_keeps_the_first_rows(s in setting(), scheme in any_scheme(), n in 1usize..6) {
        let first = |m: &Matrix| m.view((0, 0), (n.min(m.nrows()), m.ncols().min(n.max(s.d_model)))).into_owned();
        let (short, long) = (scheme.prepare(&s, n), scheme.prepare(&s, n + 3));
        match (short, long) {
            (Ok(Prepared::Additive(a)), Ok(Prepared::Additive(b))) => {
                prop_assert_eq!(first(&a), first(&b));
            }
            (Ok(Prepared::ScoreBias(a)), Ok(Prepared::ScoreBias(b))) => {
                for (a, b) in a.iter().zip(&b) {
                    prop_assert_eq!(a, &b.view((0, 0), (n, n)).into_owned());
                }
            }
            (Ok(Prepared::Keys(a)), Ok(Prepared::Keys(b))) => {
                prop_assert_eq!(&a.tables, &b.tables);
                prop_assert_eq!(&a.rows, &b.rows.view((0, 0), (n, n)).into_owned());
            }
            (Ok(Prepared::None | Prepared::Rotary(_)), Ok(Prepared::None | Prepared::Rotary(_))) => {}
            _ => return Err(TestCaseError::fail("a valid setting is refused")),
        }
    }

    #[test]
    fn arrays_are_what_prepare_gives(s in setting(), scheme in any_scheme(), n in 1usize..6) {
        let arrays = scheme.arrays(&s, n, 0..n).expect("a valid setting");
        let prepared = scheme.prepare(&s, n).expect("a valid setting");
        for array in arrays {
            let (name, data) = (array.name, (array.data)());
            let wanted = match (&prepared, name) {
                (Prepared::Additive(pe), "pe") => row_major(pe),
                (Prepared::ScoreBias(b), "bias") => b.iter().flat_map(row_major).collect(),
                (Prepared::Keys(keys), "key_vectors") => keys.tables.iter().flat_map(row_major).collect(),
                (Prepared::Rotary(r), "inv_freq") => r.rope().inv_freq().to_vec(),
                (Prepared::Rotary(r), "cos") => row_major(&r.rope().cos_sin(&positions(0..n)).0),
                (Prepared::Rotary(r), "sin") => row_major(&r.rope().cos_sin(&positions(0..n)).1),
                _ => continue,
            };
            prop_assert_eq!(data, wanted, "{}", name);
        }
    }

    // Low precision, tokens.

    #[test]
    fn rounding_goes_to_a_nearest_number(x in -60000.0..60000.0f64) {
        for (round, bits) in [(to_bfloat16 as fn(f64) -> f64, 8), (to_float16, 11)] {
            let y = round(x);
            let step = (x.abs().log2().floor() - f64::from(bits - 1)).exp2();
            // Below 2^-14 float16 has fewer bits.
            prop_assert!((y - x).abs() <= (step / 2.0).max(2f64.powi(-25)), "{} -> {}", x, y);
            prop_assert_eq!(round(y), y);
        }
    }

    #[test]
    fn tokens_hold_the_text_and_match_their_permutation(text in "\\PC{0,20}", kind: bool) {
        let kind = if kind { TokenKind::Word } else { TokenKind::Char };
        let tokens = tokenize(&text, kind);
        let mut other = tokens.clone();
        other.reverse();
        let map = matching(&tokens, &other).expect("a permutation");
        for (i, &j) in map.iter().enumerate() {
            prop_assert_eq!(&tokens[i], &other[j]);
        }
        prop_assert!(tokens.iter().all(|t| !t.is_empty()));
    }
}

// Beyond the training length.

/// Any parameters, legal in combination for heads of at least 4 dimensions.
fn context() -> impl Strategy<Value = LongContext> {
    let turns = (0.01..100.0, 0.01..100.0);
    let lengths = (16usize..1 << 20, 16usize..1 << 24);
    (0usize..7, 1.0..128.0, lengths, turns).prop_map(|(remedy, factor, lengths, (a, b))| {
        let (few, many) = (f64::min(a, b), f64::max(a, b) + 0.001);
        LongContext {
            remedy: Remedy::ALL[remedy],
            factor,
            orig_len: lengths.0,
            target_len: lengths.1,
            beta_fast: many,
            beta_slow: few,
            low_freq_factor: few,
            high_freq_factor: many,
        }
    })
}

fn scaled(scaling: &RopeScaling, d: usize, base: f64, seq_len: Option<usize>) -> Frequencies {
    scaling.at(d, base, seq_len).expect("valid parameters")
}

/// A base at which all remedies are defined.
fn large_base() -> impl Strategy<Value = f64> {
    prop_oneof![Just(10000.0), Just(500000.0), 1.001..1e9]
}

proptest! {
    /// Each remedy divides a frequency by something from 1 to its factor (dynamic: to its present
    /// factor), keeps the order of the pairs, and the rotation takes all of it over.
    #[test]
    fn remedies_stay_between_none_and_linear(c in context(), pairs in 2usize..80, base in large_base()) {
        let d = 2 * pairs;
        let scaling = c.scaling(pairs);
        let now = Some(c.target_len);
        let f = scaled(&scaling, d, base, now);
        let most = match c.remedy {
            Remedy::Dynamic => dynamic_factor(c.factor, c.orig_len, now),
            _ => c.factor,
        };
        for r in &f.ratios {
            prop_assert!(*r <= 1.0 + 1e-15 && *r >= (1.0 - 1e-12) / most, "{r} {most}");
        }
        let plain = plain_frequencies(d, base);
        for ((w, p), r) in f.inv_freq.iter().zip(&plain).zip(&f.ratios) {
            prop_assert!((w - p * r).abs() <= 1e-15 * p && *w > 0.0);
        }
        prop_assert!(f.attention_factor >= 1.0);
        let rope = Rope::scaled(d, base, Pairing::Half, &scaling, now).expect("valid");
        prop_assert_eq!(rope.inv_freq(), &f.inv_freq[..]);
        // Once: cos² + sin² is the factor squared, and so is a score's.
        let (cos, sin) = rope.cos_sin(&[3.0]);
        let square = f.attention_factor.powi(2);
        for (c, s) in cos.iter().zip(sin.iter()) {
            prop_assert!((c * c + s * s - square).abs() < 1e-12);
        }
        let profile = scaling.profile(d, base, now, c.orig_len).expect("valid");
        for (p, w) in profile.iter().zip(&plain) {
            prop_assert!((p.rotations - c.orig_len as f64 * w / std::f64::consts::TAU).abs() <= 1e-9 * p.rotations);
            prop_assert!((p.wavelength * p.scaled - std::f64::consts::TAU).abs() < 1e-12);
            prop_assert!(p.ratio * p.plain == p.scaled);
        }
    }

    #[test]
    fn ntk_keeps_the_first_pair_and_divides_the_last_by_s(s in 1.0..128.0, pairs in 2usize..200, base in base()) {
        let d = 2 * pairs;
        let f = scaled(&RopeScaling::Ntk { factor: s }, d, base, None);
        prop_assert_eq!(f.ratios[0], 1.0);
        prop_assert_eq!(f.ratios[pairs - 1], 1.0 / s);
        let larger = plain_frequencies(d, ntk_base(d, base, s).expect("valid"));
        for (i, (w, by_base)) in f.inv_freq.iter().zip(&larger).enumerate() {
            let ratio = s.powf(-2.0 * i as f64 / (d as f64 - 2.0));
            prop_assert!((f.ratios[i] - ratio).abs() <= 1e-13 * ratio);
            prop_assert!((w - by_base).abs() <= 1e-12 * w, "pair {}: {} {}", i, w, by_base);
        }
    }

    #[test]
    fn linear_divides_every_pair_by_s(s in 1.0..128.0, pairs in 1usize..80, base in base()) {
        let f = scaled(&RopeScaling::Linear { factor: s }, 2 * pairs, base, None);
        prop_assert!(f.ratios.iter().all(|r| *r == 1.0 / s));
    }

    /// A factor of 1 changes nothing, whatever the remedy.
    #[test]
    fn a_factor_of_1_is_no_scaling(c in context(), pairs in 2usize..40, base in large_base()) {
        let c = LongContext { factor: 1.0, ..c };
        if c.remedy != Remedy::Dynamic {
            let f = scaled(&c.scaling(pairs), 2 * pairs, base, Some(c.target_len));
            prop_assert_eq!(f.ratios, vec![1.0; pairs]);
            prop_assert_eq!(f.attention_factor, 1.0);
        }
    }

    #[test]
    fn dynamic_is_none_up_to_the_original_length(
        factor in 1.0..128.0, orig_len in 1usize..1 << 20, less in 0usize..1 << 20,
        pairs in 2usize..40, base in base(),
    ) {
        let dynamic = RopeScaling::Dynamic { factor, orig_len };
        let d = 2 * pairs;
        let none = scaled(&RopeScaling::None, d, base, None);
        for len in [None, Some(orig_len), Some(orig_len.saturating_sub(less))] {
            prop_assert_eq!(&scaled(&dynamic, d, base, len), &none);
        }
        let longer = scaled(&dynamic, d, base, Some(orig_len + 1 + less));
        prop_assert!(longer.ratios[pairs - 1] < 1.0);
        let s = factor * (orig_len + 1 + less) as f64 / orig_len as f64 - (factor - 1.0);
        prop_assert!((longer.ratios[pairs - 1] * s - 1.0).abs() < 1e-9);
    }

    /// The cache holds what some length gives, and after a call beyond the original length what
    /// the longest call since the last reset gives.
    #[test]
    fn the_cache_holds_the_longest_call_since_it_was_reset(
        lengths in proptest::collection::vec(1usize..40, 1..12),
    ) {
        let scaling = RopeScaling::Dynamic { factor: 2.0, orig_len: 16 };
        let mut cache = RopeCache::new(8, 100.0, Pairing::Half, scaling.clone()).expect("valid");
        let mut longest = 16;
        for len in lengths {
            longest = if len < 16 { 16 } else { longest.max(len) };
            let wanted = scaled(&scaling, 8, 100.0, Some(longest)).inv_freq;
            prop_assert_eq!(cache.forward(len).expect("valid").inv_freq(), &wanted[..]);
        }
    }

    /// Nothing panics, and what is given is finite.
    #[test]
    fn scaling_of_anything_is_numbers_or_an_error(
        x in proptest::collection::vec(prop_oneof![
            Just(f64::NAN), Just(f64::INFINITY), Just(0.0), Just(-1.0), Just(1.0), Just(1e308),
            Just(5e-324), 0.5..200.0,
        ], 8),
        n in proptest::collection::vec(prop_oneof![Just(0usize), Just(1), Just(2), 0usize..100, Just(usize::MAX)], 2),
        d in 0usize..12, kind in 0usize..4,
    ) {
        let attention = [
            YarnAttention::Default,
            YarnAttention::Explicit(x[4]),
            YarnAttention::Mscale { mscale: x[4], mscale_all_dim: x[5] },
            YarnAttention::Default,
        ][kind];
        let ramp = [YarnRamp::Index { truncate: true }, YarnRamp::Index { truncate: false }, YarnRamp::Rotations][kind % 3];
        let (factor, orig_len) = (x[0], n[0]);
        for scaling in [
            RopeScaling::None,
            RopeScaling::Linear { factor },
            RopeScaling::Ntk { factor },
            RopeScaling::Dynamic { factor, orig_len },
            RopeScaling::Yarn(Yarn { factor, orig_len, beta_fast: x[2], beta_slow: x[3], ramp, attention }),
            RopeScaling::Llama3 { factor, low_freq_factor: x[2], high_freq_factor: x[3], orig_len },
            RopeScaling::LongRope(LongRope {
                short_factor: vec![x[2]; d / 2],
                long_factor: vec![x[3]; 3],
                factor,
                orig_len,
                attention_factor: Some(x[4]).filter(|_| kind > 1),
            }),
            RopeScaling::Proportional { part: x[6], factor },
        ] {
            for seq_len in [None, Some(n[1])] {
                if let Ok(f) = scaling.at(d, x[1], seq_len) {
                    prop_assert!(f.attention_factor.is_finite() && f.attention_factor > 0.0);
                    prop_assert_eq!(f.inv_freq.len(), d / 2);
                    prop_assert!(f.inv_freq.iter().all(|w| w.is_finite() && *w >= 0.0));
                }
                let _ = scaling.ramp(d, x[1]);
            }
        }
    }
}

/// Both ramps of YaRN at the lesson's example, d = 128, L = 4096, s = 16: pair 38 is divided by
/// 2.85 over pair indices and by 8.67 over turns.
#[test]
fn the_two_ramps_of_yarn_differ() {
    let divided = |ramp| {
        let yarn = Yarn {
            ramp,
            ..Yarn::new(16.0, 4096)
        };
        1.0 / scaled(&RopeScaling::Yarn(yarn), 128, 10000.0, None).ratios[38]
    };
    let index = divided(YarnRamp::Index { truncate: true });
    let turns = divided(YarnRamp::Rotations);
    assert!((index - 2.85).abs() < 0.005, "{index}");
    assert!((turns - 8.67).abs() < 0.005, "{turns}");
    let ramp = RopeScaling::Yarn(Yarn::new(16.0, 4096)).ramp(128, 10000.0);
    let ramp = ramp.expect("valid").expect("yarn has a ramp");
    assert_eq!((ramp.low, ramp.high), (20.0, 46.0));
    assert_eq!((ramp.interpolated[20], ramp.interpolated[46]), (0.0, 1.0));
}

/// Each wrong parameter is refused in words that name it.
#[test]
fn wrong_scaling_parameters_are_named() {
    let yarn = Yarn::new(4.0, 2048);
    let llama3 = |low, high| RopeScaling::Llama3 {
        factor: 8.0,
        low_freq_factor: low,
        high_freq_factor: high,
        orig_len: 8192,
    };
    let long = LongRope {
        short_factor: vec![1.0; 4],
        long_factor: vec![1.0; 4],
        factor: 4.0,
        orig_len: 16,
        attention_factor: None,
    };
    let cases = [
        (
            RopeScaling::Linear { factor: 0.0 },
            "factor must be finite and at least 1, got 0",
        ),
        (
            RopeScaling::Linear { factor: 0.5 },
            "factor must be finite and at least 1, got 0.5",
        ),
        (
            RopeScaling::Ntk { factor: f64::NAN },
            "factor must be finite and at least 1, got NaN",
        ),
        (
            RopeScaling::Dynamic {
                factor: 2.0,
                orig_len: 0,
            },
            "orig_len must be finite and at least 1, got 0",
        ),
        (
            RopeScaling::Yarn(Yarn {
                beta_fast: 1.0,
                beta_slow: 32.0,
                ..yarn
            }),
            "beta_slow = 32 must not exceed beta_fast = 1",
        ),
        (
            RopeScaling::Yarn(Yarn {
                beta_fast: 1.0,
                beta_slow: 1.0,
                ramp: YarnRamp::Rotations,
                ..yarn
            }),
            "beta_slow = 1 must be below beta_fast = 1",
        ),
        (
            RopeScaling::Yarn(Yarn {
                attention: YarnAttention::Explicit(0.0),
                ..yarn
            }),
            "attention_factor must be finite and above 0, got 0",
        ),
        (
            llama3(4.0, 1.0),
            "low_freq_factor = 4 must be below high_freq_factor = 1",
        ),
        (
            llama3(0.0, 1.0),
            "low_freq_factor must be finite and above 0, got 0",
        ),
        (
            RopeScaling::LongRope(LongRope {
                short_factor: vec![1.0; 3],
                ..long.clone()
            }),
            "short_factor has size 3, expected 4",
        ),
        (
            RopeScaling::LongRope(LongRope {
                long_factor: vec![1.0, 0.0, 1.0, 1.0],
                ..long.clone()
            }),
            "long_factor must be finite and above 0, got 0",
        ),
        (
            RopeScaling::LongRope(LongRope {
                orig_len: 1,
                ..long
            }),
            "orig_len must be finite and at least 2, got 1",
        ),
    ];
    for (scaling, said) in cases {
        let error = scaling.at(8, 10000.0, Some(32)).expect_err(said);
        assert_eq!(error.to_string(), said);
    }
    let ntk = RopeScaling::Ntk { factor: 1.0 }.at(2, 10000.0, None);
    let said = "rotary_dim must be more than 2 for NTK-aware scaling, got 2";
    assert_eq!(ntk.expect_err(said).to_string(), said);

    let of = |rope_type: &str| RopeParameters {
        rope_type: Some(rope_type.to_owned()),
        factor: Some(4.0),
        ..RopeParameters::default()
    };
    let missing = |rope_type, said: &str| {
        let error = of(rope_type).scaling().expect_err(said);
        assert_eq!(error.to_string(), said);
    };
    missing("yarn", "yarn needs original_max_position_embeddings");
    missing("llama3", "llama3 needs low_freq_factor");
    missing("dynamic", "dynamic needs max_position_embeddings");
    missing("longrope", "longrope needs short_factor");
    missing("su", "unknown rope_type \"su\"");
    let no_factor = RopeParameters {
        factor: None,
        ..of("linear")
    };
    let said = no_factor.scaling().expect_err("no factor").to_string();
    assert_eq!(said, "linear needs factor");
    // Without a factor yarn stretches to the maximum; 0 as a β or an mscale is absent.
    let by_length = RopeParameters {
        factor: None,
        orig_len: Some(2048),
        max_len: Some(16384),
        beta_fast: Some(0.0),
        mscale: Some(0.0),
        mscale_all_dim: Some(1.0),
        ..of("yarn")
    };
    assert_eq!(
        by_length.scaling(),
        Ok(RopeScaling::Yarn(Yarn::new(8.0, 2048)))
    );
}

#[test]
fn the_toy_list_is_smooth_from_1_to_the_factor() {
    let list = toy_long_factor(32, 8.0);
    assert_eq!((list[0], list[31]), (1.0, 8.0));
    assert!(list.windows(2).all(|w| w[0] < w[1]));
    assert_eq!(
        (toy_long_factor(0, 8.0), toy_long_factor(1, 8.0)),
        (vec![], vec![8.0])
    );
}

// Positions on a grid.

fn grid() -> impl Strategy<Value = Grid> {
    (1usize..8, 1usize..8).prop_map(|(rows, columns)| Grid::of(rows, columns))
}

fn blocks() -> impl Strategy<Value = Blocks> {
    Just(["sin_h", "cos_h", "sin_w", "cos_w"])
        .prop_shuffle()
        .prop_map(|names| Blocks::by_names(&names).expect("the four blocks"))
}

fn variant() -> impl Strategy<Value = Variant> {
    prop_oneof![
        Just(Variant::Qwen2Vl),
        Just(Variant::Pixtral),
        Just(Variant::Dinov3),
        Just(Variant::Timm)
    ]
}

fn interpolation() -> impl Strategy<Value = Interpolation> {
    prop_oneof![Just(Interpolation::Bilinear), Just(Interpolation::Bicubic)]
}

/// A place on a grid, fractions too.
fn place() -> impl Strategy<Value = (f64, f64)> {
    (-60.0..60.0, -60.0..60.0)
}

proptest! {
    #![proptest_config(cases())]

    #[test]
    fn a_grid_similarity_is_a_symmetric_function_of_both_differences(
        quarter in 1usize..9, base in base(), blocks in blocks(), a in place(), b in place(), by in place(),
    ) {
        let pe = Sincos2d::new(4 * quarter, base, blocks).expect("valid");
        let moved = |(r, c): (f64, f64)| (r + by.0, c + by.1);
        let mirrored = (b.0, 2.0 * a.1 - b.1);
        let m = pe.at(&[a, b, moved(a), moved(b), mirrored]);
        let product = |i: usize, j: usize| m.row(i).dot(&m.row(j)) / (2 * quarter) as f64;
        prop_assert!((product(0, 1) - product(2, 3)).abs() < 1e-12);
        prop_assert!((product(0, 1) - product(0, 4)).abs() < 1e-12);
        prop_assert!((product(0, 0) - 1.0).abs() < 1e-12);
        // The mean of what each axis says alone.
        let alone = |d: f64| similarity_by_distance(pe.frequencies(), std::iter::once(d))[0];
        let mean = (alone(a.0 - b.0) + alone(a.1 - b.1)) / 2.0;
        prop_assert!((product(0, 1) - mean).abs() < 1e-12);
    }

    #[test]
    fn blocks_and_token_orders_only_permute(quarter in 1usize..5, g in grid(), base in base(), blocks in blocks()) {
        let d = 4 * quarter;
        let other = Sincos2d::new(d, base, blocks).expect("valid");
        let mae = Sincos2d::new(d, base, Blocks::MAE).expect("valid");
        let by_rows = mae.table(g, TokenOrder::RowMajor);
        let sorted = |m: &Matrix, row: usize| {
            let mut all: Vec<f64> = m.row(row).iter().copied().collect();
            all.sort_by(f64::total_cmp);
            all
        };
        let table = other.table(g, TokenOrder::ColumnMajor);
        for (token, (row, column)) in g.places(TokenOrder::ColumnMajor).into_iter().enumerate() {
            prop_assert_eq!(sorted(&table, token), sorted(&by_rows, row * g.columns() + column));
        }
        // MAE gives its first half, which it calls h, the column.
        for token in 0..g.cells() {
            let (row, column) = g.place(token);
            prop_assert!((by_rows[(token, 0)] - (column as f64).sin()).abs() < 1e-15);
            prop_assert!((by_rows[(token, 2 * quarter)] - (row as f64).sin()).abs() < 1e-15);
        }
    }

    #[test]
    fn interleaved_pairs_are_two_encodings_side_by_side(quarter in 1usize..6, g in grid(), base in base()) {
        let half = 2 * quarter;
        let pe = Sinusoidal::new(half, base, Layout::Interleaved).expect("valid");
        let table = interleaved_pairs(g, 2 * half, base).expect("valid");
        // DETR's is the same, counted from 1.
        let detr = DetrSine { features: half, base, normalize: None, eps: 1e-6 }.table(g).expect("valid");
        for token in 0..g.cells() {
            let (row, column) = g.place(token);
            for c in 0..half {
                for (table, from) in [(&table, 0.0), (&detr, 1.0)] {
                    let (of_row, of_column) = (row as f64 + from, column as f64 + from);
                    prop_assert!((table[(token, c)] - pe.value(of_row, c)).abs() < 1e-14);
                    prop_assert!((table[(token, half + c)] - pe.value(of_column, c)).abs() < 1e-14);
                }
            }
        }
    }

    #[test]
    fn an_axial_score_depends_on_both_differences_alone(
        v in variant(), quarter in 1usize..5, base in base(), a in place(), b in place(), by in place(), seed: u32,
    ) {
        let d = 4 * quarter;
        let rope = AxialRope::new(v, d, base).expect("valid");
        let x = random_vectors(seed, "x", 2, d);
        let moved = |(r, c): (f64, f64)| (r + by.0, c + by.1);
        let here = rope.apply(&x, &[a, b]).expect("turned");
        let there = rope.apply(&x, &[moved(a), moved(b)]).expect("turned");
        let score = |m: &Matrix| m.row(0).dot(&m.row(1));
        prop_assert!((score(&here) - score(&there)).abs() < 1e-9);
        prop_assert!((here.row(0).norm() - x.row(0).norm()).abs() < 1e-12);
        let origin = rope.apply(&x, &[(0.0, 0.0); 2]).expect("turned");
        prop_assert_eq!(origin, x);
    }

    #[test]
    fn along_one_axis_axial_rope_is_rope_of_half_the_head(quarter in 1usize..6, base in base(), at in -60.0..60.0f64) {
        let plain = Rope::new(2 * quarter, base, Pairing::Half).expect("valid");
        let (cos, sin) = plain.cos_sin(&[at]);
        for v in [Variant::Qwen2Vl, Variant::Timm] {
            let rope = AxialRope::new(v, 4 * quarter, base).expect("valid");
            for (place, shift) in [((at, 0.0), 0), ((0.0, at), quarter)] {
                let (c, s) = rope.cos_sin(&[place]);
                for i in 0..quarter {
                    prop_assert!((c[(0, i + shift)] - cos[(0, i)]).abs() < 1e-13);
                    prop_assert!((s[(0, i + shift)] - sin[(0, i)]).abs() < 1e-13);
                    prop_assert_eq!(c[(0, i + quarter - shift)], 1.0);
                }
            }
        }
        // Pixtral deals out the frequencies of the whole head.
        let whole = Rope::new(4 * quarter, base, Pairing::Half).expect("valid");
        let pixtral = AxialRope::new(Variant::Pixtral, 4 * quarter, base).expect("valid");
        let mut dealt = pixtral.frequencies().to_vec();
        dealt.sort_by(|a, b| b.total_cmp(a));
        for (a, b) in dealt.iter().zip(whole.inv_freq()) {
            prop_assert!((a - b).abs() < 1e-15);
        }
    }

    #[test]
    fn merged_blocks_stand_together(rows in 1usize..5, columns in 1usize..5, merge in 1usize..4) {
        let g = Grid::of(rows * merge, columns * merge);
        let places = g.merge_order(merge).expect("it divides");
        let mut seen = places.clone();
        seen.sort_unstable();
        prop_assert_eq!(seen, g.places(TokenOrder::RowMajor));
        for block in places.chunks(merge * merge) {
            let (row, column) = block[0];
            prop_assert!(block.iter().all(|p| p.0 / merge == row / merge && p.1 / merge == column / merge));
        }
        let odd = Grid::of(rows * merge + 1, columns * merge);
        prop_assert_eq!(odd.merge_order(merge).is_ok(), merge == 1);
        prop_assert!(g.merge_order(0).is_err());
    }

    #[test]
    fn a_window_uses_every_row_of_its_table(g in grid()) {
        let rows = window::table_rows(g);
        prop_assert_eq!(rows, (2 * g.rows() - 1) * (2 * g.columns() - 1));
        let mut hits = vec![0; rows];
        for i in 0..g.cells() {
            for j in 0..g.cells() {
                let index = window::swin_index(g, i, j);
                hits[index] += 1;
                prop_assert_eq!(window::difference_of(g, index), window::difference(g, i, j));
                // Turned round, it is counted from the other end.
                prop_assert_eq!(window::swin_index(g, j, i), rows - 1 - index);
            }
        }
        for (index, hits) in hits.into_iter().enumerate() {
            let (down, across) = window::difference_of(g, index);
            let pairs = (g.rows() - down.unsigned_abs() as usize) * (g.columns() - across.unsigned_abs() as usize);
            prop_assert_eq!(hits, pairs);
        }
        // BEiT's class token has rows of its own.
        for i in 0..=g.cells() {
            for j in 0..=g.cells() {
                prop_assert_eq!(window::beit_index(g, i, j) >= rows, i == 0 || j == 0);
                prop_assert!(window::beit_index(g, i, j) < window::beit_table_rows(g));
            }
        }
    }

    #[test]
    fn a_larger_window_keeps_the_biases_of_a_smaller_one(g in grid(), s in setting(), more in 1usize..4) {
        let s = Setting { bias_edits: Vec::new(), ..s };
        let larger = Grid::of(g.rows() + more, g.columns());
        let (small, large) = (bias_table(&s, g), bias_table(&s, larger));
        for index in 0..window::table_rows(g) {
            let same = window::index_of(larger, window::difference_of(g, index));
            for head in 0..s.heads {
                prop_assert_eq!(small.get(head, index), large.get(head, same));
            }
        }
    }

    #[test]
    fn log_coordinates_are_odd_and_grow(g in grid()) {
        let [down, across] = window::swinv2_log_coords(g, g).expect("valid");
        let n = down.len();
        for m in [&down, &across] {
            let row_major = row_major(m);
            for k in 0..n {
                prop_assert_eq!(row_major[k], -row_major[n - 1 - k]);
            }
        }
        if g.rows() > 1 {
            prop_assert!((down[(2 * g.rows() - 2, 0)] - 9f64.log2() / 3.0).abs() < 1e-15);
        }
        prop_assert!((1..2 * g.rows() - 1).all(|r| down[(r, 0)] > down[(r - 1, 0)]));
        prop_assert!((1..2 * g.columns() - 1).all(|c| across[(0, c)] > across[(0, c - 1)]));
    }

    #[test]
    fn resampling_to_the_same_size_changes_nothing(
        g in grid(), how in interpolation(), antialias: bool, d in 1usize..4, seed: u32,
    ) {
        let table = random_vectors(seed, "table", g.cells(), d);
        let same = resample(&table, g, g, how, antialias).expect("resampled");
        prop_assert!((same - table).amax() < 1e-14);
    }

    #[test]
    fn resampling_keeps_constants_and_mirrors_and_lines_within(
        from in 1usize..12, to in 1usize..12, how in interpolation(), antialias: bool,
    ) {
        let w = axis_weights(from, to, how, antialias).expect("valid");
        for i in 0..to {
            prop_assert!((w.row(i).sum() - 1.0).abs() < 1e-14);
            for j in 0..from {
                prop_assert!((w[(i, j)] - w[(to - 1 - i, from - 1 - j)]).abs() < 1e-13);
            }
            // Away from the edges a straight line stays one: between two cells, and under Keys'
            // cubic with a = −½, which antialiasing has; with −¾ it does not.
            let centre = (i as f64 + 0.5) * from as f64 / to as f64 - 0.5;
            let reach = 2.0 * (from as f64 / to as f64).max(1.0);
            let straight = if antialias { from <= to } else { how == Interpolation::Bilinear };
            if straight && centre >= reach && centre <= from as f64 - 1.0 - reach {
                let at: f64 = (0..from).map(|j| w[(i, j)] * j as f64).sum();
                prop_assert!((at - centre).abs() < 1e-12, "{} {}", at, centre);
            }
        }
    }

    #[test]
    fn resampling_treats_both_axes_alike(a in grid(), b in grid(), how in interpolation(), antialias: bool, seed: u32) {
        let table = random_vectors(seed, "table", a.cells(), 2);
        let turned = |g: Grid| Grid::of(g.columns(), g.rows());
        let transposed = |m: &Matrix, g: Grid| {
            Matrix::from_fn(g.cells(), m.ncols(), |t, c| m[(t % g.rows() * g.columns() + t / g.rows(), c)])
        };
        let straight = resample(&table, a, b, how, antialias).expect("resampled");
        let round = resample(&transposed(&table, a), turned(a), turned(b), how, antialias).expect("resampled");
        prop_assert!((transposed(&straight, b) - round).amax() < 1e-12);
    }

    #[test]
    fn signed_buckets_are_odd_and_never_fall(size in 2usize..70, more in 2usize..300, d in 0i64..2000) {
        let buckets = DebertaBuckets::new(size, size / 2 + more).expect("valid");
        prop_assert_eq!(buckets.bucket(-d), -buckets.bucket(d));
        prop_assert!(buckets.bucket(d + 1) >= buckets.bucket(d));
        if d as usize <= size / 2 {
            prop_assert_eq!(buckets.bucket(d), d);
        }
        let far = (size / 2 + more - 1) as i64;
        prop_assert_eq!(buckets.bucket(far), (2 * (size / 2) - 1) as i64);
    }
}

#[test]
fn what_does_not_fit_a_grid_is_an_error_that_names_it() {
    let said = |e: posenc_lab::core::CoreError| e.to_string();
    for d in [0, 1, 2, 6, 10] {
        for text in [
            Sincos2d::new(d, 10000.0, Blocks::MAE).map(|_| ()),
            interleaved_pairs(Grid::of(2, 2), d, 10000.0).map(|_| ()),
        ] {
            let text = said(text.expect_err("not divisible by 4"));
            assert_eq!(text, format!("d_model must be divisible by 4, got {d}"));
        }
        let text = said(AxialRope::new(Variant::Pixtral, d, 10000.0).expect_err("no"));
        assert_eq!(text, format!("head_dim must be divisible by 4, got {d}"));
    }
    assert!(interleaved_pairs_of_any_width(Grid::of(2, 2), 0, 10000.0).is_err());
    for base in [0.5, f64::NAN, f64::INFINITY] {
        assert!(Sincos2d::new(8, base, Blocks::MAE).is_err());
        assert!(AxialRope::new(Variant::Timm, 8, base).is_err());
    }
    for (rows, columns) in [(0, 3), (3, 0), (usize::MAX, 2)] {
        assert!(Grid::new(rows, columns).is_err());
    }
    for (features, scale, eps) in [
        (3, None, 1e-6),
        (0, None, 1e-6),
        (4, Some(f64::NAN), 1e-6),
        (4, None, -2.0),
    ] {
        let detr = DetrSine {
            features,
            base: 100.0,
            normalize: scale,
            eps,
        };
        assert!(detr.table(Grid::of(2, 2)).is_err());
    }
    assert!(Blocks::by_names(&["sin_h", "cos_h", "sin_w"]).is_err());
    assert!(Blocks::by_names(&["sin_h", "cos_h", "sin_w", "sin_w"]).is_err());
    assert!(Blocks::by_names(&["sin_h", "cos_h", "sin_w", "cos_x"]).is_err());
    let table = Matrix::zeros(5, 2);
    let (a, b) = (Grid::of(2, 3), Grid::of(4, 4));
    assert!(resample(&table, a, b, Interpolation::Bicubic, false).is_err());
    assert!(axis_weights(0, 3, Interpolation::Bilinear, false).is_err());
    assert!(window::swinv2_log_coords(b, Grid::of(4, 1)).is_err());
    assert!(DebertaBuckets::new(1, 100).is_err());
    assert!(DebertaBuckets::new(32, 17).is_err());
    assert!(DebertaBuckets::new(32, 18).is_ok());
}

/// DINOv2's resize by a factor lost a row: 61/14·14 floors to 60. Sizes are given, so none is lost.
#[test]
fn a_resampled_grid_has_the_size_that_was_asked_for() {
    let table = Matrix::from_element(196, 1, 2.5);
    for side in [1, 7, 20, 61] {
        let (from, to) = (Grid::of(14, 14), Grid::of(side, 61));
        let new = resample(&table, from, to, Interpolation::Bicubic, true).expect("resampled");
        assert_eq!(new.nrows(), side * 61);
        assert!(new.iter().all(|x| (x - 2.5).abs() < 1e-12));
    }
}

// Numbers as texts.

fn numeral() -> impl Strategy<Value = String> {
    prop_oneof![
        any::<u64>().prop_map(|bits| f64::from_bits(bits).to_string()),
        any::<u64>().prop_map(|bits| format!("{:e}", f64::from_bits(bits))),
        // Half way between two neighbours, written out, and a little beside it.
        (any::<u64>(), "(0*1)?").prop_map(|(bits, more)| {
            let x = f64::from_bits(bits >> 12 | 1 << 60);
            format!("{:.70}5{more}", x)
        }),
        (1u64 << 53..1 << 63).prop_map(|n| (n | 1).to_string()),
        "[-+]?[0-9]{0,30}\\.?[0-9]{0,30}([eE][-+]?[0-9]{0,4})?",
        "[-+]?0{0,400}[0-9]{0,20}\\.0{0,400}[0-9]{0,900}(e[-+]?[0-9]{1,12})?",
        "[-+]?(inf|infinity|nan|INF|Infinity|NaN|infi|)",
        "[-+.eE0-9 _xnaif]{0,8}",
        any::<String>(),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn a_number_is_read_as_the_standard_library_reads_it(text in numeral()) {
        let bits = |x: f64| if x.is_nan() { u64::MAX } else { x.to_bits() };
        prop_assert_eq!(real(&text).map(bits), text.parse().ok().map(bits));
    }
}

#[test]
fn numbers_at_the_edges_are_read_as_the_standard_library_reads_them() {
    for text in [
        "",
        ".",
        "-",
        "+",
        "-.",
        "e5",
        ".e5",
        "1e",
        "1e+",
        "1e-",
        "+-1",
        "5.",
        ".5",
        "-.5e+1",
        "-0",
        "0e99999999999",
        "0.0e-99999999999",
        "1e99999999999",
        "1e-99999999999",
        "2147483647e2147483647",
        "1e2147483648",
        "0.1e-2147483648",
        "1_0",
        "0x1",
        "1 ",
        "１",
        // The largest and the smallest, what rounds to them and what does not, and halves.
        "1.7976931348623157e308",
        "1.7976931348623158e308",
        "1.7976931348623159e308",
        "4.9406564584124654e-324",
        "2.4703282292062327e-324",
        "2.4703282292062328e-324",
        "2.2250738585072011e-308",
        "2.2250738585072014e-308",
        "9007199254740993",
        "9007199254740993.00000000000000000000000000000000000000001",
        "9007199254740991.5",
        "1.00000000000000011102230246251565404236316680908203125",
        "1.00000000000000011102230246251565404236316680908203124",
        "1.00000000000000011102230246251565404236316680908203126",
    ] {
        let bits = |x: f64| x.to_bits();
        assert_eq!(real(text).map(bits), text.parse().ok().map(bits), "{text}");
    }
    let long = format!("0.{}1e1000", "0".repeat(999));
    assert_eq!(real(&long), Some(1.0));
    assert_eq!(real(&format!("1{}e-1000", "0".repeat(1000))), Some(1.0));
}
