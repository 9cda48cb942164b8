//! Between the address and [`Requested`]: forgiving on the way in, canonical on the way out.

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::blocks::{blocks_text, mod_bias_text, read_blocks, read_mod_bias};
use super::key::Key;
use super::notice::Notice;
use super::preset::{self, Model};
use super::spec::{Kind, SPECS, Spec, Start};
use super::text::{MAX_BIAS, half_width, names, nearest_int, number, read_number};
use super::value::{Value, text_of};
use crate::core::encoding::relative::BiasEdit;
use crate::core::mrope::ModalityBias;

/// Most entries of `bias_edits`.
pub const MAX_EDITS: usize = 256;
/// Most frequencies of one axis: half the widest head.
const MAX_SECTION: usize = 2048;
/// Largest place in an array that is kept; each use clamps it further.
const MAX_PLACE: f64 = 8191.0;

/// What the visitor has asked for: only what differs from the defaults.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Requested {
    values: BTreeMap<Key, Value>,
}

impl Requested {
    /// The value that was asked for.
    pub fn get(&self, key: Key) -> Option<&Value> {
        self.values.get(&key)
    }

    /// The model whose parameters stand for what is not given.
    pub fn model(&self) -> Option<&'static Model> {
        match self.values.get(&Key::Preset) {
            Some(Value::Word(id)) => preset::by_id(id),
            _ => None,
        }
    }

    /// Asks for a value; a value that is there anyway, by default or from the model, is forgotten,
    /// so that addresses stay short.
    pub fn set(&mut self, key: Key, value: Value) {
        if self.goes_without_saying(key, &value) {
            self.values.remove(&key);
        } else {
            self.values.insert(key, value);
        }
        if key == Key::Preset {
            self.forget_what_goes_without_saying();
        }
    }

    /// Goes back to the default.
    pub fn clear(&mut self, key: Key) {
        self.values.remove(&key);
        if key == Key::Preset {
            self.forget_what_goes_without_saying();
        }
    }

    /// Takes all parameters of a model, in place of any that were asked for; without a model they
    /// go back to their defaults.
    pub fn choose(&mut self, model: Option<&Model>) {
        let before = self.model();
        for m in [before, model].into_iter().flatten() {
            for (key, _) in m.values {
                self.values.remove(key);
            }
        }
        match model {
            Some(m) => self.set(Key::Preset, Value::Word(preset::word(m.id))),
            None => self.clear(Key::Preset),
        }
    }

    /// The same, with what the model sets written out.
    pub fn written_out(&self) -> Self {
        let mut out = self.clone();
        for (key, value) in self.model().map_or(&[][..], |m| m.values) {
            out.values.entry(*key).or_insert_with(|| value.clone());
        }
        out
    }

    fn goes_without_saying(&self, key: Key, value: &Value) -> bool {
        match self.model().and_then(|m| m.value(key)) {
            Some(of_model) => of_model == value,
            None => is_default(key.spec(), value),
        }
    }

    fn forget_what_goes_without_saying(&mut self) {
        let kept = std::mem::take(&mut self.values);
        if let Some(word) = kept.get(&Key::Preset) {
            self.values.insert(Key::Preset, word.clone());
        }
        for (key, value) in kept {
            if key != Key::Preset && !self.goes_without_saying(key, &value) {
                self.values.insert(key, value);
            }
        }
    }

    /// Takes a typed or dragged text for one parameter.
    ///
    /// # Errors
    /// If the text was not taken as it is; what the notice calls `used` has been set.
    pub fn set_text(&mut self, key: Key, text: &str) -> Result<(), Notice> {
        let (value, notice) = parse_value(key.spec(), text);
        match value {
            Some(v) => self.set(key, v),
            None => self.clear(key),
        }
        notice.map_or(Ok(()), Err)
    }
}

fn is_default(spec: &Spec, value: &Value) -> bool {
    match (spec.default, value) {
        (Start::Number(d), Value::Int(v)) => *v as f64 == d,
        (Start::Number(d), Value::Real(v)) => *v == d,
        (Start::Word(d), Value::Word(v)) => *v == d,
        (Start::Word(d), Value::Text(v)) => v == d,
        (Start::Word(d), Value::Grid(..)) => text_of(value) == d,
        (_, Value::Names(v)) => v.is_empty(),
        (_, Value::Edits(v)) => v.is_empty(),
        (Start::Word(d), Value::Blocks(v)) => blocks_text(v) == d,
        (_, Value::ModBias(v)) => *v == ModalityBias::default(),
        _ => false,
    }
}

