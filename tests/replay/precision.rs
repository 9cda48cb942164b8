//! File 09: positions and angles in low precision.

use posenc_lab::core::encoding::rope_scaling::plain_frequencies;
use posenc_lab::core::precision::{Format, Pipeline, to_bfloat16, to_float16};

use super::case::Case;
use super::json::Tensor;

/// Integer positions in bfloat16 and float16.
pub fn rounding(case: &mut Case) -> Result<(), String> {
    let positions = case.inputs.tensor("positions")?.data;
    let bfloat16 = positions.iter().map(|&p| to_bfloat16(p));
    // A file holds no infinity: what overflows is written as 0.
    let float16 = positions.iter().map(|&p| to_float16(p));
    let float16 = float16.map(|p| if p.is_finite() { p } else { 0.0 });
    case.result("bfloat16", "bfloat16", &Tensor::list(bfloat16.collect()))?;
    case.result("float16", "float16", &Tensor::list(float16.collect()))
}

/// cos(m·θ) through several formats. In `f64` the numbers must agree; elsewhere they depend on
/// the last bit of a library, and the size of the largest error at each position is compared.
pub fn pipelines(case: &mut Case) -> Result<(), String> {
    let head_dim = case.inputs.size("head_dim")?;
    let thetas = plain_frequencies(head_dim, case.inputs.number("base")?);
    let positions = case.inputs.tensor("positions")?.data;
    let pairs = case.inputs.tensor("frequency_indices")?.integers();
    let of_pair = |i: &i64| thetas.get(*i as usize).copied();
    let thetas: Option<Vec<f64>> = pairs.iter().map(of_pair).collect();
    let thetas = thetas.ok_or("a pair lies outside the head")?;
    let shape = vec![positions.len(), thetas.len()];
    let through = |pipeline: Pipeline| {
        let rows = positions.iter().flat_map(|&p| {
            let thetas = thetas.iter();
            thetas.map(move |&theta| pipeline.cos(p, theta))
        });
        Tensor::new(shape.clone(), rows.collect())
    };
    let exact = case.exact()?;
    let limit = case.number_in_tolerance("all_float64_vs_exact")?;
    let errors = |of: &Tensor| -> Vec<f64> {
        let rows = of.data.chunks(thetas.len());
        rows.zip(exact.data.chunks(thetas.len()))
            .map(|(a, b)| a.iter().zip(b).fold(0.0, |m, (a, b)| (a - b).abs().max(m)))
            .collect()
    };
    let mut wanted = case.expected.object("pipelines")?;
    let mut stated = case.expected.object("max_abs_error_per_position")?;
    let names: Vec<String> = wanted.leftover().into_iter().map(str::to_owned).collect();
    for name in names {
        let got = through(pipeline(&name)?);
        let wanted = wanted.tensor(&name)?;
        case.must(
            wanted.shape == got.shape,
            format!("{name}: not one cosine a position and pair"),
        );
        case.must(
            got.data.iter().all(|x| x.is_finite()),
            format!("{name}: not finite"),
        );
        let (found, theirs) = (errors(&got), errors(&wanted));
        let stated = stated.tensor(&name)?.data;
        if name == "all_float64" {
            let all = got.data.iter().zip(&wanted.data);
            let apart = all.fold(0.0, |m: f64, (a, b)| (a - b).abs().max(m));
            case.bounded("all_float64 vs theirs", apart, limit, got.data.len());
            let off = found.iter().copied().fold(0.0, f64::max);
            case.bounded("all_float64 vs exact", off, limit, got.data.len());
            continue;
        }
        for ((&ours, theirs), stated) in found.iter().zip(theirs).zip(&stated) {
            case.must(
                (theirs - stated).abs() <= 1e-12 + 1e-9 * stated,
                format!("{name}: the errors stated are not those of the numbers"),
            );
            // Below the last bit of an f32 near 1 a size says nothing.
            let (a, b) = (ours.max(6e-8), stated.max(6e-8));
            case.bounded(
                &format!("{name} order of magnitude"),
                (a / b).log10().abs(),
                1.0,
                thetas.len(),
            );
        }
    }
    wanted.all_taken()?;
    stated.all_taken()
}

/// A pipeline by its name in the files.
fn pipeline(name: &str) -> Result<Pipeline, String> {
    let (single, double) = (Format::Float32, Format::Float64);
    let (pattern, low) = match name {
        n if n.contains("bfloat16") => (n.replace("bfloat16", "#"), Format::Bfloat16),
        n if n.contains("float16") => (n.replace("float16", "#"), Format::Float16),
        n => (n.to_owned(), single),
    };
    let all = Pipeline::all(single);
    Ok(match pattern.as_str() {
        "all_float64" => Pipeline::all(double),
        "all_float32" => all,
        "inv_freq_rounded_to_float32_then_float64" => Pipeline {
            frequency: single,
            ..Pipeline::all(double)
        },
        "inv_freq_in_#_then_float32" => Pipeline {
            frequency: low,
            ..all
        },
        "positions_in_#_then_float32" => Pipeline {
            position: low,
            ..all
        },
        "angle_rounded_to_#" => Pipeline { angle: low, ..all },
        "only_final_cos_in_#" => Pipeline { result: low, ..all },
        _ => return Err(format!("unknown pipeline {name:?}")),
    })
}
