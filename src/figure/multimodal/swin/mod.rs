//! `swin-index`: which row of the table each pair of cells of a window uses.

mod draw;

use std::sync::Arc;

use crate::core::encoding::relative::BiasTable;
use crate::core::grid::Grid;
use crate::core::grid::scheme::bias_table;
use crate::core::grid::window::{difference, difference_of, swin_index, table_rows};
use crate::figure::kit::colour::Scale;
use crate::figure::kit::panel::round_up;
use crate::figure::kit::scene::{Hit, Raster, Scene};
use crate::figure::{Arrows, Computed, Figure, Film, Picture, Readout, Table, View, place};
use crate::say;
use crate::state::{Key, Lang, Page, Params, Value};
use crate::words::short;

pub(crate) const FIGURE: Figure = Figure {
    id: "swin-index",
    page: Page::Multimodal,
    controls: &[Key::Window, Key::Heads, Key::Head, Key::Bias, Key::Seed],
    listens: &[Key::DModel, Key::BiasEdits],
    arrows: Arrows::Each(Some(Key::I), Some(Key::J)),
    // The key goes through the window.
    film: Film {
        key: Some(Key::J),
        frames: |p| p.window.cells(),
    },
    special: &[],
};

/// Targets.
const PAIRS: usize = 0;
const WINDOW: usize = 1;
const TABLE: usize = 2;

struct SwinIndex {
    window: Grid,
    table: BiasTable,
    head: usize,
    pairs: Arc<Raster>,
    biases: Arc<Raster>,
    bias_scale: Scale,
}

pub(crate) fn compute(p: &Params) -> Computed {
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
    Ok(Arc::new(SwinIndex {
        window,
        table,
        head: p.head,
        pairs,
        biases,
        bias_scale,
    }))
}

impl SwinIndex {
    fn traced(&self, p: &Params) -> (usize, usize) {
        let last = self.window.cells() - 1;
        (p.i.min(last), p.j.min(last))
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
        self.natural(width)
    }

    fn draw(&self, p: &Params, view: &View) -> Scene {
        self.scene(self.traced(p), p.between, view)
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

    fn sentence(&self, _: &Params, lang: Lang) -> String {
        self.words(lang)
    }

    fn notes(&self, p: &Params, lang: Lang) -> Vec<String> {
        vec![
            self.cell(self.traced(p), lang),
            say!(lang, "figure.swin-index.factor"),
        ]
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
