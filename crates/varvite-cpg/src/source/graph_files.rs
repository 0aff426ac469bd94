//! [`GraphFiles`]: the FILEs of a graph and their names.

use std::path::Path;

use varvite::error::optional;
use varvite::memory::Reserved;
use varvite::{Budget, Graph, Property, Str};

use super::error::SourceError;
use super::folder::is_placeholder;

/// The FILEs of a graph, in ascending order.
pub(super) struct GraphFiles {
    nodes: Vec<u32>,
    names: Property,
    /// Pays for the nodes.
    _room: Reserved,
}

impl GraphFiles {
    /// # Errors
    /// [`SourceError::NoFiles`] if the graph has none.
    pub(super) fn of(graph: &Graph, budget: &Budget) -> Result<Self, SourceError> {
        let (files, names) = (optional(graph.nodes("FILE"))?, optional(graph.property("NAME"))?);
        let (files, names) = files.zip(names).ok_or(SourceError::NoFiles)?;
        let (mut room, mut nodes) = (Reserved::nothing_of(budget), Vec::new());
        for node in files.iter() {
            room.make_room(&mut nodes, 1)?;
            nodes.push(node);
        }
        match nodes.is_empty() {
            true => Err(SourceError::NoFiles),
            false => Ok(Self { nodes, names, _room: room }),
        }
    }

    pub(super) fn nodes(&self) -> &[u32] {
        &self.nodes
    }

    /// The name of a FILE; empty if it has none.
    pub(super) fn name(&self, node: u32) -> String {
        self.names.str(node).as_deref().unwrap_or_default().to_owned()
    }

    /// The number of the text of a name. FILEs have the same name if they have the same number.
    pub(super) fn name_code(&self, node: u32) -> Option<i64> {
        self.names.number(node)
    }

    /// The error if none of the files is in the folder.
    pub(super) fn nothing_in(&self, folder: &Path) -> SourceError {
        let is_name = |name: &Str<'_>| !is_placeholder(name);
        let mut names = self.nodes.iter().filter_map(|node| self.names.str(*node)).filter(is_name).peekable();
        let (example, folder) = (names.peek().map(|name| name.to_string()), folder.to_owned());
        match example {
            Some(example) => SourceError::NothingFound { folder, files: names.count() as u64, example },
            None => SourceError::NoFiles,
        }
    }
}
