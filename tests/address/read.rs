//! An address read, and the numbers of its arrays.

use posenc_lab::figure::page_of;
use posenc_lab::state::{Notice, Params, decode, open};
use serde_json::Value as Json;

pub fn read(query: &str) -> (Params, Vec<Notice>) {
    let (requested, mut notices) = decode(query);
    let params = open(&requested, page_of, &mut notices);
    (params, notices)
}

/// The notices as `code name given used`.
pub fn told(query: &str) -> Vec<String> {
    let notices = read(query).1;
    notices
        .iter()
        .map(|n| format!("{} {} {} {}", n.code, n.name, n.given, n.used))
        .collect()
}

pub fn array<'a>(object: &'a Json, name: &str) -> (Vec<u64>, &'a Vec<Json>) {
    let array = &object["arrays"][name];
    let shape = array["shape"].as_array().expect(name);
    let shape = shape.iter().map(|x| x.as_u64().expect("a size")).collect();
    (shape, array["data"].as_array().expect("data"))
}

pub fn numbers(object: &Json, name: &str) -> Vec<f64> {
    let (_, data) = array(object, name);
    data.iter().map(|x| x.as_f64().expect("a number")).collect()
}
