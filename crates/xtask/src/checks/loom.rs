//! `cargo xtask loom`: runs models of concurrent code with loom, which tries every order of the threads'
//! steps.
//!
//! The models are tests of `varvite-store`. They are built with loom's locks instead of the usual ones, and
//! therefore in a separate target folder.

use std::path::Path;

use crate::Outcome;
use crate::process::{self, cargo, target_dir};

/// The module with the models. No other test works with loom's locks.
const MODELS: &str = "models::";

/// Settings of cargo's profile: only loom and `generator`, in which the models spend most of their time, are
/// optimised. Optimising everything took twenty times as long as running the models.
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
