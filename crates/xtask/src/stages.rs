//! `cargo xtask stages`: runs the stages of `make test` that are commands of xtask, two at a time.
//!
//! Most of their programs use one processor, so two stages run beside each other. Only one of them uses
//! Maven. A stage that fails does not stop the others. The output of a stage goes to a file and is printed
//! when the stage ends. At the end come the seconds of each stage, and then once more the last lines of the
//! stages that failed, because some machines keep only the beginning and the end of a long log.

use std::fs::{self, File};
use std::io::{self, Write};
use std::iter;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::thread;
use std::time::{Duration, Instant};

use crate::process::{could_not_start, target_dir};
use crate::{Failure, Outcome, cannot};

const WITH_MAVEN: [&str; 6] = [
    "roundtrip examples/data/zlib.cpg.bin",
    "test-peers",
    "differential",
    "test-java",
    "examples",
    "test-release --short",
];
/// The other stages, the longest first, so that no processor waits at the end.
const OTHERS: [&str; 8] = [
    "crash",
    "test-python",
    "test-explorer --short",
    "test-c",
    "soak-memory 100 --rust",
    "loom",
    "reference",
    "writers --seconds 10",
];

/// The number of lines of a failed stage that are printed at the end.
const LAST_LINES: usize = 60;

/// A stage that has ended.
struct Ended {
    stage: &'static str,
    time: Duration,
    is_ok: bool,
    output: Vec<u8>,
}

/// Runs all stages.
///
/// # Errors
/// Names the stages that failed.
pub(crate) fn run(root: &Path) -> Outcome {
    let stages = Stages::new(target_dir(root).join("stages"))?;
    let others = Mutex::new(OTHERS.into_iter());
    let left = || iter::from_fn(|| others.lock().ok()?.next());
    let ended = thread::scope(|scope| {
        let beside = scope.spawn(|| stages.run_all(left()));
        let mut ended = stages.run_all(WITH_MAVEN.into_iter().chain(left()))?;
        ended.extend(beside.join().expect("a list of stages returns its failure")?);
        Ok(ended)
    })?;
    report(&ended)
}

/// The folder with the outputs of stages, and with a copy of this program: stages that compile the workspace
/// replace the original.
struct Stages {
    folder: PathBuf,
    program: PathBuf,
}

impl Stages {
    fn new(folder: PathBuf) -> Outcome<Self> {
        fs::create_dir_all(&folder).map_err(|error| cannot("create", &folder, &error))?;
        let this =
            std::env::current_exe().map_err(|error| Failure(format!("cannot find this program: {error}")))?;
        let program = folder.join("xtask");
        fs::copy(&this, &program).map_err(|error| cannot("copy", &this, &error))?;
        Ok(Self { folder, program })
    }

    /// Runs stages, one after the other.
    fn run_all(&self, list: impl Iterator<Item = &'static str>) -> Outcome<Vec<Ended>> {
        list.map(|stage| self.run(stage)).collect()
    }

    fn run(&self, stage: &'static str) -> Outcome<Ended> {
        let words: Vec<&str> = stage.split(' ').collect();
        let log = self.folder.join(format!("{}.log", words[0]));
        let began = Instant::now();
        let is_ok = self.succeeds(&words, &log)?;
        let output = fs::read(&log).map_err(|error| cannot("read", &log, &error))?;
        let ended = Ended { stage, time: began.elapsed(), is_ok, output };
        print(&ended).map_err(|error| Failure(format!("cannot print the output of {stage}: {error}")))?;
        Ok(ended)
    }

    /// Runs a command of this program with its output in a file, and returns whether it succeeded.
    fn succeeds(&self, words: &[&str], log: &Path) -> Outcome<bool> {
        let (out, errors) = File::create(log)
            .and_then(|file| Ok((file.try_clone()?, file)))
            .map_err(|error| cannot("create", log, &error))?;
        let mut stage = Command::new(&self.program);
        let status = stage.args(words).stdout(out).stderr(errors).status();
        Ok(status.map_err(|error| could_not_start(&stage, &error, ""))?.success())
    }
}

/// Prints the whole output of a stage. No other stage prints meanwhile.
fn print(ended: &Ended) -> io::Result<()> {
    let mut out = io::stdout().lock();
    writeln!(out, "== {} {}, after {} s", ended.stage, outcome(ended), ended.time.as_secs())?;
    out.write_all(&ended.output)?;
    writeln!(out)
}

fn outcome(ended: &Ended) -> &'static str {
    if ended.is_ok { "passed" } else { "failed" }
}

/// Prints the seconds of each stage, and the end of the output of those that failed.
fn report(ended: &[Ended]) -> Outcome {
    for stage in ended {
        println!("{:>6} s  {}: {}", stage.time.as_secs(), stage.stage, outcome(stage));
    }
    let failed: Vec<&Ended> = ended.iter().filter(|stage| !stage.is_ok).collect();
    for stage in &failed {
        println!("== the last lines of {}:\n{}", stage.stage, last_lines(&stage.output));
    }
    match failed.is_empty() {
        true => Ok(()),
        false => {
            let names: Vec<&str> = failed.iter().map(|stage| stage.stage).collect();
            Err(Failure(format!("failed: {}", names.join(", "))))
        }
    }
}

fn last_lines(output: &[u8]) -> String {
    let text = String::from_utf8_lossy(output);
    let lines: Vec<&str> = text.lines().collect();
    lines[lines.len().saturating_sub(LAST_LINES)..].join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ended(stage: &'static str, is_ok: bool) -> Ended {
        Ended { stage, time: Duration::ZERO, is_ok, output: b"a line\n".to_vec() }
    }

    #[test]
    fn failed_stages_are_named() {
        assert!(report(&[ended("one", true), ended("two", true)]).is_ok());
        let failure = report(&[ended("one", true), ended("two", false), ended("three", false)]).unwrap_err();
        assert_eq!(failure.0, "failed: two, three");
    }

    #[test]
    fn long_outputs_are_shown_by_their_end() {
        let output: String = (0..100).map(|line| format!("{line}\n")).collect();
        let shown = last_lines(output.as_bytes());
        assert!(shown.starts_with("40\n41\n") && shown.ends_with("\n99"));
        assert_eq!(last_lines(b""), "");
    }
}
