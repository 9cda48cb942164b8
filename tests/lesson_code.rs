//! The PyTorch panels as the page shows them: Python compiles them and, where torch is there, runs
//! them; their arrays are compared with the core's. `PYTHON` names the interpreter.

use std::collections::BTreeSet;
use std::io::Write;
use std::process::{Command, Stdio};

use posenc_lab::core::attention::MultiHead;
use posenc_lab::core::encoding::relative::{BiasStart, BiasTable};
use posenc_lab::core::encoding::rope::Rope;
use posenc_lab::core::encoding::sinusoidal::positions;
use posenc_lab::core::encoding::{Prepared, row_major, t5};
use posenc_lab::core::toy::{random_vectors, token_vectors};
use posenc_lab::core::{CoreError, Matrix};
use posenc_lab::figure::page_of;
use posenc_lab::lesson::code::{CODE, TRACED, fill, fill_text};
use posenc_lab::state::{Params, decode, open};
use posenc_lab::vectors::vectors;
use serde_json::{Map, Value as Json, json};

const TOLERANCE: f64 = 1e-5;

/// Panel and parameters: the course notes' sizes, small ones, and what changes the code's way.
const CASES: &[(&str, &str)] = &[
    ("order", "page=order&d_model=8&heads=2"),
    (
        "order",
        "page=order&d_model=8&heads=2&causal=1&layers=3&tokens=char&seed=7",
    ),
    (
        "order",
        "page=order&d_model=12&heads=3&layers=2&text_a=a \"b\" \\ a&text_b=\\ a \"b\" a",
    ),
    ("order", "page=order&d_model=512&heads=16"),
    (
        "sinusoidal",
        "page=absolute&d_model=768&heads=12&seq_len=10",
    ),
    ("sinusoidal", "page=absolute&d_model=2&seq_len=1&base=1.5"),
    (
        "sinusoidal",
        "page=absolute&d_model=8&seq_len=4096&layout=concatenated&pos=4000&dim=6",
    ),
    (
        "sinusoidal",
        "page=absolute&d_model=768&seq_len=64&layout=t2t&base=500000&dim=700",
    ),
    (
        "relative",
        "page=relative&d_model=768&heads=12&seq_len=10&max_rel_dist=128&i=9&j=2&head=11",
    ),
    (
        "relative",
        "page=relative&d_model=8&heads=2&seq_len=200&max_rel_dist=16&i=3&j=190&head=1&causal=1",
    ),
    (
        "relative",
        "page=relative&d_model=8&heads=2&seq_len=40&max_rel_dist=4&bias=decay&bias_edits=0:2:1.5,1:8:-3",
    ),
    (
        "relative",
        "page=relative&d_model=4&heads=1&seq_len=1&max_rel_dist=1&bias=zero",
    ),
    (
        "t5",
        "page=relative&scheme=t5&d_model=768&heads=12&seq_len=10&i=9&j=2",
    ),
    (
        "t5",
        "page=relative&scheme=t5&d_model=8&heads=2&seq_len=300&bias=decay&bias_edits=1:17:2&i=0&j=1&head=1",
    ),
    (
        "t5",
        "page=relative&scheme=t5&d_model=8&heads=2&seq_len=300&bias=decay&causal=1&i=299&j=0",
    ),
    (
        "t5",
        "page=relative&scheme=t5&d_model=4&heads=1&seq_len=1&bias=zero",
    ),
    (
        "alibi",
        "page=relative&scheme=alibi&d_model=768&heads=12&seq_len=10&i=9&j=2&head=11",
    ),
    (
        "alibi",
        "page=relative&scheme=alibi&d_model=8&heads=4&seq_len=130&causal=1",
    ),
    (
        "alibi",
        "page=relative&scheme=alibi&d_model=14&heads=7&seq_len=5&head=6",
    ),
    ("rope", "page=rope&d_model=768&heads=12&seq_len=10&dim=70"),
    (
        "rope",
        "page=rope&d_model=768&heads=12&seq_len=10&pairing=half&dim=100&causal=1",
    ),
    (
        "rope",
        "page=rope&d_model=8&heads=2&seq_len=4096&base=500000&i=4000&j=5&dim=7",
    ),
    (
        "rope",
        "page=rope&d_model=12&heads=2&seq_len=30&pairing=half&causal=1&i=2&j=20&dim=10",
    ),
    ("rope", "page=rope&d_model=2&heads=1&seq_len=1"),
    ("context", "page=context"),
    ("context", "page=context&preset=llama-2-7b&dim=70"),
    (
        "context",
        "page=context&preset=llama-2-7b&scaling=linear&factor=2.5&dim=5",
    ),
    (
        "context",
        "page=context&scaling=ntk&factor=8&d_model=128&heads=1&dim=127",
    ),
    (
        "context",
        "page=context&scaling=dynamic&factor=2&d_model=256&heads=2&orig_len=4096&target_len=10000",
    ),
    (
        "context",
        "page=context&scaling=dynamic&orig_len=4096&target_len=1000&pairing=half&dim=9",
    ),
    ("context", "page=context&preset=qwen2.5-7b&dim=90"),
    (
        "context",
        "page=context&scaling=yarn&factor=16&d_model=64&heads=1&orig_len=64&beta_fast=40&beta_slow=2&base=500",
    ),
    ("context", "page=context&preset=llama-3.1-8b&dim=76"),
    (
        "context",
        "page=context&scaling=yarn&factor=32&d_model=64&heads=1&orig_len=4096&base=150000&truncate=0&attention_factor=1.5",
    ),
    (
        "context",
        "page=context&scaling=llama3&factor=16&d_model=128&heads=1&orig_len=8192&base=500000&high_freq_factor=1",
    ),
    (
        "context",
        "page=context&scaling=longrope&d_model=96&heads=1&attention_factor=1.25",
    ),
    (
        "mrope",
        "page=multimodal&d_model=64&heads=1&mrope=qwen3vl&sections=11,11,10",
    ),
    ("mrope", "page=multimodal&sections=32,16,16"),
    (
        "context",
        "page=context&scaling=longrope&factor=32&orig_len=4096&target_len=131072&d_model=96&heads=1",
    ),
    (
        "context",
        "page=context&scaling=longrope&orig_len=4096&target_len=4096&d_model=2&heads=1",
    ),
    ("context", "page=context&scaling=ntk&d_model=2&heads=1"),
    ("grid", "page=multimodal"),
    (
        "grid",
        "page=multimodal&grid=3x5&d_model=8&heads=2&pos=14&dim=7",
    ),
    (
        "grid",
        "page=multimodal&grid=20x1&d_model=768&heads=12&pos=7&dim=500&base=100",
    ),
    ("mrope", "page=multimodal"),
    (
        "mrope",
        "page=multimodal&blocks=text:3,image:2x3,text:2,video:2x2x2,audio:8&mrope=qwen3vl&q=20&k=4",
    ),
    (
        "mrope",
        "page=multimodal&blocks=video:7x3x2,text:5,image:9x1&mrope=qwen25vl&fps=3&q=50&k=2&mod_bias=text:video:1.5",
    ),
    (
        "mrope",
        "page=multimodal&blocks=text:1,video:4x1x5&mrope=qwen25vl&fps=0.7&d_model=48&heads=2&base=10000&q=0&k=9",
    ),
    (
        "mrope",
        "page=multimodal&blocks=image:4x4,text:1&mrope=qwen3vl&d_model=64&heads=4&q=16&k=0&mod_bias=text:image:-2",
    ),
];

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

