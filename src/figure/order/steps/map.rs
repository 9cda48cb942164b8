//! The stages of an attention head as a small diagram, with the places where position can enter: the map
//! of the course.

use crate::core::encoding::{Entry, Scheme};
use crate::core::head::Stage;
use crate::figure::View;
use crate::figure::kit::colour::{Colour, ink_on};
use crate::figure::kit::panel::{TICK, fitted};
use crate::figure::kit::scene::{Align, Rect, Scene, Stand, Target};
use crate::say;

/// Narrower diagrams have two rows of stages.
const WIDE: f64 = 600.0;
/// Room above the stages for the way of the values.
const ABOVE: f64 = 15.0;
/// Room at the right for the ways from row to row, where there are two.
const BESIDE: f64 = 14.0;
/// Height of a line of words below a stage.
const LINE: f64 = 17.0;

/// The places where position can enter.
const ENTRIES: [Entry; 4] = [
    Entry::Additive,
    Entry::Rotary,
    Entry::Keys,
    Entry::ScoreBias,
];

/// What a stage is called, the same in all languages.
pub(super) fn symbol(stage: Stage) -> &'static str {
    match stage {
        Stage::Input => "x",
        Stage::Projected => "q, k, v",
        Stage::Turned => "q, k",
        Stage::Products => "q·k",
        Stage::Scaled => "÷ √dₕ",
        Stage::Scores => "+ b",
        Stage::Weights => "softmax",
        Stage::Output => "Σ w·v",
    }
}

/// The name of a stage in the keys of words.
pub(super) fn word_of(stage: Stage) -> &'static str {
    match stage {
        Stage::Input => "input",
        Stage::Projected => "projected",
        Stage::Turned => "turned",
        Stage::Products => "products",
        Stage::Scaled => "scaled",
        Stage::Scores => "scores",
        Stage::Weights => "weights",
        Stage::Output => "output",
    }
}

/// The name of a place where position enters, in the keys of words.
fn entry_word(entry: Entry) -> &'static str {
    match entry {
        Entry::None => "none",
        Entry::Additive => "additive",
        Entry::Rotary => "rotary",
        Entry::Keys => "keys",
        Entry::ScoreBias => "bias",
    }
}

/// The diagram alone, filling the box of the view: each page may say with it what it is about. A scheme
/// has its place ringed, unless answers are hidden.
pub fn map_of_course(view: &View, scheme: Option<Scheme>) -> Scene {
    let mut scene = Scene::default();
    let places = Places::of(Rect::new(0.0, 0.0, view.width, view.height));
    places.draw(&mut scene, view, scheme, None);
    scene
}

/// Where the parts of the diagram stand.
pub(super) struct Places {
    rect: Rect,
    /// Rows of stages.
    rows: usize,
    /// Each stage in its box, in the order of [`Stage::ALL`].
    boxes: [Rect; 8],
    /// Lines of words that fit below a row of stages: none, the place, the place and the scheme.
    lines: usize,
}

/// How far along a head a picture is.
pub(super) struct Now {
    /// The stage shown.
    pub stage: usize,
    /// How much of the time until the next has gone by, 0..1.
    pub between: f64,
}

impl Places {
    /// The height at which it looks best at a width.
    pub fn height(width: f64) -> f64 {
        if width >= WIDE {
            ABOVE + 34.0 + 2.0 * LINE + 2.0
        } else {
            ABOVE + 2.0 * (28.0 + LINE) + 10.0
        }
    }

    /// The places in a rectangle.
    pub fn of(rect: Rect) -> Self {
        let rows = if rect.w >= WIDE { 1 } else { 2 };
        let (columns, gap, right) = if rows == 1 {
            (8, 14.0, 1.0)
        } else {
            (4, 10.0, BESIDE)
        };
        let each = (rect.h - ABOVE - if rows == 2 { 8.0 } else { 0.0 }) / rows as f64;
        let lines = (((each - 24.0) / LINE).floor().max(0.0) as usize).min(3 - rows);
        let high = (each - lines as f64 * LINE).clamp(4.0, 38.0);
        let wide = ((rect.w - right - 1.0 - gap * (columns - 1) as f64) / columns as f64).max(4.0);
        let boxes = std::array::from_fn(|k| {
            let (row, column) = (k / columns, k % columns);
            let x = rect.x + 1.0 + column as f64 * (wide + gap);
            let y = rect.y + ABOVE + row as f64 * (each + 8.0);
            Rect::new(x, y, wide, high)
        });
        Self {
            rect,
            rows,
            boxes,
            lines,
        }
    }

