//! A value that could not be taken as it was given.

/// What was wrong with one parameter and what was used instead. Words come later, in the
/// visitor's language, from `code`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Notice {
    /// What kind of thing was wrong; public, listed in the README.
    pub code: &'static str,
    /// The parameter.
    pub name: String,
    /// What was given.
    pub given: String,
    /// What is used instead; empty if nothing is.
    pub used: String,
}

impl Notice {
    /// A notice about the parameter `name`.
    pub fn new(
        code: &'static str,
        name: impl Into<String>,
        given: impl Into<String>,
        used: impl Into<String>,
    ) -> Self {
        Self {
            code,
            name: name.into(),
            given: given.into(),
            used: used.into(),
        }
    }
}