/// Past the test's capture of what it prints, so that it is seen when the test passes.
fn say(line: &str) {
    let _ = writeln!(std::io::stderr(), "lesson_code: {line}");
}

fn params(query: &str) -> Params {
    let (requested, mut notices) = decode(query);
    open(&requested, page_of, &mut notices)
}

fn rows(m: &Matrix) -> Json {
    json!(
        m.row_iter()
            .map(|r| r.iter().copied().collect::<Vec<f64>>())
            .collect::<Vec<_>>()
    )
}

/// The traced pair by its definition: the one that has the traced dimension.
fn pair_with(rope: &Rope, dim: usize) -> usize {
    let dim = dim % rope.head_dim();
    (0..rope.inv_freq().len())
        .find(|&i| {
            let (a, b) = rope.pairing().columns(i, rope.rotary_dim());
            a == dim || b == dim
        })
        .expect("every dimension has a pair")
}

fn array(shape: &[usize], data: &[f64]) -> Json {
    json!({"shape": shape, "data": data})
}

fn matrix(m: &Matrix) -> Json {
    array(&[m.nrows(), m.ncols()], &row_major(m))
}

fn number(x: f64) -> Json {
    array(&[], &[x])
}

/// What a panel is given besides its own code, and what it must compute.
#[derive(Default)]
struct Case {
    after: String,
    given: Map<String, Json>,
    refused: &'static [&'static str],
    want: Map<String, Json>,
}

