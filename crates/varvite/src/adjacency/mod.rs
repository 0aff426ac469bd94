//! Adjacency: the neighbours of a node along one edge label, in one direction.
//!
//! - `direction`: from where to where edges are followed.
//! - `stored`: the three forms in which a file keeps neighbours. They are lists of ids; or, for the forest edge label,
//!   children that follow from the subtree sizes and take no bytes at all, and parents, a byte each. Every id is checked
//!   where it is read.
//! - `neighbors`: the neighbours of one node, one after the other.
//! - `sources`: the nodes that have any.
//! - `cursor`: [`Adjacency`], one face for the three forms.
//!
//! No call here allocates, but for the vector that [`Adjacency::append`] is given and the blocks of
//! [`Adjacency::for_each_edge`].

mod cursor;
mod direction;
mod neighbors;
mod sources;
mod stored;

pub use cursor::Adjacency;
pub use direction::Direction;
pub use neighbors::Neighbors;
pub use sources::Sources;
pub(crate) use stored::{ListRest, StoredLists};
