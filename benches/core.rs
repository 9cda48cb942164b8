//! Benchmarks of the core.
use criterion::{Criterion, criterion_group, criterion_main};
fn nothing(c: &mut Criterion) {
    c.bench_function("nothing", |b| b.iter(|| 1 + 1));
}
criterion_group!(benches, nothing);
criterion_main!(benches);
