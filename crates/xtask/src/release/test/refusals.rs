//! Artefacts that `install.sh` must refuse: each time one line says why, and nothing is installed.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::sandbox::{Sandbox, entries};
use crate::release::target::{TARGETS, Target};
use crate::release::{Release, packed};
use crate::{Failure, Outcome, cannot, process};

/// Artefacts of a release that someone has spoiled.
struct Spoiled<'a> {
    sandbox: &'a Sandbox,
    /// The folder with the copy of the artefacts.
    folder: PathBuf,
    /// The archive of the command for this machine.
    archive: PathBuf,
    /// The script.
    script: PathBuf,
}

/// Tries to install spoiled artefacts.
pub(super) fn test(release: &Release<'_>, sandbox: &Sandbox, host: Target) -> Outcome {
    let name = |target: &str| format!("varvite-{}-{target}.tar.gz", release.version());
    let folder = sandbox.empty("spoiled")?;
    let archive = folder.join(name(host.name));
    let spoiled = Spoiled { sandbox, folder, archive, script: release.folder.join("install.sh") };
    spoiled.take_anew(release, host)?;

    let wrong = format!("{}  {}\n", "0".repeat(64), name(host.name));
    write(&spoiled.folder.join(packed::CHECKSUMS), wrong.as_bytes())?;
    spoiled.refuses("a wrong checksum", &["is damaged or incomplete", "SHA256SUMS says 000"])?;

    spoiled.take_anew(release, host)?;
    let bytes = read(&spoiled.archive)?;
    write(&spoiled.archive, &bytes[..bytes.len() / 2])?;
    spoiled.refuses("a truncated archive", &["is damaged or incomplete", "get it again"])?;

    remove(&spoiled.archive)?;
    spoiled.refuses("no archive", &["cannot get", &name(host.name)])?;

    let other = TARGETS.into_iter().find(|target| *target != host).unwrap_or(host);
    spoiled.take_anew(release, other)?;
    spoiled.refuses("only an archive for another processor", &["lists no archive", host.name])?;
    let refused = sandbox.install(&spoiled.script, &spoiled.prefix(), &spoiled.folder.join(name(other.name)));
    spoiled.check(
        "an archive for another processor",
        refused,
        &["not an archive of the command", host.name],
    )?;

    spoiled.mislabel(host)?;
    spoiled.refuses("an archive whose command does not start", &["does not start on this machine"])?;

    remove(&spoiled.folder.join(packed::CHECKSUMS))?;
    spoiled.refuses("no checksums", &["cannot get", "SHA256SUMS"])?;

    spoiled.take_anew(release, host)?;
    spoiled.refuses_a_folder("bin/varvite")?;
    spoiled.refuses_a_folder("share/man/man1/varvite-find.1")
}

impl Spoiled<'_> {
    /// Puts the archive of this machine into the folder, under the name for the system `target`.
    fn take_anew(&self, release: &Release<'_>, target: Target) -> Outcome {
        packed::make_empty_folder(&self.folder)?;
        let name = format!("varvite-{}-{}.tar.gz", release.version(), target.name);
        let host = self.archive.file_name().unwrap_or_default();
        packed::copy(&release.folder.join(host), &self.folder.join(name))?;
        packed::write_checksums(&self.folder)
    }

    /// Makes an archive with a correct checksum whose command is no program of this machine.
    fn mislabel(&self, host: Target) -> Outcome {
        packed::make_empty_folder(&self.folder)?;
        let file_name = self.archive.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let name = file_name.trim_end_matches(".tar.gz");
        let staging = self.sandbox.empty("mislabelled")?;
        let command = staging.join(name).join("bin").join(host.program("varvite"));
        packed::write(&command, "\x7fELF of another processor\n")?;
        process::run(Command::new("chmod").arg("755").arg(&command), "apt install coreutils")?;
        packed::archive(&staging, name, &self.folder)?;
        packed::write_checksums(&self.folder)
    }

    fn prefix(&self) -> PathBuf {
        self.sandbox.path("refused")
    }

    /// Installs from the folder, which must fail.
    fn refuses(&self, what: &str, words: &[&str]) -> Outcome {
        self.check(what, self.sandbox.install(&self.script, &self.prefix(), &self.folder), words)
    }

    /// Installs where a folder has the name of a file, which must fail and leave nothing else.
    fn refuses_a_folder(&self, place: &str) -> Outcome {
        let prefix = self.sandbox.empty("occupied")?;
        packed::make_folder(&prefix.join(place))?;
        let install = self.sandbox.install(&self.script, &prefix, &self.folder);
        self.check("a folder in the place of a file", install, &[place, "is a folder", "--to PREFIX"])?;
        let first = place.split('/').next().unwrap_or_default();
        match entries(&prefix) == [first] && entries(&prefix.join(place)).is_empty() {
            true => Ok(()),
            false => Err(Failure(format!("install.sh with a folder {place} left {:?}", entries(&prefix)))),
        }
    }

    /// Runs an installation that must fail with one line that contains the words, and must leave no file.
    fn check(&self, what: &str, mut install: Command, words: &[&str]) -> Outcome {
        let output = install.output().map_err(|error| process::could_not_start(&install, &error, ""))?;
        let said = String::from_utf8_lossy(&output.stderr);
        let one_line = said.starts_with("varvite: ") && said.trim_end().lines().count() == 1;
        if output.status.success() || !one_line || words.iter().any(|word| !said.contains(word)) {
            return Err(Failure(format!(
                "install.sh with {what} said {said:?}, which lacks one of {words:?}"
            )));
        }
        match entries(&self.prefix()).is_empty() {
            true => Ok(()),
            false => Err(Failure(format!("install.sh with {what} left {:?}", entries(&self.prefix())))),
        }
    }
}

fn read(path: &Path) -> Outcome<Vec<u8>> {
    fs::read(path).map_err(|error| cannot("read", path, &error))
}

fn write(path: &Path, bytes: &[u8]) -> Outcome {
    fs::write(path, bytes).map_err(|error| cannot("write", path, &error))
}

fn remove(path: &Path) -> Outcome {
    fs::remove_file(path).map_err(|error| cannot("remove", path, &error))
}
