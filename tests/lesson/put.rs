//! Answers that are put into a drawing: every such question has what it asks for, the right place is computed here too,
//! and a press there puts it there.

use posenc_lab::figure::kit::colour::Colours;
use posenc_lab::figure::kit::scene::Scene;
use posenc_lab::figure::put::{Guess, Handle, start};
use posenc_lab::figure::{FIGURES, Figure, Picture, View};
use posenc_lab::lesson::piece::Block;
use posenc_lab::say;
use posenc_lab::state::{Lang, Params};

use super::addresses::Dice;
use super::{made, params};

const SIZE: (f64, f64) = (860.0, 470.0);

fn view(reveal: bool, guess: Option<Guess>) -> View {
    View {
        width: SIZE.0,
        height: SIZE.1,
        lang: Lang::Zh,
        colours: Colours::of(false),
        reveal,
        guess,
    }
}

fn picture(figure: &Figure, p: &Params) -> std::sync::Arc<dyn Picture> {
    figure.compute(p).expect("computed")
}

fn opened(figure: &Figure, query: &str) -> Params {
    params(&format!("page={}&{query}", figure.page.id()))
}

/// The figures whose questions are answered so.
fn asking() -> Vec<&'static Figure> {
    let mut out = Vec::new();
    for m in made().iter().filter(|m| m.lang == Lang::Zh) {
        for block in &m.piece.blocks {
            if let Block::Predict {
                figure, answers, ..
            } = block
                && answers.len() == 1
            {
                out.extend(FIGURES.iter().find(|f| f.id == figure));
            }
        }
    }
    out
}

#[test]
fn figures_that_ask_for_something_to_be_put_in_are_those_that_can_take_it() {
    let asking: Vec<&str> = asking().iter().map(|f| f.id).collect();
    let able = FIGURES.iter().filter(|f| {
        let p = opened(f, "");
        !picture(f, &p).handles(&p).is_empty()
    });
    let able: Vec<&str> = able.map(|f| f.id).collect();
    assert_eq!(asking, able);
    assert!(able.len() >= 4);
}

#[test]
fn what_can_be_put_in_has_words_and_does_not_begin_right() {
    for figure in asking() {
        let mut dice = Dice::new(7);
        let mut all = vec![opened(figure, "")];
        all.extend((0..20).map(|_| params(&dice.query(figure.page, "", 64))));
        for (k, p) in all.iter().enumerate() {
            let handles = figure
                .compute(p)
                .map_or_else(|_| Vec::new(), |f| f.handles(p));
            for handle in &handles {
                let (from, to) = handle.range;
                assert!(
                    from <= to && (from..=to).contains(&handle.start),
                    "{handle:?}"
                );
                assert!((handle.snapped(handle.start) - handle.start).abs() < 1e-9);
                for lang in [Lang::Zh, Lang::En] {
                    let key = format!("figure.{}.put.{}", figure.id, handle.name);
                    assert_ne!(say!(lang, &key), key);
                }
            }
            // A right place can be reached, and what nobody has moved is not there.
            let reached = |h: &Handle| h.right.iter().any(|x| h.is_right(h.snapped(*x)));
            if k == 0 {
                assert!(handles.iter().all(reached), "{}", figure.id);
            }
            let moved = |h: &Handle| h.range.0 == h.range.1 || !h.is_right(h.start);
            assert!(handles.iter().all(moved), "{}: {handles:?}", figure.id);
        }
    }
}

/// Presses a fine lattice of points until one puts `which` rightly.
fn press(scene: &Scene, picture: &dyn Picture, p: &Params, which: usize, handle: &Handle) -> bool {
    let points = (0..200).flat_map(|y| (0..400).map(move |x| (x, y)));
    let at = |(x, y)| (f64::from(x) / 400.0 * SIZE.0, f64::from(y) / 200.0 * SIZE.1);
    points
        .filter_map(|point| picture.put(scene.hit(at(point))?, p))
        .any(|(k, x)| k == which && handle.is_right(x) && (handle.snapped(x) - x).abs() < 1e-9)
}

#[test]
fn a_press_puts_it_there_and_what_is_put_is_drawn() {
    for figure in asking() {
        let p = opened(figure, "");
        let picture = picture(figure, &p);
        let handles = picture.handles(&p);
        let first = start(&handles);
        let asked = picture.draw(&p, &view(false, Some(first)));
        for (k, handle) in handles.iter().enumerate() {
            assert!(
                press(&asked, &*picture, &p, k, handle),
                "{}: {}",
                figure.id,
                handle.name
            );
            let mut moved = first;
            moved[k] = handle.snapped(handle.right[0]);
            for reveal in [false, true] {
                let before = picture.draw(&p, &view(reveal, Some(first)));
                let after = picture.draw(&p, &view(reveal, Some(moved)));
                assert_ne!(before, after, "{}: {}", figure.id, handle.name);
            }
        }
        // Without anything put in nothing of it is drawn.
        assert_ne!(
            picture.draw(&p, &view(true, None)),
            picture.draw(&p, &view(true, Some(first)))
        );
    }
}

fn right(id: &str, query: &str) -> Vec<Vec<f64>> {
    let figure = FIGURES.iter().find(|f| f.id == id).expect("a figure");
    let p = opened(figure, query);
    let handles = picture(figure, &p).handles(&p);
    handles.into_iter().map(|h| h.right).collect()
}

#[test]
fn the_hand_of_pair_0_is_at_as_many_radians_as_positions_whatever_base_and_scaling() {
    for query in ["", "base=100", "scaling=linear&factor=4", "scheme=xpos"] {
        for pos in [0, 1, 3, 20] {
            let all = &right("rope-circles", &format!("{query}&pos={pos}"))[0];
            let want = f64::from(pos).to_degrees() % 360.0;
            assert!(
                all.iter().any(|x| (x - want).abs() < 1e-9),
                "{query} {pos}: {all:?}"
            );
        }
    }
}

#[test]
fn the_ends_of_the_step_are_those_that_the_crate_half_rounds_alike() {
    for (query, last) in [
        ("", 8191_u16),
        ("target_len=1001", 1000),
        ("target_len=300", 299),
    ] {
        let round = |n: u16| half::bf16::from_f32(f32::from(n)).to_f32();
        let own = |n: &u16| round(*n) == round(last);
        let (low, high) = ((0..=last).find(own), (last..9000).rev().find(own));
        let want = [low, high].map(|n| vec![f64::from(n.expect("itself"))]);
        assert_eq!(right("ctx-precision", query), want, "{query}");
    }
    assert_eq!(right("ctx-precision", ""), [[8176.0], [8224.0]]);
}

#[test]
fn ntk_leaves_the_first_pair_and_divides_the_last_by_s() {
    for (query, s) in [
        ("", 4.0_f64),
        ("factor=8", 8.0),
        ("scaling=yarn&factor=2.5", 2.5),
    ] {
        let all = right("ctx-scaling", query);
        assert!(
            all[0][0].abs() < 1e-12 && (all[1][0] + s.log2()).abs() < 1e-12,
            "{query} {all:?}"
        );
    }
}

#[test]
fn the_most_similar_patches_are_the_next_ones_in_the_row_of_numbers() {
    // Numbered row by row: the neighbour of the end of a row is the beginning of the next.
    for (query, want) in [
        ("pos=90", vec![89.0, 91.0]),
        ("pos=0", vec![1.0]),
        ("pos=195", vec![194.0]),
        ("pos=27", vec![26.0, 28.0]),
    ] {
        assert_eq!(right("img-patches", query), [want], "{query}");
    }
}
