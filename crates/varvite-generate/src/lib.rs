//! Typed accessors in other languages, written from the schema of a graph.
//!
//! Three steps that do not depend on each other: [`Schema::of`] reads a graph once and finds the properties
//! and edges of each label, and [`Schema::merge`] adds those of another graph; a language, such as [`java`],
//! makes [`SourceFile`]s of that, and is a pure function of it; [`Folder`] puts them on the disk, and leaves
//! files of other programs alone. Another language is a module beside [`java`].
//!
//! ```no_run
//! use varvite_generate::{Folder, Schema, java};
//!
//! # fn main() -> varvite_generate::Result<()> {
//! let schema = Schema::of(&varvite::Graph::open("zlib.varvite")?, 2)?;
//! let package = "org.example.cpg".parse()?;
//! Folder::new("src/main/java").write(&java::sources(&schema, &package)?)?;
//! # Ok(())
//! # }
//! ```
//!
//! The graph comes from `varvite import`, or in Rust from `varvite_import::Import`.
//!
//! Equal schemas give equal sources, byte for byte: no clock and no order of a hash table is in them.
//!
//! A file does not say which labels have which properties and edges, so `survey` reads the graph;
//! `schema` is the result as plain data, and `merge` adds several. In `java`, `layout` gives names and
//! types, `values` and `hops` write the accessors, and each other module writes one kind of class.
//! `folder` overwrites nothing that people wrote.
#![forbid(unsafe_code)]

mod error;
mod folder;
pub mod java;
mod merge;
mod schema;
mod source_file;
mod survey;

pub use error::{GenerateError, Result};
pub use folder::{Folder, Written};
pub use schema::{EdgeLabel, Property, Schema};
pub use source_file::SourceFile;
