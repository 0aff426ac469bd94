//! [`HeapLayerError`]: the reasons why no layer could be made from a profile.

use thiserror::Error;
use varvite::GraphError;
use varvite::change::ChangeError;

use crate::ProfileError;

/// The reason why no layer could be made from a profile. The graph is then unchanged.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum HeapLayerError {
    /// The graph has an error, or the file could not be written.
    #[error(transparent)]
    Graph(#[from] ChangeError),
    /// The tree of calls needs more memory than the limit allows.
    #[error(transparent)]
    Profile(#[from] ProfileError),
    /// The graph has no METHODs.
    #[error("the graph has no METHOD to count for; a profile needs a graph of code")]
    NoMethods,
    /// The profile has no counts.
    #[error("the profile has no counts")]
    Empty,
    /// Another layer of the graph was made from the same profile.
    #[error("the graph already has this profile, as layer {layer}; give each profile of a graph a --name")]
    Known {
        /// The name of that layer.
        layer: String,
    },
    /// The name can't be part of property names.
    #[error("{name:?} is not a name for the layer of a profile: use letters, digits and _, at most 32")]
    Name {
        /// The invalid name.
        name: String,
    },
}

impl From<GraphError> for HeapLayerError {
    fn from(error: GraphError) -> Self {
        Self::Graph(error.into())
    }
}
