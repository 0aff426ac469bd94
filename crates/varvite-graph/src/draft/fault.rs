//! [`DraftFault`]: the reasons why something can't be part of a graph.

use thiserror::Error;
use varvite_format::{Fault, InputError};
use varvite_store::StoreError;

use crate::budget::OverBudget;
use crate::change_error::ChangeError;
use crate::error::GraphError;

/// The reason why something can't be part of a graph.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum DraftFault {
    /// A property has values of two types that no type holds both of.
    #[error("property {name} is {found} here and {known} elsewhere: give one of them another name")]
    Type {
        /// Name of the property.
        name: String,
        /// Its type here.
        found: &'static str,
        /// Its type before.
        known: &'static str,
    },
    /// There are more names of a kind than a graph should have.
    #[error("there are more than {limit} {what}")]
    TooManyNames {
        /// The kind of the named element.
        what: &'static str,
        /// The limit.
        limit: usize,
    },
    /// A name is empty, or longer than any name should be.
    #[error("a name of {what} has {len} bytes: 1 to {limit} are allowed")]
    NameLength {
        /// The kind of the named element.
        what: &'static str,
        /// Its bytes.
        len: usize,
        /// The limit.
        limit: usize,
    },
    /// A name has a NUL, at which C would end it.
    #[error("a name of {what} has a NUL at byte {at}: give it another name")]
    Nul {
        /// The kind of the named element.
        what: &'static str,
        /// The offset of the NUL.
        at: usize,
    },
    /// A limit of the format, the memory, or the disk.
    #[error(transparent)]
    Change(ChangeError),
}

impl From<DraftFault> for ChangeError {
    /// For callers that bring no text with lines: the call has to be mended.
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
