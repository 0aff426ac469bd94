//! [`InputError`]: input that a writer refuses, because a reader would refuse it in the file.

use thiserror::Error;

use crate::{Fault, Part};

/// An argument that can't be written to a file. No file is damaged: the caller has to pass another argument.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("argument {argument}: {fault}")]
pub struct InputError {
    /// The argument, or a part of it.
    pub argument: Part,
    /// The fault, with the value and its limit, and with the index of the value if the argument has many.
    pub fault: Fault,
}

impl InputError {
    /// An error for a fault of an argument.
    pub fn new(argument: impl Into<Part>, fault: Fault) -> Self {
        Self { argument: argument.into(), fault }
    }
}

/// Checks that a text can be the name of a label, an edge label, a property or a layer. An empty name would
/// look like a missing name, and a NUL ends a string in C; so both are refused. `argument` is the kind of
/// name.
///
/// # Errors
/// The fault of the name.
pub fn check_name(argument: impl Into<Part>, name: &str) -> Result<(), InputError> {
    if name.is_empty() {
        return Err(InputError::new(argument, Fault::Missing { what: "name", number: None }));
    }
    check_text(argument, name)
}

/// Checks that a text of a layer, such as the name of its tool, can be written. Unlike a name, such a text
/// may be empty.
///
/// # Errors
/// The text contains a NUL; the error states its offset.
pub fn check_text(argument: impl Into<Part>, text: &str) -> Result<(), InputError> {
    match text.bytes().position(|byte| byte == 0) {
        Some(at) => Err(InputError::new(argument, Fault::Nul { at: at as u64 })),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_neither_empty_nor_cut_by_a_nul() {
        assert_eq!(check_name("label", "CALL"), Ok(()));
        let told = |name| check_name("label", name).unwrap_err().to_string();
        assert_eq!(told(""), "argument label: expected a name, found none");
        assert_eq!(told("CA\0LL"), "argument label: expected a name without NUL, found one at byte 2");
        assert_eq!(check_text("tool", ""), Ok(()));
    }
}
