//! Benchmarks of the core: `cargo bench --bench core`, or one group with its name as argument.
//!
//! Names are `what/size`, so that runs before and after a change can be put side by side.

use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use posenc_lab::core::analysis::similarity_by_distance;
use posenc_lab::core::attention::attend;
use posenc_lab::core::encoding::Rotation;
use posenc_lab::core::encoding::relative::BiasStart;
use posenc_lab::core::encoding::rope::{Pairing, Rope};
use posenc_lab::core::encoding::rope_scaling::LongContext;
use posenc_lab::core::encoding::sinusoidal::{Layout, Sinusoidal, positions};
use posenc_lab::core::encoding::t5::T5Buckets;
use posenc_lab::core::encoding::{Scheme, Setting};
use posenc_lab::core::tokens::{TokenKind, tokenize};
use posenc_lab::core::toy::{ToyModel, random_vectors};

const BASE: f64 = 10000.0;

/// The page's default, or a large model.
fn setting(d_model: usize, heads: usize) -> Setting {
    Setting {
        d_model,
        heads,
        base: BASE,
        max_rel_dist: 16,
        layout: Layout::Interleaved,
        pairing: Pairing::Interleaved,
        context: LongContext::default(),
        causal: false,
        seed: 42,
        bias: BiasStart::Random,
        bias_edits: Vec::new(),
    }
}

fn sinusoidal(c: &mut Criterion) {
    let mut group = c.benchmark_group("sinusoidal_matrix");
    for n in [512, 1024] {
        let pe = Sinusoidal::new(n, BASE, Layout::Interleaved).expect("an even width");
        let at = positions(0..n);
        group.bench_function(BenchmarkId::from_parameter(format!("{n}x{n}")), |b| {
            b.iter(|| pe.matrix(black_box(&at)))
        });
    }
    group.finish();

    let pe = Sinusoidal::new(512, BASE, Layout::Interleaved).expect("an even width");
    c.bench_function("similarity_by_distance/512x512", |b| {
        b.iter(|| {
            similarity_by_distance(black_box(pe.frequencies()), positions(0..512).into_iter())
        })
    });
}

fn rope(c: &mut Criterion) {
    let rope = Rope::new(128, BASE, Pairing::Interleaved).expect("an even width");
    let at = positions(0..512);
    let x = random_vectors(1, "x", 512, 128);
    c.bench_function("rope_cos_sin/512x128", |b| {
        b.iter(|| rope.cos_sin(black_box(&at)))
    });
    c.bench_function("rope_apply/512x128", |b| {
        b.iter(|| rope.apply(black_box(&x), black_box(&at)))
    });
    let (q, k) = (
        random_vectors(1, "q", 1, 128),
        random_vectors(1, "k", 1, 128),
    );
    let rotation = Rotation::from(rope.clone());
    c.bench_function("rope_score_by_distance/4096x128", |b| {
        b.iter(|| {
            let distances = positions(0..4096);
            rotation.scores(black_box(q.as_slice()), k.as_slice(), &distances)
        })
    });
}

fn attention(c: &mut Criterion) {
    let [q, k, v] = ["q", "k", "v"].map(|name| random_vectors(1, name, 128, 64));
    for (name, causal) in [("full", false), ("causal", true)] {
        c.bench_function(&format!("attention_{name}/128x64"), |b| {
            b.iter(|| attend(black_box(&q), &k, &v, 0.125, None, causal))
        });
    }
}

fn toy_model(c: &mut Criterion) {
    let tokens = tokenize("我爱中国", TokenKind::Word);
    let scheme = Scheme::by_id("sinusoidal").expect("a scheme of the list");
    for (d_model, heads, layers) in [(64, 4, 1), (512, 8, 4)] {
        let s = setting(d_model, heads);
        let size = format!("d{d_model}_layers{layers}");
        c.bench_function(&format!("toy_model_new/{size}"), |b| {
            b.iter(|| ToyModel::new(black_box(s.seed), d_model, heads, layers))
        });
        let model = ToyModel::new(s.seed, d_model, heads, layers);
        c.bench_function(&format!("toy_model_run/{size}"), |b| {
            b.iter(|| model.run(black_box(&tokens), scheme, &s))
        });
    }
}

fn t5(c: &mut Criterion) {
    let buckets = T5Buckets::standard(true);
    c.bench_function("t5_buckets/1023", |b| {
        b.iter(|| {
            (-511..=511)
                .map(|d| buckets.bucket(black_box(d)))
                .sum::<usize>()
        })
    });
    let scheme = Scheme::by_id("t5").expect("a scheme of the list");
    let s = setting(64, 4);
    c.bench_function("t5_bias/4x512x512", |b| {
        b.iter(|| scheme.prepare(black_box(&s), 512))
    });
}

criterion_group!(benches, sinusoidal, rope, attention, toy_model, t5);
criterion_main!(benches);
