//! Why something can't be part of a graph.

use thiserror::Error;
use varvite::GraphError;
use varvite::error::StoreError;
use varvite::memory::OverBudget;

/// Why something can't be part of a graph.
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
        /// What has the names.
        what: &'static str,
        /// The limit.
        limit: usize,
    },
    /// A name is empty, or longer than any name should be.
    #[error("a name of {what} has {len} bytes: 1 to {limit} are possible")]
    NameLength {
        /// What has the name.
        what: &'static str,
        /// Its bytes.
        len: usize,
        /// The limit.
        limit: usize,
    },
    /// A name has a NUL, at which C would end it.
    #[error("a name of {what} has a NUL at byte {at}: give it another name")]
    Nul {
        /// What has the name.
        what: &'static str,
        /// Where.
        at: usize,
    },
    /// A limit of the format, the memory, or the disk.
    #[error(transparent)]
    Graph(GraphError),
}

impl From<GraphError> for DraftFault {
    fn from(error: GraphError) -> Self {
        Self::Graph(error)
    }
}

impl From<OverBudget> for DraftFault {
    fn from(error: OverBudget) -> Self {
        Self::Graph(error.into())
    }
}

impl From<StoreError> for DraftFault {
    fn from(error: StoreError) -> Self {
        Self::Graph(error.into())
    }
}
