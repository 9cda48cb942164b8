//! Which encoding a model has: what the text says, else what its class does, else what its fields are made for.

use serde_json::Value as Json;

use super::Reader;
use super::classes;
use super::names::What;

/// What the words of `position_embedding_type` mean.
const WORDS: &[(&str, &[&str])] = &[
    ("rope", &["rope", "rotary", "rope_half", "yarn"]),
    (
        "learned",
        &["absolute", "learned", "learned_absolute", "learnable"],
    ),
    (
        "relative",
        &["relative", "relative_key", "relative_key_query", "rel_pos"],
    ),
    ("alibi", &["alibi"]),
    ("sinusoidal", &["sinusoidal", "sine"]),
    ("t5", &["t5", "relative_bias"]),
    ("none", &["none", "nope", "no_position"]),
];

impl Reader {
    /// The scheme; `None` with a problem where the text does not tell.
    pub(super) fn scheme(&mut self, scopes: &[usize]) -> Option<&'static str> {
        let of_class = classes::scheme(&self.model_type);
        let says = self.said(of_class);
        if self.is_fatal() {
            return None;
        }
        if self.flag(What::Alibi, &[0]) == Some(true) {
            return self.agreed("alibi", says);
        }
        if self.flag(What::NoRope, &[0]) == Some(true) {
            return Some("none");
        }
        let two_axes =
            |e: &super::Entry| e.name == "position_encoding_2d" && e.value == Json::Bool(true);
        if let Some(at) = self.entries.iter().position(two_axes) {
            self.entries[at].used = true;
            self.problem(
                true,
                "axial",
                ("position_encoding_2d", "position_encoding_2d", ""),
            );
            return None;
        }
        if self.says_no(What::Rope) && says.is_none() {
            return self.by_fields(false);
        }
        let fields = self.made_for_rope(scopes);
        match (says, of_class) {
            (Some(word @ ("learned" | "relative" | "sinusoidal" | "t5")), None) if fields => {
                let name = self.name_of(What::Scheme, &[0], "");
                self.problem(true, "schemes-disagree", (&name, word, "rope"));
                None
            }
            (Some(word), _) => Some(word),
            (None, Some("alibi")) if self.says_no(What::Alibi) => self.by_fields(fields),
            (None, Some("rope")) if self.is_baichuan_13b() => {
                self.assume("scheme", Json::from("alibi"), "baichuan");
                Some("alibi")
            }
            // The class has RoPE and ALiBi both off, and a table then.
            (None, Some("rope")) if self.model_type == "hf_olmo" && !fields => {
                self.use_model_type();
                self.assume("scheme", Json::from("learned"), "scheme-class");
                Some("learned")
            }
            (None, Some("rope")) => {
                if !fields {
                    self.use_model_type();
                    self.assume("scheme", Json::from("rope"), "scheme-class");
                }
                Some("rope")
            }
            (None, Some("axial")) => {
                self.problem(true, "axial", ("model_type", &self.model_type.clone(), ""));
                None
            }
            // These classes have no RoPE, whatever fields stand in the text.
            (None, Some(other @ ("none" | "alibi" | "t5"))) => {
                self.use_model_type();
                self.assume("scheme", Json::from(other), "scheme-class");
                Some(other)
            }
            (None, Some(other)) if fields => self.agreed("rope", Some(other)),
            (None, Some(other)) => {
                self.use_model_type();
                self.assume("scheme", Json::from(other), "scheme-class");
                Some(other)
            }
            (None, None) => self.by_fields(fields),
        }
    }

    /// The scheme that the text names. The class of a model with RoPE or ALiBi looks at the word only where it takes
    /// the encoding away; else the field stands there unread (ModernBERT's `absolute`).
    fn said(&mut self, of_class: Option<&'static str>) -> Option<&'static str> {
        let at = *self.all(What::Scheme, &[0]).first()?;
        let word = self.entries[at].value.as_str().map(str::to_lowercase);
        let of = |word: &str| {
            let exact = WORDS.iter().find(|(_, all)| all.contains(&word));
            exact.or_else(|| {
                WORDS
                    .iter()
                    .find(|(s, all)| *s == "rope" && all.iter().any(|w| word.starts_with(w)))
            })
        };
        let scheme = word.as_deref().and_then(of).map(|(scheme, _)| *scheme);
        let fixed = matches!(of_class, Some("rope" | "alibi" | "t5" | "none"));
        if fixed && scheme != of_class && scheme != Some("none") {
            return None;
        }
        self.entries[at].used = true;
        if scheme.is_none() {
            let given = self.entries[at].value.to_string();
            let known = "absolute, relative_key, rope, rotary, alibi, nope";
            self.problem(
                true,
                "unknown-type",
                ("position_embedding_type", &given, known),
            );
        }
        scheme
    }

    /// Assumes the default of the class, which the text names.
    pub(super) fn assume_class(&mut self, name: &'static str, value: Json) {
        self.use_model_type();
        self.assume(name, value, "class");
    }

    fn use_model_type(&mut self) {
        for at in self.all(What::ModelType, &[0]) {
            self.entries[at].used = true;
        }
    }

    /// The scheme, if nothing that the text says is another.
    fn agreed(
        &mut self,
        scheme: &'static str,
        other: Option<&'static str>,
    ) -> Option<&'static str> {
        match other {
            Some(other) if other != scheme => {
                let name = self.name_of(What::Scheme, &[0], "model_type");
                self.problem(true, "schemes-disagree", (&name, other, scheme));
                None
            }
            _ => Some(scheme),
        }
    }

    fn says_no(&mut self, what: What) -> bool {
        self.has(what, &[0]) && self.flag(what, &[0]) == Some(false)
    }

    /// Baichuan's 7B has RoPE and a maximal length, its 13B ALiBi and none; both have the same class name.
    fn is_baichuan_13b(&self) -> bool {
        self.model_type == "baichuan"
            && !self
                .entries
                .iter()
                .any(|e| e.name == "max_position_embeddings")
    }

    /// Whether there are fields that only RoPE has.
    fn made_for_rope(&mut self, scopes: &[usize]) -> bool {
        let only = [
            What::Base,
            What::LocalBase,
            What::Rotated,
            What::RotatedApart,
            What::Share,
            What::BaseTimes,
            What::Sections,
            What::MetaScaled,
            What::Kind,
            What::OldKind,
            What::Factor,
            What::Alpha,
            What::LongList,
            What::LowFreq,
            What::BetaFast,
        ];
        let mut all = scopes.to_vec();
        all.push(1);
        only.iter().any(|w| self.has(*w, &all))
            || (self.has(What::Rope, &[0]) && self.flag(What::Rope, &[0]) == Some(true))
    }

    fn by_fields(&mut self, rope: bool) -> Option<&'static str> {
        if rope {
            return Some("rope");
        }
        let buckets = self
            .entries
            .iter_mut()
            .find(|e| e.name == "relative_attention_num_buckets" && !e.value.is_null());
        if let Some(buckets) = buckets {
            buckets.used = true;
            self.assume("scheme", Json::from("t5"), "scheme-fields");
            return Some("t5");
        }
        let nothing = self.entries.is_empty();
        self.problem(
            true,
            if nothing { "nothing" } else { "no-scheme" },
            ("", "", ""),
        );
        None
    }
}
