//! [`DraftFault`]: the reason why an element or a value cannot be part of a graph.

use thiserror::Error;
use varvite_format::{Fault, InputError};
use varvite_store::StoreError;

use crate::budget::OverBudget;
use crate::change_error::ChangeError;
use crate::error::GraphError;

/// The reason why an element or a value cannot be part of a graph.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum DraftFault {
    /// A property has values of two types, and no type can hold both.
    #[error("property {name} is {found} here and {known} elsewhere: give one of them another name")]
    Type {
        /// The name of the property.
        name: String,
        /// The type of the new value.
        found: &'static str,
        /// The type of earlier values.
        known: &'static str,
    },
    /// There are more names of one kind than the limit.
    #[error("there are more than {limit} {what}")]
    TooManyNames {
        /// The kind of the elements.
        what: &'static str,
        /// The largest number of names of one kind.
        limit: usize,
    },
    /// A name is empty, or longer than the limit.
    #[error("a name of {what} has {len} bytes: 1 to {limit} are allowed")]
    NameLength {
        /// The kind of the named element.
        what: &'static str,
        /// The length of the name in bytes.
        len: usize,
        /// The largest length of a name in bytes.
        limit: usize,
    },
    /// A name contains NUL, which ends a string in C.
    #[error("a name of {what} has a NUL at byte {at}: give it another name")]
    Nul {
        /// The kind of the named element.
        what: &'static str,
        /// The offset of the NUL in the name.
        at: usize,
    },
    /// A limit of the format was exceeded, there is too little memory, or the file system failed.
    #[error(transparent)]
    Change(ChangeError),
}

impl From<DraftFault> for ChangeError {
    /// The error for callers that do not read text line by line. They have to correct the call itself.
    fn from(fault: DraftFault) -> Self {
        let refused = |what, fault| InputError::new(format!("name of {what}"), fault).into();
        match fault {
            DraftFault::Type { name, found, known } => {
                GraphError::WrongType { name, expected: found, found: known }.into()
            }
            DraftFault::TooManyNames { what, limit } => {
                let most = limit as u64;
                refused(what, Fault::TooMany { what: "names", most, found: most + 1 })
            }
            DraftFault::NameLength { what, len: 0, .. } => {
                refused(what, Fault::Missing { what: "name", number: None })
            }
            DraftFault::NameLength { what, len, limit } => {
                refused(what, Fault::TooMany { what: "bytes", most: limit as u64, found: len as u64 })
            }
            DraftFault::Nul { what, at } => refused(what, Fault::Nul { at: at as u64 }),
            DraftFault::Change(error) => error,
        }
    }
}

impl From<ChangeError> for DraftFault {
    fn from(error: ChangeError) -> Self {
        Self::Change(error)
    }
}

impl From<GraphError> for DraftFault {
    fn from(error: GraphError) -> Self {
        Self::Change(error.into())
    }
}

impl From<OverBudget> for DraftFault {
    fn from(error: OverBudget) -> Self {
        Self::Change(error.into())
    }
}

impl From<StoreError> for DraftFault {
    fn from(error: StoreError) -> Self {
        Self::Change(error.into())
    }
}
