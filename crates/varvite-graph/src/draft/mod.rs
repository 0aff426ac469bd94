//! A graph that is read or built node by node and edge by edge, before its nodes have ids: the common part of
//! text importers and [`NewGraph`](crate::NewGraph).
//!
//! Keys of nodes and label sets stay in memory. Values and ends of edges are on tapes (append-only buffers),
//! which move to a temporary file beside the target if memory is short. After all input was read, nodes get
//! their ids; then each edge label and each property is encoded as columns, on all threads. All memory that
//! grows with the graph is first reserved from one budget.
//!
//! Modules in reading order (each imports only earlier ones). The draft: `fault`, `single`, `names`, `keys`,
//! `label_sets`, `values`, `content`. Writing the draft as a file: `numbering`, `encode`, `stream`,
//! `estimate`, `write`.

mod content;
mod encode;
mod estimate;
mod fault;
mod keys;
mod label_sets;
mod names;
mod numbering;
mod single;
mod stream;
mod values;
mod write;

pub use content::{Draft, Element};
pub use fault::DraftFault;
pub(crate) use single::double_of_single;
pub use values::{DefaultValue, Kind};
pub(crate) use write::Written;
pub use write::{DraftOptions, Source, TreeLabel};
