//! File 04: relative indices, buckets and biases.

use posenc_lab::core::Matrix;
use posenc_lab::core::encoding::alibi;
use posenc_lab::core::encoding::deberta::DebertaBuckets;
use posenc_lab::core::encoding::relative::{self, BiasTable};
use posenc_lab::core::encoding::t5::T5Buckets;
use serde_json::Value;

use super::case::Case;
use super::json::{Fields, Tensor};

/// T5's bucket of every distance in a range.
pub fn t5_bucket(case: &mut Case) -> Result<(), String> {
    let buckets = t5_buckets(&mut case.inputs)?;
    // The core counts key − query.
    buckets_of_range(case, "query_position - key_position", |d| {
        buckets.bucket(d) as f64
    })
}

/// The bucket of every distance in the range of the inputs, turned round where the case counts
/// `opposite` to the core.
fn buckets_of_range(
    case: &mut Case,
    opposite: &str,
    bucket: impl Fn(i64) -> f64,
) -> Result<(), String> {
    let range = case.inputs.tensor("relative_position")?.integers();
    let [first, last] = range[..] else {
        return Err("relative_position is no range".into());
    };
    let convention = case.inputs.optional("convention");
    let convention = convention
        .as_ref()
        .and_then(Value::as_str)
        .unwrap_or_default();
    let sign = if convention.contains(opposite) { -1 } else { 1 };
    let got = (first..=last).map(|d| bucket(sign * d));
    case.result("bucket", "bucket", &Tensor::list(got.collect()))
}

/// Distances on the boundary of a bucket, where rounding can put them one bucket too low.
pub fn t5_bucket_boundary(case: &mut Case) -> Result<(), String> {
    let buckets = t5_buckets(&mut case.inputs)?;
    let distances = case.inputs.tensor("relative_positions")?.integers();
    let got: Vec<f64> = distances
        .iter()
        .map(|&d| buckets.bucket(d) as f64)
        .collect();
    // What floating-point formulas make of it: right, or one off.
    for rounded in ["float32_library", "naive_float64"] {
        if let Some(value) = case.expected.optional(rounded) {
            let theirs = Tensor::read(rounded, &value)?.data;
            let close = theirs.len() == got.len()
                && theirs.iter().zip(&got).all(|(a, b)| (a - b).abs() <= 1.0);
            case.must(close, format!("{rounded} is more than one bucket away"));
        }
    }
    case.result("bucket", "bucket", &Tensor::list(got))
}

/// T5's bias: a table looked up by bucket.
pub fn t5_bias(case: &mut Case) -> Result<(), String> {
    let buckets = t5_buckets(&mut case.inputs)?;
    let queries = case.inputs.size("query_len")?;
    let keys = case.inputs.size("key_len")?;
    let table = table(&case.inputs.tensor("table")?)?;
    let bias = table.matrices_of(queries, keys, |i, j| buckets.bucket(j as i64 - i as i64));
    case.result("bias", "bias", &Tensor::stack(vec![table.heads()], &bias))
}

/// ALiBi's slopes for several numbers of heads.
pub fn alibi_slopes(case: &mut Case) -> Result<(), String> {
    let heads = case.inputs.tensor("num_heads")?.data;
    let rows = case.expected.take("table")?;
    let rows = rows.as_array().ok_or("table is no list")?;
    case.must(
        rows.len() == heads.len(),
        "not one row for each number of heads",
    );
    for (row, &heads) in rows.iter().zip(&heads) {
        let mut row = Fields::new("table", row)?;
        let n = row.size("num_heads")?;
        case.must(n as f64 == heads, "rows are not in the order of num_heads");
        let got = Tensor::list(alibi::slopes(n));
        if let Some(slopes) = row.optional("slopes") {
            case.value("slopes", &Tensor::read("slopes", &slopes)?, &got)?;
        }
        if let Some(slopes) = row.optional("slopes_float32") {
            case.value_float32("slopes", &Tensor::read("slopes", &slopes)?, &got)?;
        }
        row.all_taken()?;
    }
    Ok(())
}

