//! `img-patches`: an image cut into patches, and how alike the encodings of one patch and of every
//! other are under four schemes; and what interpolation to another grid makes of them.

mod draw;
mod images;
mod values;

use std::sync::Arc;

use super::grid_map::GridMap;
use crate::core::grid::Grid;
use crate::core::grid::scheme::Scheme2d;
use crate::figure::kit::colour::Scale;
use crate::figure::kit::note::{self, note};
use crate::figure::kit::panel::{legend, round_up};
use crate::figure::kit::scene::{Align, Hit, Raster, Rect, Scene, Stand};
use crate::figure::{Arrows, Computed, Figure, Picture, Readout, Table, View, place};
use crate::say;
use crate::state::{Key, Lang, Page, Params, Value};
use crate::words::short;
use values::{Resized, Values};

pub(crate) const FIGURE: Figure = Figure {
    id: "img-patches",
    page: Page::Multimodal,
    controls: &[
        Key::Image,
        Key::Patch,
        Key::Grid,
        Key::Trained,
        Key::DModel,
        Key::Bias,
        Key::Head,
        Key::Heads,
        Key::Seed,
    ],
    listens: &[Key::Base, Key::Layout, Key::BiasEdits],
    arrows: Arrows::Grid(Key::Pos),
    film: None,
    special: &[],
    compute,
};

/// The targets: the image, the maps of the schemes in their order, and those of the sizes.
const IMAGE: usize = 0;
const MAPS: usize = 1;
const TRAINED: usize = 5;
const RESIZED: usize = 6;
const FRESH: usize = 7;

const COSINE: Scale = Scale::Signed { limit: 1.0 };
/// From this width on the image stands beside the maps.
const WIDE: f64 = 600.0;

struct Patches {
    grid: Grid,
    patch: usize,
    trained: Grid,
    image: Arc<Raster>,
    values: Values,
    resized: Option<Resized>,
    bias_scale: Scale,
}

fn compute(p: &Params) -> Computed {
    let values = Values::new(p)?;
    let largest = values.table.head(values.head).iter();
    let largest = largest.fold(0.0, |m: f64, b| m.max(b.abs()));
    Ok(Arc::new(Patches {
        grid: p.grid,
        patch: p.patch,
        trained: p.trained,
        image: images::image(p),
        resized: match values.sincos {
            Some(_) => Resized::new(p)?,
            None => None,
        },
        values,
        bias_scale: Scale::Signed {
            limit: round_up(largest),
        },
    }))
}

/// Where things stand at a width.
struct Places {
    image: Rect,
    maps: [Rect; 4],
    legends: [(f64, f64, f64); 2],
    sizes: Option<[Rect; 3]>,
    words: (f64, f64, f64),
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

    fn scale(&self, scheme: Scheme2d) -> Scale {
        match scheme {
            Scheme2d::Relative => self.bias_scale,
            _ => COSINE,
        }
    }

    /// The patch of the trained grid that covers the middle of a patch of this one.
    fn in_trained(&self, pos: usize) -> usize {
        let (row, column) = self.grid.place(pos);
        let moved = |at: usize, size: usize, old: usize| (2 * at + 1) * old / (2 * size);
        moved(row, self.grid.rows(), self.trained.rows()) * self.trained.columns()
            + moved(column, self.grid.columns(), self.trained.columns())
    }

