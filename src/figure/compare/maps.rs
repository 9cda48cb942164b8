//! `compare-maps`: what each scheme makes of every pair of positions, side by side.

use std::sync::Arc;

use super::effects::{CONTROLS, Effect, LISTENS, columns, effects, positions, traced};
use crate::figure::kit::colour::Scale;
use crate::figure::kit::panel::{MatrixPanel, TICK};
use crate::figure::kit::scene::{Align, Hit, Raster, Rect, Scene, Stand};
use crate::figure::{Arrows, Computed, Figure, Picture, Readout, Table, View, place};
use crate::say;
use crate::state::{Key, Lang, Page, Params, Value};
use crate::words::short;

pub(crate) const FIGURE: Figure = Figure {
    id: "compare-maps",
    page: Page::Compare,
    controls: CONTROLS,
    listens: LISTENS,
    arrows: Arrows::Each(Some(Key::I), Some(Key::J)),
    film: None,
    special: &[],
    compute,
};

struct Maps {
    n: usize,
    effects: Vec<Effect>,
    rasters: Vec<Arc<Raster>>,
}

fn compute(p: &Params) -> Computed {
    let effects = effects(p)?;
    let n = positions(p);
    let rasters = effects
        .iter()
        .map(|e| {
            let scale = Scale::Signed { limit: e.limit };
            Raster::from_fn(n, n, scale, |i, j| e.values[(i, j)])
        })
        .collect();
    Ok(Arc::new(Maps {
        n,
        effects,
        rasters,
    }))
}

/// Room under a map for its three lines of numbers.
const NOTES: f64 = 56.0;

impl Maps {
    /// Width of a cell of the layout and of the map in it.
    fn sizes(width: f64) -> (f64, f64) {
        let (left, _, right, _) = MatrixPanel::MARGIN;
        let cell = width / columns(width) as f64;
        (cell, (cell - left - right - 4.0).min(300.0))
    }

    fn row(width: f64) -> f64 {
        let (_, top, _, bottom) = MatrixPanel::MARGIN;
        top + Self::sizes(width).1 + bottom + NOTES + 10.0
    }
}

impl Picture for Maps {
    fn height(&self, width: f64) -> f64 {
        self.effects.len().div_ceil(columns(width)) as f64 * Self::row(width)
    }

    fn draw(&self, p: &Params, view: &View) -> Scene {
        let mut scene = Scene::default();
        let (left, top, _, bottom) = MatrixPanel::MARGIN;
        let across = columns(view.width);
        let (cell, map) = Self::sizes(view.width);
        for (k, e) in self.effects.iter().enumerate() {
            let x = (k % across) as f64 * cell + left;
            let y = (k / across) as f64 * Self::row(view.width) + top;
            let rect = Rect::new(x, y, map, map);
            MatrixPanel {
                rect,
                rows: self.n,
                columns: self.n,
                raster: self.rasters[k].clone(),
                heading: &e.name(view.lang),
                row_name: &say!(view.lang, "axis.query"),
                column_name: &say!(view.lang, "axis.key"),
                target: k,
                traced: Some(traced(p, self.n)),
            }
            .draw(&mut scene, view);
            let colours = say!(
                view.lang,
                "figure.compare-maps.colours",
                limit = short(e.limit),
                unit = e.unit_word(view.lang)
            );
            let scope = say!(view.lang, format!("word.scope.{}", e.learned.scope.id()));
            let learned = if e.learned.numbers == 0 {
                say!(view.lang, "figure.compare-maps.nothing_learned")
            } else {
                say!(
                    view.lang,
                    "figure.compare-maps.learned",
                    count = e.learned.numbers,
                    scope = scope
                )
            };
            let cost = say!(
                view.lang,
                "figure.compare-maps.cost",
                count = e.cost.operations,
                scope = say!(view.lang, format!("word.scope.{}", e.cost.scope.id()))
            );
            for (line, text) in [colours, learned, cost].into_iter().enumerate() {
                let at = (x, rect.bottom() + bottom + 4.0 + 16.0 * line as f64);
                let style = (Align::Start, Stand::Below);
                scene.text(at, text, TICK, view.colours.muted, style);
            }
        }
        scene
    }

    fn describe(&self, hit: Hit, _: &Params, lang: Lang) -> String {
        let e = &self.effects[hit.target];
        let name = e.name(lang);
        let value = short(e.values[(hit.row, hit.column)]);
        say!(
            lang,
            "figure.compare-maps.cell",
            scheme = name,
            i = hit.row,
            j = hit.column,
            value = value
        )
    }

    fn picked(&self, hit: Hit, _: &Params) -> Vec<(Key, Value)> {
        vec![(Key::I, place(hit.row)), (Key::J, place(hit.column))]
    }

    fn readouts(&self, _: &Params, lang: Lang) -> Vec<Readout> {
        self.effects
            .iter()
            .filter(|e| e.learned.numbers > 0)
            .map(|e| Readout {
                name: format!("parameters-{}", e.scheme.id()).into(),
                label: say!(lang, "figure.compare-maps.readout", scheme = e.name(lang)),
                number: Some(e.learned.numbers as f64),
                text: e.learned.numbers.to_string(),
            })
            .collect()
    }

    fn sentence(&self, p: &Params, lang: Lang) -> String {
        let (i, j) = traced(p, self.n);
        say!(
            lang,
            "figure.compare-maps.sentence",
            n = self.n,
            i = i,
            j = j
        )
    }

    fn table(&self, _: &Params) -> Table {
        let names = self.effects.iter().map(|e| e.scheme.id().to_owned());
        let place = ["i".to_owned(), "j".to_owned()];
        let cells = (0..self.n).flat_map(|i| (0..self.n).map(move |j| (i, j)));
        Table {
            columns: place.into_iter().chain(names).collect(),
            rows: cells
                .map(|(i, j)| {
                    let values = self.effects.iter().map(|e| e.values[(i, j)]);
                    [i as f64, j as f64].into_iter().chain(values).collect()
                })
                .collect(),
        }
    }
}
