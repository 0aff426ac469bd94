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
//! let full_name = graph.texts("FULL_NAME")?;
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
//! From the graph that [Joern](https://joern.io) makes of your code:
//! `joern-parse path/to/source --output cpg.bin`, then `varvite import cpg.bin -o code.varvite` with the
//! command of the crate `varvite-cli`, or in Rust
//! `varvite_import::Import::new("cpg.bin").write_to("code.varvite")`. [`NewGraph`] makes a file of any other
//! graph, node by node and edge by edge, and the module [`mod@write`] one of columns that are there already.
//! A file that another user made is opened with [`OpenOptions`]: `OpenOptions::new().buffered().open(path)`.
//!
//! `docs/guide/embedding.md` leads through what an embedding program needs: options, loops, plans with
//! parameters, imports with progress, errors, threads and memory. `docs/guide/your-own-graph.md` makes a
//! graph of one's own, `docs/guide/walks.md` shows walks and paths, `docs/guide/algorithms.md` algorithms
//! over whole graphs.
//!
//! # What to rely on
//!
//! Reading never allocates per hop and never panics on a damaged file: a cursor that meets damage yields
//! nothing there and [`Graph::check`] reports it.
//!
//! # Names
//!
//! The root has what every program uses: the graph, its cursors, values, options and errors. The modules have
//! the rest, by subject: [`cursor`], [`error`], [`inspect`], [`memory`] and [`scan`] for readers;
//! [`pipeline`], [`walk`], [`algorithms`] and [`compare`] for questions; [`change`] and [`mod@write`] for
//! files; [`vfs`] for file systems.
//!
//! # Crates
//!
//! This crate has no code of its own. `varvite-graph` has the graph, `varvite-query` pipelines,
//! `varvite-walk` walks and algorithms, `varvite-compare` digests and differences.
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
pub use varvite_graph::{
    Adjacency, Budget, Cancel, Cardinality, Direction, EdgeLabel, EdgeLabelId, ErrorCode, Graph, GraphError,
    IfExists, Label, LabelId, LabelNodes, Neighbors, NewGraph, NodeLabels, OpenMode, OpenOptions, Profile,
    Progress, Property, PropertyId, PropertyInfo, Result, Str, Subtree, Task, TextIndex, Texts, Value,
    ValueType, change, vfs,
};
#[doc(inline)]
pub use varvite_query::{arrow, pipeline};
#[doc(inline)]
pub use varvite_walk::{algorithms, walk};

/// Digests of graphs, and what differs between two of them.
pub mod compare {
    #[doc(inline)]
    pub use varvite_compare::*;
}

/// Cursors beside [`Property`], [`Adjacency`], [`LabelNodes`] and [`Subtree`], and the iterators that all of
/// them give.
pub mod cursor {
    #[doc(inline)]
    pub use varvite_graph::{
        IndexedProperties, LabelIds, LabelTest, Labels, Nodes, NodesWith, Numbers, Origin, Owners, Places,
        PropertyCursor, RankedNeighbors, Ranks, RecentNumbers, Sources, TextGroup, TextGroups, TextsReader,
        Values,
    };
}

/// The parts of a [`GraphError`], and help for names that do not exist.
pub mod error {
    #[doc(inline)]
    pub use varvite_graph::{
        Cancelled, Claim, Excess, Fault, Foreign, FormatError, NameKind, Part, Quantity, StoreError, nearest,
        optional,
    };
}

/// Facts about a whole graph and its file: counts, sizes, columns, layers, the log, contradictions.
pub mod inspect {
    #[doc(inline)]
    pub use varvite_graph::{
        Census, ColumnInfo, EdgeEnds, EdgePropertyFacts, Facts, Identity, IndexInfo, Info, LabelInfo, Layer,
        LayerInfo, LayerUse, LogInfo, PropertyFacts, PropertyUse, Recovery, VerifyReport, edge_hash,
    };
}

/// Memory: limits for a graph and for the process, and the bytes that a graph holds.
pub mod memory {
    #[doc(inline)]
    pub use varvite_graph::memory::*;
    #[doc(inline)]
    pub use varvite_graph::{
        AccountId, Ledger, MemoryLimits, MemoryState, OverBudget, ProcessMemory, Reserved, SharedBudget,
    };
}

/// Passes over whole columns, in parts that threads share.
pub mod scan {
    #[doc(inline)]
    pub use varvite_graph::{Pass, ProgressUnit, ScratchVec, in_order, in_order_within_memory};
}

/// New files: values become columns; and new indexes and layers for a file that exists.
pub mod write {
    #[doc(inline)]
    pub use varvite_graph::write::*;
    #[doc(inline)]
    pub use varvite_graph::{Added, AddedEdge, Codec, NewGraphOptions, NewGraphReport, Order, subtree_sizes};
}
