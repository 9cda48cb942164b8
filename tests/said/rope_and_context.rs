//! The pages on rotation.

use posenc_lab::core::analysis::{rotations, similarity_by_distance};
use posenc_lab::core::encoding::rope_scaling::{
    RopeScaling, Yarn, YarnAttention, YarnRamp, dynamic_factor, plain_frequencies,
};
use posenc_lab::core::encoding::xpos;
use posenc_lab::core::precision::{to_bfloat16, to_float16};
use posenc_lab::core::toy::random_vectors;

use super::{captions, said, said_in, share};

/// Mean cosine at a distance, of a head with equal energy in every pair.
fn mean_cosine(head_dim: usize, base: f64, distance: f64) -> f64 {
    let theta = plain_frequencies(head_dim, base);
    similarity_by_distance(&theta, std::iter::once(distance))[0]
}

/// The first distance at which the mean cosine is negative.
fn first_negative(head_dim: usize) -> f64 {
    let mut distances = (0..5000).map(f64::from);
    let negative = distances.find(|d| mean_cosine(head_dim, 10_000.0, *d) < 0.0);
    negative.expect("it falls below 0")
}

#[test]
fn numbers_of_rope() {
    let theta = plain_frequencies(128, 10_000.0);
    // The modulus of the sum over the first pairs, averaged over how many they are.
    let bound = |distance: f64| {
        let (mut re, mut im, mut total) = (0.0, 0.0, 0.0);
        for w in &theta {
            let (sin, cos) = (distance * w).sin_cos();
            (re, im) = (re + cos, im + sin);
            total += f64::hypot(re, im);
        }
        total / theta.len() as f64
    };
    // The largest error of an angle where frequency, position and product are float32, by how the
    // power is computed: rounded from float64, as the inverse of a power, through the exponential.
    let errors = |position: f32| -> Vec<f64> {
        let base = 10_000f32;
        let of: [fn(f32, f32) -> f32; 3] = [
            |base, e| f64::from(base).powf(-f64::from(e)) as f32,
            |base, e| 1.0 / base.powf(e),
            |base, e| (-e * base.ln()).exp(),
        ];
        let error = |power: fn(f32, f32) -> f32| {
            let pairs = theta.iter().enumerate().map(|(i, w)| {
                let angle = position * power(base, i as f32 / 64.0);
                (f64::from(angle) - f64::from(position) * w).abs()
            });
            pairs.fold(0.0, f64::max).to_degrees()
        };
        let mut all = of.map(error).to_vec();
        all.sort_by(f64::total_cmp);
        all
    };
    let (near, far, farther) = (errors(4095.0), errors(131_071.0), errors(1e6));
    // xPos: the position at which the scale of the fastest pair, or its inverse, leaves float32.
    let least = xpos::zeta(128).into_iter().fold(1.0, f64::min);
    let overflow = 512.0 * f64::from(f32::MAX).ln() / -least.ln();
    let vectors = random_vectors(1, "q", 4000, 128);
    let mut cosines: Vec<f64> = (0..vectors.nrows())
        .map(|r| {
            let energy = |i: usize| vectors[(r, 2 * i)].powi(2) + vectors[(r, 2 * i + 1)].powi(2);
            let parts = theta.iter().enumerate();
            let all: f64 = (0..64).map(energy).sum();
            parts
                .map(|(i, w)| energy(i) * (20_000.0 * w).cos())
                .sum::<f64>()
                / all
        })
        .collect();
    cosines.sort_by(f64::total_cmp);
    let within = |part: f64| cosines[(part * cosines.len() as f64) as usize];
    said(
        "rope",
        &[
            ("57.3", 0.1, 1f64.to_degrees()),
            ("0.057", 0.001, 0.001f64.to_degrees()),
            ("0.737", 1e-3, mean_cosine(128, 10_000.0, 5.0)),
            ("0.477", 1e-3, mean_cosine(128, 10_000.0, 100.0)),
            ("0.159", 1e-3, mean_cosine(128, 10_000.0, 1000.0)),
            ("−0.106", 1e-3, mean_cosine(128, 10_000.0, 20_000.0)),
            ("32.5", 0.1, bound(0.0)),
            ("4.5", 0.1, bound(1000.0)),
            ("7.6", 0.1, bound(5000.0)),
            ("91", 1.0, first_negative(16)),
            ("22", 1.0, first_negative(4)),
            ("0.13", 0.01, share(10.0, 768.0)),
            ("0.016", 0.001, share(4096.0, 4096.0)),
            ("0.008", 0.001, near[0]),
            ("0.008", 0.001, near[2]),
            ("0.15", 0.01, far[0]),
            ("0.3", 0.1, far[2]),
            ("2", 1.0, farther[0]),
            ("3", 1.0, farther[2]),
            ("36000", 1000.0, overflow),
            ("0.4", 1e-9, 1.4 * least),
            // A sample of 4000 knows such quantiles to about 0.02.
            ("−0.30", 0.04, within(0.01)),
            ("0.11", 0.04, within(0.99)),
        ],
    );
    assert_eq!(to_bfloat16(257.0), 256.0);
    said(
        "rope",
        &[
            ("57.3", 0.1, 1f64.to_degrees()),
            ("0.057", 0.001, 0.001f64.to_degrees()),
        ],
    );
}

