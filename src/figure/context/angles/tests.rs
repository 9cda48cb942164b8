use super::*;
use crate::state::{decode, resolve};

fn params(query: &str) -> Params {
    resolve(
        &decode(&format!("embed=ctx-angles&{query}")).0,
        crate::figure::page_of,
    )
    .0
}

fn number(query: &str, name: &str) -> f64 {
    let p = params(query);
    let picture = FIGURE.compute(&p).expect("computed");
    let all = picture.readouts(&p, Lang::En);
    all.iter()
        .find(|r| r.name == name)
        .and_then(|r| r.number)
        .expect("a number")
}

#[test]
fn ctx_angles_of_llama_2_at_twice_its_length() {
    let query = "d_model=128&heads=1&orig_len=4096&target_len=8192&factor=2";
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

#[test]
fn the_film_goes_down_to_the_trained_length_and_back_and_shows_what_a_text_of_that_length_does() {
    for query in [
        "",
        "scaling=dynamic",
        "scaling=yarn&factor=8",
        "target_len=1000",
    ] {
        let p = params(query);
        let film = FIGURE.film;
        let frames = (film.frames)(&p) as f64;
        let at = |gone: f64| {
            let p = film.at(&p, gone);
            angles(&growing(&p).unwrap_or(p)).expect("angles")
        };
        let (long, short) = (p.setting.context.target_len, p.setting.context.orig_len);
        let half = at(frames / 2.0);
        assert_eq!(half.pairs.context.target_len, short.min(long), "{query}");
        assert_eq!(
            half.rows,
            angles(&params(&format!("{query}&target_len={}", short.min(long))))
                .expect("angles")
                .rows
        );
        assert_eq!(at(frames / 4.0).rows, at(frames * 0.75).rows, "{query}");
        // No pair has left what was trained where the text is no longer than that.
        assert_eq!(half.unseen(|r| r.plain), 0, "{query}");
        // At rest it is what the parameters ask for.
        assert_eq!(film.at(&p, frames).between, 0.0);
    }
}
