//! `pe-matrix`: the encoding itself, `[seq_len, d_model]`, one row a position.

use std::sync::Arc;

use crate::core::encoding::Vectors;
use crate::figure::kit::colour::Scale;
use crate::figure::kit::panel::{MatrixPanel, legend};
use crate::figure::kit::scene::{Hit, Raster, Rect, Scene};
use crate::figure::{Arrows, Computed, Figure, Picture, Readout, Table, View, place};
use crate::say;
use crate::state::{Key, Lang, Page, Params, Value};
use crate::words::short;

/// Longer sides are sampled: no screen shows more.
const MAX_SIDE: usize = 1024;
/// The table for reading shows no more positions than this.
const MAX_TABLE_ROWS: usize = 512;

pub(crate) const FIGURE: Figure = Figure {
    id: "pe-matrix",
    page: Page::Absolute,
    controls: &[
        Key::Scheme,
        Key::SeqLen,
        Key::DModel,
        Key::Base,
        Key::Layout,
    ],
    listens: &[Key::Seed],
    arrows: Arrows::Each(Some(Key::Pos), Some(Key::Dim)),
    film: None,
    special: &[],
    compute,
};

struct PeMatrix {
    encoding: Box<dyn Vectors>,
    seq_len: usize,
    d_model: usize,
    scale: Scale,
    raster: Arc<Raster>,
}

fn compute(p: &Params) -> Computed {
    let s = &p.setting;
    let (n, d) = (p.seq_len, s.d_model);
    let encoding = p.scheme.adds(s, n)?;
    let scale = Scale::Signed {
        limit: encoding.limit(),
    };
    let (rows, columns) = (n.min(MAX_SIDE), d.min(MAX_SIDE));
    let raster = Raster::from_fn(columns, rows, scale, |r, c| {
        encoding.value(r * n / rows, c * d / columns)
    });
    Ok(Arc::new(PeMatrix {
        encoding,
        seq_len: n,
        d_model: d,
        scale,
        raster,
    }))
}

impl PeMatrix {
    fn cells_height(&self, width: f64) -> f64 {
        (width * 0.55).clamp(220.0, 460.0)
    }
}

impl Picture for PeMatrix {
    fn height(&self, width: f64) -> f64 {
        let (_, top, _, bottom) = MatrixPanel::MARGIN;
        self.cells_height(width) + top + bottom + 44.0
    }

    fn draw(&self, p: &Params, view: &View) -> Scene {
        let mut scene = Scene::default();
        let (left, top, right, bottom) = MatrixPanel::MARGIN;
        let rect = Rect::new(
            left,
            top,
            view.width - left - right,
            self.cells_height(view.width),
        );
        let heading = say!(
            view.lang,
            "figure.pe-matrix.heading",
            n = self.seq_len,
            d = self.d_model
        );
        let panel = MatrixPanel {
            rect,
            rows: self.seq_len,
            columns: self.d_model,
            raster: self.raster.clone(),
            heading: &heading,
            row_name: &say!(view.lang, "axis.pos"),
            column_name: &say!(view.lang, "axis.dim"),
            target: 0,
            traced: Some((p.pos, p.dim)),
        };
        panel.draw(&mut scene, view);
        panel.numbers(&mut scene, view, self.scale, |r, c| {
            self.encoding.value(r, c)
        });
        let at = (left, rect.bottom() + bottom + 8.0);
        let width = rect.w.min(320.0);
        legend(
            &mut scene,
            view,
            at,
            width,
            self.scale,
            &say!(view.lang, "legend.value"),
        );
        scene
    }

    fn describe(&self, hit: Hit, _: &Params, lang: Lang) -> String {
        let value = self.encoding.value(hit.row, hit.column);
        say!(
            lang,
            "figure.pe-matrix.cell",
            pos = hit.row,
            dim = hit.column,
            value = short(value)
        )
    }

    fn picked(&self, hit: Hit, _: &Params) -> Vec<(Key, Value)> {
        vec![(Key::Pos, place(hit.row)), (Key::Dim, place(hit.column))]
    }

    fn readouts(&self, p: &Params, lang: Lang) -> Vec<Readout> {
        let value = self.encoding.value(p.pos, p.dim);
        vec![Readout {
            name: "cell".into(),
            label: say!(lang, "figure.pe-matrix.readout", pos = p.pos, dim = p.dim),
            number: Some(value),
            text: short(value),
        }]
    }

    fn sentence(&self, p: &Params, lang: Lang) -> String {
        let value = short(self.encoding.value(p.pos, p.dim));
        say!(
            lang,
            "figure.pe-matrix.sentence",
            n = self.seq_len,
            d = self.d_model,
            pos = p.pos,
            dim = p.dim,
            value = value
        )
    }

    fn table(&self, _: &Params) -> Table {
        let rows = self.seq_len.min(MAX_TABLE_ROWS);
        Table {
            columns: std::iter::once("pos".to_owned())
                .chain((0..self.d_model).map(|d| format!("dim_{d}")))
                .collect(),
            rows: (0..rows)
                .map(|r| {
                    std::iter::once(r as f64)
                        .chain((0..self.d_model).map(|c| self.encoding.value(r, c)))
                        .collect()
                })
                .collect(),
        }
    }
}
