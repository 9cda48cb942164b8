//! How `order-swap` is drawn: two attention maps with their tokens as chips, and below them the
//! outputs of each token in both sentences.

use super::{OUTPUT, OrderSwap, ROUNDING};
use crate::figure::View;
use crate::figure::kit::colour::{Colour, Scale, ink_on};
use crate::figure::kit::panel::{HEADING, TICK, legend, trace_cell};
use crate::figure::kit::scene::{Align, Placed, Rect, Scene, Stand, Target, text_width};
use crate::say;
use crate::state::Params;
use crate::words::short;

/// Sizes that depend on the width and the number of tokens.
struct Layout {
    stacked: bool,
    /// Between maps that stand side by side.
    gap: f64,
    /// Room for the names of the rows.
    names: f64,
    map: f64,
    row: f64,
}

const TOP: f64 = 24.0;
const UNDER_MAP: f64 = 52.0;
const LEGEND: f64 = 44.0;

impl OrderSwap {
    fn layout(&self, width: f64) -> Layout {
        let n = self.a.tokens.len().max(self.b.tokens.len());
        let narrow = width < 520.0;
        let stacked = narrow && n > 6;
        let names = if n > 24 || (narrow && !stacked) {
            46.0
        } else {
            64.0
        };
        let gap = if narrow { 10.0 } else { 24.0 };
        let room = if stacked { width } else { (width - gap) / 2.0 } - names;
        // Few tokens need no huge map.
        let map = room
            .min(118.0 * n as f64)
            .clamp(60.0, 340.0)
            .min(room.max(60.0));
        let row = if n <= 16 { 34.0 } else { 22.0 };
        Layout {
            stacked,
            gap,
            names,
            map,
            row,
        }
    }

    fn outputs_top(&self, l: &Layout) -> f64 {
        let maps = TOP + l.map + UNDER_MAP;
        let maps = if l.stacked { 2.0 * maps } else { maps };
        maps + LEGEND
    }

    /// The colour of a token: that of its first appearance in A, then in B.
    fn colour(&self, token: &str, view: &View) -> Colour {
        let all = self.a.tokens.iter().chain(&self.b.tokens);
        let mut seen: Vec<&String> = Vec::new();
        for t in all {
            if !seen.contains(&t) {
                seen.push(t);
            }
        }
        let k = seen.iter().position(|t| *t == token).unwrap_or(0);
        view.colours.series(k)
    }

    fn chip(
        &self,
        scene: &mut Scene,
        view: &View,
        token: &str,
        centre: (f64, f64),
        room: (f64, f64),
    ) {
        let colour = self.colour(token, view);
        let size = (room.1 - 6.0).clamp(8.0, 13.0);
        let text = fitted(token, size, room.0 - 8.0);
        let w = (text_width(&text, size) + 10.0).min(room.0);
        let h = (size + 7.0).min(room.1);
        let rect = Rect::new(centre.0 - w / 2.0, centre.1 - h / 2.0, w, h);
        scene.fill(rect, colour);
        let ink = ink_on(colour);
        scene.text(centre, text, size, ink, (Align::Middle, Stand::Centre));
    }

    fn map(
        &self,
        scene: &mut Scene,
        view: &View,
        which: usize,
        (x, y): (f64, f64),
        l: &Layout,
        p: &Params,
    ) {
        let c = view.colours;
        let s = if which == 0 { &self.a } else { &self.b };
        let n = s.tokens.len();
        let rect = Rect::new(x + l.names, y + TOP, l.map, l.map);
        let key = if which == 0 {
            "figure.order-swap.map_a"
        } else {
            "figure.order-swap.map_b"
        };
        let heading = say!(view.lang, key);
        let at = (x, y + TOP - 7.0);
        scene.text(at, heading, HEADING, c.ink, (Align::Start, Stand::Above));
        scene.rasters.push(Placed {
            rect,
            raster: s.raster.clone(),
        });
        scene.frame(rect, c.grid, 1.0);
        scene.targets.push(Target {
            id: which,
            rect,
            rows: n,
            columns: n,
        });
        let cell = l.map / n as f64;
        for (k, token) in s.tokens.iter().enumerate() {
            let along = (k as f64 + 0.5) * cell;
            if cell >= 12.0 {
                let left = (x + l.names / 2.0 - 2.0, rect.y + along);
                self.chip(scene, view, token, left, (l.names - 6.0, cell - 2.0));
                let below = (rect.x + along, rect.bottom() + 13.0);
                self.chip(scene, view, token, below, (cell - 2.0, 20.0));
            } else if k % 8 == 0 {
                let (row, column) = (
                    (rect.x - 6.0, rect.y + along),
                    (rect.x + along, rect.bottom() + 4.0),
                );
                scene.text(
                    row,
                    k.to_string(),
                    TICK,
                    c.muted,
                    (Align::End, Stand::Centre),
                );
                scene.text(
                    column,
                    k.to_string(),
                    TICK,
                    c.muted,
                    (Align::Middle, Stand::Below),
                );
            }
        }
        if cell >= 34.0 {
            let w = &s.run.weights[self.layer][self.head];
            for r in 0..n {
                for k in 0..n {
                    let hidden = self.causal && k > r;
                    let text = if hidden {
                        "—".to_owned()
                    } else {
                        format!("{:.2}", w[(r, k)])
                    };
                    let at = (
                        rect.x + (k as f64 + 0.5) * cell,
                        rect.y + (r as f64 + 0.5) * cell,
                    );
                    let ink = ink_on(Scale::Unit.colour(w[(r, k)], c.dark));
                    scene.text(at, text, 12.0, ink, (Align::Middle, Stand::Centre));
                }
            }
        }
        let under = (rect.x + l.map / 2.0, rect.bottom() + 28.0);
        let axes = say!(view.lang, "figure.order-swap.axes");
        scene.text(under, axes, TICK, c.muted, (Align::Middle, Stand::Below));
        trace_cell(scene, view, rect, (n, n), (p.i.min(n - 1), p.j.min(n - 1)));
    }

