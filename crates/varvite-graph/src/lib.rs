//! The graph of Varvite: opening a file, its schema, cursors over its columns, changes and new files.
//!
//! Users take the crate `varvite`, which re-exports this crate and adds pipelines, walks, algorithms and
//! comparisons. No module of this crate depends on queries. The module `internal` is only for the other
//! crates of Varvite and may change with any version.
//!
//! # Modules
//!
//! - `cursor`: a type of reader for each kind of column; the types of values; the record of damage that
//!   cursors find.
//! - `overlay`: changes since the columns were written, in the form that cursors need.
//! - `graph`, `schema`, `name_kind`, `names`, `nearest`, `layer_use`: an open graph, its schema, and the
//!   names in errors and in the arguments of steps and walks; `open`: opens graphs by path, and opens the
//!   cursors of a graph.
//! - `scan`: readers of whole columns from front to back; parallel work that returns its results in order;
//!   the memory budget of a scan of the whole graph.
//! - `inspect`: the counts of a whole graph, and the names and sizes of its columns; [`memory`]: the memory
//!   of a graph, as a tree.
//! - `budget`: the memory that one operation may hold; `json`: a reader of untrusted JSON within a budget;
//!   `error`: errors of readers; `change_error`, `change_fault`: errors of writers.
//! - `verify`: finds contradictions between the columns of a graph.
//! - `change`: diffs, the log, layers and online compaction; `write`: encodes values as columns of a new
//!   file, and changes the indexes and layers of a file ([`write::GraphChange`]).
//! - `draft`: a graph that callers add node by node and edge by edge, until it is written; `new_graph`: a new
//!   graph with a schema that the caller declares.
#![forbid(unsafe_code)]

mod budget;
pub mod change;
mod change_error;
mod change_fault;
mod cursor;
mod draft;
mod error;
mod graph;
mod inspect;
#[doc(hidden)]
pub mod internal;
#[doc(hidden)]
pub mod json;
mod layer_use;
mod name_kind;
mod names;
mod nearest;
pub(crate) mod new_graph;
mod open;
mod overlay;
mod scan;
mod schema;
#[cfg(test)]
mod tests;
mod verify;
pub mod write;

pub use budget::{Budget, OverBudget, Reserved};
pub use cursor::adjacency::{Adjacency, Direction, Neighbors, Places, RankedNeighbors, Ranks, Sources};
pub use cursor::ids::{Nodes, Owners};
pub use cursor::labels::{LabelIds, LabelNodes, LabelTest, Labels};
pub use cursor::property::{Numbers, Property, PropertyCursor, Values};
pub use cursor::property_recent::RecentNumbers;
pub use cursor::subtree::Subtree;
pub use cursor::texts::{Texts, TextsReader};
pub use cursor::value::{Cardinality, Str, Value, ValueType};
pub use error::{GraphError, Result, optional};
pub use graph::{Graph, Origin};
pub use inspect::describe::{ColumnInfo, IndexInfo, Info, LabelInfo, LogInfo};
pub use inspect::facts::{Census, EdgeEnds, EdgePropertyFacts, Facts, PropertyFacts, PropertyUse};
pub use inspect::layer_info::LayerInfo;
pub use inspect::memory;
pub use layer_use::LayerUse;
pub use name_kind::NameKind;
pub use new_graph::{Added, AddedEdge, NewGraph, NewGraphOptions, NewGraphReport};
pub use open::index::{IndexedProperties, TextGroup, TextGroups, TextIndex};
pub use open::options::OpenOptions;
pub use scan::graph_scan::{GraphScan, ScratchVec};
pub use scan::node_labels::{NodeLabels, NodesWith};
pub use scan::parallel::{in_order, in_order_within_memory};
pub use schema::{EdgeLabel, Label, Layer, PropertyInfo, nearest};
pub use varvite_codec::Codec;
pub use varvite_format::{
    Claim, EdgeLabelId, ErrorCode, Excess, Fault, Foreign, FormatError, LabelId, Part, Profile, PropertyId,
    Quantity,
};
pub use varvite_store::{
    AccountId, Cancel, Cancelled, Identity, IfExists, Ledger, MemoryLimits, MemoryState, OpenMode,
    ProcessMemory, Progress, ProgressUnit, Recovery, SharedBudget, StoreError, Task, VerifyReport, vfs,
};
pub use verify::edge_hash::edge_hash;
pub use write::order::{NodeOrder, subtree_sizes};