    /// The area that a pointer chooses a stage in: whole steps from box to box.
    pub fn target(&self, id: usize) -> Target {
        let columns = 8 / self.rows;
        let (first, last) = (self.boxes[0], self.boxes[7]);
        let pitch = self.boxes[1].x - first.x;
        let rise = if self.rows == 2 {
            2.0 * (self.boxes[4].y - first.y)
        } else {
            last.bottom() - first.y
        };
        let wide = (columns as f64 * pitch).min(self.rect.right() - first.x);
        let high = rise.min(self.rect.bottom() - first.y);
        Target {
            id,
            rect: Rect::new(first.x, first.y, wide, high),
            rows: self.rows,
            columns,
        }
    }

    /// Draws the diagram; with a stage shown, what comes after it is faint.
    pub fn draw(&self, scene: &mut Scene, view: &View, scheme: Option<Scheme>, now: Option<Now>) {
        let c = view.colours;
        self.ways(scene, view);
        for (k, stage) in Stage::ALL.into_iter().enumerate() {
            let r = self.boxes[k];
            let at = now.as_ref().map(|n| n.stage);
            let present = at == Some(k);
            let to_come = at.is_some_and(|at| k > at);
            scene.fill(r, c.surface);
            let (fill, edge, ink) = if present {
                (c.accent, c.accent, ink_on(c.accent))
            } else if to_come {
                (c.grid.fade(0.25), c.grid, c.muted)
            } else {
                (c.accent.fade(0.13), c.accent.fade(0.6), c.ink)
            };
            scene.fill(r, fill);
            scene.frame(r, edge, 1.0);
            if let Some(n) = now.as_ref().filter(|n| present && n.between > 0.0) {
                let bar = Rect::new(r.x, r.bottom() - 4.0, r.w * n.between, 4.0);
                scene.fill(bar, c.key);
            }
            let middle = (r.x + r.w / 2.0, r.y + r.h / 2.0);
            let size = if self.rows == 1 { 14.0 } else { 13.0 };
            let place = (Align::Middle, Stand::Centre);
            if r.h >= 14.0 {
                fitted(scene, middle, r.w - 4.0, symbol(stage), size, ink, place);
            }
        }
        if !view.reveal {
            return self.asked(scene, view);
        }
        for entry in ENTRIES {
            let lit = scheme.filter(|s| s.entry() == entry);
            self.entry(scene, view, entry, lit);
        }
    }

    /// The way from stage to stage, and that of the values to the sum.
    fn ways(&self, scene: &mut Scene, view: &View) {
        let c = view.colours;
        let line = c.muted.fade(0.7);
        let level = |r: Rect| r.y + r.h / 2.0;
        for pair in self.boxes.windows(2) {
            let (a, b) = (pair[0], pair[1]);
            if b.x > a.x {
                scene.arrow(
                    (a.right() + 1.0, level(a)),
                    (b.x - 1.0, level(b)),
                    line,
                    1.5,
                );
            } else {
                let (x, y) = (self.rect.right() - 9.0, b.y - 7.0);
                let to = b.x + b.w / 2.0;
                let way = vec![(a.right(), level(a)), (x, level(a)), (x, y), (to, y)];
                scene.line(way, line, 1.5);
                scene.arrow((to, y), (to, b.y), line, 1.5);
            }
        }
        let (v, sum) = (self.boxes[1], self.boxes[7]);
        let (from, y) = (v.x + 0.75 * v.w, self.rect.y + 8.0);
        if self.rows == 1 {
            let to = sum.x + sum.w / 2.0;
            scene.line(vec![(from, v.y), (from, y), (to, y)], line, 1.5);
            scene.arrow((to, y), (to, sum.y), line, 1.5);
        } else {
            let x = self.rect.right() - 2.0;
            let way = vec![(from, v.y), (from, y), (x, y), (x, level(sum))];
            scene.line(way, line, 1.5);
            scene.arrow((x, level(sum)), (sum.right(), level(sum)), line, 1.5);
        }
        let gap = self.boxes[3].x - 5.0;
        let patch = Rect::new(gap - 7.0, self.rect.y + 2.0, 14.0, 12.0);
        scene.fill(patch, c.surface);
        let place = (Align::Middle, Stand::Centre);
        scene.text((gap, y), "v", TICK, c.muted, place);
    }

