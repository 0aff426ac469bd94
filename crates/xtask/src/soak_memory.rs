//! `cargo xtask soak-memory`: opens, queries, evicts and closes graphs, in Rust and in Java, and checks that
//! private memory does not grow.
//!
//! There is a program for each language: `crates/varvite/examples/soaking.rs`, and `varvite.soak.Soak` in the
//! tests of the binding. Both record `RssAnon` after each cycle and fit a line to the values.

use std::path::Path;
use std::process::Command;

use crate::built::{self, Profile};
use crate::process::{self, target_dir};
use crate::{Failure, Outcome, java};

/// The default number of cycles. It takes about a minute for each language.
const CYCLES: &str = "10000";
/// The option that skips the Java program, which needs a JDK.
const RUST_ALONE: &str = "--rust";
/// JVM flags that keep the rest of the JVM's memory from growing: the heap is resident from the start, and
/// nothing is compiled.
const FLAGS: [&str; 5] = ["-Xms32m", "-Xmx32m", "-XX:+AlwaysPreTouch", "-XX:+UseSerialGC", "-Xint"];

/// Runs both programs, with the number of cycles in the first argument.
pub(crate) fn run(root: &Path, words: &[String]) -> Outcome {
    let (flags, numbers): (Vec<&String>, Vec<&String>) = words.iter().partition(|word| *word == RUST_ALONE);
    let cycles = match numbers[..] {
        [] => CYCLES,
        [cycles] if cycles.parse::<u32>().is_ok_and(|cycles| cycles > 0) => cycles,
        _ => {
            return Err(Failure(
                "soak-memory takes a number of cycles, and --rust for Rust alone".to_owned(),
            ));
        }
    };
    let built = built::build(root, Profile::Dev, &["--bin", "varvite", "--example", "soaking"])?;
    // The graph has the archive profile, so that its blocks are decoded and evicted.
    let graph = target_dir(root).join("soak.varvite");
    let mut import = Command::new(built.join("varvite"));
    import.arg("import").arg(root.join("examples/data/zlib.cpg.bin"));
    import.args(["--profile", "archive", "--index", "NAME", "--force", "-o"]).arg(&graph);
    process::output(&mut import, "")?;
    process::run(Command::new(built.join("examples/soaking")).arg(&graph).arg(cycles), "")?;
    if !flags.is_empty() {
        return Ok(());
    }
    process::run(
        java::of_tests(root, &FLAGS, "varvite.soak.Soak")?.arg(&graph).arg(cycles),
        "see cargo xtask jdk",
    )
}
