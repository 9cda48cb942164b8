//! The numbers that the text and the formulas name, for the present parameters, and the
//! conditions of `check figure`. `docs/lesson-format.md` lists both.
//!
//! Each number is computed from one cell, never from a whole matrix. The only dear one, the
//! difference on the page `order`, is what its figure has computed already.

mod conditions;
mod context;
mod multimodal;
mod relative;
mod rope;

pub use conditions::CONDITIONS;

use std::cell::OnceCell;

use crate::core::analysis::{similarity_by_distance, wavelength};
use crate::core::encoding::rope::Rope;
use crate::core::encoding::rope_scaling::{RopeScaling, ntk_base, plain_frequencies};
use crate::core::encoding::sinusoidal::Sinusoidal;
use crate::core::encoding::{ByOffset, Rotation};
use crate::core::grid::sincos::{Blocks, Sincos2d};
use crate::core::grid::window::{difference, swin_index, table_rows};
use crate::core::mrope::{PositionIds, total_tokens};
use crate::figure::multimodal::audio::TRAINED_SECONDS;
use crate::state::{Key, Page, Params};
use crate::words::short;

/// Positions of which the figure `attention` shows scores.
const MAX_SIDE: usize = 8;
/// Length in which the turns of the slowest pair are counted.
const TRAINED: f64 = 2048.0;

/// A number of the text.
#[derive(Debug, Clone, PartialEq)]
pub struct LiveNumber {
    /// In full.
    pub number: f64,
    /// As it is written.
    pub text: String,
}

/// Parameters that every page may name.
const PARAMETERS: &[&str] = &[
    "d_model",
    "seq_len",
    "base",
    "max_rel_dist",
    "heads",
    "head_dim",
    "pos",
    "dim",
    "i",
    "j",
    "shift",
    "head",
    "seed",
    "offset",
];

/// Names that belong to a page.
fn own_names(page: Page) -> &'static [&'static str] {
    match page {
        Page::Order => &["max_difference", "n_tokens"],
        Page::Absolute => &[
            "pair",
            "omega",
            "angle",
            "cell",
            "func",
            "wavelength",
            "shift_angle",
            "similarity",
            "last_omega",
            "last_wavelength",
            "last_turns",
        ],
        Page::Relative => &[
            "clipped",
            "index",
            "table_rows",
            "bias",
            "score_before",
            "score",
            "weight",
            "slope",
            "r1",
            "r2",
            "bucket",
        ],
        Page::Rope => &[
            "rope_pair",
            "theta",
            "angle_m",
            "angle_n",
            "angle_diff",
            "rope_wavelength",
            "rope_score",
            "mean_cosine",
            "last_theta",
            "last_rope_wavelength",
        ],
        Page::Context => &[
            "factor",
            "orig_len",
            "target_len",
            "rope_pair",
            "plain_theta",
            "theta",
            "ratio",
            "first_ratio",
            "last_ratio",
            "turns",
            "seen_angle",
            "far_angle",
            "rope_wavelength",
            "whole_pairs",
            "ntk_base",
            "ntk_divisor",
            "attention_factor",
            "score_factor",
        ],
        Page::Multimodal => &[
            "patch",
            "patches",
            "grid_rows",
            "grid_columns",
            "patch_row",
            "patch_column",
            "image_height",
            "image_width",
            "right_1d",
            "below_1d",
            "next_2d",
            "window_rows",
            "window_columns",
            "window_cells",
            "delta_row",
            "delta_column",
            "swin_index",
            "swin_rows",
            "seconds",
            "rate",
            "frames",
            "trained_frames",
            "unseen_frames",
            "tokens",
            "ids_spent",
            "fps",
            "seconds_per_grid",
            "q",
            "k",
            "q_t",
            "q_h",
            "q_w",
            "k_t",
            "k_h",
            "k_w",
            "flat_distance",
            "mod_bias",
            "score_flat",
            "score_ids",
        ],
        _ => &[],
    }
}

/// Names that a page's text may use.
pub fn names(page: Page) -> impl Iterator<Item = &'static str> {
    PARAMETERS.iter().chain(own_names(page)).copied()
}

/// Names that change with the traced cell: the formulas show them in its colour.
pub fn is_traced(name: &str) -> bool {
    [
        "pos",
        "dim",
        "i",
        "j",
        "offset",
        "cell",
        "func",
        "pair",
        "angle",
        "clipped",
        "index",
        "bucket",
        "bias",
        "score",
        "weight",
        "rope_pair",
        "angle_m",
        "angle_n",
        "angle_diff",
        "rope_score",
        "mean_cosine",
        "plain_theta",
        "ratio",
        "turns",
        "seen_angle",
        "far_angle",
        "ntk_divisor",
        "patch_row",
        "patch_column",
        "delta_row",
        "delta_column",
        "swin_index",
        "q",
        "k",
        "q_t",
        "q_h",
        "q_w",
        "k_t",
        "k_h",
        "k_w",
        "flat_distance",
        "score_flat",
        "score_ids",
    ]
    .contains(&name)
}

