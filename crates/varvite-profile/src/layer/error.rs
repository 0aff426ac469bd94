//! [`HeapLayerError`]: the reasons why a profile could not become a layer.

use thiserror::Error;
use varvite::GraphError;
use varvite::change::ChangeError;

use crate::ProfileError;

/// The reason why a profile could not become a layer. The graph is then as it was.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum HeapLayerError {
    /// The graph is at fault, or the file could not be written.
    #[error(transparent)]
    Graph(#[from] ChangeError),
    /// The tree of calls needs more memory than it may take.
    #[error(transparent)]
    Profile(#[from] ProfileError),
    /// The graph has no METHODs.
    #[error("the graph has no METHOD to count for; a profile needs a graph of code")]
    NoMethods,
    /// The profile counts nothing.
    #[error("the profile has no counts")]
    Empty,
    /// The graph has the profile already.
    #[error("the graph already has this profile, as layer {layer}; give each profile of a graph a --name")]
    Known {
        /// The layer.
        layer: String,
    },
    /// A name that properties can't have.
    #[error("{name:?} is not a name for the layer of a profile: use letters, digits and _, at most 32")]
    Name {
        /// The name.
        name: String,
    },
}

impl From<GraphError> for HeapLayerError {
    fn from(error: GraphError) -> Self {
        Self::Graph(error.into())
    }
}
