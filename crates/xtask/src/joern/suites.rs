//! `cargo xtask test-joern --suites [PART ...]`: runs Joern's own tests, on flatgraph and on mapped files.
//!
//! Joern publishes the tests of some of its parts as jars. These tests were written for flatgraph, and first
//! run on it unchanged. They then run with Varvite's classes in place of flatgraph's. In the second run, each
//! graph is written, imported and opened again after every diff. Tests that pass in the first run must also
//! pass in the second.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::path::{Path, PathBuf};

use crate::java::{self, JoernPaths};
use crate::process;
use crate::{Failure, Outcome, cannot};

/// The parts of Joern whose tests are on Maven Central.
const PARTS: [&str; 4] = ["semanticcpg", "dataflowengineoss", "x2cpg", "c2cpg"];
/// How many of the tests that fail only with Varvite's classes are printed; further ones are only counted.
const SHOWN_MAX: usize = 20;

/// Runs the tests of the parts in the arguments, or of all parts.
pub(crate) fn test(root: &Path, words: &[String]) -> Outcome {
    let parts = if words.is_empty() { PARTS.to_vec() } else { words.iter().map(String::as_str).collect() };
    if let Some(part) = parts.iter().find(|part| !PARTS.contains(part)) {
        return Err(Failure(format!("no tests of {part} are known, but of {}", PARTS.join(", "))));
    }
    let suites =
        Suites { paths: java::joern_suites(root)?, folder: process::target_dir(root).join("joern/suites") };
    fs::create_dir_all(&suites.folder).map_err(|error| cannot("create", &suites.folder, &error))?;
    parts.iter().try_for_each(|part| suites.check(part))
}

/// The paths that are needed to run the suites.
struct Suites {
    paths: JoernPaths,
    folder: PathBuf,
}

impl Suites {
    fn check(&self, part: &str) -> Outcome {
        let [theirs, ours] = [false, true].map(|mapped| self.run(part, mapped));
        let (theirs, ours) = (theirs?, ours?);
        let lost: Vec<&String> = theirs
            .passed
            .iter()
            .filter(|(test, times)| ours.times(test) < **times)
            .map(|(test, _)| test)
            .collect();
        for test in lost.iter().take(SHOWN_MAX) {
            let why = ours.failed.get(*test).map_or("was not run", String::as_str);
            eprintln!("{part}: passes on flatgraph, and not on mapped files: {test}: {why}");
        }
        let passed: usize = theirs.passed.values().sum();
        match passed > 0 && lost.is_empty() {
            true => {
                println!(
                    "{part}: {passed} of Joern's own tests pass on flatgraph and on mapped files{}",
                    theirs.rest()
                );
                Ok(())
            }
            false => Err(Failure(format!(
                "{part}: of {passed} tests that pass on flatgraph {} do not on mapped files; see {}",
                lost.len(),
                self.file(part, true, "log").display()
            ))),
        }
    }

    fn file(&self, part: &str, mapped: bool, kind: &str) -> PathBuf {
        self.folder.join(format!("{part}-{}.{kind}", if mapped { "mapped" } else { "flatgraph" }))
    }

    /// Runs the tests of a part. The exit code is not checked, because some tests may fail.
    fn run(&self, part: &str, mapped: bool) -> Outcome<Verdicts> {
        let [log, verdicts] = ["log", "verdicts"].map(|kind| self.file(part, mapped, kind));
        let output = File::create(&log).map_err(|error| cannot("use", &log, &error))?;
        let errors = output.try_clone().map_err(|error| cannot("use", &log, &error))?;
        let mut tests = self.paths.suites(&self.paths.suites_of(part)?, mapped, &verdicts);
        tests.current_dir(&self.folder).stdout(output).stderr(errors);
        tests.status().map_err(|error| process::could_not_start(&tests, &error, "see cargo xtask jdk"))?;
        let lines = fs::read_to_string(&verdicts).map_err(|error| cannot("use", &verdicts, &error))?;
        Verdicts::parse(&lines)
            .ok_or_else(|| Failure(format!("the tests of {part} ended too early: see {}", log.display())))
    }
}

/// The results of a run: how often each test passed, and the reason for each failure.
#[derive(Default, Debug, PartialEq)]
struct Verdicts {
    passed: BTreeMap<String, usize>,
    failed: BTreeMap<String, String>,
    left_out: usize,
}

impl Verdicts {
    /// Parses lines of verdict, class, test and reason; `None` unless the last line says that the run was
    /// complete.
    fn parse(lines: &str) -> Option<Self> {
        let mut verdicts = Self::default();
        let mut ended = false;
        for line in lines.lines() {
            let words: Vec<&str> = line.splitn(4, '\t').collect();
            let test = words[1..words.len().min(3)].join(": ");
            match words[0] {
                "passed" => *verdicts.passed.entry(test).or_default() += 1,
                "failed" => drop(verdicts.failed.insert(test, words.get(3).unwrap_or(&"").to_string())),
                "left out" => verdicts.left_out += 1,
                _ => ended = words.get(2) == Some(&"whole"),
            }
        }
        ended.then_some(verdicts)
    }

    fn times(&self, test: &str) -> usize {
        self.passed.get(test).copied().unwrap_or_default()
    }

    /// The end of a message: the numbers of tests that fail on flatgraph or are skipped there.
    fn rest(&self) -> String {
        match (self.failed.len(), self.left_out) {
            (0, 0) => String::new(),
            (failed, left_out) => format!("; {failed} fail on flatgraph, {left_out} are left out there"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verdicts_are_counted_by_test() {
        let verdicts = Verdicts::parse(
            "passed\ta.B\tadds\npassed\ta.B\tadds\nfailed\ta.B\tloses\t1 was not 2\nleft out\ta.B\twaits\nended\t\twhole\n",
        )
        .unwrap();
        assert_eq!((verdicts.times("a.B: adds"), verdicts.times("a.B: loses")), (2, 0));
        assert_eq!(verdicts.failed["a.B: loses"], "1 was not 2");
        assert_eq!(verdicts.rest(), "; 1 fail on flatgraph, 1 are left out there");
    }

    #[test]
    fn a_run_that_ended_early_has_no_verdicts() {
        assert_eq!(Verdicts::parse("passed\ta.B\tadds\n"), None);
        assert_eq!(Verdicts::parse("ended\t\tearly\tout of memory\n"), None);
    }
}
