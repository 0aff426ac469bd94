//! The archive of the command. Its folders are those of a prefix such as `~/.local`, so that installing is
//! unpacking: the command, its manual pages, completions for three shells, licences, and the list of parts.

use std::path::Path;
use std::process::Command;

use super::build::{Built, Speed};
use super::{Release, notices, packed, sbom};
use crate::Outcome;
use crate::process;

const PACKAGE: &str = "varvite-cli";
/// Completions: the shell, and the file in which it looks for them.
const COMPLETIONS: [(&str, &str); 3] = [
    ("bash", "share/bash-completion/completions/varvite"),
    ("zsh", "share/zsh/site-functions/_varvite"),
    ("fish", "share/fish/vendor_completions.d/varvite.fish"),
];
/// The folder for documents, relative to the prefix.
const DOCUMENTS: &str = "share/doc/varvite";

/// Makes the archive for the system of `built`. `host` is a command that runs on this machine, and writes the
/// pages and completions.
pub(crate) fn make(release: &Release<'_>, built: &Built, host: &Built) -> Outcome {
    let name = format!("varvite-{}-{}", release.version(), built.target.name);
    let folder = release.staging.join(&name);
    packed::make_empty_folder(&folder)?;
    let command = folder.join("bin").join(built.target.program("varvite"));
    packed::copy(&built.command(), &command)?;
    if release.speed == Speed::OfTests {
        process::run(Command::new("strip").arg(&command), "apt install binutils")?;
    }
    write_pages(&host.command(), &folder)?;
    write_documents(release, built, &folder.join(DOCUMENTS))?;
    packed::archive(&release.staging, &name, &release.folder)
}

/// Writes manual pages and completions.
fn write_pages(varvite: &Path, folder: &Path) -> Outcome {
    let pages = folder.join("share/man/man1");
    packed::make_folder(&pages)?;
    process::output(Command::new(varvite).args(["man", "-o"]).arg(&pages), "")?;
    for (shell, path) in COMPLETIONS {
        let script = process::output(Command::new(varvite).args(["completions", shell]), "")?;
        packed::write(&folder.join(path), &script)?;
    }
    Ok(())
}

/// Writes licences and the list of parts, and copies the documents that users read first.
fn write_documents(release: &Release<'_>, built: &Built, folder: &Path) -> Outcome {
    for name in ["LICENSE", "README.md", "CHANGELOG.md"] {
        packed::copy(&release.root.join(name), &folder.join(name))?;
    }
    let triple = built.target.triple;
    packed::write(&folder.join(notices::FILE), &notices::of(release.root, PACKAGE, triple)?)?;
    packed::write(&folder.join("varvite.cdx.json"), &sbom::of(release.root, PACKAGE, triple)?)
}
