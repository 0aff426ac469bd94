//! Compiles the store for systems other than this one, as far as the types: the modules for positions in
//! files, identities of files and locks differ between systems.
//!
//! Nothing is linked, so no C compiler for the other system is needed: the C libraries are not compiled. The
//! standard library of a system comes from rustup. If rustup cannot fetch it, the command prints a line and
//! does not fail.

use std::path::Path;
use std::process::Command;

use crate::Outcome;
use crate::process::{self, cargo, target_dir};

/// A system with another processor than most, and the systems with modules of their own.
const TRIPLES: [&str; 3] = ["aarch64-unknown-linux-gnu", "aarch64-apple-darwin", "x86_64-pc-windows-gnu"];
const PACKAGE: &str = "varvite-store";
/// A program that does nothing takes the place of C's compiler and of `ar`.
const NOTHING: &str = "true";

/// Checks the store of the workspace at `root` for each system.
pub(crate) fn run(root: &Path) -> Outcome {
    for triple in TRIPLES {
        let added = Command::new("rustup").args(["target", "add", triple]).output();
        if !added.is_ok_and(|output| output.status.success()) {
            eprintln!("varvite: {PACKAGE} not checked for {triple}: rustup target add {triple}");
            continue;
        }
        let mut check = cargo();
        check.args(["check", "--quiet", "--package", PACKAGE, "--target", triple]);
        // Build scripts need no optimisation, because they do little here.
        check.args(["--config", "profile.dev.package.'*'.opt-level=0"]).env("RUSTFLAGS", "-D warnings");
        check.env("CC", NOTHING).env("CXX", NOTHING).env("AR", NOTHING);
        // The flags differ from those of other builds, so they get a folder of their own.
        check.current_dir(root).env("CARGO_TARGET_DIR", target_dir(root).join("systems"));
        process::run(&mut check, "https://rustup.rs")?;
    }
    Ok(())
}
