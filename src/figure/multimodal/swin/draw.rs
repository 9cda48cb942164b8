//! How `swin-index` is drawn: the window large, each cell with what the query looks up for it; the
//! table, of which that is a part, and the matrix of all pairs beside it.

use super::{PAIRS, SwinIndex, TABLE, WINDOW};
use crate::core::grid::Grid;
use crate::core::grid::window::{difference, swin_index};
use crate::figure::View;
use crate::figure::kit::colour::ink_on;
use crate::figure::kit::panel::{HEADING, TICK, heading, legend, trace_cell};
use crate::figure::kit::scene::{Align, Placed, Raster, Rect, Scene, Stand, Target, text_width};
use crate::figure::kit::veil::veil;
use crate::figure::multimodal::grid_map::{Axes, GridMap, fit};
use crate::say;
use crate::words::short;

/// Room above a panel for its heading.
const HEAD: f64 = 24.0;
/// From this width on axes have names.
const NAMED: f64 = 500.0;
const CENTRED: (Align, Stand) = (Align::Middle, Stand::Centre);

/// The first of some headings for which there is room; the last if there is for none.
fn first_that_fits(room: f64, texts: [String; 3]) -> String {
    let fits = |t: &&String| text_width(t, TICK) <= room + 8.0;
    texts.iter().find(fits).unwrap_or(&texts[2]).clone()
}

/// Where things stand in a box.
struct Places {
    window: Rect,
    table: Rect,
    pairs: Rect,
    /// Left end, top and width of the legend of the bias.
    bar: (f64, f64, f64),
    height: f64,
}

impl SwinIndex {
    fn places(&self, width: f64, height: f64) -> Places {
        let (rows, columns) = (self.window.rows(), self.window.columns());
        let named = width >= NAMED;
        let (left, below) = if named { (38.0, 42.0) } else { (22.0, 24.0) };
        let first = 0.62 * width;
        let high = height - HEAD - below - 34.0;
        let window = fit(
            (left, HEAD),
            (first - left - 10.0, high.max(10.0)),
            rows,
            columns,
        );
        let x = first + left + 6.0;
        let wide = width - x - 8.0;
        // Numbers and names below the table, numbers below the matrix.
        let high = (height - 2.0 * HEAD - below - 24.0).max(20.0);
        let (down, across) = (2 * rows - 1, 2 * columns - 1);
        let table = fit((x, HEAD), (wide, 0.56 * high), down, across);
        let y = table.bottom() + below + HEAD;
        let side = wide.min(0.44 * high);
        let pairs = Rect::new(x, y, side, side);
        let bar = (left, window.bottom() + below, window.w.clamp(110.0, 360.0));
        Places {
            window,
            table,
            pairs,
            bar,
            height: (bar.1 + 34.0).max(pairs.bottom() + 24.0),
        }
    }

    pub(super) fn natural(&self, width: f64) -> f64 {
        let most = if width < 600.0 { 420.0 } else { 540.0 };
        self.places(width, most).height
    }

    /// The window with a pair, or, while a film runs, with the way from its key to the next.
    pub(super) fn scene(&self, (i, j): (usize, usize), between: f64, view: &View) -> Scene {
        let mut scene = Scene::default();
        let at = self.places(view.width, view.height);
        self.draw_window(&mut scene, view, at.window, (i, j, between));
        let (x, y, wide) = at.bar;
        let name = say!(view.lang, "figure.swin-index.bias");
        legend(&mut scene, view, (x, y), wide, self.bias_scale, &name);
        self.draw_table(&mut scene, view, at.table, (i, j));
        self.draw_pairs(&mut scene, view, at.pairs, (i, j));
        scene
    }

