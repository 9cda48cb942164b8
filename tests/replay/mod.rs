//! How each kind of reference case is replayed.

pub mod behaviour;
pub mod case;
pub mod json;
pub mod report;

mod attention;
mod grid;
mod mrope;
mod precision;
mod relative;
mod rope;
mod scaling;
mod sinusoidal;

use case::Case;
use serde_json::Value;

/// Computes what the case expects and compares; an error says what is wrong with the case itself.
pub type Replay = fn(&mut Case) -> Result<(), String>;

/// The kind of a case: what its file calls kind, layout or rope_type. The advice of file 08 is
/// told apart by its id, in which any number may stand where the kind has `#`.
pub fn kind_of(file: &str, case: &Value) -> String {
    let id = case["id"].as_str().unwrap_or_default();
    if file.starts_with("08") {
        return behaviour::kind(id);
    }
    ["kind", "layout", "rope_type"]
        .iter()
        .find_map(|key| case[*key].as_str())
        .unwrap_or_default()
        .to_owned()
}

/// The replay for a kind of case, if there is one.
pub fn find(file: &str, kind: &str) -> Option<Replay> {
    let number = file.get(..2)?;
    Some(match (number, kind) {
        ("01", "interleaved") => sinusoidal::interleaved,
        ("01", "interleaved_odd_divisor_d") => sinusoidal::odd_divisor_d,
        ("01", "interleaved_odd_divisor_d_plus_1") => sinusoidal::odd_divisor_d_plus_one,
        ("01", "concat_standard") => sinusoidal::concatenated,
        ("01", "concat_t2t") => sinusoidal::t2t,
        ("02", "inv_freq") => rope::inv_freq,
        ("02", "rotate") => rope::rotate,
        ("02", "pairing_permutation") => rope::pairing_permutation,
        (
            "03",
            "default" | "linear" | "ntk" | "dynamic" | "yarn" | "longrope" | "llama3"
            | "proportional",
        ) => scaling::scaled,
        ("04", "t5_bucket") => relative::t5_bucket,
        ("04", "t5_bucket_boundary") => relative::t5_bucket_boundary,
        ("04", "t5_bias") => relative::t5_bias,
        ("04", "alibi_slopes") => relative::alibi_slopes,
        ("04", "alibi_bias") => relative::alibi_bias,
        ("04", "alibi_padding") => relative::alibi_padding,
        ("04", "shaw_index") => relative::shaw_index,
        ("04", "asymmetric_clip") => relative::asymmetric_clip,
        ("04", "swin_index") => grid::swin_index,
        ("04", "beit_index") => grid::beit_index,
        ("04", "swinv2_log_coords") => grid::swinv2_log_coords,
        ("04", "deberta_bucket") => relative::deberta_bucket,
        ("05", "sincos2d") => grid::sincos2d,
        ("05", "sincos2d_interleaved_pairs") => grid::interleaved_pairs,
        ("05", "detr_sine") => grid::detr_sine,
        ("05", "axial_rope") => grid::axial_rope,
        ("05", "resample_grid") => grid::resample_grid,
        ("06", "mrope_positions") => mrope::positions,
        ("06", "tmrope_positions") => mrope::omni,
        ("06", "mrope_cos_sin") => mrope::cos_sin,
        ("07", "attention") => attention::attention,
        ("07", "multi_head") => attention::multi_head,
        ("07", "permutation") => attention::permutation,
        ("08", kind) => return behaviour::find(kind),
        ("09", "rounding") => precision::rounding,
        ("09", "precision_pipelines") => precision::pipelines,
        _ => return None,
    })
}
