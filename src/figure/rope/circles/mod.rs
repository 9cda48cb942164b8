//! `rope-circles`: each pair of dimensions as the hand of a clock, turned to angle pos · θ_i.

mod asked;

use std::f64::consts::TAU;
use std::sync::Arc;

use asked::Asked;

use super::parts::{arc, cross, on_circle, pick_pair, rotation_of, scaling_readout, within_a_turn};
use crate::core::analysis::wavelength;
use crate::core::encoding::Rotation;
use crate::core::encoding::rope::Rope;
use crate::figure::kit::colour::Colour;
use crate::figure::kit::panel::{HEADING, NAME, TICK, fitted};
use crate::figure::kit::scene::{Align, Hit, Mark, Rect, Scene, Stand, Target};
use crate::figure::put::Handle;
use crate::figure::{Arrows, Computed, Figure, Film, Picture, Readout, Table, View};
use crate::say;
use crate::state::{Key, Lang, Page, Params, Value};
use crate::words::short;

/// More pairs than this are spread over the whole range.
const MAX_CIRCLES: usize = 8;
/// Room above the circles: a heading and the unit.
const TOP: f64 = 42.0;
/// Room that a line of text under a circle takes; there are two.
const LINE: f64 = 16.0;
/// Room around a circle within its cell, and the largest circle.
const AROUND: f64 = 9.0;
const LARGEST: f64 = 92.0;
/// Earlier positions that the hand leaves as a trail.
const TRAIL: usize = 6;

pub(crate) const FIGURE: Figure = Figure {
    id: "rope-circles",
    page: Page::Rope,
    controls: &[
        Key::Scheme,
        Key::Pos,
        Key::DModel,
        Key::Heads,
        Key::Base,
        Key::Pairing,
        Key::SeqLen,
    ],
    listens: Key::SCALING,
    arrows: Arrows::Each(Some(Key::Dim), Some(Key::Pos)),
    film: Film::of_positions(Key::Pos),
    special: &[],
};

struct Circles {
    rotation: Rotation,
    asked: Asked,
}

pub(crate) fn compute(p: &Params) -> Computed {
    Ok(Arc::new(Circles {
        rotation: rotation_of(p)?,
        asked: Asked::of(p)?,
    }))
}

/// One pair at one position.
struct Hand {
    pair: usize,
    /// Its position; a film is between two.
    pos: f64,
    dims: (usize, usize),
    theta: f64,
    angle: f64,
    /// What a query's hand is multiplied by.
    scale: f64,
}

/// Where the circles stand.
struct Grid {
    columns: usize,
    cell: (f64, f64),
    radius: f64,
}

impl Circles {
    fn rope(&self) -> &Rope {
        self.rotation.rope()
    }

    fn pairs(&self) -> usize {
        self.rope().inv_freq().len()
    }

    fn traced(&self, p: &Params) -> usize {
        self.rope().pairing().pair_of(self.rope().head_dim(), p.dim)
    }

    fn hand(&self, pair: usize, pos: f64) -> Hand {
        Hand {
            pair,
            pos,
            dims: self
                .rope()
                .pairing()
                .columns(pair, self.rope().rotary_dim()),
            theta: self.rope().inv_freq()[pair],
            angle: self.rope().angle(pos, pair),
            scale: self.rotation.scale(pair, pos),
        }
    }

    /// The pairs shown: all, or some from the first to the last with the traced one among them.
    fn shown(&self, p: &Params) -> Vec<usize> {
        let pairs = self.pairs();
        if pairs <= MAX_CIRCLES {
            return (0..pairs).collect();
        }
        let last = MAX_CIRCLES - 1;
        let mut shown: Vec<usize> = (0..=last).map(|k| k * (pairs - 1) / last).collect();
        let traced = self.traced(p);
        if !shown.contains(&traced) {
            // Between two neighbours: it takes the place of the nearer one, never of an end.
            let nearest = (1..last).min_by_key(|&k| shown[k].abs_diff(traced));
            shown[nearest.unwrap_or(1)] = traced;
        }
        shown
    }

