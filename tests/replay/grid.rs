//! File 05, and what file 04 has for windows: positions on a grid.

use std::fmt::Display;

use posenc_lab::core::grid::axial::{AxialRope, Variant};
use posenc_lab::core::grid::resample::{Interpolation, resample};
use posenc_lab::core::grid::sincos::{self, Blocks, DetrSine, Sincos2d, numbers};
use posenc_lab::core::grid::{Grid, TokenOrder, window};
use posenc_lab::core::{CoreError, Matrix};

use super::case::Case;
use super::json::{Fields, Tensor};

fn text(e: impl Display) -> String {
    e.to_string()
}

/// A grid given as [rows, columns].
fn grid(inputs: &mut Fields, name: &str) -> Result<Grid, String> {
    let sides = inputs.tensor(name)?.integers();
    let [rows, columns] = sides[..] else {
        return Err(format!("{name} is no pair of sizes"));
    };
    Grid::new(rows as usize, columns as usize).map_err(text)
}

/// The four blocks in the order that the case names.
pub fn sincos2d(case: &mut Case) -> Result<(), String> {
    let names = case.fields.take("blocks")?;
    let names = names.as_array().ok_or("blocks are no list")?;
    let names: Vec<&str> = names.iter().filter_map(|n| n.as_str()).collect();
    let blocks = Blocks::by_names(&names).map_err(text)?;
    let order = match case.fields.text("token_order")?.as_str() {
        "row_major" => TokenOrder::RowMajor,
        "column_major" => TokenOrder::ColumnMajor,
        other => return Err(format!("unknown token order {other:?}")),
    };
    let grid = grid(&mut case.inputs, "grid")?;
    let (dim, base) = (case.inputs.size("dim")?, case.inputs.number("base")?);
    let pe = Sincos2d::new(dim, base, blocks).map_err(text)?;
    case.only_result(&Tensor::matrix(&pe.table(grid, order)))
}

/// Sine and cosine side by side; the library takes any width.
pub fn interleaved_pairs(case: &mut Case) -> Result<(), String> {
    let grid = grid(&mut case.inputs, "grid")?;
    let (dim, base) = (case.inputs.size("dim")?, case.inputs.number("base")?);
    let table = if dim % 4 == 0 {
        sincos::interleaved_pairs(grid, dim, base)
    } else {
        sincos::interleaved_pairs_of_any_width(grid, dim, base)
    };
    case.only_result(&Tensor::matrix(&table.map_err(text)?))
}

/// DETR's.
pub fn detr_sine(case: &mut Case) -> Result<(), String> {
    let grid = grid(&mut case.inputs, "grid")?;
    let scale = case.inputs.number("scale")?;
    let pe = DetrSine {
        features: case.inputs.size("num_position_features")?,
        base: case.inputs.number("base")?,
        normalize: case.inputs.flag("normalize")?.then_some(scale),
        eps: case.inputs.number("eps")?,
    };
    case.only_result(&Tensor::matrix(&pe.table(grid).map_err(text)?))
}

