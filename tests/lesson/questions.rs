//! What each question's answers say and rest on.

use posenc_lab::core::encoding::Scheme;
use posenc_lab::core::encoding::relative::{BiasTable, relative_index};
use posenc_lab::core::encoding::rope::Rope;
use posenc_lab::core::encoding::rope_scaling::{RopeScaling, Yarn, plain_frequencies};
use posenc_lab::core::encoding::sinusoidal::{Layout, Sinusoidal};
use posenc_lab::core::encoding::t5::T5Buckets;
use posenc_lab::core::grid::Grid;
use posenc_lab::core::grid::window::table_rows;
use posenc_lab::core::mrope::{Block, Version, position_ids};
use posenc_lab::core::precision::to_bfloat16;
use posenc_lab::core::toy::{ToyModel, token_vectors};
use posenc_lab::lesson::live::Live;
use posenc_lab::vectors::vectors;

use super::params;

/// A question: the numbers that its answers may say beside those of the question itself, and what
/// must hold for the right answer to be right and the wrong ones wrong.
pub type Known = (
    &'static str,
    &'static [&'static str],
    fn() -> Vec<f64>,
    fn(),
);

fn none() -> Vec<f64> {
    Vec::new()
}

fn sinusoidal(d: usize) -> Sinusoidal {
    Sinusoidal::new(d, 1e4, Layout::Interleaved).expect("valid")
}

/// The cosine of two encodings, from their vectors.
fn alike(pe: &Sinusoidal, a: f64, b: f64) -> f64 {
    let m = pe.matrix(&[a, b]);
    m.row(0).dot(&m.row(1)) / m.row(0).norm() / m.row(1).norm()
}

/// Mean cosine of all pairs.
fn mean_cosine(theta: &[f64], distance: f64) -> f64 {
    theta.iter().map(|w| (w * distance).cos()).sum::<f64>() / theta.len() as f64
}

fn first_negative(head_dim: usize) -> f64 {
    let theta = plain_frequencies(head_dim, 1e4);
    let mut all = (0..5000).map(f64::from);
    all.find(|d| mean_cosine(&theta, *d) < 0.0)
        .expect("below 0")
}

fn turns(base: f64) -> f64 {
    let last = base.powf(-62.0 / 64.0);
    2048.0 * last / std::f64::consts::TAU
}

fn causal(distance: i64) -> usize {
    T5Buckets::standard(false).bucket(-distance)
}

fn first_of(bucket: usize) -> f64 {
    (0..200).find(|d| causal(*d) == bucket).expect("a distance") as f64
}

fn ratios(scaling: &RopeScaling, d: usize, base: f64) -> Vec<f64> {
    scaling.at(d, base, None).expect("valid").ratios
}

fn qwen() -> Yarn {
    Yarn::new(4.0, 32768)
}

/// A number of arrays of an address.
fn array(query: &str, name: &str) -> Vec<f64> {
    let all = vectors(query);
    let data = all["arrays"][name]["data"].as_array().expect(name);
    data.iter().map(|x| x.as_f64().expect("a number")).collect()
}

