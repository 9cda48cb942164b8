//! File 08: what real code does at the edges, and the advice that follows for the core. Each
//! advice is a test with its name; the numbers in the name are read, so that other ones work too.

mod lengths;
mod widths;

use super::Replay;
use super::case::Case;
use crate::setting::setting;
use posenc_lab::core::CoreError;
use posenc_lab::core::encoding::{Prepared, Scheme, Setting};

/// An advice: its id with `#` for every number that may change, and its test.
const ADVICE: &[(&str, Replay)] = &[
    ("seed/relbias/n=M", lengths::bias_of_any_length),
    ("seed/relbias/n=M+#/slice", lengths::bias_of_any_length),
    (
        "seed/relbias/n=M+#/slice_then_add",
        lengths::bias_of_any_length,
    ),
    (
        "seed/relbias/n=M+#/gather_view",
        lengths::bias_of_any_length,
    ),
    (
        "seed/relbias/M=#_n=#",
        lengths::short_table_does_not_broadcast,
    ),
    ("seed/relbias/clamp_is_noop", lengths::the_clamp_acts),
    ("wanted/relbias/n=#", lengths::wanted_index),
    ("seed/sin/d#", widths::odd_width),
    ("seed/sin/len#_max#", lengths::no_longest_length),
    ("seed/sin/len#_max#_broadcast", lengths::one_row_a_token),
    (
        "seed/sin/time_first_bug",
        lengths::position_indexes_the_sequence,
    ),
    ("learned/len#_max#", lengths::past_the_learned_table),
    ("learned/negative", lengths::no_negative_row),
    ("rope/half/head_dim#", widths::rope_width),
    ("rope/interleaved/head_dim#/cohere", widths::rope_width),
    ("rope/interleaved/head_dim#/gptj", widths::rope_width),
    ("rope/rotary_embedding_torch/dim#", widths::rope_width),
    ("rope/config/head_dim#", widths::rope_width),
    ("rope/partial/rotary_dim#_of_#", widths::partial_rope_width),
    ("rope/dynamic/dim#", widths::ntk_width),
    ("rope/yarn/base#", widths::yarn_base),
    ("rope/llama3/hi_equals_lo", widths::llama3_bounds),
    ("sin/whisper/channels#", widths::t2t_width),
    ("sin/t2t/d#", widths::t2t_width_odd_allowed),
    ("t5/num_buckets#", widths::too_few_buckets),
    (
        "t5/max_distance_equals_max_exact",
        widths::max_distance_too_small,
    ),
    ("alibi/heads#", widths::alibi_heads),
    ("softmax/all_masked_row", lengths::all_masked),
    ("softmax/all_masked_row_plain", lengths::all_masked),
    ("bert_relative_key/max#_len#", lengths::shaw_clips),
    ("sincos2d/dim#", widths::grid_width),
    ("sincos2d/dim#_positional_encodings", widths::grid_width_cut),
];

/// The pattern of an id, or the id itself.
pub fn kind(id: &str) -> String {
    let patterns = ADVICE
        .iter()
        .map(|(pattern, _)| *pattern)
        .chain(crate::PENDING.iter().copied());
    let mut patterns = patterns.filter(|pattern| numbers(pattern, id).is_some());
    patterns.next().unwrap_or(id).to_owned()
}

/// The test of a pattern.
pub fn find(kind: &str) -> Option<Replay> {
    ADVICE
        .iter()
        .find(|(pattern, _)| *pattern == kind)
        .map(|(_, run)| *run)
}

/// The numbers that stand for `#`, if the id has the pattern.
fn numbers(pattern: &str, id: &str) -> Option<Vec<usize>> {
    let mut parts = pattern.split('#');
    let mut rest = id.strip_prefix(parts.next()?)?;
    let mut found = Vec::new();
    for part in parts {
        let digits = rest.chars().take_while(char::is_ascii_digit).count();
        found.push(rest[..digits].parse().ok()?);
        rest = rest[digits..].strip_prefix(part)?;
    }
    rest.is_empty().then_some(found)
}

/// Takes what the libraries did, which is no specification, and gives the numbers in the id.
fn open<const N: usize>(case: &mut Case) -> Result<[usize; N], String> {
    let seen = [
        "outcome", "type", "message", "shape", "dtype", "has_nan", "value",
    ];
    for field in seen.iter().chain(&["rows_used", "table_rows"]) {
        case.expected.optional(field);
    }
    let id = case.id.clone();
    let found = numbers(&kind(&id), &id).unwrap_or_default();
    found
        .try_into()
        .map_err(|_| format!("{id}: not {N} numbers"))
}

fn prepare(scheme: &str, setting: &Setting, n: usize) -> Result<Prepared, String> {
    let scheme = Scheme::by_id(scheme).ok_or_else(|| format!("there is no scheme {scheme}"))?;
    scheme.prepare(setting, n).map_err(|e| e.to_string())
}

fn is_error<T>(result: Result<T, CoreError>) -> bool {
    result.is_err()
}
