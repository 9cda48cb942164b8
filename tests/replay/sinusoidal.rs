//! File 01: sinusoidal encodings in every layout.

use posenc_lab::core::encoding::sinusoidal::{Layout, OddRule, Sinusoidal, fairseq_position_ids};

use super::case::Case;
use super::json::Tensor;

/// The paper's layout; an odd width keeps the paper's exponents, `2·floor(j/2)/d`.
pub fn interleaved(case: &mut Case) -> Result<(), String> {
    replay(case, |d, base| {
        if d % 2 == 0 {
            Sinusoidal::new(d, base, Layout::Interleaved)
        } else {
            Sinusoidal::with_odd_rule(d, base, OddRule::DivisorD)
        }
    })
}

/// VideoMAE's reading of an odd width.
pub fn odd_divisor_d(case: &mut Case) -> Result<(), String> {
    replay(case, |d, base| {
        Sinusoidal::with_odd_rule(d, base, OddRule::DivisorD)
    })
}

/// The reading of an odd width by the package positional-encodings.
pub fn odd_divisor_d_plus_one(case: &mut Case) -> Result<(), String> {
    replay(case, |d, base| {
        Sinusoidal::with_odd_rule(d, base, OddRule::DivisorDPlusOne)
    })
}

/// GPT-J's: sines, then cosines, with the paper's frequencies.
pub fn concatenated(case: &mut Case) -> Result<(), String> {
    replay(case, |d, base| {
        Sinusoidal::new(d, base, Layout::Concatenated)
    })
}

/// tensor2tensor's, also for odd widths.
pub fn t2t(case: &mut Case) -> Result<(), String> {
    replay(case, |d, base| {
        if d % 2 == 0 {
            Sinusoidal::new(d, base, Layout::T2t)
        } else {
            Sinusoidal::t2t_of_any_width(d, base)
        }
    })
}

fn replay<E: std::fmt::Display>(
    case: &mut Case,
    encoding: impl Fn(usize, f64) -> Result<Sinusoidal, E>,
) -> Result<(), String> {
    let d = case.inputs.size("d_model")?;
    let base = case.inputs.number("base")?;
    let pe = encoding(d, base).map_err(|e| e.to_string())?;
    let dims: Vec<usize> = match case.inputs.optional("dims") {
        Some(dims) => {
            let dims = Tensor::read("dims", &dims)?;
            dims.data.iter().map(|&j| j as usize).collect()
        }
        None => (0..d).collect(),
    };
    let Some(padding_idx) = case.inputs.optional_number("padding_idx")? else {
        let positions = case.inputs.tensor("positions")?.data;
        let m = pe.matrix(&positions);
        let kept = Tensor::matrix(&m.select_columns(&dims));
        // The single value has to agree with the matrix that it stands in.
        for (r, &p) in positions.iter().enumerate() {
            for &j in &dims {
                let near = (pe.value(p, j) - m[(r, j)]).abs() <= 1e-15 * p.abs().max(10.0);
                case.must(near, format!("value({p}, {j}) differs from the matrix"));
            }
        }
        return case.only_result(&kept);
    };
    let sentences = case.inputs.rows_of_integers("input_ids")?;
    let padding_idx = padding_idx as i64;
    let n = sentences.first().map_or(0, Vec::len);
    let ids = sentences
        .iter()
        .flat_map(|s| fairseq_position_ids(s, padding_idx));
    let ids = Tensor::new(vec![sentences.len(), n], ids.map(|id| id as f64).collect());
    case.result("position_ids", "position_ids", &ids)?;
    let rows = sentences
        .iter()
        .map(|s| pe.padded_matrix(s, padding_idx).select_columns(&dims));
    let rows = Tensor::stack(vec![sentences.len()], &rows.collect::<Vec<_>>());
    case.only_result(&rows)
}
