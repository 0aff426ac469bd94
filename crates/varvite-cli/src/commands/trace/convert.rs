//! `varvite trace convert`: makes a `.vtrace` file from a foreign trace, or from a `.vtrace` file that was
//! made with other options.
//!
//! The format of a source is detected from its first bytes. A folder is a trace of DynamoRIO, with a file for
//! each thread or core.

use std::collections::HashSet;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::{Args, ValueEnum};
use varvite::IfExists;
use varvite_memtrace::drmemtrace::{
    self, DrmemtraceError, DrmemtraceOptions, DrmemtraceReport, Modules, Tier, is_drmemtrace,
};
use varvite_memtrace::lackey;
use varvite_memtrace::perf::{self, PerfReport, is_perf_script};
use varvite_memtrace::reference::{ReferenceError, References, schema, trace_id};
use varvite_store::{StagedFile, StagedStream};
use varvite_trace::{Clock, Codec, Recorder};

use super::{StorageArgs, file_len, note_missing, open};
use crate::arguments::{ExpansionArgs, OutputArgs};
use crate::disk::{WriteArgs, is_same_file};
use crate::failure::{Failure, Outcome, reported};
use crate::output::{Summary, counted, note, sized, thousands};

/// Bytes of records in a block of the new trace.
const BLOCK_LEN: u32 = 256 << 10;

/// Arguments of `varvite trace convert`.
#[derive(Debug, Args)]
pub(crate) struct ConvertArgs {
    /// The foreign trace: a file or folder of DynamoRIO's drmemtrace, the output of `valgrind --tool=lackey
    /// --trace-mem=yes`, samples of `perf mem` as printed by `perf script`, or a .vtrace file
    source: PathBuf,
    /// The new trace
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// Format of the source [default: detected from its first bytes]
    #[arg(long, value_enum)]
    from: Option<ForeignTrace>,
    /// The modules.log of a drmemtrace file, with the load addresses of binaries [default: the one beside it
    /// or in the folder raw, if any]
    #[arg(long, value_name = "FILE")]
    modules: Option<PathBuf>,
    /// Replace the new trace if it exists
    #[arg(long)]
    force: bool,
    /// Skip damaged blocks of a .vtrace file and report their number, instead of stopping
    #[arg(long)]
    skip_damaged: bool,
    #[command(flatten)]
    expansion: ExpansionArgs,
    #[command(flatten)]
    write: WriteArgs,
    #[command(flatten)]
    storage: StorageArgs,
    #[command(flatten)]
    format: OutputArgs,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum ForeignTrace {
    /// Files of DynamoRIO, final or raw
    Drmemtrace,
    /// Output of valgrind's lackey
    Lackey,
    /// Output of perf script, with the fields pid, tid, time, event, addr, ip and data_src
    Perf,
    /// A Varvite trace
    Vtrace,
}

/// Maximum length of a modules.log in bytes.
const MODULES_LEN_MAX: u64 = 64 << 20;
/// Number of bytes at the beginning of the source from which its identity is computed.
const IDENTITY_LEN: u64 = 64 << 10;

/// Converts the trace, and reports the result.
pub(crate) fn run(args: &ConvertArgs) -> Outcome {
    if is_same_file(&args.source, &args.output) {
        return Err(Failure::Usage("--output names the source; choose another file".to_owned()));
    }
    if is_same_file(&args.source, &StagedFile::temporary_of(&args.output)?) {
        return Err(Failure::Usage(
            "the source is the unfinished file of --output; choose another output".to_owned(),
        ));
    }
    let began = Instant::now();
    let first = args.first_bytes()?;
    let source = match args.from {
        Some(source) => source,
        None => args.recognize(&first)?,
    };
    let if_exists = if args.force { IfExists::Replace } else { IfExists::Refuse };
    let staged = StagedStream::from(StagedFile::create(args.write.disk(), &args.output, if_exists)?);
    let (staged, records) = match source {
        ForeignTrace::Drmemtrace => args.convert_drmemtrace(staged, &first)?,
        ForeignTrace::Lackey => args.convert_lackey(staged, &first)?,
        ForeignTrace::Perf => args.convert_perf(staged, &first)?,
        ForeignTrace::Vtrace => args.convert_trace(staged, &first)?,
    };
    staged.into_file().commit()?;
    let summary = args.summary(records, began.elapsed().as_secs_f64());
    reported(&args.output, summary.write(args.format.format))
}

impl ConvertArgs {
    /// The bytes from which the new trace's identity is computed: the beginning and the length of the source
    /// or, for a folder, of its first file that is not empty.
    fn first_bytes(&self) -> Result<Vec<u8>, Failure> {
        let files = self.drmemtrace_files()?;
        // The file of a thread that did nothing may be empty.
        let Some(file) = files.iter().find(|file| file_len(file) > 0).or(files.first()) else {
            return Err(Failure::source(
                &self.source,
                "no drmemtrace files in this folder, nor in its folders trace and raw".into(),
            ));
        };
        let mut first = Vec::new();
        let read = File::open(file).and_then(|file| file.take(IDENTITY_LEN).read_to_end(&mut first));
        read.map_err(|error| self.unreadable(&error))?;
        first.extend_from_slice(&file_len(file).to_le_bytes());
        Ok(first)
    }

