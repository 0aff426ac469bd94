//! Import and export of foreign graph formats.
//!
//! ```no_run
//! use varvite::Graph;
//! use varvite_import::{Export, Import};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! // `joern-parse path/to/source --output cpg.bin` made this file.
//! Import::new("cpg.bin").index("NAME").write_to("code.varvite")?;
//! let graph = Graph::open("code.varvite")?;
//! Export::new(&graph).write_to("again.cpg.bin")?;
//! # Ok(())
//! # }
//! ```
//!
//! `docs/guide/embedding.md` shows an import that reports its progress and can be cancelled.
//!
//! There is one module for each format. Files come from outside, so every byte is treated as hostile. Damage
//! leads to an error that states its position, never to a panic. A size that a file only claims never causes
//! an allocation.
//!
//! - `flatgraph`: `file` reads and writes flatgraph files, independently of Varvite's graphs; `import` and
//!   `export` convert between a file and a graph. Facts of Joern's schema are only in `import/cpg.rs`:
//!   cardinalities, defaults, frequent edge labels, shared names, and the properties that lead from code to
//!   the text of its file (`import/source_text.rs` uses them).
//! - `text`: text files, and their faults, for the importers of text formats. These importers add nodes and
//!   edges one by one to a draft of `varvite-graph`, in bounded memory.
//! - `neo4j_csv`: tables in the form of Neo4j's admin import; `graphml`: import and export of GraphML;
//!   `scip`: indexes of code.
//! - `parquet`: export to a folder of Parquet files, with the feature `parquet`.
//! - `text_room`: the limit of texts that exports share.

#![forbid(unsafe_code)]

mod export_settings;
pub mod flatgraph;
pub mod graphml;
pub mod neo4j_csv;
#[cfg(feature = "parquet")]
pub mod parquet;
pub mod scip;
pub mod text;
mod text_room;

/// Compiles the code examples of the guide; they need both the engine and this crate.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/guide/embedding.md")]
struct EmbeddingGuide;

pub use export_settings::{ExportReport, ExportSettings};
pub use flatgraph::{Export, ExportError, Import, ImportError, ImportReport};
pub use text::{ForeignError, TextError, TextFault};
pub use varvite_codec::frame::{Expanded, Expansion};
pub use varvite_graph::internal::DraftFault;
