//! `varvite trace record`: records a program's memory references under valgrind.
//!
//! [`tool`] uses Varvite's own valgrind tool, if `make recorder` has built it; [`lackey`] uses the tool that
//! comes with valgrind, and is 100 to 200 times slower. Both write into the trace as they read.
//!
//! During the run, the trace is written to the file `.NAME.partial`, which gets its final name when it is
//! complete. If this command is killed, that file has all records except those of the last block; if it
//! fails, the file stays too ([`trace_file`]). Ctrl-C ends the program; the records up to then are saved.
//! [`children`] also records the processes that the program starts.

mod build_ids;
mod child_trace;
mod children;
mod heartbeat;
mod lackey;
mod messages;
mod program;
mod tool;
mod trace_file;

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitStatus;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::time::{Instant, SystemTime, UNIX_EPOCH};

use clap::Args;
use varvite_memtrace::reference::{Counts, Reference, schema, trace_id};
use varvite_memtrace::valgrind::RunReport;
use varvite_store::{StagedStream, Vfs, vfs::RealVfs};
use varvite_trace::{Clock, Codec, Recorder};

use self::child_trace::ChildTrace;
use self::program::Stop;
use self::tool::{Tool, ToolArgs};
use self::trace_file::TraceFile;
use super::{StorageArgs, file_len, sizes};
use crate::arguments::OutputArgs;
use crate::disk::WriteArgs;
use crate::failure::{Failure, Outcome, reported};
use crate::output::{Format, Summary, counted, remark, shown};

/// Arguments of `varvite trace record`.
#[derive(Debug, Args)]
pub(crate) struct RecordArgs {
    /// The new trace
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// Replace the new trace if it exists
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    write: WriteArgs,
    #[command(flatten)]
    tool: ToolArgs,
    #[command(flatten)]
    storage: StorageArgs,
    #[command(flatten)]
    format: OutputArgs,
    /// The program and its arguments
    #[arg(last = true, required = true, value_name = "COMMAND")]
    command: Vec<OsString>,
}

/// Bytes of records in a block. Each block describes the code that ran in it anew: sqlite's records take 0.05
/// bytes each, and 0.14 in blocks of 1 MiB.
const BLOCK_LEN: u32 = 4 << 20;

/// The reasons why a recording is not whole.
const NOT_WHOLE: &str = "the program was killed, or executed another program (--follow-children records that \
                         too); the last records of each thread may be missing";

/// The result of a recording.
struct Recorded {
    counts: Counts,
    /// The number of accesses that load and store the same bytes; `None` with lackey.
    modifies: Option<u64>,
    /// The number of places at which records are missing because of `--sample`; `None` if there is no
    /// sampling.
    gaps: Option<u64>,
    /// The number of mapped files that are not in the trace.
    modules_left_out: u32,
    /// Whether the recorder has sent its last message.
    is_whole: bool,
    status: ExitStatus,
    /// The failure of the trace itself; the traces of other processes may be there.
    failure: Option<Failure>,
    /// The traces of other processes, and of programs that the processes have executed.
    children: Vec<ChildTrace>,
    /// The first failure of such a trace.
    child_failure: Option<Failure>,
}

/// A running recording: where the records go, and whether the user has stopped it.
struct Recording<'r> {
    args: &'r RecordArgs,
    disk: Arc<dyn Vfs>,
    recorder: &'r Recorder<StagedStream>,
    /// The number of records so far, of all processes; with lackey, that of lines.
    records: &'r AtomicU64,
    stop: &'r Stop,
}

/// Records the program, and reports the result.
pub(crate) fn run(args: &RecordArgs) -> Outcome {
    let began = Instant::now();
    let tool = args.tool.find()?;
    program::refuse_set_id(args.command.first().map_or("".as_ref(), OsString::as_os_str))?;
    let (disk, is_stopped) = args.write.recording_disk(&TraceFile::unfinished_of(&RealVfs, &args.output)?);
    let trace = args.begin(&disk, &args.output, tool.is_some())?;
    let records = AtomicU64::new(0);
    let recording =
        Recording { args, disk, recorder: trace.recorder(), records: &records, stop: &Stop::by(is_stopped) };
    let mut recorded = match recording.run(tool.as_ref()) {
        Ok(recorded) => recorded,
        Err(failure) => {
            trace.fail();
            return Err(failure);
        }
    };
    let own = Own::of(trace, recorded.failure.take(), recorded.counts.records);
    args.tell(recorded, own, began.elapsed().as_secs_f64())
}

/// The end of the trace of the program itself.
enum Own {
    Written,
    /// There is no file, because there are no records.
    Empty,
    Failed(Failure),
}

impl Own {
    /// Completes a trace with so many records.
    fn of(trace: TraceFile, failure: Option<Failure>, records: u64) -> Self {
        match failure {
            Some(failure) => {
                trace.fail();
                Self::Failed(failure)
            }
            None if records == 0 => {
                trace.remove();
                Self::Empty
            }
            None => trace.commit().map_or_else(Self::Failed, |()| Self::Written),
        }
    }
}