    /// The grid with the largest circles that fit the box.
    fn grid(&self, width: f64, height: f64) -> Grid {
        let count = self.pairs().min(MAX_CIRCLES);
        let of = |columns: usize| {
            let rows = count.div_ceil(columns);
            let cell = (width / columns as f64, (height - TOP) / rows as f64);
            let tall = cell.1 - 2.0 * LINE - 3.0 * AROUND;
            Grid {
                columns,
                cell,
                radius: (tall.min(cell.0 - 2.0 * AROUND) / 2.0).clamp(4.0, LARGEST),
            }
        };
        let all = (2..=count).map(of);
        all.fold(of(1), |best, next| {
            if next.radius > best.radius {
                next
            } else {
                best
            }
        })
    }

    fn circle(&self, scene: &mut Scene, view: &View, hand: &Hand, cell: Rect, r: f64, on: bool) {
        let c = view.colours;
        let text = 2.0 * LINE + AROUND;
        let spare = (cell.h - 2.0 * r - text - AROUND).max(0.0) / 2.0;
        let centre = (cell.x + cell.w / 2.0, cell.y + AROUND + spare + r);
        let colour = if on { c.traced } else { c.accent };
        if on {
            let x = centre.0 - (r + 8.0).max(54.0).min(cell.w / 2.0 - 2.0);
            let y = centre.1 - r - AROUND;
            let frame = Rect::new(x, y, 2.0 * (centre.0 - x), 2.0 * r + AROUND + text);
            scene.frame(frame, colour, 1.5);
        }
        let label = (centre.0, centre.1 + r + 6.0);
        // The fastest pair is asked for.
        if hand.pair == 0 && !view.reveal {
            scene.ring(centre, r, c.muted.fade(0.6), 1.0);
            cross(scene, centre, r, view);
            self.draw_asked(scene, view, (centre, r), hand.pos);
            self.labels(scene, view, hand, label, cell.w, (colour, false));
            return;
        }
        scene.ring(centre, r, c.muted.fade(0.6), 1.0);
        cross(scene, centre, r, view);
        let swept = within_a_turn(hand.angle);
        let mut sector = arc(centre, r * 0.62, 0.0, swept);
        scene.line(sector.clone(), colour.fade(0.7), 1.5);
        sector.push(centre);
        let faint = colour.fade(0.16);
        scene.marks.push(Mark::Area {
            points: sector,
            colour: faint,
        });
        let last = hand.pos.ceil() - 1.0;
        for back in (0..TRAIL).map(|k| hand.pos - last + k as f64) {
            if back > hand.pos {
                break;
            }
            let angle = hand.angle - back * hand.theta;
            let fade = 0.7 * (1.0 - back / (TRAIL + 1) as f64);
            scene.disc(on_circle(centre, r, angle), 2.6, colour.fade(fade));
        }
        let tip = on_circle(centre, r * hand.scale, hand.angle);
        if on {
            let shadow = colour.fade(0.8);
            scene.dashed(vec![tip, (tip.0, centre.1)], shadow, 1.0);
            scene.dashed(vec![tip, (centre.0, tip.1)], shadow, 1.0);
        }
        scene.arrow(centre, tip, colour, 2.2);
        scene.disc(centre, 2.5, colour);
        if let Some(guess) = view.guess.filter(|_| hand.pair == 0) {
            self.draw_guess(scene, view, (centre, r), &guess);
        }
        self.labels(scene, view, hand, label, cell.w, (colour, true));
    }

