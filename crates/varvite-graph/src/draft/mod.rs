//! A graph that comes node by node and edge by edge, before its nodes have ids: the common part of importers
//! of text and [`NewGraph`](crate::NewGraph).
//!
//! Keys of nodes and label sets stay in memory, values and ends of edges are on tapes, which go to a
//! temporary file beside the target where memory is short. When all is read, nodes get their ids; then each
//! edge label and each property becomes columns, on all threads. All memory that grows with the graph is
//! taken from one budget first.
//!
//! Reading order, each importing only those before it: `fault`, `single`, `names`, `keys`, `label_sets`,
//! `values`, `edges`, `content`: the draft; `numbering`, `encode`, `stream`, `estimate`, `write`: the file
//! from it.

mod content;
mod edges;
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
