//! `pe-similarity`: how alike the encodings of two positions are, by distance and pair by pair.

mod cosines;
mod draw;

use std::sync::Arc;

use cosines::{block_means, mean_cosines};

use crate::core::Matrix;
use crate::core::analysis::cosine;
use crate::core::encoding::Vectors;
use crate::figure::kit::colour::Scale;
use crate::figure::kit::note::{self, note};
use crate::figure::kit::panel::{Chart, MatrixPanel, legend, whole_ticks};
use crate::figure::kit::scene::{Hit, Raster, Scene};
use crate::figure::{Arrows, Computed, Figure, Picture, Readout, Table, View, place};
use crate::say;
use crate::state::{Key, Lang, Page, Params, Value};
use crate::words::short;

/// Longer sides of the map are averaged down to this.
const MAX_SIDE: usize = 512;
/// Numbers that are multiplied for the map of vectors without a formula, at most about.
const WORK: usize = 1 << 20;
/// Positions in such a map.
const MAX_PAIRS: usize = 128;
/// The table for reading shows no more distances than this.
const MAX_TABLE_ROWS: usize = 512;
/// Narrower figures put the chart below the map.
const NARROW: f64 = 560.0;
const SCALE: Scale = Scale::Signed { limit: 1.0 };

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
    film: None,
    special: &[],
    compute,
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
    raster: Arc<Raster>,
}

fn compute(p: &Params) -> Computed {
    let n = p.seq_len;
    let vectors = p.scheme.adds(&p.setting, n)?;
    let Some(frequencies) = vectors.frequencies() else {
        return Ok(Arc::new(by_pair(vectors, n, p.setting.d_model)));
    };
    let by_distance = mean_cosines(frequencies, n);
    let block = n.div_ceil(MAX_SIDE);
    let side = n.div_ceil(block);
    let averaged = block_means(&by_distance, block, side);
    let raster = Raster::indexed(side, SCALE, averaged.into_iter(), usize::abs_diff);
    Ok(Arc::new(Similarity {
        values: Values::ByDistance(by_distance),
        shown: n,
        seq_len: n,
        raster,
    }))
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
    let raster = Raster::from_fn(shown, shown, SCALE, |r, c| map[(r, c)]);
    Similarity {
        values: Values::ByPair {
            vectors,
            d_model,
            map,
            spread,
        },
        shown,
        seq_len: n,
        raster,
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

    fn words(&self, lang: Lang) -> String {
        let block = self.shown.div_ceil(MAX_SIDE);
        match (&self.values, block) {
            (Values::ByPair { .. }, _) if self.shown < self.seq_len => {
                say!(lang, "figure.pe-similarity.first", shown = self.shown)
            }
            (Values::ByPair { .. }, _) => say!(lang, "figure.pe-similarity.spread"),
            (_, 1) => String::new(),
            _ => say!(lang, "figure.pe-similarity.blocks", block = block),
        }
    }
}

impl Picture for Similarity {
    fn height(&self, width: f64) -> f64 {
        let (map, chart) = self.boxes(width);
        let legend = map.bottom() + MatrixPanel::MARGIN.3 + 44.0;
        let below = legend.max(chart.rect.bottom() + Chart::MARGIN.3 + 8.0);
        below + note::room(width - 16.0, |lang| self.words(lang))
    }

    fn draw(&self, p: &Params, view: &View) -> Scene {
        let mut scene = Scene::default();
        let c = view.colours;
        let (map, chart) = self.boxes(view.width);
        let panel = MatrixPanel {
            rect: map,
            rows: self.shown,
            columns: self.shown,
            raster: self.raster.clone(),
            heading: &say!(view.lang, "figure.pe-similarity.map"),
            row_name: &say!(view.lang, "figure.pe-similarity.row"),
            column_name: &say!(view.lang, "figure.pe-similarity.column"),
            target: 0,
            traced: Some((p.i, p.j)),
        };
        panel.draw(&mut scene, view);
        panel.numbers(&mut scene, view, SCALE, |i, j| self.value(i, j));
        let below = map.bottom() + MatrixPanel::MARGIN.3 + 8.0;
        legend(
            &mut scene,
            view,
            (map.x, below),
            map.w.min(320.0),
            SCALE,
            &say!(view.lang, "figure.pe-similarity.legend"),
        );
        let across = whole_ticks(chart.x.clone(), ((chart.rect.w / 60.0) as usize).max(3));
        let words = (
            &*say!(view.lang, "figure.pe-similarity.curve"),
            &*say!(view.lang, "figure.pe-similarity.distance"),
            &*say!(view.lang, "figure.pe-similarity.legend"),
        );
        chart.axes_at(&mut scene, view, &across, words);
        self.curve(&mut scene, view, &chart);
        let k = p.j as f64 - p.i as f64;
        if k.abs() < self.shown as f64 {
            chart.upright(&mut scene, k, c.traced);
            let at = chart.at(k, self.value(p.i, p.j));
            scene.disc(at, 4.5, c.traced);
        }
        scene.targets.push(chart.target(1, 2 * self.shown - 1));
        let foot = self.height(view.width) - note::room(view.width - 16.0, |l| self.words(l));
        let text = self.words(view.lang);
        if !text.is_empty() {
            note(
                &mut scene,
                (8.0, foot - 4.0),
                view.width - 16.0,
                &text,
                c.muted,
            );
        }
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
