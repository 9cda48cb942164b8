//! Random legal addresses, the same in every run.

use posenc_lab::figure::page_of;
use posenc_lab::state::{Key, Kind, Page, SPECS, decode, open};

/// What is no parameter of what is shown.
const FRAME: &[Key] = &[
    Key::V,
    Key::Page,
    Key::Embed,
    Key::Scheme,
    Key::Preset,
    Key::Scheme2d,
    Key::TextA,
    Key::TextB,
    Key::Lang,
    Key::Theme,
    Key::Present,
    Key::Lock,
    Key::Hide,
    Key::Rows,
];

/// A stream of numbers (splitmix64).
pub struct Dice(u64);

impl Dice {
    /// The stream of a seed.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A whole number below `n`.
    pub fn below(&mut self, n: usize) -> usize {
        (self.next() % n.max(1) as u64) as usize
    }

    /// One of these.
    pub fn of<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())]
    }

    /// A number between two, each factor of it as likely as another.
    fn log(&mut self, min: f64, max: f64) -> f64 {
        let share = (self.next() >> 11) as f64 / (1u64 << 53) as f64;
        (min.ln() + share * (max.ln() - min.ln())).exp()
    }

    /// The query of a page, with `fixed` in it; no array of it is wider or longer than `limit`.
    /// Every value is taken as it is given.
    pub fn query(&mut self, page: Page, fixed: &str, limit: i64) -> String {
        let mut last = Vec::new();
        for _ in 0..500 {
            let query = self.try_query(page, fixed, limit);
            let (requested, mut notices) = decode(&query);
            open(&requested, page_of, &mut notices);
            // That LongRoPE's list is made up is said of legal values too.
            notices.retain(|n| n.code != "toy-factors");
            if notices.is_empty() {
                return query;
            }
            last = notices;
        }
        panic!("no legal address: {} {fixed}: {last:?}", page.id());
    }

    fn try_query(&mut self, page: Page, fixed: &str, limit: i64) -> String {
        let mut query = format!("page={}{fixed}", page.id());
        let schemes: Vec<_> = page.schemes().collect();
        if !fixed.contains("&scheme=") && !schemes.is_empty() {
            query += &format!("&scheme={}", self.of(&schemes).id());
        }
        let heads = self.of(&[1, 2, 3, 4, 8]);
        let head_dim = self.of(&[2, 4, 6, 8, 12, 16]);
        query += &format!("&d_model={}&heads={heads}", heads * head_dim);
        for spec in SPECS.iter().filter(|s| !FRAME.contains(&s.key)) {
            let there = ["d_model", "heads"].contains(&spec.name);
            if there || query.contains(&format!("&{}=", spec.name)) || self.below(2) == 0 {
                continue;
            }
            let small = |max: f64| max.min(limit as f64);
            let value = match spec.kind {
                Kind::Int { min, max, .. } if min >= 1 => {
                    let max = match spec.key {
                        Key::SeqLen | Key::MaxRelDist => small(max as f64),
                        _ => max as f64,
                    };
                    format!("{}", self.log(min as f64, max) as i64)
                }
                Kind::Int { min, max, .. } => {
                    let reach = (max - min).min(2 * limit) as usize;
                    format!("{}", min.max(-limit) + self.below(reach) as i64)
                }
                Kind::Place => format!("{}", self.below(limit as usize)),
                Kind::Real { min, max } => format!("{:.4}", self.log(min, max).max(min)),
                Kind::Words(words) => self.of(words).to_owned(),
                Kind::Flag => self.below(2).to_string(),
                Kind::Grid { max } => {
                    let max = max.min(limit as usize / 4).max(1);
                    format!("{}x{}", 1 + self.below(max), 1 + self.below(max))
                }
                Kind::Edits => format!("0:{}:{}", self.below(5), self.below(7) as f64 - 3.5),
                Kind::Sections => {
                    let t = self.below(head_dim / 2 + 1);
                    let h = self.below(head_dim / 2 - t + 1);
                    format!("{t},{h},{}", head_dim / 2 - t - h)
                }
                Kind::Blocks => self.blocks(),
                Kind::ModBias => self
                    .of(&["text:image:1.5", "image:text:-2,text:text:0.5"])
                    .to_owned(),
                _ => continue,
            };
            query += &format!("&{}={value}", spec.name);
        }
        query
    }

    fn blocks(&mut self) -> String {
        let mut out = Vec::new();
        for _ in 0..1 + self.below(4) {
            let mut side = || 1 + self.below(5);
            let (a, b, c) = (side(), side(), side());
            out.push(match self.below(4) {
                0 => format!("text:{a}"),
                1 => format!("image:{a}x{b}"),
                2 => format!("video:{a}x{b}x{c}"),
                _ => format!("audio:{a}"),
            });
        }
        out.join(",")
    }
}
