//! [`CorpusFailure`]: failures of many graphs that are not those of one graph.

use thiserror::Error;
use varvite_corpus::{CorpusError, FileError};

use crate::output::{counted, thousands};

/// The reason why a command over many graphs has no answer, or not a whole one.
#[derive(Debug, Error)]
pub(crate) enum CorpusFailure {
    /// The corpus can't be opened.
    #[error(transparent)]
    Corpus(#[from] CorpusError),
    /// A file of the corpus can't be read.
    #[error(transparent)]
    File(#[from] FileError),
    /// Some files or folders failed, and the others were answered.
    #[error(
        "{} of {} failed, as listed above: the answer lacks their rows",
        thousands(*failed as u64),
        if *files == 1 { "1 file".to_owned() } else { format!("{} files", thousands(*files as u64)) }
    )]
    Unanswered {
        /// The number of files and folders that failed.
        failed: usize,
        /// The number of files of the corpus.
        files: usize,
    },
    /// Files or folders could not be read when an index was made.
    #[error(
        "the index lacks {} and {} that could not be read, so functions may be missing above: \
         `varvite corpus index` names them",
        counted(*failed, "graph"), counted(*unreadable, "folder")
    )]
    IncompleteIndex {
        /// The number of files that failed.
        failed: u64,
        /// The number of folders that could not be read.
        unreadable: u64,
    },
}

impl CorpusFailure {
    /// The exit code, as `--help` documents it.
    pub(crate) fn exit_code(&self) -> u8 {
        match self {
            Self::Corpus(
                CorpusError::BadPattern { .. }
                | CorpusError::NotAnIndex { .. }
                | CorpusError::OtherVersion { .. },
            ) => 2,
            Self::Corpus(CorpusError::Cancelled) => 6,
            _ => 3,
        }
    }
}
