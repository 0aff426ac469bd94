//! Archives and checksums, the same for equal content on every machine.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::process;
use crate::{Failure, Outcome, cannot};

/// The file with the SHA-256 of every artefact, in the form of `sha256sum`. `install.sh` reads it.
pub(crate) const CHECKSUMS: &str = "SHA256SUMS";
const ADVICE: &str = "apt install tar gzip coreutils";

/// Packs the folder `name`, which lies in `folder`, as `name.tar.gz` in `into`.
pub(crate) fn archive(folder: &Path, name: &str, into: &Path) -> Outcome {
    let path = into.join(format!("{name}.tar.gz"));
    let mut tar = Command::new("tar");
    tar.args(["--sort=name", "--format=ustar", "--mtime=@0", "--owner=0", "--group=0", "--numeric-owner"]);
    tar.args(["--mode=u+rw,go+r-w,a+X", "--use-compress-program=gzip -9n", "-C"]).arg(folder);
    process::run(tar.arg("-cf").arg(path).arg(name), ADVICE)
}

/// Writes the checksums of all files that lie directly in the folder.
pub(crate) fn write_checksums(folder: &Path) -> Outcome {
    let names = files(folder)?;
    let mut sum = Command::new("sha256sum");
    let sums = process::output(sum.current_dir(folder).args(&names), ADVICE)?;
    write(&folder.join(CHECKSUMS), &sums)
}

/// The names of the files that lie directly in a folder, apart from the checksums, sorted.
pub(crate) fn files(folder: &Path) -> Outcome<Vec<String>> {
    let entries = fs::read_dir(folder).map_err(|error| cannot("read", folder, &error))?;
    let files = entries.flatten().filter(|entry| entry.path().is_file());
    let mut names: Vec<String> = files.filter_map(|entry| entry.file_name().into_string().ok()).collect();
    names.retain(|name| name != CHECKSUMS);
    names.sort();
    match names.is_empty() {
        true => Err(Failure(format!("no files in {}", folder.display()))),
        false => Ok(names),
    }
}

/// Copies a file, and makes its folder.
pub(crate) fn copy(from: &Path, to: &Path) -> Outcome {
    make_folder(to.parent().unwrap_or(to))?;
    fs::copy(from, to).map(drop).map_err(|error| cannot("copy", from, &error))
}

/// Writes a file, and makes its folder.
pub(crate) fn write(path: &Path, text: &str) -> Outcome {
    make_folder(path.parent().unwrap_or(path))?;
    fs::write(path, text).map_err(|error| cannot("write", path, &error))
}

/// Makes a folder, unless it exists.
pub(crate) fn make_folder(path: &Path) -> Outcome {
    fs::create_dir_all(path).map_err(|error| cannot("create", path, &error))
}

/// Makes an empty folder in place of any that has this path.
pub(crate) fn make_empty_folder(path: &Path) -> Outcome {
    if path.exists() {
        fs::remove_dir_all(path).map_err(|error| cannot("remove", path, &error))?;
    }
    make_folder(path)
}
