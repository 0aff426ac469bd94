//! The model: a graph engine made of maps, in a few hundred plain lines. The tests use its answers as the
//! expected ones.
//!
//! The model is slow on purpose. A graph is a list of nodes that hold maps of lists. Every question is
//! answered by the most naive correct loop, so that a reader can easily see that the answer is right. The
//! crate depends on no other crate, not even on one of this workspace, so the model shares no code with the
//! engine, and so no mistakes.
//!
//! The crate also reads the cases of `conformance`: a graph in a few lines of text becomes a [`ModelGraph`].
//!
//! The model has no files, no columns and no snapshots. `history` is a graph that is changed by diffs;
//! `layer` and `layer_names` are the layers of such a graph.
//!
//! `skipped` notes tests that were skipped because their data is missing. `written` compares parts of other
//! files with the tables from which they are generated.
//!
//! `graph` is the graph made of maps; `facts` and `walk` are plain loops over it; `lists` has algorithms on
//! whole graphs. `random` makes random graphs, and diffs and layers for them.

#![forbid(unsafe_code)]

mod case;
mod facts;
mod float_text;
mod graph;
mod history;
mod layer;
mod layer_names;
mod lists;
mod node_id;
mod order;
mod random;
mod skipped;
mod split_mix;
mod value;
mod walk;
pub mod written;

pub use case::error::CaseError;
pub use case::folder::{Skips, cases_in};
pub use case::graph::{CaseGraph, CaseProperty};
pub use case::{Answer, Ask, Case, Source};
pub use facts::{EdgePropertyFacts, Facts, PropertyFacts, TraversalFacts};
pub use graph::{Edge, ModelGraph};
pub use history::{ModelHistory, Operation, Owner};
pub use layer_names::LayerNames;
pub use lists::ModelLists;
pub use node_id::NodeId;
pub use order::AST;
pub use random::layer::RandomLayer;
pub use random::{AstShape, Presence, RandomGraph, RandomProperty};
pub use skipped::skip;
pub use split_mix::SplitMix64;
pub use value::{Value, ValueType};
pub use walk::{
    ModelBranch, ModelEdge, ModelEdges, ModelHop, ModelResults, ModelStep, ModelTest, ModelWalk,
    WalkDirection, WalkOrder, WalkScope, WalkUniqueness,
};
