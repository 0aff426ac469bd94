//! Foreign graphs: read into Varvite, and written back out.
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
//! One module per source. The files come from outside, so every one of their bytes is treated as hostile:
//! damage is an error with its place, never a panic and never an allocation that the file merely claims to
//! need.
//!
//! - `flatgraph`: `file` reads and writes the foreign file, without any of Varvite's types; `import` and
//!   `export` convert. `import/cpg.rs` is the one place with Joern's schema: cardinalities, defaults,
//!   frequent edge labels, shared names, and the edges from code to the text of its file
//!   (`import/source_text.rs` follows them).
//! - `text`: files of text, and their faults. Below importers of text, which read into a draft of
//!   `varvite-graph`, node by node and edge by edge, in bounded memory:
//! - `neo4j_csv`: tables as Neo4j's admin import reads them; `graphml`: GraphML, in and out.

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
