//! The engine in a few hundred plain lines of maps: the oracle of the tests.
//!
//! Everything here is slow on purpose. A graph is a list of nodes that hold maps of lists, and every question
//! is answered by the most naive loop that is correct, so that a reader can trust an answer at a glance. The
//! crate depends on nothing, not even on the rest of the workspace: a mistake of the engine cannot hide here.
//!
//! It also reads the cases of `conformance`: a graph in a few lines becomes a [`ModelGraph`].
//!
//! It knows no file, no column and no snapshot. `history` is a graph that diffs change, `layer` and `layer_names` what it has of layers;
//! `random_history` and `random_layer` make diffs and layers for it.
//!
//! `skipped` notes tests that have nothing to run on. `written` holds parts of other files against the tables that they are written from.
//!
//! `graph` is maps, `facts` and `walk` plain loops over them, `lists` algorithms over whole graphs, and `random` makes graphs.

#![forbid(unsafe_code)]

mod case;
mod case_error;
mod case_folder;
mod case_graph;
mod case_line;
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
mod random_history;
mod random_layer;
mod random_value;
mod skipped;
mod split_mix;
mod value;
mod walk;
pub mod written;

pub use case::{Answer, Ask, Case, Source};
pub use case_error::CaseError;
pub use case_folder::{Skips, cases_in};
pub use case_graph::{CaseGraph, CaseProperty};
pub use facts::{EdgePropertyFacts, Facts, PropertyFacts, TraversalFacts};
pub use graph::{Edge, ModelGraph};
pub use history::{ModelHistory, Operation, Owner};
pub use layer_names::LayerNames;
pub use lists::ModelLists;
pub use node_id::NodeId;
pub use order::AST;
pub use random::{AstShape, Presence, RandomGraph, RandomProperty};
pub use random_layer::RandomLayer;
pub use skipped::skip;
pub use split_mix::SplitMix64;
pub use value::{Value, ValueType};
pub use walk::{
    ModelBranch, ModelEdge, ModelEdges, ModelHop, ModelResults, ModelStep, ModelTest, ModelWalk,
    WalkDirection, WalkOrder, WalkScope, WalkUniqueness,
};
