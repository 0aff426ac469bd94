//! Why a profile could not become a layer.

use thiserror::Error;
use varvite::GraphError;

use crate::ProfileError;

/// Why a profile could not become a layer. The graph is then as it was.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum HeapLayerError {
    /// The graph is at fault, or the file could not be written.
    #[error(transparent)]
    Graph(#[from] GraphError),
    /// The tree of calls needs more memory than it may take.
    #[error(transparent)]
    Profile(#[from] ProfileError),
    /// The graph has no METHODs.
    #[error("the graph has no METHOD that could have counts; only graphs of code can take a profile")]
    NoMethods,
    /// The profile counts nothing.
    #[error("the profile counts nothing")]
    Empty,
    /// The graph has the profile already.
    #[error("the graph has this profile already, as layer {layer}; --name tells profiles of one graph apart")]
    Known {
        /// The layer.
        layer: String,
    },
    /// A name that properties can't have.
    #[error(
        "a layer of a profile can't be named {name:?}: letters, digits and _ make a name, at most 32 of them"
    )]
    Name {
        /// The name.
        name: String,
    },
}
