//! Cursors: readers of the columns of an open file, one type for each kind of column.
//!
//! - `adjacency`, `subtree`: neighbours along an edge label, and the descendants of a node.
//! - `labels`, `ids`: label sets, nodes of a label, and the iterators of their ids.
//! - `property`, `property_range`, `property_recent`: read the values of one owner, of a range of owners,
//!   and, from a cache, of owners that were read recently; `value`, `bounds`: the types of values, and the
//!   stored numbers that are valid for each type.
//! - `texts`: reads texts from string tables, and records damage for each text that cannot be read.
//! - `member_change`, `label_change`: changes of sets and of label sets since the base was written;
//!   `ranked_bits`: sets of nodes in memory.
//! - `ints_scan`: reads an integer column from front to back; `columns`: the names of columns in messages.
//! - `damage`: the notes that cursors make of damage.
//!
//! Cursors do not depend on the graph type: their constructors take columns.

pub(crate) mod adjacency;
pub(crate) mod bounds;
pub(crate) mod columns;
pub(crate) mod damage;
pub(crate) mod ids;
pub(crate) mod ints_scan;
pub(crate) mod label_change;
pub(crate) mod labels;
pub(crate) mod member_change;
pub(crate) mod property;
pub(crate) mod property_range;
pub(crate) mod property_recent;
pub(crate) mod ranked_bits;
pub(crate) mod subtree;
pub(crate) mod texts;
pub(crate) mod value;
