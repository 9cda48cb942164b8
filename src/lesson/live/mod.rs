//! The numbers that the text and the formulas name, for the present parameters, and the
//! conditions of `check figure`. `docs/lesson-format.md` lists both.
//!
//! Each number is computed from one cell, never from a whole matrix. The only dear one, the
//! difference on the page `order`, is what its figure has computed already.

mod context;
mod multimodal;

use std::cell::OnceCell;

use crate::core::analysis::{similarity_by_distance, wavelength};
use crate::core::attention::visible;
use crate::core::encoding::relative::BiasStart;
use crate::core::encoding::rope::Rope;
use crate::core::encoding::rope_scaling::{Remedy, RopeScaling, ntk_base, plain_frequencies};
use crate::core::encoding::sinusoidal::Sinusoidal;
use crate::core::grid::sincos::{Blocks, Sincos2d};
use crate::core::grid::window::{difference, swin_index, table_rows};
use crate::core::mrope::{PositionIds, total_tokens};
use crate::core::toy::random_vectors;
use crate::core::{CoreError, Matrix, analysis};
use crate::figure::multimodal::audio::TRAINED_SECONDS;
use crate::figure::relative::offset::{Biases, Family, Offsets};
use crate::figure::rope::parts::{pair_of, query_and_key};
use crate::state::{Key, Page, Params};
use crate::words::short;

/// Positions of which the figure `attention` shows scores.
const MAX_SIDE: usize = 128;
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

