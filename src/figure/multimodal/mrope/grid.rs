//! `mrope-grid`: each token's (t, h, w) in a cell of its block's grid, and what one number a token
//! would have spent.

use std::sync::Arc;

use super::{TOKEN_BY_TOKEN, Tokens, kind_word};
use crate::figure::kit::scene::{Hit, Scene};
use crate::figure::{Arrows, Computed, Figure, Picture, Readout, Table, View, place};
use crate::say;
use crate::state::{Key, Lang, Page, Params, Value};
use crate::words::short;

pub(crate) const FIGURE: Figure = Figure {
    id: "mrope-grid",
    page: Page::Multimodal,
    controls: &[Key::Mrope, Key::Blocks, Key::Fps, Key::Q],
    listens: &[],
    arrows: Arrows::Each(None, Some(Key::Q)),
    // Ids are given out token by token.
    film: TOKEN_BY_TOKEN,
    special: &[],
};

/// Targets: the chart, then the grids of tokens; of these, [`SPAN`] times the first token and the
/// columns of the grid are added.
pub(super) const CHART: usize = 0;
pub(super) const GRIDS: usize = 1;
pub(super) const SPAN: usize = 1 << 13;

pub(super) struct MropeGrid {
    pub(super) tokens: Tokens,
}

pub(crate) fn compute(p: &Params) -> Computed {
    Ok(Arc::new(MropeGrid {
        tokens: Tokens::new(p)?,
    }))
}

impl MropeGrid {
    fn token_at(&self, hit: Hit) -> usize {
        let at = match hit.target {
            CHART => hit.column,
            target => {
                let (start, columns) = ((target - GRIDS) / SPAN, (target - GRIDS) % SPAN);
                start + hit.row * columns + hit.column
            }
        };
        at.min(self.tokens.len() - 1)
    }
}

impl Picture for MropeGrid {
    fn height(&self, width: f64) -> f64 {
        self.natural(width)
    }

    fn draw(&self, p: &Params, view: &View) -> Scene {
        self.scene((self.tokens.traced(p).0, p.between), view)
    }

    fn describe(&self, hit: Hit, _: &Params, lang: Lang) -> String {
        self.tokens.say(self.token_at(hit), lang)
    }

    fn picked(&self, hit: Hit, _: &Params) -> Vec<(Key, Value)> {
        vec![(Key::Q, place(self.token_at(hit)))]
    }

    fn readouts(&self, p: &Params, lang: Lang) -> Vec<Readout> {
        let q = self.tokens.traced(p).0;
        let [t, h, w] = self.tokens.ids.at(q);
        let numbers = [
            ("tokens", self.tokens.len() as i64),
            ("ids", self.tokens.ids.spent()),
            ("t", t),
            ("h", h),
            ("w", w),
        ];
        let readout = |(name, number): (&'static str, i64)| Readout {
            name: name.into(),
            label: say!(lang, format!("figure.mrope-grid.{name}"), q = q),
            number: Some(number as f64),
            text: short(number as f64),
        };
        numbers.into_iter().map(readout).collect()
    }

    fn sentence(&self, _: &Params, lang: Lang) -> String {
        let version = self.tokens.sequence.version;
        say!(
            lang,
            "figure.mrope-grid.sentence",
            version = say!(lang, format!("word.mrope.{}", version.id())),
            n = self.tokens.len(),
            ids = self.tokens.ids.spent()
        )
    }

    fn notes(&self, p: &Params, lang: Lang) -> Vec<String> {
        let q = self.tokens.traced(p).0;
        let tokens = &self.tokens;
        let mut out = Vec::new();
        if let Some((block, span)) = tokens.spans.iter().find(|(_, s)| s.contains(&q)) {
            let start = tokens.ids.at(span.start).into_iter().min().unwrap_or(0);
            let [t, h, w] = tokens.ids.at(q);
            out.push(say!(
                lang,
                "figure.mrope-grid.rule",
                q = q,
                kind = kind_word(block.modality(), lang),
                start = start,
                t = t,
                h = h,
                w = w,
                dt = t - start,
                dh = h - start,
                dw = w - start
            ));
        }
        out.extend(tokens.rules(lang));
        out
    }

    fn table(&self, _: &Params) -> Table {
        let row = |at: usize| {
            let [t, h, w] = self.tokens.ids.at(at).map(|id| id as f64);
            let kind = self.tokens.kinds[at] as usize as f64;
            vec![at as f64, kind, t, h, w]
        };
        Table {
            columns: ["token", "modality", "t", "h", "w"]
                .map(str::to_owned)
                .to_vec(),
            rows: (0..self.tokens.len()).map(row).collect(),
        }
    }
}