impl Case {
    fn new(id: &str, query: &str, p: &Params) -> Result<Self, CoreError> {
        let mut case = Self::default();
        let mut page = vectors(query)["arrays"].clone();
        let mut keep = |names: &[&str]| {
            for &name in names {
                case.want.insert(name.to_owned(), page[name].take());
            }
        };
        match id {
            "order" => case.order(p, &page),
            "sinusoidal" => {
                keep(&["frequencies", "pe"]);
                let at = p.pos * p.setting.d_model + p.dim;
                case.cell(&case.want["pe"]["data"][at].clone());
                case.refused = &[
                    "AbsolutePositionalEncoding(7)",
                    "AbsolutePositionalEncoding(0)",
                    "AbsolutePositionalEncoding(2, layout='t2t')",
                    "AbsolutePositionalEncoding(8, max_len=1)(torch.zeros(2, 3, 8))",
                ];
            }
            "relative" | "t5" | "alibi" => {
                keep(&["index", "bias"]);
                if id == "alibi" {
                    keep(&["slopes"]);
                }
                let at = (p.head * p.seq_len + p.i) * p.seq_len + p.j;
                case.cell(&case.want["bias"]["data"][at].clone());
                case.bias(id, p)?;
            }
            "context" => {
                keep(&["inv_freq", "cos", "sin"]);
                case.want.insert(
                    "attention_factor".to_owned(),
                    number(page["attention_factor"]["data"][0].as_f64().expect("one")),
                );
                let rope = Rope::of(&p.setting)?;
                let pair = pair_with(&rope, p.dim);
                let last = p.setting.context.target_len as f64 - 1.0;
                case.cell(&json!(last * rope.inv_freq()[pair]));
                case.refused = &[
                    "scaled_inv_freq(7, 1e4, 'none', 1, 64, 64)",
                    "scaled_inv_freq(8, 1e4, 'linear', 0, 64, 64)",
                    "scaled_inv_freq(2, 1e4, 'ntk', 4, 64, 64)",
                    "scaled_inv_freq(8, 1e4, 'nope', 4, 64, 64)",
                ];
            }
            "grid" => case.grid(query, p)?,
            "mrope" => {
                keep(&["cos", "sin"]);
                case.want
                    .insert("ids".to_owned(), page["position_ids"].take());
                // By the definition: vectors of ones, turned, their product over √head_dim.
                let s = &p.sequence;
                let rope = s.rope(p.setting.whole_head_dim()?)?;
                let ids = s.ids()?;
                let ones = Matrix::from_element(ids.len(), p.setting.head_dim(), 1.0);
                let turned = rope.apply(&ones, &ids)?;
                let dot = turned.row(p.q).dot(&turned.row(p.k));
                let scale = (p.setting.head_dim() as f64).sqrt();
                case.cell(&json!(dot / scale + s.bias_of(p.q, p.k)));
            }
            _ => {
                keep(&["inv_freq", "cos", "sin"]);
                case.rope(p)?;
            }
        }
        Ok(case)
    }

    /// The arrays of the page for each way of encoding a grid.
    fn grid(&mut self, query: &str, p: &Params) -> Result<(), CoreError> {
        let arrays = |scheme| vectors(&format!("{query}&scheme2d={scheme}"))["arrays"].clone();
        let mut keep = |scheme, names: &[(&str, &str)]| {
            let mut of_scheme = arrays(scheme);
            for (name, of_panel) in names {
                self.want
                    .insert((*of_panel).to_owned(), of_scheme[*name].take());
            }
        };
        keep("1d", &[("pe", "pe_1d")]);
        keep("sincos", &[("pe", "pe")]);
        keep("relative", &[("index", "index")]);
        keep("rope", &[("cos", "cos"), ("sin", "sin")]);
        let at = p.pos * p.setting.d_model + p.dim;
        self.cell(&self.want["pe"]["data"][at].clone());
        self.refused = &["sincos_2d(row, column, 6)", "axial_rope(row, column, 2)"];
        Ok(())
    }

    fn cell(&mut self, value: &Json) {
        self.want
            .insert("cell".to_owned(), number(value.as_f64().expect("a number")));
    }

    fn give(&mut self, name: &str, value: Json) {
        self.given.insert(name.to_owned(), value);
    }

