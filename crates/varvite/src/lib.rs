//! Varvite: an embedded graph engine for program graphs.
//!
//! A graph is one flat file. [`Graph::open`] reads its directory and nothing else; columns are mapped or decoded when
//! they are first touched. Nodes are dense `u32` ids in pre-order of the AST, so that [`Adjacency`] is one CSR for each
//! edge label and direction, a [`Property`] is one column for the whole graph, and the nodes below a node are a range
//! ([`Subtree`]).
//!
//! ```no_run
//! # fn main() -> varvite::Result<()> {
//! let graph = varvite::Graph::open("zlib.varvite")?;
//! let (calls, callees) = (graph.nodes("CALL")?, graph.out("CALL")?);
//! let full_name = graph.property("FULL_NAME")?;
//! for call in calls.iter() {
//!     for method in callees.neighbors(call) {
//!         println!("{call} calls {:?}", full_name.str(method));
//!     }
//! }
//! graph.check()
//! # }
//! ```
//!
//! Reading never allocates per hop and never panics on a damaged file: a cursor that meets damage yields nothing there
//! and [`Graph::check`] reports it.
#![forbid(unsafe_code)]

mod adjacency;
pub mod arrow;
mod bounds;
mod budget;
mod columns;
mod damage;
mod describe;
mod digest;
mod edge_hash;
mod error;
mod facts;
mod graph;
mod index;
mod labels;
mod order;
mod parallel;
mod pass;
pub mod pipeline;
mod property;
mod scan;
mod schema;
mod shortest_paths;
mod subtree;
mod texts;
mod value;
mod verify;
pub mod write;

pub use adjacency::{Adjacency, Direction, Neighbors};
pub use budget::{Budget, OverBudget, Reserved};
pub use describe::{ColumnInfo, IndexInfo, Info, LabelInfo};
pub use digest::{ColumnDigest, ContentHash, Digest};
pub use edge_hash::edge_hash;
pub use error::{GraphError, Result};
pub use facts::{EdgePropertyFacts, Facts, PropertyFacts, TraversalFacts};
pub use graph::{Graph, Origin, Places};
pub use index::{TextGroup, TextIndex};
pub use labels::{LabelId, LabelNodes, LabelTest, Labels};
pub use order::{Order, subtree_sizes};
pub use parallel::in_order;
pub use property::{Property, PropertyCursor};
pub use schema::{EdgeLabel, Label, Layer, PropertyInfo, nearest};
pub use shortest_paths::{PathError, PathOptions, PathStep, PathWay, ShortestPaths};
pub use subtree::Subtree;
pub use texts::{Texts, TextsReader};
pub use value::{Cardinality, Str, Value, ValueType};
pub use varvite_codec::Codec;
pub use varvite_format::{ErrorCode, Profile};
pub use varvite_store::{
    AccountId, Identity, IfExists, Ledger, MemoryLimits, MemoryState, OpenMode, OpenOptions, ProcessMemory,
    StoreError, VerifyReport,
};
