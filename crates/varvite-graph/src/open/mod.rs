//! From a path to a graph, and from a graph to its cursors.
//!
//! - `options`: the ways to open a graph; `edges`, `labels`, `tree`, `property`: cursors of a graph with
//!   changes.
//! - `index`: from a text to the nodes that have it, where the file keeps an index.

pub(crate) mod edges;
pub(crate) mod index;
pub(crate) mod labels;
pub(crate) mod options;
pub(crate) mod property;
pub(crate) mod tree;
