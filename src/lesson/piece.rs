//! One page of the lesson in one language, as the build writes it and the page reads it.
//!
//! The build makes pieces of `src/lesson/<page>.<lang>.md` (see `docs/lesson-format.md`); each is
//! one JSON file beside the program.

use serde_json::{Map, Value, json};

pub use super::mark::Mark;
use super::source::Source;
use crate::figure::{Figure, Tool, of_page};
use crate::state::{Page, json_real};

/// The id of a code block whose panel is that of the scheme shown.
pub const SCHEME_SHOWN: &str = "scheme";

/// What stays on a page when its text changes.
#[derive(Clone, Copy)]
pub enum Fixture {
    /// A figure.
    Figure(&'static Figure),
    /// A tool.
    Tool(Tool),
}

impl Fixture {
    /// Its id.
    pub fn id(self) -> &'static str {
        match self {
            Self::Figure(figure) => figure.id,
            Self::Tool(tool) => tool.id(),
        }
    }
}

/// Figures and tools of a page, in the order in which its text has them.
pub fn fixtures(page: Page) -> Vec<Fixture> {
    let mut out = Vec::new();
    for figure in of_page(page) {
        out.extend(figure.tool().map(Fixture::Tool));
        out.push(Fixture::Figure(figure));
    }
    out
}

/// A page's text.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Piece {
    /// Its blocks, in order.
    pub blocks: Vec<Block>,
    /// Headings: id and text.
    pub contents: Vec<(String, String)>,
}

/// An answer to choose.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Answer {
    /// What it says (HTML).
    pub text: String,
    /// Why it is right or wrong (HTML).
    pub why: String,
    /// Whether it is right.
    pub right: bool,
}

/// A part of the text. What is called HTML is trusted: it comes from the project's own files.
#[derive(Debug, Clone, PartialEq)]
pub enum Block {
    /// Ordinary text (HTML).
    Text(String),
    /// A question before a figure.
    Predict {
        /// Its name on the page.
        id: String,
        /// The figure that answers it.
        figure: String,
        /// The question (HTML).
        ask: String,
        /// The answers; a single one, without words, where the answer is put into the figure.
        answers: Vec<Answer>,
    },
    /// A short walk through what a figure shows.
    Steps {
        /// The figure that it stands beside.
        figure: String,
        /// How many steps.
        count: u64,
        /// A list (HTML).
        html: String,
    },
    /// A figure stands here.
    Figure(String),
    /// A tool stands here.
    Tool(String),
    /// A formula, and the same with present numbers (MathML).
    Formula {
        /// Its name on the page.
        id: String,
        /// One or two lines.
        lines: Vec<String>,
    },
    /// The code of a scheme: its template travels with the text, not with the program.
    Code {
        /// Id of the panel; [`SCHEME_SHOWN`] for that of the scheme shown.
        id: String,
        /// Panels by their ids, each Python with `{{holes}}`: one, or one for each scheme of the page.
        templates: Vec<(String, String)>,
        /// The figure that shows the traced cell; its line of the code stands there too.
        figure: String,
    },
    /// A statement with its mark.
    Claim {
        /// How sure it is.
        mark: Mark,
        /// The statement (HTML).
        text: String,
        /// Where it is from.
        sources: Vec<Source>,
    },
    /// What the scheme cannot do (HTML).
    Limits(String),
    /// The page in three sentences (HTML).
    Summary(String),
    /// A question with answers to choose.
    Choice {
        /// Its name on the page.
        id: String,
        /// The question (HTML).
        ask: String,
        /// The answers.
        answers: Vec<Answer>,
    },
    /// A question whose answer is a live number.
    Number {
        /// Its name on the page.
        id: String,
        /// The question (HTML).
        ask: String,
        /// Name of the live number.
        value: String,
        /// Relative tolerance.
        tolerance: f64,
        /// Explanation (HTML).
        why: String,
    },
    /// Something to be set in a figure.
    Setting {
        /// Its name on the page.
        id: String,
        /// The task (HTML).
        ask: String,
        /// Name of the condition that then holds.
        condition: String,
        /// Explanation (HTML).
        why: String,
    },
}

impl Block {
    /// Whether it stands beside a figure: its question, or a walk through it.
    pub fn is_beside_figure(&self) -> bool {
        matches!(self, Self::Predict { .. } | Self::Steps { .. })
    }

