//! flatgraph files: what Joern stores as `cpg.bin` or `*.fg`.
//!
//! `file` knows the foreign file and nothing of Varvite; [`Import`] makes a graph of one, and [`Export`] one
//! of a graph. What a flatgraph file does not say and Joern's schema does is in `import/cpg.rs`.

mod export;
mod file;
mod import;

pub use export::{Export, ExportError, ExportReport};
pub use file::{
    Blob, BlobRole, Column, Direction, EdgeColumn, EdgeData, ElementType, EncodedColumn, FlatgraphError,
    FlatgraphFile, FlatgraphSink, FlatgraphWriter, Limits, NodeKind, NodeRef, Part, PropertyColumn,
    PropertyData, Scratch, StringPool, Values,
};
pub use import::{Import, ImportError, ImportReport};
