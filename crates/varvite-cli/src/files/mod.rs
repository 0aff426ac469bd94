//! Questions to one graph or to many: a folder or a pattern in place of a file.
//!
//! `arguments` has FILE of the commands that take many; `target` is where the answer for one graph goes, and
//! `room` the memory of its rows until they are written; `merged` writes the rows of many graphs as one
//! answer; `failures` keeps the files that have none.

mod arguments;
mod failures;
mod merged;
mod room;
mod target;

pub(crate) use arguments::{FilesArgs, corpus_options};
pub(crate) use failures::Failures;
pub(crate) use target::Target;
