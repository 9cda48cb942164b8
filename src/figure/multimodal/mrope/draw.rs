//! How `mrope-grid` is drawn.

use super::flow::{Flow, Part, flow};
use super::grid::{CHART, GRIDS, MropeGrid, SPAN};
use super::{CENTRED, axis_colour, kind_colour, kind_word, size_of};
use crate::core::mrope::Block;
use crate::figure::View;
use crate::figure::kit::panel::{Chart, TICK, fitted, headline, swatches};
use crate::figure::kit::scene::{Align, Rect, Scene, Stand, Target, text_width};
use crate::figure::kit::veil::veil;
use crate::say;
use crate::state::Lang;

/// Room left and right, and above for the heading.
const SIDE: f64 = 8.0;
const HEAD: f64 = 28.0;
/// Room around the chart: above with its heading, below with its names.
const CHART_ROOM: (f64, f64) = (40.0, 40.0);
/// Least height of the chart itself.
const CHART_HIGH: f64 = 110.0;
/// Cells from which on three and two numbers stand in them.
const THREE: f64 = 40.0;
const TWO: f64 = 26.0;

/// Words of a block, with its sizes.
fn words(block: &Block, lang: Lang) -> String {
    format!("{} {}", kind_word(block.modality(), lang), size_of(*block))
}

struct Layout {
    flow: Flow,
    chart: Option<Rect>,
    height: f64,
}

/// The cell of a token; a tiny one at a distance, so that it is seen.
fn cell_of(flow: &Flow, token: usize) -> Option<Rect> {
    let holds = |p: &&Part| (p.start..p.start + p.rows * p.columns).contains(&token);
    let part = flow.blocks.iter().flat_map(|b| &b.parts).find(holds)?;
    let k = token - part.start;
    let (row, column) = (k / part.columns, k % part.columns);
    let (cell, side) = (flow.cell, flow.cell.max(7.0));
    let x = part.rect.x + (column as f64 + 0.5) * cell - side / 2.0;
    let y = part.rect.y + (row as f64 + 0.5) * cell - side / 2.0;
    Some(Rect::new(x, y, side, side))
}

impl MropeGrid {
    fn layout(&self, width: f64, height: f64) -> Layout {
        let charted = width >= 500.0 && height >= 440.0;
        let (above, below) = CHART_ROOM;
        let rest = if charted {
            above + CHART_HIGH + below
        } else {
            6.0
        };
        let room = (width - 2.0 * SIDE, (height - HEAD - rest).max(20.0));
        let wide = |b: &Block| {
            let widths = [Lang::Zh, Lang::En].map(|lang| text_width(&words(b, lang), TICK));
            widths[0].max(widths[1])
        };
        let flow = flow(&self.tokens.spans, (SIDE, HEAD), room, wide);
        let end = HEAD + flow.height;
        let chart = charted.then(|| {
            let (left, _, right, _) = Chart::MARGIN;
            let high = (height - end - above - below).clamp(CHART_HIGH, 230.0);
            Rect::new(left + 6.0, end + above, width - left - 6.0 - right, high)
        });
        Layout {
            height: chart.map_or(end + 6.0, |r| r.bottom() + below),
            flow,
            chart,
        }
    }

    pub(super) fn natural(&self, width: f64) -> f64 {
        let most = if width < 600.0 { 420.0 } else { 540.0 };
        self.layout(width, most).height
    }

    /// The first token whose numbers are to be predicted: the one after the first image or video.
    fn asked(&self) -> usize {
        let vision = |b: &Block| matches!(b, Block::Image(..) | Block::Video(..));
        let first = self.tokens.spans.iter().find(|(b, _)| vision(b));
        first.map_or(self.tokens.len(), |(_, span)| span.end)
    }

    /// The sequence with a token marked, or the way from it to the next while a film runs.
    pub(super) fn scene(&self, (q, between): (usize, f64), view: &View) -> Scene {
        let mut scene = Scene::default();
        let c = view.colours;
        let at = self.layout(view.width, view.height);
        let hidden = if view.reveal {
            self.tokens.len()
        } else {
            self.asked()
        };
        let names = ["t", "h", "w"].into_iter().enumerate();
        let items: Vec<_> = names
            .map(|(axis, name)| (axis_colour(view, axis), name.to_owned()))
            .collect();
        let legend = 134.0;
        let x = view.width - legend;
        swatches(&mut scene, view, (x, 3.0), legend, &items);
        let spent = self.tokens.ids.spent();
        let title = say!(
            view.lang,
            "figure.mrope-grid.sequence",
            n = self.tokens.len(),
            ids = if view.reveal {
                spent.to_string()
            } else {
                "?".to_owned()
            }
        );
        headline(&mut scene, view, (SIDE, 19.0), x - SIDE - 4.0, &title);
        let blocks = at.flow.blocks.iter().zip(&self.tokens.spans);
        for (placed, (block, span)) in blocks {
            if let Some((x, y, room)) = placed.words {
                let text = words(block, view.lang);
                let colour = kind_colour(view, block.modality());
                let place = (Align::Start, Stand::Centre);
                fitted(&mut scene, (x, y + 10.0), room, &text, TICK, colour, place);
            }
            for part in &placed.parts {
                if span.start >= hidden {
                    veil(&mut scene, view, part.rect);
                } else {
                    self.draw_part(&mut scene, view, (*part, *block, at.flow.cell));
                }
            }
        }
        let cells = [q, q + 1].map(|token| {
            let shown = token < hidden;
            shown.then(|| cell_of(&at.flow, token)).flatten()
        });
        match cells {
            [Some(a), Some(b)] if between > 0.0 => {
                let way = |a: f64, b: f64| a + (b - a) * between;
                let cell = Rect::new(way(a.x, b.x), way(a.y, b.y), a.w, a.h);
                scene.frame(cell, c.query, 2.5);
            }
            [Some(a), _] => scene.frame(a, c.query, 2.5),
            _ => {}
        }
        if let Some(rect) = at.chart {
            self.draw_chart(&mut scene, view, rect, (q as f64 + between, hidden));
        }
        scene
    }

