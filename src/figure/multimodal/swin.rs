//! `swin-index`: which row of the table each pair of cells of a window uses.

use std::sync::Arc;

use super::grid_map::{GridMap, fit};
use crate::core::encoding::relative::BiasTable;
use crate::core::grid::Grid;
use crate::core::grid::scheme::bias_table;
use crate::core::grid::window::{difference, difference_of, swin_index, table_rows};
use crate::figure::kit::colour::Scale;
use crate::figure::kit::note::{self, note};
use crate::figure::kit::panel::{MatrixPanel, legend, round_up};
use crate::figure::kit::scene::{Hit, Raster, Rect, Scene};
use crate::figure::{Arrows, Computed, Figure, Picture, Readout, Table, View, place};
use crate::say;
use crate::state::{Key, Lang, Page, Params, Value};
use crate::words::short;

pub(crate) const FIGURE: Figure = Figure {
    id: "swin-index",
    page: Page::Multimodal,
    controls: &[Key::Window, Key::Heads, Key::Head, Key::Bias, Key::Seed],
    listens: &[Key::DModel, Key::BiasEdits],
    arrows: Arrows::Each(Some(Key::I), Some(Key::J)),
    film: None,
    special: &[],
    compute,
};

/// Targets.
const PAIRS: usize = 0;
const WINDOW: usize = 1;
const TABLE: usize = 2;

struct SwinIndex {
    window: Grid,
    table: BiasTable,
    scale: Scale,
    head: usize,
    pairs: Arc<Raster>,
    biases: Arc<Raster>,
    /// A window without anything in it.
    empty: Arc<Raster>,
    bias_scale: Scale,
}

fn compute(p: &Params) -> Computed {
    let window = p.window;
    let (n, rows) = (window.cells(), table_rows(window));
    let table = bias_table(&p.setting, window);
    let scale = Scale::Index {
        last: (rows - 1) as f64,
    };
    let largest = table
        .head(p.head)
        .iter()
        .fold(0.0, |m: f64, b| m.max(b.abs()));
    let bias_scale = Scale::Signed {
        limit: round_up(largest),
    };
    let pairs = Raster::indexed(n, scale, (0..rows).map(|r| r as f64), |i, j| {
        swin_index(window, i, j)
    });
    let across = 2 * window.columns() - 1;
    let biases = Raster::from_fn(across, 2 * window.rows() - 1, bias_scale, |r, c| {
        table.get(p.head, r * across + c)
    });
    let empty = Raster::from_fn(1, 1, bias_scale, |_, _| 0.0);
    Ok(Arc::new(SwinIndex {
        window,
        table,
        scale,
        head: p.head,
        pairs,
        biases,
        empty,
        bias_scale,
    }))
}

/// Where things stand at a width.
struct Places {
    pairs: Rect,
    window: Rect,
    table: Rect,
    /// Below these, side by side.
    bars: [(f64, f64, f64); 2],
    words: (f64, f64, f64),
}

impl SwinIndex {
    fn traced(&self, p: &Params) -> (usize, usize) {
        let last = self.window.cells() - 1;
        (p.i.min(last), p.j.min(last))
    }

    fn places(&self, width: f64) -> Places {
        let (left, top, right, bottom) = MatrixPanel::MARGIN;
        let (near, above, after, below) = GridMap::MARGIN;
        let (rows, columns) = (self.window.rows(), self.window.columns());
        let wide = width >= 600.0;
        let side = if wide {
            (width * 0.5 - left - right).min(430.0)
        } else {
            width - left - right
        };
        let pairs = Rect::new(left, top, side, side);
        let (x, mut y, room) = if wide {
            let x = pairs.right() + 24.0;
            (x, 0.0, width - x)
        } else {
            (0.0, pairs.bottom() + bottom + 48.0, width)
        };
        let sizes = (room - near - after, if wide { 130.0 } else { 150.0 });
        let window = fit((x + near, y + above), (sizes.0, sizes.1), rows, columns);
        y = window.bottom() + below;
        let height = if wide {
            (pairs.bottom() - y - above).max(140.0)
        } else {
            230.0
        };
        let table = fit(
            (x + near, y + above),
            (sizes.0, height),
            2 * rows - 1,
            2 * columns - 1,
        );
        let first = (pairs.x, pairs.bottom() + bottom + 8.0, side.min(320.0));
        let second_y = (table.bottom() + below + 8.0).max(if wide { first.1 } else { 0.0 });
        let second = (x + near, second_y, sizes.0.min(300.0));
        let beside = table.right().max(window.right()) + 28.0;
        let words = if width - beside >= 200.0 && wide {
            (beside, above, width - beside - 8.0)
        } else {
            (10.0, first.1.max(second.1) + 44.0, width - 20.0)
        };
        Places {
            pairs,
            window,
            table,
            bars: [first, second],
            words,
        }
    }

