//! What a panel must compute at an address: the page's arrays, and results of the core.

use std::collections::BTreeSet;

use posenc_lab::core::attention::MultiHead;
use posenc_lab::core::encoding::kerple::LogKernel;
use posenc_lab::core::encoding::relative::{BiasStart, BiasTable};
use posenc_lab::core::encoding::rope::Rope;
use posenc_lab::core::encoding::sinusoidal::positions;
use posenc_lab::core::encoding::{Prepared, row_major, shaw, t5};
use posenc_lab::core::toy::{random_vectors, token_vectors};
use posenc_lab::core::{CoreError, Matrix};
use posenc_lab::figure::page_of;
use posenc_lab::lesson::code::fill_text;
use posenc_lab::state::{Params, decode, open};
use posenc_lab::vectors::vectors;
use serde_json::{Map, Value as Json, json};

pub fn params(query: &str) -> Params {
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
pub struct Case {
    pub after: String,
    pub given: Map<String, Json>,
    pub refused: &'static [&'static str],
    pub want: Map<String, Json>,
}

impl Case {
    /// What the panel `id` is given and must compute at an address.
    pub fn new(id: &str, query: &str, p: &Params) -> Result<Self, CoreError> {
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
            "learned" => {
                keep(&["pe"]);
                let at = p.pos * p.setting.d_model + p.dim;
                case.cell(&case.want["pe"]["data"][at].clone());
                case.give("rows", case.want["pe"]["data"].clone());
                case.after += "pe.copy_(torch.tensor(given['rows']).view_as(pe))\n";
                case.refused = &["LearnedPositionalEncoding(8, 1)(torch.zeros(2, 3, 8))"];
            }
            "shaw" => {
                keep(&["index"]);
                let at = p.i * p.seq_len + p.j;
                case.cell(&case.want["index"]["data"][at].clone());
                case.shaw(p)?;
            }
            "xpos" => {
                keep(&["inv_freq", "zeta", "cos", "sin", "query_scale", "key_scale"]);
                case.xpos(p)?;
            }
            "relative" | "t5" | "alibi" | "kerple" => {
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
        let of = |scheme: &str, name: &str| {
            vectors(&format!("{query}&scheme2d={scheme}"))["arrays"][name].take()
        };
        // Where 4 divides a width there is an encoding of the grid; elsewhere the panel goes on
        // with the numbers of the patches, and has no rotation.
        let whole = |width: usize| width.is_multiple_of(4);
        let pe_1d = of("1d", "pe");
        let pe = if whole(p.setting.d_model) {
            of("sincos", "pe")
        } else {
            pe_1d.clone()
        };
        let arrays = [
            ("pe_1d", pe_1d),
            ("pe", pe),
            ("index", of("relative", "index")),
        ];
        self.want
            .extend(arrays.map(|(name, array)| (name.to_owned(), array)));
        if whole(p.setting.whole_head_dim()?) {
            for name in ["cos", "sin"] {
                self.want.insert(name.to_owned(), of("rope", name));
            }
        }
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
        if s.d_model > 128 {
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
        if id == "kerple" {
            let kernel = LogKernel::new(s);
            self.give("kernel", json!(kernel.parameters()));
            // What was set by hand, before the page's own numbers are put in.
            let set = s.bias_edits.iter().filter(|e| p.scheme.takes(s, e));
            let set: Vec<f64> = set.map(|e| e.value).collect();
            self.want
                .insert("edited".to_owned(), array(&[set.len()], &set));
            self.after += &fill_text(
                "
edited = torch.tensor([float((r1, r2)[which][head]) for head, which, _ in {{bias_edits}}])
for (a, b), head in zip(given['kernel'], range(heads)):
    r1[head], r2[head] = a, b
bias = layer(seq_len).detach()
",
                p,
            );
        }
        let table = ["relative", "t5"].contains(&id);
        if table && s.bias == BiasStart::Random {
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
            "alibi" | "kerple" => {
                let one = Matrix::identity(s.d_model, s.d_model);
                self.attention(p, [&one; 4].map(Clone::clone))?;
                let call = if id == "alibi" {
                    "alibi_attention(x, x, x, {{causal}})"
                } else {
                    "kerple_attention(x, x, x, bias, {{causal}})"
                };
                self.after += &fill_text(
                    &format!(
                        "
x = torch.tensor(given['x']).view(1, seq_len, heads, head_dim).transpose(1, 2)
output = {call}.transpose(1, 2).reshape(seq_len, -1)
"
                    ),
                    p,
                );
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn shaw(&mut self, p: &Params) -> Result<(), CoreError> {
        let s = &p.setting;
        let tables: Vec<Json> = (0..s.heads)
            .map(|h| rows(&shaw::table(s, h, s.head_dim())))
            .collect();
        self.give("tables", json!(tables));
        self.after += "layer.key_vectors.data = torch.tensor(given['tables'])\n";
        self.refused = &["ShawAttention(8, 3, 4)"];
        self.layer(p)
    }

    fn xpos(&mut self, p: &Params) -> Result<(), CoreError> {
        let s = &p.setting;
        let rotation = p.scheme.turns(s)?;
        let pair = pair_with(rotation.rope(), p.dim);
        let distance = p.i as f64 - p.j as f64;
        self.cell(&json!(rotation.scale(pair, distance)));
        let at = positions(0..p.seq_len);
        let x = random_vectors(5, "q", p.seq_len, s.head_dim());
        self.want
            .insert("turned_q".to_owned(), matrix(&rotation.queries(&x, &at)?));
        self.want
            .insert("turned_k".to_owned(), matrix(&rotation.keys(&x, &at)?));
        self.give("q", rows(&x));
        self.after += "
q = torch.tensor(given['q'])
turned_q, turned_k = xpos(q), xpos(q, key=True)
";
        self.refused = &["XPos(7)", "XPos(4, pairing='nope')"];
        Ok(())
    }

    fn rope(&mut self, p: &Params) -> Result<(), CoreError> {
        let s = &p.setting;
        let rope = Rope::of(s)?;
        let pair = pair_with(&rope, p.dim);
        self.cell(&json!((p.i as f64 - p.j as f64) * rope.inv_freq()[pair]));
        let q = random_vectors(5, "q", p.seq_len, rope.head_dim());
        let turned = rope.apply(&q, &positions(0..p.seq_len))?;
        self.want.insert("turned".to_owned(), matrix(&turned));
        self.give("q", rows(&q));
        self.after += "turned = layer.rope(torch.tensor(given['q']))\n";
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
