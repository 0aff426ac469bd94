//! The wheel of the Python package for Linux, with the licences of everything that is linked in. maturin adds
//! the list of parts.
//!
//! A wheel for macOS or Windows is made on such a system, by `cargo xtask python` in the workflow of
//! releases: maturin asks the Python of that system for the file names of its modules.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::build::{self, Speed};
use super::target::{GLIBC, Target};
use super::{Release, notices, packed};
use crate::{Failure, Outcome, process, wheel};

const PACKAGE: &str = "varvite-python";
/// The time of all files in the wheel: the earliest that a zip archive can have.
const TIME: &str = "315532800";

/// Makes the wheel.
pub(super) fn make(release: &Release<'_>, target: Target) -> Outcome {
    let folder = release.staging.join("wheels").join(target.name);
    packed::make_empty_folder(&folder)?;
    let name = folder.to_string_lossy();
    let built = match release.speed {
        Speed::Optimised if !process::is_installed("cargo-zigbuild") => {
            return Err(Failure(format!("needs zig: {}", build::ADVICE)));
        }
        Speed::Optimised => {
            let (glibc, commit) = (GLIBC.replace('.', "_"), build::commit(release.root)?);
            wheel::of_linux(release.root, &name, target.triple, &glibc, &commit)?
        }
        Speed::OfTests => wheel::of_tests(release.root, &name)?,
    };
    add_licences(release, target, &built, &folder)
}

/// The wheel for a system among the artefacts.
pub(super) fn find(release: &Release<'_>, target: Target) -> Outcome<PathBuf> {
    let (_, processor) = target.name.split_once('-').unwrap_or_default();
    let end = format!("{processor}.whl");
    let name = packed::files(&release.folder)?.into_iter().find(|name| name.ends_with(&end));
    let name = name.ok_or_else(|| Failure(format!("no wheel for {} was made", target.name)))?;
    Ok(release.folder.join(name))
}

/// Packs the wheel anew with the licences beside its metadata, in the folder of the artefacts.
fn add_licences(release: &Release<'_>, target: Target, wheel: &Path, folder: &Path) -> Outcome {
    let python = wheel::tools(release.root)?;
    let tool = |words: [&str; 2]| {
        let mut tool = Command::new(&python);
        tool.args(["-m", "wheel"]).args(words).env("SOURCE_DATE_EPOCH", TIME);
        tool
    };
    process::output(tool(["unpack", "--dest"]).arg(folder).arg(wheel), "")?;
    let name = format!("varvite-{}", release.version());
    let unpacked = folder.join(&name);
    let licences = unpacked.join(format!("{name}.dist-info/licenses"));
    packed::copy(&release.root.join("LICENSE"), &licences.join("LICENSE"))?;
    let notices = notices::of(release.root, PACKAGE, target.triple)?;
    packed::write(&licences.join(notices::FILE), &notices)?;
    process::output(tool(["pack", "--dest-dir"]).arg(&release.folder).arg(&unpacked), "").map(drop)
}
