//! [`DiffTextError`]: which line of a diff is none, and why.

use std::fmt;
use std::io;
use std::sync::Arc;

/// A line of a diff is none.
#[derive(Clone, Debug)]
pub struct DiffTextError {
    /// Its number, from 1.
    pub line: u64,
    /// The reason.
    pub fault: DiffTextFault,
}

/// The reason why a line of a diff is refused.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum DiffTextFault {
    /// It can't be read.
    Io(Arc<io::Error>),
    /// It is longer than a line may be.
    TooLong {
        /// Most bytes of a line.
        most: u64,
    },
    /// It is no JSON, or none of the forms of an operation.
    Form {
        /// The parser's message.
        reason: String,
    },
    /// No line before it gives this name.
    UnknownName {
        /// The kind of element: `node` or `edge`.
        what: &'static str,
        /// The name.
        name: String,
    },
    /// A line before it gives the same name.
    NameTwice {
        /// The kind of element: `node` or `edge`.
        what: &'static str,
        /// The name.
        name: String,
    },
    /// A value that can't be.
    Value {
        /// The value, as JSON.
        found: String,
    },
    /// A type or cardinality that there is not.
    Unknown {
        /// The field: `type` or `cardinality`.
        what: &'static str,
        /// Its name.
        name: String,
    },
    /// Values for a node and an edge at once, or for neither.
    Owner,
}

impl fmt::Display for DiffTextError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "line {}: {}", self.line, self.fault)
    }
}

impl fmt::Display for DiffTextFault {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(error) => write!(formatter, "cannot be read: {error}"),
            Self::TooLong { most } => write!(formatter, "longer than {most} bytes"),
            Self::Form { reason } => formatter.write_str(reason),
            Self::UnknownName { what, name } => {
                write!(formatter, "no earlier line adds {} {what} named {name:?}", article(what))
            }
            Self::NameTwice { what, name } => {
                write!(formatter, "an earlier line already adds {} {what} named {name:?}", article(what))
            }
            Self::Value { found } => write!(
                formatter,
                "{found} is not a value: values are null, true, false, numbers, texts, {{\"node\": ..}}, \
                 {{\"bytes\": \"hexadecimal digits\"}} and {{\"float\": \"NaN\"}}"
            ),
            Self::Unknown { what, name } => write!(formatter, "there is no {what} {name:?}"),
            Self::Owner => formatter.write_str(
                "values belong to a \"node\" or an \"edge\": give exactly \
                 one of the two",
            ),
        }
    }
}

impl std::error::Error for DiffTextError {}

fn article(what: &str) -> &'static str {
    if what.starts_with('e') { "an" } else { "a" }
}
