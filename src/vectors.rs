//! The arrays behind an address, as one JSON object: what `examples/vectors` prints and the
//! page's download button gives.

use std::ops::Range;

use serde_json::{Map, Value as Json, json};

use crate::core::encoding::{NamedArray, row_major};
use crate::core::mrope::PositionIds;
use crate::core::toy::{ToyModel, ToyRun, max_difference, pooled_difference};
use crate::core::{CoreError, Matrix};
use crate::figure::page_of;
use crate::state::{Key, Kind, Lang, Notice, Page, Params, Requested, SPECS, Value, encode, open};

/// Arrays of more numbers than this are left out, with a notice.
pub const MAX_NUMBERS: usize = 1 << 22;

/// The JSON object for a query string. A scheme without a page is shown as on the page that
/// teaches it.
pub fn vectors(query: &str) -> Json {
    let (mut requested, mut notices) = crate::state::decode(query);
    if requested.get(crate::state::Key::Page).is_none()
        && requested.get(crate::state::Key::Embed).is_none()
        && let Some(Value::Word(scheme)) = requested.get(crate::state::Key::Scheme)
    {
        let page = Page::of_scheme(scheme);
        requested.set(crate::state::Key::Page, Value::Word(page.id()));
    }
    let params = open(&requested, page_of, &mut notices);
    object(&requested, &params, notices)
}

/// The JSON object for parameters that are resolved already.
pub fn object(requested: &Requested, params: &Params, mut notices: Vec<Notice>) -> Json {
    let arrays = match arrays(params, &mut notices) {
        Ok(arrays) => arrays,
        Err(error) => {
            notices.push(Notice::new("undefined", "scheme", error.to_string(), ""));
            Vec::new()
        }
    };
    let mut out = Map::new();
    for array in arrays {
        let numbers: usize = array.shape.iter().product();
        if numbers > MAX_NUMBERS {
            notices.push(Notice::new(
                "too-large",
                array.name.clone(),
                numbers.to_string(),
                MAX_NUMBERS.to_string(),
            ));
            continue;
        }
        let data = (array.data)();
        out.insert(array.name, json!({"shape": array.shape, "data": data}));
    }
    let notices: Vec<Json> = notices
        .iter()
        .map(|n| json!({"code": n.code, "name": n.name, "given": n.given, "used": n.used}))
        .collect();
    json!({
        "version": 1,
        "query": encode(requested),
        "params": params_object(params),
        "notices": notices,
        "arrays": out,
    })
}

/// Every parameter by its public name, as it is used.
fn params_object(params: &Params) -> Json {
    let mut out = Map::new();
    for spec in SPECS {
        let value = match spec.kind {
            Kind::Int { .. } | Kind::Place | Kind::Flag => {
                params.number(spec.key).map(|x| json!(x as i64))
            }
            // Encodings of a grid have a base of their own where none is given.
            Kind::Real { .. } if spec.key == Key::Base && params.on_grid() => {
                Some(json!(params.grid_base))
            }
            Kind::Real { .. } => params.number(spec.key).map(|x| json!(x)),
            Kind::Words(_)
            | Kind::Text
            | Kind::Grid { .. }
            | Kind::Blocks
            | Kind::ModBias
            | Kind::Sections => params.word(spec.key).map(|w| json!(w)),
            Kind::Names | Kind::Figure | Kind::Edits | Kind::Rows => None,
        };
        if let Some(value) = value {
            out.insert(spec.name.to_owned(), value);
        }
    }
    if let Some(Lang::En) = params.lang {
        out.insert("lang".to_owned(), json!("en"));
    }
    Json::Object(out)
}

/// An array with its public name made.
struct Owned {
    name: String,
    shape: Vec<usize>,
    data: Box<dyn FnOnce() -> Vec<f64>>,
}

impl From<NamedArray> for Owned {
    fn from(a: NamedArray) -> Self {
        Self {
            name: a.name.to_owned(),
            shape: a.shape,
            data: a.data,
        }
    }
}

fn ready(name: String, shape: Vec<usize>, data: Vec<f64>) -> Owned {
    Owned {
        name,
        shape,
        data: Box::new(move || data),
    }
}

