//! `cargo xtask bench-record [--rounds N] [--percent N] [--only PREFIX] [--no-lackey] [--command FILE]`:
//! measures how much recording slows a program down. `--percent` changes the work of the programs, and
//! `--command` measures a command `varvite` that was built before.
//!
//! Runs programs of zlib, sqlite and Lua alone, under valgrind's tools `none`, `cachegrind` and `lackey`, and
//! under `varvite trace record` with all records, without instructions, and with samples. Each round runs all
//! of these in turn, so that a change of the machine's speed concerns all. Lackey gets a fiftieth of the
//! work, and is compared with the program at that work.

mod measure;
mod programs;
mod table;

use std::path::{Path, PathBuf};
use std::process::Command;

use self::measure::{Measured, Runner, Way};
use self::programs::Program;
use crate::built::{self, Profile};
use crate::process::{self, target_dir};
use crate::{Failure, Outcome, cannot};

/// The part of the work that lackey gets.
const LACKEY_PART: u32 = 50;

/// The arguments of the command.
#[derive(Debug, PartialEq, Eq)]
struct Arguments {
    rounds: usize,
    /// The work of each program, in hundredths of the usual work.
    percent: u32,
    only: String,
    has_lackey: bool,
    /// The command that is measured; `None` if it is built.
    command: Option<PathBuf>,
}

impl Arguments {
    fn of(words: &[String]) -> Outcome<Self> {
        let usage = || {
            Failure(
                "bench-record knows --rounds N, --percent N, --only PREFIX, --no-lackey and --command FILE"
                    .into(),
            )
        };
        let mut arguments =
            Self { rounds: 5, percent: 100, only: String::new(), has_lackey: true, command: None };
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
                _ => return Err(usage()),
            }
        }
        Ok(arguments)
    }
}

/// Builds what is measured, measures it, and prints a table for each program.
pub(crate) fn run(root: &Path, words: &[String]) -> Outcome {
    let arguments = Arguments::of(words)?;
    let scratch = target_dir(root).join("bench-record");
    std::fs::create_dir_all(&scratch).map_err(|error| cannot("create", &scratch, &error))?;
    let recorder = build_recorder(root)?;
    let varvite = match &arguments.command {
        Some(command) => command.clone(),
        None => built::varvite(root, Profile::Release)?,
    };
    let runner = Runner { varvite, recorder, trace: scratch.join("run.vtrace") };
    let programs = programs::all(root, &scratch, arguments.percent)?;
    println!("{}", machine(arguments.rounds)?);
    for program in programs.iter().filter(|program| program.name.starts_with(&arguments.only)) {
        let measured = measure_program(&runner, program, &arguments)?;
        print!("\n{}", table::of(program.name, &measured));
    }
    Ok(())
}

fn build_recorder(root: &Path) -> Outcome<PathBuf> {
    let folder = std::path::absolute(target_dir(root).join("recorder"))
        .map_err(|error| Failure(format!("no current folder: {error}")))?;
    let mut make = Command::new("make");
    make.args(["--silent", "-C"]).arg(root.join("tools/valgrind")).arg(format!("OUT={}", folder.display()));
    process::run(&mut make, "apt-get install make gcc valgrind")?;
    Ok(folder)
}

/// The conditions of a measurement: a table means little without them.
fn machine(rounds: usize) -> Outcome<String> {
    let valgrind = process::output(Command::new("valgrind").arg("--version"), "apt-get install valgrind")?;
    let load = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    let load = load.split(' ').next().unwrap_or_default();
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    Ok(format!(
        "{rounds} rounds, {processors} processors, a load of {load} before the first; {}",
        valgrind.trim()
    ))
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
            let part = if measured.way.is_of_lackey() { LACKEY_PART } else { 1 };
            measured.runs.push(runner.run(measured.way, &program.command(part))?);
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
        assert_eq!(all, Arguments { rounds: 3, percent: 2, only: "z".into(), has_lackey: false, command });
        for words in [&["--rounds"][..], &["--rounds", "0"], &["zlib"]] {
            assert!(of(words).is_err(), "{words:?}");
        }
    }
}
