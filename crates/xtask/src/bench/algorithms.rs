//! `cargo xtask bench-algorithms [GRAPH.varvite] [--scale N] [--samples N]`: compares Varvite's algorithms
//! over whole graphs with those of igraph and NetworKit, on a Kronecker graph. If the arguments name a graph,
//! also measures the dominators of its calls.

use std::ffi::OsStr;
use std::path::Path;
use std::process::Command;

use crate::built::{self, Profile};
use crate::process;
use crate::python;
use crate::{Failure, Outcome};

/// The list of the peers' Python packages.
const LIST: &str = "bench/peers/walks/algorithms.txt";

pub(crate) fn run(root: &Path, words: &[String]) -> Outcome {
    let (graph, options) = match words.split_first() {
        Some((graph, options)) if !graph.starts_with('-') => (Some(Path::new(graph).to_owned()), options),
        _ => (None, words),
    };
    check(options)?;
    let built = built::build(root, Profile::Release, &["--bin", "varvite-bench"])?;
    measure(root, &built, &options.iter().map(AsRef::as_ref).collect::<Vec<_>>())?;
    let Some(graph) = graph else { return Ok(()) };
    process::run(Command::new(built.join("varvite-bench")).arg("dominators").arg(graph), "see rustup.rs")
}

/// Starts the harness, which must have been built before, to measure algorithms.
pub(crate) fn measure(root: &Path, built: &Path, options: &[&OsStr]) -> Outcome {
    let mut harness = Command::new(built.join("varvite-bench"));
    harness.arg("algorithms").arg("--root").arg(root);
    harness.arg("--scratch").arg(process::target_dir(root).join("bench-algorithms"));
    match python::environment(root, &root.join(LIST), "bench-walks") {
        Ok(python) => _ = harness.arg("--python").arg(python),
        Err(failure) => eprintln!("bench: igraph and NetworKit are left out: {}", failure.0),
    }
    process::run(harness.args(options), "see rustup.rs")
}

/// Fails for options other than those that users may pass to the harness.
fn check(options: &[String]) -> Outcome {
    let is_known = |pair: &[String]| matches!(pair, [name, _] if name == "--scale" || name == "--samples");
    match options.chunks(2).find(|pair| !is_known(pair)) {
        None => Ok(()),
        Some(pair) => Err(Failure(format!(
            "bench-algorithms knows --scale N and --samples N after the graph, not '{}'",
            pair.join(" ")
        ))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn accepts(words: &[&str]) -> bool {
        check(&words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>()).is_ok()
    }

    #[test]
    fn only_options_of_the_harness_with_their_values_are_taken() {
        assert!(accepts(&[]) && accepts(&["--scale", "16"]) && accepts(&["--samples", "3", "--scale", "16"]));
        assert!(!accepts(&["--scale"]) && !accepts(&["--python", "python3"]) && !accepts(&["16"]));
    }
}
