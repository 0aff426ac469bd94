//! `cargo xtask bench [GRAPH] [--readme] [--samples N] [--jvms N] [--only PREFIX]`: compares Varvite with its
//! peers.
//!
//! Builds the peers and the harness (`bench/harness`), and runs the harness, which measures. The arguments of
//! the harness include the paths of Java and of each column engine's Python, and a folder for its files.

pub(crate) mod against;
pub(crate) mod algorithms;
pub(crate) mod ask;
pub(crate) mod codecs;
pub(crate) mod corpus;
pub(crate) mod explorer;
pub(crate) mod java;
pub(crate) mod joern;
pub(crate) mod python_package;
pub(crate) mod record;
pub(crate) mod values;
pub(crate) mod walks;

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::built::{self, Profile};
use crate::java::Peer;
use crate::process;
use crate::python;
use crate::{Failure, Outcome, cannot};

const GRAPH: &str = "examples/data/zlib.cpg.bin";
/// The folder of the column engines, which run in Python; each has a list of packages, `NAME.txt`.
const COLUMN_PEERS: &str = "bench/peers/columns";

/// Measures with the graph that the first argument names, or otherwise with the repository's zlib graph.
pub(crate) fn run(root: &Path, words: &[String]) -> Outcome {
    let (graph, options) = match words.split_first() {
        Some((graph, options)) if !graph.starts_with('-') => (Path::new(graph).to_owned(), options),
        _ => (root.join(GRAPH), words),
    };
    check(options)?;
    let [flatgraph, joern] = Peer::build_all(root)?;
    let built = built::build(root, Profile::Release, &["--bin", "varvite", "--bin", "varvite-bench"])?;
    let mut harness = Command::new(built.join("varvite-bench"));
    harness.arg("run").arg(graph);
    harness.arg("--root").arg(root);
    harness.arg("--scratch").arg(process::target_dir(root).join("bench"));
    harness.arg("--java").arg(flatgraph.jdk().program("java"));
    harness.arg("--java-version").arg(flatgraph.jdk().version.to_string());
    harness.arg("--flatgraph").arg(flatgraph.target()).arg("--joern").arg(joern.target());
    for engine in column_engines(root)? {
        if let Some(python) = python_with(root, &engine) {
            harness.arg(format!("--{engine}")).arg(python);
        }
    }
    process::run(harness.args(options), "see rustup.rs")
}

/// The sorted names of the column engines.
fn column_engines(root: &Path) -> Outcome<Vec<String>> {
    let folder = root.join(COLUMN_PEERS);
    let unreadable = |error| cannot("read", &folder, &error);
    let files = std::fs::read_dir(&folder).map_err(unreadable)?;
    let names = files.filter_map(|file| file.ok()?.file_name().into_string().ok());
    let mut engines: Vec<String> =
        names.filter_map(|name| Some(name.strip_suffix(".txt")?.to_owned())).collect();
    engines.sort();
    Ok(engines)
}

/// The Python program of an environment with an engine's packages; `None` if the environment cannot be made.
/// The other engines are then measured without this one.
fn python_with(root: &Path, engine: &str) -> Option<PathBuf> {
    let list = root.join(COLUMN_PEERS).join(format!("{engine}.txt"));
    match python::environment(root, &list, &format!("bench-{engine}")) {
        Ok(python) => Some(python),
        Err(failure) => {
            eprintln!("bench: {engine} is left out: {}", failure.0);
            None
        }
    }
}

/// Fails for options other than those that users may pass to the harness.
fn check(options: &[String]) -> Outcome {
    let mut rest = options.iter();
    while let Some(option) = rest.next() {
        match option.as_str() {
            "--readme" => {}
            "--samples" | "--jvms" | "--only" if rest.next().is_some() => {}
            other => {
                return Err(Failure(format!(
                    "bench knows --readme, --samples N, --jvms N and --only PREFIX after the graph, not '{other}'"
                )));
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn accepts(words: &[&str]) -> bool {
        check(&words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>()).is_ok()
    }

    #[test]
    fn only_known_options_are_taken() {
        assert!(accepts(&[]));
        assert!(accepts(&["--readme", "--samples", "9", "--jvms", "3", "--only", "query_"]));
        assert!(!accepts(&["--samples"]));
        assert!(!accepts(&["other.cpg.bin"]));
    }
}
