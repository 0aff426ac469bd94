//! Runs a child process with limited memory and time, and checks that it ends with a proper message.

use std::fmt;
use std::fs::{self, File};
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use crate::process::could_not_start;
use crate::{Outcome, cannot};

/// The address space of a child process in bytes, in addition to the length of the file that it opens.
const MEMORY: u64 = 512 << 20;
/// Limit of processor time in seconds.
pub(super) const CPU_SECONDS: u64 = 5;
/// The limit of processor time, in seconds, for a repeated run: on a busy machine, the same work takes more
/// processor time.
pub(super) const CPU_SECONDS_ALONE: u64 = 15;
/// The signal that ends a process that exceeds its limit of processor time.
const SIGKILL: i32 = 9;
/// The time after which a child process is considered stuck.
const PATIENCE: Duration = Duration::from_secs(60);

/// The way in which a run ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Ending {
    /// An exit code.
    Code(i32),
    /// A signal: an abort, a fault, or the limit of processor time.
    Signal(i32),
    /// The child did not end.
    Stuck,
    /// An exit code without the single message that must come with it.
    Speechless(i32),
    /// The error numbers that a program printed.
    Numbers(String),
}

impl Ending {
    /// Whether the ending is documented: an exit code in the list of `varvite --help`, with a message if this
    /// code needs one; or printed error numbers.
    pub(super) fn is_documented(&self) -> bool {
        matches!(self, Self::Code(0..=6) | Self::Numbers(_))
    }

    /// Whether the child exceeded its processor time, or was killed by another process.
    pub(super) fn is_out_of_time(&self) -> bool {
        *self == Self::Signal(SIGKILL)
    }
}

impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Code(code) => write!(f, "{code}"),
            Self::Signal(signal) => write!(f, "signal-{signal}"),
            Self::Stuck => write!(f, "stuck"),
            Self::Speechless(code) => write!(f, "{code}-without-a-message"),
            Self::Numbers(numbers) => write!(f, "{numbers}"),
        }
    }
}

/// A finished run: its ending, its duration, and the last part of its standard error.
#[derive(Debug)]
pub(super) struct Run {
    pub(super) ending: Ending,
    pub(super) time: Duration,
    pub(super) said: String,
    /// The standard output, if it was captured.
    answer: String,
}

impl Run {
    /// For a program that prints error numbers: makes these numbers the ending of the run.
    pub(super) fn into_numbers(mut self) -> Self {
        if self.ending == Ending::Code(0) {
            self.ending = Ending::Numbers(self.answer.trim_end().to_owned());
        }
        self
    }
}

/// The settings of a child process.
pub(super) struct Start<'a> {
    pub(super) program: &'a Path,
    pub(super) words: &'a [String],
    /// The length of the file that the child opens. The address space has room to map this file.
    pub(super) file_len: u64,
    pub(super) cpu_seconds: u64,
    /// A folder for the temporary files of the run.
    pub(super) scratch: &'a Path,
}

impl Start<'_> {
    /// Runs the child within the limits, and discards its standard output.
    pub(super) fn run(&self) -> Outcome<Run> {
        let mut command = self.command();
        command.stdout(Stdio::null());
        wait(command, self.words, self.scratch, PATIENCE)
    }

    /// Runs the child within the limits, and captures its standard output.
    pub(super) fn output(&self) -> Outcome<Run> {
        let mut command = self.command();
        let answer = self.scratch.join("stdout");
        command.stdout(File::create(&answer).map_err(|error| cannot("use", &answer, &error))?);
        let run = wait(command, self.words, self.scratch, PATIENCE)?;
        Ok(Run {
            answer: fs::read_to_string(&answer).map_err(|error| cannot("use", &answer, &error))?,
            ..run
        })
    }

    fn command(&self) -> Command {
        let mut command = limited(MEMORY + self.file_len, self.cpu_seconds);
        command.arg(self.program).args(self.words);
        command
    }
}

/// A command that runs the arguments added to it as another command, with at most `memory` bytes of address
/// space and `seconds` seconds of processor time.
pub(super) fn limited(memory: u64, seconds: u64) -> Command {
    let mut limited = Command::new("prlimit");
    limited.arg(format!("--as={memory}")).arg(format!("--cpu={seconds}")).arg("--core=0");
    // Each arena of glibc reserves 128 MB of address space; by default, there is about one for each thread.
    limited.env("MALLOC_ARENA_MAX", "1").env_remove("RUST_BACKTRACE").stdin(Stdio::null());
    limited
}

fn wait(mut command: Command, words: &[String], scratch: &Path, patience: Duration) -> Outcome<Run> {
    let errors = scratch.join("stderr");
    command.stderr(File::create(&errors).map_err(|error| cannot("use", &errors, &error))?);
    let began = Instant::now();
    let mut child =
        command.spawn().map_err(|error| could_not_start(&command, &error, "apt install util-linux"))?;
    let status = loop {
        match child.try_wait().map_err(|error| cannot("use", &errors, &error))? {
            Some(status) => break Some(status),
            None if began.elapsed() > patience => {
                let _ = child.kill();
                let _ = child.wait();
                break None;
            }
            None => std::thread::sleep(Duration::from_millis(1)),
        }
    };
    let time = began.elapsed();
    let said = fs::read(&errors).map_err(|error| cannot("use", &errors, &error))?;
    let said = String::from_utf8_lossy(&said).into_owned();
    let ending = status.map_or(Ending::Stuck, |status| ending(status, &said, words));
    Ok(Run { ending, time, said, answer: String::new() })
}

fn ending(status: ExitStatus, said: &str, words: &[String]) -> Ending {
    let Some(code) = status.code() else { return Ending::Signal(status.signal().unwrap_or_default()) };
    let messages: Vec<&str> = said.lines().filter(|line| line.starts_with("varvite: ")).collect();
    let is_message = match code {
        0 => !said.contains("panicked"),
        // A message about a damaged file must name the file. Other failures are about the command, not about
        // the file.
        1 | 3 => messages.iter().any(|line| files_of(words).any(|file| line.contains(file))),
        _ => !messages.is_empty(),
    };
    if is_message { Ending::Code(code) } else { Ending::Speechless(code) }
}

/// The names of the files on a command line.
fn files_of(words: &[String]) -> impl Iterator<Item = &str> {
    let paths = words.iter().filter(|word| word.starts_with('/')).filter_map(|word| word.rsplit('/').next());
    // In an argument that names a binary, the load address may follow the file name.
    paths.filter_map(|name| name.split('@').next())
}
