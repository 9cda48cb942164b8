//! File 07: attention with an encoding, many heads, and what a change of order changes.

use posenc_lab::core::attention::{HeadAttention, MultiHead, attend, attend_where, visible};
use posenc_lab::core::encoding::relative::{relative_index, shaw_index};
use posenc_lab::core::encoding::rope::{Pairing, Rope};
use posenc_lab::core::encoding::sinusoidal::{Layout, Sinusoidal, positions};
use posenc_lab::core::encoding::{Prepared, alibi};
use posenc_lab::core::{CoreError, Matrix};

use super::case::Case;
use super::json::{Fields, Tensor};
use super::{relative, rope};

/// Attention of one or more heads under an encoding.
pub fn attention(case: &mut Case) -> Result<(), String> {
    let (lead, mut q) = case.inputs.tensor("q")?.matrices()?;
    let (_, mut k) = case.inputs.tensor("k")?.matrices()?;
    let (_, mut v) = case.inputs.tensor("v")?.matrices()?;
    let scale = case.inputs.number("scale")?;
    let causal = case.inputs.flag("causal")?;
    let encoding = case.inputs.text("encoding")?;
    let heads = q.len();
    let queries = q.first().map_or(0, Matrix::nrows);
    let keys = k.first().map_or(0, Matrix::nrows);
    let head_dim = q.first().map_or(0, Matrix::ncols);

    let mut bias = None;
    match encoding.as_str() {
        "none" => {}
        "t5" => {
            let buckets = relative::t5_buckets(&mut case.inputs)?;
            let table = relative::table(&case.inputs.tensor("table")?)?;
            let column = |i, j| buckets.bucket(j as i64 - i as i64);
            bias = Some(table.matrices_of(queries, keys, column));
        }
        "shaw" | "relative" => {
            let table = relative::table(&case.inputs.tensor("table")?)?;
            let most = table.columns().saturating_sub(1) / 2;
            let r = case.inputs.optional_size("max_rel_dist")?.unwrap_or(most);
            bias = Some(table.matrices_of(queries, keys, |i, j| {
                if encoding == "shaw" {
                    shaw_index(j as i64 - i as i64, r, r)
                } else {
                    relative_index(i, j, r)
                }
            }));
        }
        "alibi" | "alibi_symmetric" => {
            let slopes = match case.inputs.optional("slopes") {
                Some(slopes) => Tensor::read("slopes", &slopes)?.data,
                None => alibi::slopes(lead.last().copied().unwrap_or(1)),
            };
            let one = |&m: &f64| Matrix::from_fn(queries, keys, |i, j| alibi::bias(m, i, j));
            bias = Some(slopes.iter().map(one).collect());
        }
        "rope" | "rope_half" | "rope_interleaved" => {
            let pairing = match encoding.strip_prefix("rope_") {
                Some(name) => rope::pairing(name)?,
                None => rope::pairing(&case.inputs.text("pairing")?)?,
            };
            let rotary_dim = case.inputs.optional_size("rotary_dim")?.unwrap_or(head_dim);
            let rope = rope::rope(head_dim, rotary_dim, case.inputs.number("base")?, pairing)?;
            let at = positions_of(case)?;
            for m in q.iter_mut().chain(&mut k) {
                let given = at.clone().unwrap_or_else(|| positions(0..m.nrows()));
                *m = rope.apply(m, &given).map_err(|e| e.to_string())?;
            }
        }
        "sinusoidal" => {
            // As in the permutations: tokens plus encoding are query, key and value.
            let pe = Sinusoidal::new(head_dim, case.inputs.number("base")?, Layout::Interleaved);
            let pe = pe.map_err(|e| e.to_string())?;
            let at = positions_of(case)?;
            for m in q.iter_mut().chain(&mut k).chain(&mut v) {
                *m += pe.matrix(&at.clone().unwrap_or_else(|| positions(0..m.nrows())));
            }
        }
        other => return Err(format!("unknown encoding {other:?}")),
    }
    // A batch repeats the bias of each head.
    let fits = |b: &Vec<Matrix>| !b.is_empty() && heads.is_multiple_of(b.len());
    if !bias.as_ref().is_none_or(fits) {
        return Err("the bias has not one matrix for each head".into());
    }

    // Fewer queries than keys are the newest tokens of a longer text, or they count from 0 like
    // the keys. The mask in the file says which.
    let mask = case.expected.optional("mask");
    let mask = mask.map(|m| Tensor::read("mask", &m)).transpose()?;
    let offsets = [0, keys.saturating_sub(queries)];
    let with = |offset: usize| {
        Matrix::from_fn(queries, keys, |i, j| {
            f64::from(visible(i + offset, j, causal))
        })
    };
    let as_in_file = |offset: &&usize| {
        mask.as_ref()
            .is_none_or(|m| m.data == Tensor::matrix(&with(**offset)).data)
    };
    let offset = offsets.iter().find(as_in_file).copied().unwrap_or(0);
    if let Some(mask) = &mask {
        case.value("mask", mask, &Tensor::matrix(&with(offset)))?;
    }

    let mut results = Vec::with_capacity(heads);
    for h in 0..heads {
        let bias = bias.as_ref().map(|b| &b[h % b.len()]);
        let result = if offset == 0 {
            attend(&q[h], &k[h], &v[h], scale, bias, causal)
        } else {
            let sees = |i: usize, j: usize| visible(i + offset, j, causal);
            attend_where(&q[h], &k[h], &v[h], scale, bias, sees)
        };
        results.push(result.map_err(|e| e.to_string())?);
    }
    let all = |part: fn(&HeadAttention) -> &Matrix| {
        let parts: Vec<Matrix> = results.iter().map(|r| part(r).clone()).collect();
        Tensor::stack(lead.clone(), &parts)
    };
    let hidden = with(offset).map(|m| 1.0 - m);
    for r in &results {
        case.must(
            r.weights.component_mul(&hidden).amax() == 0.0,
            "a hidden key has weight",
        );
    }
    case.result("scores", "scores", &all(|r| &r.scores))?;
    case.result("weights", "weights", &all(|r| &r.weights))?;
    case.result("output", "output", &all(|r| &r.output))
}

