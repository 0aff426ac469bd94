//! `varvite compact`: writes a file without the remains of earlier changes.
//!
//! - `arguments`: the command line.
//! - `at_rest`, `online`: compaction that keeps other writers out until its end, or only during its last
//!   step.
//! - `command`: selects one of the two.

mod arguments;
mod at_rest;
mod command;
mod online;

pub(crate) use self::arguments::CompactArgs;
pub(crate) use self::command::run;
