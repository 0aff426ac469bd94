//! [`Runner`]: runs a program in one of several ways, and measures the run.

use std::fs;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value as Json;

use crate::process;
use crate::{Failure, Outcome};

/// The ticks of processor time in a second, in files under `/proc`.
const TICKS: f64 = 100.0;
/// The time between two looks at the memory of the recorder.
const LOOK: Duration = Duration::from_millis(5);

/// A way to run a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Way {
    Alone,
    /// Valgrind without a tool, which only translates.
    None,
    Cachegrind,
    Recorded,
    /// Loads and stores alone.
    Accesses,
    Sampled,
    /// The work of lackey, without a tool.
    AloneForLackey,
    Lackey,
}

impl Way {
    pub(super) const ALL: [Self; 8] = [
        Self::Alone,
        Self::None,
        Self::Cachegrind,
        Self::Recorded,
        Self::Accesses,
        Self::Sampled,
        Self::AloneForLackey,
        Self::Lackey,
    ];

    /// The side of the results.
    pub(super) fn side(self) -> &'static str {
        match self {
            Self::Alone => "alone",
            Self::None => "none",
            Self::Cachegrind => "cachegrind",
            Self::Recorded => "recorded",
            Self::Accesses => "accesses",
            Self::Sampled => "sampled",
            Self::AloneForLackey => "alone for lackey",
            Self::Lackey => "lackey",
        }
    }

    /// Whether the program gets the work of lackey.
    pub(super) fn is_of_lackey(self) -> bool {
        matches!(self, Self::AloneForLackey | Self::Lackey)
    }

    /// The options of the recorder; `None` if the program is not recorded.
    fn recording(self) -> Option<&'static [&'static str]> {
        match self {
            Self::Recorded => Some(&[]),
            Self::Accesses => Some(&["--no-instructions"]),
            Self::Sampled => Some(&["--sample", "1ms/100ms"]),
            Self::Lackey => Some(&["--lackey"]),
            _ => None,
        }
    }
}

/// All runs of a program in one way.
pub(super) struct Measured {
    pub(super) way: Way,
    pub(super) runs: Vec<Run>,
}

/// A run.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Run {
    pub(super) seconds: f64,
    /// The processor time of all processes.
    pub(super) processor_seconds: f64,
    pub(super) recorded: Option<Recorded>,
}

/// The result of a recording.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Recorded {
    pub(super) records: u64,
    pub(super) file_bytes: u64,
    /// The most memory of the recording command, without the program.
    pub(super) memory_bytes: u64,
}

/// The programs and files of the runs.
pub(super) struct Runner {
    pub(super) varvite: PathBuf,
    pub(super) recorder: PathBuf,
    pub(super) trace: PathBuf,
}

impl Runner {
    /// Runs a program once.
    pub(super) fn run(&self, way: Way, words: &[String]) -> Outcome<Run> {
        let mut command = self.command(way, words);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let (began, ticks) = (Instant::now(), ticks_of_children());
        let child = command.spawn().map_err(|error| process::could_not_start(&command, &error, ""))?;
        let memory_bytes = if way.recording().is_some() { watch_memory(&child) } else { 0 };
        let output = child.wait_with_output().map_err(|error| Failure(format!("cannot wait: {error}")))?;
        let seconds = began.elapsed().as_secs_f64();
        if !output.status.success() {
            eprint!("{}", String::from_utf8_lossy(&output.stderr));
            return Err(Failure(format!("failed ({}): {}", output.status, process::line(&command))));
        }
        let processor_seconds = (ticks_of_children() - ticks) as f64 / TICKS;
        let text = String::from_utf8_lossy(&output.stdout);
        let recorded = way.recording().map(|_| recorded(&text, memory_bytes)).transpose()?;
        Ok(Run { seconds, processor_seconds, recorded })
    }

    fn command(&self, way: Way, words: &[String]) -> Command {
        let mut command = match way.recording() {
            Some(options) => {
                let mut command = Command::new(&self.varvite);
                command.args(["trace", "record", "--force", "--format", "json", "-o"]).arg(&self.trace);
                if way != Way::Lackey {
                    command.arg("--recorder").arg(&self.recorder);
                }
                command.args(options).arg("--").arg(&words[0]);
                command
            }
            None if matches!(way, Way::None | Way::Cachegrind) => {
                let tool = if way == Way::None { "none" } else { "cachegrind" };
                let mut command = Command::new("valgrind");
                command.arg(format!("--tool={tool}"));
                if way == Way::Cachegrind {
                    command.arg("--cachegrind-out-file=/dev/null");
                }
                command.arg(&words[0]);
                command
            }
            None => Command::new(&words[0]),
        };
        command.args(&words[1..]);
        command
    }
}

/// Waits for the end of a recording. Returns the most memory that the command had.
fn watch_memory(child: &Child) -> u64 {
    let status = format!("/proc/{}/status", child.id());
    let mut most = 0;
    // A process that has ended, but was not waited for, has no memory.
    while let Some(bytes) = fs::read_to_string(&status).ok().as_deref().and_then(most_memory) {
        most = bytes;
        std::thread::sleep(LOOK);
    }
    most
}

fn most_memory(status: &str) -> Option<u64> {
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(line.trim().strip_suffix(" kB")?.parse::<u64>().ok()? << 10)
}

/// The processor time of all children that were waited for, and of theirs, in ticks.
fn ticks_of_children() -> u64 {
    let stat = fs::read_to_string("/proc/self/stat").unwrap_or_default();
    // The name of the program, in brackets, may contain blanks.
    let fields = stat.rsplit(')').next().unwrap_or_default().split_whitespace();
    fields.skip(13).take(2).filter_map(|ticks| ticks.parse::<u64>().ok()).sum()
}

/// Reads the summary of a recording, which follows what the program printed.
fn recorded(text: &str, memory_bytes: u64) -> Outcome<Recorded> {
    let summary = text.find('{').and_then(|at| serde_json::from_str::<Json>(&text[at..]).ok());
    let number = |name: &str| summary.as_ref()?[name].as_u64();
    match (number("records"), number("file_bytes")) {
        (Some(records), Some(file_bytes)) => Ok(Recorded { records, file_bytes, memory_bytes }),
        _ => Err(Failure("the recording has no summary".into())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_summary_is_read_behind_the_output_of_the_program() {
        let text = "row 1\n{\"records\": 12, \"file_bytes\": 34}\n";
        let recorded = recorded(text, 5).unwrap();
        assert_eq!((recorded.records, recorded.file_bytes, recorded.memory_bytes), (12, 34, 5));
        assert!(super::recorded("row 1\n", 0).is_err());
    }

    #[test]
    fn the_most_memory_is_read_in_bytes() {
        assert_eq!(most_memory("Name:\tx\nVmHWM:\t    1024 kB\n"), Some(1 << 20));
        assert_eq!(most_memory("Name:\tx\n"), None);
    }
}
