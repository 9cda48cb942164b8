//! Every number that the texts say, computed from the core, and found in the texts of both
//! languages as it is written there.

use std::fs;

use posenc_lab::core::analysis::{rotations, similarity_by_distance, wavelength};
use posenc_lab::core::encoding::alibi;
use posenc_lab::core::encoding::rope_scaling::{
    RopeScaling, Yarn, YarnAttention, YarnRamp, dynamic_factor, plain_frequencies,
};
use posenc_lab::core::encoding::sinusoidal::{Layout, Sinusoidal};
use posenc_lab::core::encoding::t5::T5Buckets;
use posenc_lab::core::grid::{Grid, window};
use posenc_lab::core::precision::{Format, Pipeline};
use posenc_lab::core::toy::random_vectors;

/// A page's texts in both languages.
fn texts(page: &str) -> [String; 2] {
    ["zh", "en"].map(|lang| {
        let path = format!("src/lesson/{page}.{lang}.md");
        fs::read_to_string(&path).unwrap_or_else(|e| panic!("{path}: {e}"))
    })
}

/// Whether a text has a number as a whole, not as a part of a longer one.
fn has(text: &str, number: &str) -> bool {
    text.match_indices(number).any(|(at, _)| {
        let before = text[..at].chars().next_back();
        let mut after = text[at + number.len()..].chars();
        let (next, second) = (after.next(), after.next());
        let digit = |c: Option<char>| c.is_some_and(|c| c.is_ascii_digit());
        let longer = digit(next) || (next == Some('.') && digit(second));
        !digit(before) && before != Some('.') && !longer
    })
}

/// Each number of a page as it is written, to which unit it is rounded, and what it is.
fn said(page: &str, numbers: &[(&str, f64, f64)]) {
    let texts = texts(page);
    for (written, unit, value) in numbers {
        let number: f64 = written.replace('−', "-").parse().expect(written);
        let off = (number - value).abs();
        assert!(off <= unit / 2.0 + 1e-12, "{page}: {written}, but {value}");
        for text in &texts {
            assert!(has(text, written), "{page}: {written} is not said");
        }
    }
}

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

/// What rotation takes of the multiplications of a layer's attention, in percent.
fn share(n: f64, d: f64) -> f64 {
    let (rotation, projections, attention) = (4.0 * n * d, 4.0 * n * d * d, 2.0 * n * n * d);
    100.0 * rotation / (projections + attention)
}

#[test]
fn numbers_of_absolute() {
    let last = |d: usize, base: f64| *plain_frequencies(d, base).last().expect("a pair");
    let turns = |base: f64| rotations(last(64, base), 2048.0);
    let enough = (100..10_000).map(f64::from).find(|base| turns(*base) < 1.0);
    let t2t = Sinusoidal::new(8, 10_000.0, Layout::T2t).expect("valid");
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
            ("0.0464", 1e-4, t2t.frequencies()[1]),
            ("0.0022", 1e-4, t2t.frequencies()[2]),
            ("0.0001", 1e-4, t2t.frequencies()[3]),
            ("393", 1.0, enough.expect("a base")),
            ("0.04", 0.01, turns(10_000.0)),
        ],
    );
    assert!((3.5..4.0).contains(&turns(100.0)), "nearly 4 turns");
}

#[test]
fn numbers_of_relative() {
    let (both, past) = (T5Buckets::standard(true), T5Buckets::standard(false));
    let shares = |d: i64| past.bucket(-d) == past.bucket(-50);
    let first = (0..128).find(|d| shares(*d)).expect("a distance");
    let last = (0..128).rfind(|d| shares(*d)).expect("a distance");
    let twelve = alibi::slopes(12);
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
        ],
    );
    assert_eq!(past.bucket(-20), past.bucket(-19));
    assert_ne!(past.bucket(-20), past.bucket(-21));
    assert_ne!(past.bucket(-20), past.bucket(-18));
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
    let single = Pipeline::all(Format::Float32);
    let error = |position: f64| {
        let off = theta
            .iter()
            .map(|w| (single.angle(position, *w) - position * w).abs());
        off.fold(0.0, f64::max).to_degrees()
    };
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
            ("0.008", 0.001, error(4095.0)),
            // A sample of 4000 knows such quantiles to about 0.02.
            ("−0.30", 0.04, within(0.01)),
            ("0.11", 0.04, within(0.99)),
        ],
    );
    assert!(error(1e6) > 2.0, "{}", error(1e6));
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

#[test]
fn numbers_of_multimodal_and_compare() {
    let rows = window::table_rows(Grid::of(7, 7)) as f64;
    said(
        "multimodal",
        &[("169", 1.0, rows), ("2401", 1.0, 49.0 * 49.0)],
    );
    said(
        "compare",
        &[
            ("3084", 1.0, 12.0 * (2.0 * 128.0 + 1.0)),
            ("393216", 1.0, 512.0 * 768.0),
            ("0.13", 0.01, share(10.0, 768.0)),
        ],
    );
}

#[test]
fn a_number_is_found_as_a_whole_only() {
    assert!(has("about 0.13%, or 4.", "0.13") && has("or 4.", "4"));
    assert!(!has("0.130", "0.13") && !has("10.13", "0.13") && !has("4.5", "4"));
}
