//! Varvite for C: the functions of `include/varvite.h`, and nothing else that is public.
//!
//! A call comes in through `export`, which catches panics; its arguments (`argument`) become checked types in
//! `pointer`, the one module that follows a pointer; handles are looked up in the table of `handle`, so that
//! a stale one is an error and not a crash. Behind that is safe code that calls the engine. This crate has no
//! graph logic.
//!
//! The header is written by hand. Tests beside each function and struct render it from the Rust types and
//! compare.
//!
//! `room` copies lists out, and structs by the size that the caller was compiled with; `names` keeps names
//! with a zero after them; `holders` counts the holders of the object behind a handle. Each other module is
//! one subject of the header: it defines the kinds of its own objects, and the table depends on none of them.
//! `tests/` is the suite in C, which `cargo xtask test-c` runs.
#![deny(unsafe_code)]

#[macro_use]
mod export;
mod argument;
#[cfg_attr(not(test), allow(dead_code))] // Only tests of the headers ask.
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
