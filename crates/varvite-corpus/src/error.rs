//! [`CorpusError`]: the reasons why a corpus can't be opened. [`FileError`]: the reasons why one of its files
//! has no answer.

use std::io;
use std::path::PathBuf;

use thiserror::Error;
use varvite::change::ChangeError;
use varvite::{ErrorCode, GraphError};
use varvite_cpg::CpgError;

/// The result type of this crate.
pub type Result<T> = std::result::Result<T, CorpusError>;

/// The reason why a corpus can't be opened, or its index not be made or read.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum CorpusError {
    /// No file has the pattern.
    #[error(
        "no file matches {pattern:?}: name a folder with .varvite files, or quote a pattern such as 'corpus/**/*.varvite'"
    )]
    NoMatch {
        /// The pattern, as given.
        pattern: String,
    },
    /// A folder has no graph.
    #[error("{} has no .varvite file, and none of its folders has", folder.display())]
    NoFiles {
        /// The folder.
        folder: PathBuf,
    },
    /// The pattern is not one.
    #[error("{pattern:?} is not a pattern of files: {reason}")]
    BadPattern {
        /// The pattern, as given.
        pattern: String,
        /// The fault, in words.
        reason: String,
    },
    /// A folder can't be read.
    #[error("cannot read the folder {}: {reason}", path.display())]
    Folder {
        /// The folder.
        path: PathBuf,
        /// The error of the operating system.
        reason: io::Error,
    },
    /// A graph is not an index of a corpus.
    #[error("{} is not an index of a corpus: `varvite corpus index` makes one", path.display())]
    NotAnIndex {
        /// The path of the graph.
        path: PathBuf,
    },
    /// The index has names and digests of another version.
    #[error(
        "{} is an index of another version of Varvite: make it again with `varvite corpus index`",
        path.display()
    )]
    OtherVersion {
        /// The path of the index.
        path: PathBuf,
    },
    /// The index can't be read.
    #[error(transparent)]
    Graph(#[from] GraphError),
    /// The index can't be written.
    #[error(transparent)]
    Write(#[from] ChangeError),
    /// The work was cancelled, or its time is over.
    #[error("cancelled")]
    Cancelled,
}

/// The reason why a file of a corpus has no answer.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum FileError {
    /// The file is missing, damaged, of another version, or has no memory left.
    #[error(transparent)]
    Graph(#[from] GraphError),
    /// The columns of the code can't be read.
    #[error(transparent)]
    Code(#[from] CpgError),
    /// The file was answered from before, and is another one now.
    #[error("{} was replaced since this corpus opened it: open the corpus again", path.display())]
    Replaced {
        /// The path of the file.
        path: PathBuf,
    },
    /// The newest commit of the file is damaged, or a superblock that may have named it.
    #[error(
        "{}: the newest commit is damaged or lost, and commit {opened} is older: restore the file from a copy, \
         or save the older commit with `varvite compact FILE -o NEW`",
        path.display()
    )]
    LostCommit {
        /// The path of the file.
        path: PathBuf,
        /// The number of the commit that can be read.
        opened: u64,
    },
    /// The corpus has no file of this number.
    #[error("there is no file {file}: the corpus has {files}")]
    NoSuchFile {
        /// The number of the missing file.
        file: usize,
        /// The number of files.
        files: usize,
    },
}

impl CorpusError {
    /// The code of this kind of error, which is the same in every language.
    pub fn code(&self) -> ErrorCode {
        match self {
            Self::Graph(error) => error.code(),
            Self::Write(error) => error.code(),
            Self::Cancelled => ErrorCode::Cancelled,
            Self::NotAnIndex { .. } | Self::OtherVersion { .. } | Self::BadPattern { .. } => {
                ErrorCode::Argument
            }
            Self::NoMatch { .. } | Self::NoFiles { .. } | Self::Folder { .. } => ErrorCode::Io,
        }
    }
}

impl FileError {
    /// The code of this kind of error, which is the same in every language.
    pub fn code(&self) -> ErrorCode {
        match self {
            Self::Graph(error) => error.code(),
            Self::Code(error) => error.code(),
            Self::Replaced { .. } => ErrorCode::Replaced,
            Self::LostCommit { .. } => ErrorCode::Damaged,
            Self::NoSuchFile { .. } => ErrorCode::Argument,
        }
    }
}

impl From<varvite::error::Cancelled> for CorpusError {
    fn from(_: varvite::error::Cancelled) -> Self {
        Self::Cancelled
    }
}
