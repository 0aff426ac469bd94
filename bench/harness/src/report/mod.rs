//! Results as pages. `table` renders the tables of all pages, `section` adds the text around them, and `page`
//! writes the files. Each benchmark has a module with its columns and texts; `targets` has the targets of all
//! benchmarks.

pub mod asks;
pub mod codecs;
pub(crate) mod corpus;
pub mod graph;
pub mod java;
pub(crate) mod joern;
pub mod page;
pub mod prose;
pub(crate) mod python;
pub(crate) mod recordings;
pub(crate) mod section;
pub mod table;
pub mod targets;
pub mod walks;
