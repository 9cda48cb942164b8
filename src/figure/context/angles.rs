//! `ctx-angles`: which angles each pair saw in training, and where a far position falls.

use std::f64::consts::TAU;
use std::sync::Arc;

use super::parts::{CONTROLS, LEFT, Pairs, Stroke, legend, legend_room, name, readout, spread};
use crate::core::analysis::rotations;
use crate::core::encoding::rope_scaling::Remedy;
use crate::figure::kit::panel::{NAME, TICK};
use crate::figure::kit::scene::{Align, Hit, Rect, Scene, Stand, Target};
use crate::figure::{Arrows, Computed, Figure, Picture, Readout, Special, Table, Tool, View};
use crate::say;
use crate::state::{Key, Lang, Page, Params, Value};
use crate::words::short;

/// Most rows that are drawn.
const ROWS: usize = 32;
const TOP: f64 = 26.0;

pub(crate) const FIGURE: Figure = Figure {
    id: "ctx-angles",
    page: Page::Context,
    controls: CONTROLS,
    listens: &[Key::Pairing],
    arrows: Arrows::Each(Some(Key::Dim), Some(Key::Dim)),
    film: None,
    special: &[Special::ArrowsByPairs, Special::ToolBefore(Tool::Presets)],
    compute,
};

/// One pair, angles in radians.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Row {
    /// The largest angle of training, (L − 1)·θ.
    seen: f64,
    /// θ·L: an angle below it is less than one position beyond what was seen.
    edge: f64,
    /// Of the last position, without a remedy.
    plain: f64,
    /// The same with the remedy.
    now: f64,
}

impl Row {
    /// Whether an angle, as a direction, was never met in training.
    fn unseen(self, angle: f64) -> bool {
        self.edge < TAU && angle.rem_euclid(TAU) > self.edge
    }

    /// Whether some position before the last one turns beyond what was seen.
    fn reaches_further(self) -> bool {
        self.edge < TAU && self.now > self.edge
    }
}

struct Angles {
    pairs: Pairs,
    rows: Vec<Row>,
}

fn compute(p: &Params) -> Computed {
    let pairs = Pairs::of(p)?;
    let (orig, target) = (
        pairs.context.orig_len as f64,
        pairs.context.target_len as f64,
    );
    let rows = pairs.plain.iter().zip(pairs.scaled());
    let rows = rows
        .map(|(plain, scaled)| Row {
            seen: (orig - 1.0) * plain,
            edge: orig * plain,
            plain: (target - 1.0) * plain,
            now: (target - 1.0) * scaled,
        })
        .collect();
    Ok(Arc::new(Angles { pairs, rows }))
}

impl Angles {
    fn shown(&self, p: &Params) -> Vec<usize> {
        spread(self.rows.len(), ROWS, self.pairs.traced(p))
    }

    fn row_height(&self) -> f64 {
        if self.rows.len() > 16 { 13.0 } else { 20.0 }
    }

    fn area(&self, width: f64) -> Rect {
        let rows = self.rows.len().min(ROWS) as f64;
        Rect::new(LEFT, TOP, width - LEFT - 16.0, rows * self.row_height())
    }

    fn unseen(&self, angle: impl Fn(&Row) -> f64) -> usize {
        self.rows.iter().filter(|r| r.unseen(angle(r))).count()
    }

    fn entries(&self, lang: Lang) -> Vec<String> {
        let remedy = self.pairs.context.remedy;
        let mut keys = vec!["seen", "beyond", "plain"];
        if remedy != Remedy::None {
            keys.push("now");
        }
        let name = name(remedy, lang);
        keys.into_iter()
            .map(|k| {
                let key = format!("figure.ctx-angles.{k}");
                say!(
                    lang,
                    key,
                    remedy = name,
                    at = self.pairs.context.target_len - 1
                )
            })
            .collect()
    }

    fn words(&self, pair: usize, key: &str, lang: Lang) -> String {
        let r = self.rows[pair];
        let c = &self.pairs.context;
        let of = |angle: f64| {
            let key = if r.unseen(angle) { "never" } else { "met" };
            say!(lang, format!("figure.ctx-angles.{key}"))
        };
        say!(
            lang,
            key,
            pair = pair,
            seen = short(r.seen.min(TAU)),
            turns = short(rotations(self.pairs.plain[pair], c.orig_len as f64)),
            at = c.target_len - 1,
            last = c.orig_len - 1,
            plain = short(r.plain.rem_euclid(TAU)),
            now = short(r.now.rem_euclid(TAU)),
            plain_is = of(r.plain),
            now_is = of(r.now),
            remedy = name(c.remedy, lang),
            unseen = self.unseen(|r| r.now),
            before = self.unseen(|r| r.plain),
            further = self.rows.iter().filter(|r| r.reaches_further()).count(),
            pairs = self.rows.len()
        )
    }
}

