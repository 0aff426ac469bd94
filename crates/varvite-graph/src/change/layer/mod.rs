//! Layers that hold nodes and edges: a diff is added as one layer, and the layer is dropped as a whole.
//!
//! A layer has columns of its own. They are written once, as those of the base are, for the ids of that time,
//! and are not part of the set of changes, which every commit writes again. The nodes of a layer are appended
//! nodes.
//!
//! - `rules`: the operations that the diff of a layer may have.
//! - `columns`: from changes of edge labels and properties that only the layer has to its columns.
//! - `add`: the commit.
//! - `extent`: the nodes and the rows of the directory that are dropped with some layers.
//! - `usage`: whether a remaining element refers to a dropped node.
//! - `drop`: a graph without some of its layers.

mod add;
mod columns;
mod drop;
mod extent;
mod rules;
mod usage;
