//! [`Argument`]: a value for a parameter of a step, for callers that find a step by its name at run time.

/// A value for a parameter of a step.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Argument {
    /// A whole number.
    Number(i64),
    /// A list of texts.
    Texts(Vec<String>),
}

/// The type of a step's parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ArgumentType {
    /// A whole number: `i64` in Rust.
    Number,
    /// A number of repetitions, from 0 to 4,294,967,295: `u32` in Rust.
    Times,
    /// Any number of texts.
    Texts,
}

impl ArgumentType {
    /// The type in words, for errors and documents.
    pub fn words(self) -> &'static str {
        match self {
            Self::Number => "a number",
            Self::Times => "a number of times",
            Self::Texts => "texts",
        }
    }
}

impl Argument {
    /// The argument in words, for errors.
    pub(super) fn words(&self) -> String {
        match self {
            Self::Number(number) => format!("the number {number}"),
            Self::Texts(texts) => format!("{} texts", texts.len()),
        }
    }

    pub(super) fn number(&self) -> Option<i64> {
        match self {
            Self::Number(number) => Some(*number),
            Self::Texts(_) => None,
        }
    }

    pub(super) fn times(&self) -> Option<u32> {
        u32::try_from(self.number()?).ok()
    }

    pub(super) fn texts(&self) -> Option<Vec<String>> {
        match self {
            Self::Texts(texts) => Some(texts.clone()),
            Self::Number(_) => None,
        }
    }
}

impl From<i64> for Argument {
    fn from(number: i64) -> Self {
        Self::Number(number)
    }
}

impl From<&[&str]> for Argument {
    fn from(texts: &[&str]) -> Self {
        Self::Texts(texts.iter().map(|text| (*text).to_owned()).collect())
    }
}
