//! The output of `valgrind --tool=lackey --trace-mem=yes`: a line for each instruction, load, store and
//! modification.
//!
//! ```text
//! I  0401ab70,3      an instruction of 3 bytes
//!  L 1fff000758,8    a load of 8 bytes
//!  S 1fff000750,8    a store
//!  M 0421c7cc,4      a load and a store of the same bytes, which become two references
//! ==123== ...        valgrind's own words
//! ```
//!
//! Addresses are hexadecimal, sizes decimal. The text has no times and no threads. Valgrind runs one thread
//! at a time and does not name it, so all references are recorded as thread 0. Branches are not marked.

mod error;
mod import;
mod line;
mod watch;

pub use error::LackeyError;
pub use import::{LackeyReport, import, import_watched};
