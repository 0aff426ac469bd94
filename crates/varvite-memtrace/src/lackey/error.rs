//! Why a lackey text could not be read.

use std::io;

use thiserror::Error;

use crate::reference::ReferenceError;

/// Why a lackey text could not be read.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum LackeyError {
    /// The source failed.
    #[error("cannot read the lackey text at line {line}: {source}")]
    Io {
        /// The line, from 1.
        line: u64,
        /// The error of the system.
        r#source: io::Error,
    },
    /// A line is none of those that lackey writes.
    #[error(
        "line {line} is not of lackey: {text:?}; the trace must come from `valgrind --tool=lackey --trace-mem=yes --log-file=...`, apart from the output of the program"
    )]
    Line {
        /// The line, from 1.
        line: u64,
        /// Its beginning.
        text: String,
    },
    /// The trace could not be written.
    #[error(transparent)]
    Recording(#[from] ReferenceError),
}
