//! Finds Varvite's own valgrind tool, which `make recorder` builds, and records a program with it.
//!
//! The tool runs in the recorded process, and sends messages through a socket. This process expands and
//! compresses the records, on another processor.

use std::env;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::io;
use std::os::fd::{AsRawFd, OwnedFd};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::sync::atomic::Ordering;
use std::thread;
use std::time::Instant;

use clap::Args;

use super::children::{self, Traces};
use super::heartbeat::{Heartbeat, Slowdown};
use super::messages::{Messages, read};
use super::program::{not_started, start, wait, wait_for_children};
use super::{Recorded, Recording};
use crate::failure::Failure;
use crate::output::remark;

/// The file of the tool, by valgrind's rules for names.
const FILE: &str = "varvite-amd64-linux";
/// The folders of the tool, from that of the command: of a release, of `cargo build`, and of a system.
const FOLDERS: [&str; 3] = ["recorder", "../recorder", "../lib/varvite/recorder"];
/// The file with the output of `valgrind --version`, as the tool was built.
const VERSION_FILE: &str = "version";
/// The factors by which the tool slowed zlib, sqlite and Lua down in `make bench-record`: with all records,
/// with accesses alone, and while it drops what it could record.
const SLOWDOWN: Slowdown = Slowdown::of(20.0, 60.0);
const SLOWDOWN_OF_ACCESSES: Slowdown = Slowdown::of(18.0, 50.0);
const SLOWDOWN_OF_PAUSE: Slowdown = Slowdown::of(4.0, 15.0);

/// The options of the tool.
#[derive(Debug, Args)]
pub(super) struct ToolArgs {
    /// Folder of the recorder that `make recorder` built [default: beside this command]
    #[arg(long, value_name = "FOLDER", conflicts_with = "lackey")]
    recorder: Option<PathBuf>,
    /// Record with valgrind's lackey, which is 100 to 200 times slower than the recorder
    #[arg(long)]
    lackey: bool,
    /// Record loads and stores alone
    #[arg(long, conflicts_with = "lackey")]
    no_instructions: bool,
    /// Record for BURST of each PERIOD, such as 1ms/100ms
    #[arg(long, value_name = "BURST/PERIOD", conflicts_with = "lackey", value_parser = sample)]
    sample: Option<Sample>,
    /// Record from the first call of the function NAME
    #[arg(long, value_name = "NAME", conflicts_with = "lackey")]
    from_function: Option<OsString>,
    /// Record N references; the program then goes on without being recorded
    #[arg(long, value_name = "N", conflicts_with = "lackey")]
    max_records: Option<u64>,
    /// Record the processes that the program starts too, each program and each process into a trace of its
    /// own
    #[arg(long, conflicts_with = "lackey")]
    follow_children: bool,
}

/// The times of `--sample`, in microseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Sample {
    burst_us: u32,
    period_us: u32,
}

/// The tool that was found.
pub(super) struct Tool {
    folder: PathBuf,
}

fn sample(text: &str) -> Result<Sample, String> {
    let parsed = text.split_once('/').and_then(|(burst, period)| {
        Some(Sample { burst_us: microseconds(burst)?, period_us: microseconds(period)? })
    });
    let valid = parsed.filter(|sample| 0 < sample.burst_us && sample.burst_us < sample.period_us);
    valid.ok_or_else(|| "give two times in us, ms or s, the first one shorter: 1ms/100ms".into())
}

fn microseconds(text: &str) -> Option<u32> {
    let digits = text.len() - text.trim_start_matches(|digit: char| digit.is_ascii_digit()).len();
    let (number, unit) = text.split_at(digits);
    let factor = match unit {
        "us" => 1,
        "ms" => 1000,
        "s" => 1_000_000,
        _ => return None,
    };
    // The tool's options are signed numbers.
    number.parse::<u32>().ok()?.checked_mul(factor).filter(|us| i32::try_from(*us).is_ok())
}

