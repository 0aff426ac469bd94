//! Algorithms over whole graphs, or over the part that a selection names: distances, components, ranks,
//! communities, clustering, least costs, dominators.
//!
//! A [`Selection`] describes nodes and edges by name, with the [`Hop`](crate::walk::Hop)s of walks. Opening a
//! selection for a graph gives a [`Subgraph`], whose methods are the algorithms. An algorithm with a result
//! for each node returns [`NodeValues`].
//!
//! Answers are deterministic: they are the same, bit for bit, on any number of threads, and whether lists of
//! edges are decoded or read from columns. Memory is charged to a budget. An algorithm stops within some
//! thousand edges after its cancel flag is set. Damage causes an error, never a wrong answer.
//!
//! Reading order, in which each module imports only earlier modules:
//! - `selection`, `options`, `error`: the description of nodes and edges, the limits, and the errors.
//! - `limits`, `buffer`, `pool`, `members`, `node_values`, `node_lists`, `node_groups`: budgets, vectors
//!   charged to a budget, buffers that threads share, the nodes, and results by node, as lists and as groups.
//! - `columns`, `csr`, `lists`, `subgraph`: edges in columns, decoded edges, a reader for either, and the
//!   subgraph with its nodes and edges.
//! - `distances`, `breadth_first`, `shortest_path`, `components`, `page_rank`, `label_propagation`,
//!   `clustering`, `least_costs`, `strong_components`, `generations`, `core_numbers`, `tree`, `dominators`,
//!   `frontiers`: the algorithms, each with its source in the header.

mod breadth_first;
mod buffer;
mod clustering;
mod columns;
mod components;
mod core_numbers;
mod csr;
mod distances;
mod dominators;
mod error;
mod frontiers;
mod generations;
mod label_propagation;
mod least_costs;
mod limits;
mod lists;
mod members;
mod node_groups;
mod node_lists;
mod node_values;
mod options;
mod page_rank;
mod pool;
mod selection;
mod shortest_path;
mod strong_components;
mod subgraph;
mod tree;

pub use breadth_first::BreadthFirst;
pub use distances::UNREACHED;
pub use error::AlgorithmError;
pub use generations::Generations;
pub use label_propagation::Communities;
pub use node_groups::NodeGroups;
pub use node_lists::NodeLists;
pub use node_values::NodeValues;
pub use options::AlgorithmOptions;
pub use page_rank::{PageRank, PageRanks};
pub use selection::Selection;
pub use subgraph::Subgraph;
pub use tree::Tree;
