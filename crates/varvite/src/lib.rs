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
//! - `cursor`: readers of columns, one kind each, with types of values and the note that a cursor leaves of damage.
//! - `overlay`: what was changed since the columns were written, as cursors need it.
//! - `graph`, `schema`, `name_kind`, `names`, `nearest`, `layer_use`: an open graph, the names in it, and names as steps and walks are
//!   given them; `open`: from a path to a graph, and from a graph to its cursors.
//! - `scan`: whole columns from front to back; work on many threads with results in order; what reading a whole graph may take.
//! - `inspect`: counts, sizes and names of columns of a whole graph; [`memory`]: what a graph has in memory, as a tree.
//! - `budget`: the memory that one operation may hold; `json`: JSON from strangers, read within a budget; `error`, `change_fault`.
//! - `digest`, `verify`: hashes and contradictions of a whole graph; `difference`: which node of one graph is which of another,
//!   what differs, and the diff that turns one into the other.
//! - `pipeline`: traversals as descriptions, in layers that import only those before. `step`, `description`,
//!   `read`: their stable form; `rows`, `options`: what rows are and what a run may take; `plan`: an
//!   immutable plan for one graph, which `compile` makes; `operators`, `run`: how it runs, with threads only
//!   in `operators/{exchange,worker_pool,morsel,fold_ranges,code_test,tree}` and in `deep`, which has stacks for
//!   plans that are nested deep.
//! - `walk`: traversals with an order, a uniqueness and evaluators, in memory that one walk leaves to the next; the paths with the
//!   fewest edges. `algorithms`: what is said of every node of a graph, or of the part that hops of walks name.
//! - `arrow`: results of pipelines and parts of a graph as record batches, in Arrow's layout.
//! - `change`: diffs, the log, layers and online compaction; `write`: values become columns of a new file; a file gets other indexes
//!   or layers ([`write::GraphChange`]).
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

pub mod algorithms;
pub mod arrow;
mod budget;
pub mod change;
mod change_fault;
mod cursor;
mod difference;
mod digest;
mod error;
mod graph;
mod inspect;
mod json;
mod layer_use;
mod name_kind;
mod names;
mod nearest;
mod open;
mod overlay;
pub mod pipeline;
mod scan;
mod schema;
#[cfg(test)]
mod tests;
mod verify;
pub mod walk;
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
pub use difference::{
    Change, ChangeCounts, Difference, EdgeAt, EdgeCounts, NodeCounts, SharedEdgeLabel, SharedProperty,
    TurningDiff, Unreachable,
};
pub use digest::{
    Below, ColumnDifference, ColumnDigest, ColumnTree, Comparison, ContentHash, Digest, DigestTree,
    OwnerDifference, Place, RangeHash, RangeHashes, RangeShift, Side, odd_one_out,
};
pub use error::{GraphError, Result, optional};
pub use graph::{Graph, Origin};
pub use inspect::describe::{ColumnInfo, IndexInfo, Info, LabelInfo, LogInfo};
pub use inspect::facts::{Census, EdgeEnds, EdgePropertyFacts, Facts, PropertyFacts, PropertyUse};
pub use inspect::layer_info::LayerInfo;
pub use inspect::memory;
pub use layer_use::LayerUse;
pub use name_kind::NameKind;
pub use open::index::{IndexedProperties, TextGroup, TextGroups, TextIndex};
pub use open::options::OpenOptions;
pub use scan::node_labels::{NodeLabels, NodesWith};
pub use scan::parallel::{cores, in_order};
pub use scan::pass::{Pass, ScratchVec};
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
pub use walk::{PathError, PathOptions, PathStep, PathWay, ShortestPaths};
pub use write::order::{Order, subtree_sizes};
