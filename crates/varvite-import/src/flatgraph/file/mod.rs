//! The foreign file itself, and nothing of Varvite: [`FlatgraphFile`] reads its columns one at a time,
//! [`FlatgraphWriter`] writes them.
//!
//! The bytes are drawn in `container.rs`, their directory in `manifest.rs`, one column's bytes in `blob.rs`,
//! its elements in `element_type.rs`. Columns are found at [`FlatgraphFile::open`], which reads the directory
//! and nothing else; each is decoded on demand, on any number of threads.
//!
//! Facts that the format lacks (cardinalities, defaults, names of edge properties) are not guessed here.

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
