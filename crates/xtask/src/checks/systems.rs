//! Compiles the command and the C interface for systems other than this one, as far as the types: positions
//! in files, identities of files, locks, signals and the start of other programs differ between systems.
//!
//! Nothing is linked, so no C compiler for the other system is needed: the C libraries (zstd, LZ4, BLAKE3)
//! are not compiled, and a symbol that they lack is not noticed. The standard library of a system comes from
//! rustup. If rustup cannot fetch it, the command prints a line and does not fail.

use std::path::Path;
use std::process::Command;

use crate::Outcome;
use crate::process::{self, cargo, target_dir};

/// A system with another processor than most, and the systems with modules of their own.
const TRIPLES: [&str; 3] = ["aarch64-unknown-linux-gnu", "aarch64-apple-darwin", "x86_64-pc-windows-gnu"];
/// The packages that releases contain for other systems. All crates of ours that they need are checked too.
const PACKAGES: [&str; 2] = ["varvite-cli", "varvite-c"];
/// A program that does nothing takes the place of C's compiler and of `ar`.
const NOTHING: &str = "true";

/// Checks the packages for each system.
pub(crate) fn run(root: &Path) -> Outcome {
    for triple in TRIPLES {
        let added = Command::new("rustup").args(["target", "add", triple]).output();
        if !added.is_ok_and(|output| output.status.success()) {
            eprintln!("varvite: types not checked for {triple}: rustup target add {triple}");
            continue;
        }
        let mut check = cargo();
        check.args(["check", "--quiet", "--locked", "--target", triple]);
        check.args(PACKAGES.iter().flat_map(|package| ["--package", *package]));
        // Build scripts need no optimisation, because they do little here.
        check.args(["--config", "profile.dev.package.'*'.opt-level=0"]).env("RUSTFLAGS", "-D warnings");
        check.env("CC", NOTHING).env("CXX", NOTHING).env("AR", NOTHING);
        // The flags differ from those of other builds, so they get a folder of their own.
        check.current_dir(root).env("CARGO_TARGET_DIR", target_dir(root).join("systems"));
        process::run(&mut check, "https://rustup.rs")?;
    }
    Ok(())
}
