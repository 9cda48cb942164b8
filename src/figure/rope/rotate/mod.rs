//! `rope-rotate`: one pair of a query and of a key, before and after both are turned, and what
//! every pair adds to the score.

mod draw;
mod plane;

use std::sync::Arc;

use plane::{ABOVE, BELOW, PairPlane, Polar, radians};

use super::parts::{pick_pair, query_and_key, rotation_of, scaling_readout};
use crate::core::Matrix;
use crate::core::analysis::dot;
use crate::core::encoding::Rotation;
use crate::core::encoding::rope::Rope;
use crate::figure::kit::scene::{Hit, Rect, Scene, Target};
use crate::figure::{Arrows, Computed, Figure, Film, Picture, Readout, Special, Table, View};
use crate::say;
use crate::state::{Key, Lang, Page, Params, Value};
use crate::words::short;

/// Both positions are moved by this to show that nothing changes.
const SHIFT: usize = 100;
/// The targets: the plane and the bars.
const PLANE: usize = 0;
const BARS: usize = 1;

pub(crate) const FIGURE: Figure = Figure {
    id: "rope-rotate",
    page: Page::Rope,
    controls: &[
        Key::Scheme,
        Key::I,
        Key::J,
        Key::DModel,
        Key::Heads,
        Key::Base,
        Key::Pairing,
        Key::Seed,
    ],
    listens: Key::SCALING,
    arrows: Arrows::Each(Some(Key::J), Some(Key::I)),
    film: Film::of_positions(Key::I),
    special: &[Special::MovesTogether],
};

struct Rotate {
    rotation: Rotation,
    q: Vec<f64>,
    k: Vec<f64>,
    /// 1 / √head_dim.
    scale: f64,
    /// The largest part that each pair can add at distance 0, ‖q_i‖ ‖k_i‖ / √head_dim, with the
    /// attention factor squared.
    bounds: Vec<f64>,
}

pub(crate) fn compute(p: &Params) -> Computed {
    let rotation = rotation_of(p)?;
    let rope = rotation.rope();
    let h = rope.head_dim();
    let (q, k) = query_and_key(p.setting.seed, h);
    let scale = 1.0 / (h as f64).sqrt();
    let factor = rope.attention_factor().powi(2);
    let bounds = (0..h / 2)
        .map(|i| {
            let (a, b) = rope.pairing().columns(i, h);
            factor * scale * q[a].hypot(q[b]) * k[a].hypot(k[b])
        })
        .collect();
    Ok(Arc::new(Rotate {
        rotation,
        q,
        k,
        scale,
        bounds,
    }))
}

impl Rotate {
    fn rope(&self) -> &Rope {
        self.rotation.rope()
    }

    /// The largest part that each pair can add at the traced distance.
    fn bounds(&self, p: &Params) -> Vec<f64> {
        let distance = p.i as f64 + p.between - p.j as f64;
        let all = self.bounds.iter().enumerate();
        all.map(|(i, b)| b * self.rotation.scale(i, distance))
            .collect()
    }

    fn pairs(&self) -> usize {
        self.bounds.len()
    }

    fn traced(&self, p: &Params) -> usize {
        self.rope().pairing().pair_of(self.rope().head_dim(), p.dim)
    }

    /// The query at m and the key at n. The shapes always fit; unturned if they did not.
    fn both(&self, m: f64, n: f64) -> (Vec<f64>, Vec<f64>) {
        let row = |x: &[f64]| Matrix::from_row_slice(1, x.len(), x);
        let q = self.rotation.queries(&row(&self.q), &[m]);
        let k = self.rotation.keys(&row(&self.k), &[n]);
        match (q, k) {
            (Ok(q), Ok(k)) => (q.as_slice().to_vec(), k.as_slice().to_vec()),
            _ => (self.q.clone(), self.k.clone()),
        }
    }

    fn score(&self, m: usize, n: usize) -> f64 {
        let (q, k) = self.both(m as f64, n as f64);
        dot(&q, &k) * self.scale
    }

    /// What each pair adds to a score.
    fn parts(&self, q: &[f64], k: &[f64]) -> Vec<f64> {
        (0..self.pairs())
            .map(|i| {
                let (a, b) = self.rope().pairing().columns(i, self.rope().head_dim());
                self.scale * (q[a] * k[a] + q[b] * k[b])
            })
            .collect()
    }

    fn polar(&self, x: &[f64], pair: usize) -> Polar {
        let (a, b) = self.rope().pairing().columns(pair, self.rope().head_dim());
        Polar {
            length: x[a].hypot(x[b]),
            angle: x[b].atan2(x[a]),
        }
    }

    fn plane(&self, p: &Params, rect: Rect) -> PairPlane {
        let pair = self.traced(p);
        PairPlane {
            rect,
            pair,
            dims: self.rope().pairing().columns(pair, self.rope().head_dim()),
            theta: self.rope().inv_freq()[pair],
            stretch: [p.i as f64 + p.between, -(p.j as f64)]
                .map(|at| self.rope().attention_factor() * self.rotation.scale(pair, at)),
            q: self.polar(&self.q, pair),
            k: self.polar(&self.k, pair),
            m: p.i as f64 + p.between,
            n: p.j as f64,
        }
    }

    fn words(&self, p: &Params, pair: usize, key: &str, lang: Lang) -> String {
        let (q, k) = self.both(p.i as f64, p.j as f64);
        let theta = self.rope().inv_freq()[pair];
        let (m, n) = (p.i as f64, p.j as f64);
        say!(
            lang,
            key,
            m = p.i,
            n = p.j,
            theta = short(theta),
            pair = pair,
            q_turn = radians(m * theta),
            k_turn = radians(n * theta),
            change = radians((m - n) * theta),
            distance = short(m - n),
            part = short(self.parts(&q, &k)[pair]),
            bound = short(self.bounds(p)[pair]),
            score = short(dot(&q, &k) * self.scale),
            shift = SHIFT
        )
    }
}

