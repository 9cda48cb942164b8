//! Tests of `audio-frames`.

use super::*;
use crate::core::encoding::Scheme;
use crate::core::sound::Envelope;
use crate::state::{decode, resolve};

fn params(query: &str) -> Params {
    let query = format!("page=multimodal&{query}");
    resolve(&decode(&query).0, crate::figure::page_of).0
}

fn number(p: &Params, name: &str) -> f64 {
    let of = |figure: &Figure| figure.compute(p).expect("computed").readouts(p, Lang::En);
    let readouts = [of(&FIGURE), of(&bias::FIGURE)].concat();
    let found = readouts.iter().find(|r| r.name == name);
    found.and_then(|r| r.number).expect(name)
}

#[test]
fn an_hour_has_180000_frames_of_which_training_met_1500() {
    let p = params("seconds=3600");
    assert_eq!(number(&p, "frames"), 180_000.0);
    assert_eq!(number(&p, "trained-frames"), 1500.0);
    assert_eq!(number(&p, "unseen-frames"), 178_500.0);
    assert_eq!(number(&params("seconds=1"), "unseen-frames"), 0.0);
    assert_eq!(number(&params("seconds=30"), "rope-unmet"), 0.0);
    // 2π · 10000^(i/64) > 1499 from i = 39 on, of 64 pairs.
    assert_eq!(number(&p, "rope-unmet"), 25.0);
}

#[test]
fn a_table_follows_the_beat_only_within_its_reach() {
    let short = params("max_rel_dist=16");
    let long = params("max_rel_dist=64");
    let beat = number(&long, "beat-likeness");
    assert_eq!(number(&long, "beat-relative"), beat);
    assert!(beat - number(&short, "beat-relative") > 0.2, "{beat}");
    assert!(beat - number(&short, "beat-t5") > 0.1, "{beat}");
    assert_eq!(number(&long, "beat-frames"), 25.0);
}

#[test]
fn stretches_end_at_the_end_and_follow_the_schemes() {
    let of = |query: &str, scheme: &str| {
        let p = params(query);
        let (frames, trained) = (p.sound.seconds * p.sound.rate, 30 * p.sound.rate);
        let scheme = Scheme::by_id(scheme).expect("a scheme");
        let strip = strip(scheme, &p, (frames, trained)).expect("valid");
        let figure = AudioFrames {
            frames,
            trained,
            head: 0,
            strips: Vec::new(),
            sound: p.sound,
        };
        figure.stretches(&strip.expect("something to say"))
    };
    assert_eq!(of("seconds=1", "learned"), [(50, Met::Seen)]);
    let whole = [(1500, Met::Seen), (3000, Met::Missing)];
    assert_eq!(of("seconds=60", "learned"), whole);
    let clipped = [(16, Met::Seen), (3000, Met::Shared)];
    assert_eq!(of("seconds=60", "relative"), clipped);
    let beyond = [(30, Met::Seen), (60, Met::Unseen)];
    assert_eq!(of("seconds=60&rate=1", "t5"), beyond);
    assert_eq!(of("seconds=60&rate=1&max_rel_dist=99", "relative"), beyond);
}

#[test]
fn a_recording_takes_the_place_of_the_rhythm() {
    let mut p = params("seconds=4");
    let clicks = |k: usize| if k % 600 < 20 { 1.0 } else { 0.0 };
    let samples: Vec<f32> = (0..8000).map(clicks).collect();
    let mut recording = Envelope::new(samples.len(), 2000.0);
    recording.push(&samples);
    p.sound.recording = Some(Arc::new(recording));
    // Clicks 0.3 s apart: 200 beats a minute.
    p.sound.bpm = 200;
    assert!(number(&p, "beat-likeness") > 0.5);
    for figure in [FIGURE, bias::FIGURE] {
        let other = figure.reads(&params("seconds=4&bpm=200"));
        assert!(figure.reads(&p) != other);
    }
}

#[test]
fn two_hours_are_drawn_with_no_more_than_a_second() {
    let view = View {
        width: 900.0,
        height: 540.0,
        lang: Lang::En,
        colours: crate::figure::kit::colour::Colours::of(false),
        reveal: true,
        guess: None,
    };
    let size = |query: &str| {
        let p = params(query);
        let scene = compute(&p).expect("computed").draw(&p, &view);
        format!("{:?}", scene.marks).len()
    };
    let (short, long) = (size("seconds=1"), size("seconds=7200&rate=200"));
    assert!(long < 2 * short, "{short} {long}");
}