    /// What kind of block it is.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Text(_) => "text",
            Self::Predict { .. } => "predict",
            Self::Steps { .. } => "steps",
            Self::Figure(_) => "figure",
            Self::Tool(_) => "tool",
            Self::Formula { .. } => "formula",
            Self::Code { .. } => "code",
            Self::Claim { .. } => "claim",
            Self::Limits(_) => "limits",
            Self::Summary(_) => "summary",
            Self::Choice { .. } => "choice",
            Self::Number { .. } => "number",
            Self::Setting { .. } => "setting",
        }
    }

    /// Whether a figure or a tool stands here.
    pub fn is_fixture(&self) -> bool {
        matches!(self, Self::Figure(_) | Self::Tool(_))
    }

    /// Name of a check at the end of the page; `None` for all else.
    pub fn check(&self) -> Option<&str> {
        match self {
            Self::Choice { id, .. } | Self::Number { id, .. } | Self::Setting { id, .. } => {
                Some(id)
            }
            _ => None,
        }
    }

    /// Kind and names, without the words: the same in every language.
    pub fn outline(&self) -> String {
        match self {
            Self::Text(_) | Self::Limits(_) | Self::Summary(_) => self.kind().to_owned(),
            Self::Steps { figure, count, .. } => format!("steps {figure} {count}"),
            Self::Predict {
                id,
                figure,
                answers,
                ..
            } => format!("predict {id} {figure} {}", rights(answers)),
            Self::Figure(id) | Self::Tool(id) => format!("{} {id}", self.kind()),
            Self::Formula { id, lines } => format!("formula {id} {}", lines.len()),
            Self::Code { id, figure, .. } => format!("code {id} {figure}"),
            Self::Claim { mark, sources, .. } => {
                let sources: Vec<String> = sources.iter().map(Source::name).collect();
                format!("claim {} {}", mark.letter(), sources.join("; "))
            }
            Self::Choice { id, answers, .. } => format!("choice {id} {}", rights(answers)),
            Self::Number {
                id,
                value,
                tolerance,
                ..
            } => format!("number {id} {value} {tolerance}"),
            Self::Setting { id, condition, .. } => format!("setting {id} {condition}"),
        }
    }

    /// As JSON.
    pub fn to_json(&self) -> Value {
        let kind = self.kind();
        match self {
            Self::Text(html) | Self::Limits(html) | Self::Summary(html) => {
                json!({"kind": kind, "html": html})
            }
            Self::Steps {
                figure,
                count,
                html,
            } => json!({"kind": kind, "figure": figure, "count": count, "html": html}),
            Self::Predict {
                id,
                figure,
                ask,
                answers,
            } => json!({
                "kind": kind, "id": id, "figure": figure, "ask": ask, "answers": listed(answers)
            }),
            Self::Figure(id) | Self::Tool(id) => json!({"kind": kind, "id": id}),
            Self::Code {
                id,
                templates,
                figure,
            } => json!({"kind": kind, "id": id, "codes": templates, "figure": figure}),
            Self::Formula { id, lines } => json!({"kind": kind, "id": id, "lines": lines}),
            Self::Claim {
                mark,
                text,
                sources,
            } => json!({
                "kind": kind, "mark": mark.letter(), "html": text,
                "sources": sources.iter().map(Source::to_json).collect::<Vec<_>>()
            }),
            Self::Choice { id, ask, answers } => json!({
                "kind": kind, "id": id, "ask": ask, "answers": listed(answers)
            }),
            Self::Number {
                id,
                ask,
                value,
                tolerance,
                why,
            } => json!({
                "kind": kind, "id": id, "ask": ask, "value": value, "tolerance": tolerance,
                "why": why
            }),
            Self::Setting {
                id,
                ask,
                condition,
                why,
            } => json!({
                "kind": kind, "id": id, "ask": ask, "condition": condition, "why": why
            }),
        }
    }

    /// From JSON; `None` if it is no block.
    pub fn from_json(value: &Value) -> Option<Self> {
        let map = value.as_object()?;
        let text = |name| string(map, name);
        Some(match map.get("kind")?.as_str()? {
            "text" => Self::Text(text("html")?),
            "limits" => Self::Limits(text("html")?),
            "summary" => Self::Summary(text("html")?),
            "steps" => Self::Steps {
                figure: text("figure")?,
                count: map.get("count")?.as_u64()?,
                html: text("html")?,
            },
            "figure" => Self::Figure(text("id")?),
            "tool" => Self::Tool(text("id")?),
            "code" => Self::Code {
                id: text("id")?,
                templates: pairs(map.get("codes")?)?,
                figure: text("figure")?,
            },
            "formula" => Self::Formula {
                id: text("id")?,
                lines: all(map, "lines", |v| Some(v.as_str()?.to_owned()))?,
            },
            "predict" => Self::Predict {
                id: text("id")?,
                figure: text("figure")?,
                ask: text("ask")?,
                answers: answers(map)?,
            },
            "choice" => Self::Choice {
                id: text("id")?,
                ask: text("ask")?,
                answers: answers(map)?,
            },
            "claim" => Self::Claim {
                mark: Mark::of(map.get("mark")?.as_str()?)?,
                text: text("html")?,
                sources: all(map, "sources", Source::from_json)?,
            },
            "number" => Self::Number {
                id: text("id")?,
                ask: text("ask")?,
                value: text("value")?,
                tolerance: json_real(map.get("tolerance")?)?,
                why: text("why")?,
            },
            "setting" => Self::Setting {
                id: text("id")?,
                ask: text("ask")?,
                condition: text("condition")?,
                why: text("why")?,
            },
            _ => return None,
        })
    }
}

