//! The four ways of telling a patch its place that the page sets side by side, and their arrays.

use std::ops::Range;

use super::axial::{AxialRope, Variant};
use super::sincos::{Blocks, Sincos2d, numbers};
use super::window::{difference_of, swin_index, table_rows};
use super::{Grid, TokenOrder};
use crate::core::encoding::relative::{BiasStart, BiasTable};
use crate::core::encoding::sinusoidal::{Sinusoidal, positions};
use crate::core::encoding::{NamedArray, Setting, bias_array, index_array, row_major};
use crate::core::error::some_heads;
use crate::core::{CoreError, rng};

/// A way of encoding the place of a patch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Scheme2d {
    /// The sinusoidal encoding of the patch's row-major number: the grid is not known.
    Flat,
    /// Two-dimensional sine-cosine in MAE's order, [`Blocks::MAE`].
    SinCos,
    /// A learnable bias per head and (Δrow, Δcolumn), as Swin's within a window of the whole grid.
    Relative,
    /// Axial rotary encoding as in Qwen2-VL's vision encoder, [`Variant::Qwen2Vl`].
    Rope,
}

impl Scheme2d {
    /// All of them, in the order in which they are shown.
    pub const ALL: [Self; 4] = [Self::Flat, Self::SinCos, Self::Relative, Self::Rope];

    /// The ids, as the words that an address may use.
    pub const IDS: &'static [&'static str] = &["1d", "sincos", "relative", "rope"];

    /// The public id.
    pub fn id(self) -> &'static str {
        Self::IDS[self as usize]
    }

    /// The scheme with this id.
    pub fn by_id(id: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|s| s.id() == id)
    }

    /// The arrays behind the scheme for a grid, of whose patches `rows` are wanted; `base` is that
    /// of the frequencies.
    ///
    /// # Errors
    /// If the width of the model, or of a head for RoPE, is not divisible by 4 where two axes
    /// share it, or the setting is not valid.
    pub fn arrays(
        self,
        s: &Setting,
        base: f64,
        grid: Grid,
        rows: Range<usize>,
    ) -> Result<Vec<NamedArray>, CoreError> {
        match self {
            Self::Flat => {
                let pe = Sinusoidal::new(s.d_model, base, s.layout)?;
                let frequencies = pe.frequencies().to_vec();
                Ok(additive(frequencies, (rows.len(), s.d_model), move || {
                    row_major(&pe.matrix(&positions(rows)))
                }))
            }
            Self::SinCos => {
                let pe = Sincos2d::new(s.d_model, base, Blocks::MAE)?;
                let frequencies = pe.frequencies().to_vec();
                Ok(additive(frequencies, (rows.len(), s.d_model), move || {
                    row_major(&pe.at(&numbers(&places(grid, rows))))
                }))
            }
            Self::Relative => {
                some_heads(s.heads)?;
                let (n, table) = (grid.cells(), bias_table(s, grid));
                let bias = move |h, i, j| table.get(h, swin_index(grid, i, j));
                Ok(vec![
                    index_array(n, rows.clone(), move |i, j| swin_index(grid, i, j)),
                    bias_array(s.heads, n, rows, bias),
                ])
            }
            Self::Rope => {
                let rope = AxialRope::new(Variant::Qwen2Vl, s.whole_head_dim()?, base)?;
                let at = numbers(&places(grid, rows));
                let (cos, sin) = rope.cos_sin(&at);
                let flat = at.iter().flat_map(|&(row, column)| [row, column]).collect();
                let shape = vec![at.len(), rope.head_dim() / 2];
                Ok(vec![
                    NamedArray::ready("positions", vec![at.len(), 2], flat),
                    NamedArray::ready("cos", shape.clone(), row_major(&cos)),
                    NamedArray::ready("sin", shape, row_major(&sin)),
                ])
            }
        }
    }
}

fn places(grid: Grid, rows: Range<usize>) -> Vec<(usize, usize)> {
    grid.places(TokenOrder::RowMajor)[rows].to_vec()
}

fn additive(
    frequencies: Vec<f64>,
    (n, d): (usize, usize),
    pe: impl FnOnce() -> Vec<f64> + 'static,
) -> Vec<NamedArray> {
    vec![
        NamedArray::ready("frequencies", vec![frequencies.len()], frequencies),
        NamedArray::lazy("pe", vec![n, d], pe),
    ]
}

/// The learnable table `[heads, (2Mh − 1)(2Mw − 1)]` of a window, or of a whole grid.
///
/// It starts as `s.bias` says: N(0, 1) from the seed, zero, or falling with distance as
/// `−ln(1 + √(Δrow² + Δcolumn²)) · (head + 1) / heads`. A random number belongs to its head and
/// its (Δrow, Δcolumn), so that a larger window keeps those of a smaller one.
pub fn bias_table(s: &Setting, window: Grid) -> BiasTable {
    let columns = table_rows(window);
    let mut values = vec![0.0; s.heads * columns];
    for c in 0..columns {
        let (down, across) = difference_of(window, c);
        let mut normals = match s.bias {
            BiasStart::Random => {
                let name = (down as u64) << 32 | across as u64 & 0xffff_ffff;
                Some(rng::normals(s.seed, "bias: grid", name))
            }
            _ => None,
        };
        let distance = (down as f64).hypot(across as f64);
        for h in 0..s.heads {
            values[h * columns + c] = match (&mut normals, s.bias) {
                (Some(normals), _) => normals.next().unwrap_or_default(),
                (None, BiasStart::Decay) => -((h + 1) as f64 / s.heads as f64) * distance.ln_1p(),
                _ => 0.0,
            };
        }
    }
    BiasTable::edited(s, columns, values)
}
