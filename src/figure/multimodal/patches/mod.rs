//! `img-patches`: an image cut into patches, and how alike the encodings of one patch and of every
//! other are under four schemes. `img-resize`: what interpolation to another grid makes of them.

mod asked;
mod draw;
mod images;
pub(crate) mod resize;
mod values;

use std::sync::Arc;

use crate::core::grid::Grid;
use crate::core::grid::scheme::Scheme2d;
use crate::figure::kit::colour::Scale;
use crate::figure::kit::panel::round_up;
use crate::figure::kit::scene::{Hit, Raster, Scene};
use crate::figure::put::Handle;
use crate::figure::{Arrows, Computed, Figure, Film, Picture, Readout, Table, View, place};
use crate::say;
use crate::state::{Key, Lang, Page, Params, Value};
use crate::words::short;
use values::Values;

pub(crate) const FIGURE: Figure = Figure {
    id: "img-patches",
    page: Page::Multimodal,
    controls: &[
        Key::Image,
        Key::Patch,
        Key::Grid,
        Key::DModel,
        Key::Bias,
        Key::Head,
        Key::Heads,
        Key::Seed,
    ],
    listens: &[Key::Base, Key::Layout, Key::BiasEdits],
    arrows: Arrows::Grid(Key::Pos),
    film: Film {
        key: Some(Key::Pos),
        frames: |p| p.grid.cells(),
    },
    special: &[],
};

/// The targets: the image, the maps of the schemes in their order, and the curves.
const IMAGE: usize = 0;
const MAPS: usize = 1;
const CHART: usize = 5;

struct Patches {
    grid: Grid,
    patch: usize,
    image: Arc<Raster>,
    values: Values,
    bias_scale: Scale,
}

pub(crate) fn compute(p: &Params) -> Computed {
    let values = Values::new(p)?;
    let largest = values.table.head(values.head).iter();
    let largest = largest.fold(0.0, |m: f64, b| m.max(b.abs()));
    Ok(Arc::new(Patches {
        grid: p.grid,
        patch: p.patch,
        image: images::image(p),
        values,
        bias_scale: Scale::Signed {
            limit: round_up(largest),
        },
    }))
}

/// Colours for cosines that are 1 at most: over the range that there is, or with 0 in the middle if
/// some are negative.
fn fitted(values: impl Iterator<Item = f64>) -> Scale {
    let low = values.fold(1.0, f64::min);
    if low < 0.0 {
        return Scale::Signed { limit: 1.0 };
    }
    // Down to a round number, and never no range at all.
    let first = ((low * 20.0).floor() / 20.0).min(0.95);
    Scale::Span { first, last: 1.0 }
}

impl Patches {
    fn pos(&self, p: &Params) -> usize {
        p.pos.min(self.grid.cells() - 1)
    }

    fn map(&self, scheme: Scheme2d, pos: usize) -> Option<Arc<Raster>> {
        self.values.at(scheme, pos, pos)?;
        let scale = self.scale(scheme);
        let columns = self.grid.columns();
        Some(Raster::from_fn(columns, self.grid.rows(), scale, |r, c| {
            let value = self.values.at(scheme, pos, r * columns + c);
            value.unwrap_or_default()
        }))
    }

    /// The same colours whichever patch is traced.
    fn scale(&self, scheme: Scheme2d) -> Scale {
        if scheme == Scheme2d::Relative {
            return self.bias_scale;
        }
        let all = 0..self.grid.cells();
        fitted(all.filter_map(|b| self.values.at(scheme, 0, b)))
    }

    /// Most patches between two of a row or a column.
    fn steps(&self) -> usize {
        self.grid.rows().max(self.grid.columns()) - 1
    }

    /// Cosine by the number of patches between two: 1D along a row, 1D down a column, and, for
    /// both alike, 2D sine-cosine. With the curve's key and its scheme.
    fn curves(&self) -> Vec<(&'static str, Scheme2d, Vec<f64>)> {
        let (rows, columns) = (self.grid.rows(), self.grid.columns());
        let of = |scheme, step: usize, count: usize| -> Vec<f64> {
            let at = |d: usize| self.values.at(scheme, 0, d * step);
            (0..count).filter_map(at).collect()
        };
        let both = match rows > columns {
            true => of(Scheme2d::SinCos, columns, rows),
            false => of(Scheme2d::SinCos, 1, columns),
        };
        let all = [
            ("row", Scheme2d::Flat, of(Scheme2d::Flat, 1, columns)),
            ("column", Scheme2d::Flat, of(Scheme2d::Flat, columns, rows)),
            ("both", Scheme2d::SinCos, both),
        ];
        all.into_iter().filter(|(.., v)| !v.is_empty()).collect()
    }

    /// Cosine of a patch and the next one to the right, and the one below, where there is one.
    fn neighbours(&self, at: impl Fn(usize, usize) -> Option<f64>) -> [Option<f64>; 2] {
        let (rows, columns) = (self.grid.rows(), self.grid.columns());
        [
            (columns > 1).then(|| at(0, 1)).flatten(),
            (rows > 1).then(|| at(0, columns)).flatten(),
        ]
    }