/// Rotation by row and column in each variant.
pub fn axial_rope(case: &mut Case) -> Result<(), String> {
    let variant = match case.fields.text("variant")?.as_str() {
        "qwen2_vl" => Variant::Qwen2Vl,
        "pixtral" => Variant::Pixtral,
        "dinov3" => Variant::Dinov3,
        "timm" => Variant::Timm,
        other => return Err(format!("unknown variant {other:?}")),
    };
    let pairing = super::rope::pairing(&case.fields.text("pairing")?)?;
    let grid = grid(&mut case.inputs, "grid")?;
    let head_dim = case.inputs.size("head_dim")?;
    let rope = AxialRope::new(variant, head_dim, case.inputs.number("base")?).map_err(text)?;
    case.must(rope.pairing() == pairing, "other dimensions are paired");
    let merge = case
        .inputs
        .optional_size("spatial_merge_size")?
        .unwrap_or(1);
    let places = grid.merge_order(merge).map_err(text)?;
    let at = rope.coordinates(grid, &places);
    if merge == 1 {
        case.must(at == rope.grid_coordinates(grid), "another order of tokens");
    }

    let pairs = |at: &[(f64, f64)]| {
        let flat = at.iter().flat_map(|&(row, column)| [row, column]);
        Tensor::new(vec![at.len(), 2], flat.collect())
    };
    case.result("position_ids_hw", "", &pairs(&numbers(&places)))?;
    case.result("coords", "", &pairs(&at))?;
    let frequencies = Tensor::list(rope.frequencies().to_vec());
    case.result("inv_freq", "", &frequencies)?;
    let (cos, sin) = rope.cos_sin(&at);
    case.result("cos", "", &Tensor::matrix(&cos))?;
    case.result("sin", "", &Tensor::matrix(&sin))?;
    for (given, wanted) in [("q", "q_rot"), ("k", "k_rot")] {
        let Some(x) = case.inputs.optional(given) else {
            continue;
        };
        let (lead, x) = Tensor::read(given, &x)?.matrices()?;
        let turned: Result<Vec<Matrix>, CoreError> = x.iter().map(|x| rope.apply(x, &at)).collect();
        let turned = Tensor::stack(lead, &turned.map_err(text)?);
        case.result(wanted, "", &turned)?;
    }
    Ok(())
}

/// A table brought to another grid.
pub fn resample_grid(case: &mut Case) -> Result<(), String> {
    case.fields.optional("optional");
    let from = grid(&mut case.inputs, "from")?;
    let to = grid(&mut case.inputs, "to")?;
    let how = match case.inputs.text("interpolation")?.as_str() {
        "bilinear" => Interpolation::Bilinear,
        "bicubic" => Interpolation::Bicubic,
        other => return Err(format!("unknown interpolation {other:?}")),
    };
    let antialias = case.inputs.flag("antialias")?;
    if case.inputs.flag("align_corners")? {
        return Err("corners are aligned".into());
    }
    let (_, table) = case.inputs.tensor("table")?.matrices()?;
    let [table] = &table[..] else {
        return Err("the table is no matrix".into());
    };
    let new = resample(table, from, to, how, antialias).map_err(text)?;
    case.result("table", "table", &Tensor::matrix(&new))
}

/// Swin's index of each pair within a window.
pub fn swin_index(case: &mut Case) -> Result<(), String> {
    let window = grid(&mut case.inputs, "window")?;
    let rows = window::table_rows(window);
    index(case, window.cells(), rows, |i, j| {
        window::swin_index(window, i, j)
    })
}

/// The same with a class token in front.
pub fn beit_index(case: &mut Case) -> Result<(), String> {
    let window = grid(&mut case.inputs, "window")?;
    let rows = window::beit_table_rows(window);
    index(case, window.cells() + 1, rows, |i, j| {
        window::beit_index(window, i, j)
    })
}

fn index(
    case: &mut Case,
    n: usize,
    rows: usize,
    index: impl Fn(usize, usize) -> usize,
) -> Result<(), String> {
    let m = Matrix::from_fn(n, n, |i, j| index(i, j) as f64);
    case.result("index", "index", &Tensor::matrix(&m))?;
    let rows = Tensor::new(Vec::new(), vec![rows as f64]);
    case.result("table_rows", "table_rows", &rows)
}

/// Swin v2's coordinates.
pub fn swinv2_log_coords(case: &mut Case) -> Result<(), String> {
    let of = grid(&mut case.inputs, "window")?;
    let trained = match case.inputs.optional("pretrained_window") {
        Some(sides) => {
            let mut fields = Fields::new("inputs", &serde_json::json!({ "sides": sides }))?;
            grid(&mut fields, "sides")?
        }
        None => of,
    };
    let [down, across] = window::swinv2_log_coords(of, trained).map_err(text)?;
    let shape = vec![down.nrows(), down.ncols(), 2];
    let places = (0..down.nrows()).flat_map(|r| (0..down.ncols()).map(move |c| (r, c)));
    let flat = places.flat_map(|at| [down[at], across[at]]).collect();
    case.result("coords", "coords", &Tensor::new(shape, flat))
}
