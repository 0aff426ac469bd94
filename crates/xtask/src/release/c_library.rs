//! The archive for C: headers, shared and static library, and the files by which `pkg-config` and CMake find
//! them. A program may be linked to Varvite and to its own zstd, lz4 or BLAKE3, because the libraries show
//! only Varvite's functions.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use super::build::Built;
use super::{Release, notices, packed, sbom};
use crate::c::{self, SONAME, SYSTEM, Staged};
use crate::{Outcome, cannot, process};

const PACKAGE: &str = "varvite-c";
/// Templates, and where the files that are made from them go.
const TEMPLATES: [(&str, &str); 3] = [
    ("varvite.pc.in", "lib/pkgconfig/varvite.pc"),
    ("VarviteConfig.cmake.in", "lib/cmake/Varvite/VarviteConfig.cmake"),
    ("VarviteConfigVersion.cmake.in", "lib/cmake/Varvite/VarviteConfigVersion.cmake"),
];

/// The name of the archive, without `.tar.gz`.
pub(super) fn name(release: &Release<'_>, target: &str) -> String {
    format!("varvite-c-{}-{target}", release.version())
}

/// Makes the archive.
pub(super) fn make(release: &Release<'_>, built: &Built) -> Outcome {
    let name = name(release, built.target.name);
    let folder = release.staging.join(&name);
    packed::make_empty_folder(&folder)?;
    let (tools, advice) = built.target.binutils();
    process::run(Command::new(format!("{tools}ld")).arg("--version").stdout(Stdio::null()), advice)?;
    let staged = Staged::lay_out(release.root, &built.libraries, folder.clone(), tools)?;
    c::symbols::check(&staged)?;
    strip(&folder, tools)?;
    for (template, path) in TEMPLATES {
        write_filled(release, template, &folder.join(path))?;
    }
    write_documents(release, built, &folder.join("share/doc/varvite-c"))?;
    packed::archive(&release.staging, &name, &release.folder)
}

/// Removes what only debuggers read, and the files that were needed on the way. `libvarvite.so` becomes a
/// link to the library with the version in its name.
fn strip(folder: &Path, tools: &str) -> Outcome {
    let lib = folder.join("lib");
    let (link, shared) = (lib.join("libvarvite.so"), lib.join(SONAME));
    for (option, library) in [("--strip-unneeded", &shared), ("--strip-debug", &lib.join("libvarvite.a"))] {
        process::run(Command::new(format!("{tools}strip")).arg(option).arg(library), "apt install binutils")?;
    }
    for path in [&link, &folder.join("varvite.o"), &folder.join("functions.txt")] {
        fs::remove_file(path).map_err(|error| cannot("remove", path, &error))?;
    }
    std::os::unix::fs::symlink(SONAME, &link).map_err(|error| cannot("create", &link, &error))
}

/// Writes a template with the version and the libraries of the system in place of their names.
fn write_filled(release: &Release<'_>, template: &str, path: &Path) -> Outcome {
    let template = release.root.join("packaging/c").join(template);
    let text = fs::read_to_string(&template).map_err(|error| cannot("read", &template, &error))?;
    let cmake = SYSTEM.map(|library| library.trim_start_matches("-l")).join(";");
    let text = text.replace("@VERSION@", release.version()).replace("@SONAME@", SONAME);
    packed::write(path, &text.replace("@SYSTEM@", &SYSTEM.join(" ")).replace("@SYSTEM_LIST@", &cmake))
}

fn write_documents(release: &Release<'_>, built: &Built, folder: &Path) -> Outcome {
    packed::copy(&release.root.join("LICENSE"), &folder.join("LICENSE"))?;
    let triple = built.target.triple;
    packed::write(&folder.join(notices::FILE), &notices::of(release.root, PACKAGE, triple)?)?;
    packed::write(&folder.join("varvite-c.cdx.json"), &sbom::of(release.root, PACKAGE, triple)?)
}
