//! [`GenerateError`]: the reasons why nothing, or not everything, was generated.

use std::io;
use std::path::PathBuf;

use thiserror::Error;
use varvite::GraphError;

/// The result of this crate's functions.
pub type Result<T> = std::result::Result<T, GenerateError>;

/// The reason why nothing, or not everything, was generated.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum GenerateError {
    /// The graph could not be read.
    #[error(transparent)]
    Graph(#[from] GraphError),
    /// The graph has no label, so that there is nothing to make classes of.
    #[error("the graph has no node label: there is nothing to generate accessors for")]
    NoLabels,
    /// Two graphs mean different things by a property.
    #[error(
        "property {property:?} holds {one} in one graph and {other} in another; generate from graphs of one kind"
    )]
    Contradiction {
        /// The property.
        property: String,
        /// The content in the graphs so far.
        one: String,
        /// The content in the next graph.
        other: String,
    },
    /// More names than the classes of the language can hold.
    #[error("the graph has {found} {what}, and a generated class holds {limit} at most")]
    TooMany {
        /// The counted elements, in words.
        what: &'static str,
        /// The number of items.
        found: usize,
        /// The largest count.
        limit: usize,
    },
    /// Not the name of a package.
    #[error("{name:?} is not the name of a Java package: {reason}; give one like org.example.cpg")]
    Package {
        /// The given name.
        name: String,
        /// The reason.
        reason: String,
    },
    /// The folder holds files that were not generated.
    #[error(
        "{} holds {count} that varvite did not generate, such as {}; choose an empty folder, or write \
         beside them with --force",
        folder.display(), first.display()
    )]
    Foreign {
        /// The folder.
        folder: PathBuf,
        /// The first of the files, by name.
        first: PathBuf,
        /// The count, in words.
        count: String,
    },
    /// A file or folder could not be read or written; earlier files stay.
    #[error("cannot {what} {}: {source}", path.display())]
    Io {
        /// The attempted operation, such as `create`.
        what: &'static str,
        /// The path.
        path: PathBuf,
        /// The error of the operating system.
        r#source: io::Error,
    },
}