/// ALiBi's bias in its three forms.
pub fn alibi_bias(case: &mut Case) -> Result<(), String> {
    let slopes = alibi::slopes(case.inputs.size("num_heads")?);
    let n = case.inputs.size("length")?;
    let heads = slopes.len();
    let full = slopes
        .iter()
        .map(|&m| Matrix::from_fn(n, n, |i, j| alibi::bias(m, i, j)));
    let full = Tensor::stack(vec![heads], &full.collect::<Vec<_>>());
    case.result("symmetric", "symmetric", &full)?;
    let by_key = |bias: &dyn Fn(f64, usize) -> f64| {
        let data = slopes.iter().flat_map(|&m| (0..n).map(move |j| bias(m, j)));
        Tensor::new(vec![heads, n], data.collect())
    };
    let bloom = by_key(&alibi::bias_from_first_key);
    let mpt = by_key(&|m, j| alibi::bias_from_last_key(m, j, n));
    case.result("bloom_key_form", "bloom_key_form", &bloom)?;
    case.result("mpt_key_form", "mpt_key_form", &mpt)
}

/// BLOOM's bias where some tokens are padding.
pub fn alibi_padding(case: &mut Case) -> Result<(), String> {
    let slopes = alibi::slopes(case.inputs.size("num_heads")?);
    let masks = case.inputs.rows_of_integers("attention_mask")?;
    let n = masks.first().map_or(0, Vec::len);
    let mut data = Vec::new();
    for mask in &masks {
        let real: Vec<bool> = mask.iter().map(|&m| m != 0).collect();
        let at = alibi::masked_positions(&real);
        for &m in &slopes {
            data.extend(at.iter().map(|&p| alibi::bias_from_first_key(m, p)));
        }
    }
    let got = Tensor::new(vec![masks.len(), slopes.len(), n], data);
    case.result("alibi", "alibi", &got)
}

/// Shaw's clipped index, key − query.
pub fn shaw_index(case: &mut Case) -> Result<(), String> {
    let left = case.inputs.size("left_max")?;
    let right = case.inputs.size("right_max")?;
    index(case, left + right + 1, |i, j| {
        relative::shaw_index(j - i, left, right)
    })
}

/// SpeechT5's clipped index, query − key.
pub fn asymmetric_clip(case: &mut Case) -> Result<(), String> {
    let max = case.inputs.size("max_length")?;
    index(case, 2 * max, |i, j| relative::asymmetric_index(i - j, max))
}

fn index(case: &mut Case, rows: usize, index: impl Fn(i64, i64) -> usize) -> Result<(), String> {
    let n = case.inputs.size("length")?;
    let m = Matrix::from_fn(n, n, |i, j| index(i as i64, j as i64) as f64);
    case.result("index", "index", &Tensor::matrix(&m))?;
    case.must(
        m.iter().all(|&c| c < rows as f64),
        "an index is past the end of the table",
    );
    case.result(
        "table_rows",
        "table_rows",
        &Tensor::new(Vec::new(), vec![rows as f64]),
    )
}

/// DeBERTa's bucket of every distance in a range, query − key.
pub fn deberta_bucket(case: &mut Case) -> Result<(), String> {
    let size = case.inputs.size("bucket_size")?;
    let max_position = case.inputs.size("max_position")?;
    let buckets = DebertaBuckets::new(size, max_position).map_err(|e| e.to_string())?;
    buckets_of_range(case, "key_position - query_position", |d| {
        buckets.bucket(d) as f64
    })
}

/// T5's buckets as the inputs describe them.
pub fn t5_buckets(inputs: &mut Fields) -> Result<T5Buckets, String> {
    let number = inputs.size("num_buckets")?;
    let max_distance = inputs.size("max_distance")?;
    let bidirectional = inputs.flag("bidirectional")?;
    T5Buckets::new(number, max_distance, bidirectional).map_err(|e| e.to_string())
}

/// A table that the files give as [rows, heads]; the core has [heads, columns].
pub fn table(given: &Tensor) -> Result<BiasTable, String> {
    let [rows, heads] = given.shape[..] else {
        return Err("the table is not [rows, heads]".into());
    };
    let by_head = (0..heads).flat_map(|h| (0..rows).map(move |r| given.data[r * heads + h]));
    BiasTable::from_values(heads, rows, by_head.collect()).map_err(|e| e.to_string())
}
