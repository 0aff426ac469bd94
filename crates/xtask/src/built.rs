//! Products of cargo: programs and libraries of this workspace.

use std::path::{Path, PathBuf};

use crate::Outcome;
use crate::process::{self, cargo, target_dir};

/// The compiler's level of optimisation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Profile {
    /// As for tests.
    Dev,
    /// As for users.
    Release,
}

/// Builds the command, and gives its path.
pub(crate) fn varvite(root: &Path, profile: Profile) -> Outcome<PathBuf> {
    Ok(build(root, profile, &["--bin", "varvite"])?.join("varvite"))
}

/// Builds the targets that cargo's options name, and gives the folder where programs and libraries are.
///
/// No package is named: each choice of packages would have features of its own, and most of their
/// dependencies would be built once more for each.
pub(crate) fn build(root: &Path, profile: Profile, targets: &[&str]) -> Outcome<PathBuf> {
    let mut build = cargo();
    build.current_dir(root).args(["build", "--quiet", "--workspace"]).args(targets);
    if profile == Profile::Release {
        build.arg("--release");
    }
    process::run(&mut build, "see rustup.rs")?;
    Ok(target_dir(root).join(if profile == Profile::Release { "release" } else { "debug" }))
}