pub const KNOWN: &[Known] = &[
    ("order/swap", &[], none, || {
        let query = "page=order&scheme=none";
        assert!(array(query, "max_difference")[0] < 1e-9);
        // Not all tokens have one output.
        let a = array(query, "a_output");
        assert!((a[0] - a[a.len() / 3]).abs() > 1e-6);
    }),
    ("order/reaches-v", &[], none, || {
        let with = |scheme: &str| {
            let s = params("page=order").setting;
            let x = token_vectors(s.seed, &["a", "b", "c"].map(str::to_owned), s.d_model);
            let prepared = Scheme::by_id(scheme).expect("a scheme").prepare(&s, 3);
            let model = ToyModel::new(s.seed, s.d_model, s.heads, 1);
            let layer = model.first().expect("a layer");
            let steps = layer.steps(&x, &prepared.expect("legal"), false, 0);
            steps.expect("fits")
        };
        let plain = with("none");
        for (scheme, reaches) in [
            ("sinusoidal", true),
            ("learned", true),
            ("rope", false),
            ("relative", false),
            ("t5", false),
            ("alibi", false),
        ] {
            let now = with(scheme);
            assert_eq!((&now.v - &plain.v).amax() > 1e-9, reaches, "{scheme}");
            assert!((now.weights - &plain.weights).amax() > 1e-6, "{scheme}");
        }
    }),
    ("order/last-token", &[], none, || {
        let last = array("page=order&scheme=none&pool=last", "pooled_difference")[0];
        let each = array("page=order&scheme=none&pool=last", "max_difference")[0];
        assert!(last > 1e-3 && each < 1e-9);
    }),
    ("order/row-length", &[], none, || {}),
    ("order/mirror", &["0"], none, || {
        assert!(array("page=order&scheme=alibi", "max_difference")[0] < 1e-9);
        assert!(array("page=order&scheme=alibi&causal=1", "max_difference")[0] > 1e-3);
    }),
    (
        "absolute/fast-or-slow",
        &["0", "0.001"],
        || vec![1.0, 1f64.to_degrees(), 0.001f64.to_degrees()],
        || {
            let m = sinusoidal(64).matrix(&[20.0, 21.0]);
            let change = |pair: usize| {
                (m[(0, 2 * pair)] - m[(1, 2 * pair)])
                    .hypot(m[(0, 2 * pair + 1)] - m[(1, 2 * pair + 1)])
            };
            assert!((1..32).all(|p| change(p) < change(p - 1)));
        },
    ),
    ("absolute/columns", &["1"], none, || {
        let m = sinusoidal(64).matrix(&(0..64).map(f64::from).collect::<Vec<_>>());
        let step = |c: usize| {
            (1..64)
                .map(|r| (m[(r, c)] - m[(r - 1, c)]).abs())
                .fold(0.0, f64::max)
        };
        assert!((2..64).all(|c| step(c) < step(c - 2)));
        // Not smaller: the last cosine stays near 1.
        assert!(m.column(63).min() > 0.99);
    }),
    ("absolute/same-turn", &[], none, || {
        let pe = sinusoidal(64);
        let turn = pe.shift_matrix(5.0);
        for start in [3.0, 50.0] {
            let m = pe.matrix(&[start, start + 5.0]);
            let moved = &turn * m.row(0).transpose();
            assert!((moved - m.row(1).transpose()).amax() < 1e-12);
        }
    }),
    (
        "absolute/fall",
        &["5", "6", "0"],
        || {
            vec![
                alike(&sinusoidal(64), 9.0, 14.0),
                alike(&sinusoidal(64), 9.0, 15.0),
            ]
        },
        || {
            let pe = sinusoidal(64);
            assert!(
                alike(&pe, 9.0, 15.0) > alike(&pe, 9.0, 14.0),
                "not monotonic"
            );
            assert!(
                (alike(&pe, 20.0, 27.0) - alike(&pe, 20.0, 13.0)).abs() < 1e-12,
                "even"
            );
            assert!(
                alike(&pe, 0.0, 60.0) < alike(&pe, 0.0, 10.0),
                "on the whole"
            );
        },
    ),
    ("absolute/wave", &[], none, || {}),
    ("absolute/learned", &["512"], none, || {}),
    (
        "absolute/slow-base",
        &["10000"],
        || {
            vec![
                (2..9999)
                    .map(f64::from)
                    .find(|b| turns(*b) < 1.0)
                    .expect("a base"),
                turns(1e4),
            ]
        },
        || {
            assert!((3.5..4.0).contains(&turns(100.0)));
        },
    ),
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
    ("multimodal/stripes", &["1"], none, || {
        let pe = sinusoidal(512);
        let (right, below) = (alike(&pe, 90.0, 91.0), alike(&pe, 90.0, 104.0));
        let corner = alike(&pe, 90.0, 105.0);
        let two = alike(&pe, 90.0, 92.0);
        assert!(right > below && two > below && two > corner);
        assert!((right - alike(&pe, 90.0, 89.0)).abs() < 1e-12);
    }),
    (
        "multimodal/rows",
        &["6", "0"],
        || vec![(2.0 * 7.0 - 1.0) * (2.0 * 7.0 - 1.0), 13.0, 2401.0],
        || {
            let mut all: Vec<(i64, i64)> = Vec::new();
            for (a, b) in (0..49i64).flat_map(|a| (0..49i64).map(move |b| (a, b))) {
                all.push((a / 7 - b / 7, a % 7 - b % 7));
            }
            all.sort_unstable();
            all.dedup();
            assert_eq!(all.len(), 169);
            assert!(![49, 2401].contains(&all.len()));
        },
    ),
    (
        "multimodal/hour",
        &[],
        || vec![30.0 * 50.0 + 1.0],
        || {
            // A table of 30 s has no row for the frame after.
            let table = posenc_lab::core::encoding::learned::LearnedTable::new(1, 1500, 4);
            assert!(table.lookup(1499).is_ok() && table.lookup(1500).is_err());
        },
    ),
    (
        "multimodal/image-costs",
        &["1", "3", "8", "16"],
        none,
        || {
            let blocks = [Block::Text(5), Block::Image(4, 4), Block::Text(5)];
            let ids = position_ids(&blocks, Version::Qwen2Vl, 1.0).expect("valid");
            let (image, after) = (ids.at(5), ids.at(5 + 16));
            assert_eq!(after[0] - image[0], 4);
            assert_eq!(ids.len(), 16 + 10);
        },
    ),
    ("multimodal/ids", &["1", "2.5", "3"], none, || {}),
    ("multimodal/rows-columns", &[], none, || {
        // On a square grid the wrong divisor does not show.
        let wrong =
            |rows: usize, columns: usize| (0..rows * columns).any(|n| n / rows != n / columns);
        assert!(!wrong(14, 14) && wrong(14, 20));
        let swapped = (0..196).filter(|n| n / 14 != n % 14).count();
        assert!(swapped > 0);
    }),
    (
        "multimodal/window-45",
        &["2", "3", "5", "8", "1", "9", "15"],
        none,
        || {
            let of_45 = |(r, c): &(usize, usize)| table_rows(Grid::of(*r, *c)) == 45;
            let all = (2..=16).flat_map(|r| (2..=16).map(move |c| (r, c)));
            let found: Vec<_> = all.filter(of_45).collect();
            assert_eq!(found, [(2, 8), (3, 5), (5, 3), (8, 2)]);
        },
    ),
    ("compare/symmetric", &[], none, || {
        let p = params("page=compare");
        let table = BiasTable::clipped(&p.setting);
        assert_ne!(
            table.get(0, relative_index(3, 0, 16)),
            table.get(0, relative_index(0, 3, 16))
        );
        let pe = sinusoidal(64);
        assert!((alike(&pe, 9.0, 14.0) - alike(&pe, 9.0, 4.0)).abs() < 1e-12);
    }),
    ("compare/stripes", &[], none, || {
        let row = |pos| posenc_lab::core::encoding::learned::row(42, pos, 64);
        let dot = |a: usize, b: usize| posenc_lab::core::analysis::dot(&row(a), &row(b));
        assert!((dot(0, 2) - dot(7, 9)).abs() > 1e-3);
        let pe = sinusoidal(64);
        assert!((alike(&pe, 0.0, 2.0) - alike(&pe, 7.0, 9.0)).abs() < 1e-12);
    }),
    ("compare/which-one", &[], none, || {}),
    ("compare/even", &[], none, || {}),
    ("compare/width", &["0"], none, || {}),
];
