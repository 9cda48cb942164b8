//! Figures: one description each, which pages, frames, exports, accessible text and tests read.
//!
//! A figure computes its [`Picture`] from the parameters it listens to; the picture draws a
//! [`kit::scene::Scene`] for a box, a language and a theme, and says in words and numbers what it
//! shows. Nothing here knows of a browser. To add a figure, write its file and name it in
//! `figures!`; its words stand in `src/locales`.
//! A room a page; [`kit`] is what all of them are made of.

pub(crate) mod absolute;
pub(crate) mod compare;
pub(crate) mod context;
pub mod kit;
pub(crate) mod multimodal;
pub(crate) mod order;
pub mod put;
pub(crate) mod relative;
pub(crate) mod rope;

pub use order::steps::map_of_course;
pub use relative::bias::{Editable, editable, edited, takes};

use std::borrow::Cow;
use std::sync::Arc;

use crate::core::CoreError;
use crate::core::encoding::{SCHEMES, Scheme};
use crate::state::{Key, Lang, Page, Params, Value};
use kit::colour::Colours;
use kit::scene::{Hit, Scene};
use put::{Guess, Handle};

/// How a picture is to be drawn.
#[derive(Debug, Clone, Copy)]
pub struct View {
    /// Width of the box in CSS pixels.
    pub width: f64,
    /// Height of the box in CSS pixels: everything is drawn inside.
    pub height: f64,
    /// Language of its words.
    pub lang: Lang,
    /// Its colours.
    pub colours: &'static Colours,
    /// Whether answers are shown, or still to be predicted.
    pub reveal: bool,
    /// Where the visitor has put what is to be predicted, or has put it before the answer came.
    pub guess: Option<Guess>,
}

/// A number that a figure states in words.
#[derive(Debug, Clone, PartialEq)]
pub struct Readout {
    /// Public name, for `data-value`.
    pub name: Cow<'static, str>,
    /// What it is, in the visitor's language.
    pub label: String,
    /// The number; absent while there is none.
    pub number: Option<f64>,
    /// How it is written.
    pub text: String,
}

/// The numbers of a figure, for reading and for CSV.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Table {
    /// Names of the columns.
    pub columns: Vec<String>,
    /// Rows of numbers.
    pub rows: Vec<Vec<f64>>,
}

impl Table {
    /// Comma-separated, full precision, one heading line.
    pub fn csv(&self) -> String {
        let mut out = self.columns.join(",");
        for row in &self.rows {
            out.push('\n');
            let cells: Vec<String> = row.iter().map(|x| crate::state::number(*x)).collect();
            out.push_str(&cells.join(","));
        }
        out.push('\n');
        out
    }
}

/// What a figure computed from the parameters it listens to.
///
/// `p` in the methods may differ from the computed parameters only in the traced cell and the step.
pub trait Picture: Send + Sync {
    /// The height in CSS pixels at which it looks best at a width. It may be given less
    /// ([`View::height`]), never more.
    fn height(&self, width: f64) -> f64;
    /// What to draw in the box of the view.
    fn draw(&self, p: &Params, view: &View) -> Scene;
    /// What lies under a pointer, in words.
    fn describe(&self, hit: Hit, p: &Params, lang: Lang) -> String;
    /// What a tap or a drag there sets.
    fn picked(&self, hit: Hit, p: &Params) -> Vec<(Key, Value)>;
    /// What is traced while a pointer is there; by default what a tap would trace, if it sets nothing else.
    fn pointed(&self, hit: Hit, p: &Params) -> Vec<(Key, usize)> {
        only_traced(self.picked(hit, p))
    }
    /// The numbers stated beside the figure.
    fn readouts(&self, p: &Params, lang: Lang) -> Vec<Readout>;
    /// One sentence on what the figure shows now.
    fn sentence(&self, p: &Params, lang: Lang) -> String;
    /// Further sentences that stand beside the drawing: the traced cell's arithmetic with its numbers
    /// first, then what else is to be known of what is drawn. None by default.
    fn notes(&self, _p: &Params, _lang: Lang) -> Vec<String> {
        Vec::new()
    }
    /// What the visitor puts into the drawing, where that is how its question is answered; none by default.
    fn handles(&self, _p: &Params) -> Vec<Handle> {
        Vec::new()
    }
    /// Which of [`Self::handles`] a press or a drag there moves, and where to.
    fn put(&self, _hit: Hit, _p: &Params) -> Option<(usize, f64)> {
        None
    }
    /// The numbers behind the figure.
    fn table(&self, p: &Params) -> Table;
    /// What a drag that has come from one place to another sets on its way; nothing by default.
    fn dragged(&self, _from: Hit, _to: Hit, _p: &Params) -> Vec<(Key, Value)> {
        Vec::new()
    }
}

