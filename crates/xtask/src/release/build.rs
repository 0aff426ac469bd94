//! Compiles the command and the C library for a system.
//!
//! Optimised builds use `cargo zigbuild`, whose C compiler and linker know every system and every version of
//! glibc. Command and library are built together, so that their dependencies are compiled once.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::Release;
use super::target::Target;
use crate::built::{self, Profile};
use crate::process::{self, cargo, target_dir};
use crate::{Failure, Outcome};

const ADVICE: &str = "pip install cargo-zigbuild==0.24.0 ziglang==0.17.0";

/// How the artefacts are compiled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Speed {
    /// As users get them.
    Optimised,
    /// As `cargo test` compiles them, for this machine only.
    OfTests,
}

/// The compiled programs and libraries for a system.
pub(crate) struct Built {
    pub(crate) target: Target,
    /// The folder that cargo put them into.
    pub(crate) folder: PathBuf,
}

impl Built {
    /// Compiles, unless all is fresh.
    pub(crate) fn new(release: &Release<'_>, target: Target) -> Outcome<Self> {
        let folder = match release.speed {
            Speed::Optimised => optimised(release.root, target)?,
            Speed::OfTests => built::build(release.root, Profile::Dev, &["--bin", "varvite", "--lib"])?,
        };
        Ok(Self { target, folder })
    }

    /// The path of the shared library.
    pub(crate) fn shared_library(&self) -> PathBuf {
        self.folder.join(self.target.built_library())
    }

    /// The path of the command.
    pub(crate) fn command(&self) -> PathBuf {
        self.folder.join(self.target.program("varvite"))
    }
}

fn optimised(root: &Path, target: Target) -> Outcome<PathBuf> {
    let version = cargo().args(["zigbuild", "--version"]).output();
    if !version.is_ok_and(|output| output.status.success()) {
        return Err(Failure(format!("needs cargo-zigbuild and zig: {ADVICE}")));
    }
    process::run(Command::new("rustup").args(["-q", "target", "add", target.triple]), "https://rustup.rs")?;
    let mut build = cargo();
    build.current_dir(root).args(["zigbuild", "--quiet", "--release", "--locked"]);
    build.args(["--target", &target.triple_of_zig(), "-p", "varvite-cli", "-p", "varvite-c"]);
    process::run(build.env("VARVITE_COMMIT", commit(root)?), ADVICE)?;
    Ok(target_dir(root).join(target.triple).join("release"))
}

/// The commit that is compiled, for `varvite --version`. A mark says that files differ from the commit.
fn commit(root: &Path) -> Outcome<String> {
    let mut git = Command::new("git");
    git.current_dir(root).args(["describe", "--always", "--abbrev=12", "--exclude=*", "--dirty=-modified"]);
    Ok(process::output(&mut git, "apt install git")?.trim().to_owned())
}
