//! The one error type of the core. Each error is built where the bad value is first seen and
//! carries the numbers that are wrong, so that whoever shows it can name them.

use std::fmt;

/// Why the core cannot compute what was asked.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum CoreError {
    /// A dimension that must be even (sine and cosine, or the two halves of a rotation) is odd.
    OddDimension {
        /// The dimension's name, such as `d_model`.
        name: &'static str,
        /// The value that was given.
        given: usize,
    },
    /// A number lies outside what the formula is defined for.
    OutOfRange {
        /// The parameter's name.
        name: &'static str,
        /// The value that was given.
        given: f64,
        /// What is allowed, in words.
        allowed: &'static str,
    },
    /// `heads` does not divide `d_model`.
    HeadsDoNotDivide {
        /// Width of the model.
        d_model: usize,
        /// Number of heads.
        heads: usize,
    },
    /// Two arrays that belong together have different sizes.
    Shape {
        /// What has the wrong size.
        what: &'static str,
        /// The size that is needed.
        expected: usize,
        /// The size that was given.
        given: usize,
    },
    /// A table was asked for a position that it does not have.
    PastTheEnd {
        /// Number of rows of the table.
        rows: usize,
        /// The position that was asked for.
        position: usize,
    },
    /// Of two numbers that must be in order, the one that should be larger is not.
    Order {
        /// The name and value of what should be smaller.
        smaller: (&'static str, f64),
        /// The name and value of what should be larger.
        larger: (&'static str, f64),
        /// Whether they must differ.
        strict: bool,
    },
    /// Something needs a parameter that was not given.
    Missing {
        /// What needs it.
        of: &'static str,
        /// The parameter's name.
        name: &'static str,
    },
    /// A scheme has nothing of the kind that was asked for.
    NotOf {
        /// The scheme's id.
        scheme: &'static str,
        /// What was asked for.
        what: &'static str,
    },
    /// A word is none of those that are known.
    UnknownWord {
        /// What the word should tell.
        name: &'static str,
        /// The word that was given.
        given: String,
    },
}

impl fmt::Display for CoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::OddDimension { name, given } => write!(f, "{name} must be even, got {given}"),
            Self::OutOfRange {
                name,
                given,
                allowed,
            } => write!(f, "{name} must be {allowed}, got {given}"),
            Self::HeadsDoNotDivide { d_model, heads } => {
                write!(f, "heads = {heads} does not divide d_model = {d_model}")
            }
            Self::Shape {
                what,
                expected,
                given,
            } => write!(f, "{what} has size {given}, expected {expected}"),
            Self::PastTheEnd { rows, position } => {
                write!(
                    f,
                    "position {position} is past the end of a table of {rows} rows"
                )
            }
            Self::Order {
                smaller: (small, a),
                larger: (large, b),
                strict,
            } => {
                let rule = if *strict { "be below" } else { "not exceed" };
                write!(f, "{small} = {a} must {rule} {large} = {b}")
            }
            Self::Missing { of, name } => write!(f, "{of} needs {name}"),
            Self::NotOf { scheme, what } => write!(f, "{scheme} has no {what}"),
            Self::UnknownWord { name, given } => write!(f, "unknown {name} {given:?}"),
        }
    }
}

impl std::error::Error for CoreError {}

/// Checks that the size of `what` is the expected one.
pub(crate) fn same_size(
    what: &'static str,
    expected: usize,
    given: usize,
) -> Result<(), CoreError> {
    if expected == given {
        return Ok(());
    }
    Err(CoreError::Shape {
        what,
        expected,
        given,
    })
}

/// Checks that there is at least one head.
pub(crate) fn some_heads(heads: usize) -> Result<(), CoreError> {
    if heads > 0 {
        return Ok(());
    }
    Err(CoreError::OutOfRange {
        name: "heads",
        given: 0.0,
        allowed: "at least 1",
    })
}

/// Checks that `given` is even and not zero.
pub(crate) fn even(name: &'static str, given: usize) -> Result<(), CoreError> {
    if given == 0 {
        return Err(CoreError::OutOfRange {
            name,
            given: 0.0,
            allowed: "at least 2",
        });
    }
    if given % 2 == 1 {
        return Err(CoreError::OddDimension { name, given });
    }
    Ok(())
}

/// Checks that `base` is finite and at least 1 (at 1 all frequencies are equal).
pub(crate) fn valid_base(base: f64) -> Result<(), CoreError> {
    if base.is_finite() && base >= 1.0 {
        Ok(())
    } else {
        Err(CoreError::OutOfRange {
            name: "base",
            given: base,
            allowed: "finite and at least 1",
        })
    }
}

/// Checks that `given` is finite and at least `min`, which is 1 or 2.
pub(crate) fn at_least(name: &'static str, given: f64, min: f64) -> Result<(), CoreError> {
    if given.is_finite() && given >= min {
        return Ok(());
    }
    let allowed = if min == 1.0 {
        "finite and at least 1"
    } else {
        "finite and at least 2"
    };
    Err(CoreError::OutOfRange {
        name,
        given,
        allowed,
    })
}

/// Checks that `given` is finite and above 0.
pub(crate) fn positive(name: &'static str, given: f64) -> Result<(), CoreError> {
    if given.is_finite() && given > 0.0 {
        return Ok(());
    }
    Err(CoreError::OutOfRange {
        name,
        given,
        allowed: "finite and above 0",
    })
}

/// Checks that `smaller` is at most `larger`, or below it if `strict`.
pub(crate) fn in_order(
    smaller: (&'static str, f64),
    larger: (&'static str, f64),
    strict: bool,
) -> Result<(), CoreError> {
    if smaller.1 < larger.1 || (!strict && smaller.1 == larger.1) {
        return Ok(());
    }
    Err(CoreError::Order {
        smaller,
        larger,
        strict,
    })
}
