//! Encodings that are added, and relative indices, tables and buckets.

use posenc_lab::core::Matrix;
use posenc_lab::core::analysis::{dot, similarity_by_distance};
use posenc_lab::core::encoding::SCHEMES;
use posenc_lab::core::encoding::kerple::LogKernel;
use posenc_lab::core::encoding::relative::{
    BiasStart, BiasTable, asymmetric_index, relative_index, shaw_index,
};
use posenc_lab::core::encoding::sinusoidal::{Layout, Sinusoidal, positions};
use posenc_lab::core::encoding::t5::T5Buckets;
use posenc_lab::core::encoding::{Prepared, Setting, alibi, learned, row_major};
use proptest::prelude::*;

use crate::draw::{any_scheme, base, cases, position, scheme, setting, sinusoidal};

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

    /// Head h of H falls with (h + 1)/H times the logarithm, so the last one with all of it.
    #[test]
    fn a_decaying_start_is_steeper_in_later_heads(s in setting(), n in 2usize..12) {
        let s = Setting { bias: BiasStart::Decay, max_rel_dist: n, ..s };
        let Ok(Prepared::ScoreBias(all)) = scheme("relative").prepare(&s, n) else {
            return Err(TestCaseError::fail("no bias"));
        };
        for (h, bias) in all.iter().enumerate() {
            for i in 0..n {
                for j in 0..n {
                    let share = (h + 1) as f64 / s.heads as f64;
                    let wanted = -share * (1.0 + i.abs_diff(j) as f64).ln();
                    prop_assert!((bias[(i, j)] - wanted).abs() < 1e-14);
                }
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
}

/// What a column is said to hold is what falls into it, for every scheme that goes by the offset.
#[test]
fn a_column_holds_the_offsets_that_look_it_up() {
    let s = Setting {
        heads: 2,
        d_model: 8,
        max_rel_dist: 5,
        ..setting_of_tests()
    };
    for scheme in SCHEMES {
        let Ok(Some(of)) = scheme.by_offset(&s) else {
            continue;
        };
        for offset in -300i64..=300 {
            let column = of.index(offset);
            let (near, far) = of.held(column).expect("a column that is used");
            assert_eq!(of.index(near), column, "{scheme:?} {offset}");
            assert!(
                near.abs() <= offset.abs(),
                "{scheme:?} {offset}: from {near}"
            );
            let within = far.is_none_or(|far| offset.abs() <= far.abs());
            assert!(within, "{scheme:?} {offset}: up to {far:?}");
        }
    }
    let kernel = LogKernel::new(&s);
    let by_offset = scheme("kerple").offsets(&s).expect("valid");
    for (head, [r1, r2]) in kernel.parameters().iter().enumerate() {
        assert_eq!(by_offset.named(head), [("r1", *r1), ("r2", *r2)]);
    }
}

fn setting_of_tests() -> Setting {
    posenc_lab::state::resolve(&posenc_lab::state::decode("").0, |_| None)
        .0
        .setting
}
