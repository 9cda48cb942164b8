//! Questions of the page `order`.

use posenc_lab::core::encoding::Scheme;
use posenc_lab::core::toy::{ToyModel, token_vectors};
use posenc_lab::vectors::vectors;

use super::{Known, none};
use crate::params;

/// A number of arrays of an address.
fn array(query: &str, name: &str) -> Vec<f64> {
    let all = vectors(query);
    let data = all["arrays"][name]["data"].as_array().expect(name);
    data.iter().map(|x| x.as_f64().expect("a number")).collect()
}

pub const KNOWN: &[Known] = &[
    ("order/swap", &[], none, || {
        let query = "page=order&scheme=none";
        assert!(array(query, "max_difference")[0] < 1e-9);
        // Not all tokens have one output.
        let a = array(query, "a_output");
        assert!((a[0] - a[a.len() / 3]).abs() > 1e-6);
    }),
    ("order/reaches-v", &[], none, || {
        let with = |scheme: &str| {
            let s = params("page=order").setting;
            let x = token_vectors(s.seed, &["a", "b", "c"].map(str::to_owned), s.d_model);
            let prepared = Scheme::by_id(scheme).expect("a scheme").prepare(&s, 3);
            let model = ToyModel::new(s.seed, s.d_model, s.heads, 1);
            let layer = model.first().expect("a layer");
            let steps = layer.steps(&x, &prepared.expect("legal"), false, 0);
            steps.expect("fits")
        };
        let plain = with("none");
        for (scheme, reaches) in [
            ("sinusoidal", true),
            ("learned", true),
            ("rope", false),
            ("relative", false),
            ("t5", false),
            ("alibi", false),
        ] {
            let now = with(scheme);
            assert_eq!((&now.v - &plain.v).amax() > 1e-9, reaches, "{scheme}");
            assert!((now.weights - &plain.weights).amax() > 1e-6, "{scheme}");
        }
    }),
    ("order/last-token", &[], none, || {
        let last = array("page=order&scheme=none&pool=last", "pooled_difference")[0];
        let each = array("page=order&scheme=none&pool=last", "max_difference")[0];
        assert!(last > 1e-3 && each < 1e-9);
    }),
    ("order/row-length", &[], none, || {}),
    ("order/mirror", &["0"], none, || {
        assert!(array("page=order&scheme=alibi", "max_difference")[0] < 1e-9);
        assert!(array("page=order&scheme=alibi&causal=1", "max_difference")[0] > 1e-3);
    }),
];
