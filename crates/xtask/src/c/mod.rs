//! The C interface: lays out headers and libraries as users get them, and runs the tests written in C.
//!
//! A test in `bindings/c/src/header.rs` compares the headers with the library's source; `symbols` compares
//! them with the symbols that a linker sees.

mod staged;
mod suite;
pub(crate) mod symbols;

pub(crate) use staged::{SONAME, SYSTEM, Staged};
pub(crate) use suite::test;
