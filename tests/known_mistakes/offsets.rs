//! Mistakes that are easy to make with Shaw's vectors, KERPLE's kernel and xPos, each beside the core.

use posenc_lab::core::Matrix;
use posenc_lab::core::encoding::relative::BiasEdit;
use posenc_lab::core::encoding::rope::Pairing;
use posenc_lab::core::encoding::{ByOffset, Scheme, Setting, shaw, xpos};
use posenc_lab::core::toy::random_vectors;
use proptest::prelude::*;

use crate::common;

fn setting() -> Setting {
    Setting {
        max_rel_dist: 3,
        ..common::setting()
    }
}

fn by_offset(id: &str, s: &Setting) -> Box<dyn ByOffset> {
    let scheme = Scheme::by_id(id).expect("listed");
    scheme.offsets(s).expect("a legal setting")
}

fn kerple(r1: f64, r2: f64) -> Box<dyn ByOffset> {
    let mut s = setting();
    s.bias_edits = [r1, r2]
        .into_iter()
        .enumerate()
        .map(|(index, value)| BiasEdit {
            head: 0,
            index,
            value,
        })
        .collect();
    by_offset("kerple", &s)
}

fn near(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-12 * b.abs().max(1.0)
}

fn row(m: &Matrix, at: usize) -> Vec<f64> {
    m.row(at).iter().copied().collect()
}

/// −r1·ln(r2·d) is infinite at distance 0; with 1 + it is 0 there.
#[test]
fn kerple_without_the_one_is_infinite_at_distance_zero() {
    assert!((-(0.5_f64 * 0.0).ln()).is_infinite());
    assert_eq!(kerple(2.0, 0.5).bias(0, 0, &[]), 0.0);
}

/// The logarithm is the natural one, and r1 stands before it, r2 within.
#[test]
fn kerple_with_another_logarithm_or_r1_and_r2_swapped() {
    // 1 + 3·1 = 4; −2 ln 4, by hand.
    let got = kerple(2.0, 3.0).bias(0, 1, &[]);
    assert!(near(got, -2.772_588_722_239_781), "{got}");
    assert!((got - -2.0 * 4.0_f64.log10()).abs() > 1.0);
    assert!((got - -2.0 * 4.0_f64.log2()).abs() > 1.0);
    assert!((got - -3.0 * 3.0_f64.ln()).abs() > 0.1);
}

/// r1 or r2 of 0 or less is no kernel: such an edit is not taken.
#[test]
fn kerple_with_a_parameter_that_is_not_positive() {
    for value in [0.0, -1.0, f64::NAN] {
        let mut s = setting();
        let plain = by_offset("kerple", &s).bias(0, 5, &[]);
        s.bias_edits = vec![BiasEdit {
            head: 0,
            index: 0,
            value,
        }];
        assert_eq!(by_offset("kerple", &s).bias(0, 5, &[]), plain, "{value}");
    }
}

/// The paper's table is by j − i, the page's by i − j: a key before the query has a row past R.
#[test]
fn shaw_with_the_sign_of_the_offset_turned() {
    let s = setting();
    let shaw = by_offset("shaw", &s);
    let table = shaw::table(&s, 1, 4);
    let query = row(&random_vectors(2, "q", 1, 4), 0);
    let product = |at: usize| {
        let vector = row(&table, at);
        query.iter().zip(&vector).map(|(a, b)| a * b).sum::<f64>() / 2.0
    };
    assert!(near(shaw.bias(1, 2, &query), product(5)));
    assert!(near(shaw.bias(1, -2, &query), product(1)));
    assert!((product(5) - product(1)).abs() > 1e-3);
}

/// The vector stands within the scaled product: it too is divided by √head_dim.
#[test]
fn shaw_added_after_the_division() {
    let s = setting();
    let query = [1.0, 0.0, 0.0, 0.0];
    let entry = shaw::table(&s, 0, 4)[(3, 0)];
    assert!(near(by_offset("shaw", &s).bias(0, 0, &query), entry / 2.0));
    assert!(entry.abs() > 1e-3);
}

