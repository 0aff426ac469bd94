//! Foreign graphs, profiles and traces: read into Varvite, and written back out.
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
//! One module per source. The files come from outside, so every one of their bytes is treated as
//! hostile: damage is an error that says where, never a panic and never an allocation that the file
//! merely claims to need.
//!
//! - `flatgraph`: `file` knows the foreign file and nothing of Varvite; `import` and `export` are the two
//!   ways across. `import/cpg.rs` is the one place that knows Joern's schema: cardinalities, defaults,
//!   frequent edge labels, shared names, and what leads from code to the text of its file
//!   (`import/source_text.rs` follows it).
//! - `lackey`, `drmemtrace`: traces of memory references of valgrind and of DynamoRIO. `reference` is
//!   what they have in common, and writes those of any number of threads to one stream; `process_maps`
//!   says what a process has in memory.
//! - `trace`: makes layers of traces. `binary` and `debug_lines` read the programs that ran, after
//!   `debug_weight` has compared what they claim with their size; `code_map` leads from addresses to
//!   functions, `methods` from functions to METHODs, and `tally` counts.

#![forbid(unsafe_code)]

pub mod drmemtrace;
pub mod flatgraph;
pub mod lackey;
pub mod process_maps;
pub mod reference;
pub mod trace;

pub use flatgraph::{Export, ExportError, ExportReport, Import, ImportError, ImportReport};
