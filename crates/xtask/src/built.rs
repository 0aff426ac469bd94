//! Builds programs and libraries of this workspace with cargo.

use std::path::{Path, PathBuf};

use crate::Outcome;
use crate::process::{self, cargo, target_dir};

/// A profile of cargo.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Profile {
    /// The profile of tests.
    Dev,
    /// The optimised profile of releases.
    Release,
}

/// A small example, which `cargo test` has built.
const EXAMPLE: &str = "frame";

/// Builds the command `varvite`, and returns its path.
pub(crate) fn varvite(root: &Path, profile: Profile) -> Outcome<PathBuf> {
    Ok(build(root, profile, &["--bin", "varvite"])?.join("varvite"))
}

/// Builds the targets that `targets` selects with cargo's options, and returns the folder with the programs
/// and libraries.
///
/// The options never name packages: each set of packages would have its own set of features, and most
/// dependencies would be built again for each set. In the profile of tests they also name an example, which
/// has the dependencies of tests: without one, cargo leaves out the features that only tests need, and would
/// build all packages of the workspace a second time.
pub(crate) fn build(root: &Path, profile: Profile, targets: &[&str]) -> Outcome<PathBuf> {
    let mut build = cargo();
    build.current_dir(root).args(["build", "--quiet", "--workspace"]).args(targets);
    match profile {
        Profile::Dev => build.args(["--example", EXAMPLE]),
        Profile::Release => build.arg("--release"),
    };
    process::run(&mut build, "see rustup.rs")?;
    Ok(target_dir(root).join(if profile == Profile::Release { "release" } else { "debug" }))
}