    /// The source itself or, if it is a folder, the files of threads in it, sorted by name.
    fn drmemtrace_files(&self) -> Result<Vec<PathBuf>, Failure> {
        if !self.source.is_dir() {
            return Ok(vec![self.source.clone()]);
        }
        for folder in [self.source.join("trace"), self.source.join("raw"), self.source.clone()] {
            let Ok(entries) = std::fs::read_dir(&folder) else { continue };
            let paths = entries.map(|entry| entry.map(|entry| entry.path())).collect::<io::Result<Vec<_>>>();
            let mut files = paths.map_err(|error| self.unreadable(&error))?;
            files.retain(|file| is_of_thread(file));
            if !files.is_empty() {
                files.sort();
                return Ok(files);
            }
        }
        Ok(Vec::new())
    }

    fn unreadable(&self, error: &io::Error) -> Failure {
        Failure::source(&self.source, format!("cannot be read: {error}"))
    }

    fn recognize(&self, first: &[u8]) -> Result<ForeignTrace, Failure> {
        if first.starts_with(b"\x89VVTRACE") {
            return Ok(ForeignTrace::Vtrace);
        }
        if self.source.is_dir() || is_drmemtrace(first) {
            return Ok(ForeignTrace::Drmemtrace);
        }
        if first.starts_with(b"==") || first.starts_with(b"I  ") {
            return Ok(ForeignTrace::Lackey);
        }
        if is_perf_script(first) {
            return Ok(ForeignTrace::Perf);
        }
        let what = "unknown trace format; name it with --from".to_owned();
        Err(Failure::source(&self.source, what))
    }

    fn convert_drmemtrace(&self, staged: StagedStream, first: &[u8]) -> Result<(StagedStream, u64), Failure> {
        let options =
            self.storage.options(schema(Clock::UnixMicroseconds), trace_id(first), Codec::Zstd, BLOCK_LEN);
        let fail = Failure::trace(&self.output);
        let recorder = Recorder::create(staged, &options).map_err(&fail)?;
        let (mut references, mut known) = (References::new(&recorder), HashSet::new());
        let files = self.drmemtrace_files()?;
        let (in_folder, mut empty) = (files.len(), 0);
        for (shard, file) in (0..).zip(files) {
            let failed = |source| Failure::Drmemtrace { file: file.clone(), source };
            let modules = self.modules_of(&file)?;
            let mut new = modules.as_ref().map(Modules::to_modules).unwrap_or_default();
            new.retain(|module| !known.contains(module));
            recorder.add_modules(&new).map_err(&fail)?;
            known.extend(new);
            let open = File::open(&file).map_err(|error| failed(error.into()))?;
            let expansion = self.expansion.expansion();
            let options = DrmemtraceOptions { shard, modules: modules.as_ref(), expansion };
            match drmemtrace::import(open, &options, &mut references) {
                Err(DrmemtraceError::NotDrmemtrace { found })
                    if found.is_empty() && empty + 1 < in_folder =>
                {
                    empty += 1;
                    note(&format!("skipped {}, which is empty", file.display()));
                }
                report => note_drmemtrace(&file, &report.map_err(failed)?, modules.is_some()),
            }
        }
        let counts = references.finish();
        let records = counts.map_err(|error| self.unrecorded(error))?.records;
        Ok((recorder.finish().map_err(&fail)?, records))
    }

    fn unrecorded(&self, error: ReferenceError) -> Failure {
        Failure::Drmemtrace { file: self.output.clone(), source: error.into() }
    }

    /// The load addresses of the program's binaries, if the source has a modules.log.
    fn modules_of(&self, file: &Path) -> Result<Option<Modules>, Failure> {
        let folder = file.parent().and_then(Path::parent);
        let places = [file.with_file_name("modules.log"), folder.unwrap_or(file).join("raw/modules.log")];
        let found = self.modules.as_ref().or_else(|| places.iter().find(|place| place.exists()));
        let Some(path) = found else { return Ok(None) };
        let failed = |source| Failure::Drmemtrace { file: path.clone(), source };
        let mut bytes = Vec::new();
        let read = File::open(path).and_then(|file| file.take(MODULES_LEN_MAX).read_to_end(&mut bytes));
        read.map_err(|error| failed(error.into()))?;
        Modules::parse(&bytes).map(Some).map_err(failed)
    }