#[test]
fn numbers_of_context() {
    let ratios = |yarn: Yarn, d, base| {
        let all = RopeScaling::Yarn(yarn).at(d, base, None).expect("valid");
        all.ratios
    };
    let long = Yarn::new(16.0, 4096);
    let paper = Yarn {
        ramp: YarnRamp::Rotations,
        ..long
    };
    let qwen = Yarn::new(4.0, 32_768);
    let parts = ratios(qwen, 128, 1e6);
    let kept = parts.iter().rposition(|r| *r == 1.0).expect("kept");
    let divided = parts.iter().position(|r| *r == 0.25).expect("divided");
    let softmax = |m: f64| {
        let attention = YarnAttention::Mscale {
            mscale: m,
            mscale_all_dim: m,
        };
        let yarn = Yarn {
            attention,
            ..Yarn::new(40.0, 4096)
        };
        yarn.softmax_factor()
    };
    // The page's defaults: the pair that leaves its arc within four times the training length.
    let (plain, scaled) = (
        plain_frequencies(16, 10_000.0),
        RopeScaling::Ntk { factor: 4.0 }
            .at(16, 10_000.0, None)
            .expect("valid"),
    );
    let leaves: Vec<usize> = (0..8)
        .filter(|i| rotations(plain[*i], 2048.0) < 1.0)
        .filter(|i| 8191.0 * scaled.inv_freq[*i] > 2048.0 * plain[*i])
        .collect();
    assert_eq!(leaves.len(), 1);
    said(
        "context",
        &[
            ("13", 1.0, dynamic_factor(4.0, 1000, Some(4000))),
            ("2.85", 0.01, 1.0 / ratios(long, 128, 1e4)[38]),
            ("8.67", 0.01, 1.0 / ratios(paper, 128, 1e4)[38]),
            ("1.590", 1e-3, softmax(0.707)),
            ("1.874", 1e-3, softmax(1.0)),
            ("1.139", 1e-3, qwen.attention_factor()),
            ("1.296", 1e-3, qwen.attention_factor().powi(2)),
            ("23", 1.0, kept as f64),
            ("40", 1.0, divided as f64),
            ("63", 1.0, (parts.len() - 1) as f64),
            ("6", 1.0, leaves[0] as f64),
            ("57", 1.0, 1f64.to_degrees()),
        ],
    );
    // Where whole numbers leave the formats.
    let first_lost = |round: fn(f64) -> f64| {
        let mut all = (0..5000).map(f64::from);
        all.find(|x| round(*x) != *x).expect("a number")
    };
    let infinite = (60_000..70_000).find(|x| to_float16(f64::from(*x)).is_infinite());
    let bits = |last: f64| last.log2();
    said_in(
        "figures-context",
        &captions("figures-context"),
        &[
            ("256", 1.0, first_lost(to_bfloat16) - 1.0),
            ("2049", 1.0, first_lost(to_float16)),
            ("65520", 1.0, f64::from(infinite.expect("a number"))),
            ("8", 1.0, bits(first_lost(to_bfloat16) - 1.0)),
            ("11", 1.0, bits(first_lost(to_float16) - 1.0)),
        ],
    );
    // The last pair of the question on config.json is divided by the whole factor.
    assert_eq!(parts.last(), Some(&0.25));
    // Near neighbours: linear interpolation changes their scores more.
    let plain = plain_frequencies(64, 10_000.0);
    let change = |scaling: RopeScaling| -> f64 {
        let now = scaling.at(64, 10_000.0, None).expect("valid").inv_freq;
        let near = || (1..=10).map(f64::from);
        let before = similarity_by_distance(&plain, near());
        let after = similarity_by_distance(&now, near());
        before.iter().zip(&after).map(|(a, b)| (a - b).abs()).sum()
    };
    let [linear, ntk] = [
        RopeScaling::Linear { factor: 4.0 },
        RopeScaling::Ntk { factor: 4.0 },
    ]
    .map(change);
    assert!(linear > 3.0 * ntk, "{linear} {ntk}");
}
