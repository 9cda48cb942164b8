//! The marks of statements: how sure each is.

/// How sure a statement is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mark {
    /// Follows from the definitions.
    Exact,
    /// Was measured.
    Empirical,
    /// A paper or a code says so.
    Stated,
    /// Is disputed, or a hypothesis.
    Contested,
    /// Is often said and refuted by a figure.
    False,
}

impl Mark {
    /// All of them.
    pub const ALL: [Self; 5] = [
        Self::Exact,
        Self::Empirical,
        Self::Stated,
        Self::Contested,
        Self::False,
    ];

    /// The letter in the text.
    pub fn letter(self) -> &'static str {
        match self {
            Self::Exact => "E",
            Self::Empirical => "M",
            Self::Stated => "S",
            Self::Contested => "C",
            Self::False => "F",
        }
    }

    /// The mark of a letter.
    pub fn of(letter: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|m| m.letter() == letter)
    }
}
