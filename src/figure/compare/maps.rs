//! `compare-maps`: what each scheme makes of every pair of positions, side by side.

use std::sync::Arc;

use super::effects::{CONTROLS, Effect, LISTENS, Places, effects, positions, title, traced};
use crate::core::encoding::Unit;
use crate::figure::kit::panel::{NAME, Spot, TICK, trace_cell};
use crate::figure::kit::scene::{
    Align, Hit, Placed, Raster, Rect, Scene, Stand, Target, text_width,
};
use crate::figure::kit::veil::veil;
use crate::figure::{Arrows, Computed, Figure, Film, Picture, Readout, Table, View, place};
use crate::say;
use crate::state::{Key, Lang, Page, Params, Value};
use crate::words::short;

pub(crate) const FIGURE: Figure = Figure {
    id: "compare-maps",
    page: Page::Compare,
    controls: CONTROLS,
    listens: LISTENS,
    arrows: Arrows::Each(Some(Key::I), Some(Key::J)),
    film: Film {
        key: Some(Key::I),
        frames: positions,
    },
    special: &[],
};

struct Maps {
    n: usize,
    effects: Vec<Effect>,
    rasters: Vec<Arc<Raster>>,
}

pub(crate) fn compute(p: &Params) -> Computed {
    let effects = effects(p)?;
    let n = positions(p);
    let rasters = effects
        .iter()
        .map(|e| Raster::from_fn(n, n, e.scale(), |i, j| e.values[(i, j)]))
        .collect();
    Ok(Arc::new(Maps {
        n,
        effects,
        rasters,
    }))
}

/// Room beside a map, and above and below it for its name and its colours.
const AROUND: (f64, f64) = (12.0, 40.0);
/// Room left of and below all maps for the names of rows and columns.
const NAMES: f64 = 20.0;

impl Maps {
    /// Where the map of a scheme is.
    fn map(&self, k: usize, width: f64, height: f64) -> Rect {
        let room = (width - NAMES, height - NAMES);
        let places = Places::of(self.effects.len(), room, AROUND);
        let place = places.at(k);
        let side = (place.w - AROUND.0).min(place.h - AROUND.1);
        let x = NAMES + place.x + (place.w - side) / 2.0;
        Rect::new(x, place.y + 20.0, side, side)
    }

    /// Whether a scheme is among those that the question names.
    fn asked(e: &Effect) -> bool {
        e.unit == Some(Unit::Cosine) && !e.directed
    }

    /// The two ends of a map's colours, with a strip of them between.
    fn draw_colours(scene: &mut Scene, view: &View, e: &Effect, map: Rect) {
        let c = view.colours;
        let scale = e.scale();
        let (low, high) = scale.ends();
        let (low_text, high_text) = (short(low), short(high));
        let y = map.bottom() + 11.0;
        let room = text_width(&low_text, TICK).max(text_width(&high_text, TICK)) + 4.0;
        let left = (Align::Start, Stand::Centre);
        scene.text((map.x, y), low_text, TICK, c.muted, left);
        let right = (Align::End, Stand::Centre);
        scene.text((map.right(), y), high_text, TICK, c.muted, right);
        let strip = Rect::new(map.x + room, y - 4.0, map.w - 2.0 * room, 8.0);
        if strip.w > 8.0 {
            scene.rasters.push(Placed {
                rect: strip,
                raster: Raster::from_fn(64, 1, scale, |_, column| {
                    low + (high - low) * column as f64 / 63.0
                }),
            });
        }
    }

    fn words(e: &Effect, key: &str, lang: Lang) -> String {
        let key = format!("figure.compare-maps.{key}");
        let scope = |id: &str| say!(lang, format!("word.scope.{id}"));
        say!(
            lang,
            key,
            scheme = e.short_name(lang),
            learned = e.learned.numbers,
            learned_scope = scope(e.learned.scope.id()),
            cost = e.cost.operations,
            cost_scope = scope(e.cost.scope.id())
        )
    }
}

impl Picture for Maps {
    fn height(&self, width: f64) -> f64 {
        // As high as the largest maps need.
        let most = if width < 480.0 { 410.0 } else { 520.0 };
        let room = (width - NAMES, most - NAMES);
        let n = self.effects.len();
        let (places, side) = (Places::of(n, room, AROUND), self.map(0, width, most).w);
        let rows = (most - NAMES) / places.at(0).h;
        rows.round() * (side + AROUND.1) + NAMES
    }

    fn draw(&self, p: &Params, view: &View) -> Scene {
        let mut scene = Scene::default();
        let c = view.colours;
        for (k, e) in self.effects.iter().enumerate() {
            let map = self.map(k, view.width, view.height);
            title(&mut scene, view, e, map);
            if !view.reveal && Self::asked(e) {
                veil(&mut scene, view, map);
            } else {
                scene.rasters.push(Placed {
                    rect: map,
                    raster: self.rasters[k].clone(),
                });
                Self::draw_colours(&mut scene, view, e, map);
            }
            scene.frame(map, c.grid, 1.0);
            let (i, j) = traced(p, self.n);
            let spot = Spot(p.passing(i, self.n), j as f64);
            trace_cell(&mut scene, view, map, (self.n, self.n), spot);
            scene.targets.push(Target {
                id: k,
                rect: map,
                rows: self.n,
                columns: self.n,
            });
        }
        let last = self.n - 1;
        let across = say!(view.lang, "figure.compare-maps.across", last = last);
        let at = (NAMES + (view.width - NAMES) / 2.0, view.height - 3.0);
        scene.text(at, across, NAME, c.muted, (Align::Middle, Stand::Above));
        let down = say!(view.lang, "figure.compare-maps.down", last = last);
        let side = (NAMES - 2.0, (view.height - NAMES) / 2.0);
        scene.turned_text(side, down, NAME, c.muted);
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

    fn notes(&self, p: &Params, lang: Lang) -> Vec<String> {
        let (i, j) = traced(p, self.n);
        let comma = if lang == Lang::Zh { "；" } else { "; " };
        let shown = self.effects.iter().filter(|e| e.unit.is_some());
        let values: Vec<String> = shown
            .clone()
            .map(|e| format!("{} {}", e.short_name(lang), short(e.values[(i, j)])))
            .collect();
        let values = values.join(comma);
        let learns = |e: &&Effect| e.learned.numbers > 0;
        let learned: Vec<String> = shown
            .clone()
            .filter(learns)
            .map(|e| Self::words(e, "numbers", lang))
            .collect();
        let cost: Vec<String> = shown.map(|e| Self::words(e, "cost", lang)).collect();
        vec![
            say!(
                lang,
                "figure.compare-maps.values",
                i = i,
                j = j,
                list = values
            ),
            say!(
                lang,
                "figure.compare-maps.learn",
                list = learned.join(comma)
            ),
            say!(lang, "figure.compare-maps.costs", list = cost.join(comma)),
        ]
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
