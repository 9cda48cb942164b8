//! `modality-bias`: what is added to a score by the kinds of query and key, and what that makes of a
//! token's attention.

use std::sync::Arc;

use super::looks::Looker;
use super::{CENTRED, TOKEN_BY_TOKEN, kind_word};
use crate::core::mrope::{MODALITIES, Modality};
use crate::figure::kit::colour::{Scale, ink_on};
use crate::figure::kit::panel::{NAME, TICK, fitted, headline, round_up, swatches};
use crate::figure::kit::scene::{Align, Hit, Placed, Raster, Rect, Scene, Stand, Target};
use crate::figure::{Arrows, Computed, Figure, Picture, Readout, Table, View, place};
use crate::say;
use crate::state::{Key, Lang, Page, Params, Value};
use crate::words::short;

pub(crate) const FIGURE: Figure = Figure {
    id: "modality-bias",
    page: Page::Multimodal,
    controls: &[Key::ModBias, Key::Q, Key::K, Key::Mrope],
    listens: &[
        Key::Blocks,
        Key::Fps,
        Key::Base,
        Key::Sections,
        Key::Heads,
        Key::DModel,
    ],
    arrows: Arrows::Each(Some(Key::K), Some(Key::Q)),
    film: TOKEN_BY_TOKEN,
    special: &[],
};

/// Room left of the matrix for the kinds of queries, and above for those of keys.
const NAMES: (f64, f64) = (54.0, 48.0);
/// From this width on the shares stand beside the matrix.
const WIDE: f64 = 500.0;

struct ModalityBias {
    looker: Looker,
    scale: Scale,
}

pub(crate) fn compute(p: &Params) -> Computed {
    let looker = Looker::new(p)?;
    let bias = &looker.tokens.sequence.bias;
    let pairs = MODALITIES
        .into_iter()
        .flat_map(|q| MODALITIES.map(|k| (q, k)));
    let largest = pairs.map(|(q, k)| bias.get(q, k).abs()).fold(0.0, f64::max);
    let limit = round_up(largest.max(1.0));
    Ok(Arc::new(ModalityBias {
        looker,
        scale: Scale::Signed { limit },
    }))
}

impl ModalityBias {
    fn kinds(&self) -> &[Modality] {
        &self.looker.tokens.kinds
    }

    /// The kinds that the sequence has, in their order.
    fn present(&self) -> Vec<Modality> {
        let mut all = MODALITIES.to_vec();
        all.retain(|m| self.kinds().contains(m));
        all
    }

    /// Part of a query's attention that each kind of token gets.
    fn share(&self, weights: &[f64], kind: Modality) -> f64 {
        let of_kind = weights
            .iter()
            .zip(self.kinds())
            .filter(|(_, k)| **k == kind);
        of_kind.map(|(w, _)| w).sum()
    }

    /// The matrix, the shares, and how high both are.
    fn places(&self, width: f64, height: f64) -> (Rect, Rect, f64) {
        let (left, above) = NAMES;
        let kinds = self.present().len() as f64;
        if width >= WIDE {
            let wide = (0.46 * width - left).min(420.0);
            let high = (height - above - 10.0).clamp(80.0, 300.0);
            let matrix = Rect::new(left, above, wide, high);
            let x = matrix.right() + 34.0;
            let each = (high / kinds).min(76.0);
            let shares = Rect::new(x, above, width - x - 8.0, each * kinds);
            return (matrix, shares, matrix.bottom() + 10.0);
        }
        let half = (height - above - 58.0).clamp(160.0, 300.0);
        let matrix = Rect::new(left, above, width - left - 10.0, 0.46 * half);
        let y = matrix.bottom() + 50.0;
        let each = (0.54 * half / kinds).min(52.0);
        let shares = Rect::new(10.0, y, width - 20.0, each * kinds);
        (matrix, shares, shares.bottom() + 8.0)
    }

