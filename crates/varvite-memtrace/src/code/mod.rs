//! Finds the code at the addresses of a trace: files, functions and source lines.
//!
//! A trace has the addresses of instructions, and its modules are the files mapped at these addresses.
//! [`Binary`] reads such a file's functions and, from debug information, their source lines, after
//! `debug_weight` has checked that the work is proportional to the file's size. `CodeMap` leads from an
//! address to the function. Binaries come from outside and may be damaged; [`BinaryError`] describes the
//! damage, which affects only the records of that binary.

mod binaries;
mod binary;
mod build_id;
mod code_map;
mod debug_lines;
mod debug_weight;
mod error;

pub use binaries::{Binaries, FileBinaries};
pub use binary::{Binary, Function};
pub(crate) use code_map::{Code, CodeFile, CodeMap};
pub(crate) use debug_lines::CodePlace;
pub use error::BinaryError;