impl RecordArgs {
    /// Begins a trace in this file. Lackey does not say the time.
    fn begin(&self, disk: &Arc<dyn Vfs>, file: &Path, has_time: bool) -> Result<TraceFile, Failure> {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_nanos();
        let id = trace_id(format!("{file:?} {:?} {} {since}", self.command, std::process::id()).as_bytes());
        let clock = if has_time { Clock::UnixMicroseconds } else { Clock::Ticks };
        let options = self.storage.options(schema(clock), id, Codec::Lz4, BLOCK_LEN);
        TraceFile::begin(disk, file, self.force, &options)
    }

    /// The reason why a trace has no records.
    fn why_nothing(&self, recorded: &Recorded) -> String {
        let status = recorded.status;
        match self.tool.first_function() {
            Some(name) if recorded.is_whole => format!(
                "nothing was recorded: the program never called {name:?}, and ended with {status}; a stripped \
                 program has no names of functions, and in C++ a name has its arguments, as 'ns::f(int)'"
            ),
            _ => format!("nothing was recorded: valgrind ended with {status}"),
        }
    }

    /// Reports a recording, if there is any trace, and then its first failure.
    fn tell(&self, recorded: Recorded, own: Own, seconds: f64) -> Outcome {
        let is_written = matches!(own, Own::Written);
        let is_alone = recorded.children.is_empty();
        let failure = match own {
            Own::Written => None,
            Own::Failed(failure) => Some(failure),
            Own::Empty if is_alone => Some(Failure::source(&self.output, self.why_nothing(&recorded))),
            Own::Empty => {
                remark(&format!("{}: {}", shown(&self.output), self.why_nothing(&recorded)));
                None
            }
        };
        if is_written && !recorded.is_whole {
            let records = counted(recorded.counts.records, "record");
            remark(&format!("the recording is not whole, it ends after {records}: {NOT_WHOLE}"));
        }
        child_trace::remark_left_out(&self.output, recorded.modules_left_out);
        ChildTrace::remark_all(&recorded.children);
        if is_written || !is_alone {
            reported(&self.output, self.report(&recorded, is_written, seconds))?;
        }
        failure.or(recorded.child_failure).map_or(Ok(()), Err)
    }

    fn report(&self, recorded: &Recorded, is_written: bool, seconds: f64) -> io::Result<()> {
        self.summary(recorded, is_written, seconds).write(self.format.format)?;
        match self.format.format {
            Format::Table => ChildTrace::write_all(&recorded.children),
            _ => Ok(()),
        }
    }

    fn summary(&self, recorded: &Recorded, is_written: bool, seconds: f64) -> Summary<'static> {
        let (counts, status) = (recorded.counts, recorded.status);
        let file_bytes = if is_written { file_len(&self.output) } else { 0 };
        let plain_bytes = counts.records * Reference::LEN as u64;
        let sampled = match recorded.gaps {
            Some(gaps) => format!(", sampled with {}", counted(gaps, "gap")),
            None => String::new(),
        };
        let file = self.output.to_string_lossy();
        let sentence = format!(
            "{file}{}: {} ({}, {}, {}){sampled}, {}, {seconds:.2} s; the program ended with {status}",
            if is_written { "" } else { " was not written" },
            counted(counts.records, "record"),
            counted(counts.instructions, "instruction"),
            counted(counts.reads, "load"),
            counted(counts.writes, "store"),
            sizes(file_bytes, plain_bytes),
        );
        let fields = vec![
            ("file", is_written.then_some(file).into()),
            ("records", counts.records.into()),
            ("instructions", counts.instructions.into()),
            ("loads", counts.reads.into()),
            ("stores", counts.writes.into()),
            ("modifies", recorded.modifies.into()),
            ("sampled", recorded.gaps.is_some().into()),
            ("whole", recorded.is_whole.into()),
            ("file_bytes", file_bytes.into()),
            ("plain_bytes", plain_bytes.into()),
            ("exit_code", status.code().into()),
            ("seconds", seconds.into()),
            ("children", recorded.children.iter().map(ChildTrace::document).collect()),
        ];
        Summary { sentence, fields }
    }
}

impl Recorded {
    /// The result of a recording of one process by the tool.
    fn of(report: &RunReport, args: &ToolArgs, status: ExitStatus) -> Self {
        let gaps = args.samples().then_some(report.gaps);
        // A recording that has all wanted records closes the stream itself.
        let is_whole = report.is_whole || report.counts.records >= args.records_max();
        Self {
            counts: report.counts,
            modifies: Some(report.modifies),
            gaps,
            modules_left_out: report.modules_left_out,
            is_whole,
            status,
            failure: None,
            children: Vec::new(),
            child_failure: None,
        }
    }
}

impl Recording<'_> {
    fn run(&self, tool: Option<&Tool>) -> Result<Recorded, Failure> {
        match tool {
            Some(tool) => tool::record(self, tool),
            None => lackey::record(self),
        }
    }
}
