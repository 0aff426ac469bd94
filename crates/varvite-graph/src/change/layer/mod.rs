//! Layers that hold nodes and edges: a diff is added as one layer, and the layer is dropped as a whole.
//!
//! A layer has columns of its own. They are written once, like the columns of the base, for the ids that
//! exist at that time. They are not part of the set of changes, which every commit writes again. The nodes of
//! a layer are appended nodes.
//!
//! - `rules`: the operations that the diff of a layer may have.
//! - `columns`: makes the columns of a layer from the changes of its own edge labels and properties.
//! - `add`: the commit.
//! - `extent`: the nodes and the directory rows that are removed when some layers are dropped.
//! - `usage`: whether a remaining element refers to a dropped node.
//! - `drop`: a graph without some of its layers.

mod add;
mod columns;
mod drop;
mod extent;
mod rules;
mod usage;
