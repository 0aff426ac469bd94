//! Varvite: an embedded graph engine for program graphs.
//!
//! A graph is one flat file. [`Graph::open`] reads only the file's directory; a column is mapped or decoded
//! when it is first read. Nodes have dense `u32` ids in pre-order of the AST. So an [`Adjacency`], which has
//! the edges of one label in one direction, is a CSR (compressed sparse rows) matrix; a [`Property`] is one
//! column for the whole graph; and the descendants of a node are a range of ids ([`Subtree`]).
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
//! [Joern](https://joern.io) makes a graph of your code: run `joern-parse path/to/source --output cpg.bin`.
//! To import it, run `varvite import cpg.bin -o code.varvite` (the command of the crate `varvite-cli`), or
//! call `varvite_import::Import::new("cpg.bin").write_to("code.varvite")`. For any other graph, [`NewGraph`]
//! makes a file node by node and edge by edge, and the module `columns` makes a file from columns that a
//! program already has. To open a file that another user made, use [`OpenOptions`]:
//! `OpenOptions::new().buffered().open(path)`.
//!
//! `docs/guide/embedding.md` is the guide for programs that embed Varvite: options, loops, plans with
//! parameters, imports with progress, errors, threads and memory. `docs/guide/your-own-graph.md` shows how to
//! make a graph from your own data, `docs/guide/walks.md` is about walks and paths, and
//! `docs/guide/algorithms.md` is about algorithms on whole graphs.
//!
//! # What to rely on
//!
//! A hop never allocates, and a read never panics on a damaged file: if a cursor meets damage, it yields
//! nothing at that point, and [`Graph::check`] reports the damage.
//!
//! # Names
//!
//! The root of the crate has the names that every program uses: the graph, its cursors, values, options and
//! errors. The modules have all other names, by subject: [`cursor`], [`error`], [`inspect`] and [`memory`]
//! for readers; [`pipeline`] and [`walk`] for questions; [`change`] and [`mod@write`] for files; [`vfs`] for
//! file systems.
//!
//! # Features
//!
//! A program that only reads graphs does not need to build all modules. These modules are behind features of
//! the crate, which are all off by default:
//!
//! | feature | module |
//! |---|---|
//! | `algorithms` | components, ranks, communities and distances over whole graphs |
//! | `arrow` | results as record batches in Arrow's layout |
//! | `columns` | a bulk writer for values that are in the order of ids, and scans of whole columns |
//! | `compare` | digests of graphs, and the differences of two of them |
//!
//! # Crates
//!
//! This crate has no code of its own. `varvite-graph` has the graph, `varvite-query` has pipelines,
//! `varvite-walk` has walks and algorithms, and `varvite-compare` has digests and differences.
#![forbid(unsafe_code)]

/// Compiles the code examples of the guide.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/guide/walks.md")]
struct WalksGuide;

/// Compiles the code examples of the guide.
#[cfg(all(doctest, feature = "algorithms"))]
#[doc = include_str!("../../../docs/guide/algorithms.md")]
struct AlgorithmsGuide;

/// Compiles the code examples of the guide.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/guide/memory.md")]
struct MemoryGuide;

/// Compiles the code examples of the guide.
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
#[cfg(feature = "arrow")]
pub use varvite_query::arrow;
#[doc(inline)]
pub use varvite_query::pipeline;
#[doc(inline)]
#[cfg(feature = "algorithms")]
pub use varvite_walk::algorithms;
#[doc(inline)]
pub use varvite_walk::walk;

/// Whole columns: a writer that makes a new file from values that are already in the final order of ids, and
/// scans of columns, whose work is divided among threads.
#[cfg(feature = "columns")]
pub mod columns {
    #[doc(inline)]
    pub use varvite_graph::write::{
        CutInput, EdgeLabelSpec, Encoder, Folded, GraphWriter, Heat, LabelSpec, LayerChange, ListsInput,
        NewLayer, NewNumbers, NewTexts, NodeNumbers, Owner, PairError, PreparedAdjacency, PreparedForest,
        PreparedIndex, PreparedLabels, PreparedOrigin, PreparedPlaces, PreparedProperty, PreparedSet,
        PropertyInput, PropertyLayer, PropertySpec, REMOVED, TextsInput, ValuesInput, WriteOptions,
        change_layers, compact_telling, pair_places,
    };
    #[doc(inline)]
    pub use varvite_graph::{
        Census, EdgeEnds, EdgePropertyFacts, Facts, GraphScan, NodeOrder, PropertyFacts, PropertyUse,
        ScratchVec, in_order, in_order_within_memory, subtree_sizes,
    };
}

/// Digests of graphs, and the differences between two graphs.
#[cfg(feature = "compare")]
pub mod compare {
    #[doc(inline)]
    pub use varvite_compare::*;
}

/// Cursors other than [`Property`], [`Adjacency`], [`LabelNodes`] and [`Subtree`], and the iterators that
/// cursors return.
pub mod cursor {
    #[doc(inline)]
    pub use varvite_graph::{
        LabelTest, Labels, Nodes, Numbers, Origin, Owners, Places, PropertyCursor, Ranks, TextGroup,
        TextGroups, TextsReader, Values,
    };
}

/// The parts of a [`GraphError`], and suggestions for names that do not exist.
pub mod error {
    #[doc(inline)]
    pub use varvite_graph::{
        Cancelled, Claim, Excess, Fault, Foreign, FormatError, NameKind, Part, Quantity, StoreError, nearest,
        optional,
    };
}

/// Facts about a whole graph and its file: counts, sizes, columns, layers, the log, and contradictions.
pub mod inspect {
    #[doc(inline)]
    pub use varvite_graph::{
        ColumnInfo, Identity, IndexInfo, Info, LabelInfo, Layer, LayerInfo, LayerUse, LogInfo, ProgressUnit,
        Recovery, VerifyReport,
    };
}

/// Memory: limits for a graph and for the process, and the bytes that a graph holds.
pub mod memory {
    #[doc(inline)]
    pub use varvite_graph::memory::*;
    #[doc(inline)]
    pub use varvite_graph::{MemoryLimits, MemoryState, OverBudget, ProcessMemory, Reserved, SharedBudget};
}

/// Functions that write new files, compact copies, and new indexes and layers in an existing file.
pub mod write {
    #[doc(inline)]
    pub use varvite_graph::write::{
        GraphChange, IndexChange, IndexesChanged, LayerSpec, change_indexes, compact, compact_to, drop_layers,
    };
    #[doc(inline)]
    pub use varvite_graph::{Added, AddedEdge, Codec, NewGraphOptions, NewGraphReport};
}