    /// Where the answer is hidden, any stage might be a place.
    fn asked(&self, scene: &mut Scene, view: &View) {
        if self.lines == 0 {
            return;
        }
        for r in self.boxes {
            let at = (r.x + r.w / 2.0, r.bottom() + LINE / 2.0);
            let place = (Align::Middle, Stand::Centre);
            scene.text(at, "?", 14.0, view.colours.accent, place);
        }
    }

    /// One place where position can enter, lit if the scheme does there.
    fn entry(&self, scene: &mut Scene, view: &View, entry: Entry, lit: Option<Scheme>) {
        let Some(stage) = entry.stage() else {
            return;
        };
        let (c, r) = (view.colours, self.boxes[stage as usize]);
        let colour = if lit.is_some() { c.traced } else { c.muted };
        if lit.is_some() {
            let around = Rect::new(r.x - 1.0, r.y - 1.0, r.w + 2.0, r.h + 2.0);
            scene.frame(around, c.traced, 3.0);
        }
        let name = lit.map(|s| say!(view.lang, format!("figure.attention-steps.{}.name", s.id())));
        let place = say!(
            view.lang,
            format!("figure.attention-steps.entry.{}", entry_word(entry))
        );
        let words = match (self.lines, name) {
            (0, _) => return,
            (1, Some(name)) => vec![name],
            (1, None) => vec![place],
            (_, name) => [Some(place), name].into_iter().flatten().collect(),
        };
        for (k, text) in words.into_iter().enumerate() {
            self.below(scene, r, k, &text, colour);
        }
    }

    /// A line of words below a box, kept inside the diagram.
    fn below(&self, scene: &mut Scene, r: Rect, line: usize, text: &str, colour: Colour) {
        let y = r.bottom() + (line as f64 + 0.5) * LINE + 1.0;
        let (x, align) = if r.x <= self.rect.x + 2.0 {
            (r.x, Align::Start)
        } else {
            (r.x + r.w / 2.0, Align::Middle)
        };
        let place = (align, Stand::Centre);
        fitted(scene, (x, y), 2.0 * r.w, text, TICK, colour, place);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::encoding::SCHEMES;
    use crate::figure::kit::colour::Colours;
    use crate::figure::kit::scene::Mark;
    use crate::state::Lang;

    fn drawn(size: (f64, f64), reveal: bool, scheme: Option<Scheme>) -> Scene {
        let view = View {
            width: size.0,
            height: size.1,
            lang: Lang::En,
            colours: Colours::of(false),
            reveal,
            guess: None,
        };
        map_of_course(&view, scheme)
    }

    fn rings(scene: &Scene) -> Vec<f64> {
        let traced = Colours::of(false).traced;
        let ring = |m: &Mark| match m {
            Mark::Frame { rect, colour, .. } if *colour == traced => Some(rect.x),
            _ => None,
        };
        scene.marks.iter().filter_map(ring).collect()
    }

    #[test]
    fn a_scheme_lights_its_place_and_no_answer_is_shown_before() {
        for size in [(880.0, 82.0), (358.0, 112.0), (300.0, 44.0)] {
            let mut by_entry = Vec::new();
            for scheme in SCHEMES {
                let open = rings(&drawn(size, true, Some(*scheme)));
                let wanted = usize::from(scheme.entry() != Entry::None);
                assert_eq!(open.len(), wanted, "{scheme:?}");
                by_entry.extend(open.first().map(|x| (scheme.entry(), *x)));
                let hidden = drawn(size, false, Some(*scheme));
                assert_eq!(hidden, drawn(size, false, None), "{scheme:?}");
            }
            for (a, x) in &by_entry {
                assert!(by_entry.iter().all(|(b, y)| (a == b) == (x == y)));
            }
        }
    }
}
