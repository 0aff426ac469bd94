//! `cargo xtask bench-values`: measures reads of values in decoded blocks, by the size of the value, in C and
//! in Java. Each value is either copied or pinned.
//!
//! The results decide the threshold of `fillOrPin`; a note in docs/decisions explains it.

use std::fs;
use std::path::Path;
use std::process::Command;

use super::java::{jmh, write_keyed};
use crate::java::{build_benchmarks, natives_folder};
use crate::process::{self, target_dir};
use crate::{Outcome, cannot};

const PROGRAM: &str = "bindings/c/benches/fill_or_pin.c";
const INCLUDE: &str = "bindings/c/include";
/// The sizes of values in bytes, for which the Java benchmark runs too.
const SIZES: [u32; 7] = [16, 64, 256, 1 << 10, 4 << 10, 16 << 10, 64 << 10];
/// The total size of the values in each file, in bytes: small enough that all blocks stay decoded.
const VALUE_BYTES: u32 = 16 << 20;
const COUNT_MAX: u32 = 50_000;
const JMH: [&str; 12] =
    ["FillOrPin", "-f", "1", "-wi", "3", "-w", "500ms", "-i", "5", "-r", "500ms", "-prof=gc"];

pub(crate) fn run(root: &Path) -> Outcome {
    let jdk = build_benchmarks(root)?;
    let folder = target_dir(root).join("bench-values");
    fs::create_dir_all(&folder).map_err(|error| cannot("create", &folder, &error))?;
    let files = SIZES.map(|size| folder.join(format!("coded-{size}.varvite")));
    for (file, size) in files.iter().zip(SIZES) {
        write_keyed(file, COUNT_MAX.min(VALUE_BYTES / size), size, "archive")?;
    }
    let program = folder.join("fill_or_pin");
    compile(root, &program)?;
    let mut c = Command::new(&program);
    for (file, size) in files.iter().zip(SIZES) {
        c.arg(size.to_string()).arg(file);
    }
    process::run(&mut c, "")?;
    process::run(jmh(root, &jdk, &folder).arg("org.openjdk.jmh.Main").args(JMH), "see cargo xtask jdk")
}

/// Compiles the C program and links it with the library that Java uses. At run time, the program loads a copy
/// of the library in its own folder.
fn compile(root: &Path, program: &Path) -> Outcome {
    let beside = program.with_file_name("libvarvite.so.0");
    fs::copy(natives_folder(root).join("libvarvite.so"), &beside)
        .map_err(|error| cannot("create", &beside, &error))?;
    let mut gcc = Command::new("gcc");
    gcc.args(["-std=c99", "-O2", "-Wall", "-Wextra", "-Werror", "-I"]).arg(root.join(INCLUDE));
    gcc.arg(root.join(PROGRAM)).arg(&beside).arg("-o").arg(program).arg("-Wl,-rpath,$ORIGIN");
    process::run(&mut gcc, "apt install gcc")
}
