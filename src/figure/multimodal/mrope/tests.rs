//! Tests of the figures of a sequence.

use super::map::{place_in_map, token_of_map};
use super::*;
use crate::figure::{by_id, page_of};
use crate::state::{decode, resolve};

fn params(query: &str) -> Params {
    resolve(&decode(&format!("page=multimodal&{query}")).0, page_of).0
}

fn number(figure: &str, query: &str, name: &str) -> f64 {
    let p = params(query);
    let figure = by_id(figure).expect("a figure");
    let picture = figure.compute(&p).expect("computed");
    let readouts = picture.readouts(&p, Lang::En);
    let found = readouts.iter().find(|r| r.name == name);
    found.and_then(|r| r.number).expect(name)
}

#[test]
fn a_large_image_spends_few_ids_and_numbers_are_those_of_the_rule() {
    let query = "blocks=image:32x32,text:2&q=1024";
    let grid = |query, name| number("mrope-grid", query, name);
    assert_eq!(grid(query, "tokens"), 1026.0);
    assert_eq!(grid(query, "ids"), 34.0);
    assert_eq!(grid(query, "t"), 32.0);
    assert_eq!(grid("q=999&k=4", "w"), grid("q=42&k=4", "w"));
}

#[test]
fn for_text_alone_both_scores_are_alike_and_the_bias_is_added() {
    let query = "blocks=text:30&q=20&k=3";
    let score = |query: &str, name| number("mrope-scores", query, name);
    assert_eq!(score(query, "score"), score(query, "score-flat"));
    let biased = format!("{query}&mod_bias=text:text:1.5");
    let more = score(&biased, "score") - score(query, "score");
    assert!((more - 1.5).abs() < 1e-12);
    // A bias that all keys get changes no weight.
    let weight = |name| number("modality-bias", &biased, name);
    assert!((weight("weight") - weight("weight-before")).abs() < 1e-12);
    assert_eq!(weight("modality-bias"), 1.5);
    assert_eq!(weight("score"), score(&biased, "score"));
}

#[test]
fn the_score_is_that_of_rotated_vectors_of_ones() {
    for version in Version::IDS {
        let query = format!("mrope={version}&d_model=96&heads=2&q=21&k=30");
        let p = params(&query);
        let rope = p.sequence.rope(48).expect("a rotation");
        let ids = p.sequence.ids().expect("ids");
        let ones = crate::core::Matrix::from_element(ids.len(), 48, 1.0);
        let turned = rope.apply(&ones, &ids).expect("turned");
        let dot = turned.row(21).dot(&turned.row(30)) / 48f64.sqrt();
        let score = number("mrope-scores", &query, "score");
        assert!((score - dot).abs() < 1e-10, "{version}");
    }
}

#[test]
fn places_in_a_map_and_tokens_are_the_same_in_both_directions() {
    let span = (Block::Video(5, 3, 4), 5..65);
    for in_row in 1..6 {
        for token in 5..65 {
            let place = place_in_map(&span, in_row, token).expect("in the map");
            assert_eq!(token_of_map(&span, in_row, place), token);
        }
    }
    // The second frame beside the first, its second row.
    assert_eq!(place_in_map(&span, 5, 5 + 12 + 4), Some((1, 4)));
    assert_eq!(place_in_map(&span, 1, 5 + 12 + 4), Some((4, 0)));
    assert_eq!(place_in_map(&span, 5, 4), None);
    assert_eq!(token_of_map(&span, 2, (8, 7)), 64);
}
