//! Graphs for NetworkX: a part of an open graph, or the nodes and edges of a graph of NetworkX.
//!
//! `network` has the type and its limits, `convert` reads NetworkX's dictionaries, and `keys` has the Python
//! objects that are the nodes. `reads` answers NetworkX's mappings; `functions` runs algorithms, and `search`
//! and `groups` have results that Python reads in parts. `objects` builds Python's dictionaries, sets and
//! lists, each in one go.

mod convert;
mod functions;
mod groups;
mod keys;
#[expect(clippy::module_inception, reason = "the module has the type of this name")]
mod network;
mod objects;
mod reads;
mod search;

pub(crate) use convert::convert_network;
pub(crate) use groups::Groups;
pub(crate) use network::Network;
pub(crate) use search::Search;