/// All numbers of the page shown.
pub fn live(p: &Params, difference: Option<f64>) -> Vec<(&'static str, LiveNumber)> {
    let live = Live::new(p, difference);
    names(p.page)
        .filter_map(|name| Some((name, live.number(name)?)))
        .collect()
}

/// Numbers for one set of parameters; what several of them need is computed once.
pub struct Live<'a> {
    p: &'a Params,
    /// What the figure of `order` found.
    difference: Option<f64>,
    sinusoidal: OnceCell<Option<Sinusoidal>>,
    rotation: OnceCell<Option<Rotation>>,
    by_offset: OnceCell<Option<Box<dyn ByOffset>>>,
    /// Scores of the query's row before the bias.
    row: OnceCell<Option<Vec<f64>>>,
    ids: OnceCell<Option<PositionIds>>,
}

impl<'a> Live<'a> {
    /// Numbers for `p`; `difference` is the `max-difference` of the figure `order-swap`.
    pub fn new(p: &'a Params, difference: Option<f64>) -> Self {
        Self {
            p,
            difference,
            sinusoidal: OnceCell::new(),
            rotation: OnceCell::new(),
            by_offset: OnceCell::new(),
            row: OnceCell::new(),
            ids: OnceCell::new(),
        }
    }

    /// The number of a name; `None` if there is none now, or never.
    pub fn number(&self, name: &str) -> Option<LiveNumber> {
        let number = self.value(name).filter(|x| x.is_finite())?;
        let text = match name {
            "func" if number == 0.0 => "sin".to_owned(),
            "func" => "cos".to_owned(),
            _ if number.fract() == 0.0 && number.abs() < 1e15 => {
                crate::state::number(number).replace('-', "−")
            }
            _ => short(number),
        };
        Some(LiveNumber { number, text })
    }

    fn value(&self, name: &str) -> Option<f64> {
        let p = self.p;
        let offset = p.i as f64 - p.j as f64;
        match name {
            "head_dim" => return Some(p.setting.head_dim() as f64),
            "offset" => return Some(offset),
            _ if PARAMETERS.contains(&name) => return p.number(Key::by_name(name)?),
            _ if !own_names(p.page).contains(&name) => return None,
            _ => {}
        }
        match p.page {
            Page::Order => match name {
                "n_tokens" => Some(p.tokens_a.len() as f64),
                _ => self.difference,
            },
            Page::Absolute => self.absolute(name),
            Page::Relative => self.relative(name),
            Page::Rope => self.rope_value(name),
            Page::Context => self.context(name),
            Page::Multimodal => self.on_a_grid(name).or_else(|| self.in_a_sequence(name)),
            _ => None,
        }
    }

    fn absolute(&self, name: &str) -> Option<f64> {
        let p = self.p;
        let pe = self.sinusoidal()?;
        let (pair, sine) = pe.pair(p.dim)?;
        let omega = *pe.frequencies().get(pair)?;
        let last = *pe.frequencies().last()?;
        Some(match name {
            "pair" => pair as f64,
            "omega" => omega,
            "angle" => p.pos as f64 * omega,
            "cell" => pe.value(p.pos as f64, p.dim),
            "func" => f64::from(u8::from(!sine)),
            "wavelength" => wavelength(omega),
            "shift_angle" => p.shift as f64 * omega,
            "similarity" => {
                let one = std::iter::once(p.shift as f64);
                similarity_by_distance(pe.frequencies(), one)[0]
            }
            "last_omega" => last,
            "last_wavelength" => wavelength(last),
            "last_turns" => TRAINED / wavelength(last),
            _ => return None,
        })
    }

    fn sinusoidal(&self) -> Option<&Sinusoidal> {
        let s = &self.p.setting;
        self.sinusoidal
            .get_or_init(|| Sinusoidal::new(s.d_model, s.base, s.layout).ok())
            .as_ref()
    }

    fn rotation(&self) -> Option<&Rotation> {
        let of_scheme = || self.p.scheme.turns(&self.p.setting).ok();
        self.rotation.get_or_init(of_scheme).as_ref()
    }

    fn rope(&self) -> Option<&Rope> {
        self.rotation().map(Rotation::rope)
    }

    fn by_offset(&self) -> Option<&dyn ByOffset> {
        let of_scheme = || self.p.scheme.offsets(&self.p.setting).ok();
        self.by_offset.get_or_init(of_scheme).as_deref()
    }
}