    fn order(&mut self, p: &Params, page: &Json) {
        self.cell(&page["max_difference"]["data"][0]);
        let s = &p.setting;
        // Large models are only seen to be equivariant.
        if s.d_model > 64 {
            return;
        }
        let known: BTreeSet<&String> = p.tokens_a.iter().collect();
        let vectors: Map<String, Json> = known
            .into_iter()
            .map(|t| {
                let one = token_vectors(s.seed, std::slice::from_ref(t), s.d_model);
                (t.clone(), json!(row_major(&one)))
            })
            .collect();
        self.give("vectors", Json::Object(vectors));
        let layers: Vec<Json> = (0..p.layers)
            .map(|l| ["w_q", "w_k", "w_v", "w_o"].map(|w| self.projection(p, &format!("{w} {l}"))))
            .map(|four| json!(four))
            .collect();
        self.give("layers", json!(layers));
        self.after += "
vectors.update((t, torch.tensor(v)) for t, v in given['vectors'].items())
for layer, (q, k, v, o) in zip(layers, given['layers']):
    layer.in_proj_weight.data = torch.tensor(q + k + v)
    layer.out_proj.weight.data = torch.tensor(o)
a_output, b_output = a, b = encode(tokens_a), encode(tokens_b)
";
        for name in ["a_output", "b_output"] {
            self.want.insert(name.to_owned(), page[name].clone());
        }
    }

    fn projection(&self, p: &Params, name: &str) -> Json {
        let d = p.setting.d_model;
        rows(&(random_vectors(p.setting.seed, name, d, d) / (d as f64).sqrt()))
    }