    fn draw_matrix(
        &self,
        scene: &mut Scene,
        view: &View,
        r: Rect,
        (q, k, between): (usize, usize, f64),
    ) {
        let c = view.colours;
        let bias = &self.looker.tokens.sequence.bias;
        let value = |row: usize, column: usize| bias.get(MODALITIES[row], MODALITIES[column]);
        let (w, h) = (r.w / 4.0, r.h / 4.0);
        let title = say!(view.lang, "figure.modality-bias.matrix");
        let room = r.right() - 8.0;
        headline(scene, view, (8.0, r.y - 28.0), room, &title);
        scene.rasters.push(Placed {
            rect: r,
            raster: Raster::from_fn(4, 4, self.scale, value),
        });
        for at in 1..4 {
            let (x, y) = (r.x + at as f64 * w, r.y + at as f64 * h);
            scene.fill(Rect::new(x, r.y, 1.0, r.h), c.grid);
            scene.fill(Rect::new(r.x, y, r.w, 1.0), c.grid);
        }
        scene.frame(r, c.grid, 1.0);
        for (at, kind) in MODALITIES.into_iter().enumerate() {
            let word = kind_word(kind, view.lang);
            let side = (r.x - 6.0, r.y + (at as f64 + 0.5) * h);
            let place = (Align::End, Stand::Centre);
            fitted(scene, side, 46.0, &word, TICK, c.query, place);
            let above = (r.x + (at as f64 + 0.5) * w, r.y - 5.0);
            let place = (Align::Middle, Stand::Above);
            fitted(scene, above, w - 2.0, &word, TICK, c.key, place);
        }
        for (row, column) in (0..16).map(|cell| (cell / 4, cell % 4)) {
            let b = value(row, column);
            let at = (
                r.x + (column as f64 + 0.5) * w,
                r.y + (row as f64 + 0.5) * h,
            );
            let ink = ink_on(self.scale.colour(b, c.dark));
            fitted(scene, at, w - 4.0, &short(b), TICK, ink, CENTRED);
        }
        let kinds = self.kinds();
        // A film goes on to the next token, whose kind may be another.
        let next = kinds[(q + 1).min(kinds.len() - 1)] as usize as f64;
        let (row, column) = (kinds[q] as usize as f64, kinds[k] as usize as f64);
        let row = row + (next - row) * between;
        let cell = Rect::new(r.x + column * w, r.y + row * h, w, h);
        scene.frame(cell, c.traced, 2.5);
        scene.targets.push(Target {
            id: 0,
            rect: r,
            rows: 4,
            columns: 4,
        });
    }

    fn draw_shares(&self, scene: &mut Scene, view: &View, r: Rect, (q, between): (usize, f64)) {
        let c = view.colours;
        let looks = self.looker.passing(q, between);
        let title = say!(view.lang, "figure.modality-bias.shares", q = q);
        headline(scene, view, (r.x, r.y - 28.0), r.w, &title);
        let items =
            ["without", "with"].map(|w| say!(view.lang, format!("figure.modality-bias.{w}")));
        let [without, with] = items;
        let items = [(c.muted, without), (c.accent, with)];
        swatches(scene, view, (r.x, r.y - 24.0), r.w, &items);
        let kinds = self.present();
        let each = r.h / kinds.len() as f64;
        let high = (0.36 * each).min(20.0);
        for (at, kind) in kinds.into_iter().enumerate() {
            let y = r.y + at as f64 * each + (each - 2.0 * high) / 2.0;
            let word = kind_word(kind, view.lang);
            let place = (r.x, y + high);
            let stand = (Align::Start, Stand::Centre);
            fitted(scene, place, 46.0, &word, NAME, c.ink, stand);
            let bars = [(&looks.unbiased, c.muted), (&looks.weights, c.accent)];
            for (m, (weights, colour)) in bars.into_iter().enumerate() {
                let part = self.share(weights, kind);
                let room = r.w - 50.0 - 56.0;
                let y = y + high * m as f64;
                let bar = Rect::new(r.x + 50.0, y, (room * part).max(1.0), high - 2.0);
                scene.fill(bar, colour);
                let text = format!("{:.1}%", 100.0 * part);
                let at = (bar.right() + 5.0, y + high / 2.0 - 1.0);
                scene.text(at, text, TICK, c.ink, (Align::Start, Stand::Centre));
            }
        }
    }

