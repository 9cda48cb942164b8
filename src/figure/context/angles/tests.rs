use super::*;
use crate::state::{decode, resolve};

fn number(query: &str, name: &str) -> f64 {
    let p = resolve(&decode(query).0, crate::figure::page_of).0;
    let picture = FIGURE.compute(&p).expect("computed");
    let all = picture.readouts(&p, Lang::En);
    all.iter()
        .find(|r| r.name == name)
        .and_then(|r| r.number)
        .expect("a number")
}

#[test]
fn ctx_angles_of_llama_2_at_twice_its_length() {
    let query = "embed=ctx-angles&d_model=128&heads=1&orig_len=4096&target_len=8192&factor=2";
    // λ of pair i is 2π·10000^(i/64): 4096 lies between those of pairs 45 and 46.
    assert_eq!(number(query, "longer-arcs"), 18.0);
    let unseen = |s: &str| number(&format!("{query}&scaling={s}"), "unseen-pairs");
    // Four of them have come round to directions that were met.
    assert_eq!(number(query, "unseen-pairs"), 14.0);
    assert_eq!(unseen("linear"), 0.0);
    // NTK divides only the last pair by the whole factor: others still run over.
    assert!(unseen("ntk") > 0.0);
    assert_eq!(number(query, "unseen-pairs"), number(query, "unseen-none"));
}