    /// The pair below its circle, and how many positions a turn takes, unless that is asked for.
    fn labels(
        &self,
        scene: &mut Scene,
        view: &View,
        hand: &Hand,
        (x, y): (f64, f64),
        width: f64,
        (colour, known): (Colour, bool),
    ) {
        let place = (Align::Middle, Stand::Below);
        let name = say!(view.lang, "figure.rope-circles.pair", pair = hand.pair);
        fitted(scene, (x, y), width - 6.0, &name, NAME, colour, place);
        if known {
            let text = format!("λ = {}", short(wavelength(hand.theta)));
            let at = (x, y + LINE);
            fitted(scene, at, width - 6.0, &text, TICK, view.colours.ink, place);
        }
    }

    fn words(&self, hand: &Hand, p: &Params, key: &str, lang: Lang) -> String {
        say!(
            lang,
            key,
            pos = p.pos,
            pair = hand.pair,
            a = hand.dims.0,
            b = hand.dims.1,
            theta = short(hand.theta),
            wavelength = short(wavelength(hand.theta)),
            angle = short(hand.angle),
            degrees = short(hand.angle.to_degrees()),
            turns = short(hand.angle / TAU)
        )
    }
}

impl Picture for Circles {
    fn height(&self, width: f64) -> f64 {
        let count = self.pairs().min(MAX_CIRCLES);
        // As high as two rows, or one, of the largest circles take.
        let columns = if count > 4 { count.div_ceil(2) } else { count };
        let radius = (width / columns as f64 / 2.0 - AROUND).min(LARGEST);
        let row = 2.0 * radius + 2.0 * LINE + 3.0 * AROUND;
        (TOP + count.div_ceil(columns) as f64 * row).clamp(220.0, 540.0)
    }

    fn draw(&self, p: &Params, view: &View) -> Scene {
        let mut scene = Scene::default();
        let c = view.colours;
        let place = (Align::Start, Stand::Below);
        let room = view.width - 12.0;
        let shown = self.shown(p);
        let key = if shown.len() == self.pairs() {
            "figure.rope-circles.heading_all"
        } else {
            "figure.rope-circles.heading"
        };
        let heading = say!(
            view.lang,
            key,
            pos = p.pos,
            shown = shown.len(),
            pairs = self.pairs()
        );
        fitted(
            &mut scene,
            (6.0, 4.0),
            room,
            &heading,
            HEADING,
            c.ink,
            place,
        );
        let units = say!(view.lang, "figure.rope-circles.units");
        fitted(&mut scene, (6.0, 23.0), room, &units, TICK, c.muted, place);
        let grid = self.grid(view.width, view.height);
        let traced = self.traced(p);
        for (slot, pair) in shown.into_iter().enumerate() {
            let (row, column) = (slot / grid.columns, slot % grid.columns);
            let (w, h) = grid.cell;
            let cell = Rect::new(column as f64 * w, TOP + row as f64 * h, w, h);
            let hand = self.hand(pair, p.pos as f64 + p.between);
            scene.targets.push(Target {
                id: slot,
                rect: cell,
                rows: 1,
                columns: 1,
            });
            self.circle(&mut scene, view, &hand, cell, grid.radius, pair == traced);
        }
        scene
    }

    fn describe(&self, hit: Hit, p: &Params, lang: Lang) -> String {
        let shown = self.shown(p);
        let pair = shown.get(hit.target).copied().unwrap_or(0);
        self.words(
            &self.hand(pair, p.pos as f64),
            p,
            "figure.rope-circles.cell",
            lang,
        )
    }

    fn picked(&self, hit: Hit, p: &Params) -> Vec<(Key, Value)> {
        match self.shown(p).get(hit.target) {
            Some(&pair) => pick_pair(self.rope(), pair, p),
            None => Vec::new(),
        }
    }

    fn handles(&self, p: &Params) -> Vec<Handle> {
        vec![self.to_set(p.pos)]
    }

    fn put(&self, hit: Hit, p: &Params) -> Option<(usize, f64)> {
        self.set(hit, p.pos)
    }

