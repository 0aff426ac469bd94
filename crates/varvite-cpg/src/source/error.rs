//! [`SourceError`]: why no sources were added to a graph.

use std::io;
use std::path::PathBuf;

use thiserror::Error;
use varvite::change::ChangeError;
use varvite::memory::OverBudget;
use varvite::{ErrorCode, GraphError};

/// The reason why no sources were added. The graph is then unchanged.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum SourceError {
    /// The folder can't be read.
    #[error("{} cannot be read as a folder of sources: {source}", folder.display())]
    Folder {
        /// The path of the folder.
        folder: PathBuf,
        /// The error of the operating system.
        r#source: io::Error,
    },
    /// The graph has no FILE with a name.
    #[error("the graph has no FILE nodes, to which sources belong")]
    NoFiles,
    /// The graph has the texts of files already.
    #[error(
        "{files} FILE nodes have their text in CONTENT already, from layer {layer}; no sources are needed"
    )]
    HasContent {
        /// The number of FILEs with a text.
        files: u64,
        /// The layer of the texts.
        layer: String,
    },
    /// The folder has none of the files.
    #[error(
        "none of the {files} files of the graph is in {}, such as {example:?}: name the folder that the \
         frontend read",
        folder.display()
    )]
    NothingFound {
        /// The path of the folder.
        folder: PathBuf,
        /// The number of FILEs that are not placeholders.
        files: u64,
        /// The name of one of them.
        example: String,
    },
    /// The files are another version of those from which the graph was made.
    #[error(
        "the files do not match the graph: of {methods} METHODs, {beyond} are beyond the end of their file \
         and {misplaced} are not at their lines; name the folder of the version that was imported"
    )]
    OtherVersion {
        /// The number of METHODs in the files.
        methods: u64,
        /// METHODs beyond the end of their file.
        beyond: u64,
        /// METHODs whose name is not in their lines.
        misplaced: u64,
    },
    /// A file is not the one that was compared with the graph.
    #[error(
        "{} was changed or removed while the sources were added, so none was added: add them again",
        file.display()
    )]
    Changed {
        /// The path of the file.
        file: PathBuf,
    },
    /// The graph can't be read or changed.
    #[error(transparent)]
    Graph(#[from] ChangeError),
}

impl SourceError {
    /// The code of this kind of error, which is the same in every language.
    pub fn code(&self) -> ErrorCode {
        match self {
            Self::Graph(error) => error.code(),
            Self::Folder { .. } | Self::Changed { .. } => ErrorCode::Io,
            _ => ErrorCode::Argument,
        }
    }
}

impl From<GraphError> for SourceError {
    fn from(error: GraphError) -> Self {
        Self::Graph(error.into())
    }
}

impl From<OverBudget> for SourceError {
    fn from(error: OverBudget) -> Self {
        Self::Graph(error.into())
    }
}