    fn bias(&mut self, id: &str, p: &Params) -> Result<(), CoreError> {
        let s = &p.setting;
        // The page's random numbers cannot be drawn in torch: they are put into the table.
        if id != "alibi" && s.bias == BiasStart::Random {
            let table = if id == "t5" {
                t5::table(s)
            } else {
                BiasTable::clipped(s)
            };
            let heads: Vec<&[f64]> = (0..s.heads).map(|h| table.head(h)).collect();
            self.give("table", json!(heads));
            self.after += "table.copy_(torch.tensor(given['table']).T)\n";
            self.after += if id == "t5" {
                "bias = layer(seq_len)\n"
            } else {
                "bias = layer.bias(seq_len)\n"
            };
        }
        match id {
            "relative" => {
                self.refused = &["RelativeAttention(8, 3, 4)"];
                self.layer(p)
            }
            "alibi" => {
                let one = Matrix::identity(s.d_model, s.d_model);
                self.attention(p, [&one; 4].map(Clone::clone))?;
                self.after += &fill_text(
                    "
x = torch.tensor(given['x']).view(1, seq_len, heads, head_dim).transpose(1, 2)
output = alibi_attention(x, x, x, {{causal}}).transpose(1, 2).reshape(seq_len, -1)
",
                    p,
                );
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn rope(&mut self, p: &Params) -> Result<(), CoreError> {
        let s = &p.setting;
        let rope = Rope::new(s.whole_head_dim()?, s.base, s.pairing)?;
        let pair = pair_with(&rope, p.dim);
        self.cell(&json!((p.i as f64 - p.j as f64) * rope.inv_freq()[pair]));
        let q = random_vectors(5, "q", p.seq_len, rope.head_dim());
        let turned = rope.apply(&q, &positions(0..p.seq_len))?;
        self.want.insert("turned".to_owned(), matrix(&turned));
        self.give("q", rows(&q));
        self.after += "turned = rope(torch.tensor(given['q']))\n";
        self.refused = &[
            "RotaryPositionalEncoding(7)",
            "RoPEAttention(8, 3, 4)",
            "RoPEAttention(6, 2, 4)",
            "RotaryPositionalEncoding(4, max_len=1)(torch.zeros(3, 4))",
        ];
        self.layer(p)
    }

    /// The whole layer, with the same projections in both.
    fn layer(&mut self, p: &Params) -> Result<(), CoreError> {
        let d = p.setting.d_model;
        if d > 64 || p.seq_len > 1000 {
            return Ok(());
        }
        let projections =
            ["q", "k", "v", "o"].map(|w| random_vectors(3, w, d, d) / (d as f64).sqrt());
        self.give("projections", json!(projections.each_ref().map(rows)));
        self.attention(p, projections)?;
        self.after += "
q, k, v, o = given['projections']
layer.qkv.weight.data, layer.out.weight.data = torch.tensor(q + k + v), torch.tensor(o)
layer.qkv.bias.data.zero_(), layer.out.bias.data.zero_()
";
        self.after += &fill_text(
            "output = layer(torch.tensor(given['x'])[None], causal={{causal}})[0]\n",
            p,
        );
        Ok(())
    }

    fn attention(&mut self, p: &Params, projections: [Matrix; 4]) -> Result<(), CoreError> {
        let s = &p.setting;
        let [w_q, w_k, w_v, w_o] = projections;
        let heads = s.heads;
        let layer = MultiHead {
            w_q,
            w_k,
            w_v,
            w_o,
            biases: None,
            heads,
        };
        let x = random_vectors(4, "x", p.seq_len, s.d_model);
        let prepared: Prepared = p.scheme.prepare(s, p.seq_len)?;
        let output = layer.forward(&x, &prepared, s.causal)?.output;
        self.give("x", rows(&x));
        self.want.insert("output".to_owned(), matrix(&output));
        Ok(())
    }
}

/// The answer of Python, or `None` if there is none.
fn python(cases: &Json) -> Option<Json> {
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
fn difference(got: &Json, want: &Json) -> Result<f64, String> {
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

#[test]
fn panels_compute_what_the_page_shows() {
    let prepared: Vec<(String, Case)> = CASES
        .iter()
        .map(|&(id, query)| {
            let p = params(query);
            let code = fill(id, &p).expect("a panel");
            (code, Case::new(id, query, &p).expect("a legal setting"))
        })
        .collect();
    let sent: Vec<Json> = prepared
        .iter()
        .zip(CASES)
        .map(|((code, case), (id, _))| {
            let traced = code
                .lines()
                .find(|l| l.ends_with(TRACED))
                .unwrap_or_default();
            json!({
                "id": id,
                "code": code,
                "traced": traced,
                "after": case.after,
                "given": case.given,
                "refused": case.refused,
                "names": case.want.keys().collect::<Vec<_>>(),
            })
        })
        .collect();
    let Some(answer) = python(&json!(sent)) else {
        say("python3 is absent: the panels are not even compiled");
        return;
    };
    let torch = answer["torch"].as_str();
    match torch {
        Some(version) => say(&format!("torch {version}: run and compared with the core")),
        None => say("torch is absent: only compiled"),
    }
    let mut wrong = Vec::new();
    for (at, ((_, case), (id, query))) in prepared.iter().zip(CASES).enumerate() {
        let answer = &answer["answers"][at];
        if let Some(error) = answer["error"].as_str() {
            wrong.push(format!("{id}, {query}: {error}"));
            continue;
        }
        if torch.is_none() {
            continue;
        }
        let mut found = Vec::new();
        for (name, want) in &case.want {
            match difference(&answer["arrays"][name], want) {
                Ok(d) => {
                    found.push(format!("{name} {d:.1e}"));
                    if d > TOLERANCE {
                        wrong.push(format!("{id}, {query}: {name} is off by {d:e}"));
                    }
                }
                Err(error) => wrong.push(format!("{id}, {query}: {name}: {error}")),
            }
        }
        say(&format!("{id} ({query}): {}", found.join(", ")));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn templates_are_whole() {
    for (id, template) in CODE {
        assert!(template.lines().count() <= 60, "{id} is long");
        assert!(
            template.lines().all(|l| l.chars().count() <= 100),
            "{id} is wide"
        );
        let filled = fill(id, &params("")).expect("a panel");
        assert!(!filled.contains("{{"), "{id} has an unknown hole");
        assert_eq!(filled.matches(TRACED).count(), 1, "{id}");
        let traced = filled.lines().find(|l| l.ends_with(TRACED));
        assert!(traced.is_some_and(|l| l.starts_with("cell = ")), "{id}");
        assert!(CASES.iter().filter(|(of, _)| of == id).count() >= 3, "{id}");
    }
    assert_eq!(fill("nope", &params("")), None);
}

#[test]
fn holes() {
    let p = params("page=rope&d_model=24&heads=2&dim=19&causal=1&pairing=half&base=10000&shift=-3");
    let text = "{{head_dim}} {{rope_pair}} {{causal}} '{{pairing}}' {{base}} {{shift}} {{nope}} {{";
    assert_eq!(fill_text(text, &p), "12 1 True 'half' 10000 -3 {{nope}} {{");
    let p = params("page=order&text_a=\"{{seed}}\" \\&text_b=我爱中国&causal=0");
    let text = "{{tokens_b}} {{causal}} {{scheme}} {{text_a}}";
    assert_eq!(
        fill_text(text, &p),
        r#"["我", "爱", "中国"] False none {{text_a}}"#
    );
    assert!(
        fill_text("{{tokens_a}}", &p).contains("seed"),
        "kept as text"
    );
}
