//! `cargo xtask release`: the artefacts that users install, in `target/release-artefacts`.
//!
//! Each artefact has a module: `command` the archive of the command, `c_library` the headers and libraries
//! for C, `maven` the jars, `wheel` the package for Python. `notices` and `sbom` describe what is linked into
//! them, `packed` makes archives and checksums, `build` compiles, and `target` lists the systems. `test`
//! installs each artefact where there is no compiler, and asks it questions.
//!
//! Equal sources give equal archives: no clock, no user name and no path of this machine enters them.

mod build;
mod c_library;
mod command;
mod maven;
mod notices;
mod packed;
mod sbom;
mod target;
mod test;
mod wheel;

use std::fs;
use std::path::{Path, PathBuf};

use crate::process::target_dir;
use crate::{Failure, Outcome, cannot, explorer};
use build::{Built, Speed};
use target::{TARGETS, Target};

/// Artefacts that belong together: where they go, and what they are made of.
pub(crate) struct Release<'a> {
    root: &'a Path,
    /// The folder of the artefacts.
    folder: PathBuf,
    /// The folder in which their content is gathered.
    staging: PathBuf,
    speed: Speed,
}

impl<'a> Release<'a> {
    /// The artefacts for users.
    fn optimised(root: &'a Path) -> Self {
        Self::new(root, "release", Speed::Optimised)
    }

    /// The artefacts for a quick test, from what `cargo test` has compiled.
    fn of_tests(root: &'a Path) -> Self {
        Self::new(root, "test", Speed::OfTests)
    }

    fn new(root: &'a Path, name: &str, speed: Speed) -> Self {
        let target = target_dir(root);
        let folder = |kind: &str| target.join(format!("{name}-{kind}"));
        Self { root, folder: folder("artefacts"), staging: folder("staging"), speed }
    }

    /// The version of the product, which all artefacts share.
    fn version(&self) -> &'static str {
        env!("CARGO_PKG_VERSION")
    }

    /// Makes all artefacts for the systems, in place of those that the folder contained.
    ///
    /// # Errors
    /// Names the systems that failed, for example because a compiler or a linker is missing. The artefacts of
    /// the others are complete.
    fn make(&self, targets: &[Target]) -> Outcome {
        let _ = fs::remove_dir_all(&self.folder);
        fs::create_dir_all(&self.folder).map_err(|error| cannot("create", &self.folder, &error))?;
        if self.speed == Speed::Optimised {
            // The command takes the page into its program when it is compiled.
            explorer::build(self.root)?;
        }
        let host = Built::new(self, Target::host()?)?;
        let (built, not_built) = each(targets, |target| Built::new(self, *target), |target| target.name);
        let (_, not_packed) = each(&built, |built| self.pack(built, &host), |built| built.target.name);
        let missing = [not_built, not_packed].concat();
        maven::make(self, &built)?;
        packed::copy(&self.root.join("packaging/install.sh"), &self.folder.join("install.sh"))?;
        packed::write_checksums(&self.folder)?;
        match missing.is_empty() {
            true => Ok(()),
            false => Err(Failure(format!("these artefacts are missing: {}", missing.join("; ")))),
        }
    }

    /// Makes the artefacts for one system from its programs and libraries.
    fn pack(&self, built: &Built, host: &Built) -> Outcome {
        command::make(self, built, host)?;
        if built.target.is_linux() {
            c_library::make(self, built)?;
            wheel::make(self, built.target)?;
        }
        Ok(())
    }
}

/// The results of `work` for each system; and the names of those that failed, each with its reason. A system
/// that fails does not stop the others.
fn each<T, R>(
    systems: &[T],
    work: impl Fn(&T) -> Outcome<R>,
    name: impl Fn(&T) -> &'static str,
) -> (Vec<R>, Vec<String>) {
    let (mut done, mut missing) = (Vec::new(), Vec::new());
    for system in systems {
        match work(system) {
            Ok(one) => done.push(one),
            Err(failure) => missing.push(format!("{} ({})", name(system), failure.0)),
        }
    }
    (done, missing)
}

/// Makes the artefacts: for this machine, for the system of this name, or with `--all` for every system.
pub(crate) fn run(root: &Path, words: &[String]) -> Outcome {
    let release = Release::optimised(root);
    match words {
        [] => release.make(&[Target::host()?])?,
        [all] if all == "--all" => release.make(&TARGETS)?,
        [name] => release.make(&[Target::named(name)?])?,
        _ => return Err(Failure("release takes --all, or the name of one system".to_owned())),
    }
    println!("varvite: the artefacts are in {}", release.folder.display());
    Ok(())
}

/// Tests the artefacts that `run` made; with `--short`, artefacts from what `cargo test` has compiled.
pub(crate) fn test(root: &Path, words: &[String]) -> Outcome {
    match words {
        [] => test::run(&Release::optimised(root)),
        [short] if short == "--short" => {
            let release = Release::of_tests(root);
            release.make(&[Target::host()?])?;
            test::run(&release)
        }
        _ => Err(Failure("test-release takes one option: --short".to_owned())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_system_that_fails_does_not_stop_the_others() {
        let work = |target: &Target| match target.is_linux() {
            true => Err(Failure(format!("needs {}", target.binutils().1))),
            false => Ok(target.name),
        };
        let (done, missing) = each(&TARGETS, work, |target| target.name);
        assert_eq!(done, ["macos-aarch64", "macos-x86_64", "windows-x86_64"]);
        assert!(missing[1].starts_with("linux-aarch64 (needs apt install"), "{missing:?}");
    }

    /// The machine of the workflow has an x86-64 processor.
    #[test]
    fn the_workflow_installs_the_programs_that_a_release_for_all_systems_needs() {
        let workflow = crate::root().join(".github/workflows/release.yml");
        let workflow = fs::read_to_string(workflow).expect("the workflow is there");
        let installed: Vec<&str> = workflow.split_whitespace().collect();
        let needed = ["apt install binutils-aarch64-linux-gnu", test::EMULATOR_ADVICE, build::ADVICE];
        for package in needed.iter().flat_map(|advice| advice.split(' ').skip(2)) {
            assert!(installed.contains(&package), "{package} is not installed by the workflow");
        }
    }
}