    fn patch_words(&self, pos: usize, lang: Lang) -> String {
        let (row, column) = self.grid.place(pos);
        let [right, below] = self.neighbours(|a, b| self.values.at(Scheme2d::Flat, a, b));
        let text = |x: Option<f64>| x.map_or("—".to_owned(), short);
        say!(
            lang,
            "figure.img-patches.patch_words",
            pos = pos,
            row = row,
            column = column,
            columns = self.grid.columns(),
            right = text(right),
            below = text(below)
        )
    }

    fn pixels(&self) -> (usize, usize) {
        (
            self.grid.rows() * self.patch,
            self.grid.columns() * self.patch,
        )
    }

    fn heading(&self, lang: Lang) -> String {
        let (high, wide) = self.pixels();
        say!(
            lang,
            "figure.img-patches.image",
            high = high,
            wide = wide,
            n = self.grid.cells()
        )
    }
}

impl Picture for Patches {
    fn height(&self, width: f64) -> f64 {
        let most = if width < 600.0 { 420.0 } else { 540.0 };
        self.places(width, most).height
    }

    fn draw(&self, p: &Params, view: &View) -> Scene {
        self.scene(self.pos(p), p.between, view)
    }

    fn describe(&self, hit: Hit, p: &Params, lang: Lang) -> String {
        let pos = self.pos(p);
        let here = hit.row * self.grid.columns() + hit.column;
        match hit.target {
            IMAGE => say!(
                lang,
                "figure.img-patches.cell",
                pos = here,
                row = hit.row,
                column = hit.column,
                top = hit.row * self.patch,
                left = hit.column * self.patch,
                size = self.patch
            ),
            CHART => {
                let mut text = say!(lang, "figure.img-patches.apart", steps = hit.column);
                for (key, _, values) in self.curves() {
                    if let Some(value) = values.get(hit.column) {
                        let name = say!(lang, format!("figure.img-patches.curve-{key}"));
                        text += &format!(" {name}: {}", short(*value));
                    }
                }
                text
            }
            target => {
                let scheme = Scheme2d::ALL[(target - MAPS).min(3)];
                let value = self.values.at(scheme, pos, here).unwrap_or_default();
                let name = say!(lang, format!("word.scheme2d.{}", scheme.id()));
                say!(
                    lang,
                    "figure.img-patches.value",
                    scheme = name,
                    pos = pos,
                    row = hit.row,
                    column = hit.column,
                    value = short(value)
                )
            }
        }
    }

    fn picked(&self, hit: Hit, _: &Params) -> Vec<(Key, Value)> {
        // A place on the curves is a distance, no patch.
        if hit.target == CHART {
            return Vec::new();
        }
        let pos = hit.row * self.grid.columns() + hit.column;
        vec![(Key::Pos, place(pos))]
    }

    fn handles(&self, p: &Params) -> Vec<Handle> {
        self.to_mark(self.pos(p))
    }

    fn put(&self, hit: Hit, _: &Params) -> Option<(usize, f64)> {
        self.mark(hit)
    }

    fn readouts(&self, p: &Params, lang: Lang) -> Vec<Readout> {
        let (high, wide) = self.pixels();
        let whole = |name: &'static str, key: &str, number: usize| Readout {
            name: name.into(),
            label: say!(lang, format!("figure.img-patches.{key}")),
            number: Some(number as f64),
            text: number.to_string(),
        };
        let mut out = vec![
            whole("image-height", "height", high),
            whole("image-width", "width", wide),
            whole("patches", "patches", self.grid.cells()),
            whole("patch", "traced", self.pos(p)),
        ];
        let mut pair = |names: [&'static str; 2], scheme: String, values: [Option<f64>; 2]| {
            for ((name, value), key) in names.into_iter().zip(values).zip(["right", "below"]) {
                let key = format!("figure.img-patches.{key}");
                out.push(Readout {
                    name: name.into(),
                    label: say!(lang, key, scheme = scheme),
                    number: value,
                    text: value.map_or("—".to_owned(), short),
                });
            }
        };
        let named = [
            (["right-1d", "below-1d"], Scheme2d::Flat),
            (["right-sincos", "below-sincos"], Scheme2d::SinCos),
            (["right-rope", "below-rope"], Scheme2d::Rope),
        ];
        for (names, scheme) in named {
            let values = self.neighbours(|a, b| self.values.at(scheme, a, b));
            pair(
                names,
                say!(lang, format!("word.scheme2d.{}", scheme.id())),
                values,
            );
        }
        out
    }

    fn sentence(&self, _: &Params, lang: Lang) -> String {
        self.heading(lang)
    }

    fn notes(&self, p: &Params, lang: Lang) -> Vec<String> {
        vec![self.patch_words(self.pos(p), lang)]
    }

    fn table(&self, p: &Params) -> Table {
        let pos = self.pos(p);
        let defined: Vec<Scheme2d> = Scheme2d::ALL
            .into_iter()
            .filter(|s| self.values.at(*s, pos, pos).is_some())
            .collect();
        let mut columns: Vec<String> = ["patch", "row", "column"].map(str::to_owned).to_vec();
        for scheme in &defined {
            columns.push(scheme.id().to_owned());
        }
        let mut rows = Vec::new();
        for b in 0..self.grid.cells() {
            let (r, c) = self.grid.place(b);
            let mut row = vec![b as f64, r as f64, c as f64];
            for scheme in &defined {
                row.extend(self.values.at(*scheme, pos, b));
            }
            rows.push(row);
        }
        Table { columns, rows }
    }
}
