//! `cargo xtask crash` and `cargo xtask planted`: run the checks of `varvite-crash`, and show that these
//! checks find known bugs.
//!
//! The program is built twice: unchanged, and with known bugs. Each bug is enabled by itself in a separate
//! process. A bug that no check finds shows that the checks are insufficient.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use crate::built::{self, Profile};
use crate::process;
use crate::{Failure, Outcome, cannot};

const PROGRAM: &str = "varvite-crash";
const FEATURE: &str = "varvite-crash/planted";
/// A bug may make a check run forever. It counts as found after this many times the time that the checks take
/// without a bug.
const PATIENCE: u32 = 10;

/// The arguments of the command.
struct Arguments {
    profile: Profile,
    states: u64,
    kills: u64,
    is_long: bool,
}

impl Arguments {
    fn of(words: &[String]) -> Outcome<Self> {
        let usage =
            || Failure("usage: cargo xtask crash [--states N] [--kills N] [--long] [--release]".into());
        let mut arguments = Self { profile: Profile::Dev, states: 100_000, kills: 50, is_long: false };
        let mut words = words.iter();
        while let Some(word) = words.next() {
            let mut number = || words.next().and_then(|word| word.parse().ok()).ok_or_else(usage);
            match word.as_str() {
                "--states" => arguments.states = number()?,
                "--kills" => arguments.kills = number()?,
                "--long" => arguments.is_long = true,
                "--release" => arguments.profile = Profile::Release,
                _ => return Err(usage()),
            }
        }
        Ok(arguments)
    }
}

/// Runs all checks, in their short form unless `words` request the long form.
pub(crate) fn run(root: &Path, words: &[String]) -> Outcome {
    let Arguments { profile, states, kills, is_long } = Arguments::of(words)?;
    let caught = plant_all(root, profile)?;
    let program = built::build(root, profile, &["--bin", PROGRAM])?.join(PROGRAM);
    let form = if is_long { "long" } else { "short" };
    let mut all = Command::new(program);
    all.arg("all").args([states, kills].map(|number| number.to_string())).args([form, &caught]);
    process::run(&mut all, "")
}

/// Checks only that the checks find the known bugs.
pub(crate) fn planted(root: &Path, words: &[String]) -> Outcome {
    let profile = Arguments::of(words)?.profile;
    let caught = plant_all(root, profile)?;
    println!("planted bugs caught: {caught}");
    Ok(())
}

/// Builds the program with the known bugs, under a name of its own.
fn build_planted(root: &Path, profile: Profile) -> Outcome<PathBuf> {
    let folder = built::build(root, profile, &["--bin", PROGRAM, "--features", FEATURE])?;
    let program = folder.join("varvite-crash-planted");
    fs::copy(folder.join(PROGRAM), &program).map_err(|error| cannot("copy", &program, &error))?;
    Ok(program)
}

/// Runs the checks with each bug, as many at a time as there are processors. Fails unless all bugs are found.
/// Returns a text with the number of found bugs and the number of all bugs.
fn plant_all(root: &Path, profile: Profile) -> Outcome<String> {
    let program = build_planted(root, profile)?;
    let began = Instant::now();
    let said = process::output(Command::new(&program).arg("bugs"), "")?;
    let bugs: Vec<(&str, &str)> = said.lines().filter_map(|line| line.split_once(':')).collect();
    process::run(Command::new(&program).arg("check").stdout(Stdio::null()), "")?;
    let patience = began.elapsed() * PATIENCE;
    let (next, missed) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let work = || -> Outcome {
        while let Some((name, text)) = bugs.get(next.fetch_add(1, Ordering::Relaxed)) {
            match find(&program, name, patience)? {
                Some(found) => println!("{name}: {found}"),
                None => missed.lock().expect("no panic in it").push(format!("{name} ({})", text.trim())),
            }
        }
        Ok(())
    };
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        workers.into_iter().try_for_each(|worker| worker.join().expect("no panic in it"))
    })?;
    let missed = missed.into_inner().expect("no panic in it");
    let caught = format!("{} of {}", bugs.len() - missed.len(), bugs.len());
    println!("planted: {caught} bugs found in {:.0} s; none without", began.elapsed().as_secs_f64());
    match missed.is_empty() && !bugs.is_empty() {
        true => Ok(caught),
        false => Err(Failure(format!("planted bugs caught: {caught}; not found: {}", missed.join(", ")))),
    }
}

/// The message that the checks print if the bug is enabled; `None` if they do not find the bug.
fn find(program: &Path, bug: &str, patience: Duration) -> Outcome<Option<String>> {
    let mut command = Command::new(program);
    command.args(["--plant", bug, "check"]).stdout(Stdio::null()).stderr(Stdio::piped());
    let mut child = command.spawn().map_err(|error| process::could_not_start(&command, &error, ""))?;
    let began = Instant::now();
    let failed = |error| Failure(format!("cannot wait for {PROGRAM}: {error}"));
    while child.try_wait().map_err(failed)?.is_none() {
        if began.elapsed() > patience {
            child.kill().map_err(failed)?;
            child.wait().map_err(failed)?;
            return Ok(Some("does not end".into()));
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    let output = child.wait_with_output().map_err(failed)?;
    let said = String::from_utf8_lossy(&output.stderr);
    let last = said.lines().rfind(|line| line.starts_with(PROGRAM)).unwrap_or("ended without a message");
    let short: String = last.chars().take(200).collect();
    Ok((!output.status.success()).then_some(short))
}