/// What ζ must be: (2i/d + γ)/(1 + γ) with the width of a head, and position / 512 in the exponent.
#[test]
fn xpos_with_another_width_or_without_the_512() {
    let mut s = setting();
    s.d_model = 16;
    let zeta = xpos::zeta(8);
    for (got, want) in zeta.iter().zip([0.4, 0.65, 0.9, 1.15].map(|x| x / 1.4)) {
        assert!(near(*got, want));
    }
    let rotation = xpos::rotation(&s).expect("a legal setting");
    for (i, z) in zeta.iter().enumerate() {
        assert!(near(rotation.scale(i, 512.0), *z));
        assert!((rotation.scale(i, 1.0) - z).abs() > 0.1, "no /512");
    }
    let freq = rotation.rope().inv_freq();
    assert!(near(freq[1], 0.1), "of the head's width, not the model's");
}

/// With the same sign in q and k the product depends on m + n.
#[test]
fn xpos_with_the_same_scale_for_queries_and_keys() {
    let rotation = xpos::rotation(&setting()).expect("a legal setting");
    let (q, k) = (random_vectors(1, "q", 1, 4), random_vectors(1, "k", 1, 4));
    let right = |m: f64, n: f64| {
        let (q, k) = (rotation.queries(&q, &[m]), rotation.keys(&k, &[n]));
        q.expect("fits").row(0).dot(&k.expect("fits").row(0))
    };
    let wrong = |m: f64, n: f64| {
        let (q, k) = (rotation.queries(&q, &[m]), rotation.queries(&k, &[n]));
        q.expect("fits").row(0).dot(&k.expect("fits").row(0))
    };
    assert!(near(right(9.0, 4.0), right(509.0, 504.0)));
    assert!((wrong(9.0, 4.0) - wrong(509.0, 504.0)).abs() > 1e-3);
}

/// Keys to the right grow: without a causal mask the decay is none.
#[test]
fn xpos_taken_for_a_decay_on_both_sides() {
    let rotation = xpos::rotation(&setting()).expect("a legal setting");
    assert!(rotation.scale(0, 100.0) < 1.0);
    assert!(rotation.scale(0, -100.0) > 1.0);
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn kerple_is_zero_at_zero_symmetric_and_falls(
        r1 in 0.01..5.0_f64, r2 in 0.01..5.0_f64, d in 0_i64..5000,
    ) {
        let b = kerple(r1, r2);
        prop_assert_eq!(b.bias(0, 0, &[]), 0.0);
        prop_assert_eq!(b.bias(0, d, &[]), b.bias(0, -d, &[]));
        prop_assert!(b.bias(0, d + 1, &[]) < b.bias(0, d, &[]));
        let step = |d: i64| b.bias(0, d, &[]) - b.bias(0, d + 1, &[]);
        prop_assert!(step(d + 1) <= step(d) + 1e-12, "ever more slowly");
    }

    #[test]
    fn shaw_shares_beyond_the_clip_and_not_within(
        r in 1_usize..30, seed in 0_u32..100, more in 1_i64..1000,
    ) {
        let s = Setting { max_rel_dist: r, seed, ..setting() };
        let shaw = by_offset("shaw", &s);
        let query = row(&random_vectors(seed, "q", 1, 4), 0);
        let (r, b) = (r as i64, |d: i64| shaw.bias(1, d, &query));
        prop_assert_eq!(b(r), b(r + more));
        prop_assert_eq!(b(-r), b(-r - more));
        prop_assert!(b(r) != b(-r));
        prop_assert!(b(r) != b(r - 1));
    }

    #[test]
    fn xpos_scores_depend_on_the_offset_alone(
        m in 0..2000_i32, n in 0..2000_i32, shift in 0..2000_i32, half: bool, base in 2.0..1e6_f64,
    ) {
        let pairing = if half { Pairing::Half } else { Pairing::Interleaved };
        let rotation = xpos::rotation(&Setting { pairing, base, ..setting() }).expect("legal");
        let (q, k) = (random_vectors(1, "q", 1, 4), random_vectors(2, "k", 1, 4));
        let score = |m: i32, n: i32| {
            let q = rotation.queries(&q, &[f64::from(m)]).expect("fits");
            q.row(0).dot(&rotation.keys(&k, &[f64::from(n)]).expect("fits").row(0))
        };
        let (a, b) = (score(m, n), score(m + shift, n + shift));
        let size = rotation.scale(0, f64::from(m - n)).max(1.0);
        prop_assert!((a - b).abs() < 1e-9 * size, "{} {}", a, b);
    }
}