    fn convert_lackey(&self, staged: StagedStream, first: &[u8]) -> Result<(StagedStream, u64), Failure> {
        let options = self.storage.options(schema(Clock::Ticks), trace_id(first), Codec::Zstd, BLOCK_LEN);
        let fail = Failure::trace(&self.output);
        let text = File::open(&self.source).map_err(|error| self.unreadable(&error))?;
        let recorder = Recorder::create(staged, &options).map_err(&fail)?;
        let report = lackey::import(text, References::new(&recorder));
        let report = report.map_err(|source| Failure::Lackey { file: self.source.clone(), source })?;
        if !report.is_whole {
            let (file, records) = (self.source.display(), counted(report.counts.records, "record"));
            note(&format!(
                "{file} ends before the program does, after {records}: the file was cut short, or valgrind was \
                 stopped"
            ));
        }
        Ok((recorder.finish().map_err(&fail)?, report.counts.records))
    }

    fn convert_perf(&self, staged: StagedStream, first: &[u8]) -> Result<(StagedStream, u64), Failure> {
        let options = self.storage.options(schema(Clock::Ticks), trace_id(first), Codec::Zstd, BLOCK_LEN);
        let fail = Failure::trace(&self.output);
        let text = File::open(&self.source).map_err(|error| self.unreadable(&error))?;
        let recorder = Recorder::create(staged, &options).map_err(&fail)?;
        let report = perf::import(text, References::new(&recorder));
        let report = report.map_err(|source| Failure::Perf { file: self.source.clone(), source })?;
        note_perf(&self.source, &report);
        Ok((recorder.finish().map_err(&fail)?, report.counts.records))
    }

    fn convert_trace(&self, staged: StagedStream, first: &[u8]) -> Result<(StagedStream, u64), Failure> {
        let mut reader = open(&self.source)?;
        if self.skip_damaged {
            reader.skip_damaged();
        }
        let options =
            self.storage.options(reader.header().schema.clone(), trace_id(first), Codec::Zstd, BLOCK_LEN);
        let fail = Failure::trace(&self.output);
        let recorder = Recorder::create(staged, &options).map_err(&fail)?;
        let records = varvite_trace::copy(&mut reader, &recorder).map_err(Failure::trace(&self.source))?;
        note_missing(&self.source, &mut reader);
        Ok((recorder.finish().map_err(&fail)?, records))
    }

    fn summary(&self, records: u64, seconds: f64) -> Summary<'static> {
        let (source_bytes, file_bytes) = (source_len(&self.source), file_len(&self.output));
        let sentence = format!(
            "{}: {}, {} ({} in the source), {seconds:.2} s",
            self.output.display(),
            counted(records, "record"),
            sized(file_bytes),
            sized(source_bytes),
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

/// Whether a file in a folder of DynamoRIO is the trace of a thread or core, and not a schedule or a table.
fn is_of_thread(file: &Path) -> bool {
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    let is_other =
        name.contains("schedule") || [".log", ".txt", ".bin", ".info"].iter().any(|end| name.ends_with(end));
    file.is_file() && !is_other
}

/// Writes notes to standard error about samples that were left out, and about addresses that cannot be
/// placed.
fn note_perf(file: &Path, report: &PerfReport) {
    let (file, samples) = (file.display(), counted(report.samples, "sample"));
    if report.without_address > 0 {
        note(&format!(
            "{file}: left out {} of {samples}, which have no address of data",
            report.without_address
        ));
    }
    if report.counts.reads + report.counts.writes == 0 {
        note(&format!(
            "{file} does not tell loads from stores; `perf script -F +data_src` prints the operation"
        ));
    }
    if report.modules_left_out > 0 {
        let (left_out, kept) = (counted(report.modules_left_out, "mapped file"), thousands(report.modules));
        note(&format!("{file}: left out {left_out} beyond {kept}; code there has no names"));
    }
    match (report.modules, report.modules_of_others) {
        (0, 0) => {
            note(&format!("{file} names no mapped files; `perf script --show-mmap-events` prints them"));
        }
        (0, _) => note(&format!("{file} names mapped files of other processes alone")),
        _ => {}
    }
}

/// Writes notes to standard error about the information that a file lacks.
fn note_drmemtrace(file: &Path, report: &DrmemtraceReport, has_modules: bool) {
    let file = file.display();
    if report.tier == Tier::Raw {
        let places = if has_modules { "" } else { ", and without modules.log no program counters" };
        note(&format!(
            "{file} is a raw trace: it has blocks, addresses and markers, but no single \
                       instructions{places}"
        ));
    }
    if let Some(cut) = &report.cut {
        let records = counted(report.counts.records, "record");
        note(&format!("{file} is cut short after {records}: {cut}"));
    }
}
