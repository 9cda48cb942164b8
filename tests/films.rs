//! Films: every figure has one, which begins and ends at what the figure shows at rest, moves all the way, and draws
//! nothing that cannot be drawn.

use posenc_lab::figure::kit::colour::Colours;
use posenc_lab::figure::kit::scene::Scene;
use posenc_lab::figure::{FIGURES, Figure, View, page_of};
use posenc_lab::state::{Lang, Params, decode, resolve};

/// Pictures of a film that are looked at, and how many of its steps they are spread over.
const PICTURES: usize = 60;
const STEPS: f64 = 6.0;

fn params(figure: &Figure, query: &str) -> Params {
    let address = format!("page={}&{query}", figure.page.id());
    resolve(&decode(&address).0, page_of).0
}

/// As on a laptop.
fn view(height: f64, reveal: bool) -> View {
    View {
        width: 760.0,
        height,
        lang: Lang::En,
        colours: Colours::of(false),
        reveal,
        guess: None,
    }
}

/// What is seen `gone` steps on.
fn scene(figure: &Figure, p: &Params, gone: f64, reveal: bool) -> Scene {
    let picture = figure.compute(p).expect("computed");
    let height = picture.height(760.0).min(470.0);
    picture.draw(&figure.film.at(p, gone), &view(height, reveal))
}

#[test]
fn a_film_begins_and_ends_at_what_the_figure_shows() {
    for figure in FIGURES {
        let p = params(figure, "");
        let picture = figure.compute(&p).expect("computed");
        let height = picture.height(760.0).min(470.0);
        let rest = picture.draw(&p, &view(height, true));
        assert!(scene(figure, &p, 0.0, true) == rest, "{}", figure.id);
        // Once round. A place beyond those of the film is not come back to.
        let round = (figure.film.frames)(&p) as f64;
        let inside = figure
            .film
            .key
            .is_none_or(|key| p.number(key) < Some(round));
        if inside {
            assert!(scene(figure, &p, round, true) == rest, "{}", figure.id);
        }
    }
}

#[test]
fn a_film_moves_from_each_picture_to_the_next() {
    for figure in FIGURES {
        let p = params(figure, "");
        let all: Vec<Scene> = (0..PICTURES)
            .map(|k| scene(figure, &p, STEPS * k as f64 / PICTURES as f64, true))
            .collect();
        let same = all.windows(2).filter(|two| two[0] == two[1]).count();
        // Where a film has run to the last place it waits for the next.
        assert!(same <= PICTURES / 6, "{}: {same} stand still", figure.id);
    }
}

#[test]
fn whatever_the_parameters_a_film_draws_numbers_and_hides_what_is_asked() {
    for query in [
        "",
        "seq_len=1&max_rel_dist=1&grid=1x1&window=1x1&trained=9x9&blocks=text:1&seconds=1&orig_len=4096&target_len=16",
        "scaling=yarn&factor=16&seq_len=100&causal=1&scheme=t5&blocks=image:9x9&seconds=100&orig_len=512&target_len=90000",
        "scaling=longrope&factor=4&pos=7&i=7&j=1&q=3&k=2&dim=5&scheme=learned&d_model=8&heads=2",
        "scaling=dynamic&d_model=2&heads=1&scheme=alibi",
    ] {
        for figure in FIGURES {
            let p = params(figure, query);
            if figure.compute(&p).is_err() {
                continue;
            }
            let rest = scene(figure, &p, 0.0, false).veils;
            for (gone, reveal) in [
                (0.5, true),
                (3.3, true),
                (5.9, true),
                (2.1, false),
                (11.9, false),
            ] {
                let scene = scene(figure, &p, gone, reveal);
                let marks = format!("{:?}", scene.marks);
                for wrong in ["NaN", "(inf", "-inf", ", inf"] {
                    assert!(
                        !marks.contains(wrong),
                        "{} {query} {gone}: {wrong}",
                        figure.id
                    );
                }
                // What is asked is hidden all the time, in the same places.
                if !reveal {
                    assert_eq!(
                        scene.veils.len(),
                        rest.len(),
                        "{} {query} {gone}",
                        figure.id
                    );
                }
            }
        }
    }
}
