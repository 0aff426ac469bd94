//! `cargo xtask bench [GRAPH] [--readme] [--samples N] [--jvms N] [--only PREFIX]`: Varvite and flatgraph side by side.
//!
//! Builds the peers and the harness, and lets the harness (`bench/harness`) measure: it is told where Java is, and
//! where it may put files.

use std::path::Path;

use crate::java::Peer;
use crate::process;
use crate::{Failure, Outcome};

const GRAPH: &str = "examples/data/zlib.cpg.bin";

/// Measures the graph named first, or the one that ships with the repository.
pub(crate) fn run(root: &Path, words: &[String]) -> Outcome {
    let (graph, options) = match words.split_first() {
        Some((graph, options)) if !graph.starts_with('-') => (Path::new(graph).to_owned(), options),
        _ => (root.join(GRAPH), words),
    };
    check(options)?;
    let [flatgraph, joern] = Peer::build_all(root)?;
    let mut harness = process::cargo();
    harness.args(["run", "--quiet", "--release", "--package", "varvite-bench", "--", "run"]).arg(graph);
    harness.arg("--root").arg(root);
    harness.arg("--scratch").arg(process::target_dir(root).join("bench"));
    harness.arg("--java").arg(flatgraph.jdk().program("java"));
    harness.arg("--java-version").arg(flatgraph.jdk().version.to_string());
    harness.arg("--flatgraph").arg(flatgraph.target()).arg("--joern").arg(joern.target());
    process::run(harness.args(options), "see rustup.rs")
}

/// Only options that the harness would take from a person.
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
