//! The toy model of `order` against PyTorch, in float64: weights of every layer and head, and outputs.
//!
//! The random numbers are ours and stand in `inputs.json`; `model.py` builds the model of PyTorch's own
//! layer norm, softmax and attention and each encoding from its paper, and writes `expected.json`:
//!
//! ```sh
//! UPDATE_INPUTS=1 cargo test --test toy_model   # after a change of what is drawn at random
//! python tests/toy_model/model.py               # needs torch
//! ```

use std::fs;

use posenc_lab::core::Matrix;
use posenc_lab::core::encoding::rope_scaling::LongContext;
use posenc_lab::core::encoding::{Prepared, Scheme, Setting, row_major};
use posenc_lab::core::toy::{ToyModel, layer_norm, random_vectors, token_vectors};
use posenc_lab::figure::page_of;
use posenc_lab::state::{decode, resolve};
use posenc_lab::vectors::vectors;
use serde_json::{Map, Value as Json, json};

const FOLDER: &str = "tests/toy_model";
/// The shape of every case.
const SHAPE: &str = "d_model=8&heads=2&max_rel_dist=2&seed=7";
const LAYERS: usize = 4;

fn setting(more: &str) -> Setting {
    resolve(&decode(&format!("page=order&{SHAPE}&{more}")).0, page_of)
        .0
        .setting
}

fn scheme(id: &str) -> Scheme {
    Scheme::by_id(id).expect("a scheme of the list")
}

fn rows(m: &Matrix) -> Vec<Vec<f64>> {
    m.row_iter().map(|r| r.iter().copied().collect()).collect()
}

/// The numbers of each head's table.
fn table(id: &str, s: &Setting) -> Vec<Vec<f64>> {
    let by_offset = scheme(id).offsets(s).expect("valid");
    let columns = by_offset.numbers().expect("a table").columns;
    let head = |h| (0..columns).map(|c| by_offset.column(h, c)).collect();
    (0..s.heads).map(head).collect()
}

/// All that is drawn at random.
fn inputs() -> Json {
    let s = setting("");
    let tokens: Map<String, Json> = ('a'..='l')
        .map(|c| {
            let row = token_vectors(s.seed, &[c.to_string()], s.d_model);
            (c.to_string(), json!(row_major(&row)))
        })
        .collect();
    let projections = |name: &str| -> Vec<_> {
        let deviation = 1.0 / (s.d_model as f64).sqrt();
        let of = |l| random_vectors(s.seed, &format!("{name} {l}"), s.d_model, s.d_model);
        (0..LAYERS).map(|l| rows(&(of(l) * deviation))).collect()
    };
    let Ok(Prepared::Additive(learned)) = scheme("learned").prepare(&s, 12) else {
        panic!("learned vectors are added");
    };
    let Ok(Prepared::Keys(shaw)) = scheme("shaw").prepare(&s, 12) else {
        panic!("shaw adds to keys");
    };
    let kernel = scheme("kerple").offsets(&s).expect("valid");
    let kernel = |h| kernel.named(h).into_iter().map(|(_, x)| x).collect();
    let kernels: Vec<Vec<f64>> = (0..s.heads).map(kernel).collect();
    json!({
        "tokens": tokens,
        "w_q": projections("w_q"),
        "w_k": projections("w_k"),
        "w_v": projections("w_v"),
        "w_o": projections("w_o"),
        "learned": rows(&learned),
        "relative": table("relative", &s),
        "t5": table("t5", &s),
        "t5_causal": table("t5", &setting("causal=1")),
        "shaw": shaw.tables.iter().map(rows).collect::<Vec<_>>(),
        "kerple": kernels,
    })
}

fn read(name: &str) -> Json {
    let text =
        fs::read_to_string(format!("{FOLDER}/{name}")).unwrap_or_else(|e| panic!("{name}: {e}"));
    serde_json::from_str(&text).expect(name)
}

/// Every number of a JSON value, in order.
fn numbers(value: &Json) -> Vec<f64> {
    match value {
        Json::Array(all) => all.iter().flat_map(numbers).collect(),
        Json::Object(all) => all.values().flat_map(numbers).collect(),
        other => other.as_f64().into_iter().collect(),
    }
}

fn farthest(a: &[f64], b: &[f64]) -> f64 {
    assert_eq!(a.len(), b.len());
    let pairs = a.iter().zip(b);
    pairs.map(|(x, y)| (x - y).abs()).fold(0.0, f64::max)
}

