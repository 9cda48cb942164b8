//! `pe-matrix`: the encoding itself, `[seq_len, d_model]`, one row a position; beside it the traced
//! column as a wave.

mod draw;

use std::sync::Arc;

use super::cached::Cached;
use crate::core::encoding::Vectors;
use crate::figure::kit::colour::Scale;
use crate::figure::kit::panel::{MatrixPanel, Spot, legend};
use crate::figure::kit::scene::{Hit, Scene};
use crate::figure::{Arrows, Computed, Figure, Film, Picture, Readout, Table, View, place};
use crate::say;
use crate::state::{Key, Lang, Page, Params, Value};
use crate::words::short;

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
    film: Film::of_positions(Key::Pos),
    special: &[],
};

struct PeMatrix {
    encoding: Box<dyn Vectors>,
    seq_len: usize,
    d_model: usize,
    scale: Scale,
    raster: Cached,
}

pub(crate) fn compute(p: &Params) -> Computed {
    let s = &p.setting;
    let (n, d) = (p.seq_len, s.d_model);
    let encoding = p.scheme.adds(s, n)?;
    let scale = Scale::Signed {
        limit: encoding.limit(),
    };
    Ok(Arc::new(PeMatrix {
        encoding,
        seq_len: n,
        d_model: d,
        scale,
        raster: Cached::default(),
    }))
}

impl Picture for PeMatrix {
    fn height(&self, width: f64) -> f64 {
        let (above, below) = draw::ABOVE_AND_BELOW;
        (width * 0.62).clamp(290.0, 416.0) + above + below
    }

    fn draw(&self, p: &Params, view: &View) -> Scene {
        let mut scene = Scene::default();
        let (rect, wave) = self.places(view);
        let panel = MatrixPanel {
            rect,
            rows: self.seq_len,
            columns: self.d_model,
            raster: self.averaged(rect),
            heading: "",
            row_name: &say!(view.lang, "axis.pos"),
            column_name: &say!(view.lang, "axis.dim"),
            target: 0,
            traced: Some(Spot(p.passing(p.pos, self.seq_len), p.dim as f64)),
        };
        panel.draw(&mut scene, view);
        self.heading(&mut scene, view, rect);
        if view.reveal {
            self.hatch(&mut scene, view, rect);
            panel.numbers(&mut scene, view, self.scale, |r, c| {
                self.encoding.value(r, c)
            });
            self.brackets(&mut scene, view, rect);
        } else {
            self.veil(&mut scene, view, rect);
        }
        if let Some(wave) = wave {
            self.wave(&mut scene, p, view, wave);
        }
        let at = (rect.x, rect.bottom() + MatrixPanel::MARGIN.3 + 6.0);
        let name = say!(view.lang, "legend.value");
        legend(&mut scene, view, at, rect.w.min(320.0), self.scale, &name);
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

    fn notes(&self, p: &Params, lang: Lang) -> Vec<String> {
        let mut out = Vec::new();
        if let Some(omega) = self.encoding.frequency(p.dim) {
            out.push(say!(
                lang,
                "figure.pe-matrix.column",
                dim = p.dim,
                omega = short(omega),
                wavelength = short(std::f64::consts::TAU / omega)
            ));
        }
        if self.seq_len > draw::SHARED || self.d_model > draw::SHARED {
            out.push(say!(lang, "figure.pe-matrix.averaged"));
        }
        out
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
