//! Adjacency: the neighbours of a node along one edge label, in one direction.
//!
//! - `direction`: from where to where edges are followed.
//! - `stored`: the forms in which a file keeps neighbours. They are lists of ids; or, for the forest edge
//!   label, children that follow from the subtree sizes and take no bytes at all, and parents, a byte each.
//!   Every id is checked where it is read.
//! - `change_columns`: the stored edges that were appended and removed since.
//! - `direct`: lists of the direct profile as they lie in memory.
//! - `cursor`: [`Adjacency`], one face for all forms, with its iterators.
//! - `places`: which edge each entry of in-lists is.
//! - `ranks`: the neighbours of a node with the ranks of their edges.
//!
//! No call here allocates, but for the vector that [`Adjacency::append`] is given and the blocks of
//! [`Adjacency::for_each_edge`].

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
