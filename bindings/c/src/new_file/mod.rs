//! Files that are new: of a foreign graph (`import`), and made node by node (`new_graph`).

pub(crate) mod import;
pub(crate) mod new_graph;
