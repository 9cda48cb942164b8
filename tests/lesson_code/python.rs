//! Python compiles panels, runs them where torch is there, and answers with their arrays.

use std::io::Write;
use std::process::{Command, Stdio};

use serde_json::Value as Json;

/// Reads cases, compiles each and, where torch is there, runs it, then `after` and the traced line
/// again, and answers with the arrays asked for.
const DRIVER: &str = r#"
import contextlib, io, json, sys
cases = json.load(sys.stdin)
try:
    import torch
    version = torch.__version__
except ImportError:
    version = None

def run(case):
    code = compile(case["code"], case["id"] + ".py", "exec")
    if version is None:
        return {}
    torch.set_default_dtype(torch.float32)
    names, printed = {"__name__": "__main__"}, io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(code, names)
        if case["after"]:
            names["given"] = case["given"]
            exec(compile(case["after"], "after", "exec"), names)
            exec(compile(case["traced"], "traced", "exec"), names)
    if not printed.getvalue():
        raise AssertionError("nothing was printed")
    for call in case["refused"]:
        try:
            eval(call, names)
        except ValueError as error:
            if not str(error):
                raise AssertionError(call + " says nothing")
        else:
            raise AssertionError(call + " is not refused")
    out = {}
    for name in case["names"]:
        array = torch.as_tensor(names[name]).detach().double()
        out[name] = {"shape": list(array.shape), "data": array.flatten().tolist()}
    return out

answers = []
for case in cases:
    try:
        answers.append({"arrays": run(case)})
    except Exception as error:
        answers.append({"error": f"{type(error).__name__}: {error}"})
json.dump({"torch": version, "answers": answers}, sys.stdout)
"#;

/// The answer of Python, or `None` if there is none.
pub fn python(cases: &Json) -> Option<Json> {
    let named = std::env::var("PYTHON").ok();
    let program = named.as_deref().unwrap_or("python3");
    let child = Command::new(program)
        .args(["-c", DRIVER])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn();
    let mut child = match child {
        Ok(child) => child,
        Err(error) if named.is_none() && error.kind() == std::io::ErrorKind::NotFound => {
            return None;
        }
        Err(error) => panic!("{program}: {error}"),
    };
    let mut stdin = child.stdin.take().expect("a pipe");
    let text = cases.to_string();
    let writer = std::thread::spawn(move || stdin.write_all(text.as_bytes()));
    let output = child.wait_with_output().expect("python ends");
    writer
        .join()
        .expect("no panic")
        .expect("python reads the cases");
    assert!(
        output.status.success(),
        "{program} failed: {}",
        output.status
    );
    Some(serde_json::from_slice(&output.stdout).expect("JSON from python"))
}

/// The largest difference, relative to the larger numbers.
pub fn difference(got: &Json, want: &Json) -> Result<f64, String> {
    if got["shape"] != want["shape"] {
        return Err(format!(
            "shape {} instead of {}",
            got["shape"], want["shape"]
        ));
    }
    let numbers = |array: &Json| -> Vec<f64> {
        let data = array["data"].as_array().expect("data");
        data.iter()
            .map(|x| x.as_f64().unwrap_or(f64::NAN))
            .collect()
    };
    let (got, want) = (numbers(got), numbers(want));
    if got.len() != want.len() {
        return Err(format!("{} numbers instead of {}", got.len(), want.len()));
    }
    let worst = got
        .iter()
        .zip(&want)
        .map(|(g, w)| (g - w).abs() / w.abs().max(1.0))
        .fold(0.0, |worst: f64, d| {
            if d.is_nan() {
                f64::INFINITY
            } else {
                worst.max(d)
            }
        });
    Ok(worst)
}