/// Reads a query string, with or without its `?`. Unknown names are ignored; of a name given
/// twice the first counts, as for `URLSearchParams.get`.
pub fn decode(query: &str) -> (Requested, Vec<Notice>) {
    let query = query.strip_prefix('?').unwrap_or(query);
    let mut requested = Requested::default();
    let mut notices = Vec::new();
    let mut seen = Vec::new();
    let given: Vec<_> = form_urlencoded::parse(query.as_bytes()).collect();
    // The model first: what is the default without it may differ from what it sets.
    let of_model = |name: &str| name == Key::Preset.name();
    let first = given.iter().filter(|(name, _)| of_model(name));
    let rest = given.iter().filter(|(name, _)| !of_model(name));
    for (name, text) in first.chain(rest) {
        let Some(key) = Key::by_name(name) else {
            continue;
        };
        if seen.contains(&key) {
            continue;
        }
        seen.push(key);
        notices.extend(requested.set_text(key, text).err());
    }
    (requested, notices)
}

/// The values that a query names, defaults among them, in its order.
///
/// # Errors
/// The first name that is not known, or value that is not taken as it is.
pub fn values(query: &str) -> Result<Vec<(Key, Value)>, String> {
    let value = |(name, text): (Cow<str>, Cow<str>)| {
        let key = Key::by_name(&name).ok_or_else(|| format!("no parameter {name}"))?;
        match parse_value(key.spec(), &text) {
            (Some(value), None) => Ok((key, value)),
            (_, notice) => Err(format!("{name}={text} is not taken as it is: {notice:?}")),
        }
    };
    form_urlencoded::parse(query.as_bytes())
        .map(value)
        .collect()
}

/// The canonical query string: parameters in the order of the table, defaults left out, the
/// version in front; empty if everything is at its default.
pub fn encode(requested: &Requested) -> String {
    let mut out = form_urlencoded::Serializer::new(String::new());
    if !requested.values.is_empty() {
        out.append_pair("v", "1");
    }
    for (key, value) in &requested.values {
        out.append_pair(key.name(), &text_of(value));
    }
    out.finish()
}

/// Three whole numbers that are not all 0.
fn sections(text: &str) -> Option<[usize; 3]> {
    let plain: String = text.chars().map(half_width).collect();
    let all: Vec<usize> = plain
        .split(',')
        .map(|n| n.trim().parse().ok().filter(|n| *n <= MAX_SECTION))
        .collect::<Option<_>>()?;
    let sizes: [usize; 3] = all.try_into().ok()?;
    (sizes != [0; 3]).then_some(sizes)
}

/// Reads one value. `None` stands for the default; the notice says what was wrong and what is
/// used.
pub fn parse_value(spec: &Spec, text: &str) -> (Option<Value>, Option<Notice>) {
    match spec.kind {
        Kind::Int { min, max, step } => int(spec, text, min, max, step),
        Kind::Place => {
            let (x, wrong) = read_number(text, 0.0, MAX_PLACE);
            match x {
                Some(x) => (Some(Value::Int(nearest_int(x))), None),
                None => fall_back(spec, wrong.unwrap_or("not-a-number"), text),
            }
        }
        Kind::Real { min, max } => match read_number(text, min, max) {
            (Some(x), None) => (Some(Value::Real(x)), None),
            (Some(x), Some(code)) => (
                Some(Value::Real(x)),
                Some(Notice::new(code, spec.name, text, number(x))),
            ),
            (None, code) => fall_back(spec, code.unwrap_or("not-a-number"), text),
        },
        Kind::Words(words) => match words.iter().find(|w| **w == text.trim()) {
            Some(word) => (Some(Value::Word(word)), None),
            // Whoever asks for one wants to see one, and there is none by default.
            None if spec.key == Key::Scheme2d => {
                let notice = Notice::new("unknown-word", spec.name, text, words[0]);
                (Some(Value::Word(words[0])), Some(notice))
            }
            None => fall_back(spec, "unknown-word", text),
        },
        Kind::Flag => match text.trim() {
            "0" => (Some(Value::Int(0)), None),
            "1" => (Some(Value::Int(1)), None),
            _ => fall_back(spec, "unknown-word", text),
        },
        Kind::Grid { max } => grid(spec, text, max),
        Kind::Text if text.trim().is_empty() => fall_back(spec, "empty", text),
        Kind::Text => (Some(Value::Text(text.to_owned())), None),
        Kind::Figure => (Some(Value::Text(text.trim().to_owned())), None),
        Kind::Names => (Some(Value::Names(names(text))), None),
        Kind::Edits => edits(spec, text),
        Kind::Blocks => {
            let (blocks, code) = read_blocks(text);
            if blocks.is_empty() {
                return fall_back(spec, code.map_or("empty", |_| "no-block"), text);
            }
            let notice = code.map(|c| Notice::new(c, spec.name, text, blocks_text(&blocks)));
            (Some(Value::Blocks(blocks)), notice)
        }
        Kind::ModBias => {
            let (bias, code) = read_mod_bias(text);
            let notice = code.map(|c| Notice::new(c, spec.name, text, mod_bias_text(&bias)));
            (Some(Value::ModBias(bias)), notice)
        }
        Kind::Sections => match sections(text) {
            Some(sizes) => (Some(Value::Sections(sizes)), None),
            None => fall_back(spec, "bad-sections", text),
        },
        Kind::Rows => match text
            .trim()
            .split_once('-')
            .map(|(a, b)| (a.parse(), b.parse()))
        {
            Some((Ok(a), Ok(b))) if a <= b => (Some(Value::Rows(a, b)), None),
            _ => fall_back(spec, "not-a-range", text),
        },
    }
}