/// What the host keeps of a computed figure.
pub type Computed = Result<Arc<dyn Picture>, CoreError>;

/// Computes the picture of a figure.
pub type Compute = fn(&Params) -> Computed;

/// What the arrow keys move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Arrows {
    /// Nothing.
    None,
    /// Down and up one parameter, right and left another.
    Each(Option<Key>, Option<Key>),
    /// A place on the grid of [`Params::grid`]: up and down go by rows.
    Grid(Key),
}

/// A parameter that runs like a film, and goes back to 0 at its end.
#[derive(Clone, Copy)]
pub struct Film {
    /// The parameter; none where only the drawing runs, from what it shows at rest and back to it.
    pub key: Option<Key>,
    /// How many values it runs through, from 0 on.
    pub frames: fn(&Params) -> usize,
}

impl Film {
    /// Milliseconds from one value to the next: at a step of a computation there are numbers to read, a
    /// place is passed.
    pub fn pace(&self) -> f64 {
        if self.key == Some(Key::Step) {
            2400.0
        } else {
            280.0
        }
    }

    /// What it shows `gone` steps after the place where the parameters stand: the traced cell is that of the
    /// last whole step. At rest these are the parameters.
    pub fn at(&self, p: &Params, gone: f64) -> Params {
        let mut p = p.clone();
        if gone == 0.0 {
            return p;
        }
        let frames = (self.frames)(&p).max(1) as f64;
        let Some(key) = self.key else {
            p.between = (gone / frames).rem_euclid(1.0);
            return p;
        };
        let place = (p.number(key).unwrap_or(0.0) + gone).rem_euclid(frames);
        p.trace(key, place as usize);
        p.between = place.fract();
        p
    }

    /// Of the drawing alone, from what it shows at rest and back: a picture asks [`Params::away`].
    pub(crate) const fn of_drawing() -> Self {
        Self {
            key: None,
            frames: |_| 12,
        }
    }

    /// Through all positions of the sequence.
    pub(crate) const fn of_positions(key: Key) -> Self {
        Self {
            key: Some(key),
            frames: |p| p.seq_len,
        }
    }
}

/// What some figures have that others have not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Special {
    /// The lesson's text takes this readout from the figure instead of computing it once more.
    Tells(&'static str),
    /// All remedies of scaling are shown, so a parameter of any of them means something.
    AllRemedies,
    /// Arrows go by pairs of dimensions where the two of a pair are neighbours.
    ArrowsByPairs,
    /// Query and key position can be moved together, their distance kept.
    MovesTogether,
    /// Sound can be recorded or opened beside it.
    Sound,
    /// A tool stands before it on the page.
    ToolBefore(Tool),
}

/// What else than figures acts on a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tool {
    /// Parameters of real models.
    Presets,
    /// A field for a model's `config.json`.
    Config,
}

impl Tool {
    /// Every tool.
    pub const ALL: [Self; 2] = [Self::Presets, Self::Config];

    /// Its id, as the lesson's text has it.
    pub fn id(self) -> &'static str {
        match self {
            Self::Presets => "presets",
            Self::Config => "config",
        }
    }

    /// The tool with this id.
    pub fn by_id(id: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|t| t.id() == id)
    }
}

/// A figure of the list.
pub struct Figure {
    /// Public id.
    pub id: &'static str,
    /// The page it belongs to.
    pub page: Page,
    /// The controls beside it, in order.
    pub controls: &'static [Key],
    /// Further parameters that change what is computed (controls always do).
    pub listens: &'static [Key],
    /// What the arrow keys move.
    pub arrows: Arrows,
    /// What is played like a film.
    pub film: Film,
    /// What only this figure has.
    pub special: &'static [Special],
}

