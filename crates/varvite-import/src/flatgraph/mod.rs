//! flatgraph files, in which Joern stores graphs, as `cpg.bin` or `*.fg`.
//!
//! `file` reads and writes flatgraph files, independently of Varvite's graphs; [`Import`] makes a graph from
//! a file, and [`Export`] makes a file from a graph. Facts of Joern's schema that flatgraph files lack are in
//! `import/cpg.rs`.

mod export;
mod file;
mod import;

pub use export::{Export, ExportError};
pub use file::{
    Blob, BlobRole, Column, Direction, EdgeColumn, EdgeData, ElementType, EncodedColumn, FlatgraphError,
    FlatgraphFile, FlatgraphSink, FlatgraphWriter, Limits, NodeKind, NodeRef, Part, PropertyColumn,
    PropertyData, Scratch, StringPool, Values,
};
pub use import::{Import, ImportError, ImportReport};