impl Piece {
    /// As JSON.
    pub fn to_json(&self) -> Value {
        let contents: Vec<Value> = self.contents.iter().map(|(a, b)| json!([a, b])).collect();
        let blocks: Vec<Value> = self.blocks.iter().map(Block::to_json).collect();
        json!({"contents": contents, "blocks": blocks})
    }

    /// From the text of a file; `None` if it is none of ours.
    pub fn parse(text: &str) -> Option<Self> {
        let value: Value = serde_json::from_str(text).ok()?;
        let blocks = value.get("blocks")?.as_array()?;
        let contents = value.get("contents")?.as_array()?;
        let heading = |v: &Value| {
            let at = |k| Some(v.get(k)?.as_str()?.to_owned());
            Some((at(0)?, at(1)?))
        };
        Some(Self {
            blocks: blocks.iter().map(Block::from_json).collect::<Option<_>>()?,
            contents: contents.iter().map(heading).collect::<Option<_>>()?,
        })
    }

    /// Works that its claims name, each once, in order: with all parts that are named.
    pub fn works(&self) -> Vec<Source> {
        let mut out: Vec<Source> = Vec::new();
        for block in &self.blocks {
            if let Block::Claim { sources, .. } = block {
                sources.iter().for_each(|s| s.join(&mut out));
            }
        }
        out
    }

    /// Names of the checks at the end of the page.
    pub fn checks(&self) -> impl Iterator<Item = &str> {
        self.blocks.iter().filter_map(Block::check)
    }
}

fn rights(answers: &[Answer]) -> String {
    let letter = |a: &Answer| if a.right { 'x' } else { '-' };
    answers.iter().map(letter).collect()
}

fn listed(answers: &[Answer]) -> Vec<Value> {
    let one = |a: &Answer| json!({"text": a.text, "why": a.why, "right": a.right});
    answers.iter().map(one).collect()
}

fn string(map: &Map<String, Value>, name: &str) -> Option<String> {
    Some(map.get(name)?.as_str()?.to_owned())
}

fn all<T>(
    map: &Map<String, Value>,
    name: &str,
    one: impl Fn(&Value) -> Option<T>,
) -> Option<Vec<T>> {
    map.get(name)?.as_array()?.iter().map(one).collect()
}

fn answers(map: &Map<String, Value>) -> Option<Vec<Answer>> {
    let one = |v: &Value| {
        let v = v.as_object()?;
        Some(Answer {
            text: string(v, "text")?,
            why: string(v, "why")?,
            right: v.get("right")?.as_bool()?,
        })
    };
    map.get("answers")?.as_array()?.iter().map(one).collect()
}

/// A list of two texts each.
fn pairs(value: &Value) -> Option<Vec<(String, String)>> {
    let text = |pair: &Value, at: usize| Some(pair.get(at)?.as_str()?.to_owned());
    let all = value.as_array()?.iter();
    all.map(|pair| Some((text(pair, 0)?, text(pair, 1)?)))
        .collect()
}