impl Figure {
    /// The readout that the lesson takes from the figure, if there is one.
    pub fn told(&self) -> Option<&'static str> {
        self.special.iter().find_map(|s| match s {
            Special::Tells(name) => Some(*name),
            _ => None,
        })
    }

    /// The tool that stands before it on its page, if there is one.
    pub fn tool(&self) -> Option<Tool> {
        self.special.iter().find_map(|s| match s {
            Special::ToolBefore(tool) => Some(*tool),
            _ => None,
        })
    }

    /// The parameters that the computed picture may depend on: its controls and what else it listens
    /// to. All others are as the page opens, so that a picture cannot depend on them, and parameters
    /// that read the same have the same picture. The traced cell never counts.
    pub fn reads(&self, p: &Params) -> Params {
        let traced = |key: &Key| TRACED.contains(key);
        p.only(self.keys().filter(|key| !traced(key)))
    }

    /// What a picture is drawn and described from: as [`Self::reads`], with the traced cell.
    pub fn shows(&self, p: &Params) -> Params {
        p.only(self.keys().chain(TRACED))
    }

    /// Computes its picture. Where the program is one; the page asks `app::parts`. It cannot fail: `figures!` makes the
    /// lists of the pictures and of the figures from one.
    #[cfg(not(feature = "app"))]
    pub fn compute(&self, p: &Params) -> Computed {
        let mut all = AT_ONCE.iter().chain(LATER);
        let (_, compute) = all
            .find(|(id, _)| *id == self.id)
            .expect("one list is the other's source");
        compute(p)
    }

    fn keys(&self) -> impl Iterator<Item = Key> {
        self.controls.iter().chain(self.listens).copied()
    }
}

/// The traced cell and the step looked at: what a picture need not be computed anew for.
pub const TRACED: [Key; 7] = [
    Key::Pos,
    Key::Dim,
    Key::I,
    Key::J,
    Key::Q,
    Key::K,
    Key::Step,
];

/// The places of a traced cell; none if anything else would be set. A step is chosen, not pointed at.
pub fn only_traced(values: Vec<(Key, Value)>) -> Vec<(Key, usize)> {
    let place = |(key, value): (Key, Value)| match value {
        Value::Int(at) if TRACED.contains(&key) && key != Key::Step => {
            Some((key, usize::try_from(at).ok()?))
        }
        _ => None,
    };
    let all: Option<Vec<_>> = values.into_iter().map(place).collect();
    all.unwrap_or_default()
}

/// The lists from the modules: what is known of each figure, and apart from it how its picture is computed, which
/// is by far the larger and which the page loads when it is needed.
macro_rules! figures {
    (AT_ONCE: $($($a:ident)::+),+; LATER: $($($b:ident)::+),+ $(,)?) => {
        /// Every figure, in the order in which the pages show them.
        pub static FIGURES: &[Figure] = &[$($($a)::+::FIGURE,)+ $($($b)::+::FIGURE,)+];
        /// Those of the first page, by their ids: part of the program from the start.
        pub static AT_ONCE: &[(&str, Compute)] = &[$(($($a)::+::FIGURE.id, $($a)::+::compute)),+];
        /// Those of all other pages, by their ids: a part of the program of its own.
        pub static LATER: &[(&str, Compute)] = &[$(($($b)::+::FIGURE.id, $($b)::+::compute)),+];
    };
}

figures! {
    AT_ONCE:
    order::swap,
    order::steps;
    LATER:
    absolute::waves,
    absolute::matrix,
    absolute::shift,
    absolute::similarity,
    relative::index,
    relative::bias,
    relative::attention,
    rope::circles,
    rope::rotate,
    rope::score,
    rope::pairing,
    context::angles,
    context::scaling,
    context::wavelengths,
    context::score,
    context::precision,
    context::cache,
    multimodal::patches,
    multimodal::patches::resize,
    multimodal::swin,
    multimodal::audio,
    multimodal::audio::bias,
    multimodal::mrope::grid,
    multimodal::mrope::scores,
    multimodal::mrope::bias,
    compare::scores,
    compare::maps,
}

/// The figure that takes the map of the course step by step, and asks about it.
pub const MAP_FIGURE: &str = order::steps::FIGURE.id;

/// CSS pixels of the map of the course.
pub const MAP_SIZE: (f64, f64) = (610.0, 72.0);

/// The figure with this id.
pub fn by_id(id: &str) -> Option<&'static Figure> {
    FIGURES.iter().find(|f| f.id == id)
}

/// The page of the figure with this id.
pub fn page_of(id: &str) -> Option<Page> {
    by_id(id).map(|f| f.page)
}

/// The figures of a page.
pub fn of_page(page: Page) -> impl Iterator<Item = &'static Figure> {
    FIGURES.iter().filter(move |f| f.page == page)
}

/// The scheme that a page's map of the course shows, where the page is about the one chosen rather than about all.
pub fn on_map(p: &Params) -> Option<Scheme> {
    let chosen = of_page(p.page).any(|f| f.controls.contains(&Key::Scheme));
    (chosen || p.page.schemes().count() < SCHEMES.len()).then_some(p.scheme)
}

/// A place in an array, as a value to be set.
pub(crate) fn place(at: usize) -> Value {
    Value::Int(at as i64)
}
