//! `cargo xtask differential-walks [GRAPHS]`: checks that random walks in random graphs give the same paths
//! in the same order in Varvite and in Neo4j.
//!
//! A test of the engine writes graphs, walks and the engine's results
//! (`crates/varvite/tests/walks/neo4j.rs`); a program that uses Neo4j's traversal framework reads them
//! (`bench/peers/walks/neo4j`). This comparison is not part of `make test`: Neo4j consists of 200 MB of
//! libraries under the GPL, and takes ten seconds to start and stop.

use std::fs;
use std::path::Path;

use crate::java;
use crate::process::{self, target_dir};
use crate::{Failure, Outcome, cannot};

/// The default number of random graphs, each with about 40 walks.
const GRAPHS: &str = "60";
const CLASS: &str = "varvite.bench.walks.neo4j.Differential";

pub(crate) fn run(root: &Path, words: &[String]) -> Outcome {
    let graphs = graphs(words)?;
    let scratch = target_dir(root).join("differential-walks");
    let (walks, store) = (scratch.join("walks"), scratch.join("store"));
    for folder in [&walks, &store] {
        if folder.exists() {
            let failed = |error| cannot("remove", folder, &error);
            fs::remove_dir_all(folder).map_err(failed)?;
        }
    }
    let mut test = process::cargo();
    // No package is named, for the reason in `built::build`.
    test.current_dir(root).args(["test", "--quiet", "--workspace", "--test", "main", "--"]);
    test.arg("walks_are_written_for_neo4j");
    test.env("VARVITE_NEO4J", &walks).env("VARVITE_NEO4J_GRAPHS", graphs);
    process::run(&mut test, "see rustup.rs")?;
    process::run(java::neo4j(root, CLASS)?.arg(&walks).arg(&store), "see cargo xtask jdk")
}

fn graphs(words: &[String]) -> Outcome<&str> {
    match words {
        [] => Ok(GRAPHS),
        [graphs] if graphs.parse::<u32>().is_ok_and(|graphs| graphs > 0) => Ok(graphs),
        _ => Err(Failure("differential-walks takes one number: how many graphs to walk through".to_owned())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_of_graphs_is_taken() {
        let of = |words: &[&str]| {
            graphs(&words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>()).map(str::to_owned).ok()
        };
        assert_eq!((of(&[]), of(&["7"])), (Some(GRAPHS.to_owned()), Some("7".to_owned())));
        assert_eq!((of(&["0"]), of(&["many"]), of(&["1", "2"])), (None, None, None));
    }
}
