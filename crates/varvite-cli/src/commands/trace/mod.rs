//! `varvite trace`: records a program's memory references, and shows traces.

mod cat;
mod code;
mod convert;
mod histogram;
mod info;
#[cfg(any(not(target_os = "linux"), test))]
mod no_record;
#[cfg(target_os = "linux")]
mod record;
mod record_cells;
mod scan;
mod verify;

use std::fs::File;
use std::path::Path;

use clap::{Args, Subcommand, ValueEnum};
use varvite_memtrace::usage::CodeBy;
use varvite_trace::{Codec, Ending, FileSource, Losses, Options, Reader, Schema};

#[cfg(not(target_os = "linux"))]
use self::no_record as record;
use crate::failure::{Failure, Outcome};
use crate::output::{counted, note, sized, thousands};

/// Arguments of `varvite trace`.
#[derive(Debug, Args)]
pub(crate) struct TraceArgs {
    #[command(subcommand)]
    command: TraceCommand,
}

/// The subcommands of `varvite trace`.
#[derive(Debug, Subcommand)]
enum TraceCommand {
    /// Run a program under valgrind and record its memory accesses
    Record(record::RecordArgs),
    /// Show the size, records, threads and modules of a trace
    Info(info::InfoArgs),
    /// Show the records of a trace
    Cat(cat::CatArgs),
    /// Rank the functions that ran, without a graph
    Top(code::CodeArgs),
    /// Rank the source lines that ran, without a graph
    Lines(code::CodeArgs),
    /// Rank the programs and libraries that ran, with their build ids
    Modules(code::CodeArgs),
    /// Show the sizes of accesses, the working set over time, and reuse distances
    Histogram(histogram::HistogramArgs),
    /// Convert a foreign trace, or a .vtrace file with other options
    Convert(convert::ConvertArgs),
    /// Check every byte of a trace
    Verify(verify::VerifyArgs),
}

/// Runs the subcommand.
pub(crate) fn run(args: &TraceArgs) -> Outcome {
    match &args.command {
        TraceCommand::Record(args) => record::run(args),
        TraceCommand::Info(args) => info::run(args),
        TraceCommand::Cat(args) => cat::run(args),
        TraceCommand::Top(args) => code::run(args, CodeBy::Function),
        TraceCommand::Lines(args) => code::run(args, CodeBy::Line),
        TraceCommand::Modules(args) => code::run(args, CodeBy::Module),
        TraceCommand::Histogram(args) => histogram::run(args),
        TraceCommand::Convert(args) => convert::run(args),
        TraceCommand::Verify(args) => verify::run(args),
    }
}

/// The storage of a new trace.
#[derive(Debug, Args)]
struct StorageArgs {
    /// Codec of the blocks
    #[arg(long, value_enum)]
    codec: Option<CodecWord>,
    /// Compression level [default: the codec's own]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    level: Option<i32>,
    /// Bytes of records per block. A seek decodes one block [default: 4 MiB for recording, 256 KiB for
    /// converting]
    #[arg(long, value_name = "BYTES")]
    block_len: Option<u32>,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum CodecWord {
    /// Fast, with fair compression: the default for recording
    Lz4,
    /// Smallest: the default for converting
    Zstd,
    /// For readers that support only snappy
    Snappy,
    /// For readers that support only zlib
    Zlib,
    /// For readers that support only gzip
    Gzip,
    /// No compression
    None,
}

impl StorageArgs {
    /// The options of a new trace; `codec` and `block_len` are the defaults.
    fn options(&self, schema: Schema, id: [u8; 16], codec: Codec, block_len: u32) -> Options {
        let block_len = self.block_len.unwrap_or(block_len);
        let codec = match self.codec {
            None => codec,
            Some(CodecWord::Lz4) => Codec::Lz4,
            Some(CodecWord::Zstd) => Codec::Zstd,
            Some(CodecWord::Snappy) => Codec::Snappy,
            Some(CodecWord::Zlib) => Codec::Zlib,
            Some(CodecWord::Gzip) => Codec::Gzip,
            Some(CodecWord::None) => Codec::None,
        };
        let level = self.level.unwrap_or(codec.default_level());
        Options { level, block_len, ..Options::new(schema, id).with_codec(codec) }
    }
}

/// Opens a trace.
pub(super) fn open(file: &Path) -> Result<Reader<FileSource>, Failure> {
    let source = File::open(file).and_then(FileSource::new);
    let source = source.map_err(|error| Failure::source(file, format!("cannot be read: {error}")))?;
    Reader::open(source).map_err(Failure::trace(file))
}

/// Writes notes to standard error about the parts of a trace that the reader skipped, and about a missing
/// end.
pub(super) fn note_missing(file: &Path, reader: &mut Reader<FileSource>) {
    let (file, losses) = (file.display(), reader.losses());
    if losses.places > 0 || losses.records > 0 {
        note(&format!("{file}: {}", lost(losses)));
    }
    if let Some(cut) = cut(reader) {
        note(&format!("{file} {cut}"));
    }
}

/// Describes the skipped parts of a trace.
fn lost(losses: Losses) -> String {
    let places = counted(losses.places, "damaged place");
    format!("skipped {places}, {}, {}", counted(losses.bytes, "byte"), counted(losses.records, "lost record"))
}

/// Describes the missing end of a trace: the last whole record, and what is lost. `None` if the trace is
/// complete.
fn cut(reader: &mut Reader<FileSource>) -> Option<String> {
    let Some(Ending::Cut { offset, partial_bytes }) = reader.ending() else { return None };
    let partial = counted(partial_bytes, "byte");
    let each = sized(reader.header().block_len.into());
    Some(format!(
        "has no end: the file was cut short, or its recorder was stopped. {} Blocks up to byte {offset} are \
         complete; {partial} of an unfinished block were skipped. Each thread may have lost what it recorded \
         after its last block, at most {each} of records",
        last_record(reader)
    ))
}

/// The last record of a trace without an end, and the latest time of all threads.
fn last_record(reader: &mut Reader<FileSource>) -> String {
    let Ok(blocks) = reader.blocks() else { return String::new() };
    let records: u64 = blocks.iter().map(|block| u64::from(block.records)).sum();
    let Some(latest) = blocks.iter().max_by_key(|block| block.last_time) else {
        return "It has no whole block.".to_owned();
    };
    let (last, thread, time) = (thousands(records.saturating_sub(1)), latest.thread, latest.last_time);
    let when =
        if time > 0 { format!(", the latest of thread {thread} at time {time}") } else { String::new() };
    format!("The last whole record is number {last}{when}.")
}

/// Notes that the counts of a trace are those of a sample.
fn note_sampled(file: &Path) {
    note(&format!("{} is a sample: its counts are those of the recorded parts", file.display()));
}

/// The sizes of a trace, for the end of the summary of a recording.
#[cfg(target_os = "linux")]
fn sizes(file_bytes: u64, plain_bytes: u64) -> String {
    format!("{} ({} of records)", sized(file_bytes), sized(plain_bytes))
}

pub(super) fn file_len(path: &Path) -> u64 {
    std::fs::metadata(path).map_or(0, |data| data.len())
}
