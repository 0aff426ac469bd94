//! The engine in a few hundred plain lines of maps: the oracle of the tests.
//!
//! Everything here is slow on purpose. A graph is a list of nodes that hold maps of lists, and every question
//! is answered by the most naive loop that is correct, so that a reader can trust an answer at a glance. The
//! crate depends on nothing, not even on the rest of the workspace: a mistake of the engine cannot hide here.
//!
//! It also reads the cases of `conformance`: a graph in a few lines becomes a [`ModelGraph`].
//!
//! It has no file, no column and no snapshot. `history` is a graph that diffs change; `layer` and
//! `layer_names` are its layers.
//!
//! `skipped` notes tests that have nothing to run on. `written` holds parts of other files against the tables
//! that they are written from.
//!
//! `graph` is maps, `facts` and `walk` plain loops over them, `lists` algorithms over whole graphs. `random`
//! makes graphs, and diffs and layers for them.

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
