//! Opens graphs by path, and cursors of graphs with changes.
//!
//! - `options`: options for opening a graph; `edges`, `labels`, `tree`, `property`: cursors of a graph with
//!   changes.
//! - `index`: finds the nodes that have a text, if the file has an index of the property.

pub(crate) mod edges;
pub(crate) mod index;
pub(crate) mod labels;
pub(crate) mod options;
pub(crate) mod property;
pub(crate) mod tree;