fn fall_back(spec: &Spec, code: &'static str, text: &str) -> (Option<Value>, Option<Notice>) {
    let used = match spec.default {
        Start::Number(x) => number(x),
        Start::Word(w) => w.to_owned(),
        Start::Depends => String::new(),
    };
    (None, Some(Notice::new(code, spec.name, text, used)))
}

fn int(spec: &Spec, text: &str, min: i64, max: i64, step: i64) -> (Option<Value>, Option<Notice>) {
    let (x, wrong) = read_number(text, min as f64, max as f64);
    let Some(x) = x else {
        return fall_back(spec, wrong.unwrap_or("not-a-number"), text);
    };
    let whole = nearest_int(x);
    // The nearest legal multiple; of two equally near the smaller.
    let value = whole - (whole - min).rem_euclid(step);
    let code = match wrong {
        Some(code) => Some(code),
        None if x.fract() != 0.0 => Some("not-whole"),
        None if value != whole => Some("not-even"),
        None => None,
    };
    let notice = code.map(|c| Notice::new(c, spec.name, text, value.to_string()));
    (Some(Value::Int(value)), notice)
}

/// `rows x columns`, or one number for both.
fn grid(spec: &Spec, text: &str, max: usize) -> (Option<Value>, Option<Notice>) {
    let sides: Vec<&str> = text.split(['x', 'X', '×', 'ｘ', '*']).collect();
    let (rows, columns) = match sides[..] {
        [side] => (side, side),
        [rows, columns] => (rows, columns),
        _ => return fall_back(spec, "not-a-grid", text),
    };
    let [rows, columns] = [rows, columns].map(|side| read_number(side, 1.0, max as f64));
    let (Some(r), Some(c)) = (rows.0, columns.0) else {
        return fall_back(spec, "not-a-grid", text);
    };
    let whole = r.fract() == 0.0 && c.fract() == 0.0;
    let code = rows.1.or(columns.1).or((!whole).then_some("not-whole"));
    let value = Value::Grid(nearest_int(r) as usize, nearest_int(c) as usize);
    let notice = code.map(|c| Notice::new(c, spec.name, text, text_of(&value)));
    (Some(value), notice)
}

/// A typed bias: within the limits, or `None`; and what was wrong with it.
pub fn typed_bias(text: &str) -> (Option<f64>, Option<Notice>) {
    let (value, wrong) = read_number(text, -MAX_BIAS, MAX_BIAS);
    let used = value.map(number).unwrap_or_default();
    let notice = wrong.map(|code| Notice::new(code, "bias", text, used));
    (value, notice)
}

/// `head:index:value,…`: entries that cannot be read are left out, the last of a cell wins.
fn edits(spec: &Spec, text: &str) -> (Option<Value>, Option<Notice>) {
    let mut out: Vec<BiasEdit> = Vec::new();
    let mut code = None;
    for entry in names(text) {
        let Some((edit, legal)) = edit(&entry) else {
            code = code.or(Some("bad-edit"));
            continue;
        };
        if !legal {
            code = code.or(Some("out-of-range"));
        }
        let same = |e: &BiasEdit| (e.head, e.index) == (edit.head, edit.index);
        match out.iter().position(same) {
            Some(at) => out[at] = edit,
            None if out.len() < MAX_EDITS => out.push(edit),
            None => code = code.or(Some("too-many")),
        }
    }
    let value = Value::Edits(out);
    let notice = code.map(|c| Notice::new(c, spec.name, text, text_of(&value)));
    (Some(value), notice)
}

/// One entry, and whether its value was taken as it is.
fn edit(entry: &str) -> Option<(BiasEdit, bool)> {
    let mut parts = entry.split(':');
    let (head, index, value) = (parts.next()?, parts.next()?, parts.next()?);
    if parts.next().is_some() {
        return None;
    }
    let (value, wrong) = read_number(value, -MAX_BIAS, MAX_BIAS);
    let edit = BiasEdit {
        head: head.trim().parse().ok()?,
        index: index.trim().parse().ok()?,
        value: value?,
    };
    Some((edit, wrong.is_none()))
}

impl Requested {
    /// Every parameter that is not at its default.
    pub fn keys(&self) -> impl Iterator<Item = Key> + '_ {
        SPECS
            .iter()
            .map(|s| s.key)
            .filter(|k| self.values.contains_key(k))
    }
}
