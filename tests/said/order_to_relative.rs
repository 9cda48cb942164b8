//! The pages without rotation.

use posenc_lab::core::analysis::{rotations, similarity_by_distance, wavelength};
use posenc_lab::core::encoding::alibi;
use posenc_lab::core::encoding::relative::relative_index;
use posenc_lab::core::encoding::rope_scaling::plain_frequencies;
use posenc_lab::core::encoding::sinusoidal::{Layout, Sinusoidal};
use posenc_lab::core::encoding::t5::T5Buckets;
use posenc_lab::core::tokens::{TokenKind, tokenize};

use super::{captions, said, said_in};

#[test]
fn numbers_of_absolute() {
    let last = |d: usize, base: f64| *plain_frequencies(d, base).last().expect("a pair");
    let turns = |base: f64| rotations(last(64, base), 2048.0);
    let enough = (100..10_000).map(f64::from).find(|base| turns(*base) < 1.0);
    let t2t = Sinusoidal::new(8, 10_000.0, Layout::T2t).expect("valid");
    let paper = Sinusoidal::new(8, 10_000.0, Layout::Interleaved).expect("valid");
    let pairs = Sinusoidal::new(64, 10_000.0, Layout::Interleaved).expect("valid");
    let row = pairs.matrix(&[1234.0]);
    let similar = |k| similarity_by_distance(pairs.frequencies(), std::iter::once(k))[0];
    said(
        "absolute",
        &[
            ("57.3", 0.1, 1f64.to_degrees()),
            ("0.057", 0.001, 0.001f64.to_degrees()),
            ("60600", 100.0, wavelength(last(512, 10_000.0))),
            ("0.71", 0.01, row.norm() / 8.0),
            ("0.7345", 1e-4, similar(5.0)),
            ("0.7362", 1e-4, similar(6.0)),
            ("1", 1e-9, paper.frequencies()[0]),
            ("0.1", 1e-9, paper.frequencies()[1]),
            ("0.01", 1e-9, paper.frequencies()[2]),
            ("0.001", 1e-9, paper.frequencies()[3]),
            ("0.0464", 1e-4, t2t.frequencies()[1]),
            ("0.0022", 1e-4, t2t.frequencies()[2]),
            ("0.0001", 1e-4, t2t.frequencies()[3]),
            ("393", 1.0, enough.expect("a base")),
            ("0.04", 0.01, turns(10_000.0)),
        ],
    );
    assert!((3.5..4.0).contains(&turns(100.0)), "nearly 4 turns");
    // The last wavelength is 2π · base in t2t spacing, and below it in the paper's.
    let limit = wavelength(1.0 / 10_000.0);
    assert!((wavelength(t2t.frequencies()[3]) / limit - 1.0).abs() < 1e-12);
    assert!(wavelength(last(64, 1e4)) < wavelength(last(512, 1e4)));
    assert!(wavelength(last(512, 1e4)) < limit);
    let near = pairs.matrix(&[5.0, 6.0, 5000.0, 5001.0]);
    let product = |a: usize, b: usize| near.row(a).dot(&near.row(b));
    assert!((product(0, 1) - product(2, 3)).abs() < 1e-9);
}

#[test]
fn numbers_of_order() {
    let count = |text: &str, kind| tokenize(text, kind).len();
    for text in ["我爱中国", "中国爱我"] {
        assert_eq!(count(text, TokenKind::Word), 3, "three tokens by word");
        assert_eq!(count(text, TokenKind::Char), 4, "four by character");
    }
}

#[test]
fn numbers_of_relative() {
    let (both, past) = (T5Buckets::standard(true), T5Buckets::standard(false));
    let shares = |d: i64| past.bucket(-d) == past.bucket(-50);
    let first = (0..128).find(|d| shares(*d)).expect("a distance");
    let last = (0..128).rfind(|d| shares(*d)).expect("a distance");
    let twelve = alibi::slopes(12);
    let eight = alibi::slopes(8);
    // The index of the notes: R positions only. Which rows of a table of 2R + 1 it reaches.
    let reach = 8;
    let mut rows: Vec<usize> = (0..reach)
        .flat_map(|i| (0..reach).map(move |j| relative_index(i, j, reach)))
        .collect();
    rows.sort_unstable();
    rows.dedup();
    assert_eq!(rows, (1..=2 * reach - 1).collect::<Vec<_>>());
    let far = relative_index(0, 99, reach)..=relative_index(99, 0, reach);
    assert_eq!(far, 0..=2 * reach, "2R + 1 rows");
    said(
        "relative",
        &[
            ("91", 1.0, both.last_bucket_start() as f64),
            ("113", 1.0, past.last_bucket_start() as f64),
            ("46", 1.0, first as f64),
            ("51", 1.0, last as f64),
            ("-0.5", 0.1, twelve[8].log2()),
            ("-1.5", 0.1, twelve[9].log2()),
            ("-2.5", 0.1, twelve[10].log2()),
            ("-3.5", 0.1, twelve[11].log2()),
            ("2", 1.0, 1.0 / eight[0]),
            ("4", 1.0, 1.0 / eight[1]),
            ("256", 1.0, 1.0 / eight[7]),
        ],
    );
    assert_eq!(twelve[..8], eight);
    // A bucket each: 0–7 on each side, or 0–15 in the past; the buckets of the two sides.
    assert!((0..8).all(|d| both.bucket(-d) == d as usize));
    assert!((1..8).all(|d| both.bucket(d) == 16 + d as usize));
    assert!((8..200).all(|d| both.bucket(-d) >= 8 && both.bucket(d) >= 24));
    let used = |d: i64| both.bucket(d);
    let before: Vec<usize> = (0..300).map(|d| used(-d)).collect();
    let after: Vec<usize> = (1..300).map(used).collect();
    assert_eq!(before.iter().max(), Some(&15));
    assert_eq!(
        (after.iter().min(), after.iter().max()),
        (Some(&17), Some(&31))
    );
    assert!((0..16).all(|d| past.bucket(-d) == d as usize));
    assert_eq!(past.bucket(-16), past.bucket(-17));
    said_in(
        "figures-relative",
        &captions("figures-relative"),
        &[("15", 1.0, 15.0), ("17", 1.0, 17.0), ("31", 1.0, 31.0)],
    );
    assert_eq!(past.bucket(-20), past.bucket(-19));
    assert_ne!(past.bucket(-20), past.bucket(-21));
    assert_ne!(past.bucket(-20), past.bucket(-18));
}
