//! Positions on a grid.

use posenc_lab::core::Matrix;
use posenc_lab::core::analysis::similarity_by_distance;
use posenc_lab::core::encoding::deberta::DebertaBuckets;
use posenc_lab::core::encoding::rope::{Pairing, Rope};
use posenc_lab::core::encoding::sinusoidal::{Layout, Sinusoidal};
use posenc_lab::core::encoding::{Setting, row_major};
use posenc_lab::core::grid::axial::{AxialRope, Variant};
use posenc_lab::core::grid::resample::{Interpolation, axis_weights, resample};
use posenc_lab::core::grid::scheme::bias_table;
use posenc_lab::core::grid::sincos::{
    Blocks, DetrSine, Sincos2d, interleaved_pairs, interleaved_pairs_of_any_width,
};
use posenc_lab::core::grid::{Grid, TokenOrder, window};
use posenc_lab::core::toy::random_vectors;
use proptest::prelude::*;

use crate::draw::{base, cases, setting};

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