impl ToolArgs {
    /// Finds the tool; `None` if lackey shall record. Refuses a tool of another version of valgrind.
    pub(super) fn find(&self) -> Result<Option<Tool>, Failure> {
        if self.lackey {
            return Ok(None);
        }
        let found = match &self.recorder {
            Some(folder) if folder.join(FILE).is_file() => Some(folder.clone()),
            Some(folder) => {
                return Err(Failure::source(folder, format!("has no {FILE}: `make recorder` builds it")));
            }
            None => beside_command(),
        };
        match found {
            Some(folder) => Tool::checked(folder).map(Some),
            None if self.needs_tool() => Err(Failure::source(
                Path::new("varvite trace record"),
                "this option needs the recorder that `make recorder` builds; lackey does not have it".into(),
            )),
            None => Ok(None),
        }
    }

    /// Whether the user chose lackey.
    pub(super) fn is_lackey(&self) -> bool {
        self.lackey
    }

    fn needs_tool(&self) -> bool {
        self.no_instructions
            || self.sample.is_some()
            || self.from_function.is_some()
            || self.max_records.is_some()
            || self.follow_children
    }

    /// The most records of a trace.
    pub(super) fn records_max(&self) -> u64 {
        self.max_records.unwrap_or(u64::MAX)
    }

    /// Whether the tool leaves out records between bursts.
    pub(super) fn samples(&self) -> bool {
        self.sample.is_some()
    }

    /// The factors by which a recording with these options slows programs down.
    fn slowdown(&self) -> Slowdown {
        let whole = if self.no_instructions { SLOWDOWN_OF_ACCESSES } else { SLOWDOWN };
        let Some(Sample { burst_us, period_us }) = self.sample else { return whole };
        let recorded = f64::from(burst_us) / f64::from(period_us);
        let between = |pause: f64, whole: f64| pause + recorded * (whole - pause);
        let pause = SLOWDOWN_OF_PAUSE;
        Slowdown::of(between(pause.least, whole.least), between(pause.most, whole.most))
    }

    /// The function whose first call begins the recording.
    pub(super) fn first_function(&self) -> Option<&OsStr> {
        self.from_function.as_deref()
    }

    fn words(&self) -> Vec<OsString> {
        let mut words = Vec::new();
        if self.no_instructions {
            words.push("--record-instructions=no".into());
        }
        if let Some(Sample { burst_us, period_us }) = self.sample {
            words.push(format!("--sample-burst-us={burst_us}").into());
            words.push(format!("--sample-period-us={period_us}").into());
        }
        if let Some(name) = &self.from_function {
            words.push([OsStr::new("--from-function="), name].into_iter().collect());
        }
        if self.follow_children {
            words.extend(["--trace-children=yes", "--record-children=yes"].map(OsString::from));
        }
        words
    }
}

fn beside_command() -> Option<PathBuf> {
    let command = env::current_exe().ok()?;
    let folders = FOLDERS.iter().map(|folder| command.parent().map(|parent| parent.join(folder)));
    folders.flatten().find(|folder| folder.join(FILE).is_file())
}

impl Tool {
    fn checked(folder: PathBuf) -> Result<Self, Failure> {
        let built = fs::read_to_string(folder.join(VERSION_FILE)).unwrap_or_default();
        let mut valgrind = Command::new("valgrind");
        // Even for its version, valgrind starts a tool, which another folder may not have.
        let version = valgrind.arg("--version").env_remove("VALGRIND_LIB").output();
        let version = version.map_err(|error| not_started(&error))?.stdout;
        let installed = String::from_utf8_lossy(&version);
        if built.trim() == installed.trim() {
            return Ok(Self { folder });
        }
        let (built, installed) = (built.trim(), installed.trim());
        let what = format!(
            "was built for {built:?}, and {installed:?} is installed: build it again with `make recorder`, or \
             record with --lackey"
        );
        Err(Failure::source(&folder, what))
    }

