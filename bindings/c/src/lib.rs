//! Varvite for C: the functions of the headers in `include`. This crate exports nothing else.
//!
//! Module `export` wraps each function and catches panics. Arguments (`argument`) become checked types in
//! `pointer`, the only module that dereferences pointers. Handles are looked up in the table of `handle`, so
//! that a stale handle is an error and not a crash. All other code is safe and calls the engine. This crate
//! has no graph logic.
//!
//! The headers are written by hand. A generated test for each function and struct renders its declaration
//! from the Rust types and looks for it in the headers.
//!
//! `room` copies lists to the caller's memory, with structs in the size that they have in the caller's
//! header; `names` keeps names with a zero after each; `holders` has the retain and release functions of
//! handles. Every other module covers one subject of the header and defines the kinds of its own objects; the
//! table of handles depends on none of these kinds. `tests/` is the suite in C, which `cargo xtask test-c`
//! runs.
#![deny(unsafe_code)]

#[macro_use]
mod export;
mod argument;
#[cfg_attr(not(test), allow(dead_code))] // Used only by tests of the headers.
mod c_type;
mod error;
mod failure;
mod handle;
#[allow(unsafe_code)]
mod pointer;
mod status;

mod adjacency;
mod apply;
mod arrow;
#[allow(unsafe_code)]
mod callback;
mod columns;
mod cpg;
mod diff;
mod fill_or_pin;
mod graph;
mod graph_log;
mod holders;
mod labels;
mod library;
mod memory;
mod names;
mod new_file;
mod parameter;
mod pin;
mod property;
mod recorder;
mod room;
mod run;
mod schema;
mod shared_budget;
mod table;
mod verify;
mod walk;

#[cfg(test)]
mod header;
