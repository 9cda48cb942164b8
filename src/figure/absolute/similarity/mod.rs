//! `pe-similarity`: how alike the encodings of two positions are, by distance and pair by pair.

mod cosines;
mod draw;

use std::sync::Arc;

use cosines::mean_cosines;

use super::cached::Cached;
use crate::core::Matrix;
use crate::core::analysis::cosine;
use crate::core::encoding::Vectors;
use crate::figure::kit::colour::Scale;
use crate::figure::kit::panel::{MatrixPanel, Spot, heading, legend, round_up, whole_ticks};
use crate::figure::kit::scene::{Hit, Scene};
use crate::figure::{Arrows, Computed, Figure, Film, Picture, Readout, Table, View, place};
use crate::say;
use crate::state::{Key, Lang, Page, Params, Value};
use crate::words::short;

/// Numbers that are multiplied for the map of vectors without a formula, at most about.
const WORK: usize = 1 << 20;
/// Positions in such a map.
const MAX_PAIRS: usize = 128;
/// The table for reading shows no more distances than this.
const MAX_TABLE_ROWS: usize = 512;
/// Sides longer than this may have cells that share a pixel.
const SHARED: usize = 140;

pub(crate) const FIGURE: Figure = Figure {
    id: "pe-similarity",
    page: Page::Absolute,
    controls: &[
        Key::Scheme,
        Key::SeqLen,
        Key::DModel,
        Key::Base,
        Key::Layout,
    ],
    listens: &[Key::Seed],
    arrows: Arrows::Each(Some(Key::I), Some(Key::J)),
    film: Film::of_positions(Key::J),
    special: &[],
};

enum Values {
    /// By distance alone.
    ByDistance(Vec<f64>),
    /// Each pair of positions has its own.
    ByPair {
        vectors: Box<dyn Vectors>,
        d_model: usize,
        map: Matrix,
        /// Smallest, mean and largest at each distance.
        spread: Vec<[f64; 3]>,
    },
}

struct Similarity {
    values: Values,
    /// Positions in the map and the chart.
    shown: usize,
    seq_len: usize,
    scale: Scale,
    raster: Cached,
}

pub(crate) fn compute(p: &Params) -> Computed {
    let n = p.seq_len;
    let vectors = p.scheme.adds(&p.setting, n)?;
    let Some(frequencies) = vectors.frequencies() else {
        return Ok(Arc::new(by_pair(vectors, n, p.setting.d_model)));
    };
    let by_distance = mean_cosines(frequencies, n);
    let least = by_distance.iter().copied().fold(1.0, f64::min);
    Ok(Arc::new(Similarity {
        values: Values::ByDistance(by_distance),
        shown: n,
        seq_len: n,
        scale: fitted(least),
        raster: Cached::default(),
    }))
}

/// Colours over the range that there is, up to 1: from a round number below where nothing is negative,
/// else with zero in the middle.
fn fitted(least: f64) -> Scale {
    if least < 0.0 {
        return Scale::Signed { limit: 1.0 };
    }
    Scale::Span {
        first: ((least * 10.0).floor() / 10.0).min(0.9),
        last: 1.0,
    }
}

fn row(vectors: &dyn Vectors, pos: usize, d_model: usize) -> Vec<f64> {
    (0..d_model).map(|dim| vectors.value(pos, dim)).collect()
}

fn by_pair(vectors: Box<dyn Vectors>, n: usize, d_model: usize) -> Similarity {
    let affordable = ((WORK / d_model) as f64).sqrt() as usize;
    let shown = n.min(MAX_PAIRS).min(affordable.max(16));
    let columns = (0..shown).flat_map(|r| {
        let row = row(vectors.as_ref(), r, d_model);
        let norm = row.iter().map(|x| x * x).sum::<f64>().sqrt();
        row.into_iter().map(move |x| x / norm)
    });
    let unit = Matrix::from_iterator(d_model, shown, columns);
    let map = unit.tr_mul(&unit);
    let spread = (0..shown)
        .map(|k| {
            let all: Vec<f64> = (0..shown - k).map(|i| map[(i, i + k)]).collect();
            let low = all.iter().copied().fold(f64::INFINITY, f64::min);
            let high = all.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            [low, all.iter().sum::<f64>() / all.len() as f64, high]
        })
        .collect();
    // A position with itself is 1, far above all others: it has the last colour, as the legend says.
    let others = (0..shown).flat_map(|r| (0..r).map(move |c| (r, c)));
    let largest = others.map(|at: (usize, usize)| map[at].abs());
    let scale = Scale::Signed {
        limit: round_up(largest.fold(0.0, f64::max)),
    };
    Similarity {
        values: Values::ByPair {
            vectors,
            d_model,
            map,
            spread,
        },
        shown,
        seq_len: n,
        scale,
        raster: Cached::default(),
    }
}