    /// A grid of tokens, with their numbers where there is room.
    fn draw_part(&self, scene: &mut Scene, view: &View, (part, block, cell): (Part, Block, f64)) {
        let (c, r) = (view.colours, part.rect);
        scene.fill(r, kind_colour(view, block.modality()).fade(0.16));
        if cell >= 5.0 {
            for k in 1..part.columns {
                let x = r.x + k as f64 * cell;
                scene.fill(Rect::new(x - 0.5, r.y, 1.0, r.h), c.surface);
            }
            for k in 1..part.rows {
                let y = r.y + k as f64 * cell;
                scene.fill(Rect::new(r.x, y - 0.5, r.w, 1.0), c.surface);
            }
        }
        scene.frame(r, kind_colour(view, block.modality()).fade(0.7), 1.0);
        let line = matches!(block, Block::Text(_) | Block::Audio(_));
        let tokens = part.start..part.start + part.rows * part.columns;
        for token in tokens.filter(|_| cell >= 16.0) {
            let k = token - part.start;
            let (row, column) = (k / part.columns, k % part.columns);
            let x = r.x + (column as f64 + 0.5) * cell;
            let y = r.y + (row as f64 + 0.5) * cell;
            let ids = self.tokens.ids.at(token);
            // Three equal numbers of a line can be written once.
            let axes: &[usize] = match cell {
                s if s >= THREE => &[0, 1, 2],
                s if s >= TWO && !line => &[1, 2],
                _ if line => &[0],
                _ => &[],
            };
            for (at, axis) in axes.iter().enumerate() {
                let text = ids[*axis].to_string();
                if text_width(&text, TICK) > cell - 2.0 {
                    continue;
                }
                let y = y + (at as f64 - (axes.len() - 1) as f64 / 2.0) * 12.5;
                let colour = match axes.len() {
                    1 => c.ink,
                    _ => axis_colour(view, *axis),
                };
                scene.text((x, y), text, TICK, colour, CENTRED);
            }
        }
        scene.targets.push(Target {
            id: GRIDS + SPAN * part.start + part.columns,
            rect: r,
            rows: part.rows,
            columns: part.columns,
        });
    }

    /// The numbers of each token, beside the one of counting in one dimension; t, h, w up to the
    /// first token that is hidden.
    fn draw_chart(&self, scene: &mut Scene, view: &View, rect: Rect, (q, hidden): (f64, usize)) {
        let c = view.colours;
        let n = self.tokens.len();
        let ids = &self.tokens.ids;
        let most = (ids.spent() - 1).max(n as i64 - 1).max(1) as f64;
        let chart = Chart {
            rect,
            x: -0.5..n as f64 - 0.5,
            y: -0.04 * most..1.04 * most,
        };
        for (block, tokens) in &self.tokens.spans {
            let a = chart.at(tokens.start as f64 - 0.5, 0.0).0;
            let b = chart.at(tokens.end as f64 - 0.5, 0.0).0;
            let band = Rect::new(a, rect.y, b - a, rect.h);
            scene.fill(band, kind_colour(view, block.modality()).fade(0.12));
        }
        let words = ["chart", "x", "y"].map(|w| say!(view.lang, format!("figure.mrope-grid.{w}")));
        chart.cell_axes(scene, view, (n, 1), &words[0], (&words[1], &words[2]));
        let last = n as f64 - 1.0;
        scene.dashed(vec![chart.at(0.0, 0.0), chart.at(last, last)], c.muted, 1.5);
        let at = chart.at(last, last);
        let text = say!(view.lang, "figure.mrope-grid.flat");
        let place = (Align::End, Stand::Centre);
        scene.text(
            (at.0 - 0.08 * rect.w, at.1 + 8.0),
            text,
            TICK,
            c.muted,
            place,
        );
        // t below, w above: where they are equal all three are seen.
        for (axis, width) in [(0, 5.0), (1, 3.0), (2, 1.4)] {
            let values = ids.axes()[axis].iter().take(hidden).enumerate();
            let values = values.map(|(at, &id)| (at as f64, id as f64));
            chart.curve(scene, values, axis_colour(view, axis), width);
        }
        if q < hidden as f64 {
            chart.upright(scene, q, c.query);
        }
        if hidden < n {
            let x = chart.at(hidden as f64 - 0.5, 0.0).0;
            let (_, y) = chart.at(0.0, hidden as f64);
            let y = y.max(rect.y + 20.0);
            let area = Rect::new(x, y, rect.right() - x, rect.bottom() - y);
            veil(scene, view, area);
        }
        scene.targets.push(chart.target(CHART, n));
    }
}