    /// The map of one of the three sizes: trained, interpolated, computed afresh.
    fn size_map(&self, target: usize, pos: usize) -> Option<(Grid, usize, Arc<Raster>)> {
        let (resized, sincos) = (self.resized.as_ref()?, self.values.sincos.as_ref()?);
        let (grid, pos) = match target {
            TRAINED => (self.trained, self.in_trained(pos)),
            _ => (self.grid, pos),
        };
        let raster = Raster::from_fn(grid.columns(), grid.rows(), COSINE, |r, c| match target {
            RESIZED => resized.at(pos, r * grid.columns() + c),
            _ => sincos.at(grid.place(pos), (r, c)),
        });
        Some((grid, pos, raster))
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

    fn words(&self, lang: Lang) -> String {
        let size = |g: Grid| format!("{} × {}", g.rows(), g.columns());
        match &self.resized {
            Some(_) => say!(
                lang,
                "figure.img-patches.resized_words",
                from = size(self.trained),
                to = size(self.grid)
            ),
            None => say!(
                lang,
                "figure.img-patches.same_words",
                from = size(self.trained)
            ),
        }
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
        let (_, y, wide) = self.places(width).words;
        let last = self.grid.cells() - 1;
        y + note::room(wide, |lang| self.patch_words(last, lang))
            + note::room(wide, |lang| self.words(lang))
            + 24.0
    }

    fn draw(&self, p: &Params, view: &View) -> Scene {
        let mut scene = Scene::default();
        let (c, lang) = (view.colours, view.lang);
        let at = self.places(view.width);
        let pos = self.pos(p);
        self.draw_image(&mut scene, view, at.image, pos);
        let names = (say!(lang, "axis.row"), say!(lang, "axis.column"));
        for (k, scheme) in Scheme2d::ALL.into_iter().enumerate() {
            let rect = at.maps[k];
            let heading = say!(lang, format!("word.scheme2d.{}", scheme.id()));
            let Some(raster) = self.map(scheme, pos) else {
                let style = (Align::Start, Stand::Above);
                scene.text((rect.x, rect.y - 7.0), heading, 13.0, c.ink, style);
                let why = say!(lang, "figure.img-patches.undefined");
                note(&mut scene, (rect.x, rect.y), rect.w, &why, c.muted);
                continue;
            };
            let map = GridMap {
                rect,
                grid: self.grid,
                first: (0, 0),
                raster,
                heading: &heading,
                names: (&names.0, &names.1),
                target: MAPS + k,
                traced: Some(self.grid.place(pos)),
            };
            map.draw(&mut scene, view);
        }
        let bars = [(COSINE, "legend.cosine"), (self.bias_scale, "legend.added")];
        for ((x, y, wide), (scale, name)) in at.legends.into_iter().zip(bars) {
            legend(&mut scene, view, (x, y), wide, scale, &say!(lang, name));
        }
        if let Some(rects) = at.sizes {
            let y = rects[0].y - GridMap::MARGIN.1 - 8.0;
            let title = say!(lang, "figure.img-patches.resize");
            let style = (Align::Start, Stand::Above);
            scene.text((10.0, y), title, 13.0, c.ink, style);
            let heads = ["trained", "interpolated", "fresh"];
            for (k, rect) in rects.into_iter().enumerate() {
                let Some((grid, traced, raster)) = self.size_map(TRAINED + k, pos) else {
                    continue;
                };
                let heading = say!(
                    lang,
                    format!("figure.img-patches.{}", heads[k]),
                    size = format!("{} × {}", grid.rows(), grid.columns())
                );
                let map = GridMap {
                    rect,
                    grid,
                    first: (0, 0),
                    raster,
                    heading: &heading,
                    names: (&names.0, &names.1),
                    target: TRAINED + k,
                    traced: Some(grid.place(traced)),
                };
                map.draw(&mut scene, view);
            }
        }
        let (x, y, wide) = at.words;
        let traced = self.patch_words(pos, lang);
        let taken = note(&mut scene, (x, y), wide, &traced, c.traced) + 8.0;
        note(&mut scene, (x, y + taken), wide, &self.words(lang), c.ink);
        scene
    }

    fn describe(&self, hit: Hit, p: &Params, lang: Lang) -> String {
        let pos = self.pos(p);
        let here = hit.row * self.grid.columns() + hit.column;
        let cosine = |x: f64| {
            say!(
                lang,
                "figure.img-patches.cosine",
                row = hit.row,
                column = hit.column,
                value = short(x)
            )
        };
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
            TRAINED | FRESH => {
                let from = match hit.target {
                    TRAINED => self.trained.place(self.in_trained(pos)),
                    _ => self.grid.place(pos),
                };
                let values = self.values.sincos.as_ref();
                values.map_or_else(String::new, |v| cosine(v.at(from, (hit.row, hit.column))))
            }
            RESIZED => {
                let values = self.resized.as_ref();
                values.map_or_else(String::new, |v| cosine(v.at(pos, here)))
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
        let columns = self.grid.columns();
        let pos = match hit.target {
            TRAINED => {
                let moved = |at: usize, size: usize, new: usize| (2 * at + 1) * new / (2 * size);
                moved(hit.row, self.trained.rows(), self.grid.rows()) * columns
                    + moved(hit.column, self.trained.columns(), columns)
            }
            _ => hit.row * columns + hit.column,
        };
        vec![(Key::Pos, place(pos))]
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
        if let Some(resized) = &self.resized {
            let values = self.neighbours(|a, b| Some(resized.at(a, b)));
            let name = say!(lang, "figure.img-patches.interpolated_name");
            pair(["right-interpolated", "below-interpolated"], name, values);
        }
        out
    }

    fn sentence(&self, p: &Params, lang: Lang) -> String {
        let patch = self.patch_words(self.pos(p), lang);
        format!(
            "{} {patch}",
            self.heading(lang) + &say!(lang, "figure.img-patches.stop")
        )
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
        if self.resized.is_some() {
            columns.push("interpolated".to_owned());
        }
        let mut rows = Vec::new();
        for b in 0..self.grid.cells() {
            let (r, c) = self.grid.place(b);
            let mut row = vec![b as f64, r as f64, c as f64];
            for scheme in &defined {
                row.extend(self.values.at(*scheme, pos, b));
            }
            if let Some(resized) = &self.resized {
                row.push(resized.at(pos, b));
            }
            rows.push(row);
        }
        Table { columns, rows }
    }
}