fn positions_of(case: &mut Case) -> Result<Option<Vec<f64>>, String> {
    let given = case.inputs.optional("positions");
    given
        .map(|p| Tensor::read("positions", &p).map(|t| t.data))
        .transpose()
}

/// `nn.MultiheadAttention` with all its weights given.
pub fn multi_head(case: &mut Case) -> Result<(), String> {
    let (lead, x) = case.inputs.tensor("x")?.matrices()?;
    let heads = case.inputs.size("num_heads")?;
    let causal = case.inputs.flag("causal")?;
    let (_, joined) = case.inputs.tensor("in_proj_weight")?.matrices()?;
    let (_, out) = case.inputs.tensor("out_proj_weight")?.matrices()?;
    let (Some(joined), Some(w_o)) = (joined.first(), out.first()) else {
        return Err("a projection is empty".into());
    };
    let d = joined.ncols();
    if joined.nrows() != 3 * d {
        return Err("in_proj_weight is not [3d, d]".into());
    }
    let part = |i: usize| joined.rows(i * d, d).into_owned();
    let mut bias_of = |key: &str, size: usize| -> Result<Option<Vec<f64>>, String> {
        let bias = case
            .inputs
            .optional(key)
            .map(|b| Tensor::read(key, &b))
            .transpose()?;
        match bias {
            Some(b) if b.data.len() != size => Err(format!("{key} has not {size} numbers")),
            bias => Ok(bias.map(|b| b.data)),
        }
    };
    let of_input = bias_of("in_proj_bias", 3 * d)?;
    let of_output = bias_of("out_proj_bias", d)?;
    let biases = (of_input.is_some() || of_output.is_some()).then(|| {
        let b = of_input.unwrap_or_else(|| vec![0.0; 3 * d]);
        let part = |i: usize| b[i * d..(i + 1) * d].to_vec();
        [
            part(0),
            part(1),
            part(2),
            of_output.unwrap_or_else(|| vec![0.0; d]),
        ]
    });
    let layer = MultiHead {
        w_q: part(0),
        w_k: part(1),
        w_v: part(2),
        w_o: w_o.clone(),
        biases,
        heads,
    };
    let (mut weights, mut outputs) = (Vec::new(), Vec::new());
    for x in &x {
        let out = layer
            .forward(x, &Prepared::None, causal)
            .map_err(|e| e.to_string())?;
        weights.extend(out.weights);
        outputs.push(out.output);
    }
    let by_head = [lead.clone(), vec![heads]].concat();
    case.result("weights", "weights", &Tensor::stack(by_head, &weights))?;
    case.result("output", "output", &Tensor::stack(lead, &outputs))
}

