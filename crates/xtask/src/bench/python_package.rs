//! `cargo xtask bench-python [GRAPH] [--pyg] [--samples N] [--only PREFIX]`: measures the Python package
//! beside NetworkX, igraph, a script of Joern, and Polars and DuckDB on Parquet. The measures are in
//! `bindings/python/benches`; the harness makes the page.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::GRAPH;
use crate::built::{self, Profile};
use crate::joern::text;
use crate::process::{self, target_dir};
use crate::python::{ADVICE, environment};
use crate::{Failure, Outcome, wheel};

const FOLDER: &str = "bindings/python/benches";
/// The option with which functions become tensors, by some gigabytes of PyTorch.
const PYG: &str = "--pyg";

pub(crate) fn run(root: &Path, words: &[String]) -> Outcome {
    let (graph, options) = match words.split_first() {
        Some((graph, options)) if !graph.starts_with('-') => (PathBuf::from(graph), options),
        _ => (root.join(GRAPH), words),
    };
    let python = python(root, options.iter().any(|word| word == PYG))?;
    let built = built::build(root, Profile::Release, &["--bin", "varvite-bench"])?;
    let folder = target_dir(root).join("bench-python");
    let mut measures = Command::new(&python);
    measures.arg(root.join(FOLDER).join("run.py")).arg(&graph).arg("--root").arg(root);
    measures.arg("--scratch").arg(&folder);
    measures.arg("--results").arg(root.join("bench/results"));
    measures.args(options.iter().filter(|word| *word != PYG));
    add_joern(root, &folder, &mut measures);
    let printed = process::output(&mut measures, ADVICE)?;
    let results = printed.lines().last().ok_or_else(|| Failure("bench-python wrote no results".into()))?;
    process::run(Command::new(built.join("varvite-bench")).arg("report").arg(results), "see rustup.rs")
}

/// The Python of an environment with the peers and the wheel for users.
fn python(root: &Path, with_pyg: bool) -> Outcome<PathBuf> {
    let package = wheel::release(root)?;
    if with_pyg {
        return wheel::environment_with_pyg(root, &package);
    }
    let python = environment(root, &root.join("bindings/python/requirements-bench.txt"), "python-bench")?;
    wheel::install(&python, &package)?;
    Ok(python)
}

/// Adds the command of Joern's shell. If it cannot be made, Joern's sides are left out.
fn add_joern(root: &Path, folder: &Path, measures: &mut Command) {
    match text::shell(root, &folder.join("joern")) {
        Ok((shell, version)) => {
            measures.args(["--joern-version", version]);
            measures.arg("--joern").arg(shell.get_program()).args(shell.get_args());
            measures.envs(shell.get_envs().filter_map(|(name, value)| Some((name, value?))));
        }
        Err(failure) => eprintln!("bench-python: Joern is left out: {}", failure.0),
    }
}