/// A mark at an angle: a disc where it was seen, a cross where not.
fn mark(scene: &mut Scene, (x, y): (f64, f64), unseen: bool, s: Stroke) {
    if unseen {
        let d = 4.5;
        scene.line(vec![(x - d, y - d), (x + d, y + d)], s.colour, s.width);
        scene.line(vec![(x - d, y + d), (x + d, y - d)], s.colour, s.width);
    } else {
        scene.ring((x, y), 3.6, s.colour, s.width);
    }
}

impl Picture for Angles {
    fn height(&self, width: f64) -> f64 {
        self.area(width).bottom() + 46.0 + legend_room(width - 24.0, |lang| self.entries(lang))
    }

    fn draw(&self, p: &Params, view: &View) -> Scene {
        let mut scene = Scene::default();
        let c = view.colours;
        let area = self.area(view.width);
        let shown = self.shown(p);
        let x = |angle: f64| area.x + area.w * (angle / TAU).min(1.0);
        let beyond = c.series(4);
        let plain = Stroke {
            colour: c.muted,
            width: 1.6,
            dash: None,
        };
        let now = Stroke {
            colour: c.accent,
            width: 2.6,
            dash: None,
        };
        let high = self.row_height();
        let every = (14.0 / high).ceil() as usize;
        let traced = self.pairs.traced(p);
        for (k, &pair) in shown.iter().enumerate() {
            let r = self.rows[pair];
            let (y, h) = (area.y + k as f64 * high, high - 3.0);
            let middle = y + h / 2.0 + 0.5;
            let whole = r.edge >= TAU;
            let end = if whole { TAU } else { r.seen };
            scene.fill(Rect::new(area.x, y + 1.0, area.w, h), c.grid.fade(0.45));
            let filled = Rect::new(area.x, y + 1.0, (x(end) - area.x).max(1.0), h);
            scene.fill(filled, c.series(0).fade(if c.dark { 0.5 } else { 0.4 }));
            if r.reaches_further() {
                // Upright strokes over what later positions run through.
                let (mut at, stop) = (x(end) + 2.0, x(r.now));
                scene.fill(
                    Rect::new(x(end), y + 1.0, stop - x(end), h),
                    beyond.fade(0.16),
                );
                while at < stop {
                    scene.line(
                        vec![(at, y + 1.0), (at, y + 1.0 + h)],
                        beyond.fade(0.75),
                        1.0,
                    );
                    at += 5.0;
                }
            }
            mark(
                &mut scene,
                (x(r.plain.rem_euclid(TAU)), middle),
                r.unseen(r.plain),
                plain,
            );
            if self.pairs.context.remedy != Remedy::None {
                mark(
                    &mut scene,
                    (x(r.now.rem_euclid(TAU)), middle),
                    r.unseen(r.now),
                    now,
                );
            }
            let is_traced = pair == traced;
            if is_traced {
                scene.frame(
                    Rect::new(area.x - 1.0, y, area.w + 2.0, h + 2.0),
                    c.traced,
                    2.0,
                );
            }
            if is_traced || k % every == 0 {
                let colour = if is_traced { c.traced } else { c.muted };
                let place = (Align::End, Stand::Centre);
                scene.text(
                    (area.x - 7.0, middle),
                    pair.to_string(),
                    TICK,
                    colour,
                    place,
                );
            }
        }
        for (turn, text) in [
            (0.0, "0"),
            (0.25, "π/2"),
            (0.5, "π"),
            (0.75, "3π/2"),
            (1.0, "2π"),
        ] {
            let px = area.x + area.w * turn;
            scene.fill(Rect::new(px, area.bottom(), 1.0, 5.0), c.muted);
            let place = (Align::Middle, Stand::Below);
            scene.text((px, area.bottom() + 6.0), text, TICK, c.muted, place);
        }
        let below = (area.x + area.w / 2.0, area.bottom() + 21.0);
        let place = (Align::Middle, Stand::Below);
        scene.text(
            below,
            say!(view.lang, "figure.ctx-angles.x"),
            NAME,
            c.muted,
            place,
        );
        let side = (area.x - 40.0, area.y + area.h / 2.0);
        scene.turned_text(side, say!(view.lang, "figure.ctx.pair"), NAME, c.muted);
        let head = if self.rows.len() > ROWS {
            say!(
                view.lang,
                "figure.ctx-angles.some",
                shown = shown.len(),
                pairs = self.rows.len()
            )
        } else {
            say!(view.lang, "figure.ctx-angles.all", pairs = self.rows.len())
        };
        let place = (Align::Start, Stand::Above);
        scene.text((area.x, area.y - 7.0), head, 13.0, c.ink, place);
        scene.targets.push(Target {
            id: 0,
            rect: area,
            rows: shown.len(),
            columns: 1,
        });
        let fill = |colour: crate::figure::kit::colour::Colour, width| Stroke {
            colour,
            width,
            dash: None,
        };
        let strokes = [
            fill(c.series(0).fade(0.45), 9.0),
            Stroke {
                colour: beyond.fade(0.75),
                width: 9.0,
                dash: Some((1.5, 3.5)),
            },
            plain,
            now,
        ];
        let items: Vec<_> = strokes.into_iter().zip(self.entries(view.lang)).collect();
        let y = area.bottom() + 42.0;
        legend(&mut scene, view, (12.0, y), view.width - 24.0, &items);
        scene
    }

