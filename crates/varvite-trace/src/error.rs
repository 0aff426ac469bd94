//! Errors of recording and reading traces: errors of the operating system, wrong calls, and damaged bytes.

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
        /// The offset from the beginning of the trace.
        offset: u64,
        /// The operating system's error.
        r#source: io::Error,
    },
    /// The bytes are not a trace.
    #[error(
        "this is not a Varvite trace: it begins with {found:02x?}; make one with `varvite trace convert`"
    )]
    NotATrace {
        /// The first bytes of the file.
        found: Vec<u8>,
    },
    /// The trace was made by a newer version of Varvite.
    #[error("the trace has format version {found}, this program reads up to {newest}: use a newer varvite")]
    TooNew {
        /// The format version of the trace.
        found: u32,
        /// The newest version that this program reads.
        newest: u32,
    },
    /// A number in the trace is invalid.
    #[error("block {block} at byte {offset} is damaged: {what}: expected {expected}, found {found}")]
    Damaged {
        /// The number of the block in the trace.
        block: u64,
        /// The offset of the block in the trace.
        offset: u64,
        /// The name of the invalid number.
        what: &'static str,
        /// The expected value, or its limit.
        expected: u64,
        /// The value that was found.
        found: u64,
    },
    /// The checksum of some bytes is not the stored one: they were changed after they were written.
    #[error(
        "block {block} at byte {offset} is damaged: the checksum of its {part} should be {expected:016x} and is {found:016x}"
    )]
    Checksum {
        /// The number of the block in the trace.
        block: u64,
        /// The offset of the block in the trace.
        offset: u64,
        /// The part with the wrong checksum: "header" or "content".
        part: &'static str,
        /// The stored checksum.
        expected: u64,
        /// The checksum of the bytes.
        found: u64,
    },
    /// A block can't be decoded although its checksum is right: its writer had a bug or was hostile.
    #[error("block {block} at byte {offset} is damaged: {source}")]
    Codec {
        /// The number of the block in the trace.
        block: u64,
        /// The offset of the block in the trace.
        offset: u64,
        /// The error of the codec.
        r#source: CodecError,
    },
    /// The codec could not compress a block.
    #[error("cannot compress a block: {0}")]
    Compress(CodecError),
    /// The schema does not permit a record of this length.
    #[error(
        "a record of {found} bytes does not fit the schema: expected {expected} bytes, or up to {max} if \
         records vary in length"
    )]
    RecordLen {
        /// The length that the schema requires, in bytes; the minimum if lengths vary.
        expected: usize,
        /// The length of the longest record that fits a block, in bytes.
        max: usize,
        /// The length of the record in bytes.
        found: usize,
    },
    /// The time of a thread went backwards.
    #[error("time goes backwards in thread {thread}: {found} after {before}")]
    TimeBackwards {
        /// The thread.
        thread: u64,
        /// The last time of the thread.
        before: u64,
        /// The new time.
        found: u64,
    },
    /// A second stream was opened for a thread.
    #[error("thread {thread} has a stream already; a trace has one stream per thread")]
    ThreadTaken {
        /// The thread.
        thread: u64,
    },
    /// Nothing more can be added: the trace was finished, or an earlier write failed.
    #[error("the trace accepts no more records: it was finished, or an earlier write failed")]
    Closed,
    /// An option has an invalid value.
    #[error("a trace cannot have {what}: found {found}, the limit is {limit}")]
    Options {
        /// The name of the option.
        what: &'static str,
        /// The value of the option.
        found: u64,
        /// The limit of valid values.
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
    /// A seek was requested, but the source is a pipe or socket.
    #[error(
        "this trace comes through a pipe or socket and can only be read forward; write it to a file first"
    )]
    NotSeekable,
}

impl TraceError {
    /// Whether the trace is damaged. False for errors of the operating system and of wrong calls.
    pub fn is_damage(&self) -> bool {
        matches!(self, Self::Damaged { .. } | Self::Checksum { .. } | Self::Codec { .. })
    }
}

/// The result type of most functions in this crate.
pub(crate) type Result<T> = std::result::Result<T, TraceError>;