    fn outputs(&self, scene: &mut Scene, view: &View, y: f64, l: &Layout) {
        let c = view.colours;
        let heading = say!(view.lang, "figure.order-swap.outputs");
        let at = (0.0, y + 14.0);
        scene.text(at, heading, HEADING, c.ink, (Align::Start, Stand::Centre));
        let numbers = 76.0;
        let names = 64.0;
        let strip_width = (view.width - names - 22.0 - numbers).max(40.0);
        for (i, token) in self.a.tokens.iter().enumerate() {
            let top = y + 30.0 + i as f64 * l.row;
            let centre = (names / 2.0, top + l.row / 2.0 - 2.0);
            self.chip(scene, view, token, centre, (names - 6.0, l.row - 6.0));
            let rect = Rect::new(names + 18.0, top, strip_width, l.row - 6.0);
            scene.rasters.push(Placed {
                rect,
                raster: self.strips[i].clone(),
            });
            if l.row > 30.0 {
                for (k, name) in ["A", "B"].into_iter().enumerate() {
                    let at = (names + 10.0, top + (k as f64 + 0.5) * (l.row - 6.0) / 2.0);
                    scene.text(at, name, 10.0, c.muted, (Align::Middle, Stand::Centre));
                }
            }
            scene.targets.push(Target {
                id: 2 + i,
                rect,
                rows: 2,
                columns: self.a.run.output.ncols(),
            });
            let text = match self.token_difference(i) {
                _ if !view.reveal => "Δ ?".to_owned(),
                Some(d) if d <= ROUNDING => "Δ ≈ 0".to_owned(),
                Some(d) => format!("Δ {}", short(d)),
                None => "—".to_owned(),
            };
            let at = (view.width - 2.0, top + l.row / 2.0 - 3.0);
            scene.text(at, text, 12.0, c.ink, (Align::End, Stand::Centre));
        }
    }
}

impl OrderSwap {
    /// Height in CSS pixels at a width.
    pub(super) fn drawn_height(&self, width: f64) -> f64 {
        let l = self.layout(width);
        self.outputs_top(&l) + 30.0 + self.a.tokens.len() as f64 * l.row + LEGEND
    }

    /// The whole scene.
    pub(super) fn scene(&self, p: &Params, view: &View) -> Scene {
        let mut scene = Scene::default();
        let l = self.layout(view.width);
        self.map(&mut scene, view, 0, (0.0, 0.0), &l, p);
        let maps = TOP + l.map + UNDER_MAP;
        let (x, y) = if l.stacked {
            (0.0, maps)
        } else {
            ((view.width + l.gap) / 2.0, 0.0)
        };
        self.map(&mut scene, view, 1, (x, y), &l, p);
        let top = self.outputs_top(&l);
        let bar = (view.width - l.names - 10.0).min(280.0);
        let weight = say!(view.lang, "legend.weight");
        legend(
            &mut scene,
            view,
            (l.names, top - LEGEND + 4.0),
            bar,
            Scale::Unit,
            &weight,
        );
        self.outputs(&mut scene, view, top, &l);
        let bottom = top + 30.0 + self.a.tokens.len() as f64 * l.row + 6.0;
        let bar = (view.width - 92.0).min(280.0);
        let value = say!(view.lang, "legend.output");
        legend(&mut scene, view, (82.0, bottom), bar, OUTPUT, &value);
        scene
    }
}

/// Shortens a text to a width.
fn fitted(text: &str, size: f64, room: f64) -> String {
    if text_width(text, size) <= room {
        return text.to_owned();
    }
    let mut out = String::new();
    for c in text.chars() {
        out.push(c);
        if text_width(&out, size) + 0.6 * size > room {
            out.pop();
            break;
        }
    }
    if out.is_empty() {
        "·".to_owned()
    } else {
        out + "…"
    }
}

#[cfg(test)]
mod tests {
    use super::fitted;

    #[test]
    fn long_names_are_shortened() {
        assert_eq!(fitted("ab", 10.0, 100.0), "ab");
        assert!(fitted("transformer", 10.0, 30.0).ends_with('…'));
        assert_eq!(fitted("wide", 10.0, 2.0), "·");
    }
}
