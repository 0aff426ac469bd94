//! Builds the workspace with the oldest Rust version that the manifests promise to support (`rust-version`).
//!
//! Lints find functions that are too new, but not syntax that is too new. The toolchain comes from rustup. If
//! rustup is not installed or cannot fetch the toolchain, the command prints a line and does not fail.

use std::path::Path;
use std::process::Command;

use crate::Outcome;
use crate::process::{self, target_dir};

/// The oldest Rust version, as stated in every manifest of the workspace.
const OLDEST: &str = env!("CARGO_PKG_RUST_VERSION");

/// Checks that the command `varvite` of the workspace at `root` compiles, and with it every published crate.
pub(crate) fn run(root: &Path) -> Outcome {
    if !is_installed() && !is_quiet_success(rustup(&["toolchain", "install", OLDEST, "--profile", "minimal"]))
    {
        eprintln!("varvite: not built with Rust {OLDEST}: rustup toolchain install {OLDEST}");
        return Ok(());
    }
    let mut check = rustup(&["run", OLDEST, "cargo", "check", "--quiet", "--package", "varvite-cli"]);
    // C libraries need no optimisation, because nothing is run.
    check.args(["--config", "profile.dev.package.'*'.opt-level=0"]);
    // Each compiler has its own target folder: in a shared one, cargo would rebuild everything whenever the
    // compiler changes.
    check.current_dir(root).env("CARGO_TARGET_DIR", target_dir(root).join(format!("rust-{OLDEST}")));
    process::run(&mut check, "https://rustup.rs")
}

fn is_installed() -> bool {
    is_quiet_success(rustup(&["run", OLDEST, "cargo", "--version"]))
}

fn is_quiet_success(mut command: Command) -> bool {
    command.output().is_ok_and(|output| output.status.success())
}

fn rustup(words: &[&str]) -> Command {
    let mut rustup = Command::new("rustup");
    rustup.args(words);
    rustup
}
