//! Golden scenes: what each figure draws and says at one set of parameters, as a text that can be read.
//!
//! `tests/scenes/<figure>.txt` is what it should be. A figure that differs leaves
//! `<figure>.txt.changed` beside it; look at both, and if the new one is right,
//! `UPDATE_SCENES=1 cargo test --test scenes` takes it over.
//!
//! Numbers are compared within what they are written to, so that a last digit that the optimiser or
//! another processor rounds differently is no change.

#[path = "golden/alike.rs"]
mod alike;
#[path = "golden/written.rs"]
mod written;

use std::path::PathBuf;

use posenc_lab::figure::{FIGURES, Figure};
use posenc_lab::state::Page;

use alike::difference;
use written::dump;

/// Parameters at which nothing is symmetric by chance: rows are no columns, queries no keys.
fn query(figure: &Figure) -> &'static str {
    match (figure.id, figure.page) {
        ("attention", _) => {
            "d_model=16&heads=2&head=1&seq_len=7&i=5&j=2&max_rel_dist=3&causal=1&bias=decay"
        }
        ("rel-bias", _) => {
            "d_model=16&heads=2&head=1&seq_len=9&i=6&j=2&max_rel_dist=4&bias_edits=1:2:1.5"
        }
        ("img-patches" | "img-resize", _) => {
            "d_model=32&heads=2&grid=3x4&trained=2x3&pos=6&image=rings"
        }
        ("swin-index", _) => "d_model=32&heads=2&head=1&window=2x3&i=4&j=2&bias=decay",
        ("audio-frames" | "audio-bias", _) => "d_model=32&heads=2&seconds=2&rate=20&bpm=90",
        ("mrope-grid" | "mrope-scores" | "modality-bias", _) => {
            "d_model=64&heads=2&blocks=text:2,image:2x3,audio:2&q=9&k=4&mod_bias=audio:image:0.5"
        }
        ("attention-steps", _) => {
            "d_model=8&heads=2&head=1&scheme=relative&max_rel_dist=2&causal=1&step=5&i=2&j=1&text_a=猫/追/狗/了"
        }
        (_, Page::Order) => {
            "d_model=8&heads=2&layers=2&scheme=rope&i=2&j=1&dim=5&text_a=猫/追/狗/了&text_b=狗/追/猫/了"
        }
        (_, Page::Relative) => "d_model=16&heads=2&head=1&seq_len=9&i=6&j=2&max_rel_dist=3",
        (_, Page::Rope) => {
            "d_model=16&heads=2&seq_len=10&pos=7&i=6&j=2&dim=11&base=100&scaling=yarn&orig_len=16"
        }
        (_, Page::Context) => {
            "d_model=32&heads=2&scaling=yarn&factor=4&orig_len=256&target_len=1024&dim=9&pos=40"
        }
        (_, Page::Compare) => "d_model=16&heads=2&head=1&seq_len=9&i=6&j=2&max_rel_dist=3&seed=7",
        _ => "d_model=16&heads=2&seq_len=12&pos=7&dim=5&i=9&j=4&shift=3",
    }
}

fn file(figure: &Figure) -> PathBuf {
    PathBuf::from(format!("tests/scenes/{}.txt", figure.id))
}

#[test]
fn figures_draw_and_say_what_they_did() {
    let update = std::env::var_os("UPDATE_SCENES").is_some();
    let mut changed = Vec::new();
    for figure in FIGURES {
        let (file, got) = (file(figure), dump(figure, query(figure)));
        assert!(got.len() < 30_000, "{}: {} bytes", figure.id, got.len());
        let wanted = std::fs::read_to_string(&file).unwrap_or_default();
        let beside = file.with_extension("txt.changed");
        let Some(off) = difference(&wanted, &got) else {
            let _ = std::fs::remove_file(beside);
            continue;
        };
        let to = if update { &file } else { &beside };
        std::fs::write(to, &got).expect("tests/scenes can be written");
        if update {
            let _ = std::fs::remove_file(beside);
        } else {
            changed.push(format!("{}, {off}", file.display()));
        }
    }
    assert!(
        changed.is_empty(),
        "{}\nIf that is right: UPDATE_SCENES=1 cargo test --test scenes",
        changed.join("\n")
    );
}

#[test]
fn every_golden_scene_is_of_a_figure() {
    let ids: Vec<String> = FIGURES.iter().map(|f| format!("{}.txt", f.id)).collect();
    for entry in std::fs::read_dir("tests/scenes").expect("the golden scenes") {
        let name = entry
            .expect("a file")
            .file_name()
            .to_string_lossy()
            .into_owned();
        let known = ids.contains(&name) || name.ends_with(".changed");
        assert!(known, "tests/scenes/{name} is of no figure");
    }
}
