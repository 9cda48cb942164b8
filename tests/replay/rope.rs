//! File 02: rotary encodings, and the unscaled rope type of file 03.

use posenc_lab::core::Matrix;
use posenc_lab::core::encoding::rope::{Pairing, Rope, half_from_interleaved};
use serde_json::Value;

use super::case::Case;
use super::json::{Fields, Tensor};

/// Frequencies `base^(−2i / rotary_dim)`.
pub fn inv_freq(case: &mut Case) -> Result<(), String> {
    let head_dim = case.inputs.size("head_dim")?;
    let rotary_dim = case.inputs.optional_size("rotary_dim")?.unwrap_or(head_dim);
    let base = case.inputs.number("base")?;
    let rope = rope(head_dim, rotary_dim, base, Pairing::Half)?;
    case.only_result(&Tensor::list(rope.inv_freq().to_vec()))
}

/// Queries and keys rotated to their positions, and their dot products.
pub fn rotate(case: &mut Case) -> Result<(), String> {
    let pairing = pairing(&case.fields.text("pairing")?)?;
    let head_dim = case.inputs.size("head_dim")?;
    let rotary_dim = case.inputs.optional_size("rotary_dim")?.unwrap_or(head_dim);
    let rope = rope(head_dim, rotary_dim, case.inputs.number("base")?, pairing)?;
    let positions = case.inputs.tensor("positions")?.data;

    let (cos, sin) = rope.cos_sin(&positions);
    case.result("cos", "cos_sin", &Tensor::matrix(&cos))?;
    case.result("sin", "cos_sin", &Tensor::matrix(&sin))?;
    let (lead, q) = case.inputs.tensor("q")?.matrices()?;
    let (_, k) = case.inputs.tensor("k")?.matrices()?;
    let q = apply(&rope, &q, &positions)?;
    let k = apply(&rope, &k, &positions)?;
    case.result("q_rot", "rotated", &Tensor::stack(lead.clone(), &q))?;
    case.result("k_rot", "rotated", &Tensor::stack(lead.clone(), &k))?;
    let scores: Vec<Matrix> = q.iter().zip(&k).map(|(q, k)| q * k.transpose()).collect();
    case.result("scores_unscaled", "scores", &Tensor::stack(lead, &scores))
}

/// The column permutation that links the pairings.
pub fn pairing_permutation(case: &mut Case) -> Result<(), String> {
    let head_dim = case.inputs.size("head_dim")?;
    let base = case.inputs.number("base")?;
    let positions = case.inputs.tensor("positions")?.data;
    let (lead, q) = case.inputs.tensor("q")?.matrices()?;
    let perm = half_from_interleaved(head_dim);
    let as_numbers = perm.iter().map(|&j| j as f64).collect();
    case.result("perm", "perm", &Tensor::list(as_numbers))?;

    let half = rope(head_dim, head_dim, base, Pairing::Half)?;
    let interleaved = rope(head_dim, head_dim, base, Pairing::Interleaved)?;
    let permuted =
        |m: &[Matrix]| -> Vec<Matrix> { m.iter().map(|m| m.select_columns(&perm)).collect() };
    let a = permuted(&apply(&half, &q, &positions)?);
    let b = apply(&interleaved, &permuted(&q), &positions)?;
    case.must(a == b, "half(q)[perm] is not interleaved(q[perm])");
    case.result(
        "half_of_q_permuted",
        "half_of_q_permuted",
        &Tensor::stack(lead, &a),
    )
}

/// Rope type `default`: no scaling, whatever the length.
pub fn unscaled(case: &mut Case) -> Result<(), String> {
    let head_dim = case.inputs.size("head_dim")?;
    let mut parameters = case.inputs.object("rope_parameters")?;
    parameters.text("rope_type")?;
    let base = parameters.number("rope_theta")?;
    let part = parameters
        .optional_number("partial_rotary_factor")?
        .unwrap_or(1.0);
    parameters.all_taken()?;
    // Neither limits plain RoPE.
    case.inputs.optional("max_position_embeddings");
    case.inputs.optional("seq_len");

    let rope = rope(
        head_dim,
        (head_dim as f64 * part) as usize,
        base,
        Pairing::Half,
    )?;
    let frequencies = Tensor::list(rope.inv_freq().to_vec());
    let factor = Tensor::new(Vec::new(), vec![rope.attention_factor()]);
    case.result("inv_freq", "inv_freq", &frequencies)?;
    case.result("attention_factor", "attention_factor", &factor)?;

    // One state after each of several calls: without scaling always the same.
    case.inputs.optional("forward_lengths");
    let trace = case.expected.optional("trace");
    for step in trace
        .as_ref()
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
    {
        let mut step = Fields::new("trace", step)?;
        let last = step.number("forward_len")? - 1.0;
        case.value("inv_freq", &step.tensor("inv_freq")?, &frequencies)?;
        let scaling = step.number("attention_scaling")?;
        case.must(
            scaling == rope.attention_factor(),
            "attention_scaling differs",
        );
        let cos = rope.cos_sin(&[last]).0.as_slice().to_vec();
        case.value("cos", &step.tensor("cos_last_row")?, &Tensor::list(cos))?;
        step.all_taken()?;
    }
    Ok(())
}

/// A rotation, its error as text.
pub fn rope(
    head_dim: usize,
    rotary_dim: usize,
    base: f64,
    pairing: Pairing,
) -> Result<Rope, String> {
    Rope::partial(head_dim, rotary_dim, base, pairing).map_err(|e| e.to_string())
}

/// A pairing by its name in the files.
pub fn pairing(name: &str) -> Result<Pairing, String> {
    match name {
        "half" => Ok(Pairing::Half),
        "interleaved" => Ok(Pairing::Interleaved),
        _ => Err(format!("unknown pairing {name:?}")),
    }
}

fn apply(rope: &Rope, heads: &[Matrix], positions: &[f64]) -> Result<Vec<Matrix>, String> {
    let rotated = heads
        .iter()
        .map(|m| rope.apply(m, positions).map_err(|e| e.to_string()));
    rotated.collect()
}
