//! A folder in which artefacts are installed, and the programs that an installation may use.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::release::packed;
use crate::{Failure, Outcome, cannot};

/// The programs on the search path: shells, and those of coreutils, tar and gzip that `install.sh` and the
/// demo use. There is no compiler and no downloader.
const PROGRAMS: [&str; 14] = [
    "bash",
    "cat",
    "cp",
    "dirname",
    "gzip",
    "mkdir",
    "mktemp",
    "mv",
    "rm",
    "sh",
    "sha256sum",
    "tar",
    "true",
    "uname",
];

/// An empty folder beside a folder with links to the programs.
pub(super) struct Sandbox {
    folder: PathBuf,
}

impl Sandbox {
    /// Makes the folders in place of those of an earlier test.
    pub(super) fn new(folder: &Path) -> Outcome<Self> {
        packed::make_empty_folder(folder)?;
        let sandbox = Self { folder: folder.to_owned() };
        packed::make_folder(&sandbox.programs())?;
        for program in PROGRAMS {
            let link = sandbox.programs().join(program);
            std::os::unix::fs::symlink(find(program)?, &link)
                .map_err(|error| cannot("create", &link, &error))?;
        }
        Ok(sandbox)
    }

    /// A path in the folder.
    pub(super) fn path(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    /// An empty folder.
    pub(super) fn empty(&self, name: &str) -> Outcome<PathBuf> {
        let path = self.path(name);
        packed::make_empty_folder(&path)?;
        Ok(path)
    }

    /// A command with an empty environment, apart from a search path with the programs.
    pub(super) fn command(&self, program: &Path) -> Command {
        let mut command = Command::new(program);
        command.env_clear().env("PATH", self.programs()).env("HOME", self.path("home"));
        command
    }

    /// An installing script, with these arguments.
    pub(super) fn install(&self, script: &Path, prefix: &Path, source: &Path) -> Command {
        let mut install = self.command(&self.programs().join("sh"));
        install.arg(script).arg("--to").arg(prefix).arg(source);
        install
    }

    fn programs(&self) -> PathBuf {
        self.path("programs")
    }

    /// The shell bash.
    pub(super) fn bash(&self) -> Command {
        self.command(&self.programs().join("bash"))
    }
}

/// The files and folders directly in a folder, sorted; none if there is no such folder.
pub(super) fn entries(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut names: Vec<String> =
        entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

/// The path of a program of this machine.
fn find(program: &str) -> Outcome<PathBuf> {
    let folders = env::var_os("PATH").unwrap_or_default();
    let found = env::split_paths(&folders).map(|folder| folder.join(program)).find(|path| path.is_file());
    found.ok_or_else(|| Failure(format!("needs {program}: apt install bash coreutils tar gzip")))
}
