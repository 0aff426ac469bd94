//! `soak-memory`: opens, queries, evicts and closes graphs, in Rust and in Java; private memory must not
//! grow.
//!
//! Both programs take down `RssAnon` after each cycle and fit a line to it:
//! `crates/varvite/examples/soaking.rs` and `varvite.soak.Soak` of the tests of the binding.

use std::path::Path;
use std::process::Command;

use crate::built::{self, Profile};
use crate::process::{self, target_dir};
use crate::{Failure, Outcome, java};

/// The default number of cycles: about a minute for each language.
const CYCLES: &str = "10000";
/// Skips the part that needs a JDK.
const RUST_ALONE: &str = "--rust";
/// A heap that is resident from the start, and nothing compiled: as little else that grows as there can be.
const FLAGS: [&str; 5] = ["-Xms32m", "-Xmx32m", "-XX:+AlwaysPreTouch", "-XX:+UseSerialGC", "-Xint"];

/// Soaks both languages, for the number of cycles in the first argument.
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
    // An archive, so that there is something to decode and to evict.
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
