//! Questions of the page `context`.

use posenc_lab::core::encoding::rope::Rope;
use posenc_lab::core::encoding::rope_scaling::{RopeScaling, Yarn, plain_frequencies};
use posenc_lab::core::precision::to_bfloat16;

use super::{Known, mean_cosine, none};
use crate::params;

fn ratios(scaling: &RopeScaling, d: usize, base: f64) -> Vec<f64> {
    scaling.at(d, base, None).expect("valid").ratios
}

fn qwen() -> Yarn {
    Yarn::new(4.0, 32768)
}

pub const KNOWN: &[Known] = &[
    ("context/which-pairs", &[], none, || {
        // As the figure opens, and as models have it.
        for head_dim in [16, 64] {
            let theta = plain_frequencies(head_dim, 1e4);
            let (first, last) = (theta[0], theta[head_dim / 2 - 1]);
            let turned = |w: f64| w * 2047.0 / std::f64::consts::TAU;
            assert!(turned(first) > 1.0 && turned(last) < 1.0);
            assert!(8191.0 * last > 2047.0 * last && 8191.0 * last < std::f64::consts::TAU);
        }
    }),
    ("context/ntk-ends", &["1"], none, || {
        for head_dim in [16, 64] {
            let all = ratios(&RopeScaling::Ntk { factor: 4.0 }, head_dim, 1e4);
            let last = all[head_dim / 2 - 1];
            assert!((all[0] - 1.0).abs() < 1e-12 && (last - 0.25).abs() < 1e-12);
            assert!(
                (all[head_dim / 4 - 1] - 0.25).abs() > 0.1,
                "not those between"
            );
        }
    }),
    ("context/near", &[], none, || {
        // As the figure opens, and as models have it.
        for head_dim in [16, 64] {
            let plain = plain_frequencies(head_dim, 1e4);
            let change = |scaling: RopeScaling| -> f64 {
                let now = scaling.at(head_dim, 1e4, None).expect("valid").inv_freq;
                (1..=10)
                    .map(f64::from)
                    .map(|d| (mean_cosine(&now, d) - mean_cosine(&plain, d)).abs())
                    .sum()
            };
            let linear = change(RopeScaling::Linear { factor: 4.0 });
            let ntk = change(RopeScaling::Ntk { factor: 4.0 });
            assert!(linear > 2.0 * ntk && ntk > 0.0, "{linear} {ntk}");
        }
    }),
    (
        "context/bf16",
        // Significant bits, and from where on not every integer exists.
        &["8", "256"],
        || {
            let near: Vec<f64> = (8000..8400).map(|n| to_bfloat16(f64::from(n))).collect();
            let before = near.iter().copied().filter(|x| *x < 8192.0);
            let before = before.fold(0.0, f64::max);
            let after = near.iter().copied().filter(|x| *x > 8192.0);
            let after = after.fold(f64::MAX, f64::min);
            let together = near.iter().filter(|x| **x == 8192.0).count() as f64;
            let own: Vec<f64> = (8000..8400)
                .map(f64::from)
                .filter(|n| to_bfloat16(*n) == 8192.0)
                .collect();
            let (first, last) = (own[0], own[own.len() - 1]);
            vec![
                together,
                first,
                last,
                before,
                after,
                8192.0 - before,
                after - 8192.0,
            ]
        },
        || {
            assert_eq!(to_bfloat16(8191.0), 8192.0);
            assert_eq!(to_bfloat16(1001.0), 1000.0);
            assert_eq!(to_bfloat16(257.0), 256.0);
            let theta = plain_frequencies(64, 1e4);
            assert!(theta.windows(2).all(|w| w[0] > w[1]));
        },
    ),
    ("context/ntk-pair", &["1", "2"], none, || {}),
    (
        "context/config",
        &["0"],
        || {
            let all = ratios(&RopeScaling::Yarn(qwen()), 128, 1e6);
            let kept = all.iter().rposition(|r| *r == 1.0).expect("kept");
            let whole = all.iter().position(|r| *r == 0.25).expect("whole");
            let a = 0.1 * 4f64.ln() + 1.0;
            vec![kept as f64, whole as f64, 63.0, a, a * a, 0.1, 1.0]
        },
        || {
            let all = ratios(&RopeScaling::Yarn(qwen()), 128, 1e6);
            assert!(all[0] == 1.0 && all[63] == 0.25 && all[30] > 0.25 && all[30] < 1.0);
            assert!((qwen().attention_factor() - (0.1 * 4f64.ln() + 1.0)).abs() < 1e-12);
            // Up to 32768 too.
            let short = RopeScaling::Yarn(qwen())
                .at(128, 1e6, Some(1000))
                .expect("valid");
            assert_eq!(short.ratios, all);
        },
    ),
    ("context/rest", &["1"], none, || {
        let p = params("page=context&scaling=dynamic&orig_len=4096&target_len=4096");
        let rope = Rope::of(&p.setting).expect("valid");
        assert_eq!(
            rope.inv_freq(),
            plain_frequencies(rope.head_dim(), p.setting.base)
        );
    }),
];
