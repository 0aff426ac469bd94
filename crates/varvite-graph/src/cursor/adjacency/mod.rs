//! Adjacency: the neighbours of a node along one edge label, in one direction.
//!
//! - `direction`: the direction in which edges are followed.
//! - `stored`: the forms in which a file stores neighbours: lists of ids or, for the forest edge label,
//!   children and parents. Children are computed from the subtree sizes and take no bytes; a parent takes one
//!   byte. Every id is checked when it is read.
//! - `change_columns`: the columns of edges that were appended and removed since the base was written.
//! - `direct`: the lists in files of the direct profile, as slices of a column.
//! - `cursor`: [`Adjacency`], one type for all stored forms, with its iterators.
//! - `places`: for each entry of in-lists, the place of its edge in the source's out-list.
//! - `ranks`: the neighbours of a node with the ranks of their edges.
//!
//! Reads of neighbours do not allocate, with two exceptions: [`Adjacency::append`] may grow the caller's
//! vector, and [`Adjacency::for_each_edge`] allocates a block for each column.

mod change_columns;
mod cursor;
mod direct;
mod direction;
mod places;
mod ranks;
mod stored;

pub(crate) use change_columns::ChangeColumns;
pub use change_columns::EntryAt;
pub use cursor::{Adjacency, Neighbors, Sources};
pub(crate) use cursor::{ChangedLists, MergedLists, Touched};
pub use direct::DirectLists;
pub use direction::Direction;
pub use places::Places;
pub use ranks::{RankedNeighbors, Ranks};
pub use stored::ListRest;
pub(crate) use stored::StoredLists;
