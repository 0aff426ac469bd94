//! New graph files: imported from a foreign graph (`import`), or built node by node (`new_graph`).

pub(crate) mod import;
pub(crate) mod new_graph;
