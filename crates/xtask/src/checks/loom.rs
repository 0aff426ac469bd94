//! `cargo xtask loom`: runs models of threads with loom, which tries every order of their steps.
//!
//! The models are tests of `varvite-store`. They are built with loom's locks instead of the usual ones, and
//! so in a target folder of their own.

use std::path::Path;

use crate::Outcome;
use crate::process::{self, cargo, target_dir};

/// The module with the models; no other test works with loom's locks.
const MODELS: &str = "models::";

/// The profile of cargo. An optimised build took twenty times as long as the models; they spend most of their
/// time in loom itself, which is optimised.
const PROFILE: [&str; 5] = [
    "profile.dev.opt-level=0",
    "profile.dev.debug=0",
    "profile.dev.package.\"*\".opt-level=0",
    "profile.dev.package.loom.opt-level=1",
    "profile.dev.package.generator.opt-level=1",
];

pub(crate) fn run(root: &Path) -> Outcome {
    let mut test = cargo();
    test.args(PROFILE.map(|setting| ["--config", setting]).as_flattened());
    test.args(["test", "--quiet", "--package", "varvite-store", "--lib", MODELS]);
    test.current_dir(root).env("CARGO_TARGET_DIR", target_dir(root).join("loom"));
    process::run(test.env("RUSTFLAGS", "--cfg loom"), "https://rustup.rs")
}
