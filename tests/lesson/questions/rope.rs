//! Questions of the page `rope`.

use posenc_lab::core::encoding::rope_scaling::plain_frequencies;
use posenc_lab::lesson::live::Live;

use super::{Known, mean_cosine, none};
use crate::params;

fn first_negative(head_dim: usize) -> f64 {
    let theta = plain_frequencies(head_dim, 1e4);
    let mut all = (0..5000).map(f64::from);
    all.find(|d| mean_cosine(&theta, *d) < 0.0)
        .expect("below 0")
}

pub const KNOWN: &[Known] = &[
    ("rope/base-first", &["0", "1"], none, || {
        for base in [1e4, 1e6] {
            assert_eq!(plain_frequencies(64, base)[0], 1.0);
        }
        assert!(plain_frequencies(64, 1e6)[1] < plain_frequencies(64, 1e4)[1]);
    }),
    ("rope/shift-both", &[], none, || {
        let score = |i: usize, j: usize| {
            let p = params(&format!("page=rope&seq_len=300&i={i}&j={j}"));
            Live::new(&p, None)
                .number("rope_score")
                .expect("a score")
                .number
        };
        assert!((score(20, 3) - score(120, 103)).abs() < 1e-12);
        assert!((score(20, 3) - score(20, 4)).abs() > 1e-6);
    }),
    ("rope/must-fall", &["0"], none, || {
        let theta = plain_frequencies(128, 1e4);
        let all: Vec<f64> = (0..30_000)
            .map(|d| mean_cosine(&theta, f64::from(d)))
            .collect();
        assert!(all.windows(2).any(|w| w[1] > w[0]) && all.iter().any(|c| *c < -0.05));
    }),
    ("rope/mix", &["0", "1", "2"], none, || {
        let score = |pairing: &str, i: usize, j: usize| {
            let p = params(&format!(
                "page=rope&d_model=64&heads=1&pairing={pairing}&i={i}&j={j}"
            ));
            Live::new(&p, None)
                .number("rope_score")
                .expect("a score")
                .number
        };
        assert!((score("half", 0, 0) - score("interleaved", 0, 0)).abs() < 1e-12);
        assert!((score("half", 9, 2) - score("interleaved", 9, 2)).abs() > 1e-6);
    }),
    ("rope/turn", &[], none, || {}),
    ("rope/who", &["256", "64"], none, || {}),
    (
        "rope/below-zero",
        &["16", "10000", "4", "0"],
        || vec![first_negative(16), first_negative(4)],
        || {},
    ),
];