    fn describe(&self, hit: Hit, p: &Params, lang: Lang) -> String {
        let shown = self.shown(p);
        let pair = shown[hit.row.min(shown.len() - 1)];
        self.words(pair, "figure.ctx-angles.cell", lang)
    }

    fn picked(&self, hit: Hit, p: &Params) -> Vec<(Key, Value)> {
        let shown = self.shown(p);
        self.pairs.pick(shown[hit.row.min(shown.len() - 1)], p)
    }

    fn readouts(&self, p: &Params, lang: Lang) -> Vec<Readout> {
        let traced = self.pairs.traced(p);
        let row = self.rows[traced];
        let further = self.rows.iter().filter(|r| r.reaches_further()).count();
        let label = |key: &str| self.words(traced, &format!("figure.ctx-angles.{key}"), lang);
        vec![
            readout(
                "unseen-pairs",
                label("unseen_pairs"),
                self.unseen(|r| r.now) as f64,
            ),
            readout(
                "unseen-none",
                label("unseen_none"),
                self.unseen(|r| r.plain) as f64,
            ),
            readout("longer-arcs", label("longer_arcs"), further as f64),
            readout("pair", label("traced"), traced as f64),
            readout("angle", label("angle"), row.now.rem_euclid(TAU)),
        ]
    }

    fn sentence(&self, p: &Params, lang: Lang) -> String {
        let none = self.pairs.context.remedy == Remedy::None;
        let key = if none { "sentence_none" } else { "sentence" };
        let key = format!("figure.ctx-angles.{key}");
        self.words(self.pairs.traced(p), &key, lang)
    }

    fn table(&self, _: &Params) -> Table {
        let columns = [
            "pair",
            "seen_up_to",
            "angle_none",
            "angle_remedy",
            "unseen_none",
            "unseen_remedy",
        ];
        let flag = |b: bool| f64::from(u8::from(b));
        let row = |(k, r): (usize, &Row)| {
            let turn = |a: f64| a.rem_euclid(TAU);
            let marks = [flag(r.unseen(r.plain)), flag(r.unseen(r.now))];
            let seen = if r.edge >= TAU { TAU } else { r.seen };
            vec![
                k as f64,
                seen,
                turn(r.plain),
                turn(r.now),
                marks[0],
                marks[1],
            ]
        };
        Table {
            columns: columns.map(str::to_owned).to_vec(),
            rows: self.rows.iter().enumerate().map(row).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::{decode, resolve};

    fn number(query: &str, name: &str) -> f64 {
        let p = resolve(&decode(query).0, crate::figure::page_of).0;
        let picture = (FIGURE.compute)(&p).expect("computed");
        let all = picture.readouts(&p, Lang::En);
        all.iter()
            .find(|r| r.name == name)
            .and_then(|r| r.number)
            .expect("a number")
    }

    #[test]
    fn ctx_angles_of_llama_2_at_twice_its_length() {
        let query = "embed=ctx-angles&d_model=128&heads=1&orig_len=4096&target_len=8192&factor=2";
        // λ of pair i is 2π·10000^(i/64): 4096 lies between those of pairs 45 and 46.
        assert_eq!(number(query, "longer-arcs"), 18.0);
        let unseen = |s: &str| number(&format!("{query}&scaling={s}"), "unseen-pairs");
        // Four of them have come round to directions that were met.
        assert_eq!(number(query, "unseen-pairs"), 14.0);
        assert_eq!(unseen("linear"), 0.0);
        // NTK divides only the last pair by the whole factor: others still run over.
        assert!(unseen("ntk") > 0.0);
        assert_eq!(number(query, "unseen-pairs"), number(query, "unseen-none"));
    }
}
