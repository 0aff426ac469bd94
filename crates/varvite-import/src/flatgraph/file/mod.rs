//! Reads and writes flatgraph files, independently of Varvite's graphs: [`FlatgraphFile`] reads the columns
//! of a file one at a time, and [`FlatgraphWriter`] writes columns.
//!
//! The layout of the file is in `container.rs`, the directory in `manifest.rs`, the bytes of columns in
//! `blob.rs`, and the elements of columns in `element_type.rs`. [`FlatgraphFile::open`] reads only the
//! directory; each column is decoded on demand, on any number of threads.
//!
//! Facts that the format lacks (cardinalities, defaults, names of edge properties) are not added here.

mod blob;
mod container;
mod decode;
mod direction;
mod directory;
mod element_type;
mod encode;
mod error;
mod limits;
mod manifest;
mod read;
mod reference;
mod source;
mod values;
mod write;

pub use blob::{Blob, Scratch};
pub use direction::Direction;
pub use directory::{Column, EdgeColumn, NodeKind, PropertyColumn};
pub use element_type::ElementType;
pub use encode::{EdgeData, EncodedColumn, PropertyData};
pub use error::{BlobRole, FlatgraphError, Part};
pub use limits::Limits;
pub use read::FlatgraphFile;
pub use reference::NodeRef;
pub use values::{StringPool, Values};
pub use write::{FlatgraphSink, FlatgraphWriter};