impl Similarity {
    fn value(&self, i: usize, j: usize) -> f64 {
        match &self.values {
            Values::ByDistance(by_distance) => by_distance[i.abs_diff(j)],
            Values::ByPair { map, .. } if i.max(j) < self.shown => map[(i, j)],
            Values::ByPair {
                vectors, d_model, ..
            } => {
                let row = |pos| row(vectors.as_ref(), pos, *d_model);
                cosine(&row(i), &row(j))
            }
        }
    }

    fn by_pair(&self) -> bool {
        matches!(self.values, Values::ByPair { .. })
    }

    /// Smallest, mean and largest similarity at a distance.
    fn spread(&self, k: usize) -> [f64; 3] {
        match &self.values {
            Values::ByDistance(by_distance) => [by_distance[k]; 3],
            Values::ByPair { spread, .. } => spread[k],
        }
    }
}

impl Picture for Similarity {
    fn height(&self, width: f64) -> f64 {
        // Curve above the map, or beside it.
        if width < 600.0 {
            (width * 0.8).clamp(410.0, 540.0)
        } else {
            (width * 0.48 + 46.0).min(540.0)
        }
    }

    fn draw(&self, p: &Params, view: &View) -> Scene {
        let mut scene = Scene::default();
        let places = self.places(view);
        let (map, chart) = (places.map, &places.chart);
        let j = p.passing(p.j, self.shown);
        let k = j - p.i as f64;
        let panel = MatrixPanel {
            rect: map,
            rows: self.shown,
            columns: self.shown,
            raster: self.averaged(map),
            heading: "",
            row_name: &say!(view.lang, "figure.pe-similarity.row"),
            column_name: &say!(view.lang, "figure.pe-similarity.column"),
            target: 0,
            traced: Some(Spot(p.i as f64, j)),
        };
        panel.draw(&mut scene, view);
        let text = say!(view.lang, "figure.pe-similarity.map");
        heading(&mut scene, view, places.heading, &text);
        if view.reveal {
            panel.numbers(&mut scene, view, self.scale, |i, j| self.value(i, j));
            self.diagonals(&mut scene, view, map, k);
        }
        let name = say!(view.lang, "legend.cosine");
        let (x, y, width) = places.legend;
        legend(
            &mut scene,
            view,
            (x, y),
            width.min(320.0),
            self.scale,
            &name,
        );
        let across = whole_ticks(chart.x.clone(), ((chart.rect.w / 60.0) as usize).max(3));
        let words = (
            &*say!(view.lang, "figure.pe-similarity.curve"),
            &*say!(view.lang, "figure.pe-similarity.distance"),
            &*say!(view.lang, "figure.pe-similarity.legend"),
        );
        chart.axes_at(&mut scene, view, &across, words);
        self.curve(&mut scene, view, chart);
        if view.reveal {
            let of = |j: f64| self.value(p.i, j as usize);
            let value = of(j.floor()) + (of(j.ceil()) - of(j.floor())) * j.fract();
            self.mark(&mut scene, view, chart, k, value);
        } else {
            self.veil(&mut scene, view, &places);
        }
        scene.targets.push(chart.target(1, 2 * self.shown - 1));
        scene
    }

    fn describe(&self, hit: Hit, _: &Params, lang: Lang) -> String {
        if hit.target == 0 {
            let (i, j) = (hit.row, hit.column);
            return say!(
                lang,
                "figure.pe-similarity.cell",
                i = i,
                j = j,
                k = short(j as f64 - i as f64),
                value = short(self.value(i, j))
            );
        }
        let k = hit.column as i64 - (self.shown as i64 - 1);
        let [low, mean, high] = self.spread(k.unsigned_abs() as usize);
        if self.by_pair() {
            say!(
                lang,
                "figure.pe-similarity.spread_at",
                k = short(k as f64),
                low = short(low),
                mean = short(mean),
                high = short(high)
            )
        } else {
            say!(
                lang,
                "figure.pe-similarity.at",
                k = short(k as f64),
                value = short(mean)
            )
        }
    }

    fn picked(&self, hit: Hit, p: &Params) -> Vec<(Key, Value)> {
        let (i, j) = if hit.target == 0 {
            (hit.row, hit.column)
        } else {
            let k = hit.column as i64 - (self.shown as i64 - 1);
            let j = p.i as i64 + k;
            if (0..self.seq_len as i64).contains(&j) {
                (p.i, j as usize)
            } else {
                ((-k).max(0) as usize, k.max(0) as usize)
            }
        };
        vec![(Key::I, place(i)), (Key::J, place(j))]
    }

