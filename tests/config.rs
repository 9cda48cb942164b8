//! Configurations as published, against what transformers computes (`tests/config/published.py`), and the command.

use std::io::Write;
use std::process::{Command, Stdio};

use approx::assert_relative_eq;
use posenc_lab::config::object;
use posenc_lab::state::Lang;
use posenc_lab::state::config_text::read;
use serde_json::Value as Json;

fn published() -> Vec<Json> {
    let text = std::fs::read_to_string("tests/config/published.json").expect("the table");
    serde_json::from_str(&text).expect("JSON")
}

fn answer(config: &Json) -> Json {
    object(&read(&config.to_string()), Lang::En)
}

fn numbers(list: &Json) -> Vec<f64> {
    let all = list.as_array().expect("a list");
    all.iter().map(|x| x.as_f64().expect("a number")).collect()
}

#[test]
fn published_configurations_have_the_frequencies_of_transformers() {
    let all = published();
    assert!(all.len() >= 100, "{}", all.len());
    let mut compared = 0;
    for entry in &all {
        let (source, wanted) = (&entry["source"], &entry["expected"]);
        let got = answer(&entry["config"]);
        assert_eq!(
            got["scheme"], wanted["scheme"],
            "{source}: {}",
            got["problems"]
        );
        let layers = |o: &Json| o["layers"].as_array().expect("layers").clone();
        let named = |o: &Json, name: &Json| layers(o).into_iter().find(|l| l["name"] == *name);
        assert_eq!(
            layers(&got).len(),
            layers(wanted).len(),
            "{source}: {}",
            got["problems"]
        );
        for layer in layers(wanted) {
            let mine = named(&got, &layer["name"]).unwrap_or_else(|| panic!("{source}: {got}"));
            assert_eq!(mine["pairs"], layer["pairs"], "{source}");
            for name in ["base", "attention_factor"] {
                if let Some(x) = layer[name].as_f64() {
                    let y = mine[name]
                        .as_f64()
                        .unwrap_or_else(|| panic!("{source}: no {name}"));
                    assert_relative_eq!(y, x, max_relative = 1e-12);
                }
            }
            if layer["inv_freq"].is_array() {
                compared += 1;
                for (y, x) in numbers(&mine["inv_freq"])
                    .iter()
                    .zip(numbers(&layer["inv_freq"]))
                {
                    assert_relative_eq!(*y, x, max_relative = 1e-12);
                }
            }
        }
    }
    assert!(compared >= 50, "{compared}");
}

/// Every field of a text is told of once, in one of the groups, or is no concern of positions.
#[test]
fn no_field_is_dropped() {
    for entry in published() {
        let reading = read(&entry["config"].to_string());
        let fields = reading
            .read
            .iter()
            .chain(&reading.unused)
            .map(|f| f.name.clone());
        let told: Vec<String> = fields.chain(reading.left.iter().cloned()).collect();
        for name in entry["config"].as_object().expect("an object").keys() {
            let of = |t: &String| t == name || t.starts_with(&format!("{name}."));
            let outer = ["model_type", "architectures"].contains(&name.as_str());
            assert!(
                outer || told.iter().any(of),
                "{}: {name} of {told:?}",
                entry["source"]
            );
        }
    }
}

fn run(arguments: &[&str], input: &[u8]) -> (bool, String) {
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned());
    let mut child = Command::new(cargo)
        .args(["run", "--quiet", "--example", "config", "--"])
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("cargo");
    child
        .stdin
        .take()
        .expect("a pipe")
        .write_all(input)
        .expect("written");
    let out = child.wait_with_output().expect("an end");
    (
        out.status.success(),
        String::from_utf8(out.stdout).expect("UTF-8"),
    )
}

#[test]
fn the_command_prints_one_object_that_is_the_answer_of_the_page() {
    let all = published();
    let (good, text) = run(&["-"], all[4]["config"].to_string().as_bytes());
    let printed: Json = serde_json::from_str(&text).expect("one object");
    assert!(good);
    // Through the text, so that both sides have numbers as they are printed.
    let wanted: Json = serde_json::from_str(&answer(&all[4]["config"]).to_string()).expect("JSON");
    assert_eq!(printed, wanted);
    for name in ["scheme", "layers", "read", "assumed", "unused", "problems"] {
        assert!(printed.get(name).is_some(), "{name}");
    }
    // A file, in UTF-16.
    let file = std::env::temp_dir().join(format!("config-{}.json", std::process::id()));
    let wide: Vec<u8> = "\u{FEFF}{\"head_dim\": 8, \"rope_theta\": 10000}"
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .collect();
    std::fs::write(&file, wide).expect("written");
    let (good, text) = run(&[file.to_str().expect("a name")], b"");
    std::fs::remove_file(&file).expect("removed");
    assert!(good && text.contains("\"pairs\":4"), "{text}");
    let (good, text) = run(&["no such file"], b"");
    assert!(!good && text.is_empty());
}
