//! Varvite: an embedded graph engine for program graphs.
//!
//! A graph is one flat file. [`Graph::open`] reads its directory and nothing else; columns are mapped or
//! decoded when they are first touched. Nodes are dense `u32` ids in pre-order of the AST, so that
//! [`Adjacency`] is one CSR for each edge label and direction, a [`Property`] is one column for the whole
//! graph, and the nodes below a node are a range ([`Subtree`]).
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
//! # Where a file comes from
//!
//! From the graph that [Joern](https://joern.io) makes of your code: `joern-parse path/to/source --output cpg.bin`, then
//! `varvite import cpg.bin -o code.varvite` with the command of the crate `varvite-cli`, or in Rust
//! `varvite_import::Import::new("cpg.bin").write_to("code.varvite")`. The module [`mod@write`] makes a file of any other
//! graph. A file that somebody else made is opened with [`OpenOptions`]: `OpenOptions::new().buffered().open(path)`.
//!
//! `docs/guide/embedding.md` leads through what an embedding program needs: options, loops, plans with parameters, imports
//! with progress, errors, threads and memory. `docs/guide/walks.md` shows walks and paths, `docs/guide/algorithms.md`
//! algorithms over whole graphs.
//!
//! # What to rely on
//!
//! Reading never allocates per hop and never panics on a damaged file: a cursor that meets damage yields
//! nothing there and [`Graph::check`] reports it.
//!
//! # Modules
//!
//! - `open`, `graph`, `schema`, `name_kind`: the ways to open a graph, an open one, the names in it, and the way to its columns.
//! - `adjacency`, `subtree`, `labels`, `property`, `value`: cursors, one kind each; `ids`: the iterators of their ids;
//!   `property_range`: many values of a property at once.
//! - `changed_counts`, `changed_edges`, `changed_places`: edges of a label with changes, counted, opened, and with their places
//!   in the lists of their sources.
//! - `changed_tree`, `grown_tree`: the index of a tree to which nodes were appended; `ranked_bits`: sets in memory.
//! - `changed_labels`, `graph_changes`, `known`: nodes and label sets with changes, opened, and what is known of the changes of
//!   an open graph, made when it is first asked for; `member_change`, `label_change`, `property_change`: how sets, label sets
//!   and values differ from those of the base; `property_open`, `scan_values`: properties opened, and from the first value
//!   to the last.
//! - `budget`: the memory that one operation may hold. [`memory`]: what a graph has in memory, told as a tree.
//!   `json`: JSON from strangers, read within a budget.
//! - `index`, `index_change`: from a text to the nodes that have it, where the file keeps an index; what it lacks.
//! - `damage`: the note that a cursor leaves where the file makes no sense, and the check at the end of
//!   all work; `bounds`: the numbers that values can be; `texts`: the only way to string tables, which
//!   leaves a note for each text that cannot be read.
//! - `ints_scan`, `scan`, `node_labels`, `parallel`, `pass`: blocks of integers and whole columns from front to back; work
//!   on many threads with results in order; what reading a whole graph may take.
//! - `facts`, `digest`, `verify`, `describe`, `columns`: counts, hashes, contradictions, sizes and names of
//!   columns of a whole graph.
//! - `difference`: which node of one graph is which of another, what differs, and the diff that turns one into the other.
//! - `pipeline`: traversals as descriptions, in layers that import only those before. `step`, `description`,
//!   `read`: their stable form; `rows`, `options`: what rows are and what a run may take; `plan`: an
//!   immutable plan for one graph, which `compile` makes; `operators`, `run`: how it runs, with threads only
//!   in `operators/{exchange,worker_pool,morsel,fold_ranges,code_test,tree}` and in `deep`, which has stacks for
//!   plans that are nested deep.
//! - `names`: names as steps and walks are given them. `walk`: traversals with an order, a uniqueness and evaluators, in
//!   memory that one walk leaves to the next; the paths with the fewest edges. `algorithms`: what is said of every node of a
//!   graph, or of the part that hops of walks name.
//! - `arrow`: results of pipelines and parts of a graph as record batches, in Arrow's layout.
//! - `order`, `write`: pre-order of a forest; values become columns of a new file; a file gets other indexes
//!   or layers ([`write::GraphChange`]).
//! - `edge_hash`: a number for an edge, with which directions and files are compared.
#![forbid(unsafe_code)]