    fn start(&self, recording: &Recording<'_>, socket: &OwnedFd) -> Result<Child, Failure> {
        let mut valgrind = Command::new("valgrind");
        // Absolute, because the program may change its folder before valgrind reads another file.
        let folder = fs::canonicalize(&self.folder).map_err(Failure::Output)?;
        valgrind.env("VALGRIND_LIB", folder).args(["-q", "--tool=varvite"]);
        let inode = inode(socket).map_err(Failure::Output)?;
        valgrind.args([format!("--stream-fd={}", socket.as_raw_fd()), format!("--stream-inode={inode}")]);
        start(valgrind.args(recording.args.tool.words()).args(&recording.args.command))
    }
}

/// The inode of a socket, by which the tool finds it.
fn inode(socket: &OwnedFd) -> io::Result<u64> {
    Ok(fs::File::from(socket.try_clone()?).metadata()?.ino())
}

/// Records a program with the tool.
pub(super) fn record(recording: &Recording<'_>, tool: &Tool) -> Result<Recorded, Failure> {
    let (messages, socket) = Messages::with_socket().map_err(|error| Failure::Output(error.into()))?;
    let began = Instant::now();
    let child = tool.start(recording, &socket)?;
    drop(socket);
    let mut heartbeat = Heartbeat::new(recording.args.tool.slowdown());
    let mut tell = || {
        let line = heartbeat.line(began.elapsed(), recording.records.load(Ordering::Relaxed));
        line.iter().for_each(|line| remark(line));
    };
    thread::scope(|scope| {
        if recording.args.tool.follow_children {
            let import = scope.spawn(|| children::read(recording, &messages));
            let (ask_for_end, close) = (|| messages.ask_for_end(), || messages.close());
            let status = wait(child, recording.stop, ask_for_end, &mut tell);
            let is_over = || import.is_finished();
            wait_for_children(is_over, recording.stop, &mut tell, [&ask_for_end, &close]);
            let Traces { first, first_failure, others, failure } =
                import.join().expect("the import does not panic");
            let recorded = Recorded::of(&first, &recording.args.tool, status?);
            return Ok(Recorded {
                failure: first_failure,
                children: others,
                child_failure: failure,
                ..recorded
            });
        }
        let import = scope.spawn(|| read(recording, &messages));
        // A failed import closes the socket, and the program goes on without being recorded.
        let status = wait(child, recording.stop, || messages.ask_for_end(), &mut tell);
        let report = import.join().expect("the import does not panic")?;
        Ok(Recorded::of(&report, &recording.args.tool, status?))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_recording_of_less_slows_a_program_down_less() {
        #[derive(clap::Parser)]
        struct CommandLine {
            #[command(flatten)]
            tool: ToolArgs,
        }
        let of = |words: &[&str]| {
            let words = [&["record"][..], words].concat();
            let Slowdown { least, most } = <CommandLine as clap::Parser>::parse_from(words).tool.slowdown();
            (least.round(), most.round())
        };
        assert_eq!(of(&[]), (20.0, 60.0));
        assert_eq!(of(&["--no-instructions"]), (18.0, 50.0));
        assert_eq!(of(&["--sample", "1ms/100ms"]), (4.0, 15.0));
        assert_eq!(of(&["--sample", "50ms/100ms"]), (12.0, 38.0));
    }

    #[test]
    fn a_sample_is_two_times() {
        let of = |burst_us, period_us| Ok(Sample { burst_us, period_us });
        assert_eq!(sample("1ms/100ms"), of(1000, 100_000));
        assert_eq!(sample("250us/2s"), of(250, 2_000_000));
        for text in ["", "1ms", "1/2", "1ms/1ms", "2ms/1ms", "0s/1s", "ms/s", "1ms/9999999s", "1 ms/2 ms"] {
            assert!(sample(text).is_err(), "{text:?}");
        }
    }
}
