//! Searches of names: how well a name fits a text (`matches`), the names of a graph in one piece of memory
//! (`name_index`), and the thread that makes such an index (`graph_names`).

mod graph_names;
mod matches;
mod name_index;

pub(crate) use graph_names::{GraphNames, NameKind};
pub(crate) use matches::{Match, Needle};
pub(crate) use name_index::{Best, Hit, NAME_BYTES_MAX, NODES_OF_NAME, NameIndex};
