//! `cargo xtask bench-codecs [GRAPH] [--rounds N]`: every codec and checksum on real records.
//!
//! Builds the program that is traced and the one that measures (`bench/codecs`), and tells the second where everything is.

use std::path::Path;

use crate::process;
use crate::{Failure, Outcome};

const GRAPH: &str = "examples/data/zlib.cpg.bin";

/// Measures, with the columns of the graph named first, or of the one that ships with the repository.
pub(crate) fn run(root: &Path, words: &[String]) -> Outcome {
    let (graph, options) = match words.split_first() {
        Some((graph, options)) if !graph.starts_with('-') => (Path::new(graph).to_owned(), options),
        _ => (root.join(GRAPH), words),
    };
    if !matches!(options, [] | [_, _]) || options.first().is_some_and(|option| option != "--rounds") {
        return Err(Failure("bench-codecs knows --rounds N after the graph".into()));
    }
    let release = |words: &[&str]| {
        let mut cargo = process::cargo();
        cargo.current_dir(root).args(words);
        cargo
    };
    let build = ["build", "--quiet", "--release", "--package", "varvite-codec", "--example", "frame"];
    process::run(&mut release(&build), "see rustup.rs")?;
    let mut bench = release(&["run", "--quiet", "--release", "--package", "varvite-bench-codecs", "--"]);
    let target = process::target_dir(root);
    bench.arg("--root").arg(root).arg("--scratch").arg(target.join("bench-codecs"));
    bench.arg("--frame").arg(target.join("release/examples/frame"));
    bench.arg("--graph").arg(std::path::absolute(&graph).unwrap_or(graph));
    process::run(bench.args(options), "see rustup.rs")
}
