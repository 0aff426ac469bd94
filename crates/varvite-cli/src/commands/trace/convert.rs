//! `varvite trace convert`: foreign traces become `.vtrace` files, and those others with other options.

use std::fs::File;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use clap::{Args, ValueEnum};
use varvite::IfExists;
use varvite_import::lackey;
use varvite_import::reference::{References, schema, trace_id};
use varvite_store::StagedFile;
use varvite_store::vfs::RealVfs;
use varvite_trace::{Clock, Codec, Recorder};

use super::{StorageArgs, file_len, note_missing, open};
use crate::arguments::OutputArgs;
use crate::commands::import::is_same_file;
use crate::failure::{Failure, Outcome};
use crate::output::{Summary, counted, megabytes};

/// Arguments of `varvite trace convert`.
#[derive(Debug, Args)]
pub(crate) struct ConvertArgs {
    /// The foreign trace: what `valgrind --tool=lackey --trace-mem=yes` wrote; or a .vtrace file
    source: PathBuf,
    /// The new trace
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// What the source is [default: what its first bytes say]
    #[arg(long, value_enum)]
    from: Option<ForeignTrace>,
    /// Replace the new trace if it exists
    #[arg(long)]
    force: bool,
    /// Pass over damaged blocks of a .vtrace file and say how many, rather than stop
    #[arg(long)]
    skip_damaged: bool,
    #[command(flatten)]
    storage: StorageArgs,
    #[command(flatten)]
    format: OutputArgs,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum ForeignTrace {
    /// Text of valgrind's lackey
    Lackey,
    /// A Varvite trace
    Vtrace,
}

/// A file in the making, as a sink.
struct Staged {
    file: StagedFile,
    len: u64,
}

impl Write for Staged {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write_all_at(self.len, bytes).map_err(io::Error::other)?;
        self.len += bytes.len() as u64;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Bytes of the source that its identity is made of.
const IDENTITY_LEN: u64 = 64 << 10;

/// Converts, and says what came of it.
pub(crate) fn run(args: &ConvertArgs) -> Outcome {
    if is_same_file(&args.source, &args.output) {
        return Err(Failure::Usage(
            "the new trace would replace the source; choose another --output".to_owned(),
        ));
    }
    let began = Instant::now();
    let first = args.first_bytes()?;
    let source = match args.from {
        Some(source) => source,
        None => args.recognize(&first)?,
    };
    let if_exists = if args.force { IfExists::Replace } else { IfExists::Refuse };
    let file = StagedFile::create(Arc::new(RealVfs), &args.output, if_exists)?;
    let staged = Staged { file, len: 0 };
    let (staged, records) = match source {
        ForeignTrace::Lackey => args.convert_lackey(staged, &first)?,
        ForeignTrace::Vtrace => args.convert_trace(staged, &first)?,
    };
    staged.file.commit()?;
    args.summary(records, began.elapsed().as_secs_f64()).write(args.format.format)
}

impl ConvertArgs {
    fn first_bytes(&self) -> Result<Vec<u8>, Failure> {
        let mut first = Vec::new();
        let read = File::open(&self.source).and_then(|file| file.take(IDENTITY_LEN).read_to_end(&mut first));
        read.map_err(|error| self.unreadable(&error))?;
        first.extend_from_slice(&file_len(&self.source).to_le_bytes());
        Ok(first)
    }

    fn unreadable(&self, error: &io::Error) -> Failure {
        Failure::source(&self.source, format!("cannot be read: {error}"))
    }

    fn recognize(&self, first: &[u8]) -> Result<ForeignTrace, Failure> {
        if first.starts_with(b"\x89VVTRACE") {
            return Ok(ForeignTrace::Vtrace);
        }
        if first.starts_with(b"==") || first.starts_with(b"I  ") {
            return Ok(ForeignTrace::Lackey);
        }
        let what = "is no trace that is known; `--from` says what it is".to_owned();
        Err(Failure::source(&self.source, what))
    }

    fn convert_lackey(&self, staged: Staged, first: &[u8]) -> Result<(Staged, u64), Failure> {
        let options = self.storage.options(schema(Clock::Ticks), trace_id(first), Codec::Zstd);
        let fail = Failure::trace(&self.output);
        let text = File::open(&self.source).map_err(|error| self.unreadable(&error))?;
        let recorder = Recorder::create(staged, &options).map_err(&fail)?;
        let report = lackey::import(text, References::new(&recorder));
        let report = report.map_err(|source| Failure::Lackey { file: self.source.clone(), source })?;
        if !report.is_whole {
            let file = self.source.display();
            eprintln!(
                "varvite: note: {file} stops before the program ends: it was cut, or valgrind was stopped"
            );
        }
        Ok((recorder.finish().map_err(&fail)?, report.counts.records))
    }

    fn convert_trace(&self, staged: Staged, first: &[u8]) -> Result<(Staged, u64), Failure> {
        let mut reader = open(&self.source)?;
        if self.skip_damaged {
            reader.skip_damaged();
        }
        let options = self.storage.options(reader.header().schema.clone(), trace_id(first), Codec::Zstd);
        let fail = Failure::trace(&self.output);
        let recorder = Recorder::create(staged, &options).map_err(&fail)?;
        let records = varvite_trace::copy(&mut reader, &recorder).map_err(Failure::trace(&self.source))?;
        note_missing(&self.source, reader.ending(), reader.losses());
        Ok((recorder.finish().map_err(&fail)?, records))
    }

    fn summary(&self, records: u64, seconds: f64) -> Summary<'static> {
        let (source_bytes, file_bytes) = (source_len(&self.source), file_len(&self.output));
        let sentence = format!(
            "{}: {}, {} ({} in the source), {seconds:.2} s",
            self.output.display(),
            counted(records, "record"),
            megabytes(file_bytes),
            megabytes(source_bytes),
        );
        let fields = vec![
            ("file", self.output.to_string_lossy().into()),
            ("records", records.into()),
            ("source_bytes", source_bytes.into()),
            ("file_bytes", file_bytes.into()),
            ("seconds", seconds.into()),
        ];
        Summary { sentence, fields }
    }
}

fn source_len(source: &Path) -> u64 {
    std::fs::metadata(source).map_or(0, |data| data.len())
}
