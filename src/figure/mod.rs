//! Figures: one description each, which pages, frames, exports, accessible text and tests read.
//!
//! A figure computes its [`Picture`] from the parameters it listens to; the picture draws a
//! [`kit::scene::Scene`] for a width, a language and a theme, and says in words and numbers what it
//! shows. Nothing here knows of a browser. To add a figure, write its file and add it to
//! [`FIGURES`]; its words stand in `src/locales`.
//! A room a page; [`kit`] is what all of them are made of.

pub(crate) mod absolute;
pub(crate) mod compare;
pub(crate) mod context;
pub mod kit;
pub(crate) mod multimodal;
pub(crate) mod order;
pub(crate) mod relative;
pub(crate) mod rope;

pub use relative::bias::{edited, traced_bias};

use std::sync::Arc;

use crate::core::CoreError;
use crate::state::{Key, Lang, Page, Params, Value};
use kit::colour::Colours;
use kit::scene::{Hit, Scene};

/// How a picture is to be drawn.
#[derive(Debug, Clone, Copy)]
pub struct View {
    /// Width in CSS pixels.
    pub width: f64,
    /// Language of its words.
    pub lang: Lang,
    /// Its colours.
    pub colours: &'static Colours,
    /// Whether answers are shown, or still to be predicted.
    pub reveal: bool,
}

/// A number that a figure states in words.
#[derive(Debug, Clone, PartialEq)]
pub struct Readout {
    /// Public name, for `data-value`.
    pub name: &'static str,
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
/// `p` in the methods may differ from the computed parameters only in the traced cell.
pub trait Picture: Send + Sync {
    /// Height in CSS pixels at a width.
    fn height(&self, width: f64) -> f64;
    /// What to draw.
    fn draw(&self, p: &Params, view: &View) -> Scene;
    /// What lies under a pointer, in words.
    fn describe(&self, hit: Hit, p: &Params, lang: Lang) -> String;
    /// What a tap or a drag there sets.
    fn picked(&self, hit: Hit, p: &Params) -> Vec<(Key, Value)>;
    /// The numbers stated beside the figure.
    fn readouts(&self, p: &Params, lang: Lang) -> Vec<Readout>;
    /// One sentence on what the figure shows now.
    fn sentence(&self, p: &Params, lang: Lang) -> String;
    /// The numbers behind the figure.
    fn table(&self, p: &Params) -> Table;
    /// Whether dragging sets values under way, as when drawing a bias.
    fn draggable(&self) -> bool {
        false
    }
}

/// What the host keeps of a computed figure.
pub type Computed = Result<Arc<dyn Picture>, CoreError>;

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
    /// What the arrow keys move: down and up, right and left. Where both move `pos`, it is a place
    /// on the grid, and up and down go by rows.
    pub arrows: (Option<Key>, Option<Key>),
    /// A parameter that can be played like a film.
    pub plays: Option<Key>,
    /// Computes the picture.
    pub compute: fn(&Params) -> Computed,
}

impl Figure {
    /// All that the computed picture depends on, as one text to compare.
    pub fn fingerprint(&self, p: &Params) -> String {
        let mut out = format!("{:?}", p.scheme);
        for key in self.controls.iter().chain(self.listens) {
            let traced = [Key::Pos, Key::Dim, Key::I, Key::J, Key::Q, Key::K].contains(key);
            if !traced {
                out.push_str(&format!("|{:?}{:?}", p.number(*key), p.word(*key)));
            }
            if *key == Key::Image {
                out.push_str(&format!("{:?}", p.photo));
            }
            if *key == Key::Seconds {
                let recording = p.sound.recording.as_ref().map(Arc::as_ptr);
                out.push_str(&format!("{recording:?}"));
            }
            if *key == Key::BiasEdits || *key == Key::Bias {
                out.push_str(&format!("{:?}", p.setting.bias_edits));
            }
        }
        out
    }
}

/// Every figure, in the order in which the pages show them.
pub static FIGURES: &[Figure] = &[
    order::swap::FIGURE,
    absolute::waves::FIGURE,
    absolute::matrix::FIGURE,
    absolute::shift::FIGURE,
    absolute::similarity::FIGURE,
    relative::index::FIGURE,
    relative::bias::FIGURE,
    relative::attention::FIGURE,
    rope::circles::FIGURE,
    rope::rotate::FIGURE,
    rope::score::FIGURE,
    rope::pairing::FIGURE,
    context::angles::FIGURE,
    context::scaling::FIGURE,
    context::wavelengths::FIGURE,
    context::score::FIGURE,
    context::precision::FIGURE,
    context::cache::FIGURE,
    multimodal::patches::FIGURE,
    multimodal::swin::FIGURE,
    multimodal::audio::FIGURE,
    multimodal::mrope::FIGURE,
    compare::scores::FIGURE,
    compare::maps::FIGURE,
];

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

/// A place in an array, as a value to be set.
pub(crate) fn place(at: usize) -> Value {
    Value::Int(at as i64)
}
