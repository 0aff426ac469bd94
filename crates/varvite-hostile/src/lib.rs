//! Files made to harm the program that opens them, each named by its effect and made by a few lines.
//!
//! A file lies about its content, repeats itself without end, or holds a shape that makes a careless loop
//! quadratic. All have right checksums, apart from those with wrong checksums on purpose. `cargo xtask
//! hostile` runs every command on every file, with little memory and time. Nothing here is linked into the
//! product.
//!
//! `graph` makes graph files whose claims, shapes, texts, codecs, tables or fields lie, all drawn by
//! `sketch`; each kind of foreign file has a module of its own, and `bomb` makes little become much. In
//! `xtask`, `hostile` asks the questions, each in a child process with limits, and compares with
//! `expected.txt`. C and Java answer through `ask.c` and `Ask.java`.
#![forbid(unsafe_code)]

mod binary;
mod bomb;
mod diff;
mod digest;
mod drmemtrace;
mod file;
mod flatgraph;
mod graph;
mod heaptrack;
mod lackey;
mod plan;
mod profile;
mod text;
mod trace;

pub use file::{HostileFile, Kind};

/// All files, in an order that stays.
pub fn all() -> Vec<HostileFile> {
    [
        graph::all(),
        trace::all(),
        lackey::all(),
        heaptrack::all(),
        profile::all(),
        drmemtrace::all(),
        binary::all(),
        flatgraph::all(),
        plan::all(),
        digest::all(),
        diff::all(),
        text::all(),
    ]
    .concat()
}
