//! `cargo xtask bench-record [--rounds N] [--percent N] [--only PREFIX] [--no-lackey] [--short] [--command
//! FILE]`: measures how much recording slows a program down. `--percent` changes the work of the programs,
//! and `--command` measures a command `varvite` that was built before. `--short` checks that all of it works:
//! a round with a little work, programs of the profile of tests, and the page stays below the target folder.
//!
//! Runs programs of zlib, sqlite and Lua alone, under valgrind's tools `none`, `cachegrind` and `lackey`, and
//! under `varvite trace record` with all records, without instructions, and with samples. Each round runs all
//! of these in turn, so that a change of the machine's speed concerns all. Lackey gets a small part of the
//! work, and is compared with the program at that work. The harness makes the page.

mod measure;
mod programs;
mod samples;

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::json;

use self::measure::{Measured, Runner, Way};
use self::programs::Program;
use crate::built::{self, Profile};
use crate::process::{self, target_dir};
use crate::{Failure, Outcome, cannot};

/// The part of the work of a short run, in hundredths.
const SHORT_PERCENT: u32 = 2;

/// The arguments of the command.
#[derive(Debug, PartialEq, Eq)]
struct Arguments {
    rounds: usize,
    /// The work of each program, in hundredths of the usual work.
    percent: u32,
    only: String,
    has_lackey: bool,
    is_short: bool,
    /// The command that is measured; `None` if it is built.
    command: Option<PathBuf>,
}

impl Arguments {
    fn of(words: &[String]) -> Outcome<Self> {
        let usage = || {
            let known = "--rounds N, --percent N, --only PREFIX, --no-lackey, --short and --command FILE";
            Failure(format!("bench-record knows {known}"))
        };
        let mut arguments = Self {
            rounds: 5,
            percent: 100,
            only: String::new(),
            has_lackey: true,
            is_short: false,
            command: None,
        };
        let mut words = words.iter();
        while let Some(word) = words.next() {
            let mut value = || words.next().ok_or_else(usage);
            match word.as_str() {
                "--rounds" => {
                    arguments.rounds = value()?.parse().ok().filter(|it| *it > 0).ok_or_else(usage)?
                }
                "--percent" => {
                    arguments.percent = value()?.parse().ok().filter(|it| *it > 0).ok_or_else(usage)?
                }
                "--command" => arguments.command = Some(value()?.into()),
                "--only" => arguments.only = value()?.clone(),
                "--no-lackey" => arguments.has_lackey = false,
                "--short" => {
                    (arguments.is_short, arguments.rounds, arguments.percent) = (true, 1, SHORT_PERCENT);
                }
                _ => return Err(usage()),
            }
        }
        Ok(arguments)
    }

    /// The command line for the page, without folders of this machine.
    fn line(words: &[String]) -> String {
        let folders = words.iter().map(|word| if word.contains('/') { "FILE" } else { word });
        ["cargo xtask bench-record"].into_iter().chain(folders).collect::<Vec<_>>().join(" ")
    }
}

/// Builds what is measured, measures it, and lets the harness write the results and the page.
pub(crate) fn run(root: &Path, words: &[String]) -> Outcome {
    let arguments = Arguments::of(words)?;
    let scratch = target_dir(root).join("bench-record");
    std::fs::create_dir_all(&scratch).map_err(|error| cannot("create", &scratch, &error))?;
    let recorder = build_recorder(root)?;
    let profile = if arguments.is_short { Profile::Dev } else { Profile::Release };
    let harness = built::build(root, profile, &["--bin", "varvite-bench"])?.join("varvite-bench");
    let varvite = match &arguments.command {
        Some(command) => command.clone(),
        None => built::varvite(root, profile)?,
    };
    let runner = Runner { varvite, recorder, trace: scratch.join("run.vtrace") };
    let programs = programs::all(root, &scratch, arguments.percent)?;
    let (load, mut rows) = (load(), Vec::new());
    for program in programs.iter().filter(|program| program.name.starts_with(&arguments.only)) {
        eprintln!("bench-record: {}", program.name);
        rows.extend(samples::rows(program.name, &measure_program(&runner, program, &arguments)?));
    }
    let measured = json!({
        "bench": "record", "name": "record", "command": Arguments::line(words), "rounds": arguments.rounds,
        "load_before": load, "versions": {"valgrind": valgrind_version()?}, "rows": rows,
    });
    let file = scratch.join("measured.json");
    std::fs::write(&file, measured.to_string()).map_err(|error| cannot("write", &file, &error))?;
    let mut keep = Command::new(harness);
    keep.arg("keep").arg(file).arg("--root").arg(root);
    if arguments.is_short {
        keep.arg("--results").arg(scratch.join("results"));
    }
    process::run(&mut keep, "see rustup.rs")
}

fn build_recorder(root: &Path) -> Outcome<PathBuf> {
    let folder = std::path::absolute(target_dir(root).join("recorder"))
        .map_err(|error| Failure(format!("no current folder: {error}")))?;
    let mut make = Command::new("make");
    make.args(["--silent", "-C"]).arg(root.join("tools/valgrind")).arg(format!("OUT={}", folder.display()));
    process::run(&mut make, "apt-get install make gcc valgrind")?;
    Ok(folder)
}

fn valgrind_version() -> Outcome<String> {
    let version = process::output(Command::new("valgrind").arg("--version"), "apt-get install valgrind")?;
    Ok(version.trim().to_owned())
}

/// The load before the first run.
fn load() -> Option<f64> {
    std::fs::read_to_string("/proc/loadavg").ok()?.split(' ').next()?.parse().ok()
}

/// Runs a program in every way, `rounds` times in turn.
fn measure_program(runner: &Runner, program: &Program, arguments: &Arguments) -> Outcome<Vec<Measured>> {
    let mut measured: Vec<Measured> = Way::ALL
        .into_iter()
        .filter(|way| arguments.has_lackey || !way.is_of_lackey())
        .map(|way| Measured { way, runs: Vec::new() })
        .collect();
    for _ in 0..arguments.rounds {
        for measured in &mut measured {
            let words = program.command(measured.way.is_of_lackey());
            measured.runs.push(runner.run(measured.way, &words)?);
        }
    }
    Ok(measured)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_known_options_are_taken() {
        let of =
            |words: &[&str]| Arguments::of(&words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>());
        let all =
            of(&["--rounds", "3", "--percent", "2", "--only", "z", "--no-lackey", "--command", "v"]).unwrap();
        let command = Some("v".into());
        let expected = Arguments {
            rounds: 3,
            percent: 2,
            only: "z".into(),
            has_lackey: false,
            is_short: false,
            command,
        };
        assert_eq!(all, expected);
        assert!(of(&["--short"]).unwrap().is_short);
        for words in [&["--rounds"][..], &["--rounds", "0"], &["zlib"]] {
            assert!(of(words).is_err(), "{words:?}");
        }
    }

    #[test]
    fn the_command_line_of_the_page_has_no_folder() {
        let words = ["--only", "zlib", "--command", "/tmp/varvite"].map(str::to_owned);
        assert_eq!(Arguments::line(&words), "cargo xtask bench-record --only zlib --command FILE");
    }
}