    fn readouts(&self, p: &Params, lang: Lang) -> Vec<Readout> {
        let value = self.value(p.i, p.j);
        let label = if self.by_pair() {
            say!(lang, "figure.pe-similarity.cosine", i = p.i, j = p.j)
        } else {
            say!(lang, "figure.pe-similarity.product", i = p.i, j = p.j)
        };
        vec![Readout {
            name: "similarity".into(),
            label,
            number: Some(value),
            text: short(value),
        }]
    }

    fn sentence(&self, p: &Params, lang: Lang) -> String {
        let (k, value) = (p.i.abs_diff(p.j), short(self.value(p.i, p.j)));
        if self.by_pair() {
            say!(
                lang,
                "figure.pe-similarity.sentence_learned",
                i = p.i,
                j = p.j,
                value = value
            )
        } else {
            say!(
                lang,
                "figure.pe-similarity.sentence",
                i = p.i,
                j = p.j,
                k = k,
                value = value
            )
        }
    }

    fn notes(&self, p: &Params, lang: Lang) -> Vec<String> {
        let value = short(self.value(p.i, p.j));
        let mut out = Vec::new();
        if self.by_pair() {
            out.push(say!(lang, "figure.pe-similarity.spread"));
            out.push(say!(lang, "figure.pe-similarity.diagonal"));
        } else {
            let key = "figure.pe-similarity.both";
            out.push(say!(lang, key, k = p.i.abs_diff(p.j), value = value));
        }
        if self.shown < self.seq_len {
            let shown = self.shown;
            out.push(say!(lang, "figure.pe-similarity.first", shown = shown));
        } else if self.shown > SHARED {
            out.push(say!(lang, "figure.pe-similarity.blocks"));
        }
        out
    }

    fn table(&self, _: &Params) -> Table {
        let columns: &[&str] = if self.by_pair() {
            &["distance", "lowest", "mean", "highest"]
        } else {
            &["distance", "similarity"]
        };
        Table {
            columns: columns.iter().map(|&c| c.to_owned()).collect(),
            rows: (0..self.shown.min(MAX_TABLE_ROWS))
                .map(|k| {
                    let spread = self.spread(k);
                    let values = if self.by_pair() {
                        &spread[..]
                    } else {
                        &spread[..1]
                    };
                    std::iter::once(k as f64)
                        .chain(values.iter().copied())
                        .collect()
                })
                .collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::cosines::block_means;
    use super::*;
    use crate::core::analysis::similarity_by_distance;
    use crate::core::encoding::learned;
    use crate::core::encoding::sinusoidal::Sinusoidal;
    use crate::core::encoding::sinusoidal::{Layout, positions};

    #[test]
    fn similarity_is_the_matrix_product() {
        for layout in [Layout::Interleaved, Layout::T2t] {
            let pe = Sinusoidal::new(32, 1e4, layout).expect("valid");
            let m = pe.matrix(&positions(0..200));
            let product = &m * m.transpose() / 16.0;
            let fast = mean_cosines(pe.frequencies(), 200);
            for (i, j) in (0..200).flat_map(|i| (0..200).map(move |j| (i, j))) {
                assert!((product[(i, j)] - fast[i.abs_diff(j)]).abs() < 1e-12);
            }
        }
    }

    #[test]
    fn every_distance_stays_exact_far_out() {
        let pe = Sinusoidal::new(128, 1e6, Layout::Interleaved).expect("valid");
        let fast = mean_cosines(pe.frequencies(), 8192);
        let slow = similarity_by_distance(pe.frequencies(), (0..8192).map(f64::from));
        for (a, b) in fast.iter().zip(slow) {
            assert!((a - b).abs() < 1e-11);
        }
    }

    #[test]
    fn blocks_are_means_of_the_map() {
        let by_distance: Vec<f64> = (0..12).map(|k| f64::from(k * k % 7)).collect();
        let means = block_means(&by_distance, 3, 4);
        for apart in 0..4 {
            let mut total = 0.0;
            for (a, b) in (0..3).flat_map(|a| (0..3).map(move |b| (a, b))) {
                total += by_distance[(3 * apart + b as usize).abs_diff(a)];
            }
            assert!((means[apart] - total / 9.0).abs() < 1e-12);
        }
    }

    #[test]
    fn learned_rows_are_alike_only_with_themselves() {
        let rows = (0..300).flat_map(|r| learned::row(42, r, 64));
        let rows = Matrix::from_row_iterator(300, 64, rows);
        let s = by_pair(Box::new(rows), 300, 64);
        assert_eq!(s.shown, 128);
        for pos in [0, 100, 299] {
            assert!((s.value(pos, pos) - 1.0).abs() < 1e-12);
        }
        let row = |pos| learned::row(42, pos, 64);
        assert!((s.value(3, 9) - cosine(&row(3), &row(9))).abs() < 1e-12);
        assert!((s.value(3, 200) - cosine(&row(3), &row(200))).abs() < 1e-12);
    }
}
