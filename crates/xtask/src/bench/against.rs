//! `cargo xtask bench-against COMMIT [GRAPH] [--pairs N] [--only PREFIX]`: measures this checkout and another
//! commit in pairs.
//!
//! The other commit is checked out and built in a separate folder under `target`; this checkout's harness
//! measures both builds.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::process;
use crate::{Failure, Outcome};

const GRAPH: &str = "examples/data/zlib.cpg.bin";
const USAGE: &str = "bench-against needs a commit, then perhaps a graph, --pairs N and --only PREFIX";

/// Builds the commit that the first argument names, and measures it beside this checkout.
pub(crate) fn run(root: &Path, words: &[String]) -> Outcome {
    let (commit, rest) = words.split_first().ok_or_else(|| Failure(USAGE.into()))?;
    let (graph, options) = match rest.split_first() {
        Some((graph, options)) if !graph.starts_with('-') => (Path::new(graph).to_owned(), options),
        _ => (root.join(GRAPH), rest),
    };
    let folder = process::target_dir(root).join("bench-against");
    let other = build(root, &folder, commit)?;
    let mut harness = process::cargo();
    harness.args(["run", "--quiet", "--release", "--package", "varvite-bench", "--", "paired"]).arg(graph);
    harness.arg("--other").arg(other).arg("--scratch").arg(folder.join("files"));
    process::run(harness.args(options), "see rustup.rs")
}

/// Builds the harness of another commit. If an earlier run left a checkout, it is reused.
fn build(root: &Path, folder: &Path, commit: &str) -> Outcome<PathBuf> {
    let (checkout, target) = (folder.join("checkout"), folder.join("target"));
    if !checkout.exists() {
        let mut clone = git();
        clone.args(["clone", "--quiet", "--shared", "--no-checkout"]).arg(root).arg(&checkout);
        process::run(&mut clone, "install git")?;
    }
    let name = format!("{commit}^{{commit}}");
    let hash =
        process::output(git().arg("-C").arg(root).args(["rev-parse", "--verify", &name]), "install git")?;
    let mut switch = git();
    switch.arg("-C").arg(&checkout).args(["checkout", "--quiet", "--detach", hash.trim()]);
    process::run(&mut switch, "install git")?;
    let mut cargo = process::cargo();
    cargo.args(["build", "--quiet", "--release", "--package", "varvite-bench"]).current_dir(&checkout);
    process::run(cargo.env("CARGO_TARGET_DIR", &target), "see rustup.rs")?;
    Ok(target.join("release/varvite-bench"))
}

fn git() -> Command {
    Command::new("git")
}
