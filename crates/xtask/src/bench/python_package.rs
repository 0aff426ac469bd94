//! `cargo xtask bench-python [GRAPH] [--samples N] [--only PREFIX]`: measures the Python package beside
//! NetworkX, igraph, and Polars and DuckDB on Parquet. The measures are in `bindings/python/benches`; the
//! harness makes the page.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::GRAPH;
use crate::built::{self, Profile};
use crate::process::{self, target_dir};
use crate::python::{ADVICE, environment};
use crate::{Failure, Outcome, wheel};

const FOLDER: &str = "bindings/python/benches";

pub(crate) fn run(root: &Path, words: &[String]) -> Outcome {
    let (graph, options) = match words.split_first() {
        Some((graph, options)) if !graph.starts_with('-') => (PathBuf::from(graph), options),
        _ => (root.join(GRAPH), words),
    };
    let python = environment(root, &root.join("bindings/python/requirements-bench.txt"), "python-bench")?;
    wheel::install(&python, &wheel::release(root)?)?;
    let built = built::build(root, Profile::Release, &["--bin", "varvite-bench"])?;
    let mut measures = Command::new(&python);
    measures.arg(root.join(FOLDER).join("run.py")).arg(&graph).arg("--root").arg(root);
    measures.arg("--scratch").arg(target_dir(root).join("bench-python"));
    measures.arg("--results").arg(root.join("bench/results")).args(options);
    let printed = process::output(&mut measures, ADVICE)?;
    let results = printed.lines().last().ok_or_else(|| Failure("bench-python wrote no results".into()))?;
    process::run(Command::new(built.join("varvite-bench")).arg("report").arg(results), "see rustup.rs")
}
