//! Shaw, KERPLE and xPos against a second implementation: `tests/second/schemes.py` made the numbers.

use nalgebra::DMatrix;
use posenc_lab::core::Matrix;
use posenc_lab::core::encoding::relative::{BiasEdit, relative_index};
use posenc_lab::core::encoding::rope::Pairing;
use posenc_lab::core::encoding::{KeyVectors, Prepared, Scheme, Setting, xpos};
use serde_json::Value as Json;

const TOLERANCE: f64 = 1e-12;

fn reference(scheme: &str) -> Vec<Json> {
    let text = include_str!("second/schemes.json");
    let all: Json = serde_json::from_str(text).expect("JSON");
    let cases = all[scheme].as_array().expect("cases").clone();
    assert!(!cases.is_empty());
    cases
}

fn numbers(value: &Json) -> Vec<f64> {
    let all = value.as_array().expect("a list").iter();
    all.map(|x| x.as_f64().expect("a number")).collect()
}

fn matrix(value: &Json) -> Matrix {
    let rows: Vec<Vec<f64>> = value
        .as_array()
        .expect("rows")
        .iter()
        .map(numbers)
        .collect();
    Matrix::from_fn(rows.len(), rows[0].len(), |r, c| rows[r][c])
}

fn close(got: &Matrix, want: &Matrix) {
    assert_eq!(got.shape(), want.shape());
    for (a, b) in got.iter().zip(want) {
        assert!((a - b).abs() <= TOLERANCE * b.abs().max(1.0), "{a} {b}");
    }
}

mod setting;

fn setting(d_model: usize, heads: usize) -> Setting {
    Setting {
        d_model,
        heads,
        ..setting::setting()
    }
}

/// The paper's table is ours read from its other end.
#[test]
fn shaw_adds_the_product_of_query_and_vector() {
    for case in reference("shaw") {
        let (q, w) = (matrix(&case["q"]), matrix(&case["w"]));
        let r = case["k"].as_u64().expect("k") as usize;
        let n = q.nrows();
        let table = Matrix::from_fn(w.nrows(), w.ncols(), |row, c| w[(2 * r - row, c)]);
        let vectors = KeyVectors {
            tables: vec![table],
            rows: DMatrix::from_fn(n, n, |i, j| relative_index(i, j, r)),
        };
        let scale = 1.0 / (q.ncols() as f64).sqrt();
        let keys = Prepared::Keys(vectors);
        let added = keys.added(0, &q, scale);
        let added = added.expect("shapes fit").expect("something is added");
        close(&added, &matrix(&case["added"]));

        // The scheme of the list looks the same rows up.
        let mut s = setting(q.ncols(), 1);
        s.max_rel_dist = r;
        let prepared = Scheme::by_id("shaw").expect("listed").prepare(&s, n);
        let Ok(Prepared::Keys(own)) = prepared else {
            panic!("vectors for keys");
        };
        assert_eq!(
            own.rows,
            DMatrix::from_fn(n, n, |i, j| relative_index(i, j, r))
        );
    }
}

#[test]
fn kerple_is_a_logarithm_of_the_distance() {
    for case in reference("kerple") {
        let r = matrix(&case["r"]);
        let mut s = setting(2 * r.nrows(), r.nrows());
        for head in 0..r.nrows() {
            for index in 0..2 {
                let value = r[(head, index)];
                s.bias_edits.push(BiasEdit { head, index, value });
            }
        }
        let n = case["bias"][0].as_array().expect("rows").len();
        let prepared = Scheme::by_id("kerple").expect("listed").prepare(&s, n);
        let Ok(Prepared::ScoreBias(heads)) = prepared else {
            panic!("a bias");
        };
        assert_eq!(heads.len(), r.nrows());
        for (head, got) in heads.iter().enumerate() {
            close(got, &matrix(&case["bias"][head]));
        }
    }
}

#[test]
fn xpos_turns_and_scales() {
    for case in reference("xpos") {
        let (q, k) = (matrix(&case["q"]), matrix(&case["k"]));
        let mut s = setting(q.ncols(), 1);
        s.base = case["base"].as_f64().expect("a base");
        s.pairing = match case["pairing"].as_str() {
            Some("half") => Pairing::Half,
            _ => Pairing::Interleaved,
        };
        let at = numbers(&case["at"]);
        let rotation = Scheme::by_id("xpos").expect("listed").turns(&s);
        let rotation = rotation.expect("a legal setting");
        close(
            &rotation.queries(&q, &at).expect("fits"),
            &matrix(&case["queries"]),
        );
        close(
            &rotation.keys(&k, &at).expect("fits"),
            &matrix(&case["keys"]),
        );
        let zeta = xpos::zeta(q.ncols());
        for (a, b) in zeta.iter().zip(numbers(&case["zeta"])) {
            assert!((a - b).abs() <= TOLERANCE);
        }
    }
}