fn arrays(p: &Params, notices: &mut Vec<Notice>) -> Result<Vec<Owned>, CoreError> {
    if p.page == Page::Order {
        return order_arrays(p, notices);
    }
    if p.page == Page::Multimodal {
        let Some(scheme) = p.scheme2d else {
            return sequence_arrays(p, notices);
        };
        let rows = rows(p, p.grid.cells(), notices);
        let arrays = scheme.arrays(&p.setting, p.grid_base, p.grid, rows)?;
        return Ok(arrays.into_iter().map(Owned::from).collect());
    }
    let rows = rows(p, p.seq_len, notices);
    let arrays = p.scheme.arrays(&p.setting, p.seq_len, rows)?;
    Ok(arrays.into_iter().map(Owned::from).collect())
}

/// The rows asked for, within 0..n; all if none were.
fn rows(p: &Params, n: usize, notices: &mut Vec<Notice>) -> Range<usize> {
    let Some((first, last)) = p.rows else {
        return 0..n;
    };
    let used = first.min(n - 1)..(last + 1).min(n);
    if last >= n {
        notices.push(Notice::new(
            "out-of-range",
            "rows",
            format!("{first}-{last}"),
            format!("{}-{}", used.start, used.end - 1),
        ));
    }
    used
}

/// Ids and rotations of a sequence of blocks.
fn sequence_arrays(p: &Params, notices: &mut Vec<Notice>) -> Result<Vec<Owned>, CoreError> {
    let ids = p.sequence.ids()?;
    let rope = p.sequence.rope(p.setting.whole_head_dim()?)?;
    let rows = rows(p, ids.len(), notices);
    let of_rows = |axis: &Vec<i64>| axis[rows.clone()].to_vec();
    let ids = PositionIds::from_axes(ids.axes().each_ref().map(of_rows))?;
    let (cos, sin) = rope.cos_sin(&ids);
    let axes = ids.axes().iter().flatten().map(|&id| id as f64);
    let shape = vec![rows.len(), cos.ncols()];
    Ok(vec![
        ready(
            "position_ids".to_owned(),
            vec![3, rows.len()],
            axes.collect(),
        ),
        ready("cos".to_owned(), shape.clone(), row_major(&cos)),
        ready("sin".to_owned(), shape, row_major(&sin)),
    ])
}

/// Both sentences through the toy model.
fn order_arrays(p: &Params, notices: &mut Vec<Notice>) -> Result<Vec<Owned>, CoreError> {
    let s = &p.setting;
    let model = ToyModel::new(s.seed, s.d_model, s.heads, p.layers);
    let a = model.run(&p.tokens_a, p.scheme, s)?;
    let b = model.run(&p.tokens_b, p.scheme, s)?;
    let mut out = Vec::new();
    for (prefix, run, tokens) in [("a", &a, &p.tokens_a), ("b", &b, &p.tokens_b)] {
        let rows = rows(p, tokens.len(), notices);
        sentence_arrays(prefix, run, rows, &mut out);
    }
    match max_difference((&p.tokens_a, &a.output), (&p.tokens_b, &b.output)) {
        Some(d) => out.push(ready("max_difference".to_owned(), vec![1], vec![d])),
        None => notices.push(Notice::new(
            "no-permutation",
            "text_b",
            p.tokens_b.join("/"),
            "",
        )),
    }
    if let Some(d) = pooled_difference(&a.output, &b.output, p.pool) {
        out.push(ready("pooled_difference".to_owned(), vec![1], vec![d]));
    }
    Ok(out)
}

fn sentence_arrays(prefix: &str, run: &ToyRun, rows: Range<usize>, out: &mut Vec<Owned>) {
    let pick = |m: &Matrix| row_major(&m.rows(rows.start, rows.len()).into_owned());
    let d_model = run.x.ncols();
    let heads = run.weights.first().map_or(0, Vec::len);
    let n = run.x.nrows();
    let named = |name: &str| format!("{prefix}_{name}");
    out.push(ready(named("x"), vec![rows.len(), d_model], pick(&run.x)));
    out.push(ready(
        named("weights"),
        vec![run.weights.len(), heads, rows.len(), n],
        run.weights.iter().flatten().flat_map(&pick).collect(),
    ));
    out.push(ready(
        named("output"),
        vec![rows.len(), d_model],
        pick(&run.output),
    ));
}
