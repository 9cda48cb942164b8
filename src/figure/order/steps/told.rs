//! What `attention-steps` says: a sentence for each stage, and the traced cell's arithmetic.

use super::AttentionSteps;
use super::blocks::Rows;
use super::map::word_of;
use crate::core::Matrix;
use crate::core::encoding::Entry;
use crate::core::head::Stage;
use crate::figure::Readout;
use crate::figure::kit::scene::Hit;
use crate::say;
use crate::state::{Lang, Params};
use crate::words::short;

/// Terms of a long sum that are written out.
const TERMS: usize = 2;

/// A number with two decimals and a true minus sign.
pub(super) fn two(x: f64) -> String {
    let text = format!("{x:.2}");
    if text.trim_start_matches(['-', '0', '.']).is_empty() {
        return "0.00".to_owned();
    }
    text.replace('-', "−")
}

/// A number as a factor or a term: negative ones in brackets.
fn bracketed(x: f64) -> String {
    let text = two(x);
    if text.starts_with('−') {
        format!("({text})")
    } else {
        text
    }
}

/// A sum of products, its first terms written out.
fn sum(pairs: impl Iterator<Item = (f64, f64)>, terms: usize) -> String {
    let all: Vec<(f64, f64)> = pairs.collect();
    let mut out: Vec<String> = all
        .iter()
        .take(terms)
        .map(|(a, b)| format!("{}·{}", bracketed(*a), bracketed(*b)))
        .collect();
    if all.len() > terms {
        out.push("…".to_owned());
    }
    out.join(" + ")
}

/// The first numbers of a row.
fn beginning(m: &Matrix, row: usize) -> String {
    let some: Vec<String> = m.row(row).iter().take(3).map(|x| two(*x)).collect();
    let more = if m.ncols() > 3 { ", …" } else { "" };
    format!("({}{more})", some.join(", "))
}

impl AttentionSteps {
    /// The sentence of a stage, with the scheme's words if it enters here.
    pub(super) fn said(&self, p: &Params, lang: Lang) -> String {
        let stage = Self::stage(p);
        let h = self.head_dim();
        let mut text = say!(
            lang,
            format!("figure.attention-steps.say.{}", word_of(stage)),
            d = self.steps.x.ncols(),
            h = h,
            n = self.n(),
            root = short((h as f64).sqrt())
        );
        if stage == Stage::Scores && self.causal {
            text += &say!(lang, "figure.attention-steps.masked");
        }
        // Without an encoding that is said at the first place where one could enter.
        let here = self.scheme.entry().stage().unwrap_or(Stage::Input);
        if stage == here {
            let key = format!("figure.attention-steps.{}.enters", self.scheme.id());
            text += &say!(lang, key);
        }
        text
    }

    pub(super) fn noted(&self, p: &Params, lang: Lang) -> Vec<String> {
        let stage = Self::stage(p);
        let at = self.traced(p);
        let mut out = vec![self.arithmetic(stage, at, lang)];
        if stage > Stage::Scores && !self.hidden(at.0, at.1) {
            out.push(self.way(at, lang));
        }
        if self.n() < self.all {
            out.push(say!(
                lang,
                "figure.attention-steps.cut",
                all = self.all,
                n = self.n()
            ));
        }
        out
    }

