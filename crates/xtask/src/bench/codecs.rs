//! `cargo xtask bench-codecs [GRAPH] [--rounds N]`: measures every codec and checksum on real records.
//!
//! Builds two programs, one that is traced to get records and one that measures (`bench/codecs`), and passes
//! the paths of all inputs to the latter.

use std::path::Path;
use std::process::Command;

use crate::built::{self, Profile};
use crate::process;
use crate::{Failure, Outcome};

const GRAPH: &str = "examples/data/zlib.cpg.bin";

/// Measures with the columns of the graph that the first argument names, or otherwise of the repository's
/// zlib graph.
pub(crate) fn run(root: &Path, words: &[String]) -> Outcome {
    let (graph, options) = match words.split_first() {
        Some((graph, options)) if !graph.starts_with('-') => (Path::new(graph).to_owned(), options),
        _ => (root.join(GRAPH), words),
    };
    if !matches!(options, [] | [_, _]) || options.first().is_some_and(|option| option != "--rounds") {
        return Err(Failure("bench-codecs knows --rounds N after the graph".into()));
    }
    let built =
        built::build(root, Profile::Release, &["--bin", "varvite-bench-codecs", "--example", "frame"])?;
    let mut bench = Command::new(built.join("varvite-bench-codecs"));
    bench.current_dir(root).arg("--root").arg(root);
    bench.arg("--scratch").arg(process::target_dir(root).join("bench-codecs"));
    bench.arg("--frame").arg(built.join("examples/frame"));
    bench.arg("--graph").arg(std::path::absolute(&graph).unwrap_or(graph));
    process::run(bench.args(options), "see rustup.rs")
}
