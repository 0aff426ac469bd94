//! Streams of records: a recorder that may run inside another program's process, and a reader that seeks.
//!
//! A trace is a header followed by chunks. Each chunk of records (a block) belongs to one thread and can be
//! decoded without any other. It stores its position (thread, number, first ordinal, times) and a checksum
//! seeded with that position. So a truncated trace is valid up to the cut, and reading a record requires only
//! the record's block. `docs/trace-format.md` describes every byte.
//!
//! A [`Recorder`] has a [`Stream`] for each thread. A push copies the record and takes no lock. Once a block
//! is full, its fields are split into streams of similar bytes ([`Split`]), compressed and hashed, and the
//! block is passed to the [`Sink`] under a lock. If the sink is slow, the recording threads wait; the memory
//! of each thread, [`Recorder::memory_needed`], never grows. [`Reader`] reads a [`Source`] from front to
//! back, or seeks by ordinal, time or thread.
//!
//! # Where a trace comes from
//!
//! `varvite trace record` and `varvite trace convert` make traces of memory references. Any program can
//! record its own traces:
//!
//! ```
//! use varvite_trace::{Field, MemorySource, Options, Reader, Recorder, Schema};
//!
//! # fn main() -> Result<(), varvite_trace::TraceError> {
//! // A record is two fields of eight bytes. Each trace needs an identity of its own.
//! let schema = Schema::of_fields("example/requests", &[Field::new("start", 8), Field::new("nanos", 8)]);
//! let recorder = Recorder::create(Vec::new(), &Options::new(schema, [7; 16]))?;
//! let mut stream = recorder.stream(0)?;
//! for start in 0..1000u64 {
//!     stream.push(&[start.to_le_bytes(), 250u64.to_le_bytes()].concat())?;
//! }
//! stream.finish()?;
//! let trace: Vec<u8> = recorder.finish()?;
//!
//! let (mut reader, mut records) = (Reader::open(MemorySource(trace))?, 0);
//! while let Some(block) = reader.next_block()? {
//!     records += block.records().count();
//! }
//! assert_eq!(records, 1000);
//! # Ok(())
//! # }
//! ```
//!
//! This crate does not depend on the meaning of records or on graphs. The only crate of Varvite that it needs
//! is `varvite-codec`.
//!
//! - `recorder`: a [`Stream`] for each thread, which writes to a `sink`. `reader`: reads a `source` forward,
//!   with `seek` for random access and `recover` for skipping damage.
//! - `chunk`, `block`, `header`, `index`, `marks`, `module`: the structures of `docs/trace-format.md`.
//! - `schema`, `split`: the split of records, by fields or by prediction of memory references, also as runs
//!   of code ([`RunEncoder`]).
//! - `copy`: copies a trace with other options.
#![forbid(unsafe_code)]

mod block;
mod bytes;
mod chunk;
mod copy;
mod error;
mod header;
mod index;
mod marks;
mod module;
mod options;
mod reader;
mod recorder;
mod schema;
mod sink;
mod source;
mod split;

pub use block::{Block, Records};
pub use chunk::ChunkHeader;
pub use copy::copy;
pub use error::TraceError;
pub use header::{FORMAT_VERSION, TraceHeader};
pub use index::{End, IndexEntry};
pub use marks::Marks;
pub use module::Module;
pub use options::Options;
pub use reader::{Ending, Losses, Reader};
pub use recorder::{Recorder, Stream, ThreadState};
pub use schema::{Clock, Field, RecordLen, Schema, Split};
pub use sink::{CallSink, Sink};
pub use source::{CallSource, FileSource, MemorySource, Source, StreamSource};
pub use split::{RUN_RECORDS_MAX, RunBlock, RunEncoder, RunRecord, RunShape, RunValue};
pub use varvite_codec::{Allocator, Codec};
