//! Errors of traces: of the operating system, of wrong calls, or of damaged bytes.

use std::io;

use thiserror::Error;
use varvite_codec::CodecError;

/// The reason why a trace could not be recorded or read.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum TraceError {
    /// The sink or the source failed.
    #[error("cannot {what} the trace at byte {offset}: {source}")]
    Io {
        /// The operation: "read" or "write".
        what: &'static str,
        /// The offset, counted from the beginning of the trace.
        offset: u64,
        /// The error of the system.
        r#source: io::Error,
    },
    /// The bytes never were a trace.
    #[error(
        "this is not a Varvite trace: it begins with {found:02x?}; make one with `varvite trace convert`"
    )]
    NotATrace {
        /// The first bytes.
        found: Vec<u8>,
    },
    /// A newer Varvite made it.
    #[error("the trace has format version {found}, this program reads up to {newest}: use a newer varvite")]
    TooNew {
        /// Version of the trace.
        found: u32,
        /// Newest version that is known.
        newest: u32,
    },
    /// A number in the trace can't be.
    #[error("block {block} at byte {offset} is damaged: {what}: expected {expected}, found {found}")]
    Damaged {
        /// Number of the chunk in the trace.
        block: u64,
        /// Its start.
        offset: u64,
        /// The name of the number.
        what: &'static str,
        /// The expected value, or its limit.
        expected: u64,
        /// The value that was found.
        found: u64,
    },
    /// Bytes are not those that were written.
    #[error(
        "block {block} at byte {offset} is damaged: the checksum of its {part} should be {expected:016x} and is {found:016x}"
    )]
    Checksum {
        /// Number of the chunk in the trace.
        block: u64,
        /// Its start.
        offset: u64,
        /// "header" or "content".
        part: &'static str,
        /// The value in the header.
        expected: u64,
        /// The value of its bytes.
        found: u64,
    },
    /// A block with the right checksum does not decode: its writer was wrong, or hostile.
    #[error("block {block} at byte {offset} is damaged: {source}")]
    Codec {
        /// Number of the chunk in the trace.
        block: u64,
        /// Its start.
        offset: u64,
        /// The error of the codec.
        r#source: CodecError,
    },
    /// The codec could not compress.
    #[error("cannot compress a block: {0}")]
    Compress(CodecError),
    /// A record has another length than in the schema.
    #[error(
        "a record of {found} bytes does not fit the schema: expected {expected} bytes, or up to {max} if \
         records vary in length"
    )]
    RecordLen {
        /// The length by the schema, in bytes.
        expected: usize,
        /// Bytes of the longest record that a block takes.
        max: usize,
        /// Bytes of the record.
        found: usize,
    },
    /// Time went backwards within a thread.
    #[error("time goes backwards in thread {thread}: {found} after {before}")]
    TimeBackwards {
        /// The thread.
        thread: u64,
        /// The time before.
        before: u64,
        /// The time that came.
        found: u64,
    },
    /// A second stream was opened for one thread.
    #[error("thread {thread} has a stream already; a trace has one stream per thread")]
    ThreadTaken {
        /// The thread.
        thread: u64,
    },
    /// The trace was finished, or a write failed and nothing can be added any more.
    #[error("the trace accepts no more records: it was finished, or an earlier write failed")]
    Closed,
    /// Options that make no trace.
    #[error("a trace cannot have {what}: found {found}, the limit is {limit}")]
    Options {
        /// The name of the option.
        what: &'static str,
        /// Its value.
        found: u64,
        /// The valid values.
        limit: u64,
    },
    /// The caller's memory is too small for a stream.
    #[error("a stream needs {needed} bytes of memory, found {found}")]
    Memory {
        /// The size from [`Recorder::memory_needed`](crate::Recorder::memory_needed).
        needed: usize,
        /// The given size.
        found: usize,
    },
    /// A seek in a pipe.
    #[error(
        "this trace comes through a pipe or socket and can only be read forward; write it to a file first"
    )]
    NotSeekable,
}

impl TraceError {
    /// Whether bytes are not those that a recorder wrote, as opposed to a world or a call that went wrong.
    pub fn is_damage(&self) -> bool {
        matches!(self, Self::Damaged { .. } | Self::Checksum { .. } | Self::Codec { .. })
    }
}

/// The result type of most functions here.
pub(crate) type Result<T> = std::result::Result<T, TraceError>;
