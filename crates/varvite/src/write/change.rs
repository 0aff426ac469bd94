//! [`GraphChange`]: a graph that nobody else changes, from the first look at it to its successor's name.
//!
//! What is added to a graph often takes minutes to make: numbers for its METHODs from a trace, say. All of it is made for the one
//! opening that this holds, under the lock of the file, and published in its place only if it still is there.

use std::path::Path;
use std::sync::Arc;

use varvite_format::Directory;
use varvite_store::{FileChange, OpenMode, StoreWriter, Vfs};

use crate::error::Result;
use crate::graph::Graph;

/// A graph that is going to be changed.
#[derive(Debug)]
pub struct GraphChange {
    change: FileChange,
    graph: Graph,
}

/// Windows gives no new file the name of one that is mapped.
const MODE: OpenMode = if cfg!(windows) { OpenMode::Buffered } else { OpenMode::Mapped };

impl GraphChange {
    /// Locks the file that `path` leads to, and opens it. Other writers are refused until this is dropped or done; readers are
    /// not.
    ///
    /// # Errors
    /// [`StoreError::Busy`](varvite_store::StoreError::Busy) with the holder, if another writer is at it; what is wrong with the
    /// file, or what the file system says.
    pub fn begin(vfs: Arc<dyn Vfs>, path: &Path) -> Result<Self> {
        let change = FileChange::begin(vfs, path)?;
        let graph = Graph::of_store(change.open_store(MODE)?);
        Ok(Self { change, graph })
    }

    /// The graph as it is.
    pub fn graph(&self) -> &Graph {
        &self.graph
    }

    /// Begins the file that will take its place.
    pub(super) fn successor(&self, file_id: [u8; 16]) -> Result<StoreWriter> {
        let profile = self.graph.store().header().profile;
        Ok(StoreWriter::begin(self.change.successor()?, file_id, profile)?)
    }

    /// Puts the successor in place. Returns its size in bytes.
    pub(super) fn publish(&self, writer: StoreWriter, directory: Directory) -> Result<u64> {
        self.change.check(self.graph.store())?;
        Ok(writer.finish(directory)?)
    }
}
