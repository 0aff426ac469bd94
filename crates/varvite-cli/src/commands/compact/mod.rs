//! `varvite compact`: rewrites a graph file without the remains of earlier changes.
//!
//! - `arguments`: the command line.
//! - `at_rest` keeps other writers out until the end of the compaction, `online` only during its last step.
//! - `command`: calls `at_rest` or `online`.

mod arguments;
mod at_rest;
mod command;
mod online;

pub(crate) use self::arguments::CompactArgs;
pub(crate) use self::command::run;