/// Names of conditions, with the page on which each can hold.
pub const CONDITIONS: &[(&str, Page)] = &[
    ("mask-shows-order", Page::Order),
    ("mirror-blind", Page::Order),
    ("last-pair-slow", Page::Absolute),
    ("beyond-clip", Page::Relative),
    ("symmetric-decay", Page::Relative),
    ("score-kept", Page::Rope),
    ("rope-last-pair-slow", Page::Rope),
    ("rope-negative", Page::Rope),
    ("dynamic-rests", Page::Context),
    ("swin-45", Page::Multimodal),
    ("no-direction", Page::Compare),
];

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
    rope: OnceCell<Option<Rope>>,
    biases: OnceCell<Biases>,
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
            rope: OnceCell::new(),
            biases: OnceCell::new(),
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

    fn relative(&self, name: &str) -> Option<f64> {
        let p = self.p;
        let offsets = Offsets::of(p);
        let offset = p.i as i64 - p.j as i64;
        let r = p.setting.max_rel_dist as i64;
        let index = offsets.index(offset);
        let bias = || self.biases().at(p.head, index);
        Some(match name {
            "clipped" => offset.clamp(-r, r) as f64,
            "index" => index as f64,
            "table_rows" => (2 * r + 1) as f64,
            "bias" => bias(),
            "score_before" => *self.row()?.get(p.j)?,
            "score" => self.row()?.get(p.j)? + bias(),
            "weight" => self.weight(&offsets)?,
            "slope" => match self.biases() {
                Biases::Slopes(slopes) => *slopes.get(p.head)?,
                Biases::Table(_) => return None,
            },
            "bucket" if offsets.family == Family::Buckets => index as f64,
            _ => return None,
        })
    }

    /// The traced weight: softmax over the query's row of scores with their bias.
    fn weight(&self, offsets: &Offsets) -> Option<f64> {
        let p = self.p;
        let row = self.row()?;
        let score = |j: usize| {
            let index = offsets.index(p.i as i64 - j as i64);
            row[j] + self.biases().at(p.head, index)
        };
        let seen = |j: &usize| visible(p.i, *j, p.setting.causal);
        let all: Vec<f64> = (0..row.len()).filter(seen).map(score).collect();
        let top = all.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let sum: f64 = all.iter().map(|s| (s - top).exp()).sum();
        if p.j >= row.len() {
            return None;
        }
        let own = if seen(&p.j) {
            (score(p.j) - top).exp()
        } else {
            0.0
        };
        Some(own / sum)
    }

    fn rope_value(&self, name: &str) -> Option<f64> {
        let p = self.p;
        let rope = self.rope()?;
        let pair = pair_of(rope.pairing(), rope.head_dim(), p.dim);
        let theta = *rope.inv_freq().get(pair)?;
        let last = *rope.inv_freq().last()?;
        let distance = p.i as f64 - p.j as f64;
        let one = || std::iter::once(distance);
        Some(match name {
            "rope_pair" => pair as f64,
            "theta" => theta,
            "angle_m" => p.i as f64 * theta,
            "angle_n" => p.j as f64 * theta,
            "angle_diff" => distance * theta,
            "rope_wavelength" => wavelength(theta),
            "rope_score" => {
                let (q, k) = query_and_key(p.setting.seed, rope.head_dim());
                analysis::rope_score_by_distance(rope, &q, &k, one())[0]
                    / (rope.head_dim() as f64).sqrt()
            }
            "mean_cosine" => similarity_by_distance(rope.inv_freq(), one())[0],
            "last_theta" => last,
            "last_rope_wavelength" => wavelength(last),
            _ => return None,
        })
    }

    fn sinusoidal(&self) -> Option<&Sinusoidal> {
        let s = &self.p.setting;
        self.sinusoidal
            .get_or_init(|| Sinusoidal::new(s.d_model, s.base, s.layout).ok())
            .as_ref()
    }

    fn rope(&self) -> Option<&Rope> {
        self.rope
            .get_or_init(|| Rope::of(&self.p.setting).ok())
            .as_ref()
    }

    fn biases(&self) -> &Biases {
        self.biases.get_or_init(|| Biases::of(self.p))
    }

    /// q·k/√head_dim of the traced query and each key, as in the figure `attention`.
    fn row(&self) -> Option<&Vec<f64>> {
        let p = self.p;
        let row = || -> Result<Option<Vec<f64>>, CoreError> {
            let n = p.seq_len.min(MAX_SIDE);
            if p.i >= n {
                return Ok(None);
            }
            let head_dim = p.setting.head_dim();
            let vectors = |what| random_vectors(p.setting.seed, what, n, head_dim);
            let (q, k): (Matrix, Matrix) = (vectors("q"), vectors("k"));
            let scale = (head_dim as f64).sqrt();
            Ok(Some(
                (0..n).map(|j| q.row(p.i).dot(&k.row(j)) / scale).collect(),
            ))
        };
        self.row.get_or_init(|| row().ok().flatten()).as_ref()
    }

    /// Whether a condition holds.
    pub fn holds(&self, condition: &str) -> bool {
        let p = self.p;
        let on = CONDITIONS.contains(&(condition, p.page));
        let value = |name: &str| self.value(name);
        let distance = p.i.abs_diff(p.j);
        on && match condition {
            "mask-shows-order" => {
                let seen = self.difference.is_some_and(|d| d > 1e-3);
                p.scheme.id() == "none" && p.setting.causal && seen
            }
            "mirror-blind" => {
                let blind = self.difference.is_some_and(|d| d <= 1e-9);
                p.scheme.id() == "alibi" && !p.setting.causal && blind
            }
            "last-pair-slow" => value("last_turns").is_some_and(|x| x < 1.0),
            "beyond-clip" => p.scheme.id() == "relative" && distance > p.setting.max_rel_dist,
            "symmetric-decay" => {
                let long = p.seq_len > p.setting.max_rel_dist;
                p.scheme.id() == "relative" && p.setting.bias == BiasStart::Decay && long
            }
            "score-kept" => p.i == p.j + 5 && p.j >= 40,
            "rope-last-pair-slow" => value("last_rope_wavelength").is_some_and(|x| x > 1e5),
            // Whatever the seed, a table drawn at random is not symmetric; under a mask T5's is not.
            "no-direction" => {
                let even = p.setting.bias != BiasStart::Random && p.setting.bias_edits.is_empty();
                even && !p.setting.causal
            }
            "swin-45" => {
                let sides = (p.window.rows(), p.window.columns());
                table_rows(p.window) == 45 && sides.0 > 1 && sides.1 > 1
            }
            "rope-negative" => value("mean_cosine").is_some_and(|x| x < 0.0),
            "dynamic-rests" => {
                let c = &p.setting.context;
                c.remedy == Remedy::Dynamic && c.target_len <= c.orig_len
            }
            _ => false,
        }
    }
}
