//! Records with lackey, a tool that comes with valgrind.
//!
//! Lackey writes text to a pipe, which valgrind opens by its name under `/proc`. So the text never reaches
//! the disk, and the program's own output is separate.

use std::io::{self, PipeWriter, Read, Write};
use std::os::fd::AsRawFd;
use std::process::{Child, Command};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Instant;

use varvite_memtrace::lackey::{self, LackeyError, LackeyReport};
use varvite_memtrace::process_maps;
use varvite_memtrace::reference::References;
use varvite_trace::Module;

use super::build_ids::BuildIds;
use super::heartbeat::{END, Heartbeat, LineCounter, Slowdown};
use super::program::{start, wait};
use super::{Recorded, Recording};
use crate::failure::Failure;
use crate::output::{counted, remark};

/// A line about the cost, for recordings without the option `--lackey`.
const COST: &str = "recording with valgrind's lackey, 2,000 to 8,300 times slower than the program \
                               alone; `make recorder` builds a tool that is 100 to 200 times faster";
/// The factors by which lackey slows programs down.
const SLOWDOWN: Slowdown = Slowdown::of(2000.0, 8300.0);

/// A part of the file name of valgrind's tool, which is mapped in every process that valgrind records.
const TOOL: &[u8] = b"lackey";

/// Records a program with lackey.
pub(super) fn record(recording: &Recording<'_>) -> Result<Recorded, Failure> {
    let (text, mut log) = io::pipe().map_err(Failure::Output)?;
    let (began, lines) = (Instant::now(), recording.records);
    let child = start_lackey(recording, &log)?;
    if !recording.args.tool.is_lackey() {
        remark(COST);
    }
    let (child_id, has_failed) = (child.id(), &AtomicBool::new(false));
    thread::scope(|scope| {
        let mut heartbeat = Heartbeat::new(SLOWDOWN);
        let tell = || {
            if has_failed.load(Ordering::Relaxed) {
                return;
            }
            let line = heartbeat.line(began.elapsed(), lines.load(Ordering::Relaxed));
            line.iter().for_each(|line| remark(line));
        };
        let text = LineCounter::over(text, lines);
        let import = scope.spawn(move || read(recording, child_id, text, has_failed));
        let status = wait(child, recording.stop, || (), tell);
        let _ = log.write_all(&[END]);
        let report = import.join().expect("the import does not panic");
        let file = recording.args.output.clone();
        let report = report.map_err(|source| Failure::Lackey { file, source })?;
        let (counts, is_whole) = (report.counts, report.is_whole);
        if report.missing > 0 {
            let missing = counted(report.missing, "instruction");
            remark(&format!(
                "lackey has counted {missing} that it has not printed, so they are not recorded"
            ));
        }
        Ok(Recorded {
            counts,
            modifies: None,
            gaps: None,
            modules_left_out: 0,
            is_whole,
            status: status?,
            failure: None,
            children: Vec::new(),
            child_failure: None,
        })
    })
}

/// Reads lackey's text to its end. After an error, the text is read and dropped, because lackey would wait
/// for a pipe that nobody reads, and a pipe without a reader would end the program.
fn read(
    recording: &Recording<'_>,
    process: u32,
    mut text: impl Read,
    has_failed: &AtomicBool,
) -> Result<LackeyReport, LackeyError> {
    let target = References::new(recording.recorder);
    let report = lackey::import_watched(&mut text, target, &mut || modules_of(process));
    if let Err(error) = &report {
        has_failed.store(true, Ordering::Relaxed);
        remark(&format!("the program goes on without being recorded: {error}"));
        let _ = io::copy(&mut text, &mut io::sink());
    }
    report
}

fn start_lackey(recording: &Recording<'_>, log: &PipeWriter) -> Result<Child, Failure> {
    let mut valgrind = Command::new("valgrind");
    valgrind.args(["--tool=lackey", "--trace-mem=yes", "--child-silent-after-fork=yes"]);
    valgrind.arg(format!("--log-file=/proc/{}/fd/{}", std::process::id(), log.as_raw_fd()));
    start(valgrind.args(&recording.args.command))
}

/// The files that are mapped in the recorded process. Empty if the process has ended, or now runs another
/// program, which valgrind does not record.
fn modules_of(process: u32) -> Vec<Module> {
    let maps = std::fs::read(format!("/proc/{process}/maps")).unwrap_or_default();
    let mut modules = process_maps::parse(&maps);
    if !modules.iter().any(|module| module.path.windows(TOOL.len()).any(|part| part == TOOL)) {
        return Vec::new();
    }
    let mut build_ids = BuildIds::default();
    for module in &mut modules {
        module.build_id = build_ids.of(&module.path);
    }
    modules
}
