//! Results as pages. `table` is the table of all pages, `section` the text around it, `page` the files; a
//! module for each benchmark has its columns and texts, `targets` its targets.

pub mod codecs;
pub mod graph;
pub mod java;
pub(crate) mod joern;
pub mod page;
pub mod prose;
pub(crate) mod section;
pub mod table;
pub mod targets;
pub mod walks;
