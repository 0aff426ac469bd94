//! Import and export of foreign graph formats.
//!
//! ```no_run
//! use varvite::Graph;
//! use varvite_import::{Export, Import};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! // `joern-parse path/to/source --output cpg.bin` made it.
//! Import::new("cpg.bin").index("NAME").write_to("code.varvite")?;
//! let graph = Graph::open("code.varvite")?;
//! Export::new(&graph).write_to("again.cpg.bin")?;
//! # Ok(())
//! # }
//! ```
//!
//! `docs/guide/embedding.md` shows an import with progress that can be cancelled.
//!
//! There is one module for each format. Files come from outside, so every byte is treated as hostile: damage
//! is an error with its position. It never causes a panic, nor an allocation of a size that a file merely
//! states.
//!
//! - `flatgraph`: `file` reads and writes the foreign file, without any type of Varvite; `import` and
//!   `export` convert. Only `import/cpg.rs` has facts of Joern's schema: cardinalities, defaults, frequent
//!   edge labels, shared names, and the properties that lead from code to the text of its file
//!   (`import/source_text.rs` uses them).
//! - `text`: text files, and their faults. The importers of text formats use it; they read into a draft of
//!   `varvite-graph`, node by node and edge by edge, in bounded memory.
//! - `neo4j_csv`: tables in the form of Neo4j's admin import; `graphml`: import and export of GraphML.

#![forbid(unsafe_code)]

pub mod flatgraph;
pub mod graphml;
pub mod neo4j_csv;
pub mod text;

/// Compiles the code of the guide, which needs the engine and imports.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/guide/embedding.md")]
struct EmbeddingGuide;

pub use flatgraph::{Export, ExportError, ExportReport, Import, ImportError, ImportReport};
pub use text::{TextError, TextFault};
pub use varvite_codec::frame::{Expanded, Expansion};
pub use varvite_graph::internal::DraftFault;
