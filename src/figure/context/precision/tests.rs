use super::*;
use crate::state::{decode, resolve};

#[test]
fn ctx_steps_and_shared_values_of_bfloat16() {
    let b = Format::Bfloat16;
    assert_eq!(
        (step(b, 255), step(b, 256), step(b, 8192)),
        (1.0, 2.0, 64.0)
    );
    for n in [16, 255, 256, 257, 1000, 1001, 4095, 8192, 131_072, 1 << 24] {
        let to = b.round(n as f64);
        let reach = 2 * step(b, n).ceil() as usize + 1;
        let near = n.saturating_sub(reach)..=n + reach;
        let counted = near.filter(|m| b.round(*m as f64) == to).count();
        assert_eq!(shared(b, n), counted, "{n}");
    }
    assert_eq!(step(Format::Float16, 4096), 4.0);
}

#[test]
fn ctx_known_roundings() {
    for (n, to) in [(257, 256.0), (1001, 1000.0), (131_071, 131_072.0)] {
        let query = format!("embed=ctx-precision&target_len={}", n + 1);
        let p = resolve(&decode(&query).0, crate::figure::page_of).0;
        let picture = FIGURE.compute(&p).expect("computed");
        let all = picture.readouts(&p, Lang::En);
        let number = |name| all.iter().find(|r| r.name == name).and_then(|r| r.number);
        assert_eq!(number("bf16-position"), Some(to));
        assert!(number("f32-cos-error").is_some_and(|e| e < 1e-2));
    }
}
