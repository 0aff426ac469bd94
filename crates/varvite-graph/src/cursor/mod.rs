//! Cursors: one kind for each kind of column, over the columns of an open file.
//!
//! - `adjacency`, `subtree`: neighbours along an edge label, and the nodes below a node.
//! - `labels`, `ids`: label sets, nodes of a label, and the iterators of their ids.
//! - `property`, `property_range`, `property_recent`: values of one owner, of a range of owners, and of the
//!   same owners again and again; `value`, `bounds`: types of values, and the stored numbers that they can
//!   be.
//! - `texts`: the only way to string tables, which leaves a note for each text that cannot be read.
//! - `member_change`, `label_change`: how sets and label sets differ from those of the base; `ranked_bits`:
//!   sets in memory.
//! - `ints_scan`: an integer column from front to back; `columns`: the names of columns.
//! - `damage`: notes of cursors that found damage.
//!
//! Cursors do not depend on the graph: their constructors get the columns.

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