/// What permuting the tokens does to the outputs, for several encodings.
pub fn permutation(case: &mut Case) -> Result<(), String> {
    case.inputs.skip_prose(&["q=k=v"]);
    let (_, tokens) = case.inputs.tensor("tokens")?.matrices()?;
    let [tokens] = &tokens[..] else {
        return Err("tokens is not one matrix".into());
    };
    let settings = Settings {
        scale: case.inputs.number("scale")?,
        alibi_slope: case.inputs.optional_number("alibi_slope")?.unwrap_or(0.5),
        rope_base: case.inputs.optional_number("rope_base")?.unwrap_or(10000.0),
        sinusoidal_base: case
            .inputs
            .optional_number("sinusoidal_base")?
            .unwrap_or(10000.0),
    };
    let orders = case.inputs.take("orders")?;
    let mut named = Vec::new();
    for (name, order) in orders.as_object().ok_or("orders is no object")? {
        let order = Tensor::read(name, order)?.data;
        let order: Vec<usize> = order.iter().map(|&i| i as usize).collect();
        let mut sorted = order.clone();
        sorted.sort_unstable();
        if !sorted.iter().copied().eq(0..tokens.nrows()) {
            return Err(format!("order {name:?} is no permutation of the tokens"));
        }
        named.push((name.clone(), order));
    }
    let first = named.iter().find(|(_, order)| order.is_sorted());
    let first = first
        .ok_or("no order leaves the tokens as they are")?
        .0
        .clone();
    let limit = case.limit_of("outputs")?;

    let results = case.expected.take("results")?;
    for result in results.as_array().ok_or("results is no list")? {
        let mut result = Fields::new("a result", result)?;
        let encoding = result.text("encoding")?;
        let causal = result.flag("causal")?;
        let run = |order: &[usize]| settings.output(&tokens.select_rows(order), &encoding, causal);
        let reference = run(&(0..tokens.nrows()).collect::<Vec<_>>())?;
        let mut outputs = result.object("outputs")?;
        for (name, order) in &named {
            let output = run(order)?;
            case.value("outputs", &outputs.tensor(name)?, &Tensor::matrix(&output))?;
            if *name == first {
                continue;
            }
            // Row r holds the token that stood in row order[r].
            let change = (output - reference.select_rows(order)).amax();
            let wanted = result.tensor(&format!("max_abs_change_{name}"))?;
            case.value(
                "max_abs_change",
                &wanted,
                &Tensor::new(Vec::new(), vec![change]),
            )?;
            let equivariant = result.flag(&format!("equivariant_{name}"))?;
            let what =
                format!("{encoding}, causal {causal}, {name}: equivariant is not {equivariant}");
            case.must((change <= limit) == equivariant, what);
        }
        outputs.all_taken()?;
        result.all_taken()?;
    }
    Ok(())
}

struct Settings {
    scale: f64,
    alibi_slope: f64,
    rope_base: f64,
    sinusoidal_base: f64,
}

impl Settings {
    /// Output of one head whose queries, keys and values are the tokens themselves.
    fn output(&self, tokens: &Matrix, encoding: &str, causal: bool) -> Result<Matrix, String> {
        self.try_output(tokens, encoding, causal)
            .map_err(|e| e.to_string())?
            .ok_or_else(|| format!("unknown encoding {encoding:?}"))
    }

    fn try_output(
        &self,
        x: &Matrix,
        encoding: &str,
        causal: bool,
    ) -> Result<Option<Matrix>, CoreError> {
        let (n, d) = x.shape();
        let at = positions(0..n);
        let rotated = |pairing| -> Result<Matrix, CoreError> {
            Rope::new(d, self.rope_base, pairing)?.apply(x, &at)
        };
        let plain = |x: &Matrix| attend(x, x, x, self.scale, None, causal);
        let result = match encoding {
            "none" => plain(x)?,
            "sinusoidal" => {
                let pe = Sinusoidal::new(d, self.sinusoidal_base, Layout::Interleaved)?;
                plain(&(x + pe.matrix(&at)))?
            }
            "alibi_symmetric" | "alibi" => {
                let bias = Matrix::from_fn(n, n, |i, j| alibi::bias(self.alibi_slope, i, j));
                attend(x, x, x, self.scale, Some(&bias), causal)?
            }
            "rope_half" | "rope_interleaved" => {
                let half = encoding == "rope_half";
                let q = rotated(if half {
                    Pairing::Half
                } else {
                    Pairing::Interleaved
                })?;
                attend(&q, &q, x, self.scale, None, causal)?
            }
            _ => return Ok(None),
        };
        Ok(Some(result.output))
    }
}
