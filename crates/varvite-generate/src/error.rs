//! [`GenerateError`]: the reasons why sources could not be generated, or not completely.

use std::io;
use std::path::PathBuf;

use thiserror::Error;
use varvite::GraphError;

/// The result of this crate's functions.
pub type Result<T> = std::result::Result<T, GenerateError>;

/// The reason why sources could not be generated, or not completely.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum GenerateError {
    /// The graph could not be read.
    #[error(transparent)]
    Graph(#[from] GraphError),
    /// The graph has no labels, so that there are no classes to generate.
    #[error("the graph has no node label: there is nothing to generate accessors for")]
    NoLabels,
    /// Two graphs have a property of the same name with different types or defaults.
    #[error(
        "property {property:?} holds {one} in one graph and {other} in another; generate from graphs of one kind"
    )]
    Contradiction {
        /// The name of the property.
        property: String,
        /// The type or default in the graphs that were read before.
        one: String,
        /// The type or default in the next graph.
        other: String,
    },
    /// The schema has more names than a class or method of the language can contain.
    #[error("the graph has {found} {what}, and a generated class holds {limit} at most")]
    TooMany {
        /// The kind of name that exceeds the limit.
        what: &'static str,
        /// The number of names in the schema.
        found: usize,
        /// The largest permitted number.
        limit: usize,
    },
    /// The name of a package is not valid.
    #[error("{name:?} is not the name of a Java package: {reason}; give one like org.example.cpg")]
    Package {
        /// The name that was given.
        name: String,
        /// The reason.
        reason: String,
    },
    /// The folder contains files that the generator did not write.
    #[error(
        "{} holds {count} that varvite did not generate, such as {}; choose an empty folder, or write \
         beside them with --force",
        folder.display(), first.display()
    )]
    Foreign {
        /// The path of the folder.
        folder: PathBuf,
        /// The path of the first file that the generator did not write, in the order of names.
        first: PathBuf,
        /// The number of files that the generator did not write, in words.
        count: String,
    },
    /// A file or folder could not be read or written. Files that were already written stay.
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
