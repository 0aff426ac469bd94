//! Generates typed accessors in other languages from the schema of a graph.
//!
//! There are three independent steps. [`Schema::of`] reads a graph once and finds the properties and edges of
//! each label; [`Schema::merge`] adds those of another graph. Then the module of a language, such as
//! [`java`], makes [`SourceFile`]s from the schema, as a pure function. Finally, [`Folder`] writes the files
//! to the disk, and leaves files of other programs unchanged. To support another language, add a module
//! beside [`java`].
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
//! Equal schemas give equal sources, byte for byte: the sources contain no times, and do not depend on the
//! order of a hash table.
//!
//! A graph file does not state the properties and edges that the nodes of each label have, so `survey` reads
//! the whole graph. `schema` has the result as plain data, and `merge` merges several schemas. In `java`,
//! `layout` assigns names and types, `values` and `hops` write the accessors, and each other module writes
//! one kind of class. By default, `folder` never overwrites files that were not generated.
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
