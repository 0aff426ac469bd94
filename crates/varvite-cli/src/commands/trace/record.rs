//! `varvite trace record`: records a program's memory references with valgrind's lackey.
//!
//! Lackey writes text to a pipe, which valgrind opens by its name under `/proc`. So the text never reaches
//! the disk, and the program's own output is separate. During the run, the trace is written to the file
//! `.NAME.partial`, which gets its final name when it is complete. If this command is killed, that file has
//! all records except those of the last block. Ctrl-C ends the program; the records up to then are saved.

use std::ffi::{OsStr, OsString};
use std::io::{self, PipeWriter, Write};
use std::os::fd::AsRawFd;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use clap::Args;
use varvite::IfExists;
use varvite_memtrace::lackey::{self, LackeyReport};
use varvite_memtrace::layer::FileBinaries;
use varvite_memtrace::process_maps;
use varvite_memtrace::reference::{Reference, References, schema, trace_id};
use varvite_store::{Leftover, StagedFile, StagedStream, Vfs};
use varvite_trace::{Clock, Codec, Module, Recorder};

use super::heartbeat::{END, Heartbeat, LineCounter};
use super::{StorageArgs, file_len, sizes};
use crate::arguments::OutputArgs;
use crate::disk::WriteArgs;
use crate::failure::{Failure, Outcome, reported};
use crate::output::{Summary, counted, remark};

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
    storage: StorageArgs,
    #[command(flatten)]
    format: OutputArgs,
    /// The program and its arguments
    #[arg(last = true, required = true, value_name = "COMMAND")]
    command: Vec<OsString>,
}

/// A part of the file name of valgrind's tool, which is mapped in every process that valgrind records.
const TOOL: &[u8] = b"lackey";
/// The time between two checks of whether the program has ended.
const POLL: Duration = Duration::from_millis(5);

/// The time in which the program must end after the user has stopped the recording. Then it is killed.
const PATIENCE: Duration = Duration::from_secs(2);

/// Records the program, and reports the result.
pub(crate) fn run(args: &RecordArgs) -> Outcome {
    let began = Instant::now();
    let (disk, is_stopped) = args.write.recording_disk(&StagedFile::temporary_of(&args.output)?);
    let recorder = args.recorder(disk)?;
    let recorded = args.record(&recorder, &is_stopped);
    let finished = recorder.finish().map_err(Failure::trace(&args.output));
    let (report, status) = recorded?;
    let staged = finished?;
    if report.counts.records == 0 {
        return Err(Failure::source(
            &args.output,
            format!("nothing was recorded: valgrind ended with {status}"),
        ));
    }
    staged.into_file().commit()?;
    let summary = args.summary(&report, status, began.elapsed().as_secs_f64());
    reported(&args.output, summary.write(args.format.format))
}

impl RecordArgs {
    /// Makes the recorder. Without `--force`, it refuses to replace an existing file, and even an incomplete
    /// file of an earlier recording.
    fn recorder(&self, disk: Arc<dyn Vfs>) -> Result<Recorder<StagedStream>, Failure> {
        let (if_exists, leftover) = match self.force {
            true => (IfExists::Replace, Leftover::Remove),
            false => (IfExists::Refuse, Leftover::Refuse),
        };
        let staged = StagedFile::create_beside(disk, &self.output, if_exists, leftover)?;
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_nanos();
        let id = trace_id(format!("{:?} {} {since}", self.command, std::process::id()).as_bytes());
        let options = self.storage.options(schema(Clock::Ticks), id, Codec::Lz4);
        Recorder::create(StagedStream::from(staged), &options).map_err(Failure::trace(&self.output))
    }

    fn record(
        &self,
        recorder: &Recorder<StagedStream>,
        is_stopped: &AtomicBool,
    ) -> Result<(LackeyReport, ExitStatus), Failure> {
        let (text, log) = io::pipe().map_err(Failure::Output)?;
        let (began, lines) = (Instant::now(), AtomicU64::new(0));
        let child = self.start(&log)?;
        let child_id = child.id();
        thread::scope(|scope| {
            let text = LineCounter::over(text, &lines);
            let mut heartbeat = Heartbeat::new();
            let tell = || {
                let line = heartbeat.line(began.elapsed(), lines.load(Ordering::Relaxed));
                line.iter().for_each(|line| remark(line));
            };
            let mut modules = || modules_of(child_id);
            let import =
                scope.spawn(move || lackey::import_watched(text, References::new(recorder), &mut modules));
            let status = wait(child, log, || import.is_finished(), is_stopped, tell);
            let report = import.join().expect("the import does not panic");
            Ok((report.map_err(|source| Failure::Lackey { file: self.output.clone(), source })?, status?))
        })
    }

