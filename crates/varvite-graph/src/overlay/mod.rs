//! Changes since the columns were written, in the form that cursors need.
//!
//! - `lazy`: a value that is computed on first use; `graph_changes`: the lazy values of an open graph with
//!   changes.
//! - `changed_counts`: counts of edges; `property_change`: changes of values; `index_change`: changes of a
//!   text index; `grown_tree`: a tree to which nodes were appended.

pub(crate) mod changed_counts;
pub(crate) mod graph_changes;
pub(crate) mod grown_tree;
pub(crate) mod index_change;
pub(crate) mod lazy;
pub(crate) mod property_change;
