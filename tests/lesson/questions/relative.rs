//! Questions of the page `relative`.

use posenc_lab::core::encoding::relative::{BiasTable, relative_index};
use posenc_lab::core::encoding::t5::T5Buckets;
use posenc_lab::lesson::live::Live;

use super::{Known, none};
use crate::params;

fn causal(distance: i64) -> usize {
    T5Buckets::standard(false).bucket(-distance)
}

fn first_of(bucket: usize) -> f64 {
    (0..200).find(|d| causal(*d) == bucket).expect("a distance") as f64
}

pub const KNOWN: &[Known] = &[
    ("relative/too-far", &["0"], none, || {
        let index = |d: usize| relative_index(d, 0, 16);
        assert_eq!(index(20), index(40));
        assert_ne!(index(15), index(16));
    }),
    ("relative/direction", &["2"], none, || {
        assert_ne!(relative_index(2, 0, 16), relative_index(0, 2, 16));
        let p = params("page=relative");
        let table = BiasTable::clipped(&p.setting);
        assert_ne!(
            table.get(0, relative_index(2, 0, 16)),
            table.get(0, relative_index(0, 2, 16))
        );
        let bias = |scheme: &str, i: usize, j: usize| {
            let p = params(&format!("page=relative&scheme={scheme}&i={i}&j={j}"));
            Live::new(&p, None).number("bias").expect("a bias").number
        };
        assert!(
            ["alibi", "kerple"]
                .iter()
                .all(|s| bias(s, 3, 1) == bias(s, 1, 3))
        );
    }),
    ("relative/one-bar", &["1"], none, || {
        let weights = |edit: &str| {
            let p = params(&format!("page=relative&i=5&j=3{edit}"));
            let live = Live::new(&p, None);
            let of = |j: usize| {
                let p = params(&format!("page=relative&i=5&j={j}{edit}"));
                Live::new(&p, None)
                    .number("weight")
                    .expect("a weight")
                    .number
            };
            (live.number("weight").expect("a weight").number, of(6))
        };
        // Row 18 is δ = 2 with max_rel_dist 16.
        let (before, after) = (weights(""), weights("&bias_edits=0:18:8"));
        assert!(after.0 > before.0 && after.1 < before.1);
    }),
    ("relative/rows", &["0", "1"], none, || {}),
    (
        "relative/bucket-20",
        &["0"],
        || {
            let last = (0..200).map(causal).max().expect("buckets");
            let of_16 = causal(16);
            vec![
                first_of(of_16),
                first_of(of_16 + 1) - 1.0,
                first_of(of_16 + 1),
                first_of(of_16 + 2) - 1.0,
                first_of(of_16 + 2),
                first_of(16) - 1.0,
                first_of(last),
                19.0,
            ]
        },
        || {
            assert_eq!(causal(20), causal(19));
            assert_ne!(causal(20), causal(21));
            assert_ne!(causal(20), causal(128));
            assert!((0..16).all(|d| causal(d) == d as usize));
        },
    ),
    ("relative/past-clip", &[], none, || {}),
];