#[test]
fn the_random_numbers_are_those_of_the_file() {
    let now = inputs();
    if std::env::var_os("UPDATE_INPUTS").is_some() {
        let text = serde_json::to_string(&now).expect("JSON");
        fs::write(
            format!("{FOLDER}/inputs.json"),
            text.replace("],\"", "],\n\"") + "\n",
        )
        .expect("written");
    }
    let then = read("inputs.json");
    let keys =
        |j: &Json| -> Vec<String> { j.as_object().expect("names").keys().cloned().collect() };
    assert_eq!(keys(&now), keys(&then));
    assert!(farthest(&numbers(&now), &numbers(&then)) < 1e-15);
    assert_eq!(setting("").context, LongContext::default());
}

#[test]
fn the_toy_model_is_that_of_pytorch() {
    let expected = read("expected.json");
    let cases = expected["cases"].as_array().expect("cases");
    let mut schemes = Vec::new();
    for case in cases {
        let query = case["query"].as_str().expect("a query");
        let object = vectors(&format!("page=order&{SHAPE}&{query}"));
        let codes: Vec<_> = numbers_of_notices(&object);
        assert!(
            codes
                .iter()
                .all(|c| c == "toy-factors" || c == "no-permutation"),
            "{query}: {codes:?}"
        );
        for name in ["weights", "output"] {
            let of = format!("a_{name}");
            let (got, wanted) = (&object["arrays"][&of]["data"], &case[name]);
            let off = farthest(&numbers(got), &numbers(wanted));
            assert!(off < 1e-9, "{query}: {name} differ by {off}");
        }
        schemes.push(
            object["params"]["scheme"]
                .as_str()
                .expect("a scheme")
                .to_owned(),
        );
    }
    schemes.sort_unstable();
    schemes.dedup();
    assert!(schemes.len() >= 10, "cases of {schemes:?} only");
}

/// What `attention-steps` shows: the stages of each head of the first layer end in PyTorch's weights, and
/// where there is no further layer in its outputs.
#[test]
fn the_stages_of_a_head_end_in_the_numbers_of_pytorch() {
    let expected = read("expected.json");
    let mut single = 0;
    for case in expected["cases"].as_array().expect("cases") {
        let query = case["query"].as_str().expect("a query");
        let p = resolve(&decode(&format!("page=order&{SHAPE}&{query}")).0, page_of).0;
        let s = &p.setting;
        let model = ToyModel::new(s.seed, s.d_model, s.heads, p.layers);
        let x = token_vectors(s.seed, &p.tokens_a, s.d_model);
        let prepared = p.scheme.prepare(s, x.nrows()).expect("valid");
        let layer = model.first().expect("a layer");
        let all: Vec<_> = (0..s.heads)
            .map(|head| layer.steps(&x, &prepared, s.causal, head).expect("fits"))
            .collect();
        let weights: Vec<f64> = all.iter().flat_map(|h| row_major(&h.weights)).collect();
        let wanted = numbers(&case["weights"]);
        let off = farthest(&weights, &wanted[..weights.len()]);
        assert!(off < 1e-9, "{query}: weights differ by {off}");
        if p.layers == 1 {
            single += 1;
            let head_dim = s.head_dim();
            let joined = Matrix::from_fn(x.nrows(), s.d_model, |row, c| {
                all[c / head_dim].output[(row, c % head_dim)]
            });
            let output = &all[0].input + joined * layer.w_o.transpose();
            let off = farthest(&row_major(&output), &numbers(&case["output"]));
            assert!(off < 1e-9, "{query}: outputs differ by {off}");
        }
    }
    assert!(single > 5, "{single} cases of one layer");
}

fn numbers_of_notices(object: &Json) -> Vec<String> {
    let all = object["notices"].as_array().expect("notices");
    all.iter()
        .filter_map(|n| n["code"].as_str().map(str::to_owned))
        .collect()
}

/// Where the variance is small, ε decides.
#[test]
fn layer_norm_is_that_of_pytorch() {
    let expected = read("expected.json");
    for case in expected["layer_norm"].as_array().expect("cases") {
        let x = numbers(&case["x"]);
        let got = layer_norm(&Matrix::from_row_slice(1, x.len(), &x));
        let off = farthest(got.as_slice(), &numbers(&case["y"]));
        assert!(off < 1e-12, "{x:?}: {off}");
    }
}