    /// Says what a pair of cells uses.
    fn cell(&self, (i, j): (usize, usize), lang: Lang) -> String {
        let w = self.window;
        let ((a, b), (c, d)) = (w.place(i), w.place(j));
        let (down, across) = difference(w, i, j);
        say!(
            lang,
            "figure.swin-index.cell",
            i = i,
            a = a,
            b = b,
            j = j,
            c = c,
            d = d,
            down = short(down as f64),
            across = short(across as f64),
            across_in = if across < 0 {
                format!("({})", short(across as f64))
            } else {
                across.to_string()
            },
            m = w.rows() - 1,
            factor = 2 * w.columns() - 1,
            n = w.columns() - 1,
            index = swin_index(w, i, j)
        )
    }

    /// Says who uses a row of the table.
    fn row(&self, index: usize, lang: Lang) -> String {
        let w = self.window;
        let (down, across) = difference_of(w, index);
        let pairs = (w.rows() - down.unsigned_abs() as usize)
            * (w.columns() - across.unsigned_abs() as usize);
        say!(
            lang,
            "figure.swin-index.row",
            index = index,
            down = short(down as f64),
            across = short(across as f64),
            pairs = pairs,
            bias = short(self.table.get(self.head, index))
        )
    }

    fn words(&self, lang: Lang) -> String {
        let n = self.window.cells();
        say!(
            lang,
            "figure.swin-index.words",
            n = n,
            pairs = n * n,
            rows = table_rows(self.window),
            heads = self.table.heads(),
            total = self.table.heads() * table_rows(self.window)
        )
    }
}

impl Picture for SwinIndex {
    fn height(&self, width: f64) -> f64 {
        let at = self.places(width);
        let (_, y, wide) = at.words;
        let last = self.window.cells() - 1;
        let words = note::room(wide, |lang| self.words(lang));
        let words = y + words + note::room(wide, |lang| self.cell((last, 0), lang)) + 24.0;
        words.max(at.bars[0].1.max(at.bars[1].1) + 40.0)
    }

    fn draw(&self, p: &Params, view: &View) -> Scene {
        let mut scene = Scene::default();
        let at = self.places(view.width);
        let c = view.colours;
        let w = self.window;
        let (i, j) = self.traced(p);
        let lang = view.lang;
        let panel = MatrixPanel {
            rect: at.pairs,
            rows: w.cells(),
            columns: w.cells(),
            raster: self.pairs.clone(),
            heading: &say!(lang, "figure.swin-index.heading", n = w.cells()),
            row_name: &say!(lang, "axis.query_cell"),
            column_name: &say!(lang, "axis.key_cell"),
            target: PAIRS,
            traced: Some((i, j)),
        };
        panel.draw(&mut scene, view);
        panel.numbers(&mut scene, view, self.scale, |i, j| {
            swin_index(w, i, j) as f64
        });

        let (row, column) = (say!(lang, "axis.row"), say!(lang, "axis.column"));
        let window = GridMap {
            rect: at.window,
            grid: w,
            first: (0, 0),
            raster: self.empty.clone(),
            heading: &say!(lang, "figure.swin-index.window"),
            names: (&row, &column),
            target: WINDOW,
            traced: None,
        };
        window.draw(&mut scene, view);
        let size = at.window.w / w.columns() as f64;
        for k in 1..w.columns() {
            let x = at.window.x + k as f64 * size;
            scene.fill(Rect::new(x, at.window.y, 1.0, at.window.h), c.grid);
        }
        for k in 1..w.rows() {
            let y = at.window.y + k as f64 * size;
            scene.fill(Rect::new(at.window.x, y, at.window.w, 1.0), c.grid);
        }
        let centre = |token: usize| {
            let (row, column) = w.place(token);
            (
                at.window.x + (column as f64 + 0.5) * size,
                at.window.y + (row as f64 + 0.5) * size,
            )
        };
        let (query, key) = (centre(i), centre(j));
        for (at, colour) in [(key, c.key), (query, c.query)] {
            let half = 0.42 * size;
            let inset = Rect::new(at.0 - half, at.1 - half, 2.0 * half, 2.0 * half);
            scene.frame(inset, colour, 2.5);
        }
        scene.arrow(key, query, c.traced, 2.0);

        let (rows, across) = (2 * w.rows() - 1, 2 * w.columns() - 1);
        let index = swin_index(w, i, j);
        let table = GridMap {
            rect: at.table,
            grid: Grid::of(rows, across),
            first: (1 - w.rows() as i64, 1 - w.columns() as i64),
            raster: self.biases.clone(),
            heading: &say!(
                lang,
                "figure.swin-index.table",
                rows = rows * across,
                head = self.head
            ),
            names: (
                &say!(lang, "axis.delta_row"),
                &say!(lang, "axis.delta_column"),
            ),
            target: TABLE,
            traced: Some((index / across, index % across)),
        };
        table.draw(&mut scene, view);
        let names = ["figure.swin-index.index", "figure.swin-index.bias"];
        let scales = [self.scale, self.bias_scale];
        for (((x, y, wide), scale), name) in at.bars.into_iter().zip(scales).zip(names) {
            legend(&mut scene, view, (x, y), wide, scale, &say!(lang, name));
        }
        let (x, y, wide) = at.words;
        let traced = self.cell((i, j), lang);
        let taken = note(&mut scene, (x, y), wide, &traced, c.traced) + 8.0;
        note(&mut scene, (x, y + taken), wide, &self.words(lang), c.ink);
        scene
    }

