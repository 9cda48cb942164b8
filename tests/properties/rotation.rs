//! RoPE, plain and scaled.

use posenc_lab::core::Matrix;
use posenc_lab::core::encoding::Rotation;
use posenc_lab::core::encoding::rope::{Pairing, Rope, half_from_interleaved};
use posenc_lab::core::encoding::sinusoidal::positions;
use posenc_lab::core::toy::random_vectors;
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;

use crate::draw::{base, cases, position, rope};

/// What is rotated times the attention factor; the rest as it is.
fn stretched(rope: &Rope, x: &Matrix) -> Matrix {
    let factor = |c| {
        if c < rope.rotary_dim() {
            rope.attention_factor()
        } else {
            1.0
        }
    };
    Matrix::from_fn(x.nrows(), x.ncols(), |r, c| factor(c) * x[(r, c)])
}

/// What rounding errors grow with: the factor enters a score twice.
fn size(rope: &Rope) -> f64 {
    rope.attention_factor().powi(2).max(1.0)
}

/// The properties below are of scaled rotations too, with factors that are not 1.
#[test]
fn the_rotations_tried_are_of_every_remedy() {
    let mut runner = TestRunner::deterministic();
    let (mut factors, mut whole, mut parts) = (Vec::new(), 0, 0);
    for _ in 0..200 {
        let rope = rope().new_tree(&mut runner).expect("a rotation").current();
        factors.push(rope.attention_factor());
        *if rope.rotary_dim() == rope.head_dim() {
            &mut whole
        } else {
            &mut parts
        } += 1;
    }
    let scaled = factors.iter().filter(|f| (**f - 1.0).abs() > 0.01).count();
    assert!(
        scaled > 20 && scaled < 180 && whole > 20 && parts > 20,
        "{scaled} {whole} {parts}"
    );
}

proptest! {
    #![proptest_config(cases())]

    #[test]
    fn rotations_compose_and_undo(rope in rope(), m in position(), n in position(), seed: u32) {
        let x = random_vectors(seed, "x", 1, rope.head_dim());
        let turn = |x: &Matrix, p: f64| rope.apply(x, &[p]).expect("shapes fit");
        // The attention factor comes with each rotation, on what is rotated.
        prop_assert!((turn(&turn(&x, m), n) - stretched(&rope, &turn(&x, m + n))).amax() < 1e-10 * size(&rope));
        let back = rope.inverse(&turn(&x, m), &[m]).expect("shapes fit");
        prop_assert!((back - &x).amax() < 1e-12);
        prop_assert_eq!(turn(&x, 0.0), stretched(&rope, &x));
    }

    #[test]
    fn rotation_keeps_the_norm_of_every_pair(rope in rope(), p in position(), seed: u32) {
        let x = random_vectors(seed, "x", 1, rope.head_dim());
        let y = rope.apply(&x, &[p]).expect("shapes fit");
        let wanted = stretched(&rope, &x);
        prop_assert!((y.norm() - wanted.norm()).abs() < 1e-12 * size(&rope));
        for i in 0..rope.inv_freq().len() {
            let (a, b) = rope.pairing().columns(i, rope.rotary_dim());
            let norm = |m: &Matrix| m[a].hypot(m[b]);
            prop_assert!((norm(&wanted) - norm(&y)).abs() < 2e-13 * norm(&x).max(1.0) * size(&rope));
        }
        for c in rope.rotary_dim()..rope.head_dim() {
            prop_assert_eq!(x[c], y[c]);
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
        prop_assert!((score(m, n) - score(m + shift, n + shift)).abs() < 1e-9 * size(&rope));
        let by_distance = Rotation::from(rope.clone()).scores(q.as_slice(), k.as_slice(), &[m - n]);
        prop_assert!((score(m, n) - by_distance[0]).abs() < 1e-9 * size(&rope));
    }

    #[test]
    fn scores_by_distance_agree_at_every_distance(rope in rope(), n in 1usize..150, seed: u32) {
        let q = random_vectors(seed, "q", 1, rope.head_dim());
        let k = random_vectors(seed, "k", 1, rope.head_dim());
        let at = positions(0..n);
        let by_distance = Rotation::from(rope.clone()).scores(q.as_slice(), k.as_slice(), &at);
        let many = Matrix::from_fn(n, rope.head_dim(), |_, j| q[j]);
        let turned = rope.apply(&many, &at).expect("shapes fit");
        let k = rope.apply(&k, &[0.0]).expect("shapes fit");
        for (row, score) in turned.row_iter().zip(by_distance) {
            prop_assert!((row.dot(&k) - score).abs() < 1e-11 * size(&rope));
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
}
