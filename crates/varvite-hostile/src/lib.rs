//! Files made to harm the program that opens them. The name of each file states its effect, and a few lines
//! of code make the file.
//!
//! A file makes false claims about its content, repeats data endlessly, or has a shape that makes a careless
//! loop quadratic. All files have correct checksums, except those whose checksums are wrong on purpose.
//! `cargo xtask hostile` runs every command on every file, with little memory and time. The product does not
//! link this crate.
//!
//! `graph` makes graph files with false claims, shapes, texts, codecs, tables or fields, by means of
//! `sketch`. Each kind of foreign file has a module of its own, and `bomb` makes compressed data that expands
//! enormously. In `xtask`, `hostile` runs the commands, each in a child process with limits, and compares the
//! results with `expected.txt`. `ask.c` and `Ask.java` query the files from C and Java.
#![forbid(unsafe_code)]

mod binary;
mod bomb;
mod diff;
mod digest;
mod file;
mod flatgraph;
mod foreign_trace;
mod graph;
mod heaptrack;
mod patch;
mod plan;
mod profile;
mod scip;
mod text;
mod trace;

use foreign_trace::{drmemtrace, lackey, perf_mem};

pub use file::{HostileFile, Kind};

/// All files, always in the same order.
pub fn all() -> Vec<HostileFile> {
    [
        graph::all(),
        trace::all(),
        lackey::all(),
        perf_mem::all(),
        heaptrack::all(),
        profile::all(),
        drmemtrace::all(),
        binary::all(),
        flatgraph::all(),
        plan::all(),
        digest::all(),
        diff::all(),
        patch::all(),
        text::all(),
        scip::all(),
    ]
    .concat()
}