/// Compiles the code of the guide.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/guide/walks.md")]
struct WalksGuide;

/// Compiles the code of the guide.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/guide/algorithms.md")]
struct AlgorithmsGuide;

/// Compiles the code of the guide.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/guide/memory.md")]
struct MemoryGuide;

mod adjacency;
pub mod algorithms;
pub mod arrow;
mod bit_set;
mod bounds;
mod budget;
pub mod change;
mod change_fault;
mod changed_counts;
mod changed_edges;
mod changed_labels;
mod changed_places;
mod changed_tree;
mod columns;
mod damage;
mod describe;
mod difference;
mod digest;
mod edge_hash;
mod error;
mod facts;
mod graph;
mod graph_changes;
mod grown_tree;
mod ids;
mod index;
mod index_change;
mod ints_scan;
mod json;
mod known;
mod label_change;
mod labels;
mod layer_info;
mod layer_use;
mod member_change;
pub mod memory;
mod name_kind;
mod names;
mod nearest;
mod node_labels;
mod open;
mod order;
mod parallel;
mod pass;
pub mod pipeline;
mod property;
mod property_change;
mod property_open;
mod property_range;
mod property_recent;
mod ranked_bits;
mod scan;
mod scan_values;
mod schema;
mod subtree;
#[cfg(test)]
mod tests;
mod texts;
mod value;
mod verify;
pub mod walk;
pub mod write;

pub use adjacency::{Adjacency, Direction, Neighbors, Places, RankedNeighbors, Ranks, Sources};
pub use budget::{Budget, OverBudget, Reserved};
pub use describe::{ColumnInfo, IndexInfo, Info, LabelInfo, LogInfo};
pub use difference::{
    Change, ChangeCounts, Difference, EdgeAt, EdgeCounts, NodeCounts, SharedEdgeLabel, SharedProperty,
    TurningDiff, Unreachable,
};
pub use digest::{
    Below, ColumnDifference, ColumnDigest, ColumnTree, Comparison, ContentHash, Digest, DigestTree,
    OwnerDifference, Place, RangeHash, RangeHashes, RangeShift, Side, odd_one_out,
};
pub use edge_hash::edge_hash;
pub use error::{GraphError, Result, optional};
pub use facts::{Census, EdgeEnds, EdgePropertyFacts, Facts, PropertyFacts, PropertyUse};
pub use graph::{Graph, Origin};
pub use ids::{Nodes, Owners};
pub use index::{IndexedProperties, TextGroup, TextGroups, TextIndex};
pub use labels::{LabelIds, LabelNodes, LabelTest, Labels};
pub use layer_info::LayerInfo;
pub use layer_use::LayerUse;
pub use name_kind::NameKind;
pub use node_labels::{NodeLabels, NodesWith};
pub use open::OpenOptions;
pub use order::{Order, subtree_sizes};
pub use parallel::{cores, in_order};
pub use pass::{Pass, ScratchVec};
pub use property::{Numbers, Property, PropertyCursor, Values};
pub use property_recent::RecentNumbers;
pub use schema::{EdgeLabel, Label, Layer, PropertyInfo, nearest};
pub use subtree::Subtree;
pub use texts::{Texts, TextsReader};
pub use value::{Cardinality, Str, Value, ValueType};
pub use varvite_codec::Codec;
pub use varvite_format::{
    Claim, EdgeLabelId, ErrorCode, Excess, Fault, Foreign, FormatError, LabelId, Part, Profile, PropertyId,
    Quantity,
};
pub use varvite_store::{
    AccountId, Cancel, Cancelled, Identity, IfExists, Ledger, MemoryLimits, MemoryState, OpenMode,
    ProcessMemory, Progress, ProgressUnit, Recovery, SharedBudget, StoreError, Task, VerifyReport, vfs,
};
pub use walk::{PathError, PathOptions, PathStep, PathWay, ShortestPaths};