    fn readouts(&self, p: &Params, lang: Lang) -> Vec<Readout> {
        let hand = self.hand(self.traced(p), p.pos as f64);
        let turns = hand.angle / TAU;
        let degrees = hand.angle.to_degrees();
        let label = |key| self.words(&hand, p, key, lang);
        let mut out = vec![
            Readout {
                name: "angle".into(),
                label: label("figure.rope-circles.angle"),
                number: Some(hand.angle),
                text: format!("{} rad", short(hand.angle)),
            },
            Readout {
                name: "degrees".into(),
                label: label("figure.rope-circles.degrees"),
                number: Some(degrees),
                text: format!("{}°", short(degrees)),
            },
            Readout {
                name: "turns".into(),
                label: label("figure.rope-circles.made"),
                number: Some(turns),
                text: short(turns),
            },
        ];
        if self.rotation.is_scaled() {
            out.push(Readout {
                name: "query-scale".into(),
                label: label("figure.rope-circles.query_scale"),
                number: Some(hand.scale),
                text: short(hand.scale),
            });
        }
        out.extend(scaling_readout(p, lang));
        out
    }

    fn sentence(&self, p: &Params, lang: Lang) -> String {
        let hand = self.hand(self.traced(p), p.pos as f64);
        self.words(&hand, p, "figure.rope-circles.sentence", lang)
    }

    fn notes(&self, p: &Params, lang: Lang) -> Vec<String> {
        let hand = self.hand(self.traced(p), p.pos as f64);
        vec![self.words(&hand, p, "figure.rope-circles.cell", lang)]
    }

    fn table(&self, p: &Params) -> Table {
        let columns = [
            "pair",
            "dim_x",
            "dim_y",
            "theta",
            "wavelength",
            "angle",
            "turns",
            "cos",
            "sin",
            "query_scale",
        ];
        Table {
            columns: columns.map(str::to_owned).to_vec(),
            rows: (0..self.pairs())
                .map(|pair| {
                    let h = self.hand(pair, p.pos as f64);
                    let (sin, cos) = h.angle.sin_cos();
                    let (a, b) = (h.dims.0 as f64, h.dims.1 as f64);
                    let (wave, turns) = (wavelength(h.theta), h.angle / TAU);
                    vec![
                        pair as f64,
                        a,
                        b,
                        h.theta,
                        wave,
                        h.angle,
                        turns,
                        cos,
                        sin,
                        h.scale,
                    ]
                })
                .collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::{decode, resolve};

    fn params(query: &str) -> Params {
        resolve(&decode(query).0, crate::figure::page_of).0
    }

    #[test]
    fn the_angle_is_position_times_frequency_for_either_pairing() {
        for (query, pair) in [
            ("embed=rope-circles&pos=7&dim=5", 2),
            ("embed=rope-circles&pos=7&dim=21&pairing=half", 5),
        ] {
            let p = params(query);
            let picture = compute(&p).expect("computed");
            let angle = picture.readouts(&p, Lang::Zh)[0].number.expect("a number");
            // head_dim 16, so θ = exp(−pair/8 · ln 10000).
            let theta = (-f64::from(pair) / 8.0 * 10000f64.ln()).exp();
            assert!((angle - 7.0 * theta).abs() < 1e-12, "{query}: {angle}");
        }
    }

    #[test]
    fn the_ends_and_the_traced_pair_are_always_shown() {
        for dim in [0, 1, 130, 255, 511] {
            let p = params(&format!("embed=rope-circles&d_model=512&heads=1&dim={dim}"));
            let circles = Circles {
                rotation: rotation_of(&p).expect("a rotation"),
                asked: Asked::of(&p).expect("a rotation"),
            };
            let shown = circles.shown(&p);
            assert_eq!(shown.len(), MAX_CIRCLES);
            assert!(shown.is_sorted() && shown.contains(&(dim / 2)), "{shown:?}");
            assert_eq!((shown[0], shown[MAX_CIRCLES - 1]), (0, 255));
        }
    }
}
