//! `varvite compact`: writes a file without the remains of earlier changes.
//!
//! - `arguments`: the command line.
//! - `at_rest`, `online`: other writers are kept out for all of it, or for its last step.
//! - `command`: which of both.

mod arguments;
mod at_rest;
mod command;
mod online;

pub(crate) use self::arguments::CompactArgs;
pub(crate) use self::command::run;