    fn start(&self, log: &PipeWriter) -> Result<Child, Failure> {
        let mut valgrind = Command::new("valgrind");
        valgrind.args(["--tool=lackey", "--trace-mem=yes", "--child-silent-after-fork=yes"]);
        valgrind.arg(format!("--log-file=/proc/{}/fd/{}", std::process::id(), log.as_raw_fd()));
        valgrind.args(&self.command).spawn().map_err(|error| {
            let what = match error.kind() {
                io::ErrorKind::NotFound => {
                    "not installed, but needed for recording: `apt-get install valgrind`".into()
                }
                _ => format!("cannot be started: {error}"),
            };
            Failure::source(Path::new("valgrind"), what)
        })
    }

    fn summary(&self, report: &LackeyReport, status: ExitStatus, seconds: f64) -> Summary<'static> {
        let counts = report.counts;
        let (file_bytes, plain_bytes) = (file_len(&self.output), counts.records * Reference::LEN as u64);
        let sentence = format!(
            "{}: {} ({}, {}, {}), {}, {seconds:.2} s; the program ended with {status}",
            self.output.display(),
            counted(counts.records, "record"),
            counted(counts.instructions, "instruction"),
            counted(counts.reads, "load"),
            counted(counts.writes, "store"),
            sizes(file_bytes, plain_bytes),
        );
        let fields = vec![
            ("file", self.output.to_string_lossy().into()),
            ("records", counts.records.into()),
            ("instructions", counts.instructions.into()),
            ("loads", counts.reads.into()),
            ("stores", counts.writes.into()),
            ("file_bytes", file_bytes.into()),
            ("plain_bytes", plain_bytes.into()),
            ("exit_code", status.code().into()),
            ("seconds", seconds.into()),
        ];
        Summary { sentence, fields }
    }
}

/// The files that are mapped in the recorded process. Empty if the process has ended, or now runs another
/// program, which valgrind does not record.
fn modules_of(process: u32) -> Vec<Module> {
    let maps = std::fs::read(format!("/proc/{process}/maps")).unwrap_or_default();
    let mut modules = process_maps::parse(&maps);
    if !modules.iter().any(|module| module.path.windows(TOOL.len()).any(|part| part == TOOL)) {
        return Vec::new();
    }
    let mut known: Vec<(Vec<u8>, Vec<u8>)> = Vec::new();
    for module in &mut modules {
        let before = known.iter().find(|(path, _)| *path == module.path);
        module.build_id = match before {
            Some((_, build_id)) => build_id.clone(),
            None => {
                let path = Path::new(OsStr::from_bytes(&module.path));
                let build_id = FileBinaries::build_id(path).unwrap_or_default();
                known.push((module.path.clone(), build_id.clone()));
                build_id
            }
        };
    }
    modules
}

/// Waits for the program to end, and then writes [`END`] to the pipe. Kills the program if the reader of the
/// pipe has finished early because of an error. If the user stops the recording, kills the program unless it
/// ends by itself, since Ctrl-C also reaches the program. Calls `tell` repeatedly during the wait.
fn wait(
    mut child: Child,
    mut log: PipeWriter,
    is_read: impl Fn() -> bool,
    is_stopped: &AtomicBool,
    mut tell: impl FnMut(),
) -> Result<ExitStatus, Failure> {
    let mut stopped_at = None;
    loop {
        if let Some(status) = child.try_wait().map_err(Failure::Output)? {
            // If the import has failed, it has closed its end of the pipe, and will return its own error.
            let _ = log.write_all(&[END]);
            return Ok(status);
        }
        if is_stopped.load(Ordering::Relaxed) {
            stopped_at.get_or_insert_with(Instant::now);
        }
        if is_read() || stopped_at.is_some_and(|since: Instant| since.elapsed() > PATIENCE) {
            let _ = child.kill();
        }
        tell();
        thread::sleep(POLL);
    }
}
