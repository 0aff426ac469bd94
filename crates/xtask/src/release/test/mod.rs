//! Tests of the artefacts: each is installed in an empty folder, by programs with an empty environment and
//! without a compiler where users need none, and answers questions whose answers are known.

mod c_library;
mod command;
mod emulated;
mod java;
mod refusals;
mod sandbox;
mod wheel;

#[cfg(test)]
pub(super) use emulated::ADVICE as EMULATOR_ADVICE;

use super::Release;
use super::target::Target;
use crate::Outcome;
use crate::process::target_dir;
use sandbox::Sandbox;

/// Tests the artefacts in the folder of the release.
pub(super) fn run(release: &Release<'_>) -> Outcome {
    let sandbox = Sandbox::new(&target_dir(release.root).join("test-release"))?;
    let host = Target::host()?;
    refusals::test(release, &sandbox, host)?;
    command::test(release, &sandbox)?;
    emulated::test(release, &sandbox)?;
    c_library::test(release, &sandbox, host)?;
    java::test(release, &sandbox, host)?;
    wheel::test(release, &sandbox, host)?;
    println!("varvite: the artefacts in {} install and answer", release.folder.display());
    Ok(())
}
