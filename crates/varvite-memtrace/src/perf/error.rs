//! [`PerfError`]: the reasons why a text of perf script could not be read.

use std::io;

use thiserror::Error;

use crate::reference::ReferenceError;

/// The fields that a text needs, as words of the command that prints them.
const FIELDS: &str = "perf script --show-mmap-events -F pid,tid,time,period,event,addr,ip,data_src";

/// The reason why a text of perf script could not be read.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum PerfError {
    /// The source could not be read.
    #[error("cannot read the text of perf at line {line}: {source}")]
    Io {
        /// The line, from 1.
        line: u64,
        /// The operating system's error.
        r#source: io::Error,
    },
    /// A line has another form than those of perf script.
    #[error("line {line} is no sample of memory accesses: {text:?}; print the samples with `{FIELDS}`")]
    Line {
        /// The line, from 1.
        line: u64,
        /// The beginning of the line.
        text: String,
    },
    /// The text has samples of a second process, whose addresses mean something else.
    #[error(
        "line {line} is of process {other}, and the samples before are of process {process}: a trace has one \
         process; choose it with `perf script --pid {process}`"
    )]
    Processes {
        /// The line, from 1.
        line: u64,
        /// The process of the samples before.
        process: u64,
        /// The process of the line.
        other: u64,
    },
    /// No sample has an address.
    #[error(
        "none of the {samples} samples has the address of data: record with `perf mem record` or `perf record \
         -d`, and print the samples with `{FIELDS}`"
    )]
    NoAddresses {
        /// The number of samples.
        samples: u64,
    },
    /// The trace could not be written.
    #[error(transparent)]
    Recording(#[from] ReferenceError),
}