    /// The traced cell's arithmetic at a stage.
    fn arithmetic(&self, stage: Stage, (i, j): (usize, usize), lang: Lang) -> String {
        let s = &self.steps;
        let (query, key) = (&self.words[i], &self.words[j]);
        let of = |part: &str| format!("figure.attention-steps.note.{part}");
        let score = || {
            let bias = s.bias.as_ref().map(|b| b[(i, j)]);
            (bias, short(s.scores[(i, j)]))
        };
        match stage {
            Stage::Input if self.scheme.entry() == Entry::Additive => say!(
                lang,
                of("added"),
                word = query,
                x = two(s.x[(i, 0)]),
                p = bracketed(s.input[(i, 0)] - s.x[(i, 0)]),
                sum = two(s.input[(i, 0)])
            ),
            Stage::Input => say!(
                lang,
                of("input"),
                word = query,
                list = beginning(&s.input, i)
            ),
            Stage::Projected => {
                let pairs = (0..s.normed.ncols()).map(|d| (self.query_row[d], s.normed[(i, d)]));
                say!(
                    lang,
                    of("projected"),
                    word = query,
                    terms = sum(pairs, TERMS),
                    d = s.normed.ncols(),
                    value = two(s.projected[0][(i, 0)])
                )
            }
            Stage::Turned => match &self.rotation {
                None => say!(
                    lang,
                    of("unturned"),
                    word = query,
                    list = beginning(&s.q, i)
                ),
                Some(rotation) => {
                    let rope = rotation.rope();
                    let (a, b) = rope.pairing().columns(0, rope.rotary_dim());
                    let theta = rope.inv_freq().first().copied().unwrap_or(0.0);
                    let [q0, _] = &s.projected;
                    say!(
                        lang,
                        of("turned"),
                        word = query,
                        pos = i,
                        a = a,
                        b = b,
                        before = format!("({}, {})", two(q0[(i, a)]), two(q0[(i, b)])),
                        angle = short(i as f64 * theta),
                        after = format!("({}, {})", two(s.q[(i, a)]), two(s.q[(i, b)]))
                    )
                }
            },
            Stage::Products => {
                let pairs = (0..self.head_dim()).map(|d| (s.q[(i, d)], s.k[(j, d)]));
                let terms = sum(pairs, TERMS);
                let value = s.products[(i, j)];
                match &s.from_keys {
                    None => say!(
                        lang,
                        of("products"),
                        query = query,
                        key = key,
                        terms = terms,
                        h = self.head_dim(),
                        value = short(value)
                    ),
                    Some(added) => say!(
                        lang,
                        of("keys"),
                        query = query,
                        key = key,
                        terms = terms,
                        dot = short(value - added[(i, j)]),
                        added = bracketed(added[(i, j)]),
                        value = short(value)
                    ),
                }
            }
            Stage::Scaled => say!(
                lang,
                of("scaled"),
                query = query,
                key = key,
                product = short(s.products[(i, j)]),
                h = self.head_dim(),
                value = short(s.scaled[(i, j)])
            ),
            _ if stage < Stage::Output && self.hidden(i, j) => {
                say!(lang, of("hidden"), query = query, key = key)
            }
            Stage::Scores => {
                let (bias, value) = score();
                let part = if bias.is_some() { "scores" } else { "nothing" };
                say!(
                    lang,
                    of(part),
                    query = query,
                    key = key,
                    scaled = short(s.scaled[(i, j)]),
                    bias = bracketed(bias.unwrap_or(0.0)),
                    value = value
                )
            }
            Stage::Weights => {
                let visible = (0..self.n()).filter(|k| !self.hidden(i, *k));
                let power = |k: usize| format!("exp({})", two(s.scores[(i, k)]));
                let all: Vec<String> = visible.map(power).collect();
                say!(
                    lang,
                    of("weights"),
                    query = query,
                    key = key,
                    power = power(j),
                    sum = all.join(" + "),
                    value = short(s.weights[(i, j)])
                )
            }
            Stage::Output => {
                let pairs = (0..self.n()).map(|k| (s.weights[(i, k)], s.v[(k, 0)]));
                say!(
                    lang,
                    of("output"),
                    word = query,
                    terms = sum(pairs, self.n()),
                    value = two(s.output[(i, 0)])
                )
            }
        }
    }

    /// What has become of the traced cell up to its weight.
    fn way(&self, (i, j): (usize, usize), lang: Lang) -> String {
        let s = &self.steps;
        let pairs = (0..self.head_dim()).map(|d| (s.q[(i, d)], s.k[(j, d)]));
        let added = s.from_keys.as_ref();
        let more = added.map_or(String::new(), |a| format!(" + {}", bracketed(a[(i, j)])));
        let terms = format!("{}{more}", sum(pairs, TERMS));
        let mut parts = vec![
            format!("q·k = {terms} = {}", short(s.products[(i, j)])),
            format!("÷ √{} = {}", self.head_dim(), short(s.scaled[(i, j)])),
        ];
        if let Some(bias) = &s.bias {
            let (bias, score) = (bracketed(bias[(i, j)]), short(s.scores[(i, j)]));
            parts.push(format!("+ {bias} = {score}"));
        }
        parts.push(format!("softmax = {}", short(s.weights[(i, j)])));
        say!(
            lang,
            "figure.attention-steps.way",
            query = self.words[i],
            key = self.words[j],
            way = parts.join(" → ")
        )
    }

    /// What lies under a pointer.
    pub(super) fn described(&self, hit: Hit, p: &Params, lang: Lang) -> String {
        let stage = Self::stage(p);
        let Some((at, _)) = Rows::of_target(hit.target) else {
            let stage = Stage::ALL.get(4 * hit.row + hit.column).copied();
            let word = word_of(stage.unwrap_or(Stage::Input));
            return say!(lang, format!("figure.attention-steps.title_of.{word}"));
        };
        let blocks = self.blocks(stage, true);
        let (Some(block), Some(word)) = (blocks.get(at), self.words.get(hit.row)) else {
            return String::new();
        };
        if block.rows != Rows::Pairs {
            return say!(
                lang,
                "figure.attention-steps.vector",
                title = block.title,
                word = word,
                list = beginning(&block.values, hit.row)
            );
        }
        if block.masked && self.hidden(hit.row, hit.column) {
            let key = &self.words[hit.column];
            let of = "figure.attention-steps.note.hidden";
            return say!(lang, of, query = word, key = key);
        }
        say!(
            lang,
            "figure.attention-steps.pair",
            title = block.title,
            query = word,
            key = self.words[hit.column],
            value = short(block.values[(hit.row, hit.column)])
        )
    }

    pub(super) fn numbers(&self, p: &Params, lang: Lang) -> Vec<Readout> {
        let (i, j) = self.traced(p);
        let s = &self.steps;
        let score = (!self.hidden(i, j)).then(|| s.scores[(i, j)]);
        [
            ("score", score, "—"),
            ("weight", Some(s.weights[(i, j)]), "0"),
        ]
        .into_iter()
        .map(|(name, number, none)| Readout {
            name: name.into(),
            label: say!(
                lang,
                format!("figure.attention-steps.readout.{name}"),
                query = self.words[i],
                key = self.words[j],
                head = self.head
            ),
            number,
            text: number.map_or_else(|| none.to_owned(), short),
        })
        .collect()
    }
}
