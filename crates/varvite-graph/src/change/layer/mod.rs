//! Layers that hold nodes and edges: a diff becomes one as a whole, and it goes as a whole.
//!
//! A layer has columns of its own. They are written once, as those of the base are, over the ids that there
//! are then, and not into the set of changes, which every commit writes anew. Its nodes are appended ones.
//!
//! - `rules`: the operations that the diff of a layer may have.
//! - `columns`: from changes of names that only the layer has to its columns.
//! - `add`: the commit.
//! - `extent`: the parts that are dropped with some layers: nodes, and rows of the directory.
//! - `usage`: whether something that stays refers to nodes that go.
//! - `drop`: a graph without some of its layers.

mod add;
mod columns;
mod drop;
mod extent;
mod rules;
mod usage;
