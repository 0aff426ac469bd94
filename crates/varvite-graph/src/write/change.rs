//! [`GraphChange`]: an open graph that no other writer can change until the commit.
//!
//! Data that is added to a graph often takes minutes to compute, for example numbers from a trace for the
//! METHODs of the graph. This type holds the lock of the file and one snapshot: data computed from the
//! snapshot is committed only if the file is still the same. A commit is written after the end of the file
//! and its cost depends only on the new data; open readers keep their snapshot.

use std::path::Path;
use std::sync::Arc;

use varvite_format::{Directory, Header};
use varvite_store::vfs::RealVfs;
use varvite_store::{FileChange, Identity, OpenMode, StoreError, StoreWriter, Task, Vfs};

use super::graph_copy::copy_graph;
use crate::change_error::ChangeError;
use crate::error::Result;
use crate::graph::Graph;

/// A graph that is locked for a change.
///
/// ```no_run
/// use varvite::change::Diff;
/// use varvite::write::GraphChange;
///
/// let mut diff = Diff::new();
/// diff.add_edge("CFG", 7, 8);
/// GraphChange::open("code.varvite")?.apply(&diff)?;
/// # Ok::<(), varvite::change::ChangeError>(())
/// ```
#[derive(Debug)]
pub struct GraphChange {
    change: FileChange,
    graph: Graph,
}

/// On Windows, a file that is mapped cannot be replaced.
pub(crate) const MODE: OpenMode = if cfg!(windows) { OpenMode::Buffered } else { OpenMode::Mapped };

/// The mode for callers that copy the content of a file into new blocks. This mode finds damage, which would
/// otherwise get a valid checksum in the new blocks.
pub(crate) const CHECKED: OpenMode = if cfg!(windows) { OpenMode::Buffered } else { OpenMode::Checked };

impl GraphChange {
    /// Locks the file at `path`, and opens it. Other writers are refused until this value is dropped or has
    /// committed; readers are not. Costs as much as opening the graph.
    ///
    /// # Errors
    /// [`StoreError::Busy`](varvite_store::StoreError::Busy) with the holder, if another writer has the file
    /// locked; a fault in the file; an error of the file system.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, ChangeError> {
        Self::begin(Arc::new(RealVfs), path.as_ref())
    }

    /// The same as [`GraphChange::open`], in a given file system.
    ///
    /// # Errors
    /// The errors of [`GraphChange::open`].
    pub fn begin(vfs: Arc<dyn Vfs>, path: &Path) -> Result<Self, ChangeError> {
        let change = FileChange::begin(vfs, path)?;
        varvite_store::planted!(LogNotTakenUp => let graph = Graph::without_log(change.open_store(MODE)?); return Ok(Self { change, graph }));
        let graph = Graph::of_store(change.open_store(MODE)?)?;
        Ok(Self { change, graph })
    }

    /// Fails unless the graph still has this [`identity`](Graph::identity). Ids and ranks that a program read
    /// from the graph are then still valid, and the change overwrites no commit of another program.
    ///
    /// # Errors
    /// [`StoreError::Replaced`] if there was a commit to the graph, or the file was replaced by another one.
    pub fn check_identity(&self, seen: &Identity) -> Result<(), ChangeError> {
        if self.graph.identity() == *seen {
            return Ok(());
        }
        Err(StoreError::Replaced { path: self.graph.store().path().to_owned() }.into())
    }

    /// The graph of a file that is already locked, such as a new file that has no final name yet.
    ///
    /// # Errors
    /// A fault in the file; an error of the file system.
    pub fn of(change: FileChange) -> Result<Self, ChangeError> {
        let graph = Graph::of_store(change.open_store(MODE)?)?;
        Ok(Self { change, graph })
    }

    /// Keeps the file and its lock, and replaces the graph by one that `map` makes from it.
    pub(crate) fn map(
        self,
        map: impl FnOnce(Graph) -> Result<Graph, ChangeError>,
    ) -> Result<Self, ChangeError> {
        Ok(Self { change: self.change, graph: map(self.graph)? })
    }

    /// Opens the file again after a commit.
    pub(crate) fn reopen(&mut self) -> Result<(), ChangeError> {
        self.graph = Graph::of_store(self.change.open_store(MODE)?)?;
        Ok(())
    }

    /// Opens the graph again, so that each column is checked on first use. This is for callers that write
    /// data derived from whole columns.
    ///
    /// # Errors
    /// A fault in the file, or an error of the file system.
    pub fn checked(self) -> Result<Self, ChangeError> {
        let graph = Graph::of_store(self.change.open_store(CHECKED)?)?;
        Ok(Self { change: self.change, graph })
    }

    /// The file and its lock.
    pub(crate) fn file(&self) -> &FileChange {
        &self.change
    }

    /// The current graph.
    pub fn graph(&self) -> &Graph {
        &self.graph
    }

    /// Starts the next commit with the parts of the graph that `directory` names. If no lock can keep a
    /// second writer out, these parts are copied to a separate file, and the directory gets the column
    /// numbers of that file.
    pub(crate) fn begin_commit(
        &self,
        directory: &mut Directory,
        task: &Task<'_>,
    ) -> Result<StoreWriter, ChangeError> {
        let store = self.graph.store();
        if self.change.can_append() {
            return Ok(self.change.append(store)?);
        }
        let mut writer = self.begin_anew(store.header().file_id)?;
        copy_graph(store, directory, &mut writer, task)?;
        self.graph.check_ids(task)?;
        Ok(writer)
    }

    /// Starts an empty file that will replace the current file.
    pub(super) fn begin_anew(&self, file_id: [u8; 16]) -> Result<StoreWriter, ChangeError> {
        let header = Header { file_id, ..*self.graph.store().header() };
        Ok(StoreWriter::begin(self.change.successor(self.graph.store())?, header)?)
    }

    /// Writes the directory and commits. Returns the size of the file in bytes.
    pub(crate) fn commit(&self, writer: StoreWriter, directory: Directory) -> Result<u64, ChangeError> {
        Ok(writer.finish(directory)?)
    }
}