    fn pair(&self, (q, k): (usize, usize), lang: Lang) -> String {
        let looks = self.looker.looks(q);
        let b = self.looker.bias(q, k);
        say!(
            lang,
            "figure.modality-bias.pair",
            query = kind_word(self.kinds()[q], lang),
            key = kind_word(self.kinds()[k], lang),
            q = q,
            k = k,
            bare = short(looks.scores[1][k] - b),
            bias = if b < 0.0 {
                format!("({})", short(b))
            } else {
                short(b)
            },
            score = short(looks.scores[1][k])
        )
    }
}

impl Picture for ModalityBias {
    fn height(&self, width: f64) -> f64 {
        let most = if width < 600.0 { 420.0 } else { 540.0 };
        self.places(width, most).2
    }

    fn draw(&self, p: &Params, view: &View) -> Scene {
        let mut scene = Scene::default();
        let (matrix, shares, _) = self.places(view.width, view.height);
        let (q, k) = self.looker.tokens.traced(p);
        self.draw_matrix(&mut scene, view, matrix, (q, k, p.between));
        self.draw_shares(&mut scene, view, shares, (q, p.between));
        scene
    }

    fn describe(&self, hit: Hit, _: &Params, lang: Lang) -> String {
        let (query, key) = (MODALITIES[hit.row.min(3)], MODALITIES[hit.column.min(3)]);
        say!(
            lang,
            "figure.modality-bias.cell",
            query = kind_word(query, lang),
            key = kind_word(key, lang),
            bias = short(self.looker.tokens.sequence.bias.get(query, key))
        )
    }

    fn picked(&self, hit: Hit, _: &Params) -> Vec<(Key, Value)> {
        let first = |at: usize| self.kinds().iter().position(|k| *k as usize == at);
        match (first(hit.row), first(hit.column)) {
            (Some(q), Some(k)) => vec![(Key::Q, place(q)), (Key::K, place(k))],
            _ => Vec::new(),
        }
    }

    fn readouts(&self, p: &Params, lang: Lang) -> Vec<Readout> {
        let (q, k) = self.looker.tokens.traced(p);
        let looks = self.looker.looks(q);
        let numbers = [
            ("modality-bias", self.looker.bias(q, k)),
            ("score", looks.scores[1][k]),
            ("weight-before", looks.unbiased[k]),
            ("weight", looks.weights[k]),
        ];
        let readout = |(name, number): (&'static str, f64)| Readout {
            name: name.into(),
            label: say!(lang, format!("figure.modality-bias.{name}"), q = q, k = k),
            number: Some(number),
            text: short(number),
        };
        numbers.into_iter().map(readout).collect()
    }

    fn sentence(&self, p: &Params, lang: Lang) -> String {
        let q = self.looker.tokens.traced(p).0;
        let looks = self.looker.looks(q);
        let percent = |x: f64| format!("{:.1}%", 100.0 * x);
        let part = |kind: Modality| {
            say!(
                lang,
                "figure.modality-bias.part",
                kind = kind_word(kind, lang),
                before = percent(self.share(&looks.unbiased, kind)),
                after = percent(self.share(&looks.weights, kind))
            )
        };
        let parts: Vec<String> = self.present().into_iter().map(part).collect();
        let separator = say!(lang, "figure.modality-bias.and");
        say!(
            lang,
            "figure.modality-bias.sentence",
            q = q,
            parts = parts.join(&separator)
        )
    }

    fn notes(&self, p: &Params, lang: Lang) -> Vec<String> {
        vec![
            self.pair(self.looker.tokens.traced(p), lang),
            say!(lang, "figure.modality-bias.same"),
        ]
    }

    fn table(&self, p: &Params) -> Table {
        let (q, _) = self.looker.tokens.traced(p);
        let looks = self.looker.looks(q);
        let columns = [
            "token",
            "modality",
            "bias",
            "score",
            "weight_before",
            "weight",
        ];
        let row = |at: usize| {
            let kind = self.kinds()[at] as usize as f64;
            let (score, b) = (looks.scores[1][at], self.looker.bias(q, at));
            vec![
                at as f64,
                kind,
                b,
                score,
                looks.unbiased[at],
                looks.weights[at],
            ]
        };
        Table {
            columns: columns.map(str::to_owned).to_vec(),
            rows: (0..self.kinds().len()).map(row).collect(),
        }
    }
}
