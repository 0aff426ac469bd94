//! Runs the command for Linux on ARM64 under qemu, which emulates the processor.

use std::path::Path;
use std::process::Command;

use super::command::holds_in_order;
use super::sandbox::Sandbox;
use crate::release::Release;
use crate::{Failure, Outcome, process};

const QEMU: &str = "qemu-aarch64";
pub(in crate::release) const ADVICE: &str = "apt install qemu-user libc6-arm64-cross";
/// The folder with the C library for that processor.
const LIBRARIES: &str = "/usr/aarch64-linux-gnu";
const GRAPH: &str = "examples/data/zlib.cpg.bin";

/// Imports a graph and asks a question, if the artefacts contain the command for ARM64.
pub(super) fn test(release: &Release<'_>, sandbox: &Sandbox) -> Outcome {
    let name = format!("varvite-{}-linux-aarch64", release.version());
    let archive = release.folder.join(format!("{name}.tar.gz"));
    if !archive.is_file() || cfg!(target_arch = "aarch64") {
        return Ok(());
    }
    if !process::is_installed(QEMU) || !Path::new(LIBRARIES).is_dir() {
        return Err(Failure(format!("{name} cannot be run: {ADVICE}")));
    }
    let folder = sandbox.empty("emulated")?;
    process::run(
        Command::new("tar").arg("-xzf").arg(archive).arg("-C").arg(&folder),
        "apt install tar gzip",
    )?;
    let (command, graph) = (folder.join(name).join("bin/varvite"), folder.join("zlib.varvite"));
    let varvite = || {
        let mut emulated = Command::new(QEMU);
        emulated.args(["-L", LIBRARIES]).arg(&command);
        emulated
    };
    process::output(varvite().arg("import").arg(release.root.join(GRAPH)).arg("-o").arg(&graph), ADVICE)?;
    let answer = process::output(varvite().arg("callers").arg(&graph).arg("deflateInit2_"), ADVICE)?;
    holds_in_order(&answer, " 2686  deflateInit_ \n16650  gz_init")
}
