//! flatgraph files: what Joern stores as `cpg.bin` or `*.fg`.
//!
//! `file` knows the foreign file and nothing of Varvite; [`import`] makes a graph of one, and [`export`] one of a graph.
//! What a flatgraph file does not say and Joern's schema does is in `import/cpg.rs`.

mod export;
mod file;
mod import;

pub use export::{ExportError, ExportOptions, ExportReport, export};
pub use file::{
    Blob, BlobRole, Column, Direction, EdgeColumn, EdgeData, ElementType, EncodedColumn, FlatgraphError,
    FlatgraphFile, FlatgraphSink, FlatgraphWriter, Limits, NodeKind, NodeRef, Part, PropertyColumn,
    PropertyData, Scratch, StringPool, Values,
};
pub use import::{ImportError, ImportOptions, ImportReport, Step, import};
