//! Searches of names: how well a name fits a text (`matches`), and the names of a graph in one piece of
//! memory (`name_index`).

mod matches;
mod name_index;

pub(crate) use matches::{Match, Needle};
pub(crate) use name_index::{Best, Hit, NODES_OF_NAME, NameIndex};
