//! `cargo xtask bench-walks [--rounds N] [--long] [--readme]`: measures walks through the tree of ekino's
//! articles, in Varvite, Neo4j and TinkerGraph.
//!
//! Builds the peers (`bench/peers/walks`) and the harness, and runs the harness twice: first it compares
//! algorithms over whole graphs with igraph and NetworKit, as `bench-algorithms` does, and then it measures
//! walks. `--long` adds walks through a tree of 22 million nodes with 64 MiB of memory for their state.

use std::path::Path;
use std::process::Command;

use super::algorithms;
use crate::built::{self, Profile};
use crate::java;
use crate::process::{self, target_dir};
use crate::{Failure, Outcome, cannot};

pub(crate) fn run(root: &Path, words: &[String]) -> Outcome {
    check(words)?;
    let jdk = java::build_walks(root)?;
    let programs = ["--bin", "varvite", "--bin", "varvite-bench-walks", "--bin", "varvite-bench"];
    let built = built::build(root, Profile::Release, &programs)?;
    let scratch = target_dir(root).join("bench-walks");
    let no_folder = |error| cannot("create", &scratch, &error);
    std::fs::create_dir_all(&scratch).map_err(no_folder)?;
    let algorithms = scratch.join("algorithms.json");
    algorithms::measure(root, &built, &["--json".as_ref(), algorithms.as_ref()])?;
    let mut harness = Command::new(built.join("varvite-bench-walks"));
    harness.arg("run").arg("--root").arg(root);
    harness.arg("--scratch").arg(scratch);
    harness.arg("--algorithms").arg(algorithms);
    harness.arg("--command").arg(built.join("varvite"));
    harness.arg("--library").arg(java::natives_folder(root));
    harness.arg("--java").arg(jdk.program("java")).arg("--java-version").arg(jdk.version.to_string());
    process::run(harness.args(words), "see rustup.rs")
}

/// Fails for options other than those that users may pass to the harness.
fn check(options: &[String]) -> Outcome {
    let mut rest = options.iter();
    while let Some(option) = rest.next() {
        match option.as_str() {
            "--long" | "--readme" => {}
            "--rounds" if rest.next().is_some() => {}
            other => {
                return Err(Failure(format!(
                    "bench-walks knows --rounds N, --long and --readme, not '{other}'"
                )));
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_known_options_are_taken() {
        let accepts =
            |words: &[&str]| check(&words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>()).is_ok();
        assert!(accepts(&[]) && accepts(&["--long", "--rounds", "9"]));
        assert!(!accepts(&["--rounds"]) && !accepts(&["tree"]));
    }
}