    fn draw_window(
        &self,
        scene: &mut Scene,
        view: &View,
        r: Rect,
        (i, j, between): (usize, usize, f64),
    ) {
        let (c, w) = (view.colours, self.window);
        let names = (say!(view.lang, "axis.row"), say!(view.lang, "axis.column"));
        let bias = |cell: usize| self.table.get(self.head, swin_index(w, i, cell));
        let map = GridMap {
            rect: r,
            grid: w,
            first: (0, 0),
            raster: Raster::from_fn(w.columns(), w.rows(), self.bias_scale, |row, column| {
                bias(row * w.columns() + column)
            }),
            heading: &say!(
                view.lang,
                "figure.swin-index.window",
                rows = w.rows(),
                columns = w.columns(),
                i = i
            ),
            axes: if view.width >= NAMED {
                Axes::Named(&names.0, &names.1)
            } else {
                Axes::Numbers
            },
            target: WINDOW,
            traced: None,
        };
        map.draw(scene, view);
        let size = r.w / w.columns() as f64;
        let gap = if size >= 12.0 { 1.5 } else { 0.0 };
        for k in 1..w.columns() {
            let x = r.x + k as f64 * size;
            scene.fill(Rect::new(x - gap / 2.0, r.y, gap, r.h), c.surface);
        }
        for k in 1..w.rows() {
            let y = r.y + k as f64 * size;
            scene.fill(Rect::new(r.x, y - gap / 2.0, r.w, gap), c.surface);
        }
        let centre = |cell: usize| {
            let (row, column) = w.place(cell);
            (
                r.x + (column as f64 + 0.5) * size,
                r.y + (row as f64 + 0.5) * size,
            )
        };
        for cell in 0..w.cells() {
            let (x, y) = centre(cell);
            let ink = ink_on(self.bias_scale.colour(bias(cell), c.dark));
            let (down, across) = difference(w, i, cell);
            let offset = format!("{},{}", short(down as f64), short(across as f64));
            let index = swin_index(w, i, cell).to_string();
            let fits = |text: &str| text_width(text, TICK) <= size - 6.0;
            // The largest numbers of rows tell how many rows there are.
            let lines = match (view.reveal, size >= 42.0) {
                (true, true) => vec![(index, HEADING, y - 8.0), (offset, TICK, y + 9.0)],
                (true, false) => vec![(index, TICK, y)],
                (false, _) => vec![(offset, TICK, y)],
            };
            for (text, letters, y) in lines {
                if fits(&text) && size >= 17.0 {
                    scene.text((x, y), text, letters, ink, CENTRED);
                }
            }
        }
        let next = centre((j + 1) % w.cells());
        let from = centre(j);
        let way = |a: f64, b: f64| a + (b - a) * between;
        let (from, to) = ((way(from.0, next.0), way(from.1, next.1)), centre(i));
        for ((x, y), colour) in [(from, c.key), (to, c.query)] {
            let half = 0.5 * size - 1.0;
            let inset = Rect::new(x - half, y - half, 2.0 * half, 2.0 * half);
            scene.frame(inset, colour, 3.0);
        }
        let (dx, dy) = (to.0 - from.0, to.1 - from.1);
        let length = dx.hypot(dy).max(1.0);
        // From edge to edge and beside the middle, so that no number is crossed.
        let cut = (0.5 * size).min(0.4 * length);
        let beside = 0.36 * size;
        let ends = |p: (f64, f64), by: f64| {
            (
                p.0 + (dx * by - dy * beside) / length,
                p.1 + (dy * by + dx * beside) / length,
            )
        };
        scene.arrow(ends(from, cut), ends(to, -cut), c.traced, 2.0);
    }

    fn draw_table(&self, scene: &mut Scene, view: &View, r: Rect, (i, j): (usize, usize)) {
        let (c, w) = (view.colours, self.window);
        let (rows, across) = (2 * w.rows() - 1, 2 * w.columns() - 1);
        let names = ["axis.delta_row", "axis.delta_column"].map(|key| say!(view.lang, key));
        let title = |n: String| say!(view.lang, "figure.swin-index.table", rows = n);
        if !view.reveal {
            heading(scene, view, r, &title("?".to_owned()));
            veil(scene, view, r);
            return;
        }
        let index = swin_index(w, i, j);
        let table = GridMap {
            rect: r,
            grid: Grid::of(rows, across),
            first: (1 - w.rows() as i64, 1 - w.columns() as i64),
            raster: self.biases.clone(),
            heading: &first_that_fits(
                r.w,
                [
                    title(format!("{rows} × {across} = {}", rows * across)),
                    title((rows * across).to_string()),
                    format!("{rows} × {across}"),
                ],
            ),
            axes: if view.width >= NAMED {
                Axes::Named(&names[0], &names[1])
            } else {
                Axes::Numbers
            },
            target: TABLE,
            traced: Some((index / across, index % across).into()),
        };
        table.draw(scene, view);
        // What the query can look up is a part of the table as large as the window.
        let (row, column) = w.place(i);
        let (dx, dy) = (r.w / across as f64, r.h / rows as f64);
        let part = Rect::new(
            r.x + column as f64 * dx,
            r.y + row as f64 * dy,
            w.columns() as f64 * dx,
            w.rows() as f64 * dy,
        );
        scene.frame(part, c.ink, 1.5);
    }

    fn draw_pairs(&self, scene: &mut Scene, view: &View, r: Rect, (i, j): (usize, usize)) {
        let (c, n) = (view.colours, self.window.cells());
        let title = say!(view.lang, "figure.swin-index.pairs", n = n);
        let short = format!("{n} × {n}");
        let title = first_that_fits(r.w, [title, short.clone(), short]);
        heading(scene, view, r, &title);
        scene.rasters.push(Placed {
            rect: r,
            raster: self.pairs.clone(),
        });
        scene.frame(r, c.grid, 1.0);
        let words = [(
            (r.x + r.w / 2.0, r.bottom() + 5.0),
            "figure.swin-index.keys",
        )];
        for (at, key) in words {
            let text = say!(view.lang, key);
            scene.text(at, text, TICK, c.muted, (Align::Middle, Stand::Below));
        }
        let side = (r.x - 6.0, r.y + r.h / 2.0);
        scene.turned_text(
            side,
            say!(view.lang, "figure.swin-index.queries"),
            TICK,
            c.muted,
        );
        trace_cell(scene, view, r, (n, n), (i, j));
        scene.targets.push(Target {
            id: PAIRS,
            rect: r,
            rows: n,
            columns: n,
        });
    }
}