impl Picture for Rotate {
    fn height(&self, width: f64) -> f64 {
        if width < 560.0 {
            (width * 0.85).clamp(415.0, 480.0)
        } else {
            (width * 0.52 + ABOVE + BELOW).min(500.0)
        }
    }

    fn draw(&self, p: &Params, view: &View) -> Scene {
        let mut scene = Scene::default();
        let places = Self::places(view.width, view.height);
        self.plane(p, places.plane).draw(&mut scene, view);
        scene.targets.push(Target {
            id: PLANE,
            rect: places.plane,
            rows: 1,
            columns: 1,
        });
        self.scores(&mut scene, view, p, places.scores);
        self.bars(&mut scene, view, p, places.bars);
        scene
    }

    fn describe(&self, hit: Hit, p: &Params, lang: Lang) -> String {
        if hit.target == PLANE {
            return self.words(p, self.traced(p), "figure.rope-rotate.turns", lang);
        }
        let pair = hit.column.min(self.pairs() - 1);
        self.words(p, pair, "figure.rope-rotate.cell", lang)
    }

    fn picked(&self, hit: Hit, p: &Params) -> Vec<(Key, Value)> {
        if hit.target == PLANE {
            return Vec::new();
        }
        pick_pair(self.rope(), hit.column.min(self.pairs() - 1), p)
    }

    fn readouts(&self, p: &Params, lang: Lang) -> Vec<Readout> {
        let (m, n) = (p.i, p.j);
        let score = self.score(m, n);
        let shifted = self.score(m + SHIFT, n + SHIFT);
        let (q, k) = self.both(m as f64, n as f64);
        let stretch = |a: &[f64], b: &[f64]| (dot(a, a).sqrt() - dot(b, b).sqrt()).abs();
        let norm = stretch(&q, &self.q).max(stretch(&k, &self.k));
        let readout = |name: &'static str, key, number| Readout {
            name: name.into(),
            label: self.words(p, self.traced(p), key, lang),
            number: Some(number),
            text: short(number),
        };
        let mut out = vec![
            readout("score", "figure.rope-rotate.score", score),
            readout("score-shifted", "figure.rope-rotate.shifted", shifted),
            readout(
                "score-change",
                "figure.rope-rotate.difference",
                (shifted - score).abs(),
            ),
            readout("norm-change", "figure.rope-rotate.norm", norm),
        ];
        out.extend(scaling_readout(p, lang));
        out
    }

    fn sentence(&self, p: &Params, lang: Lang) -> String {
        self.words(p, self.traced(p), "figure.rope-rotate.sentence", lang)
    }

    fn notes(&self, p: &Params, lang: Lang) -> Vec<String> {
        let pair = self.traced(p);
        let plane = self.plane(p, Rect::new(0.0, 0.0, 1.0, 1.0));
        let [before, after, change] = plane.angles();
        vec![
            self.words(p, pair, "figure.rope-rotate.arithmetic", lang),
            say!(
                lang,
                "figure.rope-rotate.between",
                before = before,
                after = after,
                change = change
            ),
            self.words(p, pair, "figure.rope-rotate.cell", lang),
        ]
    }

    fn table(&self, p: &Params) -> Table {
        let (q, k) = self.both(p.i as f64, p.j as f64);
        let (before, after) = (self.parts(&self.q, &self.k), self.parts(&q, &k));
        let columns = [
            "pair",
            "q_x",
            "q_y",
            "k_x",
            "k_y",
            "rotated_q_x",
            "rotated_q_y",
            "rotated_k_x",
            "rotated_k_y",
            "part_before",
            "part_after",
        ];
        Table {
            columns: columns.map(str::to_owned).to_vec(),
            rows: (0..self.pairs())
                .map(|i| {
                    let (a, b) = self.rope().pairing().columns(i, self.rope().head_dim());
                    let mut row = vec![i as f64];
                    for x in [&self.q, &self.k, &q, &k] {
                        row.extend([x[a], x[b]]);
                    }
                    row.extend([before[i], after[i]]);
                    row
                })
                .collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::{decode, resolve};

    #[test]
    fn the_score_is_that_of_the_distance_and_the_parts_add_up() {
        for query in [
            "i=9&j=2",
            "i=2&j=9&pairing=half&d_model=96",
            "d_model=2&i=5&j=5",
            "scheme=xpos&i=9&j=2",
            "scheme=xpos&i=2&j=40&pairing=half",
        ] {
            let query = format!("embed=rope-rotate&{query}");
            let p = resolve(&decode(&query).0, crate::figure::page_of).0;
            let picture = compute(&p).expect("computed");
            let numbers: Vec<f64> = picture
                .readouts(&p, Lang::En)
                .iter()
                .filter_map(|r| r.number)
                .collect();
            let [score, shifted, change, norm] = numbers[..] else {
                panic!("four numbers")
            };
            let rotation = rotation_of(&p).expect("a rotation");
            let h = rotation.rope().head_dim();
            let (q, k) = query_and_key(p.setting.seed, h);
            let distance = p.i as f64 - p.j as f64;
            let known = rotation.scores(&q, &k, &[distance])[0];
            assert!((score - known / (h as f64).sqrt()).abs() < 1e-12);
            assert!((shifted - score).abs() < 1e-12 && change < 1e-12);
            assert_eq!(norm < 1e-12, !rotation.is_scaled());
            let table = picture.table(&p);
            let sum: f64 = table.rows.iter().filter_map(|r| r.last()).sum();
            assert!((sum - score).abs() < 1e-12);
        }
    }
}
