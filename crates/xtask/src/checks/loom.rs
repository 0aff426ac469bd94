//! `cargo xtask loom`: models of threads, run by loom in every order.
//!
//! They are tests of `varvite-store`, built with other locks and so in a folder of their own.

use std::path::Path;

use crate::Outcome;
use crate::process::{self, cargo, target_dir};

/// The module with the models; no other test works with those locks.
const MODELS: &str = "models::";

/// The optimised build took twenty times as long as the models. These spend most of their time in loom
/// itself.
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
