//! [`LackeyError`]: the reasons why a lackey text could not be read.

use std::io;

use thiserror::Error;

use crate::reference::ReferenceError;

/// The reason why a lackey text could not be read.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum LackeyError {
    /// The source could not be read.
    #[error("cannot read the lackey text at line {line}: {source}")]
    Io {
        /// The line, from 1.
        line: u64,
        /// The operating system's error.
        r#source: io::Error,
    },
    /// A line does not have the form of lackey's output.
    #[error(
        "line {line} is not output of lackey: {text:?}; record with `valgrind --tool=lackey \
         --trace-mem=yes --log-file=...`, which keeps out the output of the program"
    )]
    Line {
        /// The line, from 1.
        line: u64,
        /// The beginning of the line.
        text: String,
    },
    /// The trace could not be written.
    #[error(transparent)]
    Recording(#[from] ReferenceError),
}
