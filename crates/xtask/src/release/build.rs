//! Compiles the command and the C library for a system.
//!
//! Optimised builds use `cargo zigbuild`, whose C compiler and linker know every system and every version of
//! glibc.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::Release;
use super::target::Target;
use crate::built::{self, Profile};
use crate::process::{self, target_dir};
use crate::{Failure, Outcome};

pub(super) const ADVICE: &str = "pip install cargo-zigbuild==0.24.0 ziglang==0.17.0";

/// The profile of the command in releases.
const COMMAND_PROFILE: &str = "command";

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
    /// The folder with the command.
    commands: PathBuf,
    /// The folder with the libraries.
    pub(crate) libraries: PathBuf,
}

impl Built {
    /// Compiles, unless all is fresh.
    pub(crate) fn new(release: &Release<'_>, target: Target) -> Outcome<Self> {
        let (commands, libraries) = match release.speed {
            Speed::Optimised => optimised(release.root, target)?,
            Speed::OfTests => {
                let folder = built::build(release.root, Profile::Dev, &["--bin", "varvite", "--lib"])?;
                (folder.clone(), folder)
            }
        };
        Ok(Self { target, commands, libraries })
    }

    /// The path of the shared library.
    pub(crate) fn shared_library(&self) -> PathBuf {
        self.libraries.join(self.target.built_library())
    }

    /// The path of the command.
    pub(crate) fn command(&self) -> PathBuf {
        self.commands.join(self.target.program("varvite"))
    }
}

/// The folder of the command, and that of the libraries. The command is compiled with a profile of its own
/// (note 113).
fn optimised(root: &Path, target: Target) -> Outcome<(PathBuf, PathBuf)> {
    if !process::is_installed("cargo-zigbuild") {
        return Err(Failure(format!("needs cargo-zigbuild and zig: {ADVICE}")));
    }
    process::run(Command::new("rustup").args(["-q", "target", "add", target.triple]), "https://rustup.rs")?;
    zig(root, target, "rustc", &command_words())?;
    zig(root, target, "zigbuild", &["--release", "-p", "varvite-c"].map(str::to_owned))?;
    let folder = target_dir(root).join(target.triple);
    Ok((folder.join(COMMAND_PROFILE), folder.join("release")))
}

/// Runs a command of cargo with zig as C compiler and linker.
fn zig(root: &Path, target: Target, command: &str, words: &[String]) -> Outcome {
    let mut build = Command::new("cargo-zigbuild");
    build.current_dir(root).args([command, "--quiet", "--locked", "--target", &target.triple_of_zig()]);
    process::run(build.args(words).env("VARVITE_COMMIT", commit(root)?), ADVICE)
}

/// The words that compile the command. The flags behind `--` are for the program alone. Linking it optimises
/// all packages once more, at its level; functions of packages that are compiled for size stay so.
fn command_words() -> [String; 8] {
    let words =
        ["-p", "varvite-cli", "--bin", "varvite", "--profile", COMMAND_PROFILE, "--", "-Copt-level=2"];
    words.map(str::to_owned)
}

/// The commit that is compiled, for `varvite --version`. A mark says that files differ from the commit.
pub(super) fn commit(root: &Path) -> Outcome<String> {
    let mut git = Command::new("git");
    git.current_dir(root).args(["describe", "--always", "--abbrev=12", "--exclude=*", "--dirty=-modified"]);
    Ok(process::output(&mut git, "apt install git")?.trim().to_owned())
}

#[cfg(test)]
mod tests {
    /// A command that aborts would end `varvite explore` and `varvite mcp` with one faulty question
    /// (note 135).
    #[test]
    fn the_command_goes_on_after_a_panic() {
        let manifest =
            std::fs::read_to_string(crate::root().join("Cargo.toml")).expect("the manifest is there");
        for profile in ["[profile.command]\n", "[profile.release]\n"] {
            let (_, rest) = manifest.split_once(profile).expect("the profile is there");
            let profile = rest.split("\n[").next().unwrap_or_default();
            assert!(!profile.lines().any(|line| line.starts_with("panic")), "{profile}");
        }
        assert!(!super::command_words().iter().any(|word| word.contains("unwind-tables=no")));
    }
}
