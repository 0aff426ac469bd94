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
//! `varvite_import::Import::new("cpg.bin").write_to("code.varvite")`. [`NewGraph`] makes a file of any other
//! graph, node by node and edge by edge, and the module [`mod@write`] one of columns that are there already. A file that somebody else made is opened with [`OpenOptions`]: `OpenOptions::new().buffered().open(path)`.
//!
//! `docs/guide/embedding.md` leads through what an embedding program needs: options, loops, plans with parameters, imports
//! with progress, errors, threads and memory. `docs/guide/your-own-graph.md` makes a graph of one's own. `docs/guide/walks.md` shows walks and paths, `docs/guide/algorithms.md`
//! algorithms over whole graphs.
//!
//! # What to rely on
//!
//! Reading never allocates per hop and never panics on a damaged file: a cursor that meets damage yields
//! nothing there and [`Graph::check`] reports it.
//!
//! # Crates
//!
//! This crate has no code of its own. `varvite-graph` has the graph, `varvite-query` pipelines, `varvite-walk` walks and algorithms,
//! `varvite-compare` digests and differences.
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

/// Compiles the code of the guide.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/guide/your-own-graph.md")]
struct YourOwnGraphGuide;

#[doc(inline)]
pub use varvite_graph::{NewGraph, new_graph};

#[doc(inline)]
pub use varvite_compare::{
    Below, ColumnDifference, ColumnDigest, ColumnTree, Comparison, ContentHash, Digest, DigestTree,
    OwnerDifference, Place, RangeHash, RangeHashes, RangeShift, Side, odd_one_out,
};
#[doc(inline)]
pub use varvite_compare::{
    Change, ChangeCounts, Difference, EdgeAt, EdgeCounts, NodeCounts, SharedEdgeLabel, SharedProperty,
    TurningDiff, Unreachable,
};
#[doc(inline)]
pub use varvite_graph::{
    AccountId, Adjacency, Budget, Cancel, Cancelled, Cardinality, Census, Claim, Codec, ColumnInfo,
    Direction, EdgeEnds, EdgeLabel, EdgeLabelId, EdgePropertyFacts, ErrorCode, Excess, Facts, Fault, Foreign,
    FormatError, Graph, GraphError, Identity, IfExists, IndexInfo, IndexedProperties, Info, Label, LabelId,
    LabelIds, LabelInfo, LabelNodes, LabelTest, Labels, Layer, LayerInfo, LayerUse, Ledger, LogInfo,
    MemoryLimits, MemoryState, NameKind, Neighbors, NodeLabels, Nodes, NodesWith, Numbers, OpenMode,
    OpenOptions, Order, Origin, OverBudget, Owners, Part, Pass, Places, ProcessMemory, Profile, Progress,
    ProgressUnit, Property, PropertyCursor, PropertyFacts, PropertyId, PropertyInfo, PropertyUse, Quantity,
    RankedNeighbors, Ranks, RecentNumbers, Recovery, Reserved, Result, ScratchVec, SharedBudget, Sources,
    StoreError, Str, Subtree, Task, TextGroup, TextGroups, TextIndex, Texts, TextsReader, Value, ValueType,
    Values, VerifyReport, change, cores, edge_hash, in_order, memory, nearest, optional, subtree_sizes, vfs,
    write,
};
#[doc(inline)]
pub use varvite_query::{arrow, pipeline};
#[doc(inline)]
pub use varvite_walk::{PathError, PathOptions, PathStep, PathWay, ShortestPaths};
#[doc(inline)]
pub use varvite_walk::{algorithms, walk};
