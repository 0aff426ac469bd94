//! [`DiffTextError`]: the number of an invalid line in the text of a diff, and the reason.

use std::fmt;
use std::io;
use std::sync::Arc;

/// The error for an invalid line in the text of a diff.
#[derive(Clone, Debug)]
pub struct DiffTextError {
    /// The number of the line, from 1.
    pub line: u64,
    /// The reason why the line is invalid.
    pub fault: DiffTextFault,
}

/// The reason why a line of a diff is refused.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum DiffTextFault {
    /// The line cannot be read.
    Io(Arc<io::Error>),
    /// The line is longer than the limit.
    TooLong {
        /// The maximum number of bytes in a line.
        most: u64,
    },
    /// The line is not JSON, or does not have the form of an operation.
    Form {
        /// The message of the JSON parser.
        reason: String,
    },
    /// No earlier line gives this name to an element.
    UnknownName {
        /// The kind of element: `node` or `edge`.
        what: &'static str,
        /// The name that no earlier line gives.
        name: String,
    },
    /// An earlier line already gives this name to an element.
    NameTwice {
        /// The kind of element: `node` or `edge`.
        what: &'static str,
        /// The name that is given twice.
        name: String,
    },
    /// The value does not have a valid form.
    Value {
        /// The value, as JSON.
        found: String,
    },
    /// The type or cardinality is unknown.
    Unknown {
        /// The field: `type` or `cardinality`.
        what: &'static str,
        /// The unknown name.
        name: String,
    },
    /// The line gives values to both a node and an edge, or to neither.
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
