use super::*;
use crate::state::{decode, resolve};

fn picture(query: &str) -> (Arc<dyn Picture>, Params) {
    let p = resolve(
        &decode(&format!("embed=ctx-scaling&{query}")).0,
        crate::figure::page_of,
    )
    .0;
    (FIGURE.compute(&p).expect("computed"), p)
}

fn numbers(query: &str) -> std::collections::BTreeMap<String, f64> {
    let (picture, p) = picture(query);
    let all = picture.readouts(&p, Lang::En);
    all.into_iter()
        .filter_map(|r| Some((r.name.into_owned(), r.number?)))
        .collect()
}

#[test]
fn ctx_ntk_keeps_the_first_pair_and_divides_the_last_by_s_exactly() {
    for s in [2.0, 3.0, 4.0, 7.5, 16.0] {
        let query = format!("scaling=ntk&factor={s}&d_model=128&heads=1");
        let n = numbers(&query);
        assert_eq!((n["first-ratio"], n["last-ratio"]), (1.0, 1.0 / s));
        let (picture, p) = picture(&query);
        let sentence = picture.sentence(&p, Lang::En);
        assert!(
            sentence.contains("exactly 1 ÷ s") && sentence.contains("exactly 1)"),
            "{sentence}"
        );
    }
    let (picture, p) = picture("scaling=linear");
    assert!(!picture.sentence(&p, Lang::En).contains("exactly 1)"));
}

#[test]
fn ctx_both_ramps_of_yarn() {
    // d = 128, L = 4096, s = 16, pair 38: ÷ 2.85 with the index, ÷ 8.67 with the rotations.
    let n = numbers("scaling=yarn&d_model=128&heads=1&orig_len=4096&factor=16&dim=76");
    assert!(
        (1.0 / n["pair-ratio"] - 2.85).abs() < 0.01,
        "{}",
        1.0 / n["pair-ratio"]
    );
    assert!(
        (1.0 / n["paper-ratio"] - 8.67).abs() < 0.01,
        "{}",
        1.0 / n["paper-ratio"]
    );
    assert_eq!(n["attention-factor"], 0.1 * 16f64.ln() + 1.0);
}

#[test]
fn ctx_dynamic_is_none_up_to_the_original_length() {
    let n = numbers("scaling=dynamic&orig_len=4096&target_len=4096");
    assert_eq!((n["first-ratio"], n["last-ratio"]), (1.0, 1.0));
}
