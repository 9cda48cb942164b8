//! Answers that are put into a drawing instead of chosen: a hand is set, a bar drawn, a cell marked, the ends of a curve
//! moved.

use crate::words::short;

/// At most so many things are put into one drawing.
pub const MOST: usize = 2;

/// Where they are, each one number.
pub type Guess = [f64; MOST];

/// How the number of a handle is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    /// As it is.
    Number,
    /// An angle.
    Degrees,
    /// Its power of two.
    PowerOfTwo,
}

/// One thing that the visitor puts somewhere.
#[derive(Debug, Clone, PartialEq)]
pub struct Handle {
    /// Its name: it is called `figure.<id>.put.<name>`.
    pub name: &'static str,
    /// The least and the largest value.
    pub range: (f64, f64),
    /// From one value to the next.
    pub step: f64,
    /// Where it is at first.
    pub start: f64,
    /// Where it is right: one place or several that are as good.
    pub right: Vec<f64>,
    /// How far beside these it still is.
    pub within: f64,
    /// How its value is written.
    pub unit: Unit,
}

impl Handle {
    /// The value next to `x` that it can have.
    pub fn snapped(&self, x: f64) -> f64 {
        let (from, to) = self.range;
        let steps = ((x.clamp(from, to) - from) / self.step).round();
        (from + steps * self.step).min(to)
    }

    /// Whether it is right there.
    pub fn is_right(&self, x: f64) -> bool {
        let near = |right: &f64| (x - right).abs() <= self.within + 1e-9;
        self.right.iter().any(near)
    }

    /// The same, begun beside what is right: who moves nothing has not answered.
    pub fn beside(mut self) -> Self {
        let (from, to) = self.range;
        let steps = ((to - from) / self.step).floor() as usize;
        let at = ((self.start - from) / self.step).round() as usize;
        // On from where it would be, round the end to the beginning.
        let places = (0..=steps).map(|k| from + ((at + k) % (steps + 1)) as f64 * self.step);
        if let Some(place) = places.into_iter().find(|x| !self.is_right(*x)) {
            self.start = place;
        }
        self
    }

    /// Its value in words.
    pub fn text(&self, x: f64) -> String {
        match self.unit {
            Unit::Number => short(x),
            Unit::Degrees => format!("{}°", short(x)),
            Unit::PowerOfTwo => short(x.exp2()),
        }
    }
}

/// Where handles are at first.
pub fn start(handles: &[Handle]) -> Guess {
    let mut out = Guess::default();
    for (at, handle) in out.iter_mut().zip(handles) {
        *at = handle.start;
    }
    out
}
