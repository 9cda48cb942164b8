//! File 03: RoPE beyond its training length, and what a model's cache does from call to call.

use posenc_lab::core::encoding::rope::{Pairing, Rope};
use posenc_lab::core::encoding::rope_scaling::{RopeCache, RopeParameters, RopeScaling};
use serde_json::Value;

use super::case::Case;
use super::json::{Fields, Tensor};

/// Frequencies and attention factor of any rope type, at one length or from call to call.
pub fn scaled(case: &mut Case) -> Result<(), String> {
    let head_dim = case.inputs.size("head_dim")?;
    let max_len = case.inputs.optional_size("max_position_embeddings")?;
    let seq_len = case.inputs.optional_size("seq_len")?;
    let (base, given) = parameters(case.inputs.object("rope_parameters")?, max_len)?;
    let scaling = given.scaling().map_err(|e| e.to_string())?;
    // `proportional` spreads its part over the whole head.
    let part = match scaling {
        RopeScaling::Proportional { .. } => 1.0,
        _ => given.part.unwrap_or(1.0),
    };
    let rotary_dim = (head_dim as f64 * part) as usize;
    let dims = (head_dim, rotary_dim);
    let rope = Rope::scaled_partial(dims, base, Pairing::Half, &scaling, seq_len);
    let rope = rope.map_err(|e| e.to_string())?;
    let factor = Tensor::new(Vec::new(), vec![rope.attention_factor()]);
    let frequencies = Tensor::list(rope.inv_freq().to_vec());
    case.result("inv_freq", "inv_freq", &frequencies)?;
    case.result("attention_factor", "attention_factor", &factor)?;

    let Some(trace) = case.expected.optional("trace") else {
        return Ok(());
    };
    let lengths = case.inputs.tensor("forward_lengths")?.data;
    let steps = trace.as_array().ok_or("trace is no list")?;
    case.must(steps.len() == lengths.len(), "the trace has another length");
    let mut cache = RopeCache::new(head_dim, base, Pairing::Half, scaling.clone())
        .map_err(|e| e.to_string())?;
    for (step, wanted) in steps.iter().zip(lengths) {
        let mut step = Fields::new("trace", step)?;
        let len = step.size("forward_len")?;
        case.must(
            len as f64 == wanted,
            "the trace is not that of forward_lengths",
        );
        let rope = cache.forward(len).map_err(|e| e.to_string())?;
        let frequencies = Tensor::list(rope.inv_freq().to_vec());
        case.value("inv_freq", &step.tensor("inv_freq")?, &frequencies)?;
        let factor = step.number("attention_scaling")?;
        let off = (factor - rope.attention_factor()).abs();
        case.must(
            off <= 1e-12,
            format!("attention_scaling is off by {off:e} at {len}"),
        );
        let (cos, sin) = rope.cos_sin(&[len.saturating_sub(1) as f64]);
        let row = |m: &posenc_lab::core::Matrix| Tensor::list(m.as_slice().to_vec());
        case.value("cos", &step.tensor("cos_last_row")?, &row(&cos))?;
        if let Some(wanted) = step.optional("sin_last_row") {
            case.value("cos", &Tensor::read("sin_last_row", &wanted)?, &row(&sin))?;
        }
        step.all_taken()?;
    }
    Ok(())
}

/// The base and the other fields of `rope_parameters`. Without an original length of its own a
/// model's maximum is taken for it, as transformers does.
fn parameters(mut fields: Fields, max_len: Option<usize>) -> Result<(f64, RopeParameters), String> {
    let list = |key: &str, fields: &mut Fields| -> Result<Option<Vec<f64>>, String> {
        let list = fields.optional(key);
        list.map(|v| Tensor::read(key, &v).map(|t| t.data))
            .transpose()
    };
    let base = fields.number("rope_theta")?;
    let parameters = RopeParameters {
        rope_type: Some(fields.text("rope_type")?),
        factor: fields.optional_number("factor")?,
        orig_len: fields
            .optional_size("original_max_position_embeddings")?
            .or(max_len),
        max_len,
        attention_factor: fields.optional_number("attention_factor")?,
        beta_fast: fields.optional_number("beta_fast")?,
        beta_slow: fields.optional_number("beta_slow")?,
        mscale: fields.optional_number("mscale")?,
        mscale_all_dim: fields.optional_number("mscale_all_dim")?,
        truncate: fields
            .optional("truncate")
            .as_ref()
            .and_then(Value::as_bool),
        low_freq_factor: fields.optional_number("low_freq_factor")?,
        high_freq_factor: fields.optional_number("high_freq_factor")?,
        short_factor: list("short_factor", &mut fields)?,
        long_factor: list("long_factor", &mut fields)?,
        part: fields.optional_number("partial_rotary_factor")?,
    };
    fields.all_taken()?;
    Ok((base, parameters))
}