    fn describe(&self, hit: Hit, p: &Params, lang: Lang) -> String {
        match hit.target {
            PAIRS => self.cell((hit.row, hit.column), lang),
            TABLE => self.row(hit.row * (2 * self.window.columns() - 1) + hit.column, lang),
            _ => {
                let key = hit.row * self.window.columns() + hit.column;
                self.cell((self.traced(p).0, key), lang)
            }
        }
    }

    fn picked(&self, hit: Hit, _: &Params) -> Vec<(Key, Value)> {
        let w = self.window;
        let pair = |i, j| vec![(Key::I, place(i)), (Key::J, place(j))];
        match hit.target {
            PAIRS => pair(hit.row, hit.column),
            WINDOW => vec![(Key::J, place(hit.row * w.columns() + hit.column))],
            // The first pair that uses the row: at least one of them stands at each edge.
            _ => {
                let (down, across) = difference_of(w, hit.row * (2 * w.columns() - 1) + hit.column);
                let query = (down.max(0) as usize, across.max(0) as usize);
                let key = ((-down).max(0) as usize, (-across).max(0) as usize);
                let token = |(row, column)| row * w.columns() + column;
                pair(token(query), token(key))
            }
        }
    }

    fn readouts(&self, p: &Params, lang: Lang) -> Vec<Readout> {
        let (i, j) = self.traced(p);
        let (down, across) = difference(self.window, i, j);
        let index = swin_index(self.window, i, j);
        let bias = self.table.get(self.head, index);
        let numbers = [
            ("delta-row", say!(lang, "axis.delta_row"), down as f64),
            (
                "delta-column",
                say!(lang, "axis.delta_column"),
                across as f64,
            ),
            ("index", say!(lang, "figure.swin-index.index"), index as f64),
            (
                "table-rows",
                say!(lang, "figure.swin-index.table_rows"),
                table_rows(self.window) as f64,
            ),
            (
                "bias",
                say!(lang, "figure.swin-index.bias_of", head = self.head),
                bias,
            ),
        ];
        numbers
            .into_iter()
            .map(|(name, label, number)| Readout {
                name: name.into(),
                label,
                number: Some(number),
                text: short(number),
            })
            .collect()
    }

    fn sentence(&self, p: &Params, lang: Lang) -> String {
        format!("{} {}", self.cell(self.traced(p), lang), self.words(lang))
    }

    fn table(&self, _: &Params) -> Table {
        let names = ["row", "delta_row", "delta_column"].map(str::to_owned);
        let mut columns = names.to_vec();
        for head in 0..self.table.heads() {
            columns.push(format!("head_{head}"));
        }
        let mut rows = Vec::new();
        for index in 0..table_rows(self.window) {
            let (down, across) = difference_of(self.window, index);
            let mut row = vec![index as f64, down as f64, across as f64];
            for head in 0..self.table.heads() {
                row.push(self.table.get(head, index));
            }
            rows.push(row);
        }
        Table { columns, rows }
    }
}
