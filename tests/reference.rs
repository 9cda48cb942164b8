//! Replays the reference files: numbers that trusted libraries wrote, against the core's.
//!
//! `cargo test --release --test reference` reads `tests/reference/`, or the folder that the
//! environment variable `REFERENCE_DIR` names (relative to the current folder or to the crate).
//! Each case is a test of its own, named file::id, so `cargo test --test reference rotate` runs
//! those with "rotate" in their name. After the tests stands, for each file, how many cases were
//! replayed and the error that came closest to its limit, for each kind of number.
//!
//! Nothing is passed over in silence. A kind that is neither covered nor in [`PENDING`] fails, and
//! so do an input or an expected value that the replay did not use, a case that compared nothing,
//! an empty file, an empty folder, and a file missing from `tests/reference/`.

mod replay;
mod setting;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::{Arc, Mutex};

use libtest_mimic::{Arguments, Failed, Trial};
use replay::case::Case;
use replay::json::Fields;
use replay::report::Report;
use serde_json::Value;

/// Kinds of cases that the core does not cover yet; printed as pending.
const PENDING: &[&str] = &[];

/// The files that `tests/reference/` must have, by the start of their names.
const FILES: &[&str] = &["01", "02", "03", "04", "05", "06", "07", "08", "09"];

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let report = Arc::new(Mutex::new(Report::default()));
    let mut pending = BTreeMap::new();
    let trials = match trials(&report, &mut pending) {
        Ok(trials) => trials,
        Err(why) => {
            eprintln!("error: {why}");
            return ExitCode::FAILURE;
        }
    };
    let listing = arguments.list;
    let conclusion = libtest_mimic::run(&arguments, trials);
    if !listing {
        let text = report.lock().map(|r| r.text(&pending)).unwrap_or_default();
        println!("{text}");
    }
    conclusion.exit_code()
}

/// Pending cases: for each file, how many of each kind.
type Pending = BTreeMap<String, BTreeMap<String, usize>>;

/// One test a case of every file in the folder.
fn trials(report: &Arc<Mutex<Report>>, pending: &mut Pending) -> Result<Vec<Trial>, String> {
    let mut trials = Vec::new();
    for path in files(&folder()?)? {
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        let name = name.into_owned();
        let in_file = |why: String| format!("{}: {why}", path.display());
        let text = std::fs::read_to_string(&path).map_err(|e| in_file(e.to_string()))?;
        let file: Value = serde_json::from_str(&text).map_err(|e| in_file(e.to_string()))?;
        let cases = file["cases"].as_array().filter(|c| !c.is_empty());
        let cases = cases.ok_or_else(|| in_file("it has no cases".into()))?;
        // The field says which file of the series this is, whatever its name on disk.
        let series = file["file"].as_str().unwrap_or(&name).to_owned();
        for case in cases {
            let id = case["id"]
                .as_str()
                .ok_or_else(|| in_file("a case without an id".into()))?;
            let kind = replay::kind_of(&series, case);
            match (
                replay::find(&series, &kind),
                PENDING.contains(&kind.as_str()),
            ) {
                (None, true) => {
                    let of_file = pending.entry(name.clone()).or_default();
                    *of_file.entry(kind).or_default() += 1;
                }
                (Some(_), true) => return Err(format!("{kind} is covered: take it off PENDING")),
                (run, false) => {
                    let (case, report) = (case.clone(), Arc::clone(report));
                    let (name, id) = (name.clone(), id.to_owned());
                    trials.push(Trial::test(format!("{name}::{id}"), move || {
                        let run = run.ok_or_else(|| format!("unknown kind {kind:?}"))?;
                        let fields = Fields::new("the case", &case)?;
                        let mut case = Case::open(fields)?;
                        let result = run(&mut case).and_then(|()| case.close());
                        if let Ok(mut report) = report.lock() {
                            report.add(&name, &kind, &id, case.checks());
                        }
                        result.map_err(Failed::from)
                    }));
                }
            }
        }
    }
    Ok(trials)
}

fn folder() -> Result<PathBuf, String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let Some(given) = std::env::var_os("REFERENCE_DIR") else {
        return Ok(root.join("tests/reference"));
    };
    [PathBuf::from(&given), root.join(&given)]
        .into_iter()
        .find(|folder| folder.is_dir())
        .ok_or_else(|| format!("REFERENCE_DIR: there is no folder {given:?}"))
}

/// The reference files of a folder, in order of their names.
fn files(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let about = |why: String| format!("{}: {why}", folder.display());
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(|e| about(e.to_string()))? {
        let path = entry.map_err(|e| about(e.to_string()))?.path();
        if path.extension().is_some_and(|e| e == "json") {
            files.push(path);
        }
    }
    files.sort();
    if files.is_empty() {
        return Err(about("it holds no reference file".into()));
    }
    let has = |start: &str| {
        let named = |p: &PathBuf| {
            p.file_name()
                .is_some_and(|n| n.to_string_lossy().starts_with(start))
        };
        files.iter().any(named)
    };
    match FILES.iter().find(|start| !has(start)) {
        Some(start) if std::env::var_os("REFERENCE_DIR").is_none() => {
            Err(about(format!("file {start} is missing")))
        }
        _ => Ok(files),
    }
}
